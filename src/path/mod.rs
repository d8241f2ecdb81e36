//! How to get there: a query goes in, a [`Path`] comes out. Search is resumable, so that a queue can share a budget of node
//! expansions among many walkers. Knows ground and points; never a room, a character or a clock.

mod answers;
mod detour;
mod edge_search;
mod explain;
mod flee;
mod jps;
mod nearest;
mod planner;
mod query;
mod queue;
mod raw_path;
mod search;
mod smooth;
mod trace;

pub use explain::{Explanation, Hindrance, Narrow, Side, TooDear, explain_path};
pub use flee::{Refuge, Threat, find_refuge};
pub use nearest::find_nearest;
pub use planner::{Planner, PlannerState};
pub use query::{NoPath, Outcome, Path, Query, Step, find_path, find_path_traced, find_path_within};
pub use queue::{MAX_ACTIVE, PathQueue, QueueState};
pub use search::{IdleMemory, Progress, Search, SearchMemory};
pub use trace::{PathTrace, Try};
