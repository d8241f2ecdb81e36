//! Round obstacles.

use super::Position;
use crate::geometry::distance_sq_to_segment;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A round obstacle: a character that stands in the way.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Disc {
    /// The centre.
    pub centre: Position,
    /// Radius in metres.
    pub radius_m: f64,
}

impl Disc {
    /// Whether a point lies in the disc, its border included.
    pub fn holds(&self, place: DVec2) -> bool {
        place.distance_squared(self.centre.at) <= self.radius_m * self.radius_m
    }

    /// Whether the segment misses the disc, or starts inside it.
    pub fn lets_pass(&self, from: DVec2, to: DVec2) -> bool {
        self.holds(from) || distance_sq_to_segment(self.centre.at, from, to) > self.radius_m * self.radius_m
    }
}
