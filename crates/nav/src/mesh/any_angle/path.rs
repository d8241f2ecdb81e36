//! The path that a search found.

use super::interval::{Via, via};
use super::{AnyAngle, Found, NO_PARENT, START};
use crate::mesh::Polygons;
use glam::DVec2;

/// A shortest path on a mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeshPath {
    /// The points at which the path turns, and its end, each with its polygon.
    pub waypoints: Vec<(u32, DVec2)>,
    /// The polygons that the path goes through, the ones of both ends included.
    pub corridor: Vec<u32>,
    /// Length on the plane, in metres.
    pub length_m: f64,
}

impl AnyAngle {
    /// The number of polygons that a path enters.
    fn depth(&self, found: Found) -> usize {
        let Found::Node(mut at) = found else { return 0 };
        let mut depth = 0;
        while at != NO_PARENT {
            depth += 1;
            at = self.memory.nodes[at as usize].parent;
        }
        depth
    }

    pub(super) fn path(&self, mesh: &Polygons, found: Found) -> MeshPath {
        let (mut waypoints, mut corridor) = (vec![self.goal], Vec::with_capacity(self.depth(found) + 1));
        if found == Found::Straight {
            let (corridor, length_m) = (self.memory.straight.clone(), self.start.1.distance(self.goal.1));
            return MeshPath { waypoints, corridor, length_m };
        }
        if let Found::Node(last) = found {
            let end = self.memory.nodes[last as usize];
            let root = self.root_point(mesh, end.root);
            let turn = match via(root, &end.interval, self.goal.1) {
                Via::Straight => None,
                Via::Left => Some(end.interval.left),
                Via::Right => Some(end.interval.right),
            };
            waypoints.extend(turn.map(|at| (end.polygon, at)));
            let mut at = last;
            loop {
                let node = self.memory.nodes[at as usize];
                corridor.push(node.polygon);
                if node.parent == NO_PARENT {
                    break;
                }
                let before = self.memory.nodes[node.parent as usize];
                if node.root != before.root {
                    // The path turned at an end of the interval through which it entered that polygon.
                    waypoints.push((before.polygon, self.root_point(mesh, node.root)));
                }
                at = node.parent;
            }
            debug_assert!(self.memory.nodes[at as usize].root == START);
        }
        corridor.push(self.start.0);
        corridor.reverse();
        waypoints.reverse();
        waypoints.dedup_by(|next, before| {
            let is_same = next.1 == before.1;
            if is_same {
                before.0 = next.0;
            }
            is_same
        });
        let mut length_m = 0.0;
        let mut from = self.start.1;
        for &(_, to) in &waypoints {
            length_m += from.distance(to);
            from = to;
        }
        MeshPath { waypoints, corridor, length_m }
    }
}
