//! Shadows: convex occlusion wedges behind walls and characters. Points in a shadow need no line-of-sight test.

use super::raster::Raster;
use super::segment_clear::CORNER_TIE;
use super::{Grid, GridPoint, Overlay};
use glam::{DVec2, I64Vec2, Vec2Swizzles};

/// The occlusion wedge behind a run of blocked cells, between the lines of sight past its two ends. All points in it
/// are hidden. It is slightly narrower than the hidden region, so rounding errors do no harm.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shadow {
    /// Whether the run lies in a row. Otherwise it lies in a column, and x and y are swapped.
    along_row: bool,
    /// 1 or −1. Points behind the run have the larger y times `sign`.
    sign: f64,
    from: DVec2,
    /// The y times `sign` at which the shadow begins.
    begins: f64,
    /// The slopes of the lines past both ends: the change of x per unit of y times `sign`.
    slopes: (f64, f64),
}

impl Grid {
    /// The shadow of a blocked cell and the blocked cells in line with it.
    pub(super) fn shadow(&self, from: GridPoint, (x, z): (i64, i64)) -> Option<Shadow> {
        if !self.frame.holds(I64Vec2::new(x, z)) {
            return None;
        }
        shadow_of(from, (x, z), |along_row| match along_row {
            true => blocked_around(&self.walkable, z as u32, x as u32),
            false => blocked_around(&self.transposed, x as u32, z as u32),
        })
    }

    /// The shadow of a cell covered by the overlay, and of the covered cells in line with it.
    pub(super) fn shadow_of_cover(
        &self,
        from: GridPoint,
        (x, z): (i64, i64),
        overlay: &Overlay,
    ) -> Option<Shadow> {
        let covered = |x: i64, z: i64| {
            self.frame.holds(I64Vec2::new(x, z)) && overlay.covers(self.node_in(x as u32, z as u32))
        };
        // A run that holds the viewpoint has no shadow, so an obstacle around the viewpoint hides nothing.
        shadow_of(from, (x, z), |along_row| {
            let is_covered = |step: i64| if along_row { covered(x + step, z) } else { covered(x, z + step) };
            let reach = |sign: i64| (1..).take_while(|step| is_covered(sign * step)).last().unwrap_or(0);
            let at = if along_row { x } else { z };
            (at - reach(-1), at + reach(1))
        })
    }
}

/// The shadow of the run of cells that holds a known cell. `run` gives the ends of the run, in a row or in a column.
fn shadow_of(
    GridPoint(from): GridPoint,
    (x, z): (i64, i64),
    run: impl Fn(bool) -> (i64, i64),
) -> Option<Shadow> {
    // The run across the view direction hides more. If the viewpoint lies in its line, only the other run has a
    // shadow.
    let (far_x, far_z) = ((x as f64 + 0.5 - from.x).abs(), (z as f64 + 0.5 - from.y).abs());
    let along_row = far_z > far_x;
    let of = |along_row: bool| {
        let (from, line) = if along_row { (from, z) } else { (from.yx(), x) };
        let sign = if from.y < line as f64 { 1.0 } else { -1.0 };
        let near = if sign > 0.0 { line as f64 - from.y } else { from.y - (line + 1) as f64 };
        if near < 0.0 {
            return None;
        }
        let (first, last) = run(along_row);
        let (first, last) = (first as f64 + CORNER_TIE - from.x, (last + 1) as f64 - CORNER_TIE - from.x);
        let far = near + 1.0;
        let slopes =
            (first / if first >= 0.0 { far } else { near }, last / if last >= 0.0 { near } else { far });
        const STEEP: f64 = 1e12;
        let slopes = (slopes.0.max(-STEEP), slopes.1.min(STEEP));
        let begins = if sign > 0.0 { (line + 1) as f64 } else { -(line as f64) } + CORNER_TIE;
        Some(Shadow { along_row, sign, from, begins, slopes })
    };
    of(along_row).or_else(|| of(!along_row))
}

impl Shadow {
    /// Whether a point is hidden.
    #[inline]
    pub(crate) fn holds(&self, to: GridPoint) -> bool {
        self.inside(to).iter().all(|&inside| inside >= 0.0)
    }

    /// Whether the convex hull of some points is hidden. A shadow is convex, so testing the points is enough.
    pub(crate) fn holds_all(&self, places: &[GridPoint]) -> bool {
        places.iter().all(|&to| self.holds(to))
    }

    /// The number of hidden points at the end of a row of points, in equal steps from `first` to `last`. The last
    /// point must be hidden.
    pub(crate) fn holds_last(&self, first: GridPoint, last: GridPoint, steps: u32) -> u32 {
        let (first, last) = (self.inside(first), self.inside(last));
        // On a line, the distance to each of the three edges changes linearly.
        let outside = |(first, last): (f64, f64)| if first < 0.0 { first / (first - last) } else { 0.0 };
        let outside = first.into_iter().zip(last).map(outside).fold(0.0, f64::max);
        let outside = if outside > 0.0 { outside * f64::from(steps) + 1e-6 } else { 0.0 };
        steps + 1 - (outside.ceil() as u32).min(steps)
    }

    /// The distance of a point from each of the three edges, positive inside.
    #[inline]
    fn inside(&self, GridPoint(to): GridPoint) -> [f64; 3] {
        let to = if self.along_row { to } else { to.yx() };
        let (along, across) = (to.x - self.from.x, (to.y - self.from.y) * self.sign);
        [to.y * self.sign - self.begins, along - self.slopes.0 * across, self.slopes.1 * across - along]
    }
}

/// The run of blocked cells around a blocked cell of a line. At most the adjacent words are tested, so a longer run
/// is cut.
fn blocked_around(bits: &Raster, line: u32, at: u32) -> (i64, i64) {
    let row = bits.row(line);
    let word = at as usize / 64;
    let set_before = row[word] & ((1 << (at % 64)) - 1);
    let set_behind = row[word] & (u64::MAX << (at % 64));
    let base = (word * 64) as i64;
    let first = match set_before {
        0 => base - word.checked_sub(1).map_or(0, |before| i64::from(row[before].leading_zeros())),
        _ => base + 64 - i64::from(set_before.leading_zeros()),
    };
    let last = match set_behind {
        0 => base + 63 + row.get(word + 1).map_or(0, |behind| i64::from(behind.trailing_zeros())),
        _ => base + i64::from(set_behind.trailing_zeros()) - 1,
    };
    (first, last)
}
