//! What one walker wants: a velocity towards its next waypoint that avoids the others.

use super::velocity_obstacles::{Encounter, HalfPlane, nearest_permitted};
use crate::crowd::{AgentRow, Character, CharacterId, Pace};
use crate::room::CrowdSettings;
use glam::DVec2;

/// What a walker wants to do in a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Intent {
    /// Its velocity, in m/s.
    pub(crate) velocity: DVec2,
    /// Whether it leaves its path. Otherwise it goes along it, waypoint by waypoint.
    pub(crate) leaves_path: bool,
    /// The nearest character that holds it up.
    pub(crate) blocker: Option<CharacterId>,
    /// Whether a character is before it that does not go the same way.
    pub(crate) is_opposed: bool,
}

/// Buffers for the half-planes of one walker.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    planes: Vec<HalfPlane>,
    spare: Vec<HalfPlane>,
}

/// Two go the same way if the cosine of the angle between their directions is above this: 16 degrees. With wider
/// angles, people on a circle would queue behind each other, instead of passing round its middle.
const SAME_WAY: f64 = 0.96;

/// The time that a walker leaves to the one ahead, in seconds: the gap is the product of it and the difference in speed
/// to [`SHARED_SPEED`]. It gives speeds at most a fifth above those of Weidmann, "Transporttechnik der Fussgänger",
/// 1993, from 0.2 to 2 people per square metre.
const HEADWAY_S: f64 = 0.4;

/// The share of the speed of the one ahead at which a walker follows without a gap.
const SHARED_SPEED: f64 = 0.8;

/// A walker in the gap of a body that goes the same way parts from it at this speed, in m/s.
const PARTS_MPS: f64 = 0.2;

/// Space that walkers leave between each other when they pass, in metres.
const ELBOW_ROOM_M: f64 = 0.04;

/// Walkers whose ways meet all keep to one hand: the share of their speed by which they drift to that side.
const TO_ONE_HAND: f64 = 0.35;

/// Ways meet if both come this near in this time: a factor of the sum of radii, and seconds.
const MEET_WITHIN: f64 = 2.0;
const MEET_IN_S: f64 = 8.0;

/// Ways meet only at an angle: the cosine of 18 degrees.
const MEET_AT_AN_ANGLE: f64 = 0.95;

/// Nearer than this to the goal, in metres, a walker drifts less to one hand.
const STRAIGHT_TO_GOAL_M: f64 = 3.0;

/// Nearer than this to the goal, in metres, a walker goes straight to it.
const AT_GOAL_M: f64 = 0.3;

/// Velocities whose squared difference is less are one.
const STRAIGHT_SQ: f64 = 1e-12;

/// Bodies nearer than this hold up: those that go the same way, and others, in metres.
const BEHIND_M: f64 = 0.25;
const AGAINST_M: f64 = 0.15;

