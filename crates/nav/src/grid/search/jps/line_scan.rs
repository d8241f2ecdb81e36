//! Block-wise scans along a line of cells, 64 at a time: to the end of the line, or to where a path may turn to the
//! line beside it.
//!
//! The method is that of Harabor and Grastien, "Improving Jump Point Search" (2014), in the variant without corner
//! cutting.

use crate::grid::raster::Raster;

/// Rows of bits with a row of zeroes before and behind.
pub(super) struct Lines<'a, const MASKED: bool> {
    words: &'a [u64],
    mask: &'a [u64],
    pub(super) per_line: usize,
}

/// The end of a scan along a line.
pub(super) struct Stop {
    pub(super) at: i64,
    pub(super) free: bool,
    /// Whether a path may turn to the line before, or to the line after.
    pub(super) turns: (bool, bool),
}

impl<'a, const MASKED: bool> Lines<'a, MASKED> {
    pub(super) fn of(bits: &'a Raster, mask: &'a [u64]) -> Self {
        Self { words: bits.padded(), mask, per_line: bits.words_per_row() }
    }

    /// The words of a line. Line 0 is the row of zeroes.
    #[inline]
    pub(super) fn word(&self, index: usize) -> u64 {
        if MASKED { self.words[index] & !self.mask[index] } else { self.words[index] }
    }

    #[inline]
    pub(super) fn get(&self, line: u32, at: u32) -> bool {
        let line = line.wrapping_add(1) as usize;
        self.word(line * self.per_line + at as usize / 64) >> (at % 64) & 1 == 1
    }

    /// The first cell after `at` where the line ends or a path may turn.
    #[inline]
    pub(super) fn ahead(&self, line: u32, at: u32) -> Stop {
        let before = line as usize * self.per_line;
        let (row, behind) = (before + self.per_line, before + 2 * self.per_line);
        let mut word = at as usize / 64;
        let mut mask = (u64::MAX << (at % 64)) << 1;
        let (mut carry_before, mut carry_behind) = (0, 0);
        loop {
            let (up, here, down) =
                (self.word(before + word), self.word(row + word), self.word(behind + word));
            // Open cells after blocked ones.
            let turns_up = up & !(up << 1 | carry_before);
            let turns_down = down & !(down << 1 | carry_behind);
            let stops = (!here | turns_up | turns_down) & mask;
            if stops != 0 {
                let bit = stops.trailing_zeros();
                let is = |bits: u64| bits >> bit & 1 == 1;
                let at = (word * 64) as i64 + i64::from(bit);
                return Stop { at, free: is(here), turns: (is(turns_up), is(turns_down)) };
            }
            word += 1;
            if word == self.per_line {
                return Stop { at: (word * 64) as i64, free: false, turns: (false, false) };
            }
            (mask, carry_before, carry_behind) = (u64::MAX, up >> 63, down >> 63);
        }
    }

    /// The first cell before `at` where the line ends or a path may turn.
    #[inline]
    pub(super) fn back(&self, line: u32, at: u32) -> Stop {
        let before = line as usize * self.per_line;
        let (row, behind) = (before + self.per_line, before + 2 * self.per_line);
        let mut word = at as usize / 64;
        let mut mask = (1 << (at % 64)) - 1;
        let (mut carry_before, mut carry_behind) = (0, 0);
        loop {
            let (up, here, down) =
                (self.word(before + word), self.word(row + word), self.word(behind + word));
            let turns_up = up & !(up >> 1 | carry_before);
            let turns_down = down & !(down >> 1 | carry_behind);
            let stops = (!here | turns_up | turns_down) & mask;
            if stops != 0 {
                let bit = 63 - stops.leading_zeros();
                let is = |bits: u64| bits >> bit & 1 == 1;
                let at = (word * 64) as i64 + i64::from(bit);
                return Stop { at, free: is(here), turns: (is(turns_up), is(turns_down)) };
            }
            if word == 0 {
                return Stop { at: -1, free: false, turns: (false, false) };
            }
            word -= 1;
            (mask, carry_before, carry_behind) = (u64::MAX, up << 63, down << 63);
        }
    }

    pub(super) fn free_ahead(&self, line: u32, at: u32) -> u32 {
        let row = (line as usize + 1) * self.per_line;
        let mut mask = (u64::MAX << (at % 64)) << 1;
        for word in at as usize / 64..self.per_line {
            let stops = !self.word(row + word) & mask;
            if stops != 0 {
                return (word * 64) as u32 + stops.trailing_zeros() - at - 1;
            }
            mask = u64::MAX;
        }
        (self.per_line * 64) as u32 - at - 1
    }

    pub(super) fn free_back(&self, line: u32, at: u32) -> u32 {
        let row = (line as usize + 1) * self.per_line;
        let mut mask = (1 << (at % 64)) - 1;
        for word in (0..=at as usize / 64).rev() {
            let stops = !self.word(row + word) & mask;
            if stops != 0 {
                return at - ((word * 64) as u32 + 63 - stops.leading_zeros()) - 1;
            }
            mask = u64::MAX;
        }
        at
    }
}
