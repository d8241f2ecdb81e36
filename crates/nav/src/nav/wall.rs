//! Walls: the boundary edges of the ground, for measuring clearance.

use super::{AreaId, ObstacleId};
use crate::geometry::SegmentPart;
use glam::DVec2;

/// Part of an edge that characters keep away from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// The part of the edge.
    pub part: SegmentPart,
    /// The obstacle or area it belongs to.
    pub of: WallOf,
    /// Required clearance: the distance from the wall to a character's centre, in metres.
    pub keep_off_m: f64,
}

/// The owner of a wall. Sorts obstacles before areas, both in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WallOf {
    /// An obstacle's edge.
    Obstacle(ObstacleId),
    /// This area's part of the outer boundary of the open areas.
    Area(AreaId),
}

impl Wall {
    /// The distance from the wall to a point, in metres.
    pub(crate) fn distance(&self, point: DVec2) -> f64 {
        self.part.distance_sq(point).sqrt()
    }
}

/// The bottleneck of the widest path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pinch {
    /// The middle of the bottleneck, in metres.
    pub at: DVec2,
    /// Clearance at the bottleneck / required clearance, 0 to 1.
    pub share: f64,
}
