//! How to get there: a query goes in, a [`Path`] comes out. Search is resumable, so that a queue can share a budget of node
//! expansions among many walkers. Knows ground and points; never a room, a character or a clock.

mod answers;
mod atlas;
mod buckets;
mod dodge;
mod edge_search;
mod escape;
mod explain;
mod flee;
mod goals;
mod jump_search;
mod planner;
mod query;
mod queue;
mod raw;
mod rays;
mod search;
mod smooth;
mod staircase;
mod trail;

pub use escape::find_nearest;
pub use explain::{Explanation, Hindrance, Narrow, Side, TooDear, explain_path};
pub use flee::{Refuge, Threat, find_refuge};
pub use planner::{Planner, PlannerState};
pub use query::{NoPath, Outcome, Path, Query, Step, find_path, find_path_raw, find_path_within};
pub use queue::{MAX_ACTIVE, PathQueue, QueueState};
pub use raw::{Raw, Try};
pub use search::{IdleMemory, Progress, Search, SearchMemory};
