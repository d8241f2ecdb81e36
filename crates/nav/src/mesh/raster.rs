//! Triangles cut into the cells of a lattice on the plane.

use glam::{DVec2, DVec3};
use std::convert::Infallible;
use std::ops::Range;

/// A triangle cut by four lines has at most seven corners.
const MAX_CUT: usize = 8;

/// The first and the last cell of a stretch. A cell is left out if the stretch ends at its border.
fn cells_between(from: f64, to: f64, count: usize) -> (usize, usize) {
    let first = (from as usize).min(count - 1);
    let last = if to > from { (to.ceil() as usize).saturating_sub(1) } else { first };
    (first, last.clamp(first, count - 1))
}

/// A part of a triangle.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    corners: [DVec3; MAX_CUT],
    len: usize,
}

impl Piece {
    const NOTHING: Self = Self { corners: [DVec3::ZERO; MAX_CUT], len: 0 };

    fn corners(&self) -> &[DVec3] {
        &self.corners[..self.len]
    }

    fn push(&mut self, corner: DVec3) {
        // Rounding cannot add corners to a convex polygon, but memory must be safe from it all the same.
        if self.len < MAX_CUT {
            self.corners[self.len] = corner;
            self.len += 1;
        }
    }

    /// Makes `below` and `above` the parts on both sides of a line, along x (axis 0) or z (axis 2).
    fn cut(&self, axis: usize, at: f64, below: &mut Self, above: &mut Self) {
        (below.len, above.len) = (0, 0);
        for i in 0..self.len {
            let (a, b) = (self.corners[i], self.corners[if i + 1 == self.len { 0 } else { i + 1 }]);
            let (da, db) = (a[axis] - at, b[axis] - at);
            if da <= 0.0 {
                below.push(a);
            }
            if da >= 0.0 {
                above.push(a);
            }
            if (da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0) {
                let mut middle = a + (b - a) * (da / (da - db));
                middle[axis] = at;
                below.push(middle);
                above.push(middle);
            }
        }
    }

    /// The least and the greatest coordinate along an axis.
    pub(super) fn range(&self, axis: usize) -> (f64, f64) {
        let range = (f64::INFINITY, f64::NEG_INFINITY);
        // Coordinates are finite, and `f64::min` would ask.
        self.corners()
            .iter()
            .map(|corner| corner[axis])
            .fold(range, |(min, max), at| (if at < min { at } else { min }, if at > max { at } else { max }))
    }

    /// Whether the piece is in a cell, along an axis. One that only touches the cell is not.
    pub(super) fn is_inside(&self, axis: usize, cell: usize) -> bool {
        let (begin, end) = (cell as f64, (cell + 1) as f64);
        let is_between = |corner: &DVec3| corner[axis] > begin && corner[axis] < end;
        self.corners().iter().any(is_between) || {
            let (from, to) = self.range(axis);
            to > from || from.fract() != 0.0 || (from != begin && from != end)
        }
    }
}

/// Cuts a piece at whole numbers along an axis, and visits the slices from `first` to `last`. The rest of the piece is in
/// the last one.
fn slices<E>(
    piece: &Piece,
    axis: usize,
    first: usize,
    last: usize,
    visit: &mut impl FnMut(usize, &Piece) -> Result<(), E>,
) -> Result<(), E> {
    if first == last {
        return visit(last, piece);
    }
    // Pieces are large: what is left is in one of two places in turns, and never moved.
    let (mut slice, mut rests) = (Piece::NOTHING, [Piece::NOTHING; 2]);
    piece.cut(axis, (first + 1) as f64, &mut slice, &mut rests[0]);
    visit(first, &slice)?;
    for at in first + 1..last {
        let [one, other] = &mut rests;
        let (rest, above) = if (at - first) % 2 == 1 { (one, other) } else { (other, one) };
        rest.cut(axis, (at + 1) as f64, &mut slice, above);
        visit(at, &slice)?;
    }
    visit(last, &rests[(last - first - 1) % 2])
}

/// Cuts one triangle into cells, row by row, as Recast does.
pub(super) struct CellCutter {
    /// x and z in cells, y in metres.
    pub corners: [DVec3; 3],
    /// The number of cells along x.
    pub width: usize,
    /// The number of cells along z.
    pub depth: usize,
}

