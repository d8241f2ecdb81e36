//! Converts between metres and the characters of a terminal.

use glam::DVec2;

/// A rectangle of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellBox {
    /// The leftmost column.
    pub column: usize,
    /// The uppermost row.
    pub row: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// The projection of a room onto a canvas. A character is as high as two are wide, so it holds two square pixels, one
/// above the other. Pixels are counted from the upper left corner of the box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    cells: CellBox,
    /// The place at the upper left corner of the box, metres.
    corner: DVec2,
    m_per_px: f64,
}

/// Pixels kept free around a room on every side: its walls.
const BORDER_PX: f64 = 1.0;
/// A small room is not drawn larger than this: a hand's breadth per pixel.
const LEAST_M_PER_PX: f64 = 0.05;

impl Projection {
    /// Fits the rectangle `bounds` (metres) into the middle of a box, as large as possible.
    pub fn fit(bounds: (DVec2, DVec2), cells: CellBox) -> Self {
        let pixels = DVec2::new(cells.width as f64, cells.height as f64 * 2.0);
        let (min, max) = bounds;
        let usable = (pixels - BORDER_PX * 2.0).max(DVec2::ONE);
        let m_per_px = ((max - min) / usable).max_element().max(LEAST_M_PER_PX);
        Self { cells, corner: min.midpoint(max) - pixels * m_per_px / 2.0, m_per_px }
    }

    /// The box it fits into.
    pub fn cells(&self) -> CellBox {
        self.cells
    }

    /// Edge of a pixel, metres.
    pub fn m_per_px(&self) -> f64 {
        self.m_per_px
    }

    /// A place in pixels of the box, not rounded.
    pub fn px(&self, point: DVec2) -> DVec2 {
        (point - self.corner) / self.m_per_px
    }

    /// The place of a pixel position.
    pub fn place(&self, px: DVec2) -> DVec2 {
        self.corner + px * self.m_per_px
    }

    /// The canvas column and row of a place, if it is in the box.
    pub fn cell_of(&self, point: DVec2) -> Option<(usize, usize)> {
        let px = self.px(point).floor();
        let inside =
            |value: f64, limit: usize| (value >= 0.0 && value < limit as f64).then_some(value as usize);
        let (column, row) = (inside(px.x, self.cells.width)?, inside(px.y, self.cells.height * 2)? / 2);
        Some((self.cells.column + column, self.cells.row + row))
    }

    /// The place in the middle of a character of the canvas, if it is in the box: the target of a click there.
    pub fn place_of(&self, column: usize, row: usize) -> Option<DVec2> {
        let column = column.checked_sub(self.cells.column).filter(|&column| column < self.cells.width)?;
        let row = row.checked_sub(self.cells.row).filter(|&row| row < self.cells.height)?;
        Some(self.place(DVec2::new(column as f64 + 0.5, row as f64 * 2.0 + 1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_leads_to_a_place_and_back() {
        for (width, height) in [(20, 5), (80, 14), (81, 15), (213, 47)] {
            for (min, max) in
                [((0., 0.), (10., 8.)), ((-3.7, 0.1), (197.3, 6.0)), ((-0.4, -9.3), (0.4, 22.9))]
            {
                let cells = CellBox { column: 3, row: 2, width, height };
                let projection = Projection::fit((min.into(), max.into()), cells);
                for index in 0..width * height {
                    let cell = (3 + index % width, 2 + index / width);
                    let place = projection.place_of(cell.0, cell.1).unwrap();
                    assert_eq!(projection.cell_of(place), Some(cell), "{width}×{height}, {place}");
                }
            }
        }
    }

    #[test]
    fn what_is_outside_the_box_is_nowhere() {
        let cells = CellBox { column: 3, row: 2, width: 20, height: 5 };
        let projection = Projection::fit((DVec2::ZERO, DVec2::new(10.0, 8.0)), cells);
        for (column, row) in [(2, 3), (23, 3), (4, 1), (4, 7)] {
            assert_eq!(projection.place_of(column, row), None);
        }
        assert_eq!(projection.cell_of(DVec2::splat(1e9)), None);
        assert_eq!(projection.cell_of(DVec2::splat(f64::NAN)), None);
    }

    #[test]
    fn a_room_fits_with_its_walls() {
        let cells = CellBox { column: 0, row: 0, width: 40, height: 12 };
        let projection = Projection::fit((DVec2::ZERO, DVec2::new(10.0, 8.0)), cells);
        let (low, high) = (projection.px(DVec2::ZERO), projection.px(DVec2::new(10.0, 8.0)));
        assert!(low.min_element() > 0.99 && high.x < 39.01 && high.y < 23.01, "{low} {high}");
    }
}
