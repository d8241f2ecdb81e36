//! The settings of a room's ground and crowd, with their defaults.

use super::mask::{Sampling, Shortening};
use serde::{Deserialize, Serialize};

/// What the ground of a room is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum GroundKind {
    /// Cells.
    #[default]
    Grid,
    /// Convex polygons: a navmesh.
    Mesh,
}

/// How paths are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PlannerKind {
    /// Over cells from cell to cell, then shortened. On a mesh, as `AnyAngle`.
    #[default]
    Grid,
    /// At any angle: the shortest paths over polygons. Cells are merged to rectangles.
    AnyAngle,
    /// From portal to portal between polygons, then pulled tight. Less work than `AnyAngle`, and longer paths. Cells are
    /// merged to rectangles.
    Portals,
}

/// The shape of the paths that characters walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PathShape {
    /// Straight lines.
    #[default]
    Straight,
    /// Curves through the convex parts of the ground along the straight path.
    Curved,
}

/// How the walkable ground is made of the polygons. All lengths in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct GroundSettings {
    /// What the ground is made of.
    pub kind: GroundKind,
    /// How paths are found.
    pub planner: PlannerKind,
    /// Width and depth of one cell.
    pub cell_size_m: f64,
    /// Half the width of a character; obstacles keep this distance, and the object padding.
    pub agent_radius_m: f64,
    /// Clearance around obstacles beyond the agent's radius.
    pub object_padding_m: f64,
    /// Clearance inside the outer edge of the areas.
    pub boundary_padding_m: f64,
    /// Height of every waypoint.
    pub floor_y_m: f64,
    /// Where the nodes of a painted room are; `None` where every cell is one.
    pub sampling: Option<Sampling>,
    /// How paths are shortened.
    pub shortening: Shortening,
}

impl Default for GroundSettings {
    fn default() -> Self {
        Self {
            kind: GroundKind::Grid,
            planner: PlannerKind::Grid,
            cell_size_m: 0.4,
            agent_radius_m: 0.45,
            object_padding_m: 0.25,
            boundary_padding_m: 0.0,
            floor_y_m: 0.0,
            sampling: None,
            shortening: Shortening::Pull,
        }
    }
}

impl GroundSettings {
    /// Whether the ground is made of cells, and paths lead over polygons made of them.
    pub fn has_polygons_of_cells(&self) -> bool {
        self.kind == GroundKind::Grid && self.planner != PlannerKind::Grid
    }

    /// The distance that characters keep from obstacles, metres.
    pub fn obstacle_margin_m(&self) -> f64 {
        self.agent_radius_m + self.object_padding_m
    }

    /// What the grid adds around the areas on every side, metres.
    pub fn margin_m(&self) -> f64 {
        self.cell_size_m * 2.0 + self.agent_radius_m + self.object_padding_m
    }
}

/// How characters avoid each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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

/// The constants of following, keeping apart, replanning and searching.
///
/// Lengths in metres (`_m`), times in seconds (`_s`), `_cells` in cells of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CrowdSettings {
    /// How characters avoid each other.
    pub avoidance: Avoidance,
    /// How far ahead characters that steer avoid others, in time.
    pub avoidance_horizon_s: f64,
    /// How fast characters that steer change their velocity, in m/s².
    pub acceleration_mps2: f64,
    /// Whether a walker that touches somebody who has arrived at the same place has arrived there, too.
    pub shares_goals: bool,
    /// A waypoint nearer than this is reached.
    pub waypoint_reached_m: f64,
    /// A new target nearer than this to the old one needs no new path.
    pub target_replan_threshold_m: f64,
    /// Standing characters farther than this from the straight line to the target are not planned around.
    pub dynamic_obstacle_influence_m: f64,
    /// The part of a standing character's radius that is planned around.
    pub dynamic_obstacle_radius_fraction: f64,
    /// How far a standing character steps aside.
    pub nudge_distance_m: f64,
    /// A walker replans when a mover comes this near to the segment it walks.
    pub replan_trigger_distance_m: f64,
    /// A character that moved farther than this since the last reset of the mover test is a mover.
    pub mover_threshold_m: f64,
    /// Least time between two such replans of one character.
    pub replan_cooldown_s: f64,
    /// How far an unwalkable start or end may be moved.
    pub snap_distance_m: f64,
    /// Passes over the overlapping pairs per tick.
    pub collision_iterations: u32,
    /// Where a walk to another character ends.
    pub talk_distance_m: f64,
    /// A walker that comes less than this closer is stuck.
    pub stuck_progress_m: f64,
    /// After this long a stuck walker replans around moving characters too.
    pub stuck_replan_after_s: f64,
    /// After this long the one of lower priority gives way.
    pub stuck_yield_after_s: f64,
    /// A character walks up to this far to get out of another's way; where no place is nearer, five times as far.
    pub give_way_reach_m: f64,
    /// After this long the turn changes at a place that people pass by turns.
    pub stuck_blocked_after_s: f64,
    /// After this long the walk ends as blocked. `None`: as long as `stuck_blocked_after_s`.
    pub patience: Option<Patience>,
    /// Node expansions per tick, for all searches together.
    pub search_budget_expansions: u32,
}

impl CrowdSettings {
    /// After this long without progress a walk ends as blocked.
    pub fn patience(&self) -> Patience {
        self.patience.unwrap_or(Patience::Seconds(self.stuck_blocked_after_s))
    }
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self {
            avoidance: Avoidance::Steer,
            avoidance_horizon_s: 1.5,
            acceleration_mps2: 8.0,
            shares_goals: true,
            waypoint_reached_m: 0.05,
            target_replan_threshold_m: 0.25,
            dynamic_obstacle_influence_m: 6.0,
            dynamic_obstacle_radius_fraction: 0.6,
            nudge_distance_m: 1.2,
            replan_trigger_distance_m: 1.8,
            mover_threshold_m: 0.05,
            replan_cooldown_s: 0.5,
            snap_distance_m: 8.0,
            collision_iterations: 3,
            talk_distance_m: 1.35,
            stuck_progress_m: 0.1,
            stuck_replan_after_s: 1.5,
            stuck_yield_after_s: 3.0,
            give_way_reach_m: 12.0,
            stuck_blocked_after_s: 10.0,
            patience: None,
            search_budget_expansions: 20_000,
        }
    }
}
