//! When to plan again, and around whom. Pure decisions: the caller acts.

use super::{Character, CharacterId, Walk};
use crate::geometry::{distance_sq_to_segment, rect_distance};
use crate::room::CrowdSettings;
use crate::space::{Dirty, Disc, Ground};
use glam::DVec2;

/// Why a walker needs a new path, most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Replan {
    /// Asked for.
    Forced,
    /// It was pushed where the next waypoint is out of straight reach.
    LostTheWay,
    /// The ground under the remaining path changed, or a shorter way may have opened.
    GroundChanged,
    /// No progress for a while; moving characters count as obstacles this time.
    Stuck,
}

/// Whether a change of the ground concerns a walk: its remaining path leads over lost ground, or the opened ground could
/// offer a shorter way (no way through it is shorter than straight there and straight on).
pub fn is_affected(walk: &Walk, position: DVec2, dirty: &Dirty, ground: &Ground) -> bool {
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

/// Who stands in the way of a walk from `from` to `to`: everyone active but the walker, near enough to the straight line;
/// those on the move only if `movers_too`.
pub fn dynamic_obstacles(
    characters: &[Character],
    walker: CharacterId,
    from: DVec2,
    to: DVec2,
    settings: &CrowdSettings,
    movers_too: bool,
) -> Vec<Disc> {
    let reach_sq = settings.dynamic_obstacle_influence_m * settings.dynamic_obstacle_influence_m;
    characters
        .iter()
        .filter(|other| other.id != walker && other.is_active() && (movers_too || !other.is_moving()))
        .filter(|other| distance_sq_to_segment(other.position, from, to) <= reach_sq)
        .map(|other| Disc {
            centre: other.position,
            radius_m: other.collision_radius_m * settings.dynamic_obstacle_radius_fraction,
        })
        .collect()
}
