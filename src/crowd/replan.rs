//! When to replan. Pure decisions: the caller acts.

use super::Walk;
use crate::nav::{Change, Position};
use crate::surface::Surface;
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
/// could offer a shorter path, or one at all.
pub(crate) fn is_affected(walk: &Walk, position: Position, change: &Change, ground: &Surface) -> bool {
    // The planner notices by itself.
    let is_clear = |from, to| ground.segment_clear(from, to);
    !walk.planning
        && (walk.partial && change.opened
            || !walk.corridor.is_still_good(position, walk.requested.at, change, is_clear))
}
