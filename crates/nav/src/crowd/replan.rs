//! Reasons to replan, and the test whether a change of the ground requires a replan. The caller starts the replan.

use super::Walk;
use crate::nav::{Change, Position};
use crate::surface::Surface;
use serde::{Deserialize, Serialize};

/// Why a walker needs a new path, most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Replan {
    /// A command requested it.
    Forced,
    /// The straight way to the next waypoint is blocked, as after a push.
    LostTheWay,
    /// The ground under the remaining path changed, or a link on it. Or a shorter way may have opened.
    GroundChanged,
    /// The walker has finished yielding.
    WayFree,
    /// The target character moved.
    TargetMoved,
    /// A character moved near the path, and the obstacles of the path request have changed.
    Crowded,
    /// No progress for a while; moving characters count as obstacles this time.
    Stuck,
    /// Walkers hardly get on somewhere on the path. The new one is taken only if it is quicker.
    Jammed,
}

/// Whether a change of the ground requires a replan. It does if the remaining path is blocked, if opened ground may
/// offer a shorter path, or if ground opened and the path is partial. For the number, see [`Corridor::is_still_good`].
///
/// [`Corridor::is_still_good`]: crate::nav::Corridor::is_still_good
pub(crate) fn is_affected(walk: &Walk, position: Position, change: (&Change, f64), ground: &Surface) -> bool {
    // A pending path request notices the change by itself.
    let is_clear = |from, to| ground.segment_clear(from, to);
    walk.path_request.is_none()
        && (walk.partial && change.0.opened
            || !walk.corridor.is_still_good(position, walk.goal.place.at, change, is_clear))
}
