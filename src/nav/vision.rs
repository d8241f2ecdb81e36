//! What hides a place.

use super::{AreaId, ObstacleId};

/// What hides a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HiddenBy {
    /// Ground outside of everything.
    Wall,
    /// A closed area.
    Area(AreaId),
    /// An obstacle.
    Obstacle(ObstacleId),
}
