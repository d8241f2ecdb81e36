//! Path following.

use super::slide::slide;
use super::{Character, Intent, Pace, Walk};
use crate::nav::Position;
use crate::room::CrowdSettings;
use crate::surface::Surface;
use glam::DVec2;

/// The outcome of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Followed {
    /// It has no path to follow.
    Stood,
    /// It took a step along the path.
    Walked,
    /// It reached the end of the path.
    AtEnd,
    /// It is near enough to the character it walks up to.
    InReach,
    /// The straight way to the next waypoint is blocked: the walker was pushed off the path, or the ground changed.
    LostTheWay,
}

/// Moves a character one step along its path and turns it in the direction of the step. A step that is longer than
/// the rest of a segment continues on the next segment. So a large step neither overshoots nor oscillates.
///
/// `partner` is the position of the target character, and the distance at which the walk ends. `queue` is the
/// position of the walker ahead in the queue, and the least distance to it: a queuing walker does not push. `intent` is
/// what a character that steers wants.
pub(crate) fn follow(
    character: &mut Character,
    partner: Option<(Position, f64)>,
    queue: Option<(Position, f64)>,
    intent: Option<Intent>,
    ground: &Surface,
    settings: &CrowdSettings,
    pace: &Pace,
) -> Followed {
    let meets = |(at, talk_m): (Position, f64)| {
        at.distance(character.position) <= talk_m && ground.floors_touch(at, character.position)
    };
    if character.walk.is_some() && partner.is_some_and(meets) {
        return Followed::InReach;
    }
    let start = character.position;
    let mut step_m = character.speed_mps() * pace.dt_s;
    let Some(walk) = character.walk.as_mut().filter(|walk| !walk.corridor.is_empty()) else {
        return Followed::Stood;
    };
    skip_what_is_taken(walk, start, step_m, ground, pace);
    rejoin_curve(walk, start, ground);
    if let Some(intent) = intent {
        // Among others, it would press on to the corner, and stand in an arch with those from the other side.
        let passes_corner = intent.blocker.is_none() && is_at_corner(walk, start, step_m, ground);
        if intent.leaves_path && !passes_corner {
            return leave_path(character, intent, partner, ground, pace);
        }
        step_m = intent.velocity.length() * pace.dt_s;
    }
    let mut position = start;
    let mut outcome = Followed::AtEnd;
    let mut is_mended = false;
    while let Some(waypoint) = walk.corridor.toward() {
        let left_m = position.distance(waypoint);
        // A waypoint counts as reached from nearby only if that cuts no corner: it is the last one, or the next one
        // is visible from here.
        let in_sight = |next: &Position| ground.segment_clear(position, *next);
        // Points of a curve are passed exactly, so that the walker stays on it.
        let is_last = walk.corridor.ahead().len() == 1;
        let is_level = || ground.floors_touch(position, waypoint);
        let passes = left_m == 0.0 || (is_last || !walk.corridor.is_curved()) && is_level();
        let goes_on = || left_m == 0.0 || walk.corridor.ahead().get(1).is_none_or(in_sight);
        if left_m <= settings.waypoint_reached_m && passes && goes_on() {
            // Exactly there, it is on the floor on which the path goes on: at the edge of a drop, on the one below.
            if left_m == 0.0 && ground.is_walkable(waypoint) {
                position = waypoint;
            }
            walk.corridor.advance();
            continue;
        }
        if step_m <= 0.0 {
            outcome = Followed::Walked;
            break;
        }
        let here = position.at;
        let next =
            if step_m >= left_m { waypoint.at } else { here + (waypoint.at - here) * (step_m / left_m) };
        if queue.is_some_and(|(ahead, least_m)| presses(here, next, ahead.at, least_m)) {
            outcome = Followed::Walked;
            break;
        }
        let met = partner.and_then(|(at, talk_m)| {
            enters_circle(here, next, at.at, talk_m).filter(|_| ground.floors_touch(position, at))
        });
        let Some(reached) = ground.walk_straight(position, met.unwrap_or(next)) else {
            // A walker that gets on was only pushed. One that is held up searches its path afresh, round others.
            let gets_on = walk.progress.idle_ticks < pace.skips_after;
            if gets_on
                && !std::mem::replace(&mut is_mended, true)
                && ground.mend(&mut walk.corridor, position)
            {
                continue;
            }
            outcome = Followed::LostTheWay;
            break;
        };
        position = reached;
        if met.is_some() {
            outcome = Followed::InReach;
            break;
        }
        step_m -= left_m;
    }
    let moved = position.at - start.at;
    // On a curve it looks along the tangent. Off it, and before the first point, it looks where it goes.
    let is_on_it = walk.corridor.off_curve_m(position) <= OFF_CURVE_M;
    let tangent = walk.corridor.tangent(position).filter(|_| moved != DVec2::ZERO && is_on_it);
    character.position = position;
    turn_towards(character, tangent.unwrap_or(moved), pace.dt_s);
    outcome
}

