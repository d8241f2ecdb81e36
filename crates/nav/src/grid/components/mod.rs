//! The connected components of the ground, known before any query.
//!
//! Without corner cutting, a diagonal step needs two walkable cells beside it. So cells are connected if they share an
//! edge. Each block of 64 × 64 cells has regions, and borders join regions of neighbouring blocks. The connected
//! regions form a component.
//!
//! A door changes only the regions of its blocks. Opened cells unite components in a union-find forest, so nothing is
//! relabelled. Closing cells may split a component. Floods start from all its pieces and advance in turns; when all
//! but one are finished, the rest need not be flooded. So the cost depends on the smaller parts.

mod block;
mod split;

use super::frame::CellRect;
use super::raster::Raster;
use block::{Block, EDGE, MOST_REGIONS, column, pairs};
use glam::I64Vec2;

/// A region of a block: the block's number times [`MOST_REGIONS`], plus its own.
type Region = u32;

/// Marks a region that has no component yet.
const NO_COMPONENT: u32 = u32::MAX >> 1;

#[derive(Debug, Clone, Default)]
pub(super) struct Components {
    /// Number of blocks along x and along z.
    size: (u32, u32),
    blocks: Vec<Block>,
    /// Union-find parents: the component that each component was united with, or itself.
    joined: Vec<u32>,
    scratch: Vec<u16>,
}

/// Components are derived from the cells, so comparing grids ignores them.
impl PartialEq for Components {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Components {
    /// The components of a grid of this size without walkable cells.
    pub(super) fn new(width: u32, depth: u32) -> Self {
        let size = (width.div_ceil(EDGE), depth.div_ceil(EDGE));
        let blocks = vec![Block::default(); size.0 as usize * size.1 as usize];
        let mut components = Self { size, blocks, ..Self::default() };
        let depth_of = |block: u32| (depth - block / size.0 * EDGE).min(EDGE);
        for block in 0..components.blocks.len() as u32 {
            let rows = std::iter::repeat_n(0, depth_of(block) as usize);
            components.blocks[block as usize].label(rows, NO_COMPONENT, &mut components.scratch);
        }
        components
    }

    /// Updates what the cells of `rect` can affect. `closed` says whether any cell was closed.
    pub(super) fn update(&mut self, walkable: &Raster, transposed: &Raster, rect: CellRect, closed: bool) {
        let edge = i64::from(EDGE);
        let (low, high) = (rect.min / edge, (rect.max - 1) / edge);
        let changed: Vec<u32> = (low.y..=high.y)
            .flat_map(|z| (low.x..=high.x).map(move |x| (x, z)))
            .map(|(x, z)| z as u32 * self.size.0 + x as u32)
            .collect();
        let everything =
            2 * changed.len() > self.blocks.len() || self.joined.len() > 4 * self.blocks.len() + 4096;
        let before = if everything { Vec::new() } else { self.regions_around(&changed) };
        for &block in &changed {
            let (x, z) = (block % self.size.0, block / self.size.0 * EDGE);
            let rows = (z..(z + EDGE).min(walkable.depth())).map(|z| walkable.row(z)[x as usize]);
            self.blocks[block as usize].label(rows, NO_COMPONENT, &mut self.scratch);
        }
        for &block in &changed {
            self.find_borders(walkable, transposed, block);
            let (x, z) = (block % self.size.0, block / self.size.0);
            // The borders between changed blocks are found with those blocks.
            if x > 0 && i64::from(x) == low.x {
                self.find_borders(walkable, transposed, block - 1);
            }
            if z > 0 && i64::from(z) == low.y {
                self.find_borders(walkable, transposed, block - self.size.0);
            }
        }
        if everything {
            self.joined.clear();
            for block in &mut self.blocks {
                block.components.fill(NO_COMPONENT);
            }
            let all: Vec<u32> = (0..self.blocks.len() as u32).collect();
            self.join_new(&all);
        } else if closed {
            self.split(&changed, &before);
        } else {
            self.join_new(&changed);
        }
    }

