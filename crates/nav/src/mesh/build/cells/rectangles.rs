//! Cells merged to rectangles.

use crate::grid::NEVER;

/// A rectangle of cells with the same cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rectangle {
    /// The first column, and the one behind the last.
    pub x: [u32; 2],
    /// The first row, and the one behind the last.
    pub z: [u32; 2],
    pub cover: u32,
}

/// Disjoint rectangles that hold all cells with a cover, in the order of their first cells, row by row.
///
/// Each begins at the first cell that is left, and grows as far as it can along the row and then by rows, or along the
/// column and then by columns, whichever gives more cells. On public maps that leaves few rectangles. Taking the
/// largest rectangle of all first gave a fifth fewer in rooms with thin walls and more in caves, and took three times as
/// long.
pub(super) fn merged(cover_of: &[u32], width: u32, depth: u32) -> Vec<Rectangle> {
    let mut left = cover_of.to_vec();
    let index = |x: u32, z: u32| z as usize * width as usize + x as usize;
    let mut rectangles = Vec::new();
    for (z, x) in (0..depth).flat_map(|z| (0..width).map(move |x| (z, x))) {
        let cover = left[index(x, z)];
        if cover == NEVER {
            continue;
        }
        let is_alike = |x: u32, z: u32| left[index(x, z)] == cover;
        let row_end = (x..width).find(|&x| !is_alike(x, z)).unwrap_or(width);
        let row_last = (z..depth).find(|&z| (x..row_end).any(|x| !is_alike(x, z))).unwrap_or(depth);
        let column_end = (z..depth).find(|&z| !is_alike(x, z)).unwrap_or(depth);
        let column_last = (x..width).find(|&x| (z..column_end).any(|z| !is_alike(x, z))).unwrap_or(width);
        let cells = |end_x: u32, end_z: u32| u64::from(end_x - x) * u64::from(end_z - z);
        let by_rows = cells(row_end, row_last) >= cells(column_last, column_end);
        let (end_x, end_z) = if by_rows { (row_end, row_last) } else { (column_last, column_end) };
        for row in z..end_z {
            left[index(x, row)..index(end_x, row)].fill(NEVER);
        }
        rectangles.push(Rectangle { x: [x, end_x], z: [z, end_z], cover });
    }
    rectangles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::test_rooms::Random;

    #[test]
    fn each_cell_with_a_cover_is_in_one_rectangle_of_that_cover() {
        for seed in 0..200 {
            let random = &mut Random(seed);
            let (width, depth) = (1 + random.below(70) as u32, 1 + random.below(20) as u32);
            let kinds = 1 + random.below(4);
            // Large patches and single cells.
            let patch = 1 + random.below(5) as u32;
            let cover = |x: u32, z: u32| {
                let place = u64::from(x / patch) << 32 | u64::from(z / patch);
                let cover = Random(seed ^ place.wrapping_mul(0x9E37_79B9)).below(kinds + 1);
                if cover == kinds { NEVER } else { cover as u32 }
            };
            let cells: Vec<u32> =
                (0..depth).flat_map(|z| (0..width).map(move |x| (x, z))).map(|(x, z)| cover(x, z)).collect();
            let mut covered = vec![NEVER; cells.len()];
            for Rectangle { x, z, cover } in merged(&cells, width, depth) {
                for (z, x) in (z[0]..z[1]).flat_map(|z| (x[0]..x[1]).map(move |x| (z, x))) {
                    let cell = &mut covered[(z * width + x) as usize];
                    assert_eq!(*cell, NEVER, "seed {seed}: {x}, {z} is in two rectangles");
                    *cell = cover;
                }
            }
            assert_eq!(covered, cells, "seed {seed}");
        }
    }

    #[test]
    fn rectangles_grow_along_the_longer_side() {
        let cells = |rows: &[&str]| -> Vec<u32> {
            rows.concat().chars().map(|mark| mark.to_digit(10).unwrap_or(NEVER)).collect()
        };
        let merged = |rows: &[&str]| merged(&cells(rows), rows[0].len() as u32, rows.len() as u32).len();
        assert_eq!(merged(&["0000", "0000", "0000"]), 1);
        assert_eq!(merged(&["00.0", "0000", "0000"]), 3);
        assert_eq!(merged(&["00..", "0000", "0000"]), 2);
        assert_eq!(merged(&["0011", "0011"]), 2);
    }
}
