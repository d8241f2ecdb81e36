//! Links as paths use them: which link, in which direction, and where on a path.

use serde::{Deserialize, Serialize};

/// Link id, unique in a world. Ids are never reused. A link keeps its id when its file changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LinkId(pub u32);

/// One direction of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LinkWay {
    /// The link.
    pub link: LinkId,
    /// Whether it leads from the link's end to its beginning.
    pub backward: bool,
}

/// Where a path crosses a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCrossing {
    /// The link, and the direction.
    pub way: LinkWay,
    /// Index of the waypoint where the crossing begins. It ends at the next waypoint.
    pub waypoint: usize,
    /// Number of floors that the path goes through before the crossing.
    pub floors: usize,
}
