//! One query over the ground alone, answered by the fallback sequence: avoid the obstacles, ignore the obstacles, nearest
//! reachable place.
//!
//! The ground does the search. If no path avoids the obstacles, the leg lets the search ignore them.

use crate::nav::{Path, PathTrace, Progress, Query, SearchProgress, SearchState};
use crate::surface::{LinkSteps, Search, SearchMemory, Surface};
use std::sync::Arc;

/// A query over the ground being answered, one slice of work at a time. The query must be the same in every call.
#[derive(Debug, Clone)]
pub(super) struct Leg {
    search: Search,
}

impl Leg {
    pub(super) fn new(ground: &Surface, query: &Query, memory: SearchMemory) -> Self {
        Self::with_links(ground, query, None, memory)
    }

    /// A leg that tells whether a link makes its path cheaper, if it can: see [`Leg::no_link_helps`].
    pub(super) fn with_links(
        ground: &Surface,
        query: &Query,
        links: Option<Arc<LinkSteps>>,
        memory: SearchMemory,
    ) -> Self {
        Self { search: ground.begin_search(query, links, memory) }
    }

    /// Restores a leg from its [`Leg::state`], over the same ground and with the same links.
    pub(super) fn resume(
        ground: &Surface,
        query: &Query,
        links: Option<Arc<LinkSteps>>,
        state: SearchState,
        memory: SearchMemory,
    ) -> Self {
        Self { search: ground.resume_search(query, links, state, memory) }
    }

    pub(super) fn state(&self, stale: bool) -> SearchState {
        self.search.state(stale)
    }

    /// Begins again after a change of the ground or the links.
    pub(super) fn restart(&mut self, ground: &Surface, query: &Query, links: Option<Arc<LinkSteps>>) {
        self.search.restart(ground, query, links);
    }

    /// Whether it is known that no link makes the path cheaper, once the leg is done.
    pub(super) fn no_link_helps(&self) -> bool {
        self.search.no_link_helps()
    }

    /// Searches on until the query is answered or about `budget` units of work are spent.
    pub(super) fn advance(&mut self, ground: &Surface, query: &Query, budget: u64) -> Progress {
        let stop_at = self.work().saturating_add(budget);
        loop {
            let left = stop_at.saturating_sub(self.work());
            match self.search.advance(ground, query, left) {
                SearchProgress::Running => return Progress::Running,
                SearchProgress::Done => return Progress::Done,
                // No path avoids the characters. Let the path lead through them: the walker will push them aside.
                SearchProgress::Obstructed => self.search.ignore_obstacles(ground, query),
            }
        }
    }

    /// The [work](crate::nav#terms) done so far.
    pub(super) fn work(&self) -> u64 {
        self.search.work()
    }

    /// Lets the search end without a path once no path can cost less than `most_m`.
    pub(super) fn cut_off(&mut self, ground: &Surface, query: &Query, most_m: f64) {
        self.search.cut_off(ground, query, most_m);
    }

    /// The cost of the path, in metres, the path if it took no more work, and the scratch buffers. Infinite if the path
    /// does not lead to the goal.
    pub(super) fn finish_cost(self, ground: &Surface, query: &Query) -> (f64, Option<Path>, SearchMemory) {
        self.search.finish_cost(ground, query)
    }

    /// The path, and the scratch buffers. A trace records how the path was found.
    pub(super) fn finish(
        self,
        ground: &Surface,
        query: &Query,
        trace: Option<&mut PathTrace>,
    ) -> (Path, SearchMemory) {
        self.search.finish(ground, query, trace)
    }

    pub(super) fn into_memory(self) -> SearchMemory {
        self.search.into_memory()
    }
}
