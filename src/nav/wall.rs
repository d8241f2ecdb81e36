//! What bounds the ground, for measuring.

use super::{AreaId, ObstacleId};
use crate::geometry::SegmentPart;
use glam::DVec2;

/// Part of an edge that characters keep away from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// Where it is.
    pub part: SegmentPart,
    /// The obstacle or area it belongs to.
    pub of: WallOf,
    /// How far away the centres of characters stay, in metres.
    pub keep_off_m: f64,
}

/// What a wall belongs to: obstacles before areas, both in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WallOf {
    /// An obstacle's edge.
    Obstacle(ObstacleId),
    /// Where an open area ends, and no other open one begins.
    Area(AreaId),
}

impl Wall {
    /// How far a point is from the wall, in metres.
    pub(crate) fn distance(&self, point: DVec2) -> f64 {
        self.part.distance_sq(point).sqrt()
    }
}

/// The narrowest place of the widest way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pinch {
    /// The middle of it, in metres.
    pub at: DVec2,
    /// The share of the distance to walls that is kept there, 0 to 1.
    pub share: f64,
}
