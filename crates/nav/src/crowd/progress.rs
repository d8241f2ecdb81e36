//! Progress checks: noticing stuck walkers.

use super::{ATTEMPTS, CharacterId, Pace, Purpose, Walk};
use crate::nav::Position;
use crate::room::CrowdSettings;
use serde::{Deserialize, Serialize};

/// The reaction to a lack of progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stuck {
    /// No reaction: the walker makes progress, or is not stuck for long enough.
    No,
    /// Plan again, with moving characters as obstacles.
    Replan,
    /// One of the two stuck characters gives way.
    GiveWay,
    /// Look for an order in which those who are in each other's way can move.
    Rearrange,
    /// The same; if there is none, give up the walk.
    GiveUp,
    /// The same, except in a crowd: with others about, it may yet get on.
    GiveUpIfAlone,
}

/// Somebody who stands at the head of a jam. Such a jam leads nowhere, however much those in it move up and change places.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct StandsAhead {
    pub(crate) who: CharacterId,
    /// How long the walker has waited for somebody who stands, without a gain of [`OUT_OF_JAM_M`].
    ticks: u32,
    /// How long the way to the one who stands was not seen.
    unseen_ticks: u32,
    /// The gain when that began, in metres.
    gained_m: f64,
}

/// Who has gained this much has left a jam, in metres, or half of what it can walk before it runs out of patience.
const OUT_OF_JAM_M: f64 = 1.0;

/// Somebody who stands holds up a walk, maybe through others.
pub(crate) fn waits_for_stander(walk: &mut Walk, who: CharacterId) {
    let new = StandsAhead { who, ticks: 0, unseen_ticks: 0, gained_m: walk.progress.gained_m };
    let before = walk.held_up.stands_ahead.unwrap_or(new);
    walk.held_up.stands_ahead = Some(StandsAhead { who, unseen_ticks: 0, ..before });
}

/// Waiting is this share of the effort of walking: with 0.25, a third of a crowd gives up before a door that is passed both
/// ways for three minutes. It is no more effort than for one that makes steps of this length, in metres. Quick ones need
/// time to speed up.
const WAITING: f64 = 0.1;
const MOST_WAITING_M: f64 = 0.05;

/// Those who let others pass have patience again each time. Two who let each other pass by turns give up after so many
/// times of it without progress, as where there is no place to pass at all.
const IN_VAIN: u32 = 2;

/// Checks a walk once a tick. `step_m` is the length of the walker's step in one tick, `moved_m` what one that steers really
/// moved.
///
/// Idle time is the time since the walker last gained `stuck_progress_m`. Only progress resets it; a replan does not. What
/// counts is what is left of the path, also of another path to the same goal: see [`Walk::take_path`]. So a walker that
/// goes to and fro does not gain the same metre twice. `queue_idle_ticks` is the idle time of the walker ahead in the
/// queue. While it is shorter than the walker's own idle time, the walker waits and its idle time does not grow.
pub(crate) fn watch_progress(
    walk: &mut Walk,
    position: Position,
    step_m: f64,
    moved_m: Option<f64>,
    queue_idle_ticks: Option<u32>,
    settings: &CrowdSettings,
    pace: &Pace,
) -> Stuck {
    // The effort of a character with speed zero must grow, too. Otherwise its walk would never end while others push
    // it.
    let step_m = if step_m > 0.0 { step_m } else { pace.dt_s };
    let waits = walk.give_way.is_some();
    let left_m = walk.corridor.left_m(position);
    if !waits && !walk.corridor.is_empty() {
        walk.progress.gained_m += std::mem::replace(&mut walk.progress.last_left_m, left_m) - left_m;
    }
    if walk.progress.gained_m >= walk.progress.counted_m + settings.stuck_progress_m {
        walk.progress.counted_m = walk.progress.gained_m;
        (walk.progress.idle_ticks, walk.progress.forgiven) = (0, None);
        walk.held_up.before_by = walk.held_up.by.take().or(walk.held_up.before_by);
    }
    let most_m = pace.gives_up_after.map_or(f64::INFINITY, |ticks| 0.5 * step_m * f64::from(ticks));
    let out_m = OUT_OF_JAM_M.min(most_m);
    let is_in_jam = |ahead: &StandsAhead| {
        walk.progress.gained_m < ahead.gained_m + out_m && ahead.unseen_ticks < 2 * pace.yields_after
    };
    walk.held_up.stands_ahead = walk.held_up.stands_ahead.filter(is_in_jam).map(|ahead| StandsAhead {
        ticks: ahead.ticks.saturating_add(1),
        unseen_ticks: ahead.unseen_ticks + 1,
        ..ahead
    });
    // A waiting walker is not stuck. But waiting adds effort, so the walk eventually ends.
    let waits = waits || queue_idle_ticks.is_some_and(|ahead| ahead < walk.progress.idle_ticks);
    if walk.corridor.is_empty() && walk.give_way.is_none() {
        return Stuck::No; // it has no path yet
    }
    let waiting_m = WAITING * step_m.min(MOST_WAITING_M);
    walk.progress.effort_m +=
        if waits { waiting_m } else { moved_m.map_or(step_m, |moved_m| moved_m.clamp(waiting_m, step_m)) };
    let has_patience_for = |ticks: u32, times: u32| {
        pace.gives_up_after.is_none_or(|gives_up_after| ticks < gives_up_after.saturating_mul(times))
    };
    let is_tired = walk.progress.effort_m > walk.progress.effort_limit_m && pace.gives_up_after.is_some();
    if is_tired || walk.held_up.stands_ahead.is_some_and(|ahead| !has_patience_for(ahead.ticks, 1)) {
        return Stuck::GiveUp;
    }
    if waits {
        return Stuck::No;
    }
    walk.progress.idle_ticks = walk.progress.idle_ticks.saturating_add(1);
    let in_vain = walk.progress.ticks_in_vain();
    if !has_patience_for(walk.progress.idle_ticks, 1) {
        return Stuck::GiveUp;
    }
    if !has_patience_for(in_vain, IN_VAIN) {
        return Stuck::GiveUpIfAlone;
    }
    let turn = pace.turn_of_rearranging();
    if in_vain >= turn && in_vain % turn < u32::from(ATTEMPTS) {
        return Stuck::Rearrange;
    }
    // Only a walker on an errand sends its blocker away. Otherwise, in a cramped corner, characters would send each
    // other away for ever.
    let may_send = walk.held_up.by.is_some() && walk.purpose == Purpose::Errand;
    let since_yield = walk.progress.idle_ticks.checked_sub(pace.yields_after);
    if may_send && since_yield.is_some_and(|ticks| ticks.is_multiple_of(pace.replans_after)) {
        Stuck::GiveWay
    } else if walk.progress.idle_ticks.is_multiple_of(pace.replans_after) {
        Stuck::Replan
    } else {
        Stuck::No
    }
}