/// Nearer than this to a waypoint, in metres, a walker off its path looks whether it sees the next one.
const GATE_M: f64 = 3.0;

/// A step that walls shorten to less than this share is stopped by them.
const STOPPED_SHARE: f64 = 0.5;

/// Whether the next waypoint is less than a step away, and must be passed exactly: from here, a wall hides the one after it.
/// Beside its path, a walker would go round and round it.
fn is_at_corner(walk: &Walk, here: Position, step_m: f64, ground: &Surface) -> bool {
    match walk.corridor.ahead() {
        [next, after, ..] => {
            next.distance(here) <= step_m
                && ground.segment_clear(here, *next)
                && !ground.segment_clear(here, *after)
        }
        _ => false,
    }
}

/// Moves a character beside its path, along walls. A waypoint is a gate there: it is passed as soon as the next one is in
/// sight.
fn leave_path(
    character: &mut Character,
    intent: Intent,
    partner: Option<(Position, f64)>,
    ground: &Surface,
    pace: &Pace,
) -> Followed {
    let start = character.position;
    let Some(walk) = &mut character.walk else { return Followed::Stood };
    let is_near = walk.corridor.toward().is_some_and(|next| next.distance(start) < GATE_M);
    if is_near && !walk.corridor.is_on_waypath() {
        walk.skip_waypoint(start, ground);
    }
    let here = start.at;
    let mut by = intent.velocity * pace.dt_s;
    let met = partner.and_then(|(at, near_m)| {
        enters_circle(here, here + by, at.at, near_m).filter(|_| ground.floors_touch(start, at))
    });
    by = met.map_or(by, |met| met - here);
    let position = slide(ground, start, by, character.traits.collision_radius_m);
    let moved = position.at - start.at;
    let is_stopped = moved.length() < STOPPED_SHARE * by.length();
    let toward = walk.corridor.toward().unwrap_or(start);
    if is_stopped && !ground.segment_clear(start, toward) && !ground.mend(&mut walk.corridor, start) {
        return Followed::LostTheWay;
    }
    character.position = position;
    turn_towards(character, moved, pace.dt_s);
    if met.is_some() { Followed::InReach } else { Followed::Walked }
}

/// A walker this far off its curve, in metres, was pushed, and leads back to it.
const OFF_CURVE_M: f64 = 0.01;

/// A walker off its curve heads for a point at least this far ahead on it, in metres, and so comes back to it at a small
/// angle.
const REJOIN_M: f64 = 0.5;

/// Skips points of a curve that are too near for a walker that was pushed off the curve, as far as it sees.
fn rejoin_curve(walk: &mut Walk, position: Position, ground: &Surface) {
    if walk.corridor.off_curve_m(position) <= OFF_CURVE_M {
        return;
    }
    let ahead = walk.corridor.ahead();
    let is_near = |at: &Position| at.distance(position) < REJOIN_M;
    let near = ahead.iter().take_while(|at| is_near(at)).count().min(ahead.len().saturating_sub(1));
    if near > 0 && ground.segment_clear(position, ahead[near]) {
        (0..near).for_each(|_| walk.corridor.advance());
    }
}

