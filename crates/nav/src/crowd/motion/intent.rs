//! What one walker wants: a velocity towards its next waypoint that avoids the others. Whom it heeds, how much and how far
//! ahead (`avoidanceHorizon`) is decided here.

use super::met::{Heeds, Met};
use super::velocity_obstacles::{Encounter, HalfPlane, nearest_permitted};
use crate::crowd::{AgentRow, CharacterId, Pace, Passage};
use crate::room::CrowdSettings;
use crate::surface::Surface;
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

/// Space that walkers leave between each other when they pass, in metres.
const PASSING_GAP_M: f64 = 0.04;

/// Walkers whose ways meet all drift to the right, by this share of their speed.
const TO_ONE_HAND: f64 = 0.35;

/// A walker that overtakes drifts past the other one by this share of its speed.
const PASSES_DRIFT: f64 = 0.2;

/// A walker looks for room beside so many others that it could overtake, the nearest ones: of three abreast, one at the
/// side may have some.
const MOST_LOOKS: u32 = 3;

/// A walker keeps aside for a faster one that comes up behind it, nearer than this from body to body, in metres. It drifts by
/// this share of its speed, until there is room to pass it, and so much more, in metres.
const FOLLOWED_M: f64 = 2.0;
const ASIDE_DRIFT: f64 = 0.35;
const ASIDE_GAP_M: f64 = 0.03;

/// How exactly the room beside a walker is found, in shares of the room that another one needs.
const HALVES: [f64; 4] = [0.5, 0.25, 0.125, 0.0625];
const FOUND_WITHIN: f64 = 1.0 - 2.0 * HALVES[3];

/// Those abreast are this far before or behind each other at most, in metres.
const ABREAST_M: f64 = 0.5;

/// Nearer than this to the goal, in metres, a walker drifts less to one hand.
const STRAIGHT_TO_GOAL_M: f64 = 3.0;

/// Nearer than this to the goal, in metres, a walker goes straight to it.
const AT_GOAL_M: f64 = 0.3;

/// Velocities whose squared difference is less are one.
const STRAIGHT_SQ: f64 = 1e-12;

/// Those that push speed up so many times as quickly as others. With more they tremble; with less, jams stay.
const PUSHES_TIMES: f64 = 2.0;

/// The intent of a walker among its neighbours, the nearest first. One that pushes goes straight, unless others
/// are to go first. `None` if it has nowhere to go.
pub(super) fn intent<'a>(
    row: &AgentRow,
    near: impl Iterator<Item = &'a AgentRow> + Clone,
    ground: &Surface,
    settings: &CrowdSettings,
    pace: &Pace,
    scratch: &mut Scratch,
) -> Option<Intent> {
    let left_m = row.left_m?;
    let AgentRow { direction, is_last, .. } = *row;
    if direction == DVec2::ZERO {
        return None;
    }
    let most_change_mps = settings.acceleration_mps2 * pace.dt_s;
    // It brakes for the end of its path.
    let brakes_mps = if is_last { (2.0 * settings.acceleration_mps2 * left_m).sqrt() } else { f64::INFINITY };
    let speed_mps = row.speed_mps.min(brakes_mps);

    let Scratch { planes, spare } = scratch;
    planes.clear();
    let (mut blocker, mut meets, mut to_pass, mut looks, mut aside) = (None, false, 0.0, 0, None);
    let (mut is_opposed, mut waits_its_turn, mut first_row_m) = (false, false, None);
    for them in near.clone() {
        let met = Met::of(row, direction, them);
        meets |= met.ways_meet;
        if met.is_ahead && met.is_near() && blocker.is_none() {
            blocker = Some(them.id);
        }
        let heeds = met.heeds(row, them);
        if met.is_between && met.is_near() && !met.goes_along && !them.standing {
            let is_second = heeds == Heeds::Distance && !them.passage.lets_pass();
            (is_opposed, waits_its_turn) = (is_opposed || !is_second, waits_its_turn || is_second);
        }
        let heeds = match heeds {
            // Of several abreast that it could overtake, the nearest one with room beside it decides.
            Heeds::Overtakes => {
                let ahead_m = met.offset.dot(direction);
                let row_m = *first_row_m.get_or_insert(ahead_m);
                if to_pass == 0.0 && looks < MOST_LOOKS && ahead_m < row_m + ABREAST_M {
                    looks += 1;
                    to_pass = passing_drift(row, direction, them, near.clone(), ground);
                }
                if to_pass == 0.0 { Heeds::Distance } else { Heeds::Overtakes }
            }
            heeds => heeds,
        };
        match heeds {
            Heeds::Not if aside.is_none() && met.is_followed(row, them) && met.gap_m < FOLLOWED_M => {
                aside = Some(aside_drift(row, direction, them, ground));
            }
            Heeds::Not => {}
            Heeds::Distance => planes.extend(met.headway(row, them)),
            Heeds::Overtakes | Heeds::Avoids => {
                let lets_pass = row.passage.lets_pass() && them.passage == Passage::With;
                let follows_it = row.walks_with == Some(them.id);
                let shares = them.steers && !lets_pass && heeds == Heeds::Avoids && !follows_it;
                let encounter = Encounter {
                    offset: met.offset,
                    velocity: row.velocity - them.velocity,
                    clear_m: row.radius_m + them.radius_m + PASSING_GAP_M,
                    share: if shares { 0.5 } else { 1.0 },
                };
                planes.push(encounter.half_plane(row.velocity, settings.avoidance_horizon_s));
            }
        }
    }

    if row.pushes && !waits_its_turn {
        // Straight along its path, as fast as it gets on.
        let along_mps = row.velocity.dot(direction).max(0.0) + PUSHES_TIMES * most_change_mps;
        let velocity = direction * along_mps.min(row.speed_mps);
        return Some(Intent { velocity, leaves_path: false, blocker, is_opposed });
    }
    let straight = direction * speed_mps;
    let to_side = match to_pass {
        0.0 if meets => -TO_ONE_HAND,
        0.0 => aside.unwrap_or(0.0),
        to_pass => to_pass,
    };
    let drift = to_side * (left_m / STRAIGHT_TO_GOAL_M).min(1.0);
    let (preferred, lets_pass) = match row.passage {
        Passage::Against(out) => (out * speed_mps, true),
        Passage::Trapped => (DVec2::ZERO, true),
        Passage::Free | Passage::With => (straight + direction.perp() * (drift * speed_mps), false),
    };
    let found = nearest_permitted(planes, preferred, speed_mps, spare);

    let along_mps = row.velocity.dot(direction).max(0.0);
    let goes_straight = found.distance_squared(straight) < STRAIGHT_SQ
        && row.velocity.perp_dot(direction).abs() < most_change_mps;
    if !lets_pass && !row.walks_beside && (goes_straight || is_last && left_m < AT_GOAL_M) {
        let mps = (along_mps + most_change_mps).min(found.length()).min(speed_mps);
        return Some(Intent { velocity: direction * mps, leaves_path: false, blocker, is_opposed });
    }
    let change = (found - row.velocity).clamp_length_max(most_change_mps);
    // It may have been pushed faster than it walks.
    let velocity = (row.velocity + change).clamp_length_max(row.speed_mps);
    Some(Intent { velocity, leaves_path: true, blocker, is_opposed })
}

