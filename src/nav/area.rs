//! The ids of areas and obstacles.

/// A named area of the ground, by its index in the room file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AreaId(pub usize);

/// An obstacle of the ground, by its index in the room file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId(pub usize);
