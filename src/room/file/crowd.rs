//! The settings of the crowd in a room file.

use crate::room::numbers::whole;
use crate::room::{Avoidance, CrowdSettings, Patience};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The constants of following, keeping apart, replanning and searching. The defaults are good for people in rooms.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(test, schemars(title = "crowd settings", rename = "crowd"))]
pub(in crate::room) struct CrowdFile {
    /// How characters avoid each other.
    #[serde(skip_serializing_if = "AvoidanceFile::is_steer")]
    pub avoidance: AvoidanceFile,
    /// How far ahead characters that steer avoid others, in seconds. 1 to 3 look natural, more makes crowds slow. Those who
    /// come towards each other drift to one hand before, from 6 m on.
    #[cfg_attr(test, schemars(range(min = 0.1, max = 60.0)))]
    #[serde(skip_serializing_if = "is_default_horizon")]
    pub avoidance_horizon: f64,
    /// How fast characters that steer change their velocity, in m/s².
    #[cfg_attr(test, schemars(range(min = 0.1, max = 1000.0)))]
    #[serde(skip_serializing_if = "is_default_acceleration")]
    pub acceleration: f64,
    /// Whether a walker that touches somebody who has arrived at the same place has arrived there, too.
    #[serde(skip_serializing_if = "is_true")]
    pub shares_goals: bool,
    /// A waypoint nearer than this counts as reached, in metres.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub waypoint_reached: f64,
    /// A new target nearer than this to the old one needs no new path, in metres.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub target_replan_threshold: f64,
    /// Characters that stand farther than this from the straight line to the target are not planned around, in metres.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub dynamic_obstacle_influence: f64,
    /// The part of a standing character's radius that is planned around: 1 is all of it, less lets people squeeze
    /// past.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 10.0)))]
    pub dynamic_obstacle_radius_fraction: f64,
    /// How far a character that stands in the way steps aside, in metres.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub nudge_distance: f64,
    /// A walker replans when a moving character comes this near to the piece of path it walks, in metres.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub replan_trigger_distance: f64,
    /// A character that moved farther than this since it last counted is moving, in metres.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub mover_threshold: f64,
    /// The least time between two such replans of one character, in seconds.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 3600.0)))]
    pub replan_cooldown: f64,
    /// How far a start or target that is not walkable may be moved to a place that is, on its own side of a wall, in metres.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub snap_distance: f64,
    /// How many times in each step overlapping characters are pushed apart.
    #[serde(deserialize_with = "whole")]
    #[cfg_attr(test, schemars(with = "u32", range(min = 0, max = 100)))]
    pub collision_iterations: u32,
    /// A character that walks up to another one to talk ends this near, in metres.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub talk_distance: f64,
    /// A walker that comes less than this closer along its path is stuck, in metres.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub stuck_progress: f64,
    /// After this long a stuck walker plans again, around moving characters too, in seconds.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 3600.0)))]
    pub stuck_replan_after: f64,
    /// After this long the one of lower priority steps out of the way, in seconds.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 3600.0)))]
    pub stuck_yield_after: f64,
    /// A character walks up to this far to get out of another's way, in metres; where no place is nearer, five times as far.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub give_way_reach: f64,
    /// After this long the turn changes at a place that people pass by turns, in seconds. Without `patience`, a walk ends
    /// as blocked after this long, too.
    #[cfg_attr(test, schemars(range(min = 0.0, max = 3600.0)))]
    pub stuck_blocked_after: f64,
    /// After this long without progress a walk ends as blocked: seconds, or "never".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "PatienceFile"))]
    pub patience: Option<PatienceFile>,
    /// How much searching is done in one step, for all paths together, in cells looked at. A search that needs more
    /// continues in the next step.
    #[serde(deserialize_with = "whole")]
    #[cfg_attr(test, schemars(with = "u32", range(min = 1, max = 1_000_000_000)))]
    pub search_budget: u32,
}

/// How long a walker stays without progress.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum PatienceFile {
    /// So many seconds.
    Seconds(#[cfg_attr(test, schemars(title = "number of seconds", range(min = 0.0, max = 3600.0)))] f64),
    /// The walk never ends as blocked.
    Never(Never),
}

/// The word for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum Never {
    /// The walk never ends as blocked.
    Never,
}

impl From<PatienceFile> for Patience {
    fn from(file: PatienceFile) -> Self {
        match file {
            PatienceFile::Seconds(seconds) => Self::Seconds(seconds),
            PatienceFile::Never(_) => Self::Never,
        }
    }
}

impl From<Patience> for PatienceFile {
    fn from(patience: Patience) -> Self {
        match patience {
            Patience::Seconds(seconds) => Self::Seconds(seconds),
            Patience::Never => Self::Never(Never::Never),
        }
    }
}

/// How characters avoid each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum AvoidanceFile {
    /// They go straight along their paths, and push each other apart where they touch.
    Push,
    /// They look ahead, and steer round each other before they touch.
    Steer,
}

impl From<AvoidanceFile> for Avoidance {
    fn from(file: AvoidanceFile) -> Self {
        match file {
            AvoidanceFile::Push => Self::Push,
            AvoidanceFile::Steer => Self::Steer,
        }
    }
}

impl From<Avoidance> for AvoidanceFile {
    fn from(avoidance: Avoidance) -> Self {
        match avoidance {
            Avoidance::Push => Self::Push,
            Avoidance::Steer => Self::Steer,
        }
    }
}

impl AvoidanceFile {
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
    fn is_steer(&self) -> bool {
        *self == Self::Steer
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
fn is_true(flag: &bool) -> bool {
    *flag
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
fn is_default_horizon(seconds: &f64) -> bool {
    *seconds == CrowdSettings::default().avoidance_horizon_s
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
fn is_default_acceleration(mps2: &f64) -> bool {
    *mps2 == CrowdSettings::default().acceleration_mps2
}

impl Default for CrowdFile {
    fn default() -> Self {
        Self::from(&CrowdSettings::default())
    }
}
