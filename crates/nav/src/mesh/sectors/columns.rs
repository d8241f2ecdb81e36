//! What is solid in each column of boxes.

use super::lattice::Lattice;
use super::problem::SectorProblem;
use super::settings::Settings;
use super::strips::{Strip, Strips};
use crate::mesh::progress::{Progress, Stopped};
use crate::parallel;
use glam::DVec3;
use std::ops::Range;

/// Bytes at the peak of a flood: for each column, and for each part of a triangle in a column.
const BYTES: [f64; 2] = [12.0, 100.0];

/// Floods that would take more memory are refused.
const MOST_MIB: f64 = 2048.0;

/// So much memory, and so much for each triangle, may a flood take at most: a slip in a small level, a vertex far outside,
/// is not flooded for seconds.
const SMALL_MIB: [f64; 2] = [512.0, 0.25];

/// So many larger box sizes are tried for the hint. Most often, the first one does.
const MOST_SIZES: usize = 16;

/// Taller levels are refused, because heights are `f32` and have to be exact to about a millimetre.
const MAX_HEIGHT_M: f64 = 16_000.0;

/// A stretch of a column without room for anything. All heights are in metres above the base of the lattice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SolidSpan {
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
    pub runs: Vec<SolidSpan>,
    /// Ascending.
    walls: Vec<Wall>,
    /// For each column whether it has a wall.
    has_wall: Vec<bool>,
}

impl Columns {
    /// The columns of a level.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(super) fn new(
        lattice: &Lattice,
        triangles: &[[DVec3; 3]],
        settings: &Settings,
        progress: &mut Progress,
    ) -> Result<Self, Stopped> {
        let strips = Strips::new(lattice, triangles, settings);
        let count = strips.count();
        let cut = parallel::map(count, |strip| strips.cut(strip, None), |done| progress.at(done, count))?;
        Ok(Self::of(lattice, cut.into_iter()))
    }

    /// The columns after some of them changed: only triangles at changed columns are cut again.
    pub(super) fn renewed(
        &self,
        lattice: &Lattice,
        triangles: &[[DVec3; 3]],
        settings: &Settings,
        changed: &[bool],
    ) -> Self {
        let strips = Strips::new(lattice, triangles, settings);
        Self::of(lattice, (0..strips.count()).map(|strip| strips.cut(strip, Some((self, changed)))))
    }

    /// Puts strips together.
    fn of(lattice: &Lattice, strips: impl Iterator<Item = Strip>) -> Self {
        let mut all = Self {
            first: Vec::with_capacity(lattice.columns() + 1),
            runs: Vec::new(),
            walls: Vec::new(),
            has_wall: vec![false; lattice.columns()],
        };
        for strip in strips {
            let before = all.runs.len() as u32;
            all.first.extend(strip.first.iter().map(|first| before + first));
            all.runs.extend(strip.runs);
            all.walls.extend(strip.walls);
        }
        all.first.push(all.runs.len() as u32);
        all.walls.iter().for_each(|wall| all.has_wall[wall.column as usize] = true);
        all
    }

    /// The walls at some columns.
    pub(super) fn walls_at(&self, columns: Range<u32>) -> &[Wall] {
        let begin = |column: u32| self.walls.partition_point(|wall| wall.column < column);
        &self.walls[begin(columns.start)..begin(columns.end)]
    }

    /// The index of the first run of a column.
    pub(super) fn first(&self, column: u32) -> u32 {
        self.first[column as usize]
    }

    /// The runs of a column, from below.
    pub(super) fn of_column(&self, column: u32) -> &[SolidSpan] {
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

/// Refuses floods that would take too much memory, with a box size that would do.
pub(super) fn check_size(lattice: &Lattice, triangles: &[[DVec3; 3]]) -> Result<(), SectorProblem> {
    let corners = || triangles.iter().flatten();
    let min = corners().fold(DVec3::INFINITY, |min, &corner| min.min(corner));
    let max = corners().fold(DVec3::NEG_INFINITY, |max, &corner| max.max(corner));
    let height_m = max.y - min.y;
    if height_m > MAX_HEIGHT_M {
        return Err(SectorProblem::TooTall { height_m });
    }
    let most_mib = (SMALL_MIB[0] + SMALL_MIB[1] * triangles.len() as f64).min(MOST_MIB);
    let estimate_mib = estimate_mib(lattice, triangles);
    if estimate_mib <= most_mib {
        return Ok(());
    }
    // Floors take a quarter of the memory with boxes of twice the size, but walls only half. In whole centimetres, as
    // messages have it.
    let (mut box_size_m, mut mib) = (lattice.box_size_m, estimate_mib);
    for _ in 0..MOST_SIZES {
        let enough_m = box_size_m * (mib / most_mib).sqrt();
        box_size_m = ((enough_m * 100.0).ceil() / 100.0).max(box_size_m + 0.01);
        mib = self::estimate_mib(&Lattice::with_boxes(box_size_m, lattice.start(), min, max), triangles);
        if mib <= most_mib {
            break;
        }
    }
    Err(SectorProblem::TooLarge { estimate_mib, most_mib, triangles: triangles.len(), box_size_m })
}

/// The memory that a flood would take.
fn estimate_mib(lattice: &Lattice, triangles: &[[DVec3; 3]]) -> f64 {
    let touched: f64 = triangles.iter().map(|&corners| lattice.cutter(corners).touched()).sum();
    let columns = lattice.width as f64 * lattice.depth as f64;
    (columns * BYTES[0] + touched * BYTES[1]) / f64::from(1 << 20)
}
