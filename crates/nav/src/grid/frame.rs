//! The position of a grid in the world: `cell = floor((world - min) / cell_size)`, `centre = min + (cell + 0.5) *
//! cell_size`.

use crate::room::in_pixels;
use glam::{DVec2, I64Vec2};
use std::ops::Range;

/// Position, cell size and extent of a grid on the XZ plane. `DVec2::y` is the world's z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The corner of cell (0, 0) with the smallest coordinates, in metres.
    pub min: DVec2,
    /// Edge of a cell in metres.
    pub cell_size_m: f64,
    /// Pixels per metre, if the room file gives it. Multiplying by it finds the cell edges exactly.
    pub cells_per_m: Option<f64>,
    /// Cells along x.
    pub width: u32,
    /// Cells along z.
    pub depth: u32,
}

impl Frame {
    /// The number of cells.
    pub fn len(&self) -> usize {
        self.width as usize * self.depth as usize
    }

    /// Whether the frame has no cell at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The corner opposite [`Frame::min`], in metres.
    pub fn max(&self) -> DVec2 {
        self.corner(self.width, self.depth)
    }

    /// A world point in units of cells, not rounded.
    pub(super) fn in_cells(&self, point: DVec2) -> DVec2 {
        match self.cells_per_m {
            Some(cells_per_m) => in_pixels(point - self.min, cells_per_m),
            None => (point - self.min) / self.cell_size_m,
        }
    }

    /// The cell that holds a point; it may lie outside the grid. Coordinates of absurdly distant points are clamped,
    /// so that arithmetic on cells cannot overflow.
    pub(super) fn cell_at(&self, point: DVec2) -> I64Vec2 {
        const VERY_FAR: DVec2 = DVec2::splat(1e12);
        self.in_cells(point).floor().clamp(-VERY_FAR, VERY_FAR).as_i64vec2()
    }

    /// The middle of a cell, in metres.
    pub(super) fn centre(&self, cell: I64Vec2) -> DVec2 {
        self.min + (cell.as_dvec2() + 0.5) * self.cell_size_m
    }

    /// The corner of a cell with the smallest coordinates, in metres.
    pub(crate) fn corner(&self, x: u32, z: u32) -> DVec2 {
        self.min + DVec2::new(f64::from(x), f64::from(z)) * self.cell_size_m
    }

    /// Whether the grid has this cell.
    pub(super) fn holds(&self, cell: I64Vec2) -> bool {
        (0..i64::from(self.width)).contains(&cell.x) && (0..i64::from(self.depth)).contains(&cell.y)
    }

    /// Row-major index of a cell of the grid.
    pub(super) fn index(&self, cell: I64Vec2) -> u32 {
        debug_assert!(self.holds(cell));
        (cell.y as u32) * self.width + cell.x as u32
    }

    /// The cell with this row-major index.
    pub(super) fn cell_of(&self, index: u32) -> I64Vec2 {
        I64Vec2::new(i64::from(index % self.width), i64::from(index / self.width))
    }

    /// The cells whose centres can lie within `min`–`max` (metres), clipped to the grid.
    pub(super) fn cells_within(&self, min: DVec2, max: DVec2) -> CellRect {
        let last = I64Vec2::new(i64::from(self.width), i64::from(self.depth));
        let clip = |p: I64Vec2| p.clamp(I64Vec2::ZERO, last);
        CellRect { min: clip(self.cell_at(min)), max: clip(self.cell_at(max) + 1) }
    }
}

/// A half-open rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CellRect {
    pub(super) min: I64Vec2,
    pub(super) max: I64Vec2,
}

impl CellRect {
    /// Columns and rows as a rectangle; an empty one if there are none.
    pub(super) fn of(cells: Option<(Range<u32>, Range<u32>)>) -> Self {
        let corner = |x: u32, z: u32| I64Vec2::new(i64::from(x), i64::from(z));
        let (columns, rows) = cells.unwrap_or((0..0, 0..0));
        Self { min: corner(columns.start, rows.start), max: corner(columns.end, rows.end) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.min.x >= self.max.x || self.min.y >= self.max.y
    }

    /// Whether the two share a cell.
    pub(super) fn meets(self, other: Self) -> bool {
        self.min.cmplt(other.max).all() && other.min.cmplt(self.max).all()
    }

    pub(super) fn union(self, other: Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => Self { min: self.min.min(other.min), max: self.max.max(other.max) },
        }
    }
}
