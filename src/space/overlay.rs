//! Obstacles that are there for one query only. The grid itself is never written for them.

use super::Node;
use crate::geometry::distance_sq_to_segment;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A round obstacle: someone who stands in the way. Metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Disc {
    /// Where it is.
    pub centre: DVec2,
    /// How much it covers.
    pub radius_m: f64,
}

/// The nodes some discs cover, as a sorted list. Made by [`super::Ground::overlay`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    pub(super) nodes: Vec<Node>,
    /// The discs themselves, where nodes lie so far apart that a line could pass between two covered ones.
    pub(super) discs: Vec<Disc>,
}

impl Overlay {
    /// Whether it covers nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.discs.is_empty()
    }

    /// Whether a place is covered though the node it belongs to may not be.
    pub fn covers_place(&self, place: DVec2) -> bool {
        self.discs.iter().any(|disc| place.distance_squared(disc.centre) <= disc.radius_m * disc.radius_m)
    }

    /// Whether a line keeps clear of all discs but those it starts in.
    pub(super) fn lets_pass(&self, from: DVec2, to: DVec2) -> bool {
        self.discs.iter().all(|Disc { centre, radius_m }| {
            let reach_sq = radius_m * radius_m;
            from.distance_squared(*centre) <= reach_sq || distance_sq_to_segment(*centre, from, to) > reach_sq
        })
    }

    /// Whether `node` is covered.
    pub fn covers(&self, node: Node) -> bool {
        !self.nodes.is_empty() && self.nodes.binary_search(&node).is_ok()
    }
}