impl CellCutter {
    /// About how many cells the triangle touches.
    pub(super) fn touched(&self) -> f64 {
        let [a, b, c] = self.corners.map(|corner| DVec2::new(corner.x, corner.z));
        let around = a.distance(b) + b.distance(c) + c.distance(a);
        (b - a).perp_dot(c - a).abs() / 2.0 + around + 1.0
    }

    /// Calls `visit` with the column and row of each cell and the part of the triangle in it, and `row` after each row
    /// with the number of its cells. Cells outside the lattice are those at its border.
    ///
    /// # Errors
    /// That of a call.
    pub(super) fn rows<E>(
        &self,
        visit: &mut impl FnMut(usize, usize, &Piece) -> Result<(), E>,
        row: &mut impl FnMut(f64) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut whole = Piece { len: 3, ..Piece::NOTHING };
        whole.corners[..3].copy_from_slice(&self.corners);
        let (from, to) = whole.range(2);
        let (first, last) = cells_between(from, to, self.depth);
        slices(&whole, 2, first, last, &mut |z, cells| {
            if cells.len > 0 { row(self.cells(cells, z, visit)?) } else { Ok(()) }
        })
    }

    /// The first and the last row that the triangle touches.
    pub(super) fn touched_rows(&self) -> (usize, usize) {
        let [a, b, c] = self.corners.map(|corner| corner.z);
        cells_between(a.min(b).min(c), a.max(b).max(c), self.depth)
    }

    /// Calls `visit` with the column and row of each cell of some rows and the part of the triangle in it, as
    /// [`CellCutter::rows`] does with all. By rounding, parts depend on where these rows begin.
    pub(super) fn rows_between(&self, rows: Range<usize>, visit: &mut impl FnMut(usize, usize, &Piece)) {
        let (first, last) = self.touched_rows();
        let (low, high) = (first.max(rows.start), last.min(rows.end.saturating_sub(1)));
        if low > high {
            return;
        }
        let mut whole = Piece { len: 3, ..Piece::NOTHING };
        whole.corners[..3].copy_from_slice(&self.corners);
        let mut outside = Piece::NOTHING;
        let mut inside = whole;
        if low > first {
            whole.cut(2, low as f64, &mut outside, &mut inside);
        }
        if high < last {
            let above = inside;
            above.cut(2, (high + 1) as f64, &mut inside, &mut outside);
        }
        let mut visit = |x: usize, z: usize, piece: &Piece| {
            visit(x, z, piece);
            Ok::<_, Infallible>(())
        };
        let Ok(()) = slices(&inside, 2, low, high, &mut |z, cells| {
            if cells.len > 0 { self.cells(cells, z, &mut visit).map(|_| ()) } else { Ok(()) }
        });
    }

    /// Visits the cells of a row. Returns their number.
    fn cells<E>(
        &self,
        row: &Piece,
        z: usize,
        visit: &mut impl FnMut(usize, usize, &Piece) -> Result<(), E>,
    ) -> Result<f64, E> {
        let (from, to) = row.range(0);
        let (first, last) = cells_between(from, to, self.width);
        slices(row, 0, first, last, &mut |x, cell| if cell.len > 0 { visit(x, z, cell) } else { Ok(()) })?;
        Ok((last + 1 - first) as f64)
    }

    /// The height of the triangle at the centre of a cell, and whether it reaches there.
    pub(super) fn floor(&self, centre: DVec2, bottom: f64, top: f64) -> (f64, bool) {
        let [a, b, c] = self.corners.map(|corner| DVec2::new(corner.x, corner.z));
        let doubled = (b - a).perp_dot(c - a);
        if doubled == 0.0 {
            return (top, false);
        }
        let of_b = (centre - a).perp_dot(c - a) / doubled;
        let of_c = (b - a).perp_dot(centre - a) / doubled;
        let [ya, yb, yc] = self.corners.map(|corner| corner.y);
        let height = ya + (yb - ya) * of_b + (yc - ya) * of_c;
        let is_inside = of_b >= -1e-9 && of_c >= -1e-9 && of_b + of_c <= 1.0 + 1e-9;
        (height.clamp(bottom, top), is_inside)
    }
}
