//! Pockets: walkable pixels of a painted room that see no node. The only path to them is a straight line.

use super::raster::Raster;
use super::{Grid, Node};
use crate::geometry::for_words;
use glam::{DVec2, I64Vec2};
use std::fmt;
use std::ops::Range;

/// Search radius of the first pass, in nodes. Most pixels see a node within it. The others are tested again with
/// [`FAR_RINGS`].
const NEAR_RINGS: i64 = 1;

/// Search radius of the second pass, in nodes.
const FAR_RINGS: i64 = 16;

/// Limit on pixels tested in the second pass (a few seconds). Untested pixels are not counted as pockets.
const MOST_CLOSE_LOOKS: u32 = 20_000;

/// The walkable pixels of a painted room that see no node.
#[derive(Debug, Clone)]
pub struct Pockets {
    /// The number of pixels, or a lower bound of it.
    pub pixels: usize,
    /// Patches of pixels that share edges.
    pub patches: usize,
    /// Pixels of the largest patch.
    pub largest: usize,
    /// The middle of a pixel near the middle of the largest patch, in metres.
    pub at: DVec2,
    /// Whether all pixels were tested. Otherwise `pixels` is a lower bound.
    pub exact: bool,
    cells: Raster,
}

impl Grid {
    /// The walkable pixels that see no node. `None` if there are none, as in every plain grid.
    pub fn pockets(&self) -> Option<Pockets> {
        self.lattice.as_ref()?;
        let (width, depth) = (self.walkable.width(), self.walkable.depth());
        let mut doubtful = Raster::new(width, depth);
        let mut count = 0_usize;
        for (z, run) in runs(&self.walkable) {
            for x in run.filter(|&x| !self.sees_a_node(x, z, NEAR_RINGS)) {
                doubtful.set(x, z, true);
                count += 1;
            }
        }
        if count == 0 {
            return None;
        }
        let with_nodes = self.cells_that_hang_together_with_nodes();
        let mut cells = Raster::new(width, depth);
        let (mut pixels, mut looks, mut exact) = (0, 0, true);
        for (z, run) in runs(&doubtful) {
            for x in run {
                if with_nodes.get(x, z) {
                    looks += 1;
                    exact &= looks <= MOST_CLOSE_LOOKS;
                    if looks > MOST_CLOSE_LOOKS || self.sees_a_node(x, z, FAR_RINGS) {
                        continue;
                    }
                }
                cells.set(x, z, true);
                pixels += 1;
            }
        }
        let (patches, largest, at) = self.patches(&cells)?;
        Some(Pockets { pixels, patches, largest, at, exact, cells })
    }

    fn sees_a_node(&self, x: u32, z: u32, most_rings: i64) -> bool {
        let cell = I64Vec2::new(i64::from(x), i64::from(z));
        let place = self.frame.centre(cell);
        let middle = self.coords_at(place);
        self.rings(middle).take_while(|&ring| ring <= most_rings).any(|ring| {
            let mut seen = false;
            self.for_ring(middle, ring, |coords| {
                seen = seen
                    || self.is_node(coords) && self.segment_clear(place, self.centre(self.node_of(coords)));
            });
            seen
        })
    }

    /// The cells connected with some node, pixel by pixel. From other cells no node can be in sight.
    fn cells_that_hang_together_with_nodes(&self) -> Raster {
        let mut reached = Raster::new(self.walkable.width(), self.walkable.depth());
        let mut waiting = Vec::new();
        let seed = |reached: &mut Raster, waiting: &mut Vec<(u32, Range<u32>)>, z: u32, x: u32| {
            let run = self.walkable.run_around(z, x);
            for_words(reached.row_mut(z), run.clone(), |word, mask| *word |= mask);
            waiting.push((z, run.clone()));
            run.end
        };
        for node in (0..self.node_limit() as u32).map(Node).filter(|&node| self.has_node(node)) {
            let cell = self.cell_of(node);
            let (x, z) = (cell.x as u32, cell.y as u32);
            if !reached.get(x, z) {
                seed(&mut reached, &mut waiting, z, x);
            }
            while let Some((z, run)) = waiting.pop() {
                let depth = reached.depth();
                for z in [z.checked_sub(1), Some(z + 1).filter(|&z| z < depth)].into_iter().flatten() {
                    let mut span = run.clone();
                    while let Some(x) = self.walkable.first_without(&reached, z, span.clone()) {
                        span.start = seed(&mut reached, &mut waiting, z, x).min(span.end);
                    }
                }
            }
        }
        reached
    }

