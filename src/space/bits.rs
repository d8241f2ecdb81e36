//! One bit a cell, 64 cells a word, each row starting at a word of its own.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bits {
    width: u32,
    words_per_row: usize,
    words: Vec<u64>,
}

impl Bits {
    pub(super) fn new(width: u32, depth: u32) -> Self {
        let words_per_row = (width as usize).div_ceil(64);
        Self { width, words_per_row, words: vec![0; words_per_row * depth as usize] }
    }

    pub(super) fn width(&self) -> u32 {
        self.width
    }

    pub(super) fn depth(&self) -> u32 {
        self.words.len().checked_div(self.words_per_row).unwrap_or(0) as u32
    }

    pub(super) fn set(&mut self, x: u32, z: u32, on: bool) {
        let word = &mut self.words[z as usize * self.words_per_row + x as usize / 64];
        *word = *word & !(1 << (x % 64)) | u64::from(on) << (x % 64);
    }

    /// Whether all cells of `span` in row `z` are set.
    pub(super) fn all_in(&self, z: u32, span: Range<u32>) -> bool {
        span.is_empty() || self.get(span.start, z) && self.run_around(z, span.start).end >= span.end
    }

    pub(super) fn get(&self, x: u32, z: u32) -> bool {
        self.words[z as usize * self.words_per_row + x as usize / 64] >> (x % 64) & 1 == 1
    }

    pub(super) fn row(&self, z: u32) -> &[u64] {
        let start = z as usize * self.words_per_row;
        &self.words[start..start + self.words_per_row]
    }

    pub(super) fn row_mut(&mut self, z: u32) -> &mut [u64] {
        let start = z as usize * self.words_per_row;
        &mut self.words[start..start + self.words_per_row]
    }

    pub(super) fn all(&self) -> &[u64] {
        &self.words
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

    /// The longest run of set cells in row `z` around `x`, which is set.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::for_words;

    #[test]
    fn a_span_over_word_borders_sets_exactly_its_cells() {
        for (start, end) in [(0, 0), (0, 1), (63, 65), (5, 130), (64, 128), (127, 200)] {
            let mut bits = Bits::new(200, 1);
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
        let (mut bits, mut but) = (Bits::new(200, 2), Bits::new(200, 2));
        for_words(bits.row_mut(1), 10..190, |word, mask| *word |= mask);
        for_words(but.row_mut(1), 0..129, |word, mask| *word |= mask);
        for (span, found) in [(0..200, Some(129)), (130..200, Some(130)), (0..129, None), (190..200, None)] {
            assert_eq!(bits.first_without(&but, 1, span.clone()), found, "{span:?}");
        }
        assert_eq!(bits.first_without(&but, 0, 0..200), None);
    }
}
