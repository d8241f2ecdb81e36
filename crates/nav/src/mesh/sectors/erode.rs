//! Where the middle of a character may be: boxes without what is nearer to a border than its radius.
//!
//! Each box is divided by the lines at the radius from its borders, into at most 3 by 3 tiles. Within a tile, a square of
//! the size of a character reaches into the same boxes all around.

use super::flood::{Flood, opposite};
use super::openings::{Way, Ways};

/// The tiles along a side of a box.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tiles {
    /// Where tiles begin, and at the end the size of the box, in metres.
    pub cuts_m: Vec<f64>,
    /// For each tile the boxes to both sides into which a character in it reaches.
    reach: Vec<[i32; 2]>,
}

/// Tiles narrower than this are none, in boxes.
const LEAST_TILE: f64 = 1e-6;

impl Tiles {
    pub(super) fn new(box_size_m: f64, radius_m: f64) -> Self {
        let rest_m = radius_m.rem_euclid(box_size_m);
        let mut cuts_m =
            vec![0.0, rest_m.min(box_size_m - rest_m), rest_m.max(box_size_m - rest_m), box_size_m];
        cuts_m.dedup_by(|next, before| *next - *before < LEAST_TILE * box_size_m);
        if let Some(last) = cuts_m.last_mut() {
            *last = box_size_m;
        }
        let reach = cuts_m.windows(2).map(|ends| {
            let middle_m = (ends[0] + ends[1]) / 2.0;
            [middle_m - radius_m, middle_m + radius_m].map(|end| (end / box_size_m).floor() as i32)
        });
        Self { reach: reach.collect(), cuts_m }
    }

    /// The number of tiles along a side.
    pub(super) fn count(&self) -> usize {
        self.reach.len()
    }
}

/// What a tile is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Tile {
    /// Nearer to a border than the radius.
    #[default]
    None,
    /// Ground, or the edge of a drop: there a character may stand beyond the edge by its radius.
    Ground,
    /// The foot of a drop: so near to its face that one comes here only down the drop.
    Foot,
}

/// What a character at some place overlaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// A box.
    Box(u32),
    /// The air behind the edge of a drop, over a box.
    Air(Option<u32>),
    /// The face of a drop.
    Face,
}

/// All tiles, box by box: row by row along z.
/// `headroom_m` is what a character needs over its feet.
pub(super) fn tiles(flood: &Flood, ways: &Ways, tiles: &Tiles, headroom_m: f64) -> Vec<Tile> {
    let count = tiles.count();
    let mut all = Vec::with_capacity(ways.len() * count * count);
    let ends = |all: &[[i32; 2]]| [all[0][0], all[all.len() - 1][1]];
    let [least, most] = ends(&tiles.reach);
    let mut block = Block::default();
    let clear = clear_boxes(ways);
    let most_reach = least.abs().max(most) as u32;
    for node in 0..ways.len() as u32 {
        // Mostly the whole box is ground.
        if clear[node as usize] >= most_reach {
            all.extend(std::iter::repeat_n(Tile::Ground, count * count));
            continue;
        }
        if block.fill(ways, node, [least, most], [least, most]) == Some(Tile::Ground) && !block.has_drop {
            all.extend(std::iter::repeat_n(Tile::Ground, count * count));
            continue;
        }
        let head_m = f64::from(flood.tops_m[node as usize]) + headroom_m;
        for &z in &tiles.reach {
            for &x in &tiles.reach {
                let tile = block.fill(ways, node, x, z);
                let column = |node: u32| flood.columns[node as usize];
                let is_in =
                    |held: &Held, below: u32| matches!(held, Held::Box(at) if column(*at) == column(below));
                // Over the edge of a drop, too, its head must be free. A ceiling may be the slab that it stands on.
                let is_free = |held: &Held| match held {
                    Held::Air(Some(below)) => {
                        f64::from(flood.ceilings_m[*below as usize]) > head_m
                            || block.held.iter().any(|held| is_in(held, *below))
                    }
                    _ => true,
                };
                all.push(tile.filter(|_| block.held.iter().all(is_free)).unwrap_or_default());
            }
        }
    }
    all
}

