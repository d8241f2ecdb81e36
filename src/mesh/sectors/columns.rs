//! What is solid in each column of boxes.

use super::lattice::Lattice;
use super::problem::SectorProblem;
use super::settings::{SAME_M, Settings};
use crate::mesh::progress::{Progress, Stopped};
use crate::mesh::raster::{CellCutter, Piece};
use glam::{DVec2, DVec3};
use std::convert::Infallible;

/// Bytes at the peak of a flood: for each column, and for each part of a triangle in a column.
const BYTES: [f64; 2] = [12.0, 100.0];

/// Floods that would take more memory are refused.
const MOST_MIB: f64 = 2048.0;

/// So many larger box sizes are tried for the hint. Most often, the first one does.
const MOST_SIZES: usize = 16;

/// Taller levels are refused, because heights are `f32` and have to be exact to about a millimetre.
const MAX_HEIGHT_M: f64 = 16_000.0;

/// A stretch of a column without room for anything. All heights are in metres above the base of the lattice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Run {
    pub bottom_m: f32,
    /// Where a box comes to rest.
    pub top_m: f32,
    /// The height of the floor in the middle of the box.
    pub floor_m: f32,
    /// Whether the top is level enough to stand on.
    pub is_floor: bool,
}

/// A vertical triangle on the border between two columns: it is in neither.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Wall {
    /// The column behind the border, and whether the border is its smaller x (0) or its smaller z (1).
    pub column: u32,
    pub axis: u8,
    pub bottom_m: f32,
    pub top_m: f32,
}

/// The runs of all columns.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Columns {
    /// For each column the index of its first run, and at the end their number.
    first: Vec<u32>,
    /// Column by column, from below.
    pub runs: Vec<Run>,
    /// Ascending.
    walls: Vec<Wall>,
    /// For each column whether it has a wall.
    has_wall: Vec<bool>,
}

/// A part of a triangle in a column.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Part {
    column: u32,
    bottom_m: f32,
    top_m: f32,
    /// The height in the middle of the box, if the triangle is there.
    middle_m: Option<f32>,
    is_floor: bool,
}

impl Columns {
    /// The columns of a level whose triangles touch about so many boxes, as [`check_size`] says.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(super) fn new(
        lattice: &Lattice,
        triangles: &[[DVec3; 3]],
        settings: &Settings,
        touched: f64,
        progress: &mut Progress,
    ) -> Result<Self, Stopped> {
        let mut parts = Parts { parts: Vec::with_capacity(touched as usize), walls: Vec::new() };
        let mut done = 0.0;
        for (number, &corners) in triangles.iter().enumerate() {
            let cutter = lattice.cutter(corners);
            done += cutter.touched();
            if number % 1024 == 0 {
                progress.at(done as usize, touched as usize)?;
            }
            parts.add(lattice, &cutter, corners, settings, &|_| true);
        }
        Ok(Self::of(lattice, parts, None))
    }

    /// The columns after some of them changed: only triangles in changed columns are cut again.
    pub(super) fn renewed(
        &self,
        lattice: &Lattice,
        triangles: &[[DVec3; 3]],
        settings: &Settings,
        changed: &[bool],
    ) -> Self {
        let mut parts = Parts::default();
        for &corners in triangles {
            let is_changed = |column: u32| changed[column as usize];
            parts.add(lattice, &lattice.cutter(corners), corners, settings, &is_changed);
        }
        Self::of(lattice, parts, Some((self, changed)))
    }

    fn of(lattice: &Lattice, parts: Parts, before: Option<(&Self, &[bool])>) -> Self {
        let Parts { mut parts, mut walls } = parts;
        if let Some((before, changed)) = before {
            walls.extend(before.walls.iter().filter(|wall| !changed[wall.column as usize]));
        }
        walls.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        walls.dedup();
        let mut has_wall = vec![false; lattice.columns()];
        walls.iter().for_each(|wall| has_wall[wall.column as usize] = true);
        let (mut sorted, ends) = by_column(&mut parts, lattice.columns());
        let (mut first, mut runs) = (Vec::with_capacity(ends.len() + 1), Vec::new());
        let mut begin = 0;
        for (column, end) in ends.into_iter().map(|end| end as usize).enumerate() {
            first.push(runs.len() as u32);
            match before {
                Some((before, changed)) if !changed[column] => runs.extend(before.of_column(column as u32)),
                _ => join(&mut sorted[begin..end], lattice.box_size_m, &mut runs),
            }
            begin = end;
        }
        first.push(runs.len() as u32);
        Self { first, runs, walls, has_wall }
    }

    /// The index of the first run of a column.
    pub(super) fn first(&self, column: u32) -> u32 {
        self.first[column as usize]
    }

    /// The runs of a column, from below.
    pub(super) fn of_column(&self, column: u32) -> &[Run] {
        &self.runs[self.first[column as usize] as usize..self.first[column as usize + 1] as usize]
    }

    /// The highest run of a column whose top is below a height.
    pub(super) fn below(&self, column: u32, height_m: f32) -> Option<usize> {
        // Runs do not overlap, so their tops ascend. Mostly there are few.
        self.of_column(column).partition_point(|run| run.top_m < height_m).checked_sub(1)
    }

    /// The height at which a run of a column has a ceiling.
    pub(super) fn ceiling_m(&self, column: u32, run: usize) -> f32 {
        self.of_column(column).get(run + 1).map_or(f32::INFINITY, |above| above.bottom_m)
    }

    /// Whether a wall on a border reaches into a stretch of heights.
    pub(super) fn is_walled(&self, column: u32, axis: u8, from_m: f32, to_m: f32) -> bool {
        if !self.has_wall[column as usize] {
            return false;
        }
        let at = |wall: &Wall| (wall.column, wall.axis);
        let begin = self.walls.partition_point(|wall| at(wall) < (column, axis));
        let on_border = self.walls[begin..].iter().take_while(|wall| at(wall) == (column, axis));
        on_border.into_iter().any(|wall| wall.bottom_m < to_m && wall.top_m > from_m)
    }
}