/// Interval at which a walker without progress tries to skip a waypoint. An unblocked walker normally makes progress
/// within it.
pub(super) const SKIPS_AFTER_S: f64 = 0.1;

/// A walker that gains less than this share of its steps is held up.
const HELD_UP_SHARE: f64 = 0.7;

/// A waypoint of a waypath is skipped from within this distance only, in metres: it is told then.
const TELLS_WITHIN_M: f64 = 1.0;

/// Skips the next waypoint if the waypoint after it is visible, and the walker is held up, or was pushed past it on
/// ground whose paths keep their polygons. This never makes the path longer. Without it, two walkers that reach a corner
/// from both sides may keep each other off it for ever. `step_m` is the length of a step.
fn skip_what_is_taken(walk: &mut Walk, position: Position, step_m: f64, ground: &Surface, pace: &Pace) {
    let ahead = walk.corridor.ahead();
    let is_idle = walk.progress.idle_ticks > 0 && walk.progress.idle_ticks.is_multiple_of(pace.skips_after);
    // A slow walker may be idle without being held up. It matters where it should keep to its points: on a curve, and on a
    // waypath, whose points are told.
    let is_slow = walk.progress.gained_m - walk.progress.counted_m
        >= HELD_UP_SHARE * step_m * f64::from(walk.progress.idle_ticks);
    let is_near = ahead.first().is_some_and(|next| next.distance(position) <= TELLS_WITHIN_M);
    let is_on_waypath = walk.corridor.is_on_waypath();
    let keeps_to_it = is_slow && (is_on_waypath || walk.corridor.is_curved());
    let held_up = is_idle && !keeps_to_it && (!is_on_waypath || is_near);
    let is_past = |next: &Position, after: &Position| {
        !walk.corridor.floors().is_empty()
            && !walk.corridor.is_on_waypath()
            && (after.at - next.at).dot(next.at - position.at) < 0.0
    };
    if let [next, after, ..] = ahead
        && (held_up || is_past(next, after))
    {
        walk.skip_waypoint(position, ground);
    }
}

/// Whether a step leads nearer to the character ahead than allowed, and nearer than before.
fn presses(from: DVec2, to: DVec2, ahead: DVec2, least_m: f64) -> bool {
    let after = to.distance(ahead);
    after < least_m && after < from.distance(ahead)
}

/// Where the segment `from`–`to`, which begins outside, enters a circle.
fn enters_circle(from: DVec2, to: DVec2, centre: DVec2, radius_m: f64) -> Option<DVec2> {
    let (run, out) = (to - from, from - centre);
    let (a, b, c) = (run.length_squared(), run.dot(out), out.length_squared() - radius_m * radius_m);
    let discriminant = b * b - a * c;
    if a == 0.0 || b >= 0.0 || discriminant < 0.0 {
        return None;
    }
    let t = (-b - discriminant.sqrt()) / a;
    (t <= 1.0).then(|| from + run * t.max(0.0))
}

/// Turns a character towards `direction` by the smaller angle, limited by its rotation speed. Returns whether it
/// faces `direction` now.
pub(crate) fn turn_towards(character: &mut Character, direction: DVec2, dt_s: f64) -> bool {
    use std::f64::consts::{PI, TAU};
    if direction == DVec2::ZERO {
        return true;
    }
    let wanted = libm::atan2(direction.y, direction.x);
    let mut turn = wanted - character.heading_rad;
    if turn > PI {
        turn -= TAU;
    } else if turn < -PI {
        turn += TAU;
    }
    let most = character.rotation_speed_radps * dt_s;
    let there = turn.abs() <= most;
    let heading = if there { wanted } else { character.heading_rad + turn.clamp(-most, most) };
    character.heading_rad = if heading > PI {
        heading - TAU
    } else if heading <= -PI {
        heading + TAU
    } else {
        heading
    };
    there
}