/// The share of its speed by which a walker drifts to the left to pass one that goes the same way; to the right, if it is
/// negative. Zero if there is no room beside that one.
fn passing_drift<'a>(
    row: &AgentRow,
    direction: DVec2,
    them: &AgentRow,
    near: impl Iterator<Item = &'a AgentRow> + Clone,
    ground: &Surface,
) -> f64 {
    let offset = them.position.at - row.position.at;
    let clear_m = row.radius_m + them.radius_m + PASSING_GAP_M;
    let nearer_side = if direction.perp_dot(offset) < 0.0 { 1.0 } else { -1.0 };
    let has_room = |side: &f64| {
        let beside = them.position.at + direction.perp() * (side * clear_m);
        let is_free = |other: &AgentRow| {
            other.id == them.id || other.position.at.distance(beside) > row.radius_m + other.radius_m
        };
        near.clone().all(is_free) && ground.walk_straight(row.position, beside).is_some()
    };
    [nearer_side, -nearer_side].into_iter().find(has_room).unwrap_or(0.0) * PASSES_DRIFT
}

/// The share of its speed by which a walker drifts to the left, or to the right if it is negative, to let a faster one pass
/// that comes up behind it. Zero if there is room already, or if the way is too narrow for two.
fn aside_drift(row: &AgentRow, direction: DVec2, them: &AgentRow, ground: &Surface) -> f64 {
    let clear_m = row.radius_m + them.radius_m + PASSING_GAP_M + ASIDE_GAP_M;
    let is_free = |across_m: f64| {
        let beside = row.position.at + direction.perp() * across_m;
        ground.walk_straight(row.position, beside).is_some()
    };
    let free_m = |side: f64| match is_free(side * clear_m) {
        true => clear_m,
        false => HALVES.iter().fold(0.0, |free_m, half| {
            let more_m = free_m + half * clear_m;
            if is_free(side * more_m) { more_m } else { free_m }
        }),
    };
    let (left_m, right_m) = (free_m(1.0), free_m(-1.0));
    let is_useful = left_m.max(right_m) < clear_m && left_m + right_m >= clear_m * FOUND_WITHIN;
    match (is_useful, left_m < right_m) {
        (false, _) => 0.0,
        (true, true) => ASIDE_DRIFT,
        (true, false) => -ASIDE_DRIFT,
    }
}
