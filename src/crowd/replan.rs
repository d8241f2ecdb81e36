//! When to replan. Pure decisions: the caller acts.

use super::Walk;
use crate::geometry::rect_distance;
use crate::nav::Change;
use crate::surface::Surface;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Why a walker needs a new path, most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Replan {
    /// Asked for.
    Forced,
    /// It was pushed where the next waypoint is out of straight reach.
    LostTheWay,
    /// The ground under the remaining path changed, or a shorter way may have opened.
    GroundChanged,
    /// It gave way, and the other has passed now.
    WayFree,
    /// The character it walks up to went elsewhere.
    TargetMoved,
    /// A character moved near the path, and the obstacles to plan around have changed.
    Crowded,
    /// No progress for a while; moving characters count as obstacles this time.
    Stuck,
}

/// Whether a change of the ground concerns a walk: its remaining path leads over lost ground, or the opened ground
/// could offer a shorter path. (No path through it is shorter than straight there and straight on.)
pub(crate) fn is_affected(walk: &Walk, position: DVec2, dirty: &Change, ground: &Surface) -> bool {
    if walk.planning {
        return false; // the planner notices by itself
    }
    let mut from = position;
    let blocked = dirty.closed
        && walk.ahead().iter().any(|&to| {
            let clear = ground.segment_clear(from, to);
            from = to;
            !clear
        });
    if blocked {
        return true;
    }
    let by_way_of_it =
        rect_distance(position, dirty.min, dirty.max) + rect_distance(walk.requested, dirty.min, dirty.max);
    dirty.opened && (walk.partial || by_way_of_it < walk.left_m(position))
}
