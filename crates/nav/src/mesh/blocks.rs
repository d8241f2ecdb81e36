//! Blocks of the graph of polygons and portals: sets of portals of which any two lie on a common cycle (biconnected
//! components; Hopcroft and Tarjan, 1973). Blocks meet at polygons, and the blocks and these polygons form trees.
//!
//! A shortest path enters no polygon twice, because polygons are convex. So it crosses only portals of the blocks
//! between its ends, and a search leaves out all others: rooms off the way, and dead ends.

use super::Polygons;

/// No block.
const NONE: u32 = u32::MAX;

/// The trees of blocks. The blocks of portals are with the edges.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Blocks {
    /// For each polygon the block above it, or [`NONE`] at the root of a tree.
    above: Vec<u32>,
    /// For each block the polygon above it.
    top: Vec<u32>,
    /// For each polygon the number of blocks above it.
    depth: Vec<u32>,
}

/// The blocks between the ends of a search.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockMarks {
    /// For each block, the number of the last search in which it was between the ends.
    marks: Vec<u32>,
    number: u32,
    /// Whether all blocks count as marked.
    all: bool,
}

impl BlockMarks {
    /// Marks all blocks, and portals that belong to none.
    pub(super) fn mark_all(&mut self) {
        self.all = true;
    }

    /// Marks the blocks between two polygons.
    pub(super) fn mark(&mut self, blocks: &Blocks, one: u32, other: u32) {
        self.all = false;
        self.number = self.number.wrapping_add(1);
        if self.marks.len() != blocks.top.len() || self.number == 0 {
            self.marks.clear();
            self.marks.resize(blocks.top.len(), 0);
            self.number = 1;
        }
        let (mut one, mut other) = (one as usize, other as usize);
        while one != other {
            if blocks.depth[one] < blocks.depth[other] {
                std::mem::swap(&mut one, &mut other);
            }
            let block = blocks.above[one];
            if block == NONE {
                break; // they are not connected
            }
            self.marks[block as usize] = self.number;
            one = blocks.top[block as usize] as usize;
        }
    }

    /// Whether a block lies between the ends.
    #[inline]
    pub(super) fn holds(&self, block: u32) -> bool {
        self.all || self.marks.get(block as usize).is_some_and(|mark| *mark == self.number)
    }
}

/// A polygon on the way from the root of the search to the polygon at hand.
struct Frame {
    polygon: u32,
    /// The portal by which the polygon was entered.
    entered_by: Option<u32>,
    /// The portals not yet looked at.
    left: std::ops::Range<usize>,
}

/// The search for blocks: depth first, over portals in either direction.
struct Search {
    /// Polygon, portal and the polygon behind it, sorted. A portal is numbered by one of its edges.
    portals: Vec<(u32, u32, u32)>,
    /// The polygons in the order in which they were found, and the portals by which they were entered.
    found: Vec<(u32, Option<u32>)>,
    /// For each polygon its place in `found`, or [`NONE`].
    place: Vec<u32>,
    /// For each polygon the least place that it or a polygon behind it is joined to.
    least: Vec<u32>,
    way: Vec<Frame>,
}

impl Search {
    fn enter(&mut self, polygon: u32, entered_by: Option<u32>) {
        let place = self.found.len() as u32;
        (self.place[polygon as usize], self.least[polygon as usize]) = (place, place);
        self.found.push((polygon, entered_by));
        let first = self.portals.partition_point(|portal| portal.0 < polygon);
        let count = self.portals[first..].iter().take_while(|portal| portal.0 == polygon).count();
        self.way.push(Frame { polygon, entered_by, left: first..first + count });
    }

    /// Searches all that is connected to a polygon. `ends` gets each block: the polygon above it, and its portals.
    fn run(&mut self, root: u32, mut ends: impl FnMut(u32, &[u32])) {
        let mut open = Vec::new();
        self.enter(root, None);
        while let Some(frame) = self.way.last_mut() {
            let (here, entered_by) = (frame.polygon, frame.entered_by);
            if let Some(next) = frame.left.next() {
                let (_, portal, behind) = self.portals[next];
                let place = self.place[behind as usize];
                if place == NONE {
                    open.push(portal);
                    self.enter(behind, Some(portal));
                } else if entered_by != Some(portal) && place < self.place[here as usize] {
                    open.push(portal);
                    self.least[here as usize] = self.least[here as usize].min(place);
                }
                continue;
            }
            self.way.pop();
            let Some((before, entered_by)) = self.way.last().map(|frame| frame.polygon).zip(entered_by)
            else {
                return;
            };
            self.least[before as usize] = self.least[before as usize].min(self.least[here as usize]);
            if self.least[here as usize] >= self.place[before as usize] {
                // No portal leads from behind `before` to polygons found before it.
                let first = open.iter().rposition(|&portal| portal == entered_by).unwrap_or(0);
                ends(before, &open[first..]);
                open.truncate(first);
            }
        }
    }
}

