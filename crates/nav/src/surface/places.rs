//! Places: their positions, whether they are walkable, and the nearest walkable ones.

use super::{Located, Surface};
use crate::nav::{Anchor, FloorId, Place, Position, Region};
use glam::DVec2;

impl Surface {
    /// The position of a place, walkable or not. It lies on the floor nearest to the height of the place. Without a
    /// height, it lies on the topmost floor. A [`Position`] is returned unchanged.
    pub fn locate(&self, place: impl Located) -> Position {
        place.position_on(self)
    }

    /// The place of a position. It has a height if positions of this ground differ in height.
    pub fn place_of(&self, position: impl Located) -> Place {
        let position = self.locate(position);
        let y_m = self.has_heights().then(|| self.height_m(position));
        Place { at: position.at, y_m }
    }

    /// The same place on this ground, which replaces an older one. A character on the border of its floor stays on its
    /// side of the border.
    pub(crate) fn relocated(&self, old: &Self, position: Position) -> Position {
        let there = self.locate(old.place_of(position));
        let Self::Mesh(mesh) = old else { return there };
        let beside = Position { at: mesh.inner_point(position), ..position };
        let there_too = Position { at: position.at, floor: self.locate(old.place_of(beside)).floor };
        if self.is_walkable(there_too) && self.floors_touch(there, there_too) { there_too } else { there }
    }

    /// The polygon of a position, if the ground is a mesh.
    pub fn floor_of(&self, position: Position) -> Option<FloorId> {
        matches!(self, Self::Mesh(_)).then_some(position.floor)
    }

    /// Whether positions of the ground differ in height.
    pub fn has_heights(&self) -> bool {
        ask!(self, ground => ground.has_heights())
    }

    /// Whether two positions are on one storey, so that characters there can interact. Only meaningful for positions
    /// that are near each other on the plane.
    pub fn floors_touch(&self, one: impl Located, other: impl Located) -> bool {
        let (one, other) = (self.locate(one), self.locate(other));
        one.floor == other.floor || ask!(self, ground => ground.floors_touch(one, other))
    }

    /// Whether a character's centre may be at a position.
    pub fn is_walkable(&self, position: impl Located) -> bool {
        let position = self.locate(position);
        ask_at!(self, [position], ground => ground.is_walkable(position))
    }

    /// Whether there is any walkable ground.
    pub fn has_ground(&self) -> bool {
        ask!(self, ground => ground.has_ground())
    }

    /// The walkable place nearest to a point, by straight-line distance. `None` if none is within `reach_m`.
    pub fn nearest(&self, position: impl Located, reach_m: f64) -> Option<Position> {
        let position = self.locate(position);
        match self {
            Self::Grid(grid) => grid.nearest_place(position.at, reach_m).map(Position::on_ground),
            Self::Mesh(mesh) => mesh.nearest_place(position, reach_m),
        }
    }

    /// The nearest walkable place that `accept` takes, within `reach_m`. On a mesh, `accept` is asked for the nearest point
    /// of each polygon.
    pub(crate) fn nearest_where(
        &self,
        position: Position,
        reach_m: f64,
        accept: impl Fn(Position) -> bool,
    ) -> Option<Position> {
        match self {
            Self::Grid(grid) => {
                let accept = |at| accept(Position::on_ground(at));
                grid.nearest_where(position.at, reach_m, accept).map(Position::on_ground)
            }
            Self::Mesh(mesh) => mesh.nearest_where(position, reach_m, accept),
        }
    }

    /// The nearest walkable place of the same storey within 20 m, or else the nearest of all.
    pub(crate) fn nearest_on_storey(&self, position: Position) -> Option<Position> {
        let here = match self {
            Self::Grid(_) => None,
            Self::Mesh(mesh) => mesh.nearest_on_storey(position),
        };
        here.or_else(|| self.nearest(position, f64::INFINITY))
    }

    /// Whether a place is at the height of its floor, and not a storey or more above or below it. Places without a
    /// height are.
    pub fn is_at_a_floor(&self, place: Place) -> bool {
        match self {
            Self::Grid(_) => true,
            Self::Mesh(mesh) => mesh.is_at_a_floor(place),
        }
    }

    /// The distance between a place and the place where a walk to it ended, in metres: on the plane on one storey,
    /// otherwise in space.
    pub fn missed_m(&self, wanted: Place, reached: Position) -> f64 {
        let is_on_storey = self.is_at_a_floor(wanted) && self.floors_touch(self.locate(wanted), reached);
        match is_on_storey {
            true => wanted.distance(reached),
            false => self.place_of(reached).distance_in_space(wanted),
        }
    }

    /// The anchor where a walk can begin or end: the point itself if it is walkable, otherwise the nearest walkable
    /// place within `snap_m`.
    pub fn anchor(&self, position: impl Located, snap_m: f64) -> Option<Anchor> {
        let position = self.locate(position);
        ask_at!(self, [position], ground => ground.anchor(position, snap_m))
    }

    /// An anchor at the unsnapped point. Its search node is the node of the point, or the nearest one within
    /// `snap_m`.
    pub fn node_anchor(&self, position: impl Located, snap_m: f64) -> Option<Anchor> {
        let position = self.locate(position);
        ask_at!(self, [position], ground => ground.node_anchor(position, snap_m))
    }

    /// The same anchor on a variant of the ground that it is on.
    pub(crate) fn anchor_again(&self, anchor: &Anchor) -> Anchor {
        match self {
            Self::Grid(_) => *anchor,
            Self::Mesh(mesh) => mesh.anchor_again(anchor),
        }
    }

    /// The height of a position, in metres.
    pub fn height_m(&self, position: impl Located) -> f64 {
        let position = self.locate(position);
        ask!(self, ground => ground.height_m(position))
    }

    /// A random place in a region, and the work of sampling, in expansions of a search. Every place is equally likely.
    /// `Some((None, work))` if the region contains no place; `None` if sampling exceeds `most_work`.
    pub fn random_place(
        &self,
        region: &Region,
        most_work: u64,
        draw: impl FnMut() -> f64,
    ) -> Option<(Option<Position>, u64)> {
        match self {
            Self::Grid(grid) => {
                let (found, work) = grid.random_place(region, most_work, draw)?;
                Some((found.map(Position::on_ground), work))
            }
            Self::Mesh(mesh) => mesh.random_place(region, most_work, draw),
        }
    }

    /// The spatial resolution of the ground, in metres: the edge of a cell.
    pub fn resolution_m(&self) -> f64 {
        ask!(self, ground => ground.resolution_m())
    }

    /// The distance from one node of the ground to the next, in metres: of an edge of a cell, or in a painted room of its
    /// samples. A hair on a mesh.
    pub(crate) fn node_step_m(&self) -> f64 {
        match self {
            Self::Grid(grid) => grid.node_spacing_cells() * grid.resolution_m(),
            Self::Mesh(mesh) => mesh.resolution_m(),
        }
    }

    /// The bounding rectangle of the ground: smallest and largest coordinates, in metres.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        ask!(self, ground => ground.bounds())
    }

    /// The walkable area, in square metres.
    pub fn walkable_m2(&self) -> f64 {
        ask!(self, ground => ground.walkable_m2())
    }

    /// Upper bound on the number of nodes of a search.
    pub fn node_limit(&self) -> usize {
        ask!(self, ground => ground.node_limit())
    }

    /// The cost of a full scan of the ground, in cells.
    pub fn size(&self) -> usize {
        ask!(self, ground => ground.size())
    }
}
