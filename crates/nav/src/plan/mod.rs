//! Path planning: a query goes in, a path comes out. Searches can be paused. So a queue can share one budget of
//! [work](crate::nav#terms) among many walkers.
//!
//! This module uses the ground through [`Surface`](crate::surface::Surface). It imports neither rooms, characters nor
//! clocks. It sees characters only as the obstacle discs of a query.

mod explain;
mod grounds;
mod links;
mod path_queue;
mod planner;
mod query;
mod stats;
mod waypaths;

pub use explain::{Explanation, Hindrance, LinkHint, Narrow, Side, TooDear, explain_path, explain_route};
pub use grounds::{Grounds, MAX_CLASSES, NoClass, WalkerClass};
#[doc(hidden)]
pub use links::end_off_ground;
pub use links::{LINK_SNAP_M, LinkNet, PlacedLink};
pub(crate) use path_queue::{Moment, PathQueue, QueueState, Urgency};
pub use planner::{Planner, PlannerState};
pub use query::{
    find_path, find_path_traced, find_path_within, find_route, find_route_traced, find_route_within,
};
pub use stats::PathStats;
pub use waypaths::{PlacedWaypath, WAYPATH_SHARE, WaypathFault, check_waypaths};
