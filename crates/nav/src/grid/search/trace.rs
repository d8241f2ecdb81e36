//! The trace of a path over a grid: its points before shortening, and the lines that shortening tried.

use super::raw_path::RawPath;
use crate::grid::{Grid, Overlay};
use crate::nav::{PathTrace, Try};
use glam::DVec2;

/// A line that shortening tried.
pub(super) fn tried(grid: &Grid, from: DVec2, to: DVec2, clear: bool) -> Try {
    let walls = !clear && !grid.segment_clear(from, to);
    Try { from, to, clear, blocked_at: walls.then(|| grid.first_blocked(from, to)) }
}

/// Records the points of a raw path.
pub(super) fn take_points(trace: &mut PathTrace, grid: &Grid, raw: &RawPath) {
    trace.points.extend(raw.spots().map(|spot| grid.point_at(spot)));
    raw.restore_ends(&mut trace.points);
}

/// The lines of sight that decide string pulling: from each waypoint to the next one, and to the raw point after that
/// one, which is not visible.
pub(super) fn add_pulled(trace: &mut PathTrace, grid: &Grid, short: &[DVec2], overlay: &Overlay) {
    for leg in short.windows(2) {
        let behind = trace.points.iter().rposition(|&point| point == leg[1]).map(|place| place + 1);
        if let Some(&next) = behind.and_then(|place| trace.points.get(place)) {
            let clear = grid.segment_clear_of(leg[0], next, overlay);
            trace.tries.push(tried(grid, leg[0], next, clear));
        }
        trace.tries.push(tried(grid, leg[0], leg[1], true));
    }
}
