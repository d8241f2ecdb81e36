//! A set of pixels as runs, row by row.

use std::ops::Range;

use crate::geometry::{for_words, outlines};

/// A set of pixels of an image. Runs in a row are ascending, disjoint, and not empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pixels {
    /// The row of the first run.
    first_row: u32,
    /// `runs[row_start[i]..row_start[i + 1]]` belong to row `first_row + i`.
    row_start: Vec<u32>,
    runs: Vec<Range<u32>>,
}

impl Pixels {
    /// Adds the pixels `columns` of `row`, behind all pixels added so far.
    pub(super) fn add(&mut self, row: u32, columns: Range<u32>) {
        if self.runs.is_empty() {
            self.first_row = row;
            self.row_start = vec![0, 0];
        }
        while self.first_row + self.row_start.len() as u32 - 2 < row {
            self.row_start.push(self.runs.len() as u32);
        }
        let begins = self.row_start[self.row_start.len() - 2] as usize;
        match self.runs[begins..].last_mut().filter(|last| last.end == columns.start) {
            Some(last) => last.end = columns.end,
            None => self.runs.push(columns),
        }
        if let Some(end) = self.row_start.last_mut() {
            *end = self.runs.len() as u32;
        }
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The rows from the first to the last pixel.
    pub fn rows(&self) -> Range<u32> {
        self.first_row..self.first_row + (self.row_start.len() as u32).saturating_sub(1)
    }

    /// The columns from the leftmost to the rightmost pixel.
    pub fn columns(&self) -> Range<u32> {
        let left = self.runs.iter().map(|run| run.start).min().unwrap_or(0);
        left..self.runs.iter().map(|run| run.end).max().unwrap_or(0)
    }

    /// The runs of a row.
    pub fn row(&self, row: u32) -> &[Range<u32>] {
        if !self.rows().contains(&row) {
            return &[];
        }
        let index = (row - self.first_row) as usize;
        &self.runs[self.row_start[index] as usize..self.row_start[index + 1] as usize]
    }

    /// The outlines of its pieces and their holes, by corners of pixels, the largest first.
    pub fn outlines(&self) -> Vec<Vec<[u32; 2]>> {
        let (columns, rows) = (self.columns(), self.rows());
        let (left, top, width) = (columns.start, rows.start, (columns.end - columns.start) as usize);
        // Each pixel is tested several times, so it gets a bit: in noise a row has a thousand runs.
        let words_in_row = width.div_ceil(64);
        let mut bits = vec![0u64; words_in_row * rows.len()];
        for (row, words) in rows.clone().zip(bits.chunks_mut(words_in_row.max(1))) {
            for run in self.row(row) {
                for_words(words, run.start - left..run.end - left, |word, mask| *word |= mask);
            }
        }
        let is_one = |x: u32, z: u32| {
            let word = bits.get(z as usize * words_in_row + x as usize / 64);
            word.is_some_and(|word| word >> (x % 64) & 1 == 1)
        };
        let mut found = outlines(columns.end - left, rows.end - top, is_one);
        for corner in found.iter_mut().flatten() {
            *corner = [corner[0] + left, corner[1] + top];
        }
        found.sort_by_cached_key(|corners| std::cmp::Reverse(twice(corners)));
        found
    }

    /// Whether a pixel is in the set.
    pub fn contains(&self, column: u32, row: u32) -> bool {
        let runs = self.row(row);
        let before = runs.partition_point(|run| run.end <= column);
        runs.get(before).is_some_and(|run| run.start <= column)
    }
}

/// Twice the area within an outline, of either winding.
fn twice(corners: &[[u32; 2]]) -> i64 {
    let cross = |[ax, az]: [u32; 2], [bx, bz]: [u32; 2]| {
        i64::from(ax) * i64::from(bz) - i64::from(bx) * i64::from(az)
    };
    let Some(&last) = corners.last() else { return 0 };
    let (sum, _) =
        corners.iter().fold((0, last), |(sum, before), &corner| (sum + cross(before, corner), corner));
    sum.abs()
}
