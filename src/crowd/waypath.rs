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
    /// Whether it crouches.
    pub crouching: bool,
    /// Its speed, as a share of its walking speed.
    pub speed: f64,
}

impl OnWaypath {
    /// At a point of a waypath where it was joined.
    fn new(waypath: WaypathId) -> Self {
        Self { waypath, point: None, crouching: false, speed: 1.0 }
    }
}

impl Character {
    /// How fast it walks now: its walking speed, or a share of it on a waypath.
    pub fn speed_mps(&self) -> f64 {
        self.walk_speed_mps * self.on_waypath.as_ref().map_or(1.0, |on| on.speed)
    }

    /// Comes to a waypoint of its path that lies on a waypath. Returns whether it acts there: it does not if it joins the
    /// waypath again where it has just been.
    pub(crate) fn step_on(&mut self, step: WaypathStep, action: Option<&WaypointAction>) -> bool {
        let known = self.on_waypath.take().filter(|on| on.waypath == step.waypath);
        let mut on = known.unwrap_or_else(|| Box::new(OnWaypath::new(step.waypath)));
        let acts = step.point.is_some() && (step.along || on.point != step.point);
        on.point = step.point.or(on.point);
        if let Some(action) = action.filter(|_| acts) {
            on.crouching = action.crouch.unwrap_or(on.crouching);
            on.speed = action.speed.unwrap_or(on.speed);
        }
        self.on_waypath = Some(on).filter(|_| !step.leaves);
        acts && action.is_some()
    }

    /// Takes another path. It stays on its waypath if the path begins there.
    pub(crate) fn stay_on_waypath(&mut self) {
        let begins_on = self.walk.as_ref().and_then(|walk| walk.corridor.begins_on());
        self.on_waypath = self.on_waypath.take().filter(|on| Some(on.waypath) == begins_on);
    }
}
