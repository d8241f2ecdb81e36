//! Corners of cells, and regions: pieces of ground that do not overlap seen from above.

use super::ground::{CORNERS, Ground};
use super::heightfield::NONE;
use super::{Progress, VoxelProblem};
use std::collections::VecDeque;

/// The side of a tile, in cells. No region is larger, so that the work for one is bounded.
pub(super) const TILE: usize = 128;

/// A point of the grid where cells meet. Cells of one storey that are joined there share it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GridVertex {
    pub x: i32,
    pub z: i32,
    /// In metres above the lowest vertex of the level.
    pub y_m: f32,
}

/// The corners of all cells.
pub(super) struct Corners {
    pub vertices: Vec<GridVertex>,
    /// For each cell its vertices, in the order of [`CORNERS`].
    pub of_cells: Vec<[u32; 4]>,
}

impl Corners {
    pub(super) fn new(ground: &Ground) -> Self {
        let mut corners = Self { vertices: Vec::new(), of_cells: vec![[NONE; 4]; ground.cells.len()] };
        for index in 0..ground.cells.len() {
            for (corner, (dx, dz)) in CORNERS.into_iter().enumerate() {
                if corners.of_cells[index][corner] != NONE {
                    continue;
                }
                let around = ground.around(index as u32, corner);
                let mut sum = 0.0;
                for &(cell, corner) in around.iter() {
                    corners.of_cells[cell as usize][corner] = corners.vertices.len() as u32;
                    sum += f64::from(ground.cells[cell as usize].corners_m[corner]);
                }
                let cell = &ground.cells[index];
                corners.vertices.push(GridVertex {
                    x: cell.x as i32 + dx,
                    z: cell.z as i32 + dz,
                    y_m: (sum / around.len() as f64) as f32,
                });
            }
        }
        corners
    }
}

/// The regions of a ground.
pub(super) struct Regions {
    /// For each cell its region.
    pub of_cells: Vec<u32>,
    /// The cells of all regions, region by region.
    pub cells: Vec<u32>,
    /// For each region the index of its first cell in `cells`, and at the end the number of cells.
    pub first: Vec<u32>,
}

impl Regions {
    /// The number of regions.
    pub(super) fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// The cells of a region.
    pub(super) fn cells(&self, region: usize) -> &[u32] {
        &self.cells[self.first[region] as usize..self.first[region + 1] as usize]
    }

    /// Divides the ground: each tile into its joined pieces, and those where they would overlap.
    pub(super) fn new(
        ground: &Ground,
        corners: &Corners,
        progress: &mut Progress,
    ) -> Result<Self, VoxelProblem> {
        let count = ground.cells.len();
        let mut regions = Self { of_cells: vec![NONE; count], cells: Vec::new(), first: vec![0] };
        regions.cells.reserve_exact(count);
        let tile = |cell: u32| {
            let cell = &ground.cells[cell as usize];
            (cell.z as usize / TILE, cell.x as usize / TILE)
        };
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_key(|&cell| tile(cell));
        let mut growth = Growth { ground, corners, taken: vec![NONE; (TILE + 2) * (TILE + 2)] };
        for (done, &seed) in order.iter().enumerate() {
            progress.sometimes(done, count)?;
            if regions.of_cells[seed as usize] == NONE {
                growth.grow(seed, tile(seed), &mut regions);
                regions.first.push(regions.cells.len() as u32);
            }
        }
        Ok(regions)
    }
}

/// Grows regions within tiles.
struct Growth<'a> {
    ground: &'a Ground,
    corners: &'a Corners,
    /// The cell of the growing region at each place of the tile. The tile has a border of one cell.
    taken: Vec<u32>,
}

impl Growth<'_> {
    fn place(&self, cell: u32) -> usize {
        let cell = &self.ground.cells[cell as usize];
        cell.x as usize % TILE + 1 + (cell.z as usize % TILE + 1) * (TILE + 2)
    }

    fn grow(&mut self, seed: u32, tile: (usize, usize), regions: &mut Regions) {
        let region = regions.first.len() as u32 - 1;
        let begin = regions.cells.len();
        let mut queue = VecDeque::from([seed]);
        while let Some(cell) = queue.pop_front() {
            if regions.of_cells[cell as usize] != NONE || !self.fits(cell) {
                continue;
            }
            let place = self.place(cell);
            self.taken[place] = cell;
            regions.of_cells[cell as usize] = region;
            regions.cells.push(cell);
            for &link in self.ground.cells[cell as usize].links.iter().filter(|link| **link != NONE) {
                let beside = &self.ground.cells[link as usize];
                let is_here = (beside.z as usize / TILE, beside.x as usize / TILE) == tile;
                if is_here && regions.of_cells[link as usize] == NONE {
                    queue.push_back(link);
                }
            }
        }
        for index in begin..regions.cells.len() {
            let place = self.place(regions.cells[index]);
            self.taken[place] = NONE;
        }
    }

    /// Whether the region remains a piece of a plane with this cell: what lies beside the cell is joined to it.
    fn fits(&self, cell: u32) -> bool {
        let place = self.place(cell);
        let row = TILE + 2;
        let beside = [place - 1, place - row, place + 1, place + row];
        let diagonal = [place - row - 1, place - row + 1, place + row + 1, place + row - 1];
        let links = self.ground.cells[cell as usize].links;
        let vertices = &self.corners.of_cells;
        let shares = |corner: usize, other: u32| {
            other == NONE || vertices[other as usize][(corner + 2) % 4] == vertices[cell as usize][corner]
        };
        self.taken[place] == NONE
            && (0..4).all(|side| [NONE, links[side]].contains(&self.taken[beside[side]]))
            && (0..4).all(|corner| shares(corner, self.taken[diagonal[corner]]))
    }
}
