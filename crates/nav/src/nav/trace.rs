//! Debug trace: the raw path and the line-of-sight tests. For pictures and reports.

use glam::DVec2;

/// The path before shortening, and the tests that shortened it.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct PathTrace {
    /// Every node of the raw path (in a plain grid every cell), from the exact start to the exact goal. A snapped end
    /// is the centre of its node. Metres. Empty if there was nothing to shorten.
    pub points: Vec<DVec2>,
    /// The line-of-sight tests that decided the path, in order.
    pub tries: Vec<Try>,
}

/// One line-of-sight test made while shortening.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Try {
    /// The start of the line, in metres.
    pub from: DVec2,
    /// The end of the line, in metres.
    pub to: DVec2,
    /// Whether a character can walk along the line.
    pub clear: bool,
    /// The first blocked point on the line. `None` if nothing blocks the line, or only a character does.
    pub blocked_at: Option<DVec2>,
}

impl PathTrace {
    /// The trace of a path that is a single straight line.
    pub(crate) fn straight(begin: DVec2, end: DVec2) -> Self {
        let line = Try { from: begin, to: end, clear: true, blocked_at: None };
        Self { points: vec![begin, end], tries: vec![line] }
    }
}
