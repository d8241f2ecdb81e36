//! Where to run from something.

use super::Position;

/// What is fled from, and how far is far enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threat {
    /// Where it is.
    pub at: Position,
    /// How far away is far enough, in metres as the crow flies.
    pub distance_m: f64,
}

/// Where to run.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Refuge {
    /// Where it is.
    pub at: Position,
    /// Whether it is far enough away; else it is the farthest place within reach.
    pub is_far: bool,
    /// Whether everything within reach was looked at; else there may be a better one.
    pub is_last_word: bool,
    /// The work of finding it, in expansions.
    pub work: u64,
}
