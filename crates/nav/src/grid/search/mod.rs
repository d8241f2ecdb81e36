//! Path search over cells: jump point search or A* along edges, then path shortening. A [`RouteSearch`] answers one
//! query, and can be paused.

mod answers;
mod detour;
mod edges;
mod flee;
mod jps;
mod nearest;
mod node_search;
mod raw_path;
mod route;
mod shorten;
mod trace;

pub(crate) use jps::{LinkEnds, LinkSteps};
pub use node_search::{NodeSearch, SearchMemory};
pub(crate) use route::RouteSearch;
