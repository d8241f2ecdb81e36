//! Paths from portal to portal: A* over the portals of a mesh, after "Polygon Soup for the Programmer's Soul: 3D
//! Pathfinding" (Smith, GDC 2002), and the funnel through the polygons found, as in Detour.
//!
//! The cost of a path is the accumulated distance between the points at which it enters polygons. A path enters a
//! portal where the straight line to the goal crosses it, clipped to the portal. The estimate is the straight line from
//! there to the goal, and never too long. Each portal is entered at one point, so that searches are simpler than those
//! for shortest paths, and paths may be longer.
//!
//! Equal estimates are expanded newest first, so that a search is the same in every run.

use super::any_angle::{MeshPath, POLYGONS_OF_EXPANSION};
use super::blocks::BlockMarks;
use super::{Polygons, View};
use crate::nav::Progress;
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// In [`Node::parent`]: none.
const NO_PARENT: u32 = u32::MAX;

/// A point at which a path enters a polygon.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: u32,
    polygon: u32,
    /// The edge by which the path enters, as one of that polygon.
    edge: u32,
    at: DVec2,
    /// The accumulated distance up to there, in metres.
    cost_m: f64,
}

/// Buffers of searches. Empty until the first one, and cheap to move.
#[derive(Debug, Clone, Default)]
pub struct PortalPathMemory(Option<Box<Buffers>>);

#[derive(Debug, Clone, Default)]
struct Buffers {
    nodes: Vec<Node>,
    /// The bits of an estimate above those of a node, inverted. Estimates are not negative, so their bits order as they
    /// do.
    open: BinaryHeap<Reverse<u128>>,
    /// For each edge the number of the search that entered by it last, and the least estimate there.
    best: Vec<(u32, f64)>,
    search_number: u32,
    marks: BlockMarks,
    /// The polygons on the straight line from the start to the goal, as far as it is clear.
    straight: Vec<u32>,
}

/// A path that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Found {
    /// The straight line is clear.
    Straight,
    /// The path ends with this node.
    Node(u32),
}

/// A search for a path from portal to portal. It can be paused after every expansion.
#[derive(Debug, Clone)]
pub struct PortalPath {
    start: (u32, DVec2),
    goal: (u32, DVec2),
    memory: Box<Buffers>,
    found: Option<Found>,
    is_done: bool,
    expansions: u64,
}

impl PortalPath {
    /// Begins a search from a point in a polygon to another one. Closed polygons are not entered. The view must be the
    /// same in every call.
    pub fn new(view: View<'_>, start: (u32, DVec2), goal: (u32, DVec2), memory: PortalPathMemory) -> Self {
        let mut memory = memory.0.unwrap_or_default();
        let is_straight = view.corridor_of_line(start, goal, &mut memory.straight);
        let found = is_straight.then_some(Found::Straight);
        let expansions = memory.straight.len() as u64 / POLYGONS_OF_EXPANSION;
        let mut search = Self { start, goal, memory, found, is_done: is_straight, expansions };
        if !is_straight {
            search.memory.begin(view, start.0, goal.0);
            search.expand(view, start.0, None, start.1, 0.0);
        }
        search
    }

    /// Continues the search until it ends, or for `budget` expansions.
    pub fn advance(&mut self, view: View<'_>, budget: u64) -> Progress {
        let stop_at = self.expansions.saturating_add(budget);
        while !self.is_done {
            if self.expansions >= stop_at {
                return Progress::Running;
            }
            let Some(Reverse(open)) = self.memory.open.pop() else {
                self.is_done = true;
                break;
            };
            let (index, estimate_m) = (!(open as u32), f64::from_bits((open >> 32) as u64));
            let node = self.memory.nodes[index as usize];
            if node.polygon == self.goal.0 {
                (self.found, self.is_done) = (Some(Found::Node(index)), true);
                break;
            }
            if self.memory.best[node.edge as usize].1 < estimate_m {
                continue;
            }
            self.expansions += 1;
            self.expand(view, node.polygon, Some(index), node.at, node.cost_m);
        }
        Progress::Done
    }

