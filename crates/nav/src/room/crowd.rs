//! The settings of the crowd. Each is written down in the table below, and nowhere else.

use super::fields::in_file::*;
use super::fields::*;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How characters avoid each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, schemars(inline))]
#[non_exhaustive]
pub enum Avoidance {
    /// They go straight along their paths, and push each other apart where they touch.
    Push,
    /// They look ahead, and steer round each other before they touch.
    #[default]
    Steer,
}

impl Avoidance {
    /// The name in files and scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Steer => "steer",
            Self::Push => "push",
        }
    }
}

/// How long a walker stays without progress before its walk ends as blocked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(from = "PatienceFile", into = "PatienceFile")]
#[cfg_attr(test, schemars(inline))]
pub enum Patience {
    /// So many seconds.
    Seconds(f64),
    /// The walk never ends as blocked.
    Never,
}

impl Patience {
    /// The time in seconds, infinite for never.
    pub fn seconds(self) -> f64 {
        match self {
            Self::Seconds(seconds) => seconds,
            Self::Never => f64::INFINITY,
        }
    }
}

/// How long a walker stays without progress.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(test, schemars(inline))]
pub(super) enum PatienceFile {
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
pub(super) enum Never {
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

/// Makes the settings and their form in files of rows: `name in files = field: type, "key", default, limits, "text";`
macro_rules! settings {
    ($($name:ident = $field:ident: $type:ty, $key:literal, $default:expr, $limits:expr, $about:literal;)*) => {
        /// The constants of following, keeping apart, replanning and searching.
        ///
        /// Lengths in metres (`_m`), times in seconds (`_s`), `_cells` in cells of the grid.
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[non_exhaustive]
        pub struct CrowdSettings {
            $(#[doc = $about] pub $field: $type,)*
        }

        impl Default for CrowdSettings {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl CrowdSettings {
            /// What is another one: its key in files, its value here and its value there.
            pub(crate) fn differences(&self, other: &Self) -> Vec<(&'static str, Option<String>, Option<String>)> {
                let mut all = Vec::new();
                $(if self.$field != other.$field {
                    all.push(($key, self.$field.as_text(), other.$field.as_text()));
                })*
                all
            }
        }

        /// The constants of following, keeping apart, replanning and searching. The defaults are good for people in rooms.
        #[derive(Debug, Clone, Default, Serialize, Deserialize)]
        #[cfg_attr(test, derive(JsonSchema))]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(test, schemars(title = "crowd settings", rename = "crowd", transform = form_of_settings))]
        pub(in crate::room) struct CrowdFile {
            $(
                #[doc = $about]
                #[serde(rename = $key, default, skip_serializing_if = "Option::is_none")]
                $name: Option<<$type as InFile>::File>,
            )*
        }

        impl From<&CrowdFile> for CrowdSettings {
            fn from(file: &CrowdFile) -> Self {
                Self { $($field: InFile::read(file.$name, $default),)* }
            }
        }

        impl From<&CrowdSettings> for CrowdFile {
            fn from(settings: &CrowdSettings) -> Self {
                Self { $($name: InFile::write(&settings.$field, &$default),)* }
            }
        }

        /// What the schema says of them beyond their types.
        #[cfg(test)]
        fn form_of_settings(schema: &mut schemars::Schema) {
            $(
                let default: $type = $default;
                form::of(schema, $key, $limits, &default);
            )*
        }
    };
}

settings! {
    avoidance = avoidance: Avoidance, "avoidance", Avoidance::Steer, ANY,
        "How characters avoid each other.";
    avoidance_horizon = avoidance_horizon_s: f64, "avoidanceHorizon", 1.5, from_to(0.1, 60.0),
        "How far ahead characters that steer avoid others, in seconds. 1 to 3 look natural, more makes crowds slow. \
        Those who come towards each other drift to one hand before, from 6 m on.";
    acceleration = acceleration_mps2: f64, "acceleration", 8.0, from_to(0.1, 1000.0),
        "How fast characters that steer change their velocity, in m/s².";
    shares_goals = shares_goals: bool, "sharesGoals", true, ANY,
        "Whether a walker that touches somebody who has arrived at the same place has arrived there, too.";
    waypoint_reached = waypoint_reached_m: f64, "waypointReached", 0.05, FROM_ZERO,
        "A waypoint nearer than this counts as reached, in metres.";
    target_replan_threshold = target_replan_threshold_m: f64, "targetReplanThreshold", 0.25, FROM_ZERO,
        "A new target nearer than this to the old one needs no new path, in metres.";
    dynamic_obstacle_influence = dynamic_obstacle_influence_m: f64, "dynamicObstacleInfluence", 6.0, FROM_ZERO,
        "Characters that stand farther than this from the straight line to the target are not planned around, in \
        metres.";
    dynamic_obstacle_radius_fraction = dynamic_obstacle_radius_fraction: f64, "dynamicObstacleRadiusFraction", 0.6, from_to(0.0, 10.0),
        "The part of a standing character's radius that is planned around: 1 is all of it, less lets people squeeze \
        past.";
    nudge_distance = nudge_distance_m: f64, "nudgeDistance", 1.2, FROM_ZERO,
        "How far a character that stands in the way steps aside, in metres.";
    replan_trigger_distance = replan_trigger_distance_m: f64, "replanTriggerDistance", 1.8, FROM_ZERO,
        "A walker replans when a moving character comes this near to the piece of path it walks, in metres.";
    mover_threshold = mover_threshold_m: f64, "moverThreshold", 0.05, FROM_ZERO,
        "A character that moved farther than this since it last counted is moving, in metres.";
    replan_cooldown = replan_cooldown_s: f64, "replanCooldown", 0.5, from_to(0.0, 3600.0),
        "The least time between two such replans of one character, in seconds.";
    snap_distance = snap_distance_m: f64, "snapDistance", 8.0, FROM_ZERO,
        "How far a start or target that is not walkable may be moved to a place that is, on its own side of a wall, \
        in metres.";
    collision_iterations = collision_iterations: u32, "collisionIterations", 3, from_to(0.0, 100.0),
        "How many times in each step overlapping characters are pushed apart.";
    talk_distance = talk_distance_m: f64, "talkDistance", 1.35, FROM_ZERO,
        "A character that walks up to another one to talk ends this near, in metres.";
    stuck_progress = stuck_progress_m: f64, "stuckProgress", 0.1, FROM_ZERO,
        "A walker that comes less than this closer along its path is stuck, in metres.";
    stuck_replan_after = stuck_replan_after_s: f64, "stuckReplanAfter", 1.5, from_to(0.0, 3600.0),
        "After this long a stuck walker plans again, around moving characters too, in seconds.";
    stuck_yield_after = stuck_yield_after_s: f64, "stuckYieldAfter", 3.0, from_to(0.0, 3600.0),
        "After this long the one of lower priority steps out of the way, in seconds.";
    give_way_reach = give_way_reach_m: f64, "giveWayReach", 12.0, FROM_ZERO,
        "A character walks up to this far to get out of another's way, in metres; where no place is nearer, five \
        times as far.";
    stuck_blocked_after = stuck_blocked_after_s: f64, "stuckBlockedAfter", 10.0, from_to(0.0, 3600.0),
        "After this long the turn changes at a place that people pass by turns, in seconds. Without `patience`, a \
        walk ends as blocked after this long, too.";
    patience = patience: Option<Patience>, "patience", None, ANY,
        "After this long without progress a walk ends as blocked: seconds, or \"never\".";
    search_budget = search_budget_expansions: u32, "searchBudget", 20_000, from_to(1.0, 1_000_000_000.0),
        "How much searching is done in one step, for all paths together, in cells looked at. A search that needs more \
        continues in the next step.";
}

impl CrowdSettings {
    /// After this long without progress a walk ends as blocked.
    pub fn patience(&self) -> Patience {
        self.patience.unwrap_or(Patience::Seconds(self.stuck_blocked_after_s))
    }
}
