//! How a path came about, for pictures and reports: the way as it was searched, and the lines that shortening tried.

use glam::DVec2;

/// A path before it was made short.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct PathTrace {
    /// Every node of the way (in a grid every cell), between the real ends. Metres. Empty where there is no way.
    pub points: Vec<DVec2>,
    /// The lines of sight that decided the path, in the order in which they were tried.
    pub tries: Vec<Try>,
}

/// A line that shortening tried.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Try {
    /// Where it begins, metres.
    pub from: DVec2,
    /// Where it ends.
    pub to: DVec2,
    /// Whether a character can walk along it.
    pub clear: bool,
    /// The first blocked place on it; `None` if nothing blocks it, or a character does.
    pub blocked_at: Option<DVec2>,
}

impl PathTrace {
    /// A straight line that was taken without a search.
    pub(crate) fn straight(begin: DVec2, end: DVec2) -> Self {
        let line = Try { from: begin, to: end, clear: true, blocked_at: None };
        Self { points: vec![begin, end], tries: vec![line] }
    }
}