impl Polygons {
    /// Finds the blocks of the polygons that may be open at some time. Portals from and to others belong to none.
    pub(super) fn divide(&mut self, may_be_open: impl Fn(u32) -> bool) {
        let count = self.len();
        let mut portals = Vec::new();
        for edge in 0..self.edge_count() as u32 {
            let (here, behind) = (self.owner(edge), self.edge(edge).neighbour());
            let is_first = self.is_one_way(edge) || self.edge(edge).twin().is_some_and(|twin| edge < twin);
            if let Some(behind) =
                behind.filter(|&behind| is_first && may_be_open(here) && may_be_open(behind))
            {
                portals.extend([(here, edge, behind), (behind, edge, here)]);
            }
        }
        portals.sort_unstable();
        let mut search = Search {
            portals,
            found: Vec::with_capacity(count),
            place: vec![NONE; count],
            least: vec![NONE; count],
            way: Vec::new(),
        };
        let mut blocks = Blocks { above: vec![NONE; count], top: Vec::new(), depth: vec![0; count] };
        let mut block_of = vec![NONE; self.edge_count()];
        for root in 0..count as u32 {
            if search.place[root as usize] == NONE {
                search.run(root, |top, portals| {
                    portals.iter().for_each(|&portal| block_of[portal as usize] = blocks.top.len() as u32);
                    blocks.top.push(top);
                });
            }
        }
        for &(polygon, entered_by) in &search.found {
            if let Some(entered_by) = entered_by {
                let block = block_of[entered_by as usize];
                blocks.above[polygon as usize] = block;
                // The polygon above was found earlier.
                let top = blocks.top[block as usize];
                blocks.depth[polygon as usize] = blocks.depth[top as usize] + 1;
            }
        }
        for edge in 0..self.edge_count() as u32 {
            let twin = self.edge(edge).twin().filter(|_| !self.is_one_way(edge));
            let portal = twin.map_or(edge, |twin| twin.min(edge));
            self.set_block(edge, block_of[portal as usize]);
        }
        self.blocks = blocks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::any_angle::tests::{Random, field};
    use std::collections::BTreeSet;

    /// All portals on ways from one polygon to another that enter no polygon twice.
    fn on_ways(mesh: &Polygons, from: u32, to: u32, is_open: &dyn Fn(u32) -> bool) -> BTreeSet<u32> {
        fn go(
            (mesh, to, is_open): (&Polygons, u32, &dyn Fn(u32) -> bool),
            here: u32,
            way: &mut Vec<u32>,
            edges: &mut Vec<u32>,
            all: &mut BTreeSet<u32>,
        ) {
            if here == to {
                all.extend(&*edges);
                return;
            }
            way.push(here);
            for edge in mesh.edge_range(here) {
                let behind = mesh.edge(edge).neighbour();
                if let Some(behind) = behind.filter(|behind| is_open(*behind) && !way.contains(behind)) {
                    edges.push(edge);
                    go((mesh, to, is_open), behind, way, edges, all);
                    edges.pop();
                }
            }
            way.pop();
        }
        let mut all = BTreeSet::new();
        go((mesh, to, is_open), from, &mut Vec::new(), &mut Vec::new(), &mut all);
        all
    }

    /// Marked are just the portals on some way between the ends.
    #[test]
    fn blocks_between_two_polygons_hold_the_ways_between_them() {
        let (mut marks, mut left_out) = (BlockMarks::default(), 0);
        for seed in 0..300 {
            let mut random = Random(seed);
            let mut mesh = field(&mut random, 4, 0.2, 0.35).mesh;
            let count = mesh.len() as u32;
            let never: Vec<bool> = (0..count).map(|_| random.next() < 0.1).collect();
            let may_be_open = |polygon: u32| !never[polygon as usize];
            mesh.divide(may_be_open);
            for _ in 0..8 {
                let [from, to] = [(); 2].map(|()| (random.next() * f64::from(count)) as u32);
                if from == to || !may_be_open(from) || !may_be_open(to) {
                    continue;
                }
                marks.mark(&mesh.blocks, from, to);
                let needed = on_ways(&mesh, from, to, &may_be_open);
                for edge in 0..mesh.edge_count() as u32 {
                    let twin = mesh.edge(edge).twin();
                    let is_needed = needed.contains(&edge) || twin.is_some_and(|twin| needed.contains(&twin));
                    let is_marked = marks.holds(mesh.edge(edge).block());
                    let is_joined = !needed.is_empty();
                    assert_eq!(is_marked && is_joined, is_needed, "seed {seed}: edge {edge}, {from} to {to}");
                    left_out += u32::from(is_joined && twin.is_some() && !is_marked);
                }
            }
        }
        assert!(left_out > 1000, "{left_out} portals are left out");
    }
}
