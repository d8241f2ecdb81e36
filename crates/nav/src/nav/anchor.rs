//! Points that a search can begin or end at.

use super::Position;

/// A point with its search node. Usually the point is snapped to walkable ground. An anchor is created by a ground,
/// and is valid for that ground only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The point where a walk begins or ends.
    pub at: Position,
    /// The search node, numbered by the ground. `None` if no node is in line of sight, as in a
    /// [pocket](crate::nav#terms).
    pub(crate) node: Option<u32>,
}
