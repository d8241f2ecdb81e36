//! Triangles cut into columns, strip by strip: a strip of rows fits into the cache, and threads take different strips.

use super::columns::{Columns, SolidSpan, Wall};
use super::lattice::Lattice;
use super::settings::{SAME_M, Settings};
use glam::{DVec2, DVec3};
use std::ops::Range;

/// About so many columns are in a strip.
const COLUMNS: usize = 8192;

/// A part of a triangle in a column.
#[derive(Debug, Clone, Copy, PartialEq)]
struct TrianglePart {
    column: u32,
    bottom_m: f32,
    top_m: f32,
    /// The height in the middle of the box, if the triangle is there.
    middle_m: Option<f32>,
    is_floor: bool,
}

/// The triangles of a level, by strips.
pub(super) struct Strips<'a> {
    lattice: &'a Lattice,
    settings: &'a Settings,
    triangles: &'a [[DVec3; 3]],
    /// Rows of a strip.
    rows: usize,
    /// For each strip where its triangles begin in `order`, and at the end their number.
    first: Vec<u32>,
    /// Strip by strip the triangles that touch it.
    order: Vec<u32>,
}

/// The columns of a strip.
#[derive(Debug, Default)]
pub(super) struct Strip {
    /// For each column the index of its first run.
    pub first: Vec<u32>,
    pub runs: Vec<SolidSpan>,
    /// Ascending.
    pub walls: Vec<Wall>,
}

impl<'a> Strips<'a> {
    pub(super) fn new(lattice: &'a Lattice, triangles: &'a [[DVec3; 3]], settings: &'a Settings) -> Self {
        let rows = rows_of_strip(lattice);
        let strips_of = |corners: &[DVec3; 3]| {
            let (first, last) = lattice.cutter(*corners).touched_rows();
            first / rows..last / rows + 1
        };
        let strips: Vec<Range<usize>> = triangles.iter().map(strips_of).collect();
        let mut first = vec![0_u32; lattice.depth.div_ceil(rows) + 1];
        strips.iter().cloned().flatten().for_each(|strip| first[strip + 1] += 1);
        for strip in 1..first.len() {
            first[strip] += first[strip - 1];
        }
        let (mut next, mut order) = (first.clone(), vec![0; first[first.len() - 1] as usize]);
        for (triangle, strips) in strips.into_iter().enumerate() {
            for strip in strips {
                order[next[strip] as usize] = triangle as u32;
                next[strip] += 1;
            }
        }
        Self { lattice, settings, triangles, rows, first, order }
    }

    pub(super) fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// Cuts the triangles of a strip. If only some columns have changed, those of the others are taken from before.
    pub(super) fn cut(&self, strip: usize, before: Option<(&Columns, &[bool])>) -> Strip {
        let rows = strip * self.rows..((strip + 1) * self.rows).min(self.lattice.depth);
        let columns = self.lattice.column(0, rows.start)..self.lattice.column(0, rows.end);
        let is_old = |column: u32| before.is_some_and(|(_, changed)| !changed[column as usize]);
        let (mut parts, mut walls) = (Vec::new(), Vec::new());
        if !columns.clone().all(is_old) {
            let triangles = &self.order[self.first[strip] as usize..self.first[strip + 1] as usize];
            for &triangle in triangles {
                self.add(triangle, rows.clone(), &is_old, &mut parts, &mut walls);
            }
        }
        if let Some((before, _)) = before {
            let walls_before = before.walls_at(columns.clone());
            walls.extend(walls_before.iter().filter(|wall| is_old(wall.column)));
        }
        walls.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        walls.dedup();
        let (mut sorted, ends) = by_column(&parts, &columns);
        let (mut first, mut runs) = (Vec::with_capacity(ends.len()), Vec::new());
        let mut begin = 0;
        for (column, end) in columns.zip(ends) {
            first.push(runs.len() as u32);
            match before.filter(|_| is_old(column)) {
                Some((before, _)) => runs.extend(before.of_column(column)),
                None => join(&mut sorted[begin..end as usize], self.lattice.box_size_m, &mut runs),
            }
            begin = end as usize;
        }
        Strip { first, runs, walls }
    }

