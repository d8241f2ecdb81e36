//! Lost ways: what the pixels of a painted room join, and its nodes do not. A corridor narrower than the sample rate has
//! nodes in it or none, by where it lies.
//!
//! All nodes flood the pixels at once. Where two floods meet, pixels lead from one node to the other. Shortest first, such
//! a meeting is a lost way if the nodes and the lost ways found so far make a much longer way of it, or none: the greedy
//! spanner of Althöfer, Das, Dobkin, Joseph and Soares, "On sparse spanners of weighted graphs", 1993.

use super::Grid;
use super::lattice::Lattice;
use super::raster::Raster;
use glam::{DVec2, I64Vec2};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// A way counts as lost if the way that is left is longer than this many times its length, plus so many nodes.
const LONGER: (f64, f64) = (2.0, 8.0);

/// No higher sample rate is tried: where it loses a way, one of many pixels is hardly better.
const MOST_RATE_PX: f64 = 16.0;

/// Nodes that are looked at for detours, in all: a second or two.
const MOST_EXPANSIONS: u32 = 5_000_000;

/// Marks a pixel that no node's flood has reached.
const NO_NODE: u32 = u32::MAX;

/// A way that pixels have and nodes have not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LostWay {
    /// The middle of a pixel halfway, in metres.
    pub at: DVec2,
    /// Whether no other way leads from one end to the other. If false, the others are more than twice as long.
    pub parts: bool,
}

/// The ways that a lattice loses, and the nodes that its pixels lead to.
struct Losses<'a> {
    lattice: &'a Lattice,
    width: u32,
    /// For each pixel, the node whose flood reached it first, and its distance.
    owner: Vec<(u32, u32)>,
    found: Vec<Lost>,
}

/// A lost way in pixels: its length, the nodes at its ends, and the pixel halfway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Lost {
    length: u32,
    ends: (u32, u32),
    pixel: (u32, u32),
    parts: bool,
}

impl Grid {
    /// The ways that the sampling of a painted room loses, the shortest first. None in a plain grid.
    pub fn lost_ways(&self) -> Vec<LostWay> {
        let Some(lattice) = &self.lattice else { return Vec::new() };
        let losses = Losses::of(&self.walkable, lattice, true);
        losses.found.iter().map(|lost| LostWay { at: self.middle(lost.pixel), parts: lost.parts }).collect()
    }

    /// The highest whole sample rate below the present one, up to 16, that loses no way. Every pixel a node loses none.
    pub fn rate_that_loses_none(&self) -> f64 {
        let loses_none = |grid: &Self| {
            grid.lattice.as_ref().is_none_or(|it| Losses::of(&grid.walkable, it, true).found.is_empty())
        };
        self.lower_rate(loses_none)
    }

    /// If pixels join two places and nodes do not: a place where the way is lost, and the highest whole sample rate that
    /// keeps it.
    pub fn lost_between(&self, from: DVec2, to: DVec2) -> Option<(DVec2, f64)> {
        let lattice = self.lattice.as_ref()?;
        let [begin, end] = [from, to].map(|place| self.frame.cell_at(place));
        if !self.pixels_join(begin, end) {
            return None;
        }
        let losses = Losses::of(&self.walkable, lattice, false);
        let at = losses.first_between(begin, end).map_or(to, |pixel| self.middle(pixel));
        Some((at, self.lower_rate(|grid| grid.nodes_join(from, to))))
    }

    /// The work of [`Grid::lost_between`], in expansions.
    pub fn lost_ways_work(&self) -> u64 {
        let pixels = u64::from(self.walkable.width()) * u64::from(self.walkable.depth());
        let rates = self.node_spacing_cells().min(MOST_RATE_PX) as u64 + 1;
        rates * (self.copy_work() + pixels / 16)
    }

    fn middle(&self, (x, z): (u32, u32)) -> DVec2 {
        self.frame.centre(I64Vec2::new(i64::from(x), i64::from(z)))
    }

    /// The highest whole sample rate below the present one, up to 16, with which `keeps` is true, or else one pixel.
    fn lower_rate(&self, keeps: impl Fn(&Self) -> bool) -> f64 {
        let Some(lattice) = &self.lattice else { return 1.0 };
        let mut rate_px = (lattice.sampling().rate_px.ceil() - 1.0).min(MOST_RATE_PX);
        while rate_px > 1.0 && !keeps(&self.sampled_every(rate_px)) {
            rate_px -= 1.0;
        }
        rate_px.max(1.0)
    }

