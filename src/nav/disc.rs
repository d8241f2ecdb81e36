//! Round obstacles.

use super::Position;
use crate::geometry::distance_sq_to_segment;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A round obstacle: a character that stands in the way. Metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Disc {
    /// Where it is.
    pub centre: Position,
    /// How much it covers.
    pub radius_m: f64,
}

impl Disc {
    /// Whether it covers a place.
    pub fn holds(&self, place: DVec2) -> bool {
        place.distance_squared(self.centre.at) <= self.radius_m * self.radius_m
    }

    /// Whether a line keeps clear of it, or starts in it.
    pub fn lets_pass(&self, from: DVec2, to: DVec2) -> bool {
        self.holds(from) || distance_sq_to_segment(self.centre.at, from, to) > self.radius_m * self.radius_m
    }
}
