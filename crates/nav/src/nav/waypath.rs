//! Waypaths as paths use them: which waypath, and where on a path.

use serde::{Deserialize, Serialize};

/// Waypath id, unique in a world. Ids are never reused. A waypath keeps its id when its file changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WaypathId(pub u32);

/// A waypoint of a path that lies on a waypath.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaypathStep {
    /// Index of the waypoint of the path.
    pub waypoint: usize,
    /// The waypath.
    pub waypath: WaypathId,
    /// The index of the waypoint of the waypath that lies there. `None` between two of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<u32>,
    /// Whether the path leads along the waypath to it. Otherwise the path joins the waypath there.
    pub along: bool,
    /// Whether the path leaves the waypath there.
    pub leaves: bool,
}
