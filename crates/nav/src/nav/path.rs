//! Path results: outcome, reason, waypoints.

use super::{FloorId, LinkCrossing, Place, Position, WaypathStep};
use glam::DVec2;
use serde::Serialize;

/// Whether a path reaches the goal. Closed: a path reaches its goal, or another place, or there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The path leads to the goal, or to the point the goal was snapped to.
    Complete,
    /// The goal cannot be reached, or its area is closed. The path leads to the nearest reachable place, which may be
    /// the start.
    Partial,
    /// No path: there is no walkable ground within the snap distance of the start.
    None,
}

/// The step of the fallback sequence (avoid obstacles, ignore obstacles, nearest reachable) that found the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Step {
    /// The path avoids all obstacles of the query.
    Avoiding,
    /// The path ignores the obstacles of the query.
    Ignoring,
    /// The goal cannot be reached. The path leads to the nearest reachable node.
    Nearest,
}

impl Step {
    /// The step's name in data and scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Avoiding => "avoiding",
            Self::Ignoring => "ignoring",
            Self::Nearest => "nearest",
        }
    }
}

/// Why a path does not lead to the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoPath {
    /// No walkable ground within the snap distance of the start.
    StartOffGround,
    /// No walkable ground within the snap distance of the goal.
    GoalOffGround,
    /// The goal lies in a closed area, named by [`Path::closed_area`].
    GoalClosed,
    /// No path leads from the start to the goal.
    Unreachable,
}

impl NoPath {
    /// The reason in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::StartOffGround => "no walkable ground near the start",
            Self::GoalOffGround => "no walkable ground near the goal",
            Self::GoalClosed => "the area it lies in is closed",
            Self::Unreachable => "no way leads there",
        }
    }
}

/// The result of a path query.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Path {
    /// Whether the path reaches the goal.
    pub outcome: Outcome,
    /// Why the path does not reach the goal. `None` if it does.
    pub reason: Option<NoPath>,
    /// The name of the closed area that the goal lies in, set if `reason` is [`NoPath::GoalClosed`].
    pub closed_area: Option<String>,
    /// The goal of the query.
    pub to: Place,
    /// The end of the path. `None` if it equals `to`, or if there is no path.
    pub snapped_to: Option<Position>,
    /// Distance from the end of the path to `to`, in metres. Without a path, the distance from the start.
    pub missed_by_m: f64,
    /// The step of the fallback sequence that found the path.
    pub step: Step,
    /// The waypoints, in walking order. Excludes the start, unless it was snapped. Empty if there is no path, or if
    /// the path stays at the start.
    pub waypoints: Vec<Position>,
    /// The floors that the path goes through on a mesh, in walking order: its polygons. Empty on grids, and if there
    /// is no path.
    pub corridor: Vec<FloorId>,
    /// The links that the path crosses, in walking order.
    pub crossings: Vec<LinkCrossing>,
    /// The waypoints that lie on waypaths, in walking order.
    pub steps: Vec<WaypathStep>,
    /// Cost of the path of nodes before smoothing, in cells: 1 for a straight step of one cell, √2 for a diagonal
    /// one. If the path is a straight line that is not in the search graph (painted rooms only), its length in cells.
    /// On a mesh, in metres. The costs of links are included.
    pub cost_cells: f64,
    /// Length of the smoothed path from the (snapped) start, in metres, without the links.
    pub length_m: f64,
    /// Number of nodes that the search expanded.
    pub expansions: u64,
    /// The [work](crate::nav#terms) of the query: the cost charged to a budget.
    pub work: u64,
}

impl Path {
    /// No path at all.
    pub(crate) fn empty() -> Self {
        Self {
            outcome: Outcome::None,
            reason: Some(NoPath::Unreachable),
            closed_area: None,
            to: Place::default(),
            snapped_to: None,
            missed_by_m: 0.0,
            step: Step::Nearest,
            waypoints: Vec::new(),
            corridor: Vec::new(),
            crossings: Vec::new(),
            steps: Vec::new(),
            cost_cells: 0.0,
            length_m: 0.0,
            expansions: 0,
            work: 0,
        }
    }

    /// The waypoints as points of the plane: metres, `y` being the world's z.
    pub fn points(&self) -> Vec<DVec2> {
        self.waypoints.iter().map(|waypoint| waypoint.at).collect()
    }

    /// Why the path does not reach the goal, in words. For a complete path: that it does.
    pub fn describe(&self) -> String {
        match (&self.closed_area, self.outcome) {
            (Some(area), _) => format!("the area '{area}' is closed"),
            (None, Outcome::Complete) => "the path is complete".to_owned(),
            (None, _) => self.reason.unwrap_or(NoPath::Unreachable).describe().to_owned(),
        }
    }
}
