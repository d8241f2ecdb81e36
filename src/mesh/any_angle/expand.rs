//! The expansion of a node: its interval is projected onto the far edges of the polygon behind it.

use super::{AnyAngle, END_INSIDE, Interval, Node, START, holds_start};
use crate::mesh::View;
use glam::DVec2;

/// The sine of an angle below which directions are equal.
const PARALLEL: f64 = 1e-10;

/// Shares of an edge that differ by less are equal.
const SHARE: f64 = 1e-9;

impl AnyAngle {
    /// Expands a node. A node with one successor only need not compete with others: that one is expanded next.
    pub(super) fn expand(&mut self, view: View<'_>, node: u32) {
        self.expansions += 1;
        self.find_successors(view, node);
        let mut successors = std::mem::take(&mut self.memory.successors);
        match successors[..] {
            [only] if only.polygon != self.goal.0 => {
                self.chained = Some(self.memory.nodes.len() as u32);
                self.memory.nodes.push(only);
            }
            _ => successors.iter().for_each(|&successor| self.push(view.polygons, successor)),
        }
        successors.clear();
        self.memory.successors = successors;
    }

    fn find_successors(&mut self, view: View<'_>, index: u32) {
        let mesh = view.polygons;
        let node = self.memory.nodes[index as usize];
        let Interval { left, right, left_vertex, right_vertex } = node.interval;
        let root = self.root_point(mesh, node.root);
        let (to_left, to_right) = (left - root, right - root);
        let (left_m, right_m) = (to_left.length(), to_right.length());
        let (left_tolerance, right_tolerance) = (left_m * PARALLEL, right_m * PARALLEL);
        // How far a point is to the left of the ray to the right end, and of the ray to the left end.
        let from_right = |at: DVec2| to_right.perp_dot(at - root);
        let from_left = |at: DVec2| to_left.perp_dot(at - root);
        let mut successors = std::mem::take(&mut self.memory.successors);
        // Costs of paths that turn at an end of the interval, if that is a corner and no shorter way there is known.
        let mut turn = |vertex: u32, distance_m: f64| {
            let is_turn = vertex != END_INSIDE && vertex != node.root && view.is_corner(vertex);
            let cost_m = node.cost_m + distance_m;
            (is_turn && self.memory.reach(vertex, cost_m)).then_some(cost_m)
        };
        let (mut at_right, mut at_left) = (None, None);
        let (mut right_tried, mut left_tried) = (false, false);
        let mut edge = mesh.edge_after(node.polygon, node.edge);
        let mut a = mesh.vertices()[mesh.edge(edge).vertex() as usize];
        let (mut a_right, mut a_left) = (from_right(a), from_left(a));
        while edge != node.edge {
            let next = mesh.edge_after(node.polygon, edge);
            let b = mesh.vertices()[mesh.edge(next).vertex() as usize];
            let (b_right, b_left) = (from_right(b), from_left(b));
            let here = mesh.edge(edge);
            let behind = view.behind(edge).filter(|&(polygon, _)| {
                !(node.root == START && holds_start(root, a, b))
                    && (polygon == self.goal.0 || !mesh.is_dead_end(polygon))
            });
            if let Some((polygon, twin)) = behind {
                let scale = (b - root).length().max((a - root).length());
                let (right_eps, left_eps) = (right_tolerance * scale, left_tolerance * scale);
                // The visible part of the edge, as shares from its right end to its left end. What lies behind an edge
                // in line with the root is not visible: without this rule, nodes would go round a vertex without end.
                let is_in_line = |a: f64, b: f64, eps: f64| eps > 0.0 && a.abs().max(b.abs()) <= eps;
                let from = if is_in_line(a_right, b_right, right_eps) {
                    1.0
                } else if a_right.min(b_right) >= -right_eps {
                    0.0
                } else if b_right <= right_eps {
                    1.0
                } else {
                    a_right / (a_right - b_right)
                };
                let to = if is_in_line(a_left, b_left, left_eps) {
                    0.0
                } else if a_left.max(b_left) <= left_eps {
                    1.0
                } else if a_left >= -left_eps {
                    0.0
                } else {
                    a_left / (a_left - b_left)
                };
                let from = if from < SHARE {
                    0.0
                } else if from > 1.0 - SHARE {
                    1.0
                } else {
                    from
                };
                let to = if to < SHARE {
                    0.0
                } else if to > 1.0 - SHARE {
                    1.0
                } else {
                    to
                };
                let (a_vertex, b_vertex) = (here.vertex(), mesh.edge(next).vertex());
                let point = |share: f64| match share {
                    0.0 => (a, a_vertex),
                    1.0 => (b, b_vertex),
                    _ => (a.lerp(b, share), END_INSIDE),
                };
                let mut add = |root: u32, cost_m: f64, from: f64, to: f64| {
                    let ((right, right_vertex), (left, left_vertex)) = (point(from), point(to));
                    let interval = Interval { left, right, left_vertex, right_vertex };
                    let is_end = false;
                    let parent = index;
                    successors.push(Node { parent, polygon, edge: twin, root, interval, cost_m, is_end });
                };
                if from > 0.0 {
                    if !std::mem::replace(&mut right_tried, true) {
                        at_right = turn(right_vertex, right_m);
                    }
                    if let Some(cost_m) = at_right {
                        add(right_vertex, cost_m, 0.0, from);
                    }
                }
                if from < to {
                    add(node.root, node.cost_m, from, to);
                }
                if to < 1.0 {
                    if !std::mem::replace(&mut left_tried, true) {
                        at_left = turn(left_vertex, left_m);
                    }
                    if let Some(cost_m) = at_left {
                        add(left_vertex, cost_m, to, 1.0);
                    }
                }
            }
            (edge, a, a_right, a_left) = (next, b, b_right, b_left);
        }
        self.memory.successors = successors;
    }
}