/// Marks the columns that a triangle touches.
pub(super) fn mark(lattice: &Lattice, corners: [DVec3; 3], marked: &mut [bool]) {
    let mut visit = |x: usize, z: usize, _: &Piece| {
        marked[lattice.column(x, z) as usize] = true;
        Ok(())
    };
    let Ok(()) = lattice.cutter(corners).rows(&mut visit, &mut |_| Ok::<_, Infallible>(()));
}

/// Refuses floods that would take too much memory, with a box size that would do. Returns the number of boxes that
/// triangles touch.
pub(super) fn check_size(lattice: &Lattice, triangles: &[[DVec3; 3]]) -> Result<f64, SectorProblem> {
    let corners = || triangles.iter().flatten();
    let min = corners().fold(DVec3::INFINITY, |min, &corner| min.min(corner));
    let max = corners().fold(DVec3::NEG_INFINITY, |max, &corner| max.max(corner));
    let height_m = max.y - min.y;
    if height_m > MAX_HEIGHT_M {
        return Err(SectorProblem::TooTall { height_m });
    }
    let (estimate_mib, touched) = estimate(lattice, triangles);
    if estimate_mib <= MOST_MIB {
        return Ok(touched);
    }
    // Floors take a quarter of the memory with boxes of twice the size, but walls only half. In whole centimetres, as
    // messages have it.
    let (mut box_size_m, mut mib) = (lattice.box_size_m, estimate_mib);
    for _ in 0..MOST_SIZES {
        let enough_m = box_size_m * (mib / MOST_MIB).sqrt();
        box_size_m = ((enough_m * 100.0).ceil() / 100.0).max(box_size_m + 0.01);
        mib = estimate(&Lattice::with_boxes(box_size_m, lattice.start(), min, max), triangles).0;
        if mib <= MOST_MIB {
            break;
        }
    }
    Err(SectorProblem::TooLarge { estimate_mib, most_mib: MOST_MIB, box_size_m })
}

/// The memory that a flood would take, in MiB, and the number of boxes that triangles touch.
fn estimate(lattice: &Lattice, triangles: &[[DVec3; 3]]) -> (f64, f64) {
    let touched: f64 = triangles.iter().map(|&corners| lattice.cutter(corners).touched()).sum();
    let columns = lattice.width as f64 * lattice.depth as f64;
    ((columns * BYTES[0] + touched * BYTES[1]) / f64::from(1 << 20), touched)
}

