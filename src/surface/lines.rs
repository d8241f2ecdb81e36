//! Straight lines: walking along them, and seeing.

use super::{Located, Surface};
use crate::nav::{HiddenBy, Position};
use glam::DVec2;

impl Surface {
    /// Whether a character can walk from one point to another in a straight line.
    pub fn segment_clear(&self, from: impl Located, to: impl Located) -> bool {
        let (from, to) = (self.locate(from), self.locate(to));
        self.floors_touch(from, to) && ask_at!(self, from, ground => ground.segment_clear(from.at, to.at))
    }

    /// The position at the end of a straight walk, if nothing blocks it.
    pub fn walk_straight(&self, from: impl Located, to: DVec2) -> Option<Position> {
        let from = self.locate(from);
        ask_at!(self, from, ground => ground.segment_clear(from.at, to).then(|| ground.locate(to.into())))
    }

    /// The first blocked place on a straight line, or its end if nothing blocks it.
    pub fn first_blocked(&self, from: impl Located, to: DVec2) -> DVec2 {
        let from = self.locate(from);
        ask_at!(self, from, ground => ground.first_blocked(from.at, to))
    }

    /// Whether a straight line is a way that a search over nodes may not find. Always false on a plain grid.
    pub fn is_straight_way(&self, from: impl Located, to: impl Located) -> bool {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, from, ground => ground.is_straight_way(from.at, to.at))
    }

    /// What hides one place from another, the nearest to `from` if several do.
    pub fn hidden_by(&self, from: impl Located, to: impl Located) -> Option<HiddenBy> {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, from, ground => ground.hidden_by(from.at, to.at))
    }

    /// Whether a place lies on ground that characters can see over.
    pub fn is_lit(&self, position: impl Located) -> bool {
        let position = self.locate(position);
        ask_at!(self, position, ground => ground.is_lit(position.at))
    }

    /// What asking [`Surface::hidden_by`] once costs, in corners and cells looked at.
    pub fn sight_work(&self, from: impl Located, to: impl Located) -> u64 {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, from, ground => ground.sight_work(from.at, to.at))
    }
}
