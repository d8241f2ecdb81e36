//! Planning: a query goes in, a path comes out. Searches can be paused, so that a queue shares a budget of node
//! expansions among many walkers. This module asks the ground questions, and never knows a room, a character or a
//! clock.

mod explain;
mod planner;
mod query;
mod queue;

pub use crate::nav::{NoPath, Outcome, Path, PathTrace, Progress, Query, Refuge, Step, Threat, Try};
pub use crate::surface::{IdleMemory, SearchMemory};
pub use explain::{Explanation, Hindrance, Narrow, Side, TooDear, explain_path};
pub use planner::{Planner, PlannerState};
pub use query::{find_path, find_path_traced, find_path_within};
pub use queue::{MAX_ACTIVE, PathQueue, QueueState};
