//! The ids of areas, of obstacles, and of classes of walkers.

/// Id of a named area: its index in the room file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AreaId(pub usize);

/// Id of an obstacle: its index in the room file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub usize);

/// A class of walkers: those for whom the ground is the same. The first one is the room's own walker, with the room's
/// `agentRadius`, who may go everywhere. Which numbers the others have depends on the order in which they came, so no result
/// may depend on it, and nothing that is saved has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClassId(pub u16);
