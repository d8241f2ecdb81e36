//! Shortest paths over convex polygons: Polyanya (Cui, Harabor and Grastien, "Compromise-free Pathfinding on a
//! Navigation Mesh", 2017).
//!
//! A search node is an interval on an edge together with a root: the last point at which the path turned, from which
//! the whole interval is visible. Expanding a node projects the interval through the polygon behind the edge. Parts of
//! the far edges that are visible from the root keep it; parts hidden behind an end of the interval get that end as
//! their root, if it is a corner. The estimate of a node is the length of the shortest line from its root through the
//! interval to the goal.
//!
//! Equal estimates are expanded newest first, so that a search is the same in every run.

mod expand;
mod interval;
mod path;

pub use path::MeshPath;

use self::interval::{END_INSIDE, Interval, estimate_m};
use super::blocks::BlockMarks;
use super::polygons::Corner;
use super::{Polygons, View};
use crate::geometry::distance_sq_to_segment;
use crate::nav::Progress;
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Lengths in metres that differ by less are equal.
const TOLERANCE_M: f64 = 1e-9;

/// Upper limit on expansions: this many, and so many more for each edge.
const MOST_EXPANSIONS: (u64, u64) = (100_000, 100);

/// Polygons on a straight line that are as much work as one expansion.
pub(super) const POLYGONS_OF_EXPANSION: u64 = 8;

/// In [`Node::root`]: the start of the path, which is no vertex.
const START: u32 = u32::MAX;

/// In [`Node::parent`]: none.
const NO_PARENT: u32 = u32::MAX;

/// An interval on the edge by which a path enters a polygon.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: u32,
    /// The polygon behind the edge.
    polygon: u32,
    /// The edge, among the edges of that polygon.
    edge: u32,
    /// The vertex at which the path turned last.
    root: u32,
    interval: Interval,
    /// Length of the path up to the root, in metres.
    cost_m: f64,
    /// Whether the node is the end of a path: its polygon holds the goal.
    is_end: bool,
}

/// An entry of the open list: the bits of an estimate above those of a node, inverted. Estimates are not negative, so
/// their bits order as they do.
type Open = u128;

/// Buffers of searches. Empty until the first one, and cheap to move.
#[derive(Debug, Clone, Default)]
pub struct AnyAngleMemory(Option<Box<Buffers>>);

#[derive(Debug, Clone, Default)]
struct Buffers {
    nodes: Vec<Node>,
    /// The least estimate is taken first; of equal ones the newest node.
    open: BinaryHeap<Reverse<Open>>,
    best: Best,
    marks: BlockMarks,
    /// The polygons that hold the start, with their nodes.
    holding: Vec<(u32, u32)>,
    /// The polygons on the straight line from the start to the goal, as far as it is clear.
    straight: Vec<u32>,
}

/// A search for the shortest path between two points. It can be paused after every expansion.
#[derive(Debug, Clone)]
pub struct AnyAngle {
    start: (u32, DVec2),
    goal: (u32, DVec2),
    memory: Box<Buffers>,
    /// The successor of the last expansion that is expanded next, without the open list.
    chained: Option<u32>,
    /// The last node of the path found, or the straight line.
    found: Option<Found>,
    is_done: bool,
    expansions: u64,
    /// Longer paths are not looked for, in metres.
    most_m: f64,
}

/// A path that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Found {
    /// The straight line is clear.
    Straight,
    /// The path ends with this node.
    Node(u32),
}

impl AnyAngle {
    /// Begins a search from a point in a polygon to another one. Closed polygons are not entered. The view must be the
    /// same in every call.
    pub fn new(view: View<'_>, start: (u32, DVec2), goal: (u32, DVec2), memory: AnyAngleMemory) -> Self {
        let mut memory = memory.0.unwrap_or_default();
        let is_straight = view.corridor_of_line(start, goal, &mut memory.straight);
        let found = is_straight.then_some(Found::Straight);
        // A polygon on a line is less work than the expansion of a node.
        let expansions = memory.straight.len() as u64 / POLYGONS_OF_EXPANSION;
        let (chained, most_m, is_done) = (None, f64::INFINITY, is_straight);
        let mut search = Self { start, goal, memory, chained, found, is_done, expansions, most_m };
        if !is_straight {
            search.memory.begin(view, start.0, goal.0);
            search.begin(view);
        }
        search
    }

    /// Lets the search end without a path once no path can be shorter than `most_m`.
    pub(in crate::mesh) fn cut_off(&mut self, most_m: f64) {
        self.most_m = most_m;
    }

    /// Continues the search until it ends, or for `budget` expansions.
    pub fn advance(&mut self, view: View<'_>, budget: u64) -> Progress {
        let stop_at = self.expansions.saturating_add(budget);
        while !self.is_done {
            if self.expansions >= stop_at {
                return Progress::Running;
            }
            // No search needs as many. It is a net for cases of rounding that nobody has thought of.
            let most = MOST_EXPANSIONS.0 + MOST_EXPANSIONS.1 * view.polygons.edge_count() as u64;
            if self.expansions >= most {
                self.is_done = true;
                break;
            }
            let chained = self.chained.take();
            let next = chained.or_else(|| {
                let Reverse(open) = self.memory.open.pop()?;
                (f64::from_bits((open >> 32) as u64) < self.most_m).then_some(!(open as u32))
            });
            let Some(node) = next else {
                self.is_done = true;
                break;
            };
            let at = self.memory.nodes[node as usize];
            if at.is_end {
                (self.found, self.is_done) = (Some(Found::Node(node)), true);
                break;
            }
            if !self.memory.best.is_best(at.root, at.cost_m) {
                continue;
            }
            self.expand(view, node);
        }
        Progress::Done
    }

