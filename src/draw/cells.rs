//! The ground in cells: as the search sees it, and as the file of a room made of a grid gives it.

use crate::room::GridCells;
use crate::space::{Ground, Node};
use glam::DVec2;
use std::sync::Arc;

/// Ground that a file gives cell by cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Floor {
    /// Where the cells lie and which ones are walkable.
    pub cells: Arc<GridCells>,
    /// Edge of a cell, metres.
    pub size_m: f64,
}

/// Which cells of the ground are walkable.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// The corner of the first cell with the smallest coordinates, metres.
    pub min: DVec2,
    /// Edge of a cell, metres.
    pub size_m: f64,
    /// Cells along x.
    pub width: usize,
    /// Cells along z.
    pub depth: usize,
    /// Row by row, z ascending.
    pub walkable: Vec<bool>,
}

impl Floor {
    /// The rectangle of all walkable cells, `(min, max)` in metres; that of the whole grid if there is none.
    pub fn extent(&self) -> (DVec2, DVec2) {
        let all = || (0..self.cells.width(), 0..self.cells.depth());
        let (columns, rows) = self.cells.walkable_extent().unwrap_or_else(all);
        (self.corner(columns.start, rows.start), self.corner(columns.end, rows.end))
    }

    /// The corner of a cell with the smallest coordinates, metres.
    pub fn corner(&self, column: u32, row: u32) -> DVec2 {
        self.cells.min + DVec2::new(f64::from(column), f64::from(row)) * self.size_m
    }

    /// Whether a place is walkable.
    pub fn is_walkable(&self, place: DVec2) -> bool {
        let cell = ((place - self.cells.min) / self.size_m).floor();
        let inside = |v: f64| (0.0..f64::from(u32::MAX)).contains(&v);
        inside(cell.x) && inside(cell.y) && self.cells.is_walkable(cell.x as u32, cell.y as u32)
    }

    /// Whether a place lies in the rectangle of all walkable cells.
    pub(super) fn surrounds(&self, place: DVec2) -> bool {
        let (min, max) = self.extent();
        place.cmpge(min).all() && place.cmplt(max).all()
    }
}

impl Cells {
    /// The cells of a ground.
    pub fn of(ground: &Ground) -> Self {
        let frame = ground.frame();
        let walkable = (0..frame.len())
            .map(|index| {
                u32::try_from(index).is_ok_and(|index| ground.is_walkable(ground.centre(Node(index))))
            })
            .collect();
        let (width, depth) = (frame.width as usize, frame.depth as usize);
        Self { min: frame.min, size_m: frame.cell_size_m, width, depth, walkable }
    }

    /// The cells of a room made of a grid.
    pub(super) fn of_floor(floor: &Floor) -> Self {
        let (width, depth) = (floor.cells.width(), floor.cells.depth());
        let walkable = (0..depth).flat_map(|z| (0..width).map(move |x| floor.cells.is_walkable(x, z)));
        let walkable = walkable.collect();
        let (min, size_m) = (floor.cells.min, floor.size_m);
        Self { min, size_m, width: width as usize, depth: depth as usize, walkable }
    }

    /// Whether the cell at this column and row is walkable.
    pub fn is_walkable(&self, column: usize, row: usize) -> bool {
        column < self.width && self.walkable.get(row * self.width + column).copied().unwrap_or(false)
    }

    /// The middle of a cell, metres.
    pub fn centre(&self, column: usize, row: usize) -> DVec2 {
        self.min + (DVec2::new(column as f64, row as f64) + 0.5) * self.size_m
    }
}

/// The outlines of cells that are walkable, as closed loops of grid corners `[column, row]`; walkable cells lie to the right
/// of each step along them (z down), and only corners where a loop turns are given. Two cells that touch at a corner are in
/// loops that touch there.
pub(super) fn outlines(width: u32, depth: u32, is_walkable: impl Fn(u32, u32) -> bool) -> Vec<Vec<[u32; 2]>> {
    let at = |x: i64, z: i64| {
        let cell =
            (u32::try_from(x).ok().filter(|&x| x < width), u32::try_from(z).ok().filter(|&z| z < depth));
        matches!(cell, (Some(x), Some(z)) if is_walkable(x, z))
    };
    // Walkable ground is to the right of east-going edges, so those run along the upper side of a cell.
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
                // The cells ahead to the left and to the right of the edge just walked.
                let ahead = |side: i64| {
                    let (dx, dz) = (step.0 - step.1 * side, step.1 + step.0 * side);
                    at(x + (dx - 1) / 2, z + (dz - 1) / 2)
                };
                let next = match (ahead(-1), ahead(1)) {
                    // At a corner that two cells share, each keeps to its own.
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
