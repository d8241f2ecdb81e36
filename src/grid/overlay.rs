//! Obstacles that are there for one query only. The grid itself is never written for them.

use super::{Grid, Node};
use crate::geometry::distance_sq_to_segment;
use crate::nav::Disc;
use glam::DVec2;

/// So many points of a line are looked at together from afar.
const CHUNK: usize = 16;

/// The nodes some discs cover, as a sorted list. Made by [`super::Grid::overlay`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    pub(super) nodes: Vec<Node>,
    /// The discs themselves, where nodes lie so far apart that a line could pass between two covered ones.
    pub(super) discs: Vec<Disc>,
}

impl Grid {
    /// Whether a disc covers a node: its middle, or of a plain grid the disc's own cell.
    pub(crate) fn is_under(&self, node: Node, disc: &Disc) -> bool {
        disc.holds(self.centre(node)) || self.nodes_are_cells() && self.node_at(disc.centre) == Some(node)
    }

    /// Those of some discs, by their places, that may cover something on a line from point to point or right beside it: all that do, and
    /// perhaps some more.
    pub(crate) fn discs_near<'a>(&self, discs: &'a [Disc], line: &'a [DVec2]) -> impl Iterator<Item = u32> {
        let beside_m = self.beside_m();
        let around = |points: &[DVec2]| {
            let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
            points.iter().fold(nothing, |(min, max), &at| (min.min(at), max.max(at)))
        };
        let chunk = |index: usize| &line[index * CHUNK..line.len().min((index + 1) * CHUNK + 1)];
        // Of a long line most is far away from most of them.
        let boxes: Vec<(DVec2, DVec2)> = match line.len() > 2 * CHUNK {
            true => (0..line.len().div_ceil(CHUNK)).map(|index| around(chunk(index))).collect(),
            false => Vec::new(),
        };
        let is_near = move |disc: &Disc| {
            let reach_m = disc.radius_m + beside_m;
            let touches = |part: &[DVec2]| {
                is_beside(disc.centre, (part[0].min(part[1]), part[0].max(part[1])), reach_m)
                    && distance_sq_to_segment(disc.centre, part[0], part[1]) <= reach_m * reach_m
            };
            if boxes.is_empty() {
                return line.windows(2).any(touches);
            }
            (0..).zip(&boxes).any(|(index, around)| {
                is_beside(disc.centre, *around, reach_m) && chunk(index).windows(2).any(touches)
            })
        };
        self.discs_in(discs, around(line)).filter(move |&place| is_near(&discs[place as usize]))
    }

    /// The same of all lines within a rectangle: those of the smallest and the largest coordinates.
    pub(crate) fn discs_in(&self, discs: &[Disc], around: (DVec2, DVec2)) -> impl Iterator<Item = u32> {
        let beside_m = self.beside_m();
        let is_near = move |disc: &Disc| is_beside(disc.centre, around, disc.radius_m + beside_m);
        (0..).zip(discs).filter(move |(_, disc)| is_near(disc)).map(|(place, _)| place)
    }

    /// Farther from a line nobody covers anything of it, nor right beside it, but with his own breadth.
    fn beside_m(&self) -> f64 {
        2.0 * self.node_spacing_cells() * self.frame.cell_size_m
    }

    /// Whether a way meets a disc, but for the node it starts in: over a plain grid straight or diagonally from each of some nodes to the next,
    /// where it touches cells; elsewhere along the edges between them.
    pub(crate) fn is_met(&self, way: &[Node], disc: &Disc) -> bool {
        if self.nodes_are_cells() {
            return self.is_covered(way, &self.overlay([disc]));
        }
        let reach_m = disc.radius_m + self.beside_m();
        way.windows(2).any(|pair| {
            let (from, to) = (self.centre(pair[0]), self.centre(pair[1]));
            // Most are far away from each other.
            (to - disc.centre).abs().max_element() <= reach_m && (disc.holds(to) || !disc.lets_pass(from, to))
        })
    }

    /// Whether a way over a plain grid touches a covered node but for its first one; a diagonal step touches the cells on both sides, too.
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

    /// What keeps lines of sight from going through some discs.
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