    /// Adds the parts of a triangle in some rows, but for those in old columns.
    fn add(
        &self,
        triangle: u32,
        rows: Range<usize>,
        is_old: &impl Fn(u32) -> bool,
        parts: &mut Vec<TrianglePart>,
        walls: &mut Vec<Wall>,
    ) {
        let corners = self.triangles[triangle as usize];
        let cutter = self.lattice.cutter(corners);
        let up = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero().y;
        let is_floor = up > self.settings.least_up;
        // Along x and z: whether the whole triangle is on one border.
        let on_border = [0, 2].map(|axis| {
            let [a, b, c] = cutter.corners.map(|corner| corner[axis]);
            a == b && b == c && a.fract() == 0.0
        });
        cutter.rows_between(rows, &mut |x, z, piece| {
            let column = self.lattice.column(x, z);
            if is_old(column) {
                return;
            }
            let (bottom, top) = piece.range(1);
            let (bottom_m, top_m) = (bottom as f32, top as f32);
            if let Some(axis) = on_border.iter().position(|&is_on| is_on) {
                walls.push(Wall { column, axis: axis as u8, bottom_m, top_m });
            } else if piece.is_inside(0, x) && piece.is_inside(2, z) {
                let centre = DVec2::new(x as f64 + 0.5, z as f64 + 0.5);
                let (height, is_there) = cutter.floor(centre, bottom, top);
                let middle_m = (is_floor && is_there).then_some(height as f32);
                parts.push(TrianglePart { column, bottom_m, top_m, middle_m, is_floor });
            }
        });
    }
}

fn rows_of_strip(lattice: &Lattice) -> usize {
    (COLUMNS / lattice.width).max(1)
}

/// Marks the columns that a triangle touches.
pub(super) fn mark(lattice: &Lattice, corners: [DVec3; 3], marked: &mut [bool]) {
    let cutter = lattice.cutter(corners);
    let ((first, last), rows) = (cutter.touched_rows(), rows_of_strip(lattice));
    for strip in first / rows..last / rows + 1 {
        let rows = strip * rows..(strip + 1) * rows;
        cutter.rows_between(rows, &mut |x, z, _| marked[lattice.column(x, z) as usize] = true);
    }
}

/// Sorts parts by their columns. Also returns where the parts of each column end.
fn by_column(parts: &[TrianglePart], columns: &Range<u32>) -> (Vec<TrianglePart>, Vec<u32>) {
    let place = |part: &TrianglePart| (part.column - columns.start) as usize;
    let mut ends = vec![0_u32; columns.len()];
    parts.iter().for_each(|part| ends[place(part)] += 1);
    let mut sum = 0;
    for end in &mut ends {
        (*end, sum) = (sum, sum + *end);
    }
    let mut sorted = parts.to_vec();
    for &part in parts {
        let at = &mut ends[place(&part)];
        sorted[*at as usize] = part;
        *at += 1;
    }
    (sorted, ends)
}

/// Joins parts that touch to runs, whatever the order of the parts.
fn join(parts: &mut [TrianglePart], box_size_m: f64, runs: &mut Vec<SolidSpan>) {
    let key = |part: &TrianglePart| (part.bottom_m, part.top_m, part.middle_m, part.is_floor);
    parts.sort_unstable_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
    let same_m = SAME_M as f32;
    let mut rest = parts.iter().peekable();
    while let Some(part) = rest.next() {
        let TrianglePart { bottom_m, mut top_m, middle_m, mut is_floor, .. } = *part;
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
        runs.push(SolidSpan { bottom_m, top_m, floor_m, is_floor });
    }
}
