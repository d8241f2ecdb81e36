//! The ground in cells: as the search sees it, and as the file of a grid room gives it.

use crate::grid::{CutOff, Grid};
use crate::room::GridCells;
use glam::DVec2;
use std::sync::Arc;

/// Ground that a file gives cell by cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Floor {
    /// The place of the cells, and which of them are walkable.
    pub cells: Arc<GridCells>,
    /// Edge of a cell, metres.
    pub size_m: f64,
}

/// Which cells of the ground are walkable.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// The corner of the first cell with the smallest coordinates, metres.
    pub min: DVec2,
    /// Edge of a cell, metres.
    pub size_m: f64,
    /// Cells along x.
    pub width: usize,
    /// Cells along z.
    pub depth: usize,
    /// Row by row, z ascending.
    pub walkable: Vec<bool>,
    /// The walkable cells cut off from the main part, if requested; else empty.
    pub cut_off: Vec<bool>,
    /// Whether the main part is that of the player, not the largest.
    pub from_player: bool,
}

impl Floor {
    /// The rectangle of all walkable cells, `(min, max)` in metres; the whole grid if no cell is walkable.
    pub fn extent(&self) -> (DVec2, DVec2) {
        let all = || (0..self.cells.width(), 0..self.cells.depth());
        let (columns, rows) = self.cells.walkable_extent().unwrap_or_else(all);
        (self.corner(columns.start, rows.start), self.corner(columns.end, rows.end))
    }

    /// The corner of a cell with the smallest coordinates, metres.
    pub fn corner(&self, column: u32, row: u32) -> DVec2 {
        self.cells.min + DVec2::new(f64::from(column), f64::from(row)) * self.size_m
    }

    /// Whether a place is walkable.
    pub fn is_walkable(&self, place: DVec2) -> bool {
        let cell = ((place - self.cells.min) / self.size_m).floor();
        let inside = |v: f64| (0.0..f64::from(u32::MAX)).contains(&v);
        inside(cell.x) && inside(cell.y) && self.cells.is_walkable(cell.x as u32, cell.y as u32)
    }

    /// Whether a place lies in the rectangle of all walkable cells.
    pub(super) fn surrounds(&self, place: DVec2) -> bool {
        let (min, max) = self.extent();
        place.cmpge(min).all() && place.cmplt(max).all()
    }
}

impl Cells {
    /// The cells of a grid.
    pub fn of(grid: &Grid) -> Self {
        let (frame, walkable) = (grid.frame(), grid.walkable_cells());
        let (width, depth) = (frame.width as usize, frame.depth as usize);
        let (min, size_m) = (frame.min, frame.cell_size_m);
        Self { min, size_m, width, depth, walkable, cut_off: Vec::new(), from_player: false }
    }

    /// The cells of a grid room.
    pub(super) fn of_floor(floor: &Floor) -> Self {
        let (width, depth) = (floor.cells.width(), floor.cells.depth());
        let walkable = (0..depth).flat_map(|z| (0..width).map(move |x| floor.cells.is_walkable(x, z)));
        let walkable = walkable.collect();
        let (min, size_m) = (floor.cells.min, floor.size_m);
        let (width, depth) = (width as usize, depth as usize);
        Self { min, size_m, width, depth, walkable, cut_off: Vec::new(), from_player: false }
    }

    /// The same, with what is cut off.
    pub(super) fn with_cut_off(self, cut_off: CutOff) -> Self {
        Self { cut_off: cut_off.nodes, from_player: cut_off.from_player, ..self }
    }

    /// Whether the cell at this column and row is walkable, but cut off.
    pub(super) fn is_cut_off(&self, column: usize, row: usize) -> bool {
        column < self.width && self.cut_off.get(row * self.width + column).copied().unwrap_or(false)
    }

    /// Whether the cell at this column and row is walkable.
    pub fn is_walkable(&self, column: usize, row: usize) -> bool {
        column < self.width && self.walkable.get(row * self.width + column).copied().unwrap_or(false)
    }

    /// The middle of a cell, metres.
    pub fn centre(&self, column: usize, row: usize) -> DVec2 {
        self.min + (DVec2::new(column as f64, row as f64) + 0.5) * self.size_m
    }
}
