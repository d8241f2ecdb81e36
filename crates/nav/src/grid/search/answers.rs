//! Answers without a search: a straight line, no path at all, or staying in place.

use crate::grid::{Grid, Node};
use crate::nav::{NoPath, Outcome, Path, Position, Step};
use glam::DVec2;

impl Grid {
    /// Whether a character in the node nearest to an unreachable goal is as near to it as possible. In a cell this is
    /// always so. Elsewhere the centre of the node may be nearer.
    pub(in crate::grid) fn stays(&self, node: Node, from: DVec2, to: DVec2) -> bool {
        self.nodes_are_cells() || from.distance_squared(to) <= self.centre(node).distance_squared(to)
    }
}

/// A straight line that is not in the node graph. It costs its length.
pub(super) fn straight(
    ground: &Grid,
    (from, to): (DVec2, DVec2),
    (begin, end): (DVec2, DVec2),
    step: Step,
    (expansions, work): (u64, u64),
) -> Path {
    let closed_area = ground.closed_area_over(to);
    let (outcome, reason, step) = match closed_area {
        None => (Outcome::Complete, None, step),
        Some(_) => (Outcome::Partial, Some(NoPath::GoalClosed), Step::Nearest),
    };
    let length_m = begin.distance(end);
    let waypoints = if begin == from || length_m == 0.0 { vec![end] } else { vec![begin, end] };
    Path {
        outcome,
        reason,
        closed_area: closed_area.map(|area| ground.area_name(area).to_owned()),
        to: to.into(),
        snapped_to: (end != to).then_some(Position::on_ground(end)),
        missed_by_m: end.distance(to),
        step,
        waypoints: waypoints.into_iter().map(Position::on_ground).collect(),
        corridor: Vec::new(),
        crossings: Vec::new(),
        steps: Vec::new(),
        cost_cells: length_m / ground.frame().cell_size_m,
        length_m,
        expansions,
        work,
    }
}

/// No path at all. A character in a pocket with no way out is already as near as possible: the answer is a `partial`
/// path without length.
pub(super) fn nowhere(
    ground: &Grid,
    reason: NoPath,
    (from, to): (DVec2, DVec2),
    step: Step,
    (expansions, work): (u64, u64),
) -> Path {
    let stands = reason != NoPath::StartOffGround;
    let closed_area = ground.closed_area_over(to).filter(|_| stands);
    Path {
        outcome: if stands { Outcome::Partial } else { Outcome::None },
        reason: Some(if closed_area.is_some() { NoPath::GoalClosed } else { reason }),
        closed_area: closed_area.map(|area| ground.area_name(area).to_owned()),
        to: to.into(),
        snapped_to: stands.then_some(from).filter(|&from| from != to).map(Position::on_ground),
        missed_by_m: from.distance(to),
        step: if stands { Step::Nearest } else { step },
        waypoints: Vec::new(),
        corridor: Vec::new(),
        crossings: Vec::new(),
        steps: Vec::new(),
        cost_cells: 0.0,
        length_m: 0.0,
        expansions,
        work,
    }
}
