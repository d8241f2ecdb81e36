//! Answers that take no search: a straight line, nowhere at all, or staying where one is.

use super::{NoPath, Outcome, Path, Step};
use crate::space::{Ground, Node};
use glam::DVec2;

/// Whether somebody in the node that is nearest to an unreachable goal is as near as one gets: always in a cell; elsewhere the centre
/// of the node may be nearer.
pub(super) fn stays(ground: &Ground, node: Node, from: DVec2, to: DVec2) -> bool {
    ground.nodes_are_cells() || from.distance_squared(to) <= ground.centre(node).distance_squared(to)
}

/// A straight line that no nodes know of costs its length.
pub(super) fn straight(
    ground: &Ground,
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
        closed_area,
        to,
        snapped_to: (end != to).then_some(end),
        missed_by_m: end.distance(to),
        step,
        waypoints,
        cost_cells: length_m / ground.frame().cell_size_m,
        length_m,
        expansions,
        work,
    }
}

/// No way to anywhere. Who stands on ground that nothing leads away from is as near as it gets, as a `partial` path of no length says.
pub(super) fn nowhere(
    ground: &Ground,
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
        closed_area,
        to,
        snapped_to: stands.then_some(from).filter(|&from| from != to),
        missed_by_m: from.distance(to),
        step: if stands { Step::Nearest } else { step },
        waypoints: Vec::new(),
        cost_cells: 0.0,
        length_m: 0.0,
        expansions,
        work,
    }
}
