//! What can be asked, and what is answered.

use super::{PathTrace, Planner, Progress, SearchMemory};
use crate::room::CrowdSettings;
use crate::space::{AreaId, Disc, Ground};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A path wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// Where the walk begins, in metres.
    pub from: DVec2,
    /// Where it should end, in metres.
    pub to: DVec2,
    /// How far an unwalkable start may be moved onto walkable ground, and an unwalkable end for the walk to count as complete.
    pub snap_m: f64,
    /// Those who stand in the way. They are walked round where possible, ignored where not.
    pub obstacles: Vec<Disc>,
}

impl Query {
    /// A way from place to place without obstacles; ends off the ground are moved as far as rooms have it by default.
    pub fn new(from: DVec2, to: DVec2) -> Self {
        Self { from, to, snap_m: CrowdSettings::default().snap_distance_m, obstacles: Vec::new() }
    }
}

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
pub struct Path {
    /// How far it gets.
    pub outcome: Outcome,
    /// Why it is not complete; `None` when it is.
    pub reason: Option<NoPath>,
    /// The closed area that the goal lies in, if that is why.
    pub closed_area: Option<AreaId>,
    /// The point that was asked for.
    pub to: DVec2,
    /// Where the path ends, if not at that very point. `None` as well if there is no path.
    pub snapped_to: Option<DVec2>,
    /// How far from `to` one is at the end of the path, in metres; without a path, at its start.
    pub missed_by_m: f64,
    /// Which step of the cascade gave it.
    pub step: Step,
    /// Where to walk, in order, from the start (which is only named where it had to be snapped). Metres. Empty when there
    /// is nowhere to go.
    pub waypoints: Vec<DVec2>,
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
    /// Why it is not complete, in words.
    pub fn describe(&self, ground: &Ground) -> String {
        match self.closed_area {
            Some(area) => format!("the area '{}' is closed", ground.area_name(area)),
            None => self.reason.unwrap_or(NoPath::Unreachable).describe().to_owned(),
        }
    }
}

/// Answers a query in one go. `memory` is scratch space that is worth keeping between calls.
///
/// The cascade: round the obstacles; else ignoring them; else to the reachable node nearest to the goal that was asked for.
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

/// [`find_path`] with the way before it was made short, for pictures and reports.
pub fn find_path_traced(ground: &Ground, query: Query, memory: &mut SearchMemory) -> (Path, PathTrace) {
    let mut planner = Planner::new(ground, query, std::mem::take(memory));
    while planner.advance(ground, u64::MAX) == Progress::Running {}
    let mut trace = PathTrace::default();
    let (path, used) = planner.answer(ground, Some(&mut trace));
    *memory = used;
    (path, trace)
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