/// For each box how far around it all boxes are joined both ways, like those of a plane: the distance in boxes to the
/// nearest one where they are not, by a chessboard distance transform (Rosenfeld and Pfaltz, 1966).
fn clear_boxes(ways: &Ways) -> Vec<u32> {
    // The box over two sides, if it is the same in either order.
    let over = |node: u32, x: usize, z: usize| {
        let (one, other) = (ways.both(ways.both(node, x)?, z)?, ways.both(ways.both(node, z)?, x)?);
        (one == other).then_some(one)
    };
    // The boxes before a box, in the order of boxes, and those behind it.
    let before =
        |node| Some([ways.both(node, 2)?, over(node, 2, 3)?, ways.both(node, 3)?, over(node, 0, 3)?]);
    let behind =
        |node| Some([ways.both(node, 0)?, over(node, 0, 1)?, ways.both(node, 1)?, over(node, 2, 1)?]);
    let mut clear = vec![0; ways.len()];
    let next = |clear: &[u32], boxes: Option<[u32; 4]>| {
        let least = boxes.and_then(|boxes| boxes.map(|at| clear[at as usize]).into_iter().min());
        least.map_or(0, |least| least + 1)
    };
    for node in 0..ways.len() {
        clear[node] = next(&clear, before(node as u32));
    }
    for node in (0..ways.len()).rev() {
        if clear[node] > 0 {
            clear[node] = clear[node].min(next(&clear, behind(node as u32)));
        }
    }
    clear
}

/// The boxes around a box, as one gets to them from it.
#[derive(Default)]
struct Block {
    held: Vec<Held>,
    row: Vec<Held>,
    has_drop: bool,
}

impl Block {
    /// Looks at the boxes from `x[0]` to `x[1]` and from `z[0]` to `z[1]`, counted from a box. `None` if there is a border
    /// between any of them.
    fn fill(&mut self, ways: &Ways, node: u32, x: [i32; 2], z: [i32; 2]) -> Option<Tile> {
        let tile = self.fill_rows(ways, node, [x, z], 0)?;
        // Beside a drop, the way round the other side of a corner may lead elsewhere.
        if self.has_drop {
            let held = std::mem::take(&mut self.held);
            self.fill_rows(ways, node, [z, x], 1)?;
            self.held.extend(held);
        }
        Some(tile)
    }

    /// Looks at a row of boxes along an axis (0 for x, 1 for z), and from there at the rows on both sides.
    fn fill_rows(&mut self, ways: &Ways, node: u32, reach: [[i32; 2]; 2], axis: usize) -> Option<Tile> {
        let [along, across] = reach;
        let centre = (-along[0]) as usize;
        self.row.clear();
        self.row.resize((along[1] - along[0] + 1) as usize, Held::Box(node));
        for at in centre + 1..self.row.len() {
            self.row[at] = beside(ways, self.row[at - 1], axis)?;
        }
        for at in (0..centre).rev() {
            self.row[at] = beside(ways, self.row[at + 1], opposite(axis))?;
        }
        self.held.clone_from(&self.row);
        let other = 1 - axis;
        for (rows, side) in [(across[1], other), (-across[0], opposite(other))] {
            let mut row = self.row.clone();
            for _ in 0..rows {
                for held in &mut row {
                    *held = beside(ways, *held, side)?;
                }
                if row.windows(2).any(|pair| !fits(ways, pair[0], pair[1], axis)) {
                    return None;
                }
                self.held.extend(&row);
            }
        }
        self.has_drop = self.held.iter().any(|held| !matches!(held, Held::Box(_)));
        let has_face = self.held.contains(&Held::Face);
        Some(if has_face { Tile::Foot } else { Tile::Ground })
    }
}

/// What is at a side of what a character overlaps. `None` for a border.
fn beside(ways: &Ways, held: Held, side: usize) -> Option<Held> {
    match held {
        Held::Box(node) => match ways.way(node, side) {
            Way::Both => ways.both(node, side).map(Held::Box),
            Way::Out => Some(Held::Air(ways.out(node, side))),
            Way::In => Some(Held::Face),
            Way::None => None,
        },
        // What stands on the floor below may be as high as the character.
        Held::Air(Some(below)) => match ways.way(below, side) {
            Way::Both => Some(Held::Air(ways.both(below, side))),
            Way::Out => Some(Held::Air(ways.out(below, side))),
            Way::In => Some(Held::Air(None)),
            Way::None => None,
        },
        Held::Air(None) | Held::Face => Some(held),
    }
}

/// Whether there is no border between two neighbours along an axis.
fn fits(ways: &Ways, one: Held, other: Held, axis: usize) -> bool {
    match (one, other) {
        (Held::Box(one), Held::Box(other)) => match ways.way(one, axis) {
            Way::Both => ways.both(one, axis) == Some(other),
            Way::Out | Way::In => true,
            Way::None => false,
        },
        (Held::Box(node), _) => ways.way(node, axis) != Way::None,
        (_, Held::Box(node)) => ways.way(node, opposite(axis)) != Way::None,
        _ => true,
    }
}
