//! Walking along a waypath: what its waypoints make a character do.

use super::Character;
use crate::nav::{WaypathId, WaypathStep};
use crate::room::WaypointAction;
use serde::{Deserialize, Serialize};

/// The state of a character that walks along a waypath.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OnWaypath {
    /// The waypath.
    pub waypath: WaypathId,
    /// The waypoint that it came to last, by index.
    pub point: Option<u32>,
    /// Whether it stands at that waypoint, at the beginning of a walk.
    pub is_there: bool,
    /// Whether it crouches.
    pub crouching: bool,
    /// Its speed, as a share of its walking speed.
    pub speed: f64,
}

impl OnWaypath {
    /// At a point of a waypath where it was joined.
    fn new(waypath: WaypathId) -> Self {
        Self { waypath, point: None, is_there: false, crouching: false, speed: 1.0 }
    }
}

impl Character {
    /// How fast it walks now: its walking speed, with the factors of the ground and of its waypath.
    pub fn speed_mps(&self) -> f64 {
        self.walk_speed_mps * self.ground_speed * self.on_waypath.as_ref().map_or(1.0, |on| on.speed)
    }

    /// Comes to a waypoint of its path that lies on a waypath. Returns whether it acts there: it does not if it has just
    /// been there.
    pub(crate) fn step_on(&mut self, step: WaypathStep, action: Option<&WaypointAction>) -> bool {
        let known = self.on_waypath.take().filter(|on| on.waypath == step.waypath);
        let mut on = known.unwrap_or_else(|| Box::new(OnWaypath::new(step.waypath)));
        let is_new = on.point != step.point || step.along && !on.is_there;
        let acts = step.point.is_some() && is_new;
        on.is_there &= step.point.is_none_or(|point| on.point == Some(point));
        on.point = step.point.or(on.point);
        if let Some(action) = action.filter(|_| acts) {
            on.crouching = action.crouch.unwrap_or(on.crouching);
            on.speed = action.speed.unwrap_or(on.speed);
        }
        self.on_waypath = Some(on).filter(|_| !step.leaves);
        acts && action.is_some()
    }

    /// Takes another path. It stays on its waypath if the path begins there. `is_at` tells whether it stands at a waypoint.
    pub(crate) fn stay_on_waypath(&mut self, is_at: impl Fn(WaypathId, u32) -> bool) {
        let begins_on = self.walk.as_ref().and_then(|walk| walk.corridor.begins_on());
        self.on_waypath = self.on_waypath.take().filter(|on| Some(on.waypath) == begins_on);
        if let Some(on) = &mut self.on_waypath {
            on.is_there = on.point.is_some_and(|point| is_at(on.waypath, point));
        }
    }
}
