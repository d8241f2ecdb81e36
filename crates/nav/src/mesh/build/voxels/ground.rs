//! The cells on which a character can stand, and which of them are joined.

use super::heightfield::{Heightfield, NONE, climb_m};
use super::{Progress, VoxelProblem, VoxelSettings};

/// Corners of a cell, as steps along x and z. Corner `k` lies between the sides `k` and `k + 1`.
pub(super) const CORNERS: [(i32, i32); 4] = [(0, 0), (1, 0), (1, 1), (0, 1)];

/// The side of the next cell that joins it to this one.
pub(super) const fn opposite(side: usize) -> usize {
    (side + 2) % 4
}

/// The same corner, seen from the cell beyond one of the two sides at the corner.
pub(super) fn corner_beyond(corner: usize, side: usize) -> usize {
    // The first of the corner's sides is passed against the direction of rotation, the second along it.
    if side == corner { (corner + 1) % 4 } else { (corner + 3) % 4 }
}

/// Walkable surface in a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub x: u32,
    pub z: u32,
    /// The height at the centre, in metres above the lowest vertex of the level.
    pub floor_m: f32,
    /// The heights of the four corners, in the same way.
    pub corners_m: [f32; 4],
    /// The cells beyond the four sides, or [`NONE`].
    pub links: [u32; 4],
}

/// A corner has four cells. A screw has more, and these are enough to notice it.
const MAX_AROUND: usize = 8;

/// The cells at a corner, each with the number of its own corner.
pub(super) struct Around {
    found: [(u32, usize); MAX_AROUND],
    count: usize,
}

impl std::ops::Deref for Around {
    type Target = [(u32, usize)];

    fn deref(&self) -> &Self::Target {
        &self.found[..self.count]
    }
}

/// All walkable cells, by column and from below.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Ground {
    pub cells: Vec<Cell>,
}

impl Ground {
    /// The ground of a heightfield.
    pub(super) fn new(
        field: &Heightfield,
        settings: &VoxelSettings,
        progress: &mut Progress,
    ) -> Result<Self, VoxelProblem> {
        let count = field.spans.iter().filter(|span| span.is_walkable).count();
        let mut cells = Vec::with_capacity(count);
        // The open space above each cell: from its surface to the next span.
        let mut rooms = Vec::with_capacity(count);
        let mut first = Vec::with_capacity(field.columns.len() + 1);
        for column in 0..field.columns.len() {
            progress.sometimes(column, field.columns.len() * 2)?;
            first.push(cells.len() as u32);
            let (x, z) = ((column % field.width) as u32, (column / field.width) as u32);
            for (_, span, ceiling_m) in field.column(column).filter(|(_, span, _)| span.is_walkable) {
                cells.push(Cell { x, z, floor_m: span.floor_m, corners_m: [0.0; 4], links: [NONE; 4] });
                rooms.push((span.top_m, ceiling_m));
            }
        }
        first.push(cells.len() as u32);
        let (climb_m, height_m) = (climb_m(settings), settings.agent_height_m as f32 - 1e-3);
        for index in 0..cells.len() {
            progress.sometimes(cells.len() + index, cells.len() * 2)?;
            let cell = cells[index];
            let column = cell.x as usize + cell.z as usize * field.width;
            for (side, beside) in field.beside(column).into_iter().enumerate() {
                let Some(beside) = beside else { continue };
                let (top_m, ceiling_m) = rooms[index];
                let mut best = (climb_m, NONE);
                for other in first[beside]..first[beside + 1] {
                    let step_m = (cells[other as usize].floor_m - cell.floor_m).abs();
                    let (other_top_m, other_ceiling_m) = rooms[other as usize];
                    let is_high = ceiling_m.min(other_ceiling_m) - top_m.max(other_top_m) >= height_m;
                    if is_high && (step_m < best.0 || (step_m == best.0 && best.1 == NONE)) {
                        best = (step_m, other);
                    }
                }
                cells[index].links[side] = best.1;
            }
        }
        let mut ground = Self { cells };
        ground.cut_one_way_links();
        ground.cut_screws();
        for index in 0..ground.cells.len() {
            ground.cells[index].corners_m =
                std::array::from_fn(|corner| ground.corner_m(index as u32, corner));
        }
        Ok(ground)
    }

    fn cut_one_way_links(&mut self) {
        for index in 0..self.cells.len() {
            for side in 0..4 {
                let other = self.cells[index].links[side];
                if other != NONE && self.cells[other as usize].links[opposite(side)] != index as u32 {
                    self.cells[index].links[side] = NONE;
                }
            }
        }
    }

    /// Round a corner of cells the links may lead to another storey, as round the axis of a screw. Such a turn is cut
    /// at its highest step, because a corner has one height.
    fn cut_screws(&mut self) {
        for index in 0..self.cells.len() as u32 {
            for corner in 0..4 {
                while let Some((cell, side)) = self.screw_step(index, corner) {
                    let other = self.cells[cell as usize].links[side];
                    self.cells[cell as usize].links[side] = NONE;
                    self.cells[other as usize].links[opposite(side)] = NONE;
                }
            }
        }
    }

