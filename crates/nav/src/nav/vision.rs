//! What blocks a line of vision.

use super::{AreaId, ObstacleId};

/// What blocks the line of vision to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HiddenBy {
    /// Ground outside all areas, or, in a room with cells, a cell that is not walkable.
    Wall,
    /// A closed area.
    Area(AreaId),
    /// An obstacle.
    Obstacle(ObstacleId),
}
