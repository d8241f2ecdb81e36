//! The columns of a level that are to be traced, each once, whatever the rectangles overlap.

/// The lower corner of a rectangle of columns, and the corner behind it.
pub(super) type Rectangle = [[u32; 2]; 2];

/// A set of columns.
#[derive(Debug, Clone)]
pub(super) struct Region {
    /// Columns of the level along x and y.
    size: [u32; 2],
    /// Around all columns of the set.
    bounds: Rectangle,
    /// For each column within the bounds, row by row, whether it is in the set.
    holds: Vec<bool>,
}

impl Region {
    /// The columns of some rectangles, as far as they are in the level.
    pub(super) fn of(rectangles: &[Rectangle], size: [u32; 2]) -> Self {
        let within = |[min, max]: Rectangle| [min, [0, 1].map(|axis| max[axis].min(size[axis]))];
        let rectangles: Vec<Rectangle> = rectangles.iter().copied().map(within).collect();
        let bounds = rectangles.iter().fold([size, [0, 0]], |[low, high], [min, max]| {
            [[0, 1].map(|axis| low[axis].min(min[axis])), [0, 1].map(|axis| high[axis].max(max[axis]))]
        });
        let mut region = Self { size, bounds, holds: Vec::new() };
        region.holds = vec![false; region.count()];
        rectangles.into_iter().for_each(|rectangle| region.add(rectangle));
        region
    }

    /// The same with all columns around them.
    pub(super) fn grown(&self) -> Self {
        let around = |[min, max]: Rectangle| {
            [min.map(|at| at.saturating_sub(1)), [0, 1].map(|axis| (max[axis] + 1).min(self.size[axis]))]
        };
        let mut region = Self { size: self.size, bounds: around(self.bounds), holds: Vec::new() };
        region.holds = vec![false; region.count()];
        self.columns().for_each(|at| region.add(around([at, at.map(|at| at + 1)])));
        region
    }

    /// The columns, row by row.
    pub(super) fn columns(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let [min, max] = self.bounds;
        let all = (min[1]..max[1]).flat_map(move |y| (min[0]..max[0]).map(move |x| [x, y]));
        all.zip(&self.holds).filter(|(_, holds)| **holds).map(|(at, _)| at)
    }

    fn count(&self) -> usize {
        let [min, max] = self.bounds;
        (max[0].saturating_sub(min[0]) * max[1].saturating_sub(min[1])) as usize
    }

    fn add(&mut self, [min, max]: Rectangle) {
        let [low, high] = self.bounds;
        if min[0] >= max[0] {
            return;
        }
        for y in min[1]..max[1] {
            let first = ((y - low[1]) * (high[0] - low[0]) + min[0] - low[0]) as usize;
            self.holds[first..first + (max[0] - min[0]) as usize].fill(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::test_rooms::Random;
    use std::collections::BTreeSet;

    #[test]
    fn a_region_holds_each_column_once_and_grows_by_one() {
        for seed in 0..200 {
            let mut random = Random(seed);
            let mut below = |most: u64| random.below(most) as u32;
            let size = [1 + below(9), 1 + below(9)];
            // Some are empty, some reach beyond the level.
            let rectangles: Vec<Rectangle> = (0..below(4))
                .map(|_| {
                    let min = [below(u64::from(size[0])), below(u64::from(size[1]))];
                    [min, [min[0] + below(5), min[1] + below(5)]]
                })
                .collect();
            let level = || (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [x, y]));
            let is_in = |[x, y]: [u32; 2]| {
                let holds = |[min, max]: &Rectangle| min[0] <= x && x < max[0] && min[1] <= y && y < max[1];
                rectangles.iter().any(holds)
            };
            let near = |[x, y]: [u32; 2]| {
                level().any(|[a, b]| is_in([a, b]) && a.abs_diff(x) <= 1 && b.abs_diff(y) <= 1)
            };
            let region = Region::of(&rectangles, size);
            let found: Vec<[u32; 2]> = region.columns().collect();
            assert_eq!(
                found,
                level().filter(|&at| is_in(at)).collect::<Vec<_>>(),
                "{rectangles:?} in {size:?}"
            );
            let grown: BTreeSet<[u32; 2]> = region.grown().columns().collect();
            assert_eq!(grown, level().filter(|&at| near(at)).collect(), "{rectangles:?} in {size:?}");
        }
    }
}
