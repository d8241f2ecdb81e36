//! The query mask: the cells of a field that an [`Overlay`] covers, as bits beside the grid's own. Nothing is copied,
//! and clearing touches only the covered cells.

use super::field::STRIDE;
use super::raster::Raster;
use super::{Grid, Node, Overlay};

/// The covered cells, by row and by column. The memory is reused from query to query; in between, it is empty.
#[derive(Debug, Clone)]
pub(crate) struct QueryMask {
    rows: Raster,
    columns: Raster,
    /// Coarse squares that hold a covered cell.
    coarse: Raster,
    cells: Vec<(u32, u32)>,
    /// The rectangle around all covered cells: smallest and largest column and row.
    around: ((u32, u32), (u32, u32)),
}

/// The edge of the coarse squares, as a power of two.
const COARSE: u32 = 3;

/// Up to this many cells are tested one by one.
const FEW: usize = 64;

/// The rectangle around no cell.
const NOTHING: ((u32, u32), (u32, u32)) = ((u32::MAX, u32::MAX), (0, 0));

impl Default for QueryMask {
    fn default() -> Self {
        let none = || Raster::new(0, 0);
        Self { rows: none(), columns: none(), coarse: none(), cells: Vec::new(), around: NOTHING }
    }
}

impl Grid {
    /// Whether there is a free edge between two neighbouring nodes, given by column and row, in a field with four
    /// directions.
    pub(crate) fn is_joined(&self, mask: &QueryMask, one: (u32, u32), other: (u32, u32)) -> bool {
        let [one, other] = [one, other].map(|(x, z)| (STRIDE * x, STRIDE * z));
        let edge = (one.0.midpoint(other.0), one.1.midpoint(other.1));
        [edge, other].into_iter().all(|cell| self.field_holds(cell) && !mask.covers(cell))
    }
}

impl QueryMask {
    /// Covers the cells that the overlay covers for a search that starts in a node, and no others.
    pub(crate) fn set(&mut self, ground: &Grid, overlay: &Overlay, start: Node) {
        self.clear();
        if overlay.is_empty() {
            return;
        }
        let (width, depth) = ground.field_size();
        if (self.rows.width(), self.rows.depth()) != (width, depth) {
            (self.rows, self.columns) = (Raster::new(width, depth), Raster::new(depth, width));
            self.coarse = Raster::new((width >> COARSE) + 1, (depth >> COARSE) + 1);
        }
        ground.for_each_covered(overlay, start, |cell, on| {
            self.put(cell, on);
            self.coarse.set(cell.0 >> COARSE, cell.1 >> COARSE, true);
            self.cells.push(cell);
            let (low, high) = &mut self.around;
            *low = (low.0.min(cell.0), low.1.min(cell.1));
            *high = (high.0.max(cell.0), high.1.max(cell.1));
        });
    }

    /// Clears the mask.
    pub(crate) fn clear(&mut self) {
        while let Some(cell) = self.cells.pop() {
            self.put(cell, false);
            self.coarse.set(cell.0 >> COARSE, cell.1 >> COARSE, false);
        }
        self.around = NOTHING;
    }

    /// Whether nothing is covered.
    pub(crate) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether a cell is covered.
    pub(crate) fn covers(&self, (x, z): (u32, u32)) -> bool {
        !self.is_empty() && self.rows.get(x, z)
    }

    /// Whether a cell in these columns and rows may be covered, both ends included. False is certain.
    pub(super) fn any_in(&self, low: (u32, u32), high: (u32, u32)) -> bool {
        let (first, last) = self.around;
        if first.0 > high.0 || first.1 > high.1 || last.0 < low.0 || last.1 < low.1 {
            return false;
        }
        let columns = low.0 >> COARSE..(high.0 >> COARSE) + 1;
        let last = self.coarse.depth() - 1;
        let inside = |&(x, z): &(u32, u32)| low.0 <= x && x <= high.0 && low.1 <= z && z <= high.1;
        (low.1 >> COARSE..=(high.1 >> COARSE).min(last)).any(|z| self.coarse.any_in(z, columns.clone()))
            && (self.cells.len() > FEW || self.cells.iter().any(inside))
    }

    pub(super) fn bits(&self) -> (&Raster, &Raster) {
        (&self.rows, &self.columns)
    }

    fn put(&mut self, (x, z): (u32, u32), on: bool) {
        self.rows.set(x, z, on);
        self.columns.set(z, x, on);
    }
}
