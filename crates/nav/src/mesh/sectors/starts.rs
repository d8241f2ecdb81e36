//! Where a flood begins.

use super::columns::Columns;
use super::lattice::Lattice;
use super::problem::{BadStart, SectorProblem};
use super::settings::{SAME_M, Settings};
use glam::DVec3;

/// A start point may be this far above or below its floor, unless a step is higher, in metres.
const NEAR_M: f64 = 0.5;

/// Steeper floors are walls: the upward part of their unit normal.
const LEAST_SLOPE: f64 = 0.1;

/// The floors under the start points: their columns, and the numbers of their runs there.
///
/// # Errors
/// The first start point that is not on ground.
pub(super) fn floors(
    lattice: &Lattice,
    columns: &Columns,
    triangles: &[[DVec3; 3]],
    settings: &Settings,
) -> Result<Vec<(u32, usize)>, SectorProblem> {
    let numbered = settings.starts.iter().enumerate();
    let floor = |(number, &at): (usize, &DVec3)| {
        floor(lattice, columns, settings, at).map_err(|why| {
            // In its box, a steep floor rises above the point.
            let is_steep = why == BadStart::InsideGeometry && is_steep(triangles, settings, at);
            let why = if is_steep { BadStart::Steep } else { why };
            SectorProblem::BadStart { number, at, why }
        })
    };
    numbered.map(floor).collect()
}

fn floor(
    lattice: &Lattice,
    columns: &Columns,
    settings: &Settings,
    at: DVec3,
) -> Result<(u32, usize), BadStart> {
    let column = lattice.column_at(at).ok_or(BadStart::Outside)?;
    let runs = columns.of_column(column);
    if runs.is_empty() {
        return Err(BadStart::Outside);
    }
    let near_m = NEAR_M.max(settings.step_m);
    let height_m = at.y - lattice.base_m;
    let run = columns.below(column, (height_m + near_m) as f32);
    let above = runs.get(run.map_or(0, |run| run + 1));
    // The body begins a step above its feet: what is lower is stepped on.
    let is_inside =
        above.is_some_and(|above| f64::from(above.bottom_m) < height_m + settings.step_m.min(SAME_M));
    if is_inside {
        return Err(BadStart::InsideGeometry);
    }
    let Some(run) = run else { return Err(BadStart::InTheAir(None)) };
    let below_m = height_m - f64::from(runs[run].top_m);
    if below_m > near_m {
        return Err(BadStart::InTheAir(Some(below_m)));
    }
    let headroom_m = f64::from(columns.ceiling_m(column, run) - runs[run].top_m);
    if headroom_m <= settings.least_headroom_m + SAME_M {
        return Err(BadStart::Low(headroom_m));
    }
    if runs[run].is_floor { Ok((column, run)) } else { Err(BadStart::Steep) }
}

/// Whether the point is on a floor that is too steep.
fn is_steep(triangles: &[[DVec3; 3]], settings: &Settings, at: DVec3) -> bool {
    let is_slope_there = |&[a, b, c]: &[DVec3; 3]| {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        // The sides of the point from the edges, as seen from above.
        let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| (at - from).cross(to - from).y <= 0.0);
        let height_m = a.y - ((at - a) * normal).with_y(0.0).element_sum() / normal.y;
        (LEAST_SLOPE..=settings.least_up).contains(&normal.y)
            && sides == [true; 3]
            && (height_m - at.y).abs() <= NEAR_M
    };
    triangles.iter().any(is_slope_there)
}