    /// Enters the polygons around the one in which a path is at a point.
    fn expand(&mut self, view: View<'_>, polygon: u32, node: Option<u32>, at: DVec2, cost_m: f64) {
        let mesh = view.polygons;
        let Self { memory, goal, .. } = self;
        let Buffers { nodes, open, best, search_number, marks, .. } = &mut **memory;
        let entry = node.map(|node| nodes[node as usize].edge);
        for edge in mesh.edge_range(polygon) {
            let here = mesh.edge(edge);
            let behind = view.behind_edge(here, || edge).filter(|_| marks.holds(here.block()));
            let Some((behind, twin)) = behind.filter(|_| entry != Some(edge)) else { continue };
            let (a, b) = (here.at(), mesh.edge(mesh.edge_after(polygon, edge)).at());
            let enters_at = shortest_over(a, b, at, goal.1);
            let cost_m = cost_m + at.distance(enters_at);
            let estimate_m = cost_m + enters_at.distance(goal.1);
            let known = &mut best[twin as usize];
            if known.0 == *search_number && known.1 <= estimate_m {
                continue;
            }
            *known = (*search_number, estimate_m);
            let index = nodes.len() as u32;
            let parent = node.unwrap_or(NO_PARENT);
            nodes.push(Node { parent, polygon: behind, edge: twin, at: enters_at, cost_m });
            open.push(Reverse(u128::from(estimate_m.to_bits()) << 32 | u128::from(!index)));
        }
    }

    /// The number of nodes expanded so far.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The path, and the buffers. `None` if there is no path, or the search has not ended.
    pub fn finish(self, mesh: &Polygons) -> (Option<MeshPath>, PortalPathMemory) {
        let path = self.found.map(|found| self.path(mesh, found));
        (path, PortalPathMemory(Some(self.memory)))
    }

    /// The buffers of a search that is given up.
    pub(crate) fn into_memory(self) -> PortalPathMemory {
        PortalPathMemory(Some(self.memory))
    }

    /// The shortest way through the portals found.
    fn path(&self, mesh: &Polygons, found: Found) -> MeshPath {
        let Found::Node(last) = found else {
            let length_m = self.start.1.distance(self.goal.1);
            let corridor = self.memory.straight.clone();
            return MeshPath { waypoints: vec![self.goal], corridor, length_m };
        };
        let (mut corridor, mut portals) = (Vec::new(), Vec::new());
        let mut at = last;
        while at != NO_PARENT {
            let node = self.memory.nodes[at as usize];
            corridor.push(node.polygon);
            // As seen on the way in, an edge runs from left to right.
            let after = mesh.edge_after(node.polygon, node.edge);
            portals.push((mesh.edge(node.edge).at(), mesh.edge(after).at()));
            at = node.parent;
        }
        corridor.push(self.start.0);
        corridor.reverse();
        portals.reverse();
        let waypoints = super::funnel::pull(portals, &corridor, self.start.1, self.goal.1);
        let mut from = self.start.1;
        let length_m = waypoints.iter().map(|&(_, to)| std::mem::replace(&mut from, to).distance(to)).sum();
        MeshPath { waypoints, corridor, length_m }
    }
}

impl Buffers {
    fn begin(&mut self, view: View<'_>, start: u32, goal: u32) {
        self.nodes.clear();
        self.open.clear();
        self.search_number = self.search_number.wrapping_add(1);
        let edges = view.polygons.edge_count();
        if self.best.len() != edges || self.search_number == 0 {
            self.best.clear();
            self.best.resize(edges, (0, 0.0));
            self.search_number = 1;
        }
        view.mark_blocks(&mut self.marks, start, goal);
    }
}

/// The point of a portal over which the way from a point to the goal is shortest. A goal on the same side is mirrored at
/// the portal, the crossing of the straight line is clipped to the portal.
fn shortest_over(a: DVec2, b: DVec2, from: DVec2, goal: DVec2) -> DVec2 {
    let along = b - a;
    let [from_side, goal_side] = [from, goal].map(|at| along.perp_dot(at - a).abs());
    let [from_along, goal_along] = [from, goal].map(|at| along.dot(at - a));
    let sides = from_side + goal_side;
    let crossing = match sides > 0.0 {
        true => (from_along * goal_side + goal_along * from_side) / sides,
        false => from_along,
    };
    a.lerp(b, (crossing / along.length_squared()).clamp(0.0, 1.0))
}