    /// The nodes of a cell's component at the minimum distance from a place, by row and column. Nodes are the cells in
    /// every `stride`-th column and row. `asked` is the cell of the place, which may lie outside. `place_of` gives the
    /// position of a node, in the units of `to`.
    pub(super) fn nearest(
        &self,
        (walkable, stride): (&Raster, u32),
        of: I64Vec2,
        (asked, to): (I64Vec2, I64Vec2),
        place_of: impl Fn(I64Vec2) -> I64Vec2,
    ) -> Vec<I64Vec2> {
        let component = self.component_at(walkable, of);
        let square = |apart: i64| apart.unsigned_abs().saturating_mul(apart.unsigned_abs());
        let size = I64Vec2::new(i64::from(walkable.width()), i64::from(walkable.depth()));
        let of_node = |cell: I64Vec2| cell - cell % i64::from(stride);
        let mut order: Vec<(u64, u32)> = (0..self.blocks.len() as u32)
            .map(|block| {
                let low = I64Vec2::new(i64::from(block % self.size.0), i64::from(block / self.size.0))
                    * i64::from(EDGE);
                let high = (low + i64::from(EDGE)).min(size) - 1;
                let (low, high) = (place_of(low), place_of(of_node(high)));
                let apart = low.saturating_sub(to).max(to.saturating_sub(high)).max(I64Vec2::ZERO);
                (square(apart.x).saturating_add(square(apart.y)), block)
            })
            .collect();
        order.sort_unstable();
        let nodes = if stride == 1 { u64::MAX } else { u64::MAX / 3 };
        let mut best = (u64::MAX, Vec::new());
        for (at_least, index) in order {
            if at_least > best.0 {
                break;
            }
            let block = &self.blocks[index as usize];
            let is_wanted = |region: u16| self.root(block.components[region as usize]) == component;
            if !(0..block.components.len() as u16).any(is_wanted) {
                continue;
            }
            let (first_x, first_z) = (index % self.size.0 * EDGE, index / self.size.0 * EDGE);
            for z in (first_z..(first_z + EDGE).min(walkable.depth())).step_by(stride as usize) {
                let word = walkable.row(z)[(index % self.size.0) as usize];
                let cells = block.cells_of(z - first_z, word, is_wanted) & nodes;
                // The nearest cell of a row is the nearest one at or left of the goal column, or the nearest one right
                // of it.
                let middle = asked.x.saturating_sub(i64::from(first_x)).clamp(0, 63) as u32;
                let before = cells & (u64::MAX >> (63 - middle));
                let behind = cells & (u64::MAX << middle << 1);
                let nearest = [
                    (before != 0).then(|| 63 - before.leading_zeros()),
                    (behind != 0).then(|| behind.trailing_zeros()),
                ];
                for bit in nearest.into_iter().flatten() {
                    let cell = I64Vec2::new(i64::from(first_x + bit), i64::from(z));
                    let place = place_of(cell);
                    let distance = square(place.x.saturating_sub(to.x))
                        .saturating_add(square(place.y.saturating_sub(to.y)));
                    if distance < best.0 {
                        best = (distance, Vec::new());
                    }
                    if distance == best.0 {
                        best.1.push(cell);
                    }
                }
            }
        }
        best.1.sort_by_key(|cell| (cell.y, cell.x));
        best.1
    }

    /// The component of a walkable cell.
    pub(super) fn component_at(&self, walkable: &Raster, cell: I64Vec2) -> u32 {
        let (x, z) = (cell.x as u32, cell.y as u32);
        let block = &self.blocks[(z / EDGE * self.size.0 + x / EDGE) as usize];
        let word = walkable.row(z)[(x / EDGE) as usize];
        self.root(block.components[block.region_at(z % EDGE, word, x % EDGE) as usize])
    }

    fn root(&self, component: u32) -> u32 {
        let mut at = component;
        while self.joined[at as usize] != at {
            at = self.joined[at as usize];
        }
        at
    }

    /// Unites two components and returns the common root (the lower id).
    fn join(&mut self, one: u32, other: u32) -> u32 {
        let (one, other) = (self.root(one), self.root(other));
        self.joined[one.max(other) as usize] = one.min(other);
        one.min(other)
    }