/// The intent of a walker among its neighbours, the nearest first. `None` if it has nowhere to go.
pub(super) fn intent<'a>(
    character: &Character,
    row: &AgentRow,
    near: impl Iterator<Item = &'a AgentRow>,
    settings: &CrowdSettings,
    pace: &Pace,
    scratch: &mut Scratch,
) -> Option<Intent> {
    let walk = character.walk.as_ref()?;
    let to = walk.corridor.toward()?;
    let direction = (to.at - row.position.at).try_normalize()?;
    let left_m = to.distance(row.position);
    let is_last = walk.corridor.ahead().len() == 1;
    let most_change_mps = settings.acceleration_mps2 * pace.dt_s;
    // It brakes for the end of its path.
    let brakes_mps = if is_last { (2.0 * settings.acceleration_mps2 * left_m).sqrt() } else { f64::INFINITY };
    let speed_mps = row.speed_mps.min(brakes_mps);

    let Scratch { planes, spare } = scratch;
    planes.clear();
    let (mut blocker, mut meets, mut is_opposed) = (None, false, false);
    for them in near {
        let met = Met::of(row, direction, them);
        meets |= met.ways_meet;
        let is_near = met.gap_m < if met.goes_along { BEHIND_M } else { AGAINST_M };
        if met.is_ahead && is_near && blocker.is_none() {
            blocker = Some(them.id);
        }
        if met.goes_along {
            planes.extend(met.headway(row, them));
            continue;
        }
        is_opposed |= met.is_between && is_near && !them.standing;
        let encounter = Encounter {
            offset: met.offset,
            velocity: row.velocity - them.velocity,
            clear_m: row.radius_m + them.radius_m + ELBOW_ROOM_M,
            share: if them.steers { 0.5 } else { 1.0 },
        };
        planes.push(encounter.half_plane(row.velocity, settings.avoidance_horizon_s));
    }

    let straight = direction * speed_mps;
    let drift = if meets { TO_ONE_HAND * (left_m / STRAIGHT_TO_GOAL_M).min(1.0) } else { 0.0 };
    let preferred = straight - direction.perp() * (drift * speed_mps);
    let found = nearest_permitted(planes, preferred, speed_mps, spare);

    let along_mps = row.velocity.dot(direction).max(0.0);
    let goes_straight = found.distance_squared(straight) < STRAIGHT_SQ
        && row.velocity.perp_dot(direction).abs() < most_change_mps;
    if goes_straight || is_last && left_m < AT_GOAL_M {
        let mps = (along_mps + most_change_mps).min(found.length()).min(speed_mps);
        return Some(Intent { velocity: direction * mps, leaves_path: false, blocker, is_opposed });
    }
    let change = (found - row.velocity).clamp_length_max(most_change_mps);
    // It may have been pushed faster than it walks.
    let velocity = (row.velocity + change).clamp_length_max(row.speed_mps);
    Some(Intent { velocity, leaves_path: true, blocker, is_opposed })
}

/// Another character as a walker sees it.
struct Met {
    /// Where it is, from the walker.
    offset: DVec2,
    /// The gap between the bodies, in metres.
    gap_m: f64,
    /// Whether it is before the walker, by the walker's direction.
    is_ahead: bool,
    /// Whether it walks the same way.
    goes_along: bool,
    /// Whether it is before the walker, by what both want.
    is_between: bool,
    /// Whether both will soon be near each other if they go on.
    ways_meet: bool,
}

impl Met {
    fn of(row: &AgentRow, direction: DVec2, them: &AgentRow) -> Self {
        let offset = them.position.at - row.position.at;
        let clear_m = row.radius_m + them.radius_m;
        let theirs = if them.standing { DVec2::ZERO } else { them.direction };
        let is_at_an_angle = !them.standing && theirs.dot(direction) < MEET_AT_AN_ANGLE;
        let ways_meet = is_at_an_angle && {
            let relative = direction * row.speed_mps - theirs * them.speed_mps;
            let time_s = relative.dot(offset) / relative.length_squared();
            let is_soon = time_s > 0.0 && time_s < MEET_IN_S;
            is_soon && (offset - relative * time_s).length() < MEET_WITHIN * clear_m
        };
        Self {
            offset,
            gap_m: offset.length() - clear_m,
            is_ahead: offset.dot(direction) > 0.0,
            goes_along: !them.standing && theirs.dot(direction) > SAME_WAY,
            is_between: offset.dot(direction - theirs) > 0.0,
            ways_meet,
        }
    }

    /// The velocities with which a walker keeps a distance to one that goes the same way and is ahead. `None` for the one
    /// that is ahead: exactly one of the two heeds the other, so that they never wait for each other.
    fn headway(&self, row: &AgentRow, them: &AgentRow) -> Option<HalfPlane> {
        let ahead_m = self.offset.dot(row.direction + them.direction);
        let is_behind = ahead_m > 0.0 || ahead_m == 0.0 && them.id < row.id;
        let towards = self.offset.try_normalize().filter(|_| is_behind)?;
        let shared_mps = SHARED_SPEED * them.velocity.dot(towards).clamp(-row.speed_mps, row.speed_mps);
        let most_mps = (self.gap_m / HEADWAY_S).max(-PARTS_MPS) + shared_mps;
        Some(HalfPlane { point: towards * most_mps, along: towards.perp() })
    }
}
