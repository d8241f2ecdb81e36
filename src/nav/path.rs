//! Answers: how far a path gets, why not further, and where it leads.

use super::{Place, Position};
use glam::DVec2;
use serde::Serialize;

/// How far a path gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// To the goal, or to the point the goal was snapped to.
    Complete,
    /// The goal cannot be reached, or its area is closed; to the nearest place that can be reached, which may be the start.
    Partial,
    /// Nowhere: nobody can stand near the start.
    None,
}

/// Which step of the cascade gave the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Step {
    /// A way round all obstacles of the query.
    Avoiding,
    /// A way that ignores them.
    Ignoring,
    /// The goal cannot be reached: towards the nearest node that can.
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
    /// No walkable ground within snapping distance of the start.
    StartOffGround,
    /// No walkable ground within snapping distance of the goal.
    GoalOffGround,
    /// The goal lies in a closed area; [`Path::closed_area`] says in which.
    GoalClosed,
    /// No way leads from the start to the goal.
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

/// An answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Path {
    /// How far it gets.
    pub outcome: Outcome,
    /// Why it is not complete; `None` when it is.
    pub reason: Option<NoPath>,
    /// The name of the closed area that the goal lies in, if that is why.
    pub closed_area: Option<String>,
    /// The point that was asked for.
    pub to: Place,
    /// Where the path ends, if not at that very point. `None` as well if there is no path.
    pub snapped_to: Option<Position>,
    /// How far from `to` one is at the end of the path, in metres; without a path, at its start.
    pub missed_by_m: f64,
    /// Which step of the cascade gave it.
    pub step: Step,
    /// Where to walk, in order, from the start (which is only named where it had to be snapped). Empty when there
    /// is nowhere to go.
    pub waypoints: Vec<Position>,
    /// Cost of the path of nodes before smoothing, in cells: 1 a straight step of one cell, √2 a diagonal one. Of a straight line in a
    /// painted room whose nodes know no way, its length.
    pub cost_cells: f64,
    /// Length of the walk from the (snapped) start, in metres.
    pub length_m: f64,
    /// Nodes the search expanded.
    pub expansions: u64,
    /// What answering took, in expansions of the usual size: what one pays for it.
    pub work: u64,
}

impl Path {
    /// The waypoints as points of the plane: metres, `y` being the world's z.
    pub fn points(&self) -> Vec<DVec2> {
        self.waypoints.iter().map(|waypoint| waypoint.at).collect()
    }

    /// Why it is not complete, in words.
    pub fn describe(&self) -> String {
        match &self.closed_area {
            Some(area) => format!("the area '{area}' is closed"),
            None => self.reason.unwrap_or(NoPath::Unreachable).describe().to_owned(),
        }
    }
}