    fn new_component(&mut self) -> u32 {
        let component = self.joined.len() as u32;
        self.joined.push(component);
        component
    }

    fn component_of(&mut self, region: Region) -> &mut u32 {
        &mut self.blocks[(region / MOST_REGIONS) as usize].components[(region % MOST_REGIONS) as usize]
    }

    /// Puts the regions of some blocks into components of their own, and joins these with their neighbours.
    fn join_new(&mut self, blocks: &[u32]) {
        for &block in blocks {
            for region in 0..self.blocks[block as usize].components.len() {
                let component = self.new_component();
                self.blocks[block as usize].components[region] = component;
            }
        }
        let mut beside = Vec::new();
        for &block in blocks {
            for region in 0..self.blocks[block as usize].components.len() as u32 {
                let region = block * MOST_REGIONS + region;
                self.neighbours(region, &mut beside);
                let own = *self.component_of(region);
                for &other in &beside {
                    let component = *self.component_of(other);
                    if component != NO_COMPONENT {
                        self.join(own, component);
                    }
                }
            }
        }
        for &block in blocks {
            for region in 0..self.blocks[block as usize].components.len() {
                let component = self.root(self.blocks[block as usize].components[region]);
                self.blocks[block as usize].components[region] = component;
            }
        }
    }

    /// The regions that share a border with a region.
    fn neighbours(&self, region: Region, out: &mut Vec<Region>) {
        out.clear();
        let (block, own) = (region / MOST_REGIONS, (region % MOST_REGIONS) as u16);
        let (x, z) = (block % self.size.0, block / self.size.0);
        let here = &self.blocks[block as usize];
        let ours = |pairs: &[(u16, u16)], there: u32, out: &mut Vec<Region>| {
            let its = pairs.iter().filter(|(ours, _)| *ours == own);
            out.extend(its.map(|(_, theirs)| there * MOST_REGIONS + u32::from(*theirs)));
        };
        ours(&here.east, block + 1, out);
        ours(&here.south, block + self.size.0, out);
        let theirs = |pairs: &[(u16, u16)], there: u32, out: &mut Vec<Region>| {
            let its = pairs.iter().filter(|(_, theirs)| *theirs == own);
            out.extend(its.map(|(ours, _)| there * MOST_REGIONS + u32::from(*ours)));
        };
        if x > 0 {
            theirs(&self.blocks[block as usize - 1].east, block - 1, out);
        }
        if z > 0 {
            theirs(&self.blocks[(block - self.size.0) as usize].south, block - self.size.0, out);
        }
    }

    /// Finds the regions of a block that share a border with the blocks east and south of it.
    fn find_borders(&mut self, walkable: &Raster, transposed: &Raster, index: u32) {
        let (x, z) = (index % self.size.0, index / self.size.0);
        let (first_z, last_x, last_z) = (z * EDGE, x * EDGE + EDGE - 1, z * EDGE + EDGE - 1);
        let word = |x: u32, z: u32| walkable.row(z)[x as usize];
        let mut east = std::mem::take(&mut self.blocks[index as usize].east);
        let mut south = std::mem::take(&mut self.blocks[index as usize].south);
        let here = &self.blocks[index as usize];
        east.clear();
        south.clear();
        if x + 1 < self.size.0 {
            let there = &self.blocks[index as usize + 1];
            let both = column(transposed, last_x, first_z) & column(transposed, last_x + 1, first_z);
            let regions = |row: u32| {
                let z = first_z + row;
                (here.region_at(row, word(x, z), EDGE - 1), there.region_at(row, word(x + 1, z), 0))
            };
            pairs(both, regions, &mut east);
        }
        if z + 1 < self.size.1 {
            let there = &self.blocks[(index + self.size.0) as usize];
            let (ours, theirs) = (word(x, last_z), word(x, last_z + 1));
            let regions = |bit: u32| (here.region_at(EDGE - 1, ours, bit), there.region_at(0, theirs, bit));
            pairs(ours & theirs, regions, &mut south);
        }
        let here = &mut self.blocks[index as usize];
        (here.east, here.south) = (east, south);
    }
}
