//! Obstacles that are there for one query only. The grid itself is never written for them.

use super::{Ground, Node};
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

impl Disc {
    /// Whether it covers a place.
    pub(crate) fn holds(&self, place: DVec2) -> bool {
        place.distance_squared(self.centre) <= self.radius_m * self.radius_m
    }

    /// Whether a line keeps clear of it, or starts in it.
    pub(super) fn lets_pass(&self, from: DVec2, to: DVec2) -> bool {
        self.holds(from) || distance_sq_to_segment(self.centre, from, to) > self.radius_m * self.radius_m
    }
}

/// The nodes some discs cover, as a sorted list. Made by [`super::Ground::overlay`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    pub(super) nodes: Vec<Node>,
    /// The discs themselves, where nodes lie so far apart that a line could pass between two covered ones.
    pub(super) discs: Vec<Disc>,
}

impl Ground {
    /// Whether a disc covers a node: its middle, or of a plain grid the disc's own cell.
    pub(crate) fn is_under(&self, node: Node, disc: &Disc) -> bool {
        disc.holds(self.centre(node)) || self.nodes_are_cells() && self.node_at(disc.centre) == Some(node)
    }

    /// Whether a way from node to node along edges meets a disc; the one it starts in may be covered.
    pub(crate) fn is_met(&self, way: &[Node], disc: &Disc) -> bool {
        let reach_m = disc.radius_m + self.node_spacing_cells() * self.frame.cell_size_m * 2.0;
        way.windows(2).any(|pair| {
            let (from, to) = (self.centre(pair[0]), self.centre(pair[1]));
            // Most are far away from each other.
            (to - disc.centre).abs().max_element() <= reach_m && (disc.holds(to) || !disc.lets_pass(from, to))
        })
    }

    /// The covered nodes that a way over a plain grid touches, which goes straight or diagonally from each of some nodes to the next; a
    /// diagonal step touches the cells on both sides, too. The node it starts in may be covered.
    pub(crate) fn covered_on_way(&self, turns: &[Node], overlay: &Overlay) -> Vec<Node> {
        let mut touched = Vec::new();
        let Some(&start) = turns.first() else { return touched };
        for pair in turns.windows(2) {
            let ((x, z), (to_x, to_z)) = (self.column_and_row(pair[0]), self.column_and_row(pair[1]));
            let (rows, columns) = (z.min(to_z)..=z.max(to_z), x.min(to_x)..=x.max(to_x));
            let beside = u32::from(x != to_x && z != to_z);
            let first = overlay.nodes.partition_point(|&node| node < self.node_in(0, *rows.start()));
            let inside = overlay.nodes[first..].iter().map(|&node| (node, self.column_and_row(node)));
            let inside = inside.take_while(|(_, cell)| rows.contains(&cell.1));
            touched.extend(inside.filter_map(|(node, cell)| {
                let off = cell.0.abs_diff(x).abs_diff(cell.1.abs_diff(z));
                let on_way = columns.contains(&cell.0) && (beside == 0 || off <= beside);
                (on_way && node != start).then_some(node)
            }));
        }
        touched
    }
}

impl Overlay {
    /// The discs alone, for lines of sight where nodes lie apart.
    pub(crate) fn of_discs(discs: impl Iterator<Item = Disc>) -> Self {
        Self { nodes: Vec::new(), discs: discs.collect() }
    }

    /// Whether it covers nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.discs.is_empty()
    }

    /// How many nodes it covers.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a place is covered though the node it belongs to may not be.
    pub fn covers_place(&self, place: DVec2) -> bool {
        self.discs.iter().any(|disc| disc.holds(place))
    }

    /// Whether a line keeps clear of all discs but those it starts in.
    pub(super) fn lets_pass(&self, from: DVec2, to: DVec2) -> bool {
        self.discs.iter().all(|disc| disc.lets_pass(from, to))
    }

    /// Whether `node` is covered.
    pub fn covers(&self, node: Node) -> bool {
        !self.nodes.is_empty() && self.nodes.binary_search(&node).is_ok()
    }
}
