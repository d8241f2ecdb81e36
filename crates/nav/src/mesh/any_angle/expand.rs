//! The expansion of a node: its interval is projected onto the far edges of the polygon behind it.

use super::{AnyAngle, Buffers, END_INSIDE, Interval, NO_PARENT, Node, START, holds_start};
use crate::mesh::polygons::Corner;
use crate::mesh::{Polygons, View};
use glam::DVec2;
use std::cmp::Reverse;

/// The sine of an angle below which directions are equal.
const PARALLEL: f64 = 1e-10;

/// Shares of an edge that differ by less are equal.
const SHARE: f64 = 1e-9;

impl AnyAngle {
    /// Expands a node. If one of its successors comes first of all, it is expanded next without the open list.
    pub(super) fn expand(&mut self, view: View<'_>, node: u32) {
        self.expansions += 1;
        let first = self.memory.nodes.len();
        self.find_successors(view, node);
        let last = self.memory.nodes.len();
        if first + 1 == last && !self.memory.nodes[first].is_end {
            // It need not compete: others were not better than the node expanded.
            self.chained = Some(first as u32);
        } else if first < last {
            let mut best = self.entry(view.polygons, first as u32);
            for other in first + 1..last {
                let entry = self.entry(view.polygons, other as u32);
                self.memory.open.push(Reverse(best.max(entry)));
                best = best.min(entry);
            }
            if self.memory.open.peek().is_some_and(|Reverse(open)| *open < best) {
                self.memory.open.push(Reverse(best));
            } else {
                self.chained = Some(!(best as u32));
            }
        }
    }

