//! A place that a search can begin or end at.

use super::Position;

/// A place on the ground together with the node of the search graph it belongs to. Made by a ground, and understood by
/// that ground only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// Where a walk begins or ends.
    pub at: Position,
    /// The node, by the ground's own numbers. `None` where the place sees no node, as in a pocket of a painted room.
    pub(crate) node: Option<u32>,
}
