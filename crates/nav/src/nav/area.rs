//! The ids of areas and obstacles.

/// Id of a named area: its index in the room file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AreaId(pub usize);

/// Id of an obstacle: its index in the room file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub usize);
