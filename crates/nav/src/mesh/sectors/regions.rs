//! Sectors: rectangles of boxes that are joined both ways, grown greedily, the largest first.

use super::flood::{Flood, NONE};
use super::lattice::Lattice;
use super::openings::Ways;
use crate::mesh::progress::{Progress, Stopped};

/// In lists of sectors: none.
pub(super) const NO_SECTOR: u32 = u32::MAX;

/// A sector has at most this many boxes along a side. Growing takes time in proportion.
const MOST_SIDE: usize = 64;

/// A rectangle of boxes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sector {
    /// The number of boxes along x.
    pub width: usize,
    /// The boxes, row by row along z.
    pub nodes: Vec<u32>,
}

impl Sector {
    pub(super) fn depth(&self) -> usize {
        self.nodes.len() / self.width
    }
}

/// All sectors, and the sector of each box, or [`NO_SECTOR`].
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Regions {
    pub sectors: Vec<Sector>,
    pub sector_of: Vec<u32>,
    /// The number of boxes of the largest sector, which may be left out.
    pub largest: usize,
}

impl Regions {
    /// Divides the boxes of a flood. Sectors of fewer boxes than `least_boxes` are left out.
    pub(super) fn new(
        flood: &Flood,
        ways: &Ways,
        least_boxes: usize,
        progress: &mut Progress,
    ) -> Result<Self, Stopped> {
        let mut growth = Growth::new(flood, ways);
        // For each size the boxes at which a rectangle may begin that is not larger.
        let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); MOST_SIDE * MOST_SIDE + 1];
        growth.bounds.iter().zip(0..).for_each(|(&size, node)| waiting[usize::from(size)].push(node));
        let mut regions = Self { sectors: Vec::new(), sector_of: vec![NO_SECTOR; ways.len()], largest: 0 };
        let mut divided = 0;
        // The size of a rectangle only shrinks while others are taken. So the first one whose size is still true is the
        // largest of all; of equal ones, the one that begins at the first box.
        for size in (1..waiting.len()).rev() {
            let mut nodes = std::mem::take(&mut waiting[size]);
            nodes.sort_unstable();
            for node in nodes {
                if growth.spaces[node as usize].is_taken {
                    continue;
                }
                let most = growth.bound(node);
                if most < size {
                    waiting[most].push(node);
                    continue;
                }
                let (width, depth) = match growth.fitting(node, size) {
                    Ok(rectangle) => rectangle,
                    Err(most) => {
                        waiting[most].push(node);
                        continue;
                    }
                };
                let nodes = growth.nodes(node, width, depth);
                growth.take(&nodes, width);
                divided += nodes.len();
                regions.largest = regions.largest.max(nodes.len());
                progress.sometimes(divided, ways.len())?;
                if nodes.len() >= least_boxes {
                    let number = regions.sectors.len() as u32;
                    nodes.iter().for_each(|&node| regions.sector_of[node as usize] = number);
                    regions.sectors.push(Sector { width, nodes });
                }
            }
        }
        Ok(regions)
    }

    /// The columns and rows of a sector: its first, and the one behind its last.
    pub(super) fn bounds(&self, flood: &Flood, lattice: &Lattice, sector: usize) -> [[usize; 2]; 2] {
        let Sector { width, nodes } = &self.sectors[sector];
        let [x, z] = lattice.place(flood.columns[nodes[0] as usize]);
        [[x, z], [x + width, z + nodes.len() / width]]
    }
}

/// How far free boxes reach from a box on. All that growing reads of a box is in one place, for speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Space {
    /// The boxes at the larger x and z that may be in the same sector, or [`NONE`].
    right: u32,
    down: u32,
    /// The number of free boxes from it along x, each joined with the next.
    along: u8,
    /// The same for squares of four joined boxes, of which it is the first.
    squares: u8,
    /// At most so many free boxes are there from it along z, each joined with the next.
    deep: u8,
    is_taken: bool,
}

