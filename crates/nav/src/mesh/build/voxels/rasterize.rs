//! Triangles to spans.

use super::fit::cell_size_that_fits;
use super::heightfield::{Heightfield, NONE, Span};
use super::{Progress, VoxelProblem, VoxelSettings};
use crate::mesh::raster::{CellCutter, Piece};
use glam::{DVec2, DVec3};

/// Work is refused above this number of cells that triangles may touch.
const MAX_TOUCHED_CELLS: f64 = 1e9;

/// Fills the columns of a level.
pub(super) fn rasterize(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    settings: &VoxelSettings,
    progress: &mut Progress,
) -> Result<Heightfield, VoxelProblem> {
    let mut field = Heightfield::new(vertices, triangles, settings)?;
    let corners = |triangle: &[u32; 3]| triangle.map(|vertex| vertices[vertex as usize]);
    let touched = |triangle: &[u32; 3]| cutter(&field, corners(triangle)).touched();
    let work: f64 = triangles.iter().map(touched).sum();
    if work > MAX_TOUCHED_CELLS {
        let cell_size_m = settings.cell_size_m * (work / MAX_TOUCHED_CELLS).sqrt() * 1.01;
        return Err(VoxelProblem::TooMuchWork { cell_size_m });
    }
    let least_up = libm::cos(settings.agent_slope_deg.to_radians()) - 1e-6;
    let (mut done, mut reported) = (0.0, -1.0);
    for triangle in triangles {
        let corners = corners(triangle);
        let up = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero().y;
        let is_walkable = up >= least_up;
        let cutter = cutter(&field, corners);
        let before = done;
        let mut add = |x: usize, z: usize, piece: &Piece| {
            let span = span(&cutter, piece, [x, z], is_walkable);
            field.add(x + z * field.width, span)
        };
        cutter
            .rows(&mut add, &mut |cells| {
                done += cells;
                if done > reported + 0.01 * work.max(1.0) {
                    reported = done;
                    progress.at(done as usize, work as usize)?;
                }
                Ok(())
            })
            .map_err(|problem| match problem {
                VoxelProblem::TooManyVoxels { most, cell_size_m } => {
                    let fits_m = cell_size_that_fits(vertices, triangles, settings.cell_size_m, most);
                    VoxelProblem::TooManyVoxels { most, cell_size_m: fits_m.unwrap_or(cell_size_m) }
                }
                other => other,
            })?;
        done = before + cutter.touched();
    }
    Ok(field)
}

/// A triangle in cells of the field.
fn cutter(field: &Heightfield, corners: [DVec3; 3]) -> CellCutter {
    let corners = corners.map(|corner| {
        let corner = corner - field.origin;
        DVec3::new(corner.x / field.cell_size_m, corner.y, corner.z / field.cell_size_m)
    });
    CellCutter { corners, width: field.width, depth: field.depth }
}

/// What one cell holds of a triangle.
fn span(cutter: &CellCutter, piece: &Piece, [x, z]: [usize; 2], is_walkable: bool) -> Span {
    let (bottom, top) = piece.range(1);
    let centre = DVec2::new(x as f64 + 0.5, z as f64 + 0.5);
    let (floor, is_central) = match is_walkable {
        true => cutter.floor(centre, bottom, top),
        false => (top, false),
    };
    Span {
        bottom_m: bottom as f32,
        top_m: top as f32,
        floor_m: floor as f32,
        is_central,
        is_walkable,
        above: NONE,
    }
}