#[derive(Default)]
struct Parts {
    parts: Vec<Part>,
    walls: Vec<Wall>,
}

impl Parts {
    /// Adds a triangle, in the columns that are wanted.
    fn add(
        &mut self,
        lattice: &Lattice,
        cutter: &CellCutter,
        corners: [DVec3; 3],
        settings: &Settings,
        is_wanted: &impl Fn(u32) -> bool,
    ) {
        let up = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero().y;
        let is_floor = up > settings.least_up;
        // Along x and z: whether the whole triangle is on one border.
        let on_border = [0, 2].map(|axis| {
            let [a, b, c] = cutter.corners.map(|corner| corner[axis]);
            a == b && b == c && a.fract() == 0.0
        });
        let mut visit = |x: usize, z: usize, piece: &Piece| {
            let column = lattice.column(x, z);
            if !is_wanted(column) {
                return Ok(());
            }
            let (bottom, top) = piece.range(1);
            let (bottom_m, top_m) = (bottom as f32, top as f32);
            if let Some(axis) = on_border.iter().position(|&is_on| is_on) {
                self.walls.push(Wall { column, axis: axis as u8, bottom_m, top_m });
                return Ok(());
            }
            // A piece that only touches the column is not in it.
            let is_inside = |axis: usize, cell: usize| {
                let (from, to) = piece.range(axis);
                to > from || from.fract() != 0.0 || (from != cell as f64 && from != (cell + 1) as f64)
            };
            if is_inside(0, x) && is_inside(2, z) {
                let centre = DVec2::new(x as f64 + 0.5, z as f64 + 0.5);
                let (height, is_there) = cutter.floor(centre, bottom, top);
                let middle_m = (is_floor && is_there).then_some(height as f32);
                self.parts.push(Part { column, bottom_m, top_m, middle_m, is_floor });
            }
            Ok(())
        };
        let Ok(()) = cutter.rows(&mut visit, &mut |_| Ok::<_, Infallible>(()));
    }
}

/// Sorts parts by their columns. Also returns where the parts of each column end.
fn by_column(parts: &mut Vec<Part>, columns: usize) -> (Vec<Part>, Vec<u32>) {
    let mut ends = vec![0_u32; columns];
    parts.iter().for_each(|part| ends[part.column as usize] += 1);
    let mut sum = 0;
    for end in &mut ends {
        (*end, sum) = (sum, sum + *end);
    }
    let mut sorted = parts.clone();
    for part in parts.drain(..) {
        let at = &mut ends[part.column as usize];
        sorted[*at as usize] = part;
        *at += 1;
    }
    (sorted, ends)
}

/// Joins parts that touch to runs, whatever the order of the parts.
fn join(parts: &mut [Part], box_size_m: f64, runs: &mut Vec<Run>) {
    let key = |part: &Part| (part.bottom_m, part.top_m, part.middle_m, part.is_floor);
    parts.sort_unstable_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
    let same_m = SAME_M as f32;
    let mut rest = parts.iter().peekable();
    while let Some(part) = rest.next() {
        let Part { bottom_m, mut top_m, middle_m, mut is_floor, .. } = *part;
        let mut highest_m = middle_m.unwrap_or(f32::NEG_INFINITY);
        while let Some(next) = rest.next_if(|next| next.bottom_m <= top_m + same_m) {
            highest_m = highest_m.max(next.middle_m.unwrap_or(f32::NEG_INFINITY));
            if next.top_m > top_m + same_m {
                (top_m, is_floor) = (next.top_m, next.is_floor);
            } else if next.top_m >= top_m - same_m {
                (top_m, is_floor) = (top_m.max(next.top_m), is_floor || next.is_floor);
            }
        }
        // On a slope, the middle of a box is so much lower than its highest corner.
        let is_of_top = highest_m >= top_m - (box_size_m * std::f64::consts::FRAC_1_SQRT_2) as f32;
        let floor_m = if is_of_top { highest_m.min(top_m) } else { top_m };
        runs.push(Run { bottom_m, top_m, floor_m, is_floor });
    }
}
