//! Progress checks: noticing stuck walkers.

use super::{Pace, Purpose, Walk};
use crate::nav::Position;
use crate::room::CrowdSettings;

/// What a lack of progress calls for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// Nothing: it makes progress.
    No,
    /// Plan again, with moving characters as obstacles.
    Replan,
    /// One of the two stuck characters gives way.
    GiveWay,
    /// Give up.
    GiveUp,
}

/// Checks a walk once a tick. `step_m` is how far the walker goes in one tick. `queue_idle_ticks` is how long the
/// character ahead in the queue has been held up: a queuing walker is no more stuck than the head of the queue. Time
/// without coming `stuck_progress_m` closer along the path adds up; only real progress resets it, a replan does not.
pub(crate) fn watch_progress(
    walk: &mut Walk,
    position: Position,
    step_m: f64,
    queue_idle_ticks: Option<u32>,
    settings: &CrowdSettings,
    pace: &Pace,
) -> Stuck {
    // A character that cannot walk at all gives up in the end, too, however much others push it about.
    let step_m = if step_m > 0.0 { step_m } else { pace.dt_s };
    let waits = walk.give_way.is_some();
    let left_m = walk.corridor.left_m(position);
    if !waits && !walk.corridor.is_empty() {
        walk.gained_m += walk.last_left_m - left_m;
        walk.last_left_m = left_m;
    }
    if walk.gained_m >= walk.counted_m + settings.stuck_progress_m {
        walk.counted_m = walk.gained_m;
        walk.idle_ticks = 0;
        walk.hindered_by = walk.held_up_by.take().or(walk.hindered_by);
    }
    // Waiting for others is not being stuck, but it costs effort, so it ends.
    let waits = waits || queue_idle_ticks.is_some_and(|ahead| ahead < walk.idle_ticks);
    if walk.corridor.is_empty() && walk.give_way.is_none() {
        return Stuck::No; // it has no path yet
    }
    walk.effort_m += if waits { 0.25 * step_m } else { step_m };
    if walk.effort_m > walk.effort_limit_m {
        return Stuck::GiveUp;
    }
    if waits {
        return Stuck::No;
    }
    walk.idle_ticks += 1;
    if walk.idle_ticks >= pace.gives_up_after {
        return Stuck::GiveUp;
    }
    // A walker that only steps aside sends no other away: in a cramped corner that would go round for ever.
    let may_send = walk.held_up_by.is_some() && walk.purpose == Purpose::Errand;
    let since_yield = walk.idle_ticks.checked_sub(pace.yields_after);
    if may_send && since_yield.is_some_and(|ticks| ticks.is_multiple_of(pace.replans_after)) {
        Stuck::GiveWay
    } else if walk.idle_ticks.is_multiple_of(pace.replans_after) {
        Stuck::Replan
    } else {
        Stuck::No
    }
}