    fn nodes_join(&self, from: DVec2, to: DVec2) -> bool {
        let Some(ends) = self.node_at(from).zip(self.node_at(to)) else { return false };
        let mut reach = super::Reach::new(self, u64::MAX);
        reach.spread(self, ends.0, Some(ends.1));
        reach.holds(self, ends.1)
    }

    fn pixels_join(&self, from: I64Vec2, to: I64Vec2) -> bool {
        if !(self.cell_is_walkable(from) && self.cell_is_walkable(to)) {
            return false;
        }
        let (from, to) = ((from.x as u32, from.y as u32), (to.x as u32, to.y as u32));
        let mut owner = vec![(NO_NODE, 0); self.walkable.width() as usize * self.walkable.depth() as usize];
        flood(&self.walkable, &mut owner, [(from, 0)].into());
        owner[(to.1 * self.walkable.width() + to.0) as usize].0 != NO_NODE
    }
}

/// Floods walkable pixels from those given, by their owners' numbers. The nearest owner takes a pixel.
fn flood(cells: &Raster, owner: &mut [(u32, u32)], seeds: Vec<((u32, u32), u32)>) {
    let (width, depth) = (cells.width(), cells.depth());
    let mut waiting = VecDeque::new();
    for ((x, z), number) in seeds {
        owner[(z * width + x) as usize] = (number, 0);
        waiting.push_back((x, z));
    }
    while let Some((x, z)) = waiting.pop_front() {
        let (number, distance) = owner[(z * width + x) as usize];
        for (x, z) in [(x, z.wrapping_sub(1)), (x.wrapping_sub(1), z), (x + 1, z), (x, z + 1)] {
            if x < width && z < depth && cells.get(x, z) {
                let state = &mut owner[(z * width + x) as usize];
                if state.0 == NO_NODE {
                    *state = (number, distance + 1);
                    waiting.push_back((x, z));
                }
            }
        }
    }
}

impl<'a> Losses<'a> {
    /// With `detours` also those that leave a long way round.
    fn of(cells: &Raster, lattice: &'a Lattice, detours: bool) -> Self {
        let width = cells.width();
        let mut owner = vec![(NO_NODE, 0); width as usize * cells.depth() as usize];
        let mut losses = Self { lattice, width, owner: Vec::new(), found: Vec::new() };
        let nodes = losses.nodes();
        let seeds = nodes.iter().map(|&node| {
            let cell = lattice.cell_of(losses.coords(node));
            ((cell.x as u32, cell.y as u32), node)
        });
        flood(cells, &mut owner, seeds.collect());
        losses.owner = owner;
        let mut parts = Parts::new(lattice.size());
        for &node in &nodes {
            losses.for_each_edge(node, |to, _| _ = parts.unite(node, to));
        }
        let mut extra: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        let mut expansions = 0;
        for mut lost in losses.meetings(cells) {
            let (one, other) = lost.ends;
            lost.parts = parts.unite(one, other);
            if lost.parts || detours && !losses.is_near(lost, &extra, &mut expansions) {
                extra.entry(one).or_default().push((other, lost.length));
                extra.entry(other).or_default().push((one, lost.length));
                losses.found.push(lost);
            }
        }
        losses
    }

    fn nodes(&self) -> Vec<u32> {
        let (columns, rows) = self.lattice.size();
        (0..columns * rows).filter(|&node| self.lattice.holds(self.coords(node))).collect()
    }

    fn coords(&self, node: u32) -> I64Vec2 {
        let columns = self.lattice.size().0;
        I64Vec2::new(i64::from(node % columns), i64::from(node / columns))
    }

    /// Calls `visit(to, pixels)` for every edge of a node.
    fn for_each_edge(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        let (from, columns) = (self.coords(node), i64::from(self.lattice.size().0));
        self.lattice.for_each_edge(from, |to, _| {
            let apart = (self.lattice.cell_of(to) - self.lattice.cell_of(from)).abs();
            visit((to.y * columns + to.x) as u32, apart.max_element() as u32);
        });
    }

    /// Where the floods of two nodes without an edge meet: once for each pair, the shortest first.
    fn meetings(&self, cells: &Raster) -> Vec<Lost> {
        let (width, depth) = (cells.width(), cells.depth());
        let mut met = Vec::new();
        for z in 0..depth {
            for x in 0..width {
                let (one, far) = self.owner[(z * width + x) as usize];
                for (x, z) in [(x + 1, z), (x, z + 1)] {
                    if one == NO_NODE || x >= width || z >= depth {
                        continue;
                    }
                    let (other, farther) = self.owner[(z * width + x) as usize];
                    if other == NO_NODE || other == one || self.has_edge(one, other) {
                        continue;
                    }
                    let (ends, length) = ((one.min(other), one.max(other)), far + farther + 1);
                    met.push(Lost { length, ends, pixel: (x, z), parts: false });
                }
            }
        }
        met.sort_unstable_by_key(|lost| (lost.ends, lost.length, lost.pixel));
        met.dedup_by_key(|lost| lost.ends);
        met.sort_unstable();
        met
    }

