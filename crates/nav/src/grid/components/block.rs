//! The regions of one block of 64 × 64 cells: the connected components inside it, labelled by runs of cells.

use crate::grid::raster::Raster;

/// Cells along an edge of a block: a word of bits.
pub(super) const EDGE: u32 = 64;

/// Upper limit on the regions of a block: in a checkerboard pattern, half as many as cells.
pub(super) const MOST_REGIONS: u32 = EDGE * EDGE / 2;

/// The region of each run of cells of a block, row by row.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    /// Where the runs of each row begin in `region_of_run`. Equal rows share their entry.
    first_run: Vec<u16>,
    region_of_run: Vec<u16>,
    /// The component of the ground for each region.
    pub(super) components: Vec<u32>,
    /// Pairs of regions that share a border with the block to the east: ours, theirs.
    pub(super) east: Vec<(u16, u16)>,
    /// The same to the south.
    pub(super) south: Vec<(u16, u16)>,
}

impl Block {
    /// Finds the regions in the words of the block's rows. They belong to no component yet.
    pub(super) fn label(
        &mut self,
        rows: impl Iterator<Item = u64>,
        no_component: u32,
        scratch: &mut Vec<u16>,
    ) {
        let Self { first_run, region_of_run, components, .. } = self;
        // At first, the region of a run is the run it was united with last: a union-find forest.
        let joined = scratch;
        joined.clear();
        first_run.clear();
        let mut above = 0;
        let mut above_first = 0;
        for (row, word) in rows.enumerate() {
            if row > 0 && word == above {
                // The row equals the row above in every way that matters here, so each run continues the run above
                // it.
                first_run.push(above_first as u16);
                continue;
            }
            let first = joined.len();
            first_run.push(first as u16);
            for run in runs(word) {
                let own = joined.len() as u16;
                let mut region = own;
                let mut shared = above & run;
                while shared != 0 {
                    let bit = shared.trailing_zeros();
                    let other = root(joined, (above_first + run_at(above, bit)) as u16);
                    if region == own {
                        region = other;
                    } else if region != other {
                        let lower = region.min(other);
                        joined[region.max(other) as usize] = lower;
                        region = lower;
                    }
                    // The carry clears the rest of the run above.
                    shared &= shared.wrapping_add(1 << bit);
                }
                joined.push(region);
            }
            (above, above_first) = (word, first);
        }
        region_of_run.clear();
        let mut regions = 0;
        for run in 0..joined.len() as u16 {
            let first = root(joined, run);
            // The lowest run of a region is its root, so it already has a number.
            let region = if first == run { regions } else { region_of_run[first as usize] };
            regions += u16::from(first == run);
            region_of_run.push(region);
        }
        components.clear();
        components.resize(regions as usize, no_component);
    }

    /// The region of a set cell, by its row and its bit in the row's word.
    #[inline]
    pub(super) fn region_at(&self, row: u32, word: u64, bit: u32) -> u16 {
        self.region_of_run[self.first_run[row as usize] as usize + run_at(word, bit)]
    }

    /// The cells of a row whose regions are `wanted`.
    pub(super) fn cells_of(&self, row: u32, word: u64, wanted: impl Fn(u16) -> bool) -> u64 {
        let first = self.first_run[row as usize] as usize;
        let of_runs = runs(word).zip(&self.region_of_run[first..]);
        of_runs.filter(|(_, region)| wanted(**region)).fold(0, |cells, (run, _)| cells | run)
    }
}

/// Pairs of regions on both sides of a border, where both words have a cell. Each stretch of border gives one pair.
pub(super) fn pairs(both: u64, mut region_at: impl FnMut(u32) -> (u16, u16), out: &mut Vec<(u16, u16)>) {
    out.clear();
    for run in runs(both) {
        let pair = region_at(run.trailing_zeros());
        if out.last() != Some(&pair) {
            out.push(pair);
        }
    }
}

/// The cells of a column of the block whose top left cell is (x, z), as a word.
pub(super) fn column(transposed: &Raster, x: u32, z: u32) -> u64 {
    transposed.row(x)[(z / EDGE) as usize]
}

/// The runs of set bits, lowest first, each as a mask.
fn runs(word: u64) -> impl Iterator<Item = u64> {
    let mut left = word;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let rest = left & left.wrapping_add(left & left.wrapping_neg());
        let run = left & !rest;
        left = rest;
        Some(run)
    })
}

/// The index of the run of a word that holds a set bit.
#[inline]
fn run_at(word: u64, bit: u32) -> usize {
    let starts = word & !(word << 1);
    (starts & (u64::MAX >> (63 - bit))).count_ones() as usize - 1
}

fn root(joined: &mut [u16], run: u16) -> u16 {
    let mut at = run;
    while joined[at as usize] != at {
        let above = joined[joined[at as usize] as usize];
        joined[at as usize] = above;
        at = above;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_taken_apart_from_the_lowest_bit_up() {
        assert_eq!(runs(0b1101_1001).collect::<Vec<_>>(), [0b1, 0b1_1000, 0b1100_0000]);
        assert_eq!(runs(u64::MAX).collect::<Vec<_>>(), [u64::MAX]);
        assert_eq!(runs(1 << 63).collect::<Vec<_>>(), [1 << 63]);
        assert_eq!((run_at(0b1101_1001, 0), run_at(0b1101_1001, 4), run_at(0b1101_1001, 7)), (0, 1, 2));
    }

    #[test]
    fn what_meets_farther_down_is_one_region() {
        let mut block = Block::default();
        let rows = [0b101_0101, 0b101_0111, 0b001_0000, 0b111_0000];
        block.label(rows.into_iter(), 0, &mut Vec::new());
        let at = |row: u32, bit: u32| block.region_at(row, rows[row as usize], bit);
        assert_eq!((at(0, 0), at(0, 2), at(1, 1)), (0, 0, 0));
        assert_eq!((at(0, 4), at(3, 6), at(1, 6), at(0, 6)), (1, 1, 2, 2));
        assert_eq!(block.components.len(), 3, "a diagonal neighbour is none");
        assert_eq!(block.cells_of(1, rows[1], |region| region == 2), 0b100_0000);
    }
}
