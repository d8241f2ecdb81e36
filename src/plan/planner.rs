//! One query, answered by the fallback sequence: avoid the obstacles, ignore the obstacles, nearest reachable place.
//!
//! The ground does the search. The planner restarts the search when the ground changes. If no path avoids the
//! obstacles, the planner lets the search ignore them.

use crate::nav::{Path, PathTrace, Progress, Query, SearchProgress, SearchState};
use crate::surface::{Search, SearchMemory, Surface};
use serde::{Deserialize, Serialize};

/// A query being answered, one slice of work at a time.
#[derive(Debug, Clone)]
pub struct Planner {
    query: Query,
    search: Search,
    /// The revision of the ground being searched. `None` forces a restart.
    revision: Option<u64>,
    /// Restarts caused by ground changes.
    restarts: u32,
}

/// Serialisable state of a [`Planner`]. Restoring replays the search. After restoring, call [`Planner::advance`]
/// before [`Planner::finish`].
///
/// A new stage begins when obstacles are added to the search or ignored, and when the ground changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannerState {
    /// The query.
    pub query: Query,
    /// Restarts caused by ground changes.
    pub restarts: u32,
    /// Indices, in the query, of the obstacles added to the search so far, ascending.
    pub avoided: Vec<u32>,
    /// Whether the search ignores all obstacles.
    pub through: bool,
    /// Whether the ground has changed since the last `advance`. If so, the next [`Planner::advance`] restarts the
    /// search.
    pub stale: bool,
    /// [Work](crate::nav#terms) of the finished stages.
    pub spent: u64,
    /// Work of the current stage.
    pub expanded: u64,
}

impl Planner {
    /// Begins to answer a query.
    pub fn new(ground: &Surface, query: Query, memory: SearchMemory) -> Self {
        let search = ground.begin_search(&query, memory);
        Self { query, search, revision: Some(ground.revision()), restarts: 0 }
    }

    /// The serialisable state.
    pub fn state(&self, ground: &Surface) -> PlannerState {
        let stale = self.revision != Some(ground.revision());
        let SearchState { avoided, through, spent, expanded } = self.search.state(stale);
        let (query, restarts) = (self.query.clone(), self.restarts);
        PlannerState { query, restarts, avoided, through, stale, spent, expanded }
    }

    /// Restores a planner from [`Planner::state`]. The ground must be the same.
    pub fn restore(ground: &Surface, state: PlannerState, memory: SearchMemory) -> Self {
        let PlannerState { query, restarts, avoided, through, stale, spent, expanded } = state;
        let search = ground.resume_search(&query, SearchState { avoided, through, spent, expanded }, memory);
        Self { query, search, revision: Some(ground.revision()).filter(|_| !stale), restarts }
    }

    /// Searches on until the query is answered or about `budget` units of [work](crate::nav#terms) are spent. If the
    /// ground has changed since the last call, the search restarts.
    pub fn advance(&mut self, ground: &Surface, budget: u64) -> Progress {
        if self.revision != Some(ground.revision()) {
            self.revision = Some(ground.revision());
            self.restarts += 1;
            self.search.restart(ground, &self.query);
        }
        let stop_at = self.work().saturating_add(budget);
        loop {
            let left = stop_at.saturating_sub(self.work());
            match self.search.advance(ground, &self.query, left) {
                SearchProgress::Running => return Progress::Running,
                SearchProgress::Done => return Progress::Done,
                // No path avoids the characters. Let the path lead through them: the walker will push them aside.
                SearchProgress::Obstructed => self.search.ignore_obstacles(ground, &self.query),
            }
        }
    }

    /// Restarts caused by ground changes.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// The [work](crate::nav#terms) done so far, over all stages.
    pub fn work(&self) -> u64 {
        self.search.work()
    }

    /// The path, and the scratch buffers. Call it once [`Planner::advance`] has returned [`Progress::Done`].
    pub fn finish(self, ground: &Surface) -> (Path, SearchMemory) {
        self.search.finish(ground, &self.query, None)
    }

    /// [`Planner::finish`] that also records the debug trace.
    pub(super) fn finish_traced(self, ground: &Surface, trace: &mut PathTrace) -> (Path, SearchMemory) {
        self.search.finish(ground, &self.query, Some(trace))
    }

    /// Cancels the query and returns its scratch buffers.
    pub(super) fn into_memory(self) -> SearchMemory {
        self.search.into_memory()
    }
}
