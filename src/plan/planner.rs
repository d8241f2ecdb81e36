//! One query on its way through the cascade: round the obstacles, else ignoring them, else as near to the goal as
//! possible. The ground does the search itself. The planner starts it again when the ground changes, and decides what
//! happens when obstacles leave no path.

use crate::nav::{Path, PathTrace, Progress, Query, SearchProgress, SearchState};
use crate::surface::{Search, SearchMemory, Surface};
use serde::{Deserialize, Serialize};

/// A query being answered, a slice at a time.
#[derive(Debug, Clone)]
pub struct Planner {
    query: Query,
    search: Search,
    /// The revision of the ground being searched; `None` if the ground has changed.
    revision: Option<u64>,
    /// How often the ground changed under it.
    restarts: u32,
}

/// A [`Planner`] as data, without nodes: repeating the search as far gives the same. A finished planner is advanced
/// again before it is asked for its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannerState {
    /// The query.
    pub query: Query,
    /// How often the ground changed under it.
    pub restarts: u32,
    /// The obstacles avoided so far, by their indices, ascending.
    pub avoided: Vec<u32>,
    /// Whether the obstacles are ignored.
    pub through: bool,
    /// Whether the ground has changed, so that it will begin again.
    pub stale: bool,
    /// Work of finished stages, in expansions.
    pub spent: u64,
    /// Work of the stage it is in.
    pub expanded: u64,
}

impl Planner {
    /// Begins to answer.
    pub fn new(ground: &Surface, query: Query, memory: SearchMemory) -> Self {
        let search = ground.begin_search(&query, memory);
        Self { query, search, revision: Some(ground.revision()), restarts: 0 }
    }

    /// The state as data.
    pub fn state(&self, ground: &Surface) -> PlannerState {
        let stale = self.revision != Some(ground.revision());
        let SearchState { avoided, through, spent, expanded } = self.search.state(stale);
        let (query, restarts) = (self.query.clone(), self.restarts);
        PlannerState { query, restarts, avoided, through, stale, spent, expanded }
    }

    /// Restores a planner from [`Planner::state`], over the same ground.
    pub fn restore(ground: &Surface, state: PlannerState, memory: SearchMemory) -> Self {
        let PlannerState { query, restarts, avoided, through, stale, spent, expanded } = state;
        let search = ground.resume_search(&query, SearchState { avoided, through, spent, expanded }, memory);
        Self { query, search, revision: Some(ground.revision()).filter(|_| !stale), restarts }
    }

    /// Goes on until `budget` expansions are spent. If the ground changed since the last call, the search begins again.
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
                // Characters leave no path. The path leads through them, and pushing will make room.
                SearchProgress::Obstructed => self.search.ignore_obstacles(ground, &self.query),
            }
        }
    }

    /// How often it had to begin again because the ground changed.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// The work done so far, over all stages, in expansions of the usual size.
    pub fn work(&self) -> u64 {
        self.search.work()
    }

    /// The answer and the scratch space, once [`Planner::advance`] has returned done.
    pub fn finish(self, ground: &Surface) -> (Path, SearchMemory) {
        self.search.finish(ground, &self.query, None)
    }

    /// Like [`Planner::finish`], and records how the path came about.
    pub(super) fn finish_traced(self, ground: &Surface, trace: &mut PathTrace) -> (Path, SearchMemory) {
        self.search.finish(ground, &self.query, Some(trace))
    }

    /// The scratch space of a query that is no longer wanted.
    pub(super) fn into_memory(self) -> SearchMemory {
        self.search.into_memory()
    }
}
