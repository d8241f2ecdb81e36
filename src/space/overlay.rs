//! Obstacles that are there for one query only. The grid itself is never written for them.

use super::Node;
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlay {
    pub(super) nodes: Vec<Node>,
}

impl Overlay {
    /// Whether it covers nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether `node` is covered.
    pub fn covers(&self, node: Node) -> bool {
        !self.nodes.is_empty() && self.nodes.binary_search(&node).is_ok()
    }
}
