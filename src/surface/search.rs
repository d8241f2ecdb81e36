//! Searches for paths. Each kind of ground searches in its own way.

use super::{SearchMemory, Surface};
use crate::grid::RouteSearch;
use crate::nav::{Path, PathTrace, Query, SearchProgress, SearchState};

/// A search for a path, which can be paused. The query and the ground must be the same in every call; after a change of the ground
/// comes [`Search::restart`].
#[derive(Debug, Clone)]
pub enum Search {
    /// Over the nodes of a grid.
    Grid(RouteSearch),
}

impl Surface {
    /// Begins to search for a path.
    pub fn begin_search(&self, query: &Query, memory: SearchMemory) -> Search {
        match self {
            Self::Grid(grid) => Search::Grid(RouteSearch::new(grid, query, memory.grid)),
        }
    }

    /// Goes on where [`Search::state`] was taken, over the same ground.
    pub fn resume_search(&self, query: &Query, state: SearchState, memory: SearchMemory) -> Search {
        match self {
            Self::Grid(grid) => Search::Grid(RouteSearch::resume(grid, query, state, memory.grid)),
        }
    }
}

impl Search {
    /// Goes on until `budget` expansions are spent.
    pub fn advance(&mut self, surface: &Surface, query: &Query, budget: u64) -> SearchProgress {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => search.advance(grid, query, budget),
        }
    }

    /// Begins again, because the ground has changed.
    pub fn restart(&mut self, surface: &Surface, query: &Query) {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => search.restart(grid, query),
        }
    }

    /// Begins again without the obstacles of the query.
    pub fn ignore_obstacles(&mut self, surface: &Surface, query: &Query) {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => search.ignore_obstacles(grid, query),
        }
    }

    /// The search as data; `stale` if the ground has changed since the last call.
    pub fn state(&self, stale: bool) -> SearchState {
        match self {
            Self::Grid(search) => search.state(stale),
        }
    }

    /// The work done so far, in expansions of the usual size.
    pub fn work(&self) -> u64 {
        match self {
            Self::Grid(search) => search.work(),
        }
    }

    /// The answer, once it is done, and the scratch space. A trace tells how the path came about.
    pub fn finish(
        self,
        surface: &Surface,
        query: &Query,
        trace: Option<&mut PathTrace>,
    ) -> (Path, SearchMemory) {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => {
                let (path, grid) = search.finish(grid, query, trace);
                (path, SearchMemory { grid })
            }
        }
    }

    /// The scratch space of a search that is no longer wanted.
    pub fn into_memory(self) -> SearchMemory {
        match self {
            Self::Grid(search) => SearchMemory { grid: search.into_memory() },
        }
    }
}
