//! Triangles to spans.

use super::heightfield::{Heightfield, NONE, Span};
use super::{Progress, VoxelProblem, VoxelSettings};
use glam::{DVec2, DVec3};

/// Work is refused above this number of cells that triangles may touch.
const MAX_TOUCHED_CELLS: f64 = 1e9;

/// A triangle cut by four lines has at most seven corners.
const MAX_CUT: usize = 8;

/// Fills the columns of a level.
pub(super) fn rasterize(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    settings: &VoxelSettings,
    progress: &mut Progress,
) -> Result<Heightfield, VoxelProblem> {
    let mut field = Heightfield::new(vertices, triangles, settings)?;
    let corners = |triangle: &[u32; 3]| triangle.map(|vertex| vertices[vertex as usize]);
    let work: f64 = triangles.iter().map(|triangle| touched_cells(corners(triangle), &field)).sum();
    if work > MAX_TOUCHED_CELLS {
        let cell_size_m = settings.cell_size_m * (work / MAX_TOUCHED_CELLS).sqrt() * 1.01;
        return Err(VoxelProblem::TooMuchWork { cell_size_m });
    }
    let least_up = libm::cos(settings.agent_slope_deg.to_radians()) - 1e-6;
    let (mut done, mut reported) = (0.0, -1.0);
    for triangle in triangles {
        let corners = corners(triangle);
        let up = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero().y;
        let local = corners.map(|corner| {
            let corner = corner - field.origin;
            DVec3::new(corner.x / field.cell_size_m, corner.y, corner.z / field.cell_size_m)
        });
        let mut cutter = Cutter { corners: local, is_walkable: up >= least_up, field: &mut field };
        let before = done;
        cutter.rows(&mut |cells| {
            done += cells;
            if done > reported + 0.01 * work.max(1.0) {
                reported = done;
                progress.at(done as usize, work as usize)?;
            }
            Ok(())
        })?;
        done = before + touched_cells(corners, &field);
    }
    Ok(field)
}

/// About how many cells a triangle touches.
fn touched_cells(corners: [DVec3; 3], field: &Heightfield) -> f64 {
    let [a, b, c] = corners.map(|v| DVec2::new(v.x, v.z) / field.cell_size_m);
    let around = a.distance(b) + b.distance(c) + c.distance(a);
    (b - a).perp_dot(c - a).abs() / 2.0 + around + 1.0
}

/// The first and the last cell of a stretch. A cell is left out if the stretch ends at its border.
fn cells_between(from: f64, to: f64, count: usize) -> (usize, usize) {
    let first = (from as usize).min(count - 1);
    let last = if to > from { (to.ceil() as usize).saturating_sub(1) } else { first };
    (first, last.clamp(first, count - 1))
}

/// A part of a triangle.
#[derive(Clone, Copy)]
struct Piece {
    corners: [DVec3; MAX_CUT],
    len: usize,
}

impl Piece {
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

    /// The parts below and above a line, along x (axis 0) or z (axis 2).
    fn cut(&self, axis: usize, at: f64) -> (Self, Self) {
        let nothing = Self { corners: [DVec3::ZERO; MAX_CUT], len: 0 };
        let (mut below, mut above) = (nothing, nothing);
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
        (below, above)
    }

    fn range(&self, axis: usize) -> (f64, f64) {
        let range = (f64::INFINITY, f64::NEG_INFINITY);
        self.corners().iter().fold(range, |(min, max), corner| (min.min(corner[axis]), max.max(corner[axis])))
    }
}

/// Cuts one triangle into the cells of a heightfield.
struct Cutter<'a> {
    /// x and z in cells, y in metres.
    corners: [DVec3; 3],
    is_walkable: bool,
    field: &'a mut Heightfield,
}

impl Cutter<'_> {
    fn rows(&mut self, report: &mut dyn FnMut(f64) -> Result<(), VoxelProblem>) -> Result<(), VoxelProblem> {
        let mut rest = Piece { corners: [DVec3::ZERO; MAX_CUT], len: 3 };
        rest.corners[..3].copy_from_slice(&self.corners);
        let (from, to) = rest.range(2);
        let (first, last) = cells_between(from, to, self.field.depth);
        for z in first..=last {
            let (row, above) = if z == last { (rest, rest) } else { rest.cut(2, (z + 1) as f64) };
            rest = above;
            if row.len > 0 {
                report(self.cells(row, z)?)?;
            }
        }
        Ok(())
    }

    /// Adds the cells of a row. Returns their number.
    fn cells(&mut self, row: Piece, z: usize) -> Result<f64, VoxelProblem> {
        let mut rest = row;
        let (from, to) = row.range(0);
        let (first, last) = cells_between(from, to, self.field.width);
        for x in first..=last {
            let (cell, above) = if x == last { (rest, rest) } else { rest.cut(0, (x + 1) as f64) };
            rest = above;
            if cell.len > 0 {
                let span = self.span(&cell, x, z);
                self.field.add(x + z * self.field.width, span)?;
            }
        }
        Ok((last + 1 - first) as f64)
    }

    fn span(&self, cell: &Piece, x: usize, z: usize) -> Span {
        let (bottom, top) = cell.range(1);
        let (floor, is_central) = self.floor(DVec2::new(x as f64 + 0.5, z as f64 + 0.5), bottom, top);
        Span {
            bottom_m: bottom as f32,
            top_m: top as f32,
            floor_m: floor as f32,
            is_central,
            is_walkable: self.is_walkable,
            above: NONE,
        }
    }

    /// The height of the triangle at the centre of a cell, and whether it reaches there.
    fn floor(&self, centre: DVec2, bottom: f64, top: f64) -> (f64, bool) {
        let [a, b, c] = self.corners.map(|corner| DVec2::new(corner.x, corner.z));
        let doubled = (b - a).perp_dot(c - a);
        if !self.is_walkable || doubled == 0.0 {
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