/// Rectangles that could still be taken.
struct Growth<'a> {
    flood: &'a Flood,
    ways: &'a Ways,
    spaces: Vec<Space>,
    /// For each box a size that no free rectangle from it on exceeds.
    bounds: Vec<u16>,
    /// The heights that a sector with this box may have: floors of one column are in sectors that do not overlap.
    zones: Option<Vec<[f32; 2]>>,
}

impl<'a> Growth<'a> {
    fn new(flood: &'a Flood, ways: &'a Ways) -> Self {
        let (spaces, bounds) = (Vec::with_capacity(ways.len()), vec![0; ways.len()]);
        let mut growth = Self { flood, ways, spaces, bounds, zones: zones(flood) };
        for node in 0..ways.len() as u32 {
            let [right, down] = [0, 1].map(|side| growth.joined(node, side).unwrap_or(NONE));
            growth.spaces.push(Space { right, down, along: 0, squares: 0, deep: 0, is_taken: false });
        }
        // In order of columns, the boxes at the larger x and z are behind.
        for node in (0..ways.len()).rev() {
            growth.spaces[node] = growth.space(growth.spaces[node]);
            growth.bound(node as u32);
        }
        growth
    }

    /// A size that no free rectangle from a box on exceeds. Without its first row, a rectangle is one from the box below
    /// on; without its first column, one from the box to the right.
    fn bound(&mut self, node: u32) -> usize {
        let space = self.spaces[node as usize];
        let (right, down) = (self.free(space.right), self.free(space.down));
        let bound = |at: u32| self.bounds[at as usize];
        let deep = (down.map_or(0, |down| down.deep) + 1).min(MOST_SIDE as u8);
        let (along, rows) = (u16::from(space.along), u16::from(deep));
        let below = down.map_or(0, |_| bound(space.down)) + along;
        let beside = right.map_or(0, |_| bound(space.right)) + rows;
        // More than one row is only as wide as its squares.
        let most = (along.min(u16::from(space.squares) + 1) * rows).max(along).min(below).min(beside);
        self.spaces[node as usize].deep = deep;
        self.bounds[node as usize] = most;
        usize::from(most)
    }

    /// The box at a side that may be in the same sector.
    fn joined(&self, node: u32, side: usize) -> Option<u32> {
        let low = &self.flood.is_low;
        self.ways.both(node, side).filter(|&next| low[next as usize] == low[node as usize])
    }

    /// The space behind a box, unless it is taken.
    fn free(&self, next: u32) -> Option<Space> {
        let space = *self.spaces.get(next as usize)?;
        (!space.is_taken).then_some(space)
    }

    /// How far free boxes reach from a box on, if that is known of the boxes behind it.
    fn space(&self, of: Space) -> Space {
        let most = MOST_SIDE as u8;
        let (right, down) = (self.free(of.right), self.free(of.down));
        let along = right.map_or(0, |right| right.along) + 1;
        let square = right.zip(down).filter(|(right, down)| right.down == down.right);
        let fourth = square.filter(|(right, _)| self.free(right.down).is_some());
        let squares = fourth.map_or(0, |(right, _)| right.squares + 1);
        Space { along: along.min(most), squares: squares.min(most), ..of }
    }

    /// The largest free rectangle that begins at a box: its width and depth. If it has fewer than `least` boxes, an error
    /// with a size that it does not exceed.
    fn rectangle(&self, node: u32, least: usize) -> Result<(usize, usize), usize> {
        let mut row = self.spaces[node as usize];
        let (mut width, deepest) = (usize::from(row.along), row.deep);
        let mut best = (width, 1);
        for depth in 2..=MOST_SIDE {
            width = width.min(usize::from(row.squares) + 1);
            let most = width * usize::from(deepest);
            if most <= best.0 * best.1 {
                break;
            }
            if most < least {
                return Err(most);
            }
            let Some(next) = self.free(row.down) else { break };
            if width * depth > best.0 * best.1 {
                best = (width, depth);
            }
            row = next;
        }
        if best.0 * best.1 < least { Err(best.0 * best.1) } else { Ok(best) }
    }

