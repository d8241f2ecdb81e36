//! Walking along a path.

use super::Character;
use crate::room::CrowdSettings;
use crate::space::Ground;
use glam::DVec2;

/// What became of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Followed {
    /// Nothing to follow.
    Stood,
    /// A step nearer.
    Walked,
    /// The end of the path is reached.
    AtEnd,
    /// The straight way to the next waypoint leads through blocked ground: pushed off the path, or the ground changed.
    LostTheWay,
}

/// Moves a character along its path for `dt_s` seconds and turns it towards where it goes. A step longer than what is left
/// to a waypoint lands on it and carries the rest into the next segment, so that a large step neither overshoots nor
/// oscillates.
pub fn follow(character: &mut Character, ground: &Ground, settings: &CrowdSettings, dt_s: f64) -> Followed {
    let start = character.position;
    let Some(walk) = character.walk.as_mut().filter(|walk| !walk.waypoints.is_empty()) else {
        return Followed::Stood;
    };
    let mut position = start;
    let mut step_m = character.walk_speed_mps * dt_s;
    let mut outcome = Followed::AtEnd;
    while let Some(&waypoint) = walk.waypoints.get(walk.next) {
        let left_m = position.distance(waypoint);
        // Near enough counts only where it cuts no corner: at the end, or with the next waypoint in sight from here.
        let next = walk.waypoints.get(walk.next + 1);
        let goes_on = || left_m == 0.0 || next.is_none_or(|&next| ground.segment_clear(position, next));
        if left_m <= settings.waypoint_reached_m && goes_on() {
            walk.next += 1;
            continue;
        }
        if step_m <= 0.0 {
            outcome = Followed::Walked;
            break;
        }
        let reached =
            if step_m >= left_m { waypoint } else { position + (waypoint - position) * (step_m / left_m) };
        if !ground.segment_clear(position, reached) {
            outcome = Followed::LostTheWay;
            break;
        }
        position = reached;
        step_m -= left_m;
    }
    character.position = position;
    turn_towards(character, position - start, dt_s);
    outcome
}

/// Turns towards `direction`, the short way round, at most as far as the rotation speed allows.
fn turn_towards(character: &mut Character, direction: DVec2, dt_s: f64) {
    use std::f64::consts::{PI, TAU};
    if direction == DVec2::ZERO {
        return;
    }
    let wanted = libm::atan2(direction.y, direction.x);
    let mut turn = wanted - character.heading_rad;
    if turn > PI {
        turn -= TAU;
    } else if turn < -PI {
        turn += TAU;
    }
    let most = character.rotation_speed_radps * dt_s;
    let heading = if turn.abs() <= most { wanted } else { character.heading_rad + turn.clamp(-most, most) };
    character.heading_rad = if heading > PI {
        heading - TAU
    } else if heading <= -PI {
        heading + TAU
    } else {
        heading
    };
}