    fn screw_step(&self, index: u32, corner: usize) -> Option<(u32, usize)> {
        let around = self.around(index, corner);
        let place = |cell: u32| (self.cells[cell as usize].x, self.cells[cell as usize].z);
        let is_screw = (1..around.len())
            .any(|i| around[..i].iter().any(|&(before, _)| place(before) == place(around[i].0)));
        if !is_screw {
            return None;
        }
        let mut best: Option<(f32, u32, usize)> = None;
        for &(cell, corner) in around.iter() {
            for side in [corner, (corner + 1) % 4] {
                let other = self.cells[cell as usize].links[side];
                if other != NONE {
                    let step_m = self.cells[cell as usize].floor_m - self.cells[other as usize].floor_m;
                    if best.is_none_or(|(most_m, ..)| step_m.abs() > most_m) {
                        best = Some((step_m.abs(), cell, side));
                    }
                }
            }
        }
        best.map(|(_, cell, side)| (cell, side))
    }

    /// The cells that share a corner of a cell by links, each with the number of its own corner.
    pub(super) fn around(&self, index: u32, corner: usize) -> Around {
        let mut around = Around { found: [(index, corner); MAX_AROUND], count: 1 };
        let mut next = 0;
        while next < around.count && around.count < MAX_AROUND {
            let (cell, corner) = around.found[next];
            next += 1;
            for side in [corner, (corner + 1) % 4] {
                let other = self.cells[cell as usize].links[side];
                let is_new = other != NONE && around.iter().all(|&(known, _)| known != other);
                if is_new && around.count < MAX_AROUND {
                    around.found[around.count] = (other, corner_beyond(corner, side));
                    around.count += 1;
                }
            }
        }
        around
    }

    /// The height of a corner: the mean of the cells there.
    fn corner_m(&self, index: u32, corner: usize) -> f32 {
        let around = self.around(index, corner);
        let sum: f64 = around.iter().map(|&(cell, _)| f64::from(self.cells[cell as usize].floor_m)).sum();
        (sum / around.len() as f64) as f32
    }

    /// Keeps the cells for which `keeps` is true.
    pub(super) fn retain(&mut self, keeps: &[bool]) {
        let mut numbers = vec![NONE; self.cells.len()];
        let kept = numbers.iter_mut().zip(keeps).filter(|(_, keeps)| **keeps);
        for (count, (number, _)) in (0..).zip(kept) {
            *number = count;
        }
        let mut keeps = keeps.iter();
        self.cells.retain_mut(|cell| {
            for link in cell.links.iter_mut().filter(|link| **link != NONE) {
                *link = numbers[*link as usize];
            }
            keeps.next().is_some_and(|keeps| *keeps)
        });
    }
}

/// Keeps ground away from walls and drops by the radius.
pub(super) fn erode(ground: &mut Ground, radius_cells: usize) {
    if radius_cells == 0 {
        return;
    }
    let distances = distances(ground);
    let least = 2 * radius_cells as u32;
    let keeps: Vec<bool> = distances.iter().map(|&distance| u32::from(distance) >= least).collect();
    ground.retain(&keeps);
}

/// The distance of each cell to the nearest one at a border: 2 to each cell beside it, 3 to each diagonal one.
fn distances(ground: &Ground) -> Vec<u16> {
    let cells = &ground.cells;
    let mut distances: Vec<u16> =
        cells.iter().map(|cell| if cell.links.contains(&NONE) { 0 } else { u16::MAX }).collect();
    // Cells are ordered by z, then x: the first pass looks at what comes before, the second at what comes after.
    let mut relax = |index: usize, sides: [(usize, usize); 2]| {
        for (side, turn) in sides {
            let beside = cells[index].links[side];
            if beside == NONE {
                continue;
            }
            distances[index] = distances[index].min(distances[beside as usize].saturating_add(2));
            let diagonal = cells[beside as usize].links[turn];
            if diagonal != NONE {
                distances[index] = distances[index].min(distances[diagonal as usize].saturating_add(3));
            }
        }
    };
    for index in 0..cells.len() {
        relax(index, [(0, 1), (1, 2)]);
    }
    for index in (0..cells.len()).rev() {
        relax(index, [(2, 3), (3, 0)]);
    }
    distances
}

/// Leaves out ground that is joined to no other ground and smaller than `least_cells`.
pub(super) fn remove_islands(ground: &mut Ground, least_cells: f64) {
    let mut keeps = vec![false; ground.cells.len()];
    let mut seen = vec![false; ground.cells.len()];
    let mut island = Vec::new();
    for start in 0..ground.cells.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        island.clear();
        island.push(start);
        let mut next = 0;
        while next < island.len() {
            for &link in ground.cells[island[next]].links.iter().filter(|link| **link != NONE) {
                if !std::mem::replace(&mut seen[link as usize], true) {
                    island.push(link as usize);
                }
            }
            next += 1;
        }
        if island.len() as f64 >= least_cells {
            island.iter().for_each(|&cell| keeps[cell] = true);
        }
    }
    ground.retain(&keeps);
}