    /// The same within the heights that it may have.
    fn fitting(&mut self, node: u32, least: usize) -> Result<(usize, usize), usize> {
        let found = self.rectangle(node, least);
        self.bounds[node as usize] = found.map_or_else(|most| most, |(width, depth)| width * depth) as u16;
        let (width, depth) = found?;
        let Some(zones) = &self.zones else { return Ok((width, depth)) };
        let nodes = self.nodes(node, width, depth);
        let rows = fitting_lines(&self.flood.floors_m, zones, nodes.chunks(width).map(<[u32]>::to_vec));
        let column = |x: usize| nodes.iter().copied().skip(x).step_by(width).collect();
        let columns = fitting_lines(&self.flood.floors_m, zones, (0..width).map(column));
        let (width, depth) = match (rows * width).cmp(&(columns * depth)) {
            std::cmp::Ordering::Less => (columns, depth),
            _ if rows > 0 => (width, rows),
            _ => (1, 1),
        };
        if width * depth < least { Err(width * depth) } else { Ok((width, depth)) }
    }

    /// The boxes of a rectangle, row by row.
    fn nodes(&self, node: u32, width: usize, depth: usize) -> Vec<u32> {
        let mut nodes = Vec::with_capacity(width * depth);
        let mut row = Some(node);
        while let Some(first) = row.filter(|_| nodes.len() < width * depth) {
            let line = std::iter::successors(Some(first), |&node| self.joined(node, 0));
            nodes.extend(line.take(width));
            row = self.joined(first, 1);
        }
        nodes
    }

    fn take(&mut self, nodes: &[u32], width: usize) {
        nodes.iter().for_each(|&node| self.spaces[node as usize].is_taken = true);
        // What these boxes take part in begins at the boxes before and above them.
        let before_row = nodes.chunks(width).map(|row| self.joined(row[0], 2));
        let above = nodes[..width].iter().map(|&node| self.joined(node, 3));
        let before_first = self.joined(nodes[0], 2).and_then(|before| self.joined(before, 3));
        let changed: Vec<u32> = above.chain([before_first]).chain(before_row).flatten().collect();
        changed.into_iter().for_each(|node| self.renew_from(node));
    }

    /// Counts again from a box to smaller x, as far as counts change.
    fn renew_from(&mut self, node: u32) {
        let mut next = Some(node);
        while let Some(node) = next {
            let before = self.spaces[node as usize];
            self.spaces[node as usize] = self.space(before);
            if self.spaces[node as usize] == before {
                return;
            }
            next = self.joined(node, 2);
        }
    }
}

/// The number of lines of boxes, from the first on, that fit together.
fn fitting_lines(floors_m: &[f32], zones: &[[f32; 2]], lines: impl Iterator<Item = Vec<u32>>) -> usize {
    let (mut floors, mut zone) = ([f32::INFINITY, f32::NEG_INFINITY], [f32::NEG_INFINITY, f32::INFINITY]);
    lines
        .take_while(|line| {
            for &node in line {
                let ([low, high], floor) = (zones[node as usize], floors_m[node as usize]);
                floors = [floors[0].min(floor), floors[1].max(floor)];
                zone = [zone[0].max(low), zone[1].min(high)];
            }
            zone[0] <= floors[0] && floors[1] <= zone[1]
        })
        .count()
}

/// For each box the heights between the middles to the floors below and above it in its column. `None` if all columns
/// have one floor.
fn zones(flood: &Flood) -> Option<Vec<[f32; 2]>> {
    let mut zones = vec![[f32::NEG_INFINITY, f32::INFINITY]; flood.len()];
    let mut has_storeys = false;
    for upper in 1..flood.len() {
        if flood.columns[upper] == flood.columns[upper - 1] {
            let middle = (flood.floors_m[upper] + flood.floors_m[upper - 1]) / 2.0;
            (zones[upper - 1][1], zones[upper][0]) = (middle, middle);
            has_storeys = true;
        }
    }
    has_storeys.then_some(zones)
}
