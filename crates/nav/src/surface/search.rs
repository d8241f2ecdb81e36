//! Path searches. Each kind of ground has its own search. All answer by the same fallback sequence: avoid the obstacles,
//! ignore the obstacles, nearest reachable place.

use super::{SearchMemory, Surface};
use crate::grid::{LinkEnds, LinkSteps, RouteSearch};
use crate::mesh::MeshSearch;
use crate::nav::{Outcome, Path, PathTrace, Position, Progress, Query, SearchState};
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
}

impl Search {
    /// Begins a path search. On grids it finds out whether one of the links makes the path cheaper, if it can.
    pub(crate) fn new(
        surface: &Surface,
        query: &Query,
        links: Option<Arc<LinkSteps>>,
        memory: SearchMemory,
    ) -> Self {
        match surface {
            Surface::Grid(grid) => Self::Grid(RouteSearch::new(grid, query, links, memory.grid)),
            Surface::Mesh(mesh) => Self::Mesh(MeshSearch::new(mesh, query, memory.mesh)),
        }
    }

    /// Restores a search from its [`Search::state`], over the same ground and the same links.
    pub(crate) fn resume(
        surface: &Surface,
        query: &Query,
        links: Option<Arc<LinkSteps>>,
        state: SearchState,
        memory: SearchMemory,
    ) -> Self {
        match surface {
            Surface::Grid(grid) => Self::Grid(RouteSearch::resume(grid, query, links, state, memory.grid)),
            Surface::Mesh(mesh) => Self::Mesh(MeshSearch::resume(mesh, query, &state, memory.mesh)),
        }
    }

    /// Continues the search until it ends or `budget` is spent, in the units of [`Search::work`].
    pub(crate) fn advance(&mut self, surface: &Surface, query: &Query, budget: u64) -> Progress {
        match (&mut *self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => search.advance(grid, query, budget),
            (Self::Mesh(search), Surface::Mesh(mesh)) => search.advance(mesh, query, budget),
            _ => {
                self.restart(surface, query, None);
                Progress::Running
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

    /// Restarts the search after a change of the ground or the links. The ground may be of another kind now.
    pub(crate) fn restart(&mut self, surface: &Surface, query: &Query, links: Option<Arc<LinkSteps>>) {
        match (self, surface) {
            (Self::Grid(search), Surface::Grid(grid)) => search.restart(grid, query, links),
            (Self::Mesh(search), Surface::Mesh(mesh)) => search.restart(mesh, query),
            (search, _) => *search = Self::new(surface, query, links, SearchMemory::default()),
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

    /// The resulting path, and the buffers. Call only after [`Search::advance`] returned [`Progress::Done`]. Over a ground
    /// of another kind it searches anew. A trace records how the path was found.
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
                let mut again = Self::new(surface, query, None, search.into_memory());
                while again.advance(surface, query, u64::MAX) == Progress::Running {}
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
