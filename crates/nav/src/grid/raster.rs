//! A raster of bits: one bit per cell, 64 cells per word. Each row starts at a word of its own. A row of zeroes lies
//! before the first and after the last row, so code that reads the neighbouring rows needs no bounds test.

use crate::geometry::for_words;
use std::ops::Range;

/// Up to this number of cells, transposing cell by cell is faster than in 64 × 64 blocks.
const FEW_CELLS: usize = 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Raster {
    width: u32,
    words_per_row: usize,
    words: Vec<u64>,
}

impl Raster {
    pub(super) fn new(width: u32, depth: u32) -> Self {
        let words_per_row = (width as usize).div_ceil(64);
        Self { width, words_per_row, words: vec![0; words_per_row * (depth as usize + 2)] }
    }

    pub(super) fn width(&self) -> u32 {
        self.width
    }

    pub(super) fn depth(&self) -> u32 {
        self.words.len().checked_div(self.words_per_row).map_or(0, |rows| rows as u32 - 2)
    }

    pub(super) fn words_per_row(&self) -> usize {
        self.words_per_row
    }

    /// All words, with the rows of zeroes before and behind.
    pub(super) fn padded(&self) -> &[u64] {
        &self.words
    }

    pub(super) fn set(&mut self, x: u32, z: u32, on: bool) {
        let word = &mut self.row_mut(z)[x as usize / 64];
        *word = *word & !(1 << (x % 64)) | u64::from(on) << (x % 64);
    }

    /// Whether all cells of `span` in row `z` are set.
    pub(super) fn all_in(&self, z: u32, span: Range<u32>) -> bool {
        span.is_empty() || self.get(span.start, z) && self.run_around(z, span.start).end >= span.end
    }

    /// Whether any cell of `span` in row `z` is set.
    pub(super) fn any_in(&self, z: u32, span: Range<u32>) -> bool {
        let (first, last) = (span.start as usize / 64, (span.end as usize - 1) / 64);
        let row = &self.row(z)[first..=last];
        row.iter().zip(first..).any(|(&word, index)| {
            let from = if index == first { u64::MAX << (span.start % 64) } else { u64::MAX };
            let to = if index == last { u64::MAX >> (63 - (span.end - 1) % 64) } else { u64::MAX };
            word & from & to != 0
        })
    }

    /// The 64 cells of row `z` from a column on, which may lie outside; no cell is set there.
    pub(super) fn word_from(&self, z: u32, first: i64) -> u64 {
        let row = self.row(z);
        let at = |word: i64| usize::try_from(word).ok().and_then(|word| row.get(word)).copied().unwrap_or(0);
        let (word, bit) = (first.div_euclid(64), first.rem_euclid(64));
        at(word) >> bit | if bit > 0 { at(word + 1) << (64 - bit) } else { 0 }
    }

    pub(super) fn get(&self, x: u32, z: u32) -> bool {
        self.words[(z as usize + 1) * self.words_per_row + x as usize / 64] >> (x % 64) & 1 == 1
    }

    pub(super) fn row(&self, z: u32) -> &[u64] {
        let start = (z as usize + 1) * self.words_per_row;
        &self.words[start..start + self.words_per_row]
    }

    pub(super) fn row_mut(&mut self, z: u32) -> &mut [u64] {
        let start = (z as usize + 1) * self.words_per_row;
        &mut self.words[start..start + self.words_per_row]
    }

    /// All words of all rows.
    pub(super) fn all(&self) -> &[u64] {
        &self.words[self.words_per_row..self.words.len() - self.words_per_row]
    }

    /// Number of set cells with an unset diagonal neighbour while both cells beside that diagonal are set. Columns are
    /// rounded out to whole words.
    pub(super) fn corners(&self, columns: Range<u32>, rows: Range<u32>) -> u64 {
        let words = columns.start as usize / 64..(columns.end as usize).div_ceil(64).min(self.words_per_row);
        let mut corners = 0;
        for z in rows.start..rows.end.min(self.depth()) {
            let line = |number: usize| &self.words[number * self.words_per_row..][..self.words_per_row];
            let (up, here, down) = (line(z as usize), line(z as usize + 1), line(z as usize + 2));
            for at in words.clone() {
                // The row as it is, moved one cell east, and one cell west.
                let three = |row: &[u64]| {
                    let last = if at > 0 { row[at - 1] >> 63 } else { 0 };
                    let next = if at + 1 < row.len() { row[at + 1] << 63 } else { 0 };
                    (row[at], row[at] << 1 | last, row[at] >> 1 | next)
                };
                let (middle, west, east) = three(here);
                let beside =
                    |(row, row_west, row_east): (u64, u64, u64)| row & (west & !row_west | east & !row_east);
                corners += u64::from((middle & (beside(three(up)) | beside(three(down)))).count_ones());
            }
        }
        corners
    }

