//! Tracing of cell outlines.

/// The outlines of walkable cells, as closed loops of grid corners `[column, row]`. Walkable cells lie to the right
/// of each step (z down). Only corners where a loop turns are given. Two cells that touch at a corner are in loops
/// that touch there.
pub fn outlines(width: u32, depth: u32, is_walkable: impl Fn(u32, u32) -> bool) -> Vec<Vec<[u32; 2]>> {
    let at = |x: i64, z: i64| {
        let cell =
            (u32::try_from(x).ok().filter(|&x| x < width), u32::try_from(z).ok().filter(|&z| z < depth));
        matches!(cell, (Some(x), Some(z)) if is_walkable(x, z))
    };
    // Walkable ground is to the right of eastward edges, so they run along the upper side of a cell.
    let eastward = |x: i64, z: i64| at(x, z) && !at(x, z - 1);
    let mut seen = vec![0_u64; (width as usize * depth as usize).div_ceil(64)];
    let mut loops = Vec::new();
    for start_z in 0..i64::from(depth) {
        for start_x in 0..i64::from(width) {
            let bit = |x: i64, z: i64| z as usize * width as usize + x as usize;
            if !eastward(start_x, start_z)
                || seen[bit(start_x, start_z) / 64] >> (bit(start_x, start_z) % 64) & 1 == 1
            {
                continue;
            }
            let mut corners = Vec::new();
            let (mut x, mut z, mut step) = (start_x, start_z, (1, 0));
            loop {
                if step == (1, 0) {
                    seen[bit(x, z) / 64] |= 1 << (bit(x, z) % 64);
                }
                (x, z) = (x + step.0, z + step.1);
                // The cells ahead to the left and to the right of the current edge.
                let ahead = |side: i64| {
                    let (dx, dz) = (step.0 - step.1 * side, step.1 + step.0 * side);
                    at(x + (dx - 1) / 2, z + (dz - 1) / 2)
                };
                let next = match (ahead(-1), ahead(1)) {
                    // At a corner shared by two cells, each loop keeps to its own cell.
                    (_, false) => (-step.1, step.0),
                    (false, true) => step,
                    (true, true) => (step.1, -step.0),
                };
                if next != step {
                    corners.push([x as u32, z as u32]);
                }
                step = next;
                if (x, z, step) == (start_x, start_z, (1, 0)) {
                    break;
                }
            }
            loops.push(corners);
        }
    }
    loops
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: &[&str]) -> Vec<Vec<[u32; 2]>> {
        let walkable = |x: u32, z: u32| rows[z as usize].as_bytes()[x as usize] == b'.';
        outlines(rows[0].len() as u32, rows.len() as u32, walkable)
    }

    #[test]
    fn outlines_go_round_the_cells_and_their_holes() {
        assert_eq!(drawn(&["##", "##"]), Vec::<Vec<[u32; 2]>>::new());
        assert_eq!(drawn(&[".."]), [[[2, 0], [2, 1], [0, 1], [0, 0]]]);
        assert_eq!(
            drawn(&["...", ".#.", "..."]),
            [[[3, 0], [3, 3], [0, 3], [0, 0]], [[2, 2], [2, 1], [1, 1], [1, 2]]]
        );
        assert_eq!(drawn(&[".#", "#."]).len(), 2, "cells that touch at a corner stay apart");
    }

    #[test]
    fn the_area_within_the_outlines_is_that_of_the_cells() {
        for seed in 0..200_u64 {
            let walkable = |x: u32, z: u32| {
                (u64::from(x * 31 + z * 17) + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62 != 0
            };
            let twice = |corners: &Vec<[u32; 2]>| -> i64 {
                let next = corners.iter().cycle().skip(1);
                let cross = |(a, b): (&[u32; 2], &[u32; 2])| {
                    i64::from(a[0]) * i64::from(b[1]) - i64::from(b[0]) * i64::from(a[1])
                };
                corners.iter().zip(next).map(cross).sum()
            };
            let area: i64 = outlines(13, 9, walkable).iter().map(twice).sum();
            let cells = (0..13 * 9).filter(|i| walkable(i % 13, i / 13)).count();
            assert_eq!(area, 2 * cells as i64, "seed {seed}");
        }
    }
}
