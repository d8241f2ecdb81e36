//! Motion of characters that steer: the velocity that each wants with regard to others, and what is left of a step
//! where it would lead into another body. Without steering (`avoidance: "push"`), walkers go straight along their paths
//! and are pushed apart where they touch; see `separate`.
//!
//! It is optimal reciprocal collision avoidance ([`velocity_obstacles`]) with these changes, each of which
//! `cargo bench --bench crowds` measures:
//!
//! - Of two that go the same way, only the one behind heeds the other: it keeps a distance that grows with its speed.
//!   With ORCA both slow down, so that people freeze before a door; and they walk at full speed in a dense corridor.
//! - Of two that come to one gate, as to the edges of a narrow door, the nearer one goes first. It heeds the other no
//!   more, and the other keeps a distance.
//! - Where a right of way holds, walkers against its flow step out of its way, and take all the responsibility.
//! - Walkers whose ways meet at an angle drift to one hand. Otherwise, twenty people on a circle jam in its middle.
//! - Walls forbid nothing: a path keeps off them, and a step slides along them. With half-planes for them, a door
//!   passes a third less people.
//! - Bodies are solid for steps and pushes, but for 3 cm. A walker that is stuck against others, and lets nobody
//!   pass, goes straight for a while, and pushes within these. With less, arches form at doors.

mod contact;
mod intent;
mod met;
mod seen;
mod steering;
mod velocity_obstacles;

pub(crate) use contact::{Among, Mover, keep_off};
pub(crate) use intent::Intent;
pub(crate) use steering::Steering;

use super::Character;
use crate::surface::Surface;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// How a character that steers moved.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Motion {
    /// Its velocity over the last tick, in m/s: what it really moved, pushes included.
    pub velocity_mps: DVec2,
    /// The same, averaged over about a tenth of a second: for animation, and for where it looks.
    pub smooth_mps: DVec2,
    /// For how many more ticks it goes straight and pushes, because it was stuck against others.
    pub pushes_ticks: u32,
    /// For how many ticks it has been in the way of a flow that it lets pass.
    pub in_the_way_ticks: u32,
}

/// A walker that is stuck against others for this long begins to push, in seconds. By then, a right of way has sorted out
/// most of it.
pub(super) const PUSHES_AFTER_S: f64 = 1.5;

/// It pushes for this long, in seconds, and again so many seconds after it began, if it is still stuck. In between it avoids
/// the others, so that arches at doors come apart: those in front can step back.
pub(super) const PUSHES_S: f64 = 2.0;
pub(super) const PUSHES_EVERY_S: f64 = 5.0;

/// Pushes move a body by this much in a tick of a sixtieth of a second, and as fast at other rates, in m/s. With its own
/// step, a walker at 1.4 m/s moves 3.5 cm in such a tick at most.
pub(super) const PUSHED_MPS: f64 = 0.7;

/// Whether a character steers: it walks, and neither gives way nor pushes.
pub(super) fn may_steer(character: &Character) -> bool {
    let is_free = character.walk.as_ref().is_some_and(|walk| walk.give_way.is_none());
    is_free
        && character.is_in_crowd()
        && character.crossing.is_none()
        && character.walk_speed_mps > 0.0
        && character.motion.as_ref().is_none_or(|motion| motion.pushes_ticks == 0)
}

/// The direction in which a character walks or is steered: a unit vector, or zero.
pub(super) fn direction(character: &Character) -> DVec2 {
    let next = character.walk.as_ref().and_then(|walk| walk.corridor.toward());
    match (next, character.steering) {
        (Some(next), _) => (next.at - character.position.at).normalize_or_zero(),
        (None, Some(steering)) => steering.normalize_or_zero(),
        (None, None) => DVec2::ZERO,
    }
}

/// How far the next waypoint of a walker is, in metres, and whether its path ends there. `None` while it gives way.
pub(super) fn next_leg(character: &Character) -> (Option<f64>, bool) {
    let Some(walk) = character.walk.as_ref().filter(|walk| walk.give_way.is_none()) else {
        return (None, false);
    };
    let left_m = walk.corridor.toward().map(|next| next.distance(character.position));
    (left_m, walk.corridor.ahead().len() == 1)
}

/// A waypoint with ground this wide at the outside of its turn is a corner, in metres. Others are edges of doors.
const CORNER_M: f64 = 1.5;

/// Waypoints matter from this distance on, in metres.
const GATE_REACH_M: f64 = 8.0;

/// Whether a walker comes to a waypoint with wide ground beside it.
pub(super) fn rounds_corner(character: &Character, ground: &Surface) -> bool {
    let Some(walk) = &character.walk else { return false };
    let [next, after, ..] = walk.corridor.ahead() else { return false };
    let here = character.position;
    if here.distance(*next) > GATE_REACH_M {
        return false;
    }
    let (before, behind) =
        ((next.at - here.at).normalize_or_zero(), (after.at - next.at).normalize_or_zero());
    let outwards = if before.perp_dot(behind) > 0.0 { -1.0 } else { 1.0 };
    // Across the way to it and across the way behind it: the other edge of a door lies across one of them.
    let is_wide =
        |way: DVec2| ground.walk_straight(*next, next.at + way.perp() * outwards * CORNER_M).is_some();
    is_wide(before) && is_wide(behind)
}

/// The next waypoint of a walker and the direction behind it, if its path goes on there.
pub(super) fn gate(character: &Character) -> Option<(DVec2, DVec2)> {
    let [next, after, ..] = character.walk.as_ref()?.corridor.ahead() else { return None };
    let onward = (after.at - next.at).try_normalize()?;
    Some((next.at, onward))
}
