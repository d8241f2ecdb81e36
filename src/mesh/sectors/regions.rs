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
        growth.most_sizes().into_iter().zip(0..).for_each(|(size, node)| waiting[size].push(node));
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
                let (width, depth) = growth.fitting(node);
                if width * depth < size {
                    waiting[width * depth].push(node);
                    continue;
                }
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
    is_taken: bool,
}

/// Rectangles that could still be taken.
struct Growth<'a> {
    flood: &'a Flood,
    ways: &'a Ways,
    spaces: Vec<Space>,
    /// The heights that a sector with this box may have: floors of one column are in sectors that do not overlap.
    zones: Option<Vec<[f32; 2]>>,
}

impl<'a> Growth<'a> {
    fn new(flood: &'a Flood, ways: &'a Ways) -> Self {
        let mut growth = Self { flood, ways, spaces: Vec::with_capacity(ways.len()), zones: zones(flood) };
        for node in 0..ways.len() as u32 {
            let [right, down] = [0, 1].map(|side| growth.joined(node, side).unwrap_or(NONE));
            growth.spaces.push(Space { right, down, along: 0, squares: 0, is_taken: false });
        }
        // In order of columns, the boxes at the larger x and z are behind.
        for node in (0..ways.len()).rev() {
            growth.spaces[node] = growth.space(growth.spaces[node]);
        }
        growth
    }

    /// For each box a size that no rectangle from it on exceeds.
    fn most_sizes(&self) -> Vec<usize> {
        let mut down = vec![1; self.spaces.len()];
        for node in (0..down.len()).rev() {
            let next = self.spaces[node].down;
            if next != NONE {
                down[node] = (down[next as usize] + 1).min(MOST_SIDE);
            }
        }
        down.iter().zip(&self.spaces).map(|(&down, space)| down * usize::from(space.along)).collect()
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

    /// The largest free rectangle that begins at a box: its width and depth.
    fn rectangle(&self, node: u32) -> (usize, usize) {
        let mut row = self.spaces[node as usize];
        let mut width = usize::from(row.along);
        let mut best = (width, 1);
        for depth in 2..=MOST_SIDE {
            width = width.min(usize::from(row.squares) + 1);
            if width * MOST_SIDE <= best.0 * best.1 {
                break;
            }
            let Some(next) = self.free(row.down) else { break };
            if width * depth > best.0 * best.1 {
                best = (width, depth);
            }
            row = next;
        }
        best
    }

    /// The same within the heights that it may have.
    fn fitting(&self, node: u32) -> (usize, usize) {
        let (width, depth) = self.rectangle(node);
        let Some(zones) = &self.zones else { return (width, depth) };
        let nodes = self.nodes(node, width, depth);
        let rows = fitting_lines(&self.flood.floors_m, zones, nodes.chunks(width).map(<[u32]>::to_vec));
        let column = |x: usize| nodes.iter().copied().skip(x).step_by(width).collect();
        let columns = fitting_lines(&self.flood.floors_m, zones, (0..width).map(column));
        match (rows * width).cmp(&(columns * depth)) {
            std::cmp::Ordering::Less => (columns, depth),
            _ if rows > 0 => (width, rows),
            _ => (1, 1),
        }
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