    /// Adds the successors of a node to the nodes.
    fn find_successors(&mut self, view: View<'_>, index: u32) {
        let mesh = view.polygons;
        let node = self.memory.nodes[index as usize];
        let Interval { left, right, left_vertex, right_vertex } = node.interval;
        let root = self.root_point(mesh, node.root);
        let (to_left, to_right) = (left - root, right - root);
        let (left_tolerance, right_tolerance) = (size_m(to_left) * PARALLEL, size_m(to_right) * PARALLEL);
        // How far a point is to the left of the ray to the right end, and of the ray to the left end.
        let from_right = |at: DVec2| to_right.perp_dot(at - root);
        let from_left = |at: DVec2| to_left.perp_dot(at - root);
        let Self { memory, goal, .. } = self;
        let Buffers { nodes, best, marks, .. } = &mut **memory;
        // Costs of paths that turn at an end of the interval, if that is a corner and no shorter way there is known.
        let mut turn = |vertex: u32, to_end: DVec2| {
            if vertex == END_INSIDE || vertex == node.root {
                return None;
            }
            let corner = view.corner(vertex);
            if corner == Corner::None {
                return None;
            }
            let cost_m = node.cost_m + to_end.length();
            best.reach(vertex, corner, node.root, cost_m).then_some(cost_m)
        };
        let (mut at_right, mut at_left) = (None, None);
        let (mut right_tried, mut left_tried) = (false, false);
        let edges = mesh.edges(node.polygon);
        let entry = (node.edge - mesh.edge_range(node.polygon).start) as usize;
        let after = |i: usize| if i + 1 == edges.len() { 0 } else { i + 1 };
        let mut i = entry;
        // Where the edge before ended, if it is a portal: sides of points between walls are not needed.
        let mut before = None;
        loop {
            i = after(i);
            if i == entry {
                break;
            }
            let here = edges[i];
            let began = before.take();
            let behind = view.behind_edge(here, || mesh.edge_range(node.polygon).start + i as u32);
            let Some((polygon, twin)) = behind.filter(|_| marks.holds(here.block())) else { continue };
            let end = edges[after(i)];
            let (a, b) = (here.at(), end.at());
            let (a_right, a_left) = began.unwrap_or_else(|| (from_right(a), from_left(a)));
            let (b_right, b_left) = (from_right(b), from_left(b));
            before = Some((b_right, b_left));
            if !(node.root == START && holds_start(root, a, b)) {
                let scale_m = size_m(b - root).max(size_m(a - root));
                let (right_eps, left_eps) = (right_tolerance * scale_m, left_tolerance * scale_m);
                // The visible part of the edge, as shares from its right end to its left end. What lies behind an edge
                // in line with the root is not visible: without this rule, nodes would go round a vertex without end.
                let is_in_line = |a: f64, b: f64, eps: f64| eps > 0.0 && a.abs().max(b.abs()) <= eps;
                let right_in_line = is_in_line(a_right, b_right, right_eps);
                let left_in_line = is_in_line(a_left, b_left, left_eps);
                let from = if right_in_line {
                    1.0
                } else if a_right.min(b_right) >= -right_eps {
                    0.0
                } else if b_right <= right_eps {
                    1.0
                } else {
                    whole(a_right / (a_right - b_right))
                };
                let to = if left_in_line {
                    0.0
                } else if a_left.max(b_left) <= left_eps {
                    1.0
                } else if a_left >= -left_eps {
                    0.0
                } else {
                    whole(a_left / (a_left - b_left))
                };
                let point = |share: f64| match share {
                    0.0 => (a, here.vertex()),
                    1.0 => (b, end.vertex()),
                    _ => (a.lerp(b, share), END_INSIDE),
                };
                let mut add = |root: u32, cost_m: f64, from: f64, to: f64| {
                    let corner = (root != START).then(|| mesh.vertices()[root as usize]);
                    let corner = corner.filter(|corner| [a, b].contains(corner));
                    if corner.is_some_and(|corner| goes_round(mesh, nodes, index, twin, corner)) {
                        return;
                    }
                    let ((right, right_vertex), (left, left_vertex)) = (point(from), point(to));
                    let interval = Interval { left, right, left_vertex, right_vertex };
                    let is_end = polygon == goal.0;
                    let parent = index;
                    nodes.push(Node { parent, polygon, edge: twin, root, interval, cost_m, is_end });
                };
                // Such an edge is entered at its nearer end, which need not be that of the interval: an edge of the polygon
                // may be a wall first and then a portal.
                let near_end = (right_in_line || left_in_line).then(|| {
                    let is_a_nearer = (a - root).length_squared() <= (b - root).length_squared();
                    if is_a_nearer { (a, here.vertex()) } else { (b, end.vertex()) }
                });
                let ends_there = if right_in_line { right_vertex } else { left_vertex };
                let near_end = near_end.filter(|(_, vertex)| *vertex != ends_there);
                if let Some((near, vertex)) = near_end {
                    if let Some(cost_m) = turn(vertex, near - root) {
                        add(vertex, cost_m, 0.0, 1.0);
                    }
                } else if from > 0.0 {
                    if !std::mem::replace(&mut right_tried, true) {
                        at_right = turn(right_vertex, to_right);
                    }
                    if let Some(cost_m) = at_right {
                        add(right_vertex, cost_m, 0.0, from);
                    }
                }
                if from < to {
                    add(node.root, node.cost_m, from, to);
                }
                if to < 1.0 && near_end.is_none() {
                    if !std::mem::replace(&mut left_tried, true) {
                        at_left = turn(left_vertex, to_left);
                    }
                    if let Some(cost_m) = at_left {
                        add(left_vertex, cost_m, to, 1.0);
                    }
                }
            }
        }
    }
}

/// Whether the way to a node has come over an edge before since it turned at a corner. Where portals lead one way only,
/// polygons may lie all around a corner, and nodes would go round it without end. Floors above each other have vertices
/// of their own there.
fn goes_round(mesh: &Polygons, nodes: &[Node], node: u32, edge: u32, corner: DVec2) -> bool {
    let turns_there = |node: &&Node| node.root != START && mesh.vertices()[node.root as usize] == corner;
    let mut at = Some(node);
    while let Some(node) = at.map(|at| &nodes[at as usize]).filter(turns_there) {
        if node.edge == edge {
            return true;
        }
        at = (node.parent != NO_PARENT).then_some(node.parent);
    }
    false
}

/// The size of a vector for tolerances: at least its length, and at most 1.5 times as much.
fn size_m(vector: DVec2) -> f64 {
    vector.x.abs() + vector.y.abs()
}

/// A share of an edge. Next to an end it is the end.
fn whole(share: f64) -> f64 {
    if share < SHARE {
        0.0
    } else if share > 1.0 - SHARE {
        1.0
    } else {
        share
    }
}