    fn has_edge(&self, one: u32, other: u32) -> bool {
        let mut found = false;
        self.for_each_edge(one, |to, _| found |= to == other);
        found
    }

    /// Whether the nodes, with the lost ways found so far, have a way that is not much longer. A* with the distance along
    /// the longer axis.
    ///
    /// After [`MOST_EXPANSIONS`] in all, what is left counts as near.
    fn is_near(&self, lost: Lost, extra: &BTreeMap<u32, Vec<(u32, u32)>>, expansions: &mut u32) -> bool {
        let (from, to) = lost.ends;
        let most = LONGER.0 * f64::from(lost.length) + LONGER.1 * self.lattice.sampling().rate_px;
        let most = most as u32;
        let goal = self.lattice.cell_of(self.coords(to));
        let least = |node: u32| {
            let apart = (self.lattice.cell_of(self.coords(node)) - goal).abs();
            apart.max_element() as u32
        };
        let mut reached: BTreeMap<u32, u32> = BTreeMap::from([(from, 0)]);
        let mut open = BinaryHeap::from([Reverse((least(from), from))]);
        while let Some(Reverse((_, node))) = open.pop() {
            *expansions += 1;
            if node == to || *expansions > MOST_EXPANSIONS {
                return true;
            }
            let cost = reached.get(&node).copied().unwrap_or(0);
            let mut walk = |to: u32, pixels: u32| {
                let (cost, left) = (cost + pixels, least(to));
                if cost + left <= most && reached.get(&to).is_none_or(|&known| cost < known) {
                    reached.insert(to, cost);
                    open.push(Reverse((cost + left, to)));
                }
            };
            self.for_each_edge(node, &mut walk);
            extra.get(&node).into_iter().flatten().for_each(|&(to, length)| walk(to, length));
        }
        false
    }

    /// The pixel of the first lost way on the way from one pixel to another.
    fn first_between(&self, from: I64Vec2, to: I64Vec2) -> Option<(u32, u32)> {
        let owner = |pixel: I64Vec2| self.owner[(pixel.y as u32 * self.width + pixel.x as u32) as usize].0;
        let (from, to) = (owner(from), owner(to));
        if from == NO_NODE || to == NO_NODE {
            return None;
        }
        let mut parts = Parts::new(self.lattice.size());
        for node in self.nodes() {
            self.for_each_edge(node, |to, _| _ = parts.unite(node, to));
        }
        // Of each part, the parts beside it and the pixels of the ways there.
        let mut beside: BTreeMap<u32, Vec<Beside>> = BTreeMap::new();
        for lost in self.found.iter().filter(|lost| lost.parts) {
            let ends = [parts.root(lost.ends.0), parts.root(lost.ends.1)];
            beside.entry(ends[0]).or_default().push((ends[1], lost.pixel));
            beside.entry(ends[1]).or_default().push((ends[0], lost.pixel));
        }
        // From the goal back to the start, over lost ways alone.
        let (start, goal) = (parts.root(from), parts.root(to));
        let mut next: BTreeMap<u32, (u32, u32)> = BTreeMap::from([(goal, (0, 0))]);
        let mut waiting = VecDeque::from([goal]);
        while let Some(part) = waiting.pop_front() {
            for &(there, pixel) in beside.get(&part).into_iter().flatten() {
                if let std::collections::btree_map::Entry::Vacant(entry) = next.entry(there) {
                    entry.insert(pixel);
                    waiting.push_back(there);
                }
            }
        }
        next.get(&start).copied().filter(|_| start != goal)
    }
}

/// A part that a lost way leads to, and a pixel of the way.
type Beside = (u32, (u32, u32));

/// The parts that nodes form: a union-find forest.
struct Parts {
    parent: Vec<u32>,
}

impl Parts {
    fn new((columns, rows): (u32, u32)) -> Self {
        Self { parent: (0..columns * rows).collect() }
    }

    fn root(&mut self, node: u32) -> u32 {
        let mut at = node;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// Unites the parts of two nodes. Returns whether they were apart.
    fn unite(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other) as usize] = one.min(other);
        one != other
    }
}
