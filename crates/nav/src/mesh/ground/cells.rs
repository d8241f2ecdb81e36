//! Meshes that are made of cells: what the cells answer for them.

use super::shape::Shape;
use super::{Mesh, in_words};
use crate::grid::Grid;
use crate::mesh::build;
use crate::nav::{Anchor, AreaId, GroundError, Position};
use crate::room::Room;
use glam::DVec2;
use std::sync::Arc;

impl Mesh {
    /// The mesh of the cells of a room. `grid` has the given availability of areas.
    pub(super) fn of_cells(room: &Room, grid: Grid, available: Vec<bool>) -> Result<Self, GroundError> {
        let plan = build::cells::blueprint(&grid, room.ground.floor_y_m);
        let shape = Shape::new(room, &plan).map_err(in_words)?;
        Ok(Self::of_shape(Arc::new(shape), Some(Arc::new(grid)), available))
    }

    /// The cells that the polygons are made of, if they are.
    pub(crate) fn cells(&self) -> Option<&Grid> {
        self.cells.as_deref()
    }

    /// The point of a position for questions about areas and lines of vision, moved off the border of its polygon by a
    /// hair. Paths run along walls, and a point exactly on a border belongs to one side of it, which may be the wall's.
    pub(super) fn off_border(&self, position: Position) -> DVec2 {
        match self.polygon_of(position).filter(|&polygon| self.is_on(polygon, position.at)) {
            Some(polygon) => {
                let (min, max) = self.shape.polygons.rectangle(polygon);
                let middle = min.midpoint(max);
                position.at.clamp((min + HAIR_M).min(middle), (max - HAIR_M).max(middle))
            }
            None => position.at,
        }
    }

    /// A position at a point of the cells.
    fn of_point(&self, at: DVec2) -> Position {
        self.locate(at.into())
    }

    /// The nearest place of an area, as the cells have it.
    pub(super) fn nearest_in_area_of_cells(
        &self,
        cells: &Grid,
        area: AreaId,
        from: Position,
        start: Option<&Anchor>,
    ) -> (Option<Position>, u64) {
        // The cell of the start, also if the start is on the border of its polygon.
        let start = start.and_then(|start| cells.node_anchor(start.at.at, cells.resolution_m()));
        let (nearest, looked_at) = cells.nearest_in_area(area, from.at, start.as_ref());
        (nearest.map(|at| self.of_point(at)), looked_at)
    }

    /// Where a path enters an area: a point on ground of the area, clear of the area's border if the path comes to one.
    pub(super) fn enters_area_of_cells(
        &self,
        cells: &Grid,
        area: AreaId,
        from: Position,
        path: &[Position],
    ) -> Option<Position> {
        let step_m = cells.resolution_m() / STEPS_OF_CELL;
        let (mut at, mut border) = (from, None);
        for &to in path {
            let steps = ((at.distance(to) / step_m).ceil() as u32).max(1);
            for step in 0..=steps {
                let point = at.at.lerp(to.at, f64::from(step) / f64::from(steps));
                let position = self.of_point(point);
                if self.area_contains(area, position) {
                    if self.is_walkable(position) && cells.is_inset(area, point) {
                        return Some(position);
                    }
                    border = border.or_else(|| self.is_walkable(position).then_some(position));
                }
            }
            at = to;
        }
        border
    }
}

/// How far points are moved off borders, in metres: more than lines may end beyond a polygon, less than any cell.
pub(super) const HAIR_M: f64 = 2e-6;

/// The points along a path, in a cell, that are tested for an area.
const STEPS_OF_CELL: f64 = 4.0;

/// The room with every cell as a node.
pub(super) fn without_sampling(room: &Room) -> Room {
    let mut room = room.clone();
    room.ground.sampling = None;
    room
}