    /// The number of patches, the size of the largest, and its place. `None` if there are none.
    fn patches(&self, cells: &Raster) -> Option<(usize, usize, DVec2)> {
        let mut seen = Raster::new(cells.width(), cells.depth());
        let (mut patches, mut largest): (usize, Vec<(u32, u32)>) = (0, Vec::new());
        for (z, run) in runs(cells) {
            for x in run {
                if seen.get(x, z) {
                    continue;
                }
                let mut patch = vec![(x, z)];
                seen.set(x, z, true);
                let mut next = 0;
                while let Some(&(x, z)) = patch.get(next) {
                    next += 1;
                    for (x, z) in [(x.wrapping_sub(1), z), (x + 1, z), (x, z.wrapping_sub(1)), (x, z + 1)] {
                        let inside = x < cells.width() && z < cells.depth();
                        if inside && cells.get(x, z) && !seen.get(x, z) {
                            seen.set(x, z, true);
                            patch.push((x, z));
                        }
                    }
                }
                patches += 1;
                if patch.len() > largest.len() {
                    largest = patch;
                }
            }
        }
        let place = |&(x, z): &(u32, u32)| self.frame.centre(I64Vec2::new(i64::from(x), i64::from(z)));
        let middle = largest.iter().map(place).sum::<DVec2>() / largest.len().max(1) as f64;
        let near = |at: &DVec2| at.distance_squared(middle);
        let at = largest.iter().map(place).min_by(|a, b| near(a).total_cmp(&near(b)))?;
        Some((patches, largest.len(), at))
    }
}

impl Pockets {
    /// The pixels in runs: row, and columns.
    pub fn runs(&self) -> impl Iterator<Item = (u32, Range<u32>)> + '_ {
        runs(&self.cells)
    }

    /// Advice for the author of the room.
    pub fn hint(&self) -> &'static str {
        "a smaller \"sampleRate\" puts nodes there; or paint the passage wider, or the patch not walkable"
    }
}

impl fmt::Display for Pockets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at_least = if self.exact { "" } else { "at least " };
        let (pixels, x, z) = (self.pixels, self.at.x, self.at.y);
        match pixels {
            1 => write!(
                f,
                "1 walkable pixel at ({x:.2}, {z:.2}) sees no node: only a straight line leads there"
            ),
            _ => {
                write!(
                    f,
                    "{at_least}{pixels} walkable pixels see no node: only a straight line leads there; "
                )?;
                match self.patches {
                    1 => write!(f, "they are one patch at ({x:.2}, {z:.2})"),
                    _ if self.largest == 1 => write!(f, "each of them alone, one at ({x:.2}, {z:.2})"),
                    _ => write!(f, "the largest patch of {} pixels is at ({x:.2}, {z:.2})", self.largest),
                }
            }
        }
    }
}

/// The runs of cells that are set, row by row.
fn runs(cells: &Raster) -> impl Iterator<Item = (u32, Range<u32>)> + '_ {
    (0..cells.depth()).flat_map(move |z| {
        let mut from = 0;
        std::iter::from_fn(move || {
            let row = cells.row(z);
            let mut x = from;
            while x < cells.width() && !cells.get(x, z) {
                // Empty words are skipped at once.
                let word = row.get(x as usize / 64).copied().unwrap_or(0);
                x = if word >> (x % 64) == 0 { (x / 64 + 1) * 64 } else { x + 1 };
            }
            if x >= cells.width() {
                return None;
            }
            let run = cells.run_around(z, x);
            from = run.end;
            Some((z, run))
        })
    })
}
