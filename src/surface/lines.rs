//! Straight lines: whether a segment is walkable, and what blocks a line of vision.

use super::{Located, Surface};
use crate::nav::{HiddenBy, Position};
use glam::DVec2;

impl Surface {
    /// Whether a character can walk from one point to another in a straight line.
    pub fn segment_clear(&self, from: impl Located, to: impl Located) -> bool {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, [from, to], ground => ground.segment_clear(from, to))
    }

    /// The position at the end of a straight walk. `None` if the walk is blocked.
    pub fn walk_straight(&self, from: impl Located, to: DVec2) -> Option<Position> {
        let from = self.locate(from);
        match self {
            Self::Grid(grid) => grid.segment_clear(from.at, to).then(|| Position::on_ground(to)),
            Self::Mesh(mesh) => mesh.walk_straight(from, to),
        }
    }

    /// The position after a short move that a wall stops: the move slides along the wall. It is in a straight line from
    /// `from`. `None` if nothing is left of the move.
    pub fn slide(&self, from: impl Located, by: DVec2) -> Option<Position> {
        let from = self.locate(from);
        match self {
            Self::Grid(grid) => grid.slide(from.at, by).map(Position::on_ground),
            Self::Mesh(mesh) => mesh.slide(from, by),
        }
    }

    /// The first blocked place on the line, to within one row or column of cells; the end of the line if it is clear.
    pub fn first_blocked(&self, from: impl Located, to: DVec2) -> DVec2 {
        let from = self.locate(from);
        ask_at!(self, [from], ground => ground.first_blocked(from, to))
    }

    /// Whether the segment is walkable although the node graph may not contain it (painted rooms). Always false on a
    /// plain grid.
    pub fn is_straight_way(&self, from: impl Located, to: impl Located) -> bool {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, [from, to], ground => ground.is_straight_way(from, to))
    }

    /// The first thing that blocks the line of vision, seen from `from`. `None` if `to` is visible.
    pub fn hidden_by(&self, from: impl Located, to: impl Located) -> Option<HiddenBy> {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, [from, to], ground => ground.hidden_by(from, to))
    }

    /// Whether lines of vision may cross this point.
    pub fn is_lit(&self, position: impl Located) -> bool {
        let position = self.locate(position);
        ask_at!(self, [position], ground => ground.is_lit(position))
    }

    /// The cost of one call of [`Surface::hidden_by`], in corners and cells tested.
    pub fn sight_work(&self, from: impl Located, to: impl Located) -> u64 {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, [from, to], ground => ground.sight_work(from, to))
    }
}
