//! The distance that wide walkers keep from cells which are given or painted and not walkable. Polygons are widened
//! instead, see `layer`.

use super::frame::{CellRect, Frame};
use super::layer::{Layer, TOLERANCE_M};
use super::painter::Painter;
use crate::geometry::for_words;
use glam::I64Vec2;
use std::ops::Range;

/// The cells of the rows in and near a rectangle before obstacles are painted, and how far blocked ones reach.
pub(super) struct Erosion {
    /// The first of the rows.
    first: i64,
    /// The blocked runs of each row.
    blocked: Vec<Vec<Range<i64>>>,
    /// For the distance in rows, by how many columns a blocked run reaches further. Empty: not at all.
    reach: Vec<i64>,
    columns: Range<i64>,
}

/// The number of columns and rows within which a blocked cell makes others unwalkable.
pub(super) fn reach_cells(padding_m: f64, frame: &Frame) -> i64 {
    if padding_m <= TOLERANCE_M { 0 } else { (padding_m / frame.cell_size_m + 0.5).ceil() as i64 }
}

impl Erosion {
    pub(super) fn new(painter: &Painter, frame: &Frame, rect: CellRect) -> Self {
        let size = reach_cells(painter.pixel_padding_m, frame);
        let (first, depth) = (rect.min.y - size, i64::from(frame.depth));
        let columns = rect.min.x..rect.max.x;
        if size == 0 {
            return Self { first, blocked: Vec::new(), reach: Vec::new(), columns };
        }
        let padding = (painter.pixel_padding_m - TOLERANCE_M) / frame.cell_size_m;
        // From the middle of a cell to the nearest side of another.
        let reach = (0..=size).map_while(|rows| {
            let away = (rows as f64 - 0.5).max(0.0);
            (away < padding).then(|| (0.5 + (padding * padding - away * away).sqrt()).ceil() as i64 - 1)
        });
        let near = rect.grown(size);
        let near_columns = near.min.x..near.max.x;
        let open = painter.areas.iter().filter(|area| area.available).map(|area| &area.layer);
        let open: Vec<&Layer> = open.filter(|layer| layer.rect.meets(near)).collect();
        let blocked = (near.min.y..near.max.y)
            .map(|z| match (0..depth).contains(&z) {
                true => blocked_runs(painter, &open, frame, z as u32, near_columns.clone()),
                false => vec![near_columns.clone()],
            })
            .collect();
        Self { first, blocked, reach: reach.collect(), columns }
    }

    /// Clears the cells of a row that are too near to blocked ones.
    pub(super) fn clear_near_blocked(&self, z: i64, row: &mut [u64]) {
        let most = self.reach.len() as i64 - 1;
        for beside in z - most..=z + most {
            let by = self.reach[(beside - z).unsigned_abs() as usize];
            let runs = self.blocked.get((beside - self.first) as usize).into_iter().flatten();
            for run in runs {
                let (from, to) =
                    ((run.start - by).max(self.columns.start), (run.end + by).min(self.columns.end));
                if from < to {
                    for_words(row, from as u32..to as u32, |word, mask| *word &= !mask);
                }
            }
        }
    }
}

/// The runs of cells of a row that neither the file nor an open area makes walkable; all are blocked off the grid.
fn blocked_runs(
    painter: &Painter,
    open: &[&Layer],
    frame: &Frame,
    z: u32,
    columns: Range<i64>,
) -> Vec<Range<i64>> {
    let mut row = match &painter.base {
        Some(base) => base.row(z).to_vec(),
        None => vec![0; (frame.width as usize).div_ceil(64)],
    };
    for run in open.iter().flat_map(|layer| layer.row(z)) {
        for_words(&mut row, run.clone(), |word, mask| *word |= mask);
    }
    let is_open =
        |x: i64| (0..i64::from(frame.width)).contains(&x) && row[x as usize / 64] >> (x % 64) & 1 == 1;
    let mut runs: Vec<Range<i64>> = Vec::new();
    for x in columns.filter(|&x| !is_open(x)) {
        match runs.last_mut().filter(|run| run.end == x) {
            Some(run) => run.end = x + 1,
            None => runs.push(x..x + 1),
        }
    }
    runs
}

impl CellRect {
    /// The rectangle with so many more cells on every side; an empty one stays empty.
    pub(super) fn grown(self, by: i64) -> Self {
        let by = I64Vec2::splat(if self.is_empty() { 0 } else { by });
        Self { min: self.min - by, max: self.max + by }
    }

    /// The part of the rectangle on a grid.
    pub(super) fn within(self, frame: &Frame) -> Self {
        let all = I64Vec2::new(i64::from(frame.width), i64::from(frame.depth));
        Self { min: self.min.clamp(I64Vec2::ZERO, all), max: self.max.clamp(I64Vec2::ZERO, all) }
    }
}
