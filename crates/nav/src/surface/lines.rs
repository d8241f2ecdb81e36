//! Straight lines: whether a segment is walkable, and what blocks a line of vision.

use super::{Located, Surface};
use crate::nav::{Corridor, FloorId, HiddenBy, Position};
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

    /// The position after a push in a straight line. `None` if it is blocked. Unlike a walk, a push leads down no ledge:
    /// portals that lead one way only are walls.
    pub fn push_straight(&self, from: impl Located, to: DVec2) -> Option<Position> {
        let from = self.locate(from);
        match self {
            Self::Grid(_) => self.walk_straight(from, to),
            Self::Mesh(mesh) => mesh.push_straight(from, to),
        }
    }

    /// Moves towards a point, as far as walls allow, and slides along them: Detour's `moveAlongSurface`, over polygons or
    /// cells. The end is walkable. It is `to` if the straight way is clear; then the answer is that of
    /// [`Surface::walk_straight`]. A long move may slip round a corner, and its work grows with the ground within the
    /// circle over it; divide it into steps of a body radius.
    ///
    /// `None` if a coordinate is not finite, or `from` is not walkable.
    pub fn move_along(&self, from: impl Located, to: DVec2) -> Option<Position> {
        let from = self.locate(from);
        match self {
            Self::Grid(grid) => grid.move_along(from.at, to).map(Position::on_ground),
            Self::Mesh(mesh) => mesh.move_along(from, to),
        }
    }

    /// [`Surface::move_along`] with the polygons walked through, from that of the start to that of the end. Ground of cells
    /// has none.
    pub fn move_through(&self, from: impl Located, to: DVec2) -> Option<(Position, Vec<FloorId>)> {
        let from = self.locate(from);
        match self {
            Self::Grid(_) => self.move_along(from, to).map(|end| (end, Vec::new())),
            Self::Mesh(mesh) => mesh.move_through(from, to),
        }
    }

    /// The position after a push that a wall stops: the push slides along the wall. It is in a straight line from `from`.
    /// `None` if little is left of the push. For steps that a character takes itself, see [`Surface::move_along`].
    pub fn slide(&self, from: impl Located, by: DVec2) -> Option<Position> {
        let from = self.locate(from);
        match self {
            Self::Grid(grid) => grid.slide(from.at, by).map(Position::on_ground),
            Self::Mesh(mesh) => mesh.slide(from, by),
        }
    }

    /// Leads a walker that was pushed off its path back to it, without a search. False if that cannot be done: the path
    /// has to be found again. Only on ground whose paths keep their polygons.
    pub fn mend(&self, corridor: &mut Corridor, position: Position) -> bool {
        match self {
            Self::Grid(_) => false,
            Self::Mesh(mesh) => mesh.mend(corridor, position),
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
