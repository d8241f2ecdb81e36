//! Obstacles of a single query. The grid itself is never changed for them.

use super::{Grid, Node};
use crate::geometry::distance_sq_to_segment;
use crate::nav::Disc;
use glam::DVec2;

/// Points per bounding box in the coarse distance test.
const CHUNK: usize = 16;

/// The nodes covered by some discs, as a sorted list. Made by [`super::Grid::overlay`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    pub(super) nodes: Vec<Node>,
    /// The discs themselves, if nodes lie so far apart that a line could pass between two covered ones.
    pub(super) discs: Vec<Disc>,
}

impl Grid {
    /// Whether a disc covers a node: it holds the node's middle, or in a plain grid its centre lies in the node.
    pub(crate) fn is_under(&self, node: Node, disc: &Disc) -> bool {
        disc.holds(self.centre(node)) || self.nodes_are_cells() && self.node_at(disc.centre.at) == Some(node)
    }

    /// The indices of the discs that may cover something on a line of points, or right beside it. All that do are
    /// included, and perhaps some more.
    pub(crate) fn discs_near<'a>(&self, discs: &'a [Disc], line: &'a [DVec2]) -> impl Iterator<Item = u32> {
        let beside_m = self.beside_m();
        let around = |points: &[DVec2]| {
            let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
            points.iter().fold(nothing, |(min, max), &at| (min.min(at), max.max(at)))
        };
        let chunk = |index: usize| &line[index * CHUNK..line.len().min((index + 1) * CHUNK + 1)];
        // Most discs are far away from most of a long line.
        let boxes: Vec<(DVec2, DVec2)> = match line.len() > 2 * CHUNK {
            true => (0..line.len().div_ceil(CHUNK)).map(|index| around(chunk(index))).collect(),
            false => Vec::new(),
        };
        let is_near = move |disc: &Disc| {
            let reach_m = disc.radius_m + beside_m;
            let touches = |part: &[DVec2]| {
                is_beside(disc.centre.at, (part[0].min(part[1]), part[0].max(part[1])), reach_m)
                    && distance_sq_to_segment(disc.centre.at, part[0], part[1]) <= reach_m * reach_m
            };
            if boxes.is_empty() {
                return line.windows(2).any(touches);
            }
            (0..).zip(&boxes).any(|(index, around)| {
                is_beside(disc.centre.at, *around, reach_m) && chunk(index).windows(2).any(touches)
            })
        };
        self.discs_in(discs, around(line)).filter(move |&place| is_near(&discs[place as usize]))
    }

    /// The same for all lines within a rectangle, given by its smallest and largest coordinates.
    pub(crate) fn discs_in(&self, discs: &[Disc], around: (DVec2, DVec2)) -> impl Iterator<Item = u32> {
        let beside_m = self.beside_m();
        let is_near = move |disc: &Disc| is_beside(disc.centre.at, around, disc.radius_m + beside_m);
        (0..).zip(discs).filter(move |(_, disc)| is_near(disc)).map(|(place, _)| place)
    }

    /// A disc farther from a line than its radius plus this distance cannot affect it.
    fn beside_m(&self) -> f64 {
        2.0 * self.node_spacing_cells() * self.frame.cell_size_m
    }

    /// Whether a path meets a disc, except in its first node. In a plain grid the path is straight or diagonal
    /// between its nodes, and the cells it touches count. Elsewhere the edges between the nodes count.
    pub(crate) fn is_met(&self, way: &[Node], disc: &Disc) -> bool {
        if self.nodes_are_cells() {
            return self.is_covered(way, &self.overlay([disc]));
        }
        let reach_m = disc.radius_m + self.beside_m();
        way.windows(2).any(|pair| {
            let (from, to) = (self.centre(pair[0]), self.centre(pair[1]));
            // Most discs and edges are far away from each other.
            (to - disc.centre.at).abs().max_element() <= reach_m
                && (disc.holds(to) || !disc.lets_pass(from, to))
        })
    }

    /// Whether a path over a plain grid touches a covered node other than its first one. A diagonal step also touches
    /// the cells on both sides.
    pub(crate) fn is_covered(&self, turns: &[Node], overlay: &Overlay) -> bool {
        turns.windows(2).any(|pair| {
            let ((x, z), (to_x, to_z)) = (self.column_and_row(pair[0]), self.column_and_row(pair[1]));
            let (rows, columns) = (z.min(to_z)..=z.max(to_z), x.min(to_x)..=x.max(to_x));
            let beside = u32::from(x != to_x && z != to_z);
            let first = overlay.nodes.partition_point(|&node| node < self.node_in(0, *rows.start()));
            let inside = overlay.nodes[first..].iter().map(|&node| (node, self.column_and_row(node)));
            let mut inside = inside.take_while(|(_, cell)| rows.contains(&cell.1));
            inside.any(|(node, cell)| {
                let off = cell.0.abs_diff(x).abs_diff(cell.1.abs_diff(z));
                node != turns[0] && columns.contains(&cell.0) && (beside == 0 || off <= beside)
            })
        })
    }

    /// The overlay that blocks lines of sight through some discs.
    pub(crate) fn overlay_for_sight(&self, discs: &[Disc]) -> Overlay {
        match self.nodes_are_cells() {
            true => self.overlay(discs),
            false => Overlay { nodes: Vec::new(), discs: discs.to_vec() },
        }
    }
}

/// Whether a place lies within a rectangle, or not far beside it.
#[inline]
fn is_beside(place: DVec2, (min, max): (DVec2, DVec2), reach_m: f64) -> bool {
    place.cmpge(min - reach_m).all() && place.cmple(max + reach_m).all()
}

impl Overlay {
    /// Whether it covers nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.discs.is_empty()
    }

    /// The number of covered nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a place is covered. The node it belongs to need not be.
    pub fn covers_place(&self, place: DVec2) -> bool {
        self.discs.iter().any(|disc| disc.holds(place))
    }

    /// Whether a line keeps clear of all discs except those it starts in.
    pub(super) fn lets_pass(&self, from: DVec2, to: DVec2) -> bool {
        self.discs.iter().all(|disc| disc.lets_pass(from, to))
    }

    /// Whether `node` is covered.
    pub fn covers(&self, node: Node) -> bool {
        !self.nodes.is_empty() && self.nodes.binary_search(&node).is_ok()
    }
}
