//! The walls near a point: edges between walkable and blocked cells.

use super::Grid;
use crate::nav::WallSegment;
use glam::DVec2;
use std::ops::Range;

/// A run of walkable cells in one row, within the range.
#[derive(Debug, Clone, PartialEq)]
struct CellRun {
    row: u32,
    columns: Range<u32>,
    is_reached: bool,
}

impl Grid {
    /// The edges of cells within `range_m` of a point at which walkable ground ends, and the cells and runs of cells
    /// tested. Only cells that are connected to the point by cells within the range count.
    pub(crate) fn walls_near(&self, at: DVec2, range_m: f64) -> (Vec<WallSegment>, u64) {
        if !self.is_walkable(at) || range_m.is_nan() || range_m < 0.0 {
            return (Vec::new(), 1);
        }
        let within = Within::new(self, at, range_m);
        let runs = within.reached_runs();
        let mut walls = Vec::new();
        let mut work = runs.len() as u64;
        for run in runs.iter().filter(|run| run.is_reached) {
            work += within.walls_of(run, &mut walls);
        }
        (walls, work)
    }
}

/// The cells that touch a disc. Lengths are in cells.
struct Within<'a> {
    grid: &'a Grid,
    centre: DVec2,
    range: f64,
    rows: Range<u32>,
}

impl<'a> Within<'a> {
    fn new(grid: &'a Grid, at: DVec2, range_m: f64) -> Self {
        let frame = &grid.frame;
        let (centre, range) = (frame.in_cells(at), range_m / frame.cell_size_m);
        let rows = clipped(centre.y - range, centre.y + range, frame.depth);
        Self { grid, centre, range, rows }
    }

    /// The columns whose cells touch the disc at rows from `low` to `high`.
    fn columns(&self, low: f64, high: f64) -> Range<u32> {
        let away = (low - self.centre.y).max(self.centre.y - high).max(0.0);
        let half_sq = self.range * self.range - away * away;
        if half_sq < 0.0 {
            return 0..0;
        }
        let half = half_sq.sqrt();
        clipped(self.centre.x - half, self.centre.x + half, self.grid.frame.width)
    }

    fn columns_of_row(&self, row: u32) -> Range<u32> {
        self.columns(f64::from(row), f64::from(row) + 1.0)
    }

    /// The runs of walkable cells of all rows. Those connected to the centre are reached.
    fn reached_runs(&self) -> Vec<CellRun> {
        let raster = &self.grid.walkable;
        let mut runs: Vec<CellRun> = Vec::new();
        // The index of the first run of each row, and at the end their number.
        let mut first = Vec::with_capacity(self.rows.len() + 1);
        for row in self.rows.clone() {
            first.push(runs.len());
            for_each_run(raster.row(row), self.columns_of_row(row), true, |columns| {
                runs.push(CellRun { row, columns, is_reached: false });
            });
        }
        first.push(runs.len());
        let start = self.centre.floor();
        let is_start =
            |run: &CellRun| f64::from(run.row) == start.y && run.columns.contains(&(start.x.max(0.0) as u32));
        let mut waiting: Vec<usize> = runs.iter().position(is_start).into_iter().collect();
        waiting.iter().for_each(|&run| runs[run].is_reached = true);
        while let Some(run) = waiting.pop() {
            let CellRun { row, columns, .. } = runs[run].clone();
            let beside = [row.checked_sub(1), row.checked_add(1)];
            for row in beside.into_iter().flatten().filter(|row| self.rows.contains(row)) {
                let number = (row - self.rows.start) as usize;
                let of_row = &runs[first[number]..first[number + 1]];
                let begin = of_row.partition_point(|other| other.columns.end <= columns.start);
                let end = of_row.partition_point(|other| other.columns.start < columns.end);
                waiting.extend((first[number] + begin..first[number] + end).filter(|&index| {
                    let is_reached = &mut runs[index].is_reached;
                    !std::mem::replace(is_reached, true)
                }));
            }
        }
        runs
    }

    /// The walls at the ends of a run and along it. Returns the number of cells tested.
    fn walls_of(&self, run: &CellRun, walls: &mut Vec<WallSegment>) -> u64 {
        let Self { grid, centre, .. } = *self;
        let CellRun { row, columns, .. } = run;
        let (low, high) = (f64::from(*row), f64::from(*row) + 1.0);
        let mut add = |from: (f64, f64), to: (f64, f64)| {
            let point = |at: (f64, f64)| grid.frame.min + DVec2::from(at) * grid.frame.cell_size_m;
            walls.push(WallSegment { from: point(from), to: point(to), heights_m: [0.0; 2] });
        };
        let is_open = |x: Option<u32>| x.is_some_and(|x| x < grid.frame.width && grid.walkable.get(x, *row));
        let near = (low - centre.y).max(centre.y - high).max(0.0);
        let touches = |x: f64| near * near + (x - centre.x) * (x - centre.x) <= self.range * self.range;
        let (left, right) = (f64::from(columns.start), f64::from(columns.end));
        if !is_open(columns.start.checked_sub(1)) && touches(left) {
            add((left, high), (left, low));
        }
        if !is_open(Some(columns.end)) && touches(right) {
            add((right, low), (right, high));
        }
        for (beside, z) in [(row.checked_sub(1), low), (row.checked_add(1), high)] {
            let touched = self.columns(z, z);
            let along = touched.start.max(columns.start)..touched.end.min(columns.end);
            let mut wall = |columns: Range<u32>| {
                let (start, end) = (f64::from(columns.start), f64::from(columns.end));
                if z == low { add((start, z), (end, z)) } else { add((end, z), (start, z)) }
            };
            match beside.filter(|&row| row < grid.frame.depth) {
                Some(beside) => for_each_run(grid.walkable.row(beside), along, false, wall),
                None if along.is_empty() => {}
                None => wall(along),
            }
        }
        u64::from(columns.end - columns.start) / 16 + 1
    }
}

/// The cells from `low` to `high`, both of which may be outside the grid.
fn clipped(low: f64, high: f64, limit: u32) -> Range<u32> {
    // Casts saturate.
    let end = ((high.floor() + 1.0).max(0.0) as u32).min(limit);
    // A cell that ends exactly at `low` touches it.
    let start = (low.ceil() - 1.0).max(0.0) as u32;
    start.min(end)..end
}

/// Calls `visit` for each run of cells in `span` that are set, or not, as `wanted` says.
fn for_each_run(row: &[u64], span: Range<u32>, wanted: bool, mut visit: impl FnMut(Range<u32>)) {
    let word = |index: usize| if wanted { row[index] } else { !row[index] };
    // The first cell from `x` on that is as wanted or, for `flip`, is not.
    let next = |mut x: u32, flip: bool| {
        while x < span.end {
            let bits = (if flip { !word(x as usize / 64) } else { word(x as usize / 64) }) >> (x % 64);
            if bits != 0 {
                return (x + bits.trailing_zeros()).min(span.end);
            }
            x = (x / 64 + 1) * 64;
        }
        span.end
    };
    let mut start = next(span.start, false);
    while start < span.end {
        let end = next(start, true);
        visit(start..end);
        start = next(end, false);
    }
}
