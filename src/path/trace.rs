//! How a path came about, for pictures and reports: the way as it was searched, and the lines that shortening tried.

use super::raw_path::RawPath;
use crate::space::{Ground, Overlay};
use glam::DVec2;

/// A path before it was made short.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PathTrace {
    /// Every node of the way (in a grid every cell), between the real ends. Metres. Empty where there is no way.
    pub points: Vec<DVec2>,
    /// The lines of sight that decided the path, in the order in which they were tried.
    pub tries: Vec<Try>,
}

/// A line that shortening tried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Try {
    /// Where it begins, metres.
    pub from: DVec2,
    /// Where it ends.
    pub to: DVec2,
    /// Whether one can walk along it.
    pub clear: bool,
    /// The middle of the first cell that is in its way; `None` if nothing is, or somebody who stands there.
    pub blocked_at: Option<DVec2>,
}

impl Try {
    pub(super) fn new(ground: &Ground, from: DVec2, to: DVec2, clear: bool) -> Self {
        let walls = !clear && !ground.segment_clear(from, to);
        Self { from, to, clear, blocked_at: walls.then(|| ground.first_blocked(from, to)) }
    }
}

impl PathTrace {
    /// A straight line that was taken without a search.
    pub(super) fn straight(begin: DVec2, end: DVec2) -> Self {
        let line = Try { from: begin, to: end, clear: true, blocked_at: None };
        Self { points: vec![begin, end], tries: vec![line] }
    }

    /// Takes the points of a raw path.
    pub(super) fn take_points(&mut self, ground: &Ground, raw: &RawPath) {
        self.points.extend(raw.spots().map(|spot| ground.point_at(spot)));
        raw.restore_ends(&mut self.points);
    }

    /// The lines that decide how a string is pulled: from each bend to the next one, and from there to the point behind that one, which is
    /// out of sight.
    pub(super) fn add_pulled(&mut self, ground: &Ground, short: &[DVec2], overlay: &Overlay) {
        for leg in short.windows(2) {
            let behind = self.points.iter().rposition(|&point| point == leg[1]).map(|place| place + 1);
            if let Some(&next) = behind.and_then(|place| self.points.get(place)) {
                let clear = ground.segment_clear_of(leg[0], next, overlay);
                self.tries.push(Try::new(ground, leg[0], next, clear));
            }
            self.tries.push(Try::new(ground, leg[0], leg[1], true));
        }
    }
}