    /// The number of nodes expanded so far.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The shortest path, and the buffers. `None` if there is no path, or the search has not ended.
    pub fn finish(self, mesh: &Polygons) -> (Option<MeshPath>, AnyAngleMemory) {
        let path = self.found.map(|found| self.path(mesh, found));
        (path, AnyAngleMemory(Some(self.memory)))
    }

    /// The buffers of a search that is given up.
    pub(crate) fn into_memory(self) -> AnyAngleMemory {
        AnyAngleMemory(Some(self.memory))
    }

    fn root_point(&self, mesh: &Polygons, root: u32) -> DVec2 {
        if root == START { self.start.1 } else { mesh.vertices()[root as usize] }
    }

    /// Nodes for the edges of all polygons that hold the start. Edges that hold it, too, are crossed at once: from the
    /// start, they cannot be told apart from their ends, and nodes would go round a vertex without end.
    fn begin(&mut self, view: View<'_>) {
        let mesh = view.polygons;
        let start = self.start.1;
        let mut holding = std::mem::take(&mut self.memory.holding);
        holding.clear();
        holding.push((self.start.0, NO_PARENT));
        let mut next = 0;
        while let Some(&(polygon, parent)) = holding.get(next) {
            next += 1;
            for edge in mesh.edge_range(polygon) {
                let Some((behind, twin)) = view.behind(edge) else { continue };
                if !self.memory.marks.holds(mesh.edge(edge).block()) {
                    continue;
                }
                if holding.iter().any(|(known, _)| *known == behind) {
                    continue;
                }
                // Seen from the start, the edge runs from right to left.
                let left_edge = mesh.edge_after(polygon, edge);
                let [left_vertex, right_vertex] = [left_edge, edge].map(|edge| mesh.edge(edge).vertex());
                let [b, a] = [left_vertex, right_vertex].map(|vertex| mesh.vertices()[vertex as usize]);
                let interval = Interval { left: b, right: a, left_vertex, right_vertex };
                let (root, cost_m, is_end) = (START, 0.0, behind == self.goal.0);
                let node = Node { parent, polygon: behind, edge: twin, root, interval, cost_m, is_end };
                if !holds_start(start, a, b) || behind == self.goal.0 {
                    self.push(mesh, node);
                } else {
                    holding.push((behind, self.memory.nodes.len() as u32));
                    self.memory.nodes.push(node);
                }
            }
        }
        self.memory.holding = holding;
    }

    /// Adds a node, and its entry to the open list.
    fn push(&mut self, mesh: &Polygons, node: Node) {
        let index = self.memory.nodes.len() as u32;
        self.memory.nodes.push(node);
        let entry = self.entry(mesh, index);
        self.memory.open.push(Reverse(entry));
    }

    /// The entry of a node in the open list.
    fn entry(&self, mesh: &Polygons, index: u32) -> Open {
        let node = &self.memory.nodes[index as usize];
        let root = self.root_point(mesh, node.root);
        let estimate_m = node.cost_m + estimate_m(root, &node.interval, self.goal.1, node.is_end);
        Open::from(estimate_m.to_bits()) << 32 | Open::from(!index)
    }
}

/// Whether the start of a path lies on an edge.
fn holds_start(start: DVec2, a: DVec2, b: DVec2) -> bool {
    distance_sq_to_segment(start, a, b) <= TOLERANCE_M * TOLERANCE_M
}

impl Buffers {
    fn begin(&mut self, view: View<'_>, start: u32, goal: u32) {
        self.nodes.clear();
        self.open.clear();
        self.best.begin(view.polygons.vertices().len());
        view.mark_blocks(&mut self.marks, start, goal);
    }
}

/// The shortest paths known to vertices.
#[derive(Debug, Clone, Default)]
struct Best {
    known: Vec<Known>,
    search_number: u32,
}

/// The shortest path known to a vertex.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// The number of the search that reached the vertex last.
    search: u32,
    /// The root of the path's last leg.
    from: u32,
    cost_m: f64,
}

impl Best {
    fn begin(&mut self, vertices: usize) {
        self.search_number = self.search_number.wrapping_add(1);
        if self.known.len() != vertices || self.search_number == 0 {
            self.known.clear();
            self.known.resize(vertices, Known::default());
            self.search_number = 1;
        }
    }

    /// Whether no shorter path to a root is known.
    fn is_best(&self, root: u32, cost_m: f64) -> bool {
        if root == START {
            return true;
        }
        let known = self.known[root as usize];
        known.search != self.search_number || cost_m <= known.cost_m + TOLERANCE_M
    }

    /// Whether a path to a corner, with its last leg from a root, may be part of the shortest one.
    ///
    /// Of paths of equal length from several roots, one is enough. A shortest path beyond the corner turns there after
    /// each of them, or it could be shortened, so it is found behind any of them. Without this rule, rooms that repeat
    /// themselves have as many nodes as they have ways of equal length. Where several fans meet, equal paths may lead
    /// into different ones.
    fn reach(&mut self, vertex: u32, corner: Corner, from: u32, cost_m: f64) -> bool {
        let known = &mut self.known[vertex as usize];
        if known.search != self.search_number || cost_m < known.cost_m - TOLERANCE_M {
            *known = Known { search: self.search_number, from, cost_m };
            return true;
        }
        let is_equal = cost_m <= known.cost_m + TOLERANCE_M;
        is_equal && (known.from == from || corner == Corner::OfFans)
    }
}

#[cfg(test)]
pub(super) mod tests;
#[cfg(test)]
mod ties;
