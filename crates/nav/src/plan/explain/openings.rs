//! The smallest sets of obstacles to remove, and of areas to open.

use super::Explanation;
use super::budget::Budget;
use super::smallest::smallest;
use crate::nav::{Anchor, AreaId, ObstacleId};
use crate::surface::Surface;

/// The smallest set of obstacles to remove. `None` if the budget ran out, `Some(None)` if removing all obstacles does
/// not help.
pub(super) fn plugs(
    explanation: &mut Explanation,
    bare: &Surface,
    ends: (&Anchor, &Anchor),
    budget: &mut Budget,
) -> Option<Option<Vec<ObstacleId>>> {
    let mut now = bare.clone();
    for obstacle in bare.obstacles() {
        budget.pay(bare.obstacle_work(obstacle))?;
        now.lift_obstacle(obstacle);
    }
    if !budget.joined(&now, ends)? {
        return Some(None);
    }
    let mut lifted = vec![true; bare.obstacles().count()];
    let enough = smallest(lifted.len(), |set| {
        for obstacle in bare.obstacles().filter(|obstacle| set[obstacle.0] != lifted[obstacle.0]) {
            budget.pay(bare.obstacle_work(obstacle))?;
            if set[obstacle.0] {
                now.lift_obstacle(obstacle);
            } else {
                now.put_obstacle_back(obstacle, bare);
            }
        }
        lifted = set.to_vec();
        budget.joined(&now, ends)
    });
    explanation.exact &= enough.smallest;
    Some(Some(enough.members.into_iter().map(ObstacleId).collect()))
}

/// The smallest set of areas to open. `open` is the ground with all areas open; on `open` a path leads to the goal.
pub(super) fn closed_areas(
    explanation: &mut Explanation,
    ground: &Surface,
    mut open: Surface,
    ends: (&Anchor, &Anchor),
    budget: &mut Budget,
) -> Vec<AreaId> {
    let closed = ground.closed_areas();
    let enough = smallest(closed.len(), |set| {
        for (&area, &available) in closed.iter().zip(set) {
            if open.area_available(area) != available {
                budget.pay(open.area_work(area))?;
                open.set_area_available(area, available);
            }
        }
        budget.joined(&open, ends)
    });
    explanation.exact &= enough.smallest;
    enough.members.into_iter().map(|index| closed[index]).collect()
}
