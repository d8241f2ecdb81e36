//! One bit a cell, 64 cells a word, each row starting at a word of its own.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bits {
    words_per_row: usize,
    words: Vec<u64>,
}

impl Bits {
    pub(super) fn new(width: u32, depth: u32) -> Self {
        let words_per_row = (width as usize).div_ceil(64);
        Self { words_per_row, words: vec![0; words_per_row * depth as usize] }
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
}

/// Applies `change(word, mask)` to every word that the cells of `span` touch.
pub(super) fn for_words(row: &mut [u64], span: Range<u32>, mut change: impl FnMut(&mut u64, u64)) {
    if span.is_empty() {
        return;
    }
    let (first, last) = (span.start / 64, (span.end - 1) / 64);
    for word in first..=last {
        let from = if word == first { span.start % 64 } else { 0 };
        let to = if word == last { (span.end - 1) % 64 } else { 63 };
        let mask = (u64::MAX << from) & (u64::MAX >> (63 - to));
        change(&mut row[word as usize], mask);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_over_word_borders_sets_exactly_its_cells() {
        for (start, end) in [(0, 0), (0, 1), (63, 65), (5, 130), (64, 128), (127, 200)] {
            let mut bits = Bits::new(200, 1);
            for_words(bits.row_mut(0), start..end, |word, mask| *word |= mask);
            for x in 0..200 {
                assert_eq!(bits.get(x, 0), (start..end).contains(&x), "{start}..{end} at {x}");
            }
        }
    }
}
