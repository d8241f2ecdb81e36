//! Rasterisation: a polygon, or painted pixels, as runs of cells, row by row.

use super::frame::{CellRect, Frame};
use crate::geometry::{SegmentPart, row_crossings};
use crate::room::Pixels;
use glam::{DVec2, I64Vec2};
use std::ops::Range;
use std::sync::Arc;

/// The cells of one polygon, or of painted pixels. A layer depends only on these and the frame. So it is the same
/// however often the grid around it was rebuilt.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layer {
    pub(super) name: String,
    /// Its corners. For painted pixels, the corners of the rectangle around them.
    pub(super) polygon: Vec<DVec2>,
    /// Its pixels, if it was painted. Then it has no runs of its own.
    pub(super) painted: Option<Arc<Pixels>>,
    pub(super) rect: CellRect,
    /// `runs[row_start[i]..row_start[i + 1]]` belong to row `rect.min.y + i`.
    row_start: Vec<u32>,
    runs: Vec<Range<u32>>,
}

impl Layer {
    /// The layer of a removed polygon: it has a name and covers nothing.
    pub(super) fn nothing(name: &str) -> Self {
        let rect = CellRect::of(None);
        let (polygon, runs) = (Vec::new(), Vec::new());
        Self { name: name.into(), polygon, painted: None, rect, row_start: vec![0], runs }
    }

    /// The cells of painted pixels.
    pub(super) fn of_pixels(name: &str, polygon: &[DVec2], pixels: &Arc<Pixels>) -> Self {
        let rect = CellRect::of(Some((pixels.columns(), pixels.rows())));
        Self { polygon: polygon.into(), painted: Some(pixels.clone()), rect, ..Self::nothing(name) }
    }

    /// The cells whose centres lie inside the polygon, or within `margin_m` of its edges. A distance of exactly
    /// `margin_m` counts, so a room and its mirror image have the same cells.
    pub(super) fn new(frame: &Frame, name: &str, polygon: &[DVec2], margin_m: f64) -> Self {
        let margin_m = margin_m + TOLERANCE_M;
        let (min, max) = extent(polygon);
        let rect = frame.cells_within(min - margin_m, max + margin_m);
        let mut layer = Self { polygon: polygon.into(), rect, ..Self::nothing(name) };
        let mut crossings = Vec::new();
        for z in rect.min.y..rect.max.y {
            let mut row = inside_runs(frame, polygon, z, rect, &mut crossings);
            row.extend(border_runs(frame, polygon, z, rect, margin_m));
            merge(&mut row, &mut layer.runs);
            layer.row_start.push(layer.runs.len() as u32);
        }
        layer
    }

    /// The runs of cells in row `z`, ascending and disjoint.
    pub(super) fn row(&self, z: u32) -> &[Range<u32>] {
        if let Some(pixels) = &self.painted {
            return pixels.row(z);
        }
        let row = i64::from(z) - self.rect.min.y;
        if !(0..self.rect.max.y - self.rect.min.y).contains(&row) {
            return &[];
        }
        let row = row as usize;
        &self.runs[self.row_start[row] as usize..self.row_start[row + 1] as usize]
    }
}

/// Smallest and largest coordinates of some points.
pub(super) fn extent(points: &[DVec2]) -> (DVec2, DVec2) {
    points.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)))
}

fn inside_runs(
    frame: &Frame,
    polygon: &[DVec2],
    z: i64,
    rect: CellRect,
    crossings: &mut Vec<f64>,
) -> Vec<Range<u32>> {
    row_crossings(polygon, frame.centre(I64Vec2::new(0, z)).y, crossings);
    let first_from = |x: f64| {
        // The first cell whose centre is not left of x. The estimate may be off by one through rounding; the centre
        // decides.
        let centre = |cell: i64| frame.centre(I64Vec2::new(cell, z)).x;
        let mut cell = frame.cell_at(DVec2::new(x, 0.0)).x.clamp(rect.min.x, rect.max.x);
        while cell > rect.min.x && centre(cell - 1) >= x {
            cell -= 1;
        }
        while cell < rect.max.x && centre(cell) < x {
            cell += 1;
        }
        cell as u32
    };
    crossings.chunks_exact(2).map(|pair| first_from(pair[0])..first_from(pair[1])).collect()
}

fn border_runs(frame: &Frame, polygon: &[DVec2], z: i64, rect: CellRect, margin_m: f64) -> Vec<Range<u32>> {
    let mut runs = Vec::new();
    for (&a, &b) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        near_segment(frame, &SegmentPart::whole(a, b), z, rect, margin_m, |run| runs.push(run));
    }
    runs
}

/// Distances that differ by less count as equal. It is far above the rounding of coordinates of a million metres, and
/// far below any measured length.
pub(super) const TOLERANCE_M: f64 = 1e-7;

/// Calls `found` with the run of cells of row `z` whose centres are within `margin_m` of a part of a segment. The
/// region around a segment is convex, so there is at most one run.
pub(super) fn near_segment(
    frame: &Frame,
    part: &SegmentPart,
    z: i64,
    rect: CellRect,
    margin_m: f64,
    mut found: impl FnMut(Range<u32>),
) {
    let (a, b) = part.ends();
    let reach = frame.cells_within(a.min(b) - margin_m, a.max(b) + margin_m);
    if !(reach.min.y..reach.max.y).contains(&z) {
        return;
    }
    let near = |x: i64| part.distance_sq(frame.centre(I64Vec2::new(x, z))) <= margin_m * margin_m;
    // The points nearest to the centres of the row lie in a band along it. On a long slope that is a short stretch.
    let row_z = frame.centre(I64Vec2::new(0, z)).y;
    let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
    let at = |z: f64| low.lerp(high, ((z - low.y) / (high.y - low.y)).clamp(0.0, 1.0)).x;
    let band_m = margin_m + TOLERANCE_M;
    let (from, to) = match high.y > low.y {
        true => (at(row_z - band_m), at(row_z + band_m)),
        false => (a.x, b.x),
    };
    let band = frame
        .cells_within(DVec2::new(from.min(to) - band_m, row_z), DVec2::new(from.max(to) + band_m, row_z));
    let columns = reach.min.x.max(rect.min.x).max(band.min.x)..reach.max.x.min(rect.max.x).min(band.max.x);
    if let Some(first) = columns.clone().find(|&x| near(x)) {
        let end = (first..columns.end).find(|&x| !near(x)).unwrap_or(columns.end);
        found(first as u32..end as u32);
    }
}

/// Appends `row` to `out`. Overlapping and touching runs are joined, empty ones dropped.
fn merge(row: &mut [Range<u32>], out: &mut Vec<Range<u32>>) {
    row.sort_by_key(|run| (run.start, run.end));
    let from = out.len();
    for run in row.iter().filter(|run| !run.is_empty()) {
        if let Some(last) = out[from..].last_mut()
            && run.start <= last.end
        {
            last.end = last.end.max(run.end);
        } else {
            out.push(run.clone());
        }
    }
}
