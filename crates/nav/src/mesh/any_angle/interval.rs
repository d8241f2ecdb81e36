//! Intervals on edges, as seen from a root.

use glam::DVec2;

/// In [`Interval::left_vertex`] and [`Interval::right_vertex`]: the end lies inside the edge.
pub(super) const END_INSIDE: u32 = u32::MAX;

/// A part of an edge. Left and right are as seen from the side from which it is entered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    pub left: DVec2,
    pub right: DVec2,
    /// The vertex at the left end.
    pub left_vertex: u32,
    /// The vertex at the right end.
    pub right_vertex: u32,
}

/// The end of an interval by which the shortest line from a root to a goal passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Via {
    Left,
    Straight,
    Right,
}

/// How the shortest line from a root through an interval to a goal beyond it passes.
pub(super) fn via(root: DVec2, interval: &Interval, goal: DVec2) -> Via {
    let to_goal = goal - root;
    if (interval.left - root).perp_dot(to_goal) > 0.0 {
        Via::Left
    } else if (interval.right - root).perp_dot(to_goal) < 0.0 {
        Via::Right
    } else {
        Via::Straight
    }
}

/// The length of the shortest line from a root through an interval to the goal. If the goal lies on the side of the
/// root, it is reflected at the edge first, unless the goal is known to lie beyond.
pub(super) fn estimate_m(root: DVec2, interval: &Interval, goal: DVec2, is_beyond: bool) -> f64 {
    let along = interval.right - interval.left;
    let side = along.perp_dot(goal - interval.left);
    let goal = if side < 0.0 && !is_beyond {
        goal - along.perp() * (2.0 * side / along.length_squared())
    } else {
        goal
    };
    match via(root, interval, goal) {
        Via::Straight => root.distance(goal),
        Via::Left => root.distance(interval.left) + interval.left.distance(goal),
        Via::Right => root.distance(interval.right) + interval.right.distance(goal),
    }
}
