//! Path searches. Each kind of ground has its own search.

use super::{SearchMemory, Surface};
use crate::grid::{LinkEnds, LinkSteps, RouteSearch};
use crate::mesh::MeshSearch;
use crate::nav::{Outcome, Path, PathTrace, Position, Query, SearchProgress, SearchState};
use std::sync::Arc;

/// A path search that can be paused. The query and the ground must be the same in every call. After a change of the
/// ground, call [`Search::restart`].
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // few instances at a time; a box would cost an indirection
pub(crate) enum Search {
    /// Over the nodes of a grid.
    Grid(RouteSearch),
    /// Over polygons.
    Mesh(MeshSearch),
}

impl Surface {
    /// The ends of links, open or closed, for [`Surface::link_steps`].
    pub(crate) fn link_ends(&self, ends: impl Iterator<Item = Position>) -> LinkEnds {
        match self {
            Self::Grid(grid) => grid.link_ends(ends.map(|end| end.at)),
            Self::Mesh(_) => LinkEnds::default(),
        }
    }

    /// Links, with their entries, exits and costs in metres, for searches that find out whether one of them makes the path cheaper. None may be
    /// cheaper than a straight walk. `None` if searches over this ground cannot tell.
    pub(crate) fn link_steps(
        &self,
        ends: &Arc<LinkEnds>,
        links: impl Iterator<Item = ([Position; 2], f64)>,
    ) -> Option<Arc<LinkSteps>> {
        match self {
            Self::Grid(grid) => {
                grid.link_steps(ends, links.map(|(ends, cost_m)| (ends.map(|end| end.at), cost_m)))
            }
            Self::Mesh(_) => None,
        }
    }

    /// Begins a path search. On grids it finds out whether one of the links makes the path cheaper, if it can.
    pub(crate) fn begin_search(
        &self,
        query: &Query,
        links: Option<Arc<LinkSteps>>,
        memory: SearchMemory,
    ) -> Search {
        match self {
            Self::Grid(grid) => Search::Grid(RouteSearch::new(grid, query, links, memory.grid)),
            Self::Mesh(mesh) => Search::Mesh(MeshSearch::new(mesh, query, memory.mesh)),
        }
    }

    /// Restores a search from its [`Search::state`], over the same ground and the same links.
    pub(crate) fn resume_search(
        &self,
        query: &Query,
        links: Option<Arc<LinkSteps>>,
        state: SearchState,
        memory: SearchMemory,
    ) -> Search {
        match self {
            Self::Grid(grid) => Search::Grid(RouteSearch::resume(grid, query, links, state, memory.grid)),
            Self::Mesh(mesh) => Search::Mesh(MeshSearch::resume(mesh, query, &state, memory.mesh)),
        }
    }
}

impl Search {
    /// Continues the search until it ends or `budget` is spent, in the units of [`Search::work`].
    pub(crate) fn advance(&mut self, surface: &Surface, query: &Query, budget: u64) -> SearchProgress {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => search.advance(grid, query, budget),
            (Self::Mesh(search), Surface::Mesh(mesh)) => search.advance(mesh, query, budget),
            (search, _) => {
                search.restart(surface, query, None);
                search.advance(surface, query, budget)
            }
        }
    }

    /// Lets the search end without a path once no path can cost less than `most_m`. With obstacles it goes on: there,
    /// no path means that the next search ignores them.
    pub(crate) fn cut_off(&mut self, surface: &Surface, query: &Query, most_m: f64) {
        match (self, surface) {
            _ if !query.obstacles.is_empty() => {}
            (Self::Grid(search), Surface::Grid(grid)) => search.cut_off(grid, most_m),
            (Self::Mesh(search), Surface::Mesh(_)) => search.cut_off(most_m),
            _ => {}
        }
    }

    /// Restarts the search after a change of the ground or the links.
    pub(crate) fn restart(&mut self, surface: &Surface, query: &Query, links: Option<Arc<LinkSteps>>) {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => search.restart(grid, query, links),
            (Self::Mesh(search), Surface::Mesh(mesh)) => search.restart(mesh, query),
            // The ground is of another kind now.
            (search, _) => *search = surface.begin_search(query, links, SearchMemory::default()),
        }
    }

    /// Restarts the search without the obstacles of the query.
    pub(crate) fn ignore_obstacles(&mut self, surface: &Surface, query: &Query) {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => search.ignore_obstacles(grid, query),
            (Self::Mesh(search), Surface::Mesh(mesh)) => search.ignore_obstacles(mesh, query),
            (search, _) => {
                search.restart(surface, query, None);
                search.ignore_obstacles(surface, query);
            }
        }
    }

    /// Whether it is known that no link makes the path cheaper, after the search is done.
    pub(crate) fn no_link_helps(&self) -> bool {
        matches!(self, Self::Grid(search) if search.no_link_helps())
    }

    /// The state of the search as data. Pass `stale` as true if the ground has changed since the last call.
    pub(crate) fn state(&self, stale: bool) -> SearchState {
        match self {
            Self::Grid(search) => search.state(stale),
            Self::Mesh(search) => search.state(stale),
        }
    }

    /// The cost so far, in budget units. One node expansion of the usual size is one unit. A larger expansion counts
    /// for more, and other work is converted.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Self::Grid(search) => search.work(),
            Self::Mesh(search) => search.work(),
        }
    }

    /// The resulting path, and the buffers. Call only after [`Search::advance`] returned [`SearchProgress::Done`]. A
    /// trace records how the path was found.
    pub(crate) fn finish(
        self,
        surface: &Surface,
        query: &Query,
        trace: Option<&mut PathTrace>,
    ) -> (Path, SearchMemory) {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => {
                let (path, grid) = search.finish(grid, query, trace);
                (path, SearchMemory { grid, ..SearchMemory::default() })
            }
            (Self::Mesh(search), Surface::Mesh(mesh)) => {
                let (path, mesh) = search.finish(mesh, query, trace);
                (path, SearchMemory { mesh, ..SearchMemory::default() })
            }
            (search, _) => {
                let mut again = surface.begin_search(query, None, search.into_memory());
                if again.advance(surface, query, u64::MAX) == SearchProgress::Obstructed {
                    again.ignore_obstacles(surface, query);
                    again.advance(surface, query, u64::MAX);
                }
                again.finish(surface, query, trace)
            }
        }
    }

    /// The cost of the resulting path, in metres, the path if it took no more work, and the buffers: see
    /// [`Search::finish`]. Infinite if the path does not lead to the goal.
    pub(crate) fn finish_cost(self, surface: &Surface, query: &Query) -> (f64, Option<Path>, SearchMemory) {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => {
                let (cost_m, grid) = search.finish_cost(grid, query);
                (cost_m, None, SearchMemory { grid, ..SearchMemory::default() })
            }
            (search, _) => {
                let (path, memory) = search.finish(surface, query, None);
                let is_complete = path.outcome == Outcome::Complete;
                let cost_m = if is_complete { surface.cost_m(&path) } else { f64::INFINITY };
                (cost_m, Some(path), memory)
            }
        }
    }

    /// Abandons the search and returns its buffers.
    pub(crate) fn into_memory(self) -> SearchMemory {
        match self {
            Self::Grid(search) => SearchMemory { grid: search.into_memory(), ..SearchMemory::default() },
            Self::Mesh(search) => SearchMemory { mesh: search.into_memory(), ..SearchMemory::default() },
        }
    }
}
