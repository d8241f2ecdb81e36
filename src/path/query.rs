//! What can be asked, and what is answered.

use super::{Planner, Progress, SearchMemory};
use crate::space::{Disc, Ground};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A path wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// Where the walk begins, in metres.
    pub from: DVec2,
    /// Where it should end, in metres.
    pub to: DVec2,
    /// How far an unwalkable start or end may be moved onto walkable ground.
    pub snap_m: f64,
    /// Those who stand in the way. They are walked round where possible, ignored where not.
    pub obstacles: Vec<Disc>,
}

/// How far a path gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// To the goal, or to the point the goal was snapped to.
    Complete,
    /// The goal cannot be reached; to the reachable node nearest to it.
    Partial,
    /// Nowhere.
    None,
}

/// Which step of the cascade gave the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// A way round all obstacles of the query.
    Dynamic,
    /// A way that ignores them.
    Static,
    /// The goal cannot be reached: towards the nearest node that can.
    Nearest,
}

impl Step {
    /// The step's name in data and scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Static => "static",
            Self::Nearest => "nearest",
        }
    }
}

/// Why a path does not lead to the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoPath {
    /// No walkable ground within snapping distance of the start.
    StartOffGround,
    /// No walkable ground within snapping distance of the goal.
    GoalOffGround,
    /// No way leads from the start to the goal.
    Unreachable,
}

impl NoPath {
    /// The reason in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::StartOffGround => "no walkable ground near the start",
            Self::GoalOffGround => "no walkable ground near the goal",
            Self::Unreachable => "no way leads there",
        }
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// How far it gets.
    pub outcome: Outcome,
    /// Why it is not complete; `None` when it is.
    pub reason: Option<NoPath>,
    /// Which step of the cascade gave it.
    pub step: Step,
    /// Where to walk, in order, from the start (which is only named where it had to be snapped). Metres. Empty when there
    /// is nowhere to go.
    pub waypoints: Vec<DVec2>,
    /// Cost of the path of nodes before smoothing, in cells: 1 a straight step of one cell, √2 a diagonal one.
    pub cost_cells: f64,
    /// Length of the walk from the (snapped) start, in metres.
    pub length_m: f64,
    /// Nodes the search expanded.
    pub expansions: u64,
    /// What answering took, in expansions of the usual size: what one pays for it.
    pub work: u64,
}

/// Answers a query in one go. `memory` is scratch space that is worth keeping between calls.
///
/// The cascade of the grid-and-crowd text: round the obstacles; else ignoring them; else to the reachable node nearest to
/// the goal that was asked for.
pub fn find_path(ground: &Ground, query: Query, memory: &mut SearchMemory) -> Path {
    let mut planner = Planner::new(ground, query, std::mem::take(memory));
    loop {
        if let Progress::Done = planner.advance(ground, u64::MAX) {
            let (path, used) = planner.finish(ground);
            *memory = used;
            return path;
        }
    }
}

/// [`find_path`] for those who may not spend more work than `most` expansions; `None` if that was not enough.
pub fn find_path_within(ground: &Ground, query: Query, memory: &mut SearchMemory, most: u64) -> Option<Path> {
    let mut planner = Planner::new(ground, query, std::mem::take(memory));
    match planner.advance(ground, most) {
        Progress::Running => {
            *memory = planner.into_memory();
            None
        }
        Progress::Done => {
            let (path, used) = planner.finish(ground);
            *memory = used;
            Some(path)
        }
    }
}