    /// Sets a rectangle of cells (columns and rows here) to the transposed cells of `other`: cell (x, z) is (z, x)
    /// there.
    pub(super) fn transpose_from(&mut self, other: &Self, columns: Range<u32>, rows: Range<u32>) {
        if columns.len() * rows.len() <= FEW_CELLS {
            for z in rows {
                let (word, bit) = (z as usize / 64, z % 64);
                for_words(self.row_mut(z), columns.clone(), |own, mask| {
                    *own &= !mask;
                });
                for x in columns.clone() {
                    let on = other.row(x)[word] >> bit & 1;
                    self.row_mut(z)[x as usize / 64] |= on << (x % 64);
                }
            }
            return;
        }
        for block_z in rows.start / 64..=(rows.end - 1) / 64 {
            for block_x in columns.start / 64..=(columns.end - 1) / 64 {
                let mut block = [0; 64];
                // The block's rows here are columns there.
                let lines = block_x * 64..(block_x * 64 + 64).min(other.depth());
                for (word, line) in block.iter_mut().zip(lines) {
                    *word = other.row(line)[block_z as usize];
                }
                transpose(&mut block);
                let lines = block_z * 64..(block_z * 64 + 64).min(self.depth());
                for (word, line) in block.iter().zip(lines) {
                    self.row_mut(line)[block_x as usize] = *word;
                }
            }
        }
    }

    /// The first cell of `span` in row `z` that is set here and not in `but`, which has the same size.
    pub(super) fn first_without(&self, but: &Self, z: u32, span: Range<u32>) -> Option<u32> {
        let (ours, theirs) = (self.row(z), but.row(z));
        let mut x = span.start;
        while x < span.end {
            let word = x as usize / 64;
            let left = (ours[word] & !theirs[word]) & (u64::MAX << (x % 64));
            if left != 0 {
                let found = (x / 64) * 64 + left.trailing_zeros();
                return (found < span.end).then_some(found);
            }
            x = (x / 64 + 1) * 64;
        }
        None
    }

    /// The longest run of set cells in row `z` around `x`, which must be set.
    pub(super) fn run_around(&self, z: u32, x: u32) -> Range<u32> {
        let row = self.row(z);
        let (mut first, mut last) = (x as usize / 64, x as usize / 64);
        let mut gaps = !row[first] & !(u64::MAX << (x % 64));
        while gaps == 0 && first > 0 {
            first -= 1;
            gaps = !row[first];
        }
        let start = (first as u32 + 1) * 64 - gaps.leading_zeros();
        gaps = !row[last] & (u64::MAX << (x % 64));
        while gaps == 0 && last + 1 < row.len() {
            last += 1;
            gaps = !row[last];
        }
        let stop = last as u32 * 64 + gaps.trailing_zeros();
        start..stop
    }
}

/// Swaps rows and columns of 64 × 64 bits. Blocks of half the size change places, then their halves, down to single
/// bits (Warren, "Hacker's Delight", 7-3).
fn transpose(block: &mut [u64; 64]) {
    let mut size = 32;
    let mut low = u64::MAX >> 32;
    while size > 0 {
        let mut row = 0;
        while row < 64 {
            let swap = ((block[row] >> size) ^ block[row + size]) & low;
            block[row] ^= swap << size;
            block[row + size] ^= swap;
            row = (row + size + 1) & !size;
        }
        size /= 2;
        low ^= low << size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_over_word_borders_sets_exactly_its_cells() {
        for (start, end) in [(0, 0), (0, 1), (63, 65), (5, 130), (64, 128), (127, 200)] {
            let mut bits = Raster::new(200, 1);
            for_words(bits.row_mut(0), start..end, |word, mask| *word |= mask);
            for x in 0..200 {
                assert_eq!(bits.get(x, 0), (start..end).contains(&x), "{start}..{end} at {x}");
            }
            for x in start..end {
                assert_eq!(bits.run_around(0, x), start..end, "from {x}");
            }
        }
    }

    #[test]
    fn what_one_has_and_another_lacks_is_found_from_any_place() {
        let (mut bits, mut but) = (Raster::new(200, 2), Raster::new(200, 2));
        for_words(bits.row_mut(1), 10..190, |word, mask| *word |= mask);
        for_words(but.row_mut(1), 0..129, |word, mask| *word |= mask);
        for (span, found) in [(0..200, Some(129)), (130..200, Some(130)), (0..129, None), (190..200, None)] {
            assert_eq!(bits.first_without(&but, 1, span.clone()), found, "{span:?}");
        }
        assert_eq!(bits.first_without(&but, 0, 0..200), None);
    }

    #[test]
    fn a_mirror_image_has_columns_for_rows() {
        let (width, depth) = (150, 90);
        let mut bits = Raster::new(width, depth);
        let mut transposed = Raster::new(depth, width);
        let (mut random, mut before) = (1_u64, 0);
        for round in 0..3 {
            for z in 20 * round..depth {
                for x in 30 * round..width {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    bits.set(x, z, random >> 60 > 7);
                }
            }
            transposed.transpose_from(&bits, 20 * round..depth, 30 * round..width);
            for (x, z) in (0..depth).flat_map(|z| (0..width).map(move |x| (x, z))) {
                assert_eq!(bits.get(x, z), transposed.get(z, x), "{x}, {z} in round {round}");
            }
            assert_ne!(std::mem::replace(&mut before, random), random);
        }
    }
}
