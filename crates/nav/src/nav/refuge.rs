//! Fleeing: threat and destination.

use super::Position;

/// A threat to flee from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threat {
    /// The position of the threat.
    pub at: Position,
    /// The straight-line distance that is far enough, in metres.
    pub distance_m: f64,
}

/// A destination to flee to.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Refuge {
    /// The destination.
    pub at: Position,
    /// Whether the destination is far enough from the threat. If false, it is the farthest one that was found.
    pub is_far: bool,
    /// Whether the search was complete. If false, the budget ran out, and a better destination may exist.
    pub is_complete: bool,
    /// The [work](crate::nav#terms) of the search.
    pub work: u64,
}
