//! What a painted room must answer, worked out slowly and without any of its code: walkable pixels as a list, the
//! graph as the text describes it, breadth-first search, sight by trying every blocked pixel.

use glam::{DVec2, dvec2};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub(crate) struct Oracle {
    pub(crate) width: i64,
    pub(crate) depth: i64,
    pub(crate) walkable: Vec<bool>,
    pub(crate) rate: f64,
    pub(crate) eight: bool,
    pub(crate) cover: bool,
}

/// A node by column and row.
pub(crate) type Node = (i64, i64);

impl Oracle {
    pub(crate) fn is_walkable(&self, x: i64, z: i64) -> bool {
        (0..self.width).contains(&x)
            && (0..self.depth).contains(&z)
            && self.walkable[(z * self.width + x) as usize]
    }

    /// The pixel a node stands on.
    fn pixel(&self, node: Node) -> (i64, i64) {
        ((node.0 as f64 * self.rate).floor() as i64, (node.1 as f64 * self.rate).floor() as i64)
    }

    pub(crate) fn place(&self, node: Node) -> DVec2 {
        let (x, z) = self.pixel(node);
        dvec2(x as f64 + 0.5, z as f64 + 0.5)
    }

    pub(crate) fn is_node(&self, node: Node) -> bool {
        let (x, z) = self.pixel(node);
        let reach = if self.cover { (self.rate / 2.0).floor() as i64 } else { 0 };
        let inside = |x: i64, z: i64| (0..self.width).contains(&x) && (0..self.depth).contains(&z);
        let good = |x: i64, z: i64| !inside(x, z) || self.is_walkable(x, z);
        node.0 >= 0
            && node.1 >= 0
            && inside(x, z)
            && (z - reach..=z + reach).all(|z| (x - reach..=x + reach).all(|x| good(x, z)))
    }

    pub(crate) fn nodes(&self) -> Vec<Node> {
        let all = (0..self.depth).flat_map(|z| (0..self.width).map(move |x| (x, z)));
        all.filter(|&node| self.is_node(node)).collect()
    }

    /// Whether one can walk straight from one place to another. A segment that passes through the inside of a pixel
    /// needs it, and one through a corner where two blocked pixels touch, or beside a blocked one, needs both beside
    /// it.
    pub(crate) fn sees(&self, from: DVec2, to: DVec2) -> bool {
        let (low, high) = (from.min(to).floor() - 1.0, from.max(to).floor() + 1.0);
        for z in low.y as i64..=high.y as i64 {
            for x in low.x as i64..=high.x as i64 {
                if !self.is_walkable(x, z) && touches(from, to, dvec2(x as f64, z as f64)) {
                    return false;
                }
            }
        }
        true
    }

    /// The nearest node a place sees; `None` if it is off the ground or sees none.
    pub(crate) fn node_of(&self, place: DVec2) -> Option<Node> {
        if !self.is_walkable(place.x.floor() as i64, place.y.floor() as i64) {
            return None;
        }
        let mut nodes = self.nodes();
        let far = |node: &Node| self.place(*node).distance_squared(place);
        nodes.sort_by(|a, b| far(a).total_cmp(&far(b)).then((a.1, a.0).cmp(&(b.1, b.0))));
        nodes.into_iter().find(|&node| self.sees(place, self.place(node)))
    }

    /// All nodes a place sees within eight nodes, and the one it belongs to.
    pub(crate) fn nodes_in_sight(&self, place: DVec2) -> Vec<Node> {
        let before = |at: f64| (at.floor() / self.rate).floor() as i64;
        let middle = (before(place.x), before(place.y));
        let near = |&(x, z): &Node| (x - middle.0).abs().max((z - middle.1).abs()) <= 8;
        let mut seen: Vec<Node> = self.nodes().into_iter().filter(near).collect();
        seen.retain(|&node| self.sees(place, self.place(node)));
        seen.extend(self.node_of(place));
        seen
    }

    /// Whether a way leads from one walkable place to another: straight, or from any node in sight of the one to any
    /// in sight of the other.
    pub(crate) fn leads(&self, from: DVec2, to: DVec2) -> bool {
        let goals = self.nodes_in_sight(to);
        let leads = |start: Node| {
            let steps = self.steps_from(start);
            goals.iter().any(|goal| steps.contains_key(goal))
        };
        self.sees(from, to) || self.nodes_in_sight(from).into_iter().any(leads)
    }

    pub(crate) fn joined(&self, a: Node, b: Node) -> bool {
        self.is_node(a) && self.is_node(b) && self.sees(self.place(a), self.place(b))
    }

    /// The cost of an edge in pixels: one for each pixel along it, and √2 where it goes along both axes.
    fn edge(&self, a: Node, b: Node) -> f64 {
        let (a, b) = (self.pixel(a), self.pixel(b));
        let (x, z) = ((a.0 - b.0).abs() as f64, (a.1 - b.1).abs() as f64);
        x.max(z) - x.min(z) + x.min(z) * std::f64::consts::SQRT_2
    }

    /// The number of each pixel's patch: walkable pixels that share edges.
    pub(crate) fn patches(&self) -> BTreeMap<(i64, i64), usize> {
        let mut patches = BTreeMap::new();
        for pixel in (0..self.depth).flat_map(|z| (0..self.width).map(move |x| (x, z))) {
            let number = patches.len();
            let mut waiting = vec![pixel];
            while let Some((x, z)) = waiting.pop() {
                if self.is_walkable(x, z) && !patches.contains_key(&(x, z)) {
                    patches.insert((x, z), number);
                    waiting.extend([(x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1)]);
                }
            }
        }
        patches
    }

    /// How many ways the nodes lack to hang together as their pixels do.
    pub(crate) fn lacking(&self) -> usize {
        let (mut of_nodes, mut of_pixels, patches) = (0, BTreeSet::new(), self.patches());
        let mut seen: BTreeSet<Node> = BTreeSet::new();
        for node in self.nodes() {
            of_pixels.insert(patches[&self.pixel(node)]);
            if !seen.contains(&node) {
                of_nodes += 1;
                seen.extend(self.steps_from(node).into_keys());
            }
        }
        of_nodes - of_pixels.len()
    }

    /// The least cost in pixels of each node that can be reached: by trying every edge until nothing gets cheaper.
    pub(crate) fn costs_from(&self, start: Node) -> BTreeMap<Node, f64> {
        let mut costs = BTreeMap::from([(start, 0.0)]);
        let mut waiting = VecDeque::from([start]);
        while let Some(node) = waiting.pop_front() {
            for (dx, dz) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let next = (node.0 + dx, node.1 + dz);
                let straight = dx == 0 || dz == 0;
                if !(straight || self.eight) || !self.joined(node, next) {
                    continue;
                }
                let cost = costs[&node] + self.edge(node, next);
                if costs.get(&next).is_none_or(|known| cost < known - 1e-9) {
                    costs.insert(next, cost);
                    waiting.push_back(next);
                }
            }
        }
        costs
    }

    /// How many steps lead to each node that can be reached with four neighbours; with eight, whether it can be:
    /// breadth first.
    pub(crate) fn steps_from(&self, start: Node) -> BTreeMap<Node, u32> {
        let mut steps = BTreeMap::from([(start, 0)]);
        let mut waiting = VecDeque::from([start]);
        while let Some(node) = waiting.pop_front() {
            for (dx, dz) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let next = (node.0 + dx, node.1 + dz);
                let straight = dx == 0 || dz == 0;
                if (straight || self.eight) && !steps.contains_key(&next) && self.joined(node, next) {
                    steps.insert(next, steps[&node] + 1);
                    waiting.push_back(next);
                }
            }
        }
        steps
    }
}

/// Whether a segment enters the inside of the unit square at `corner`, or touches a corner of it in passing diagonally.
fn touches(from: DVec2, to: DVec2, corner: DVec2) -> bool {
    // Grown by a hair, so that passing through a corner counts; but a segment that runs along an edge lies in the next
    // pixel.
    const HAIR: f64 = 1e-9;
    let run = to - from;
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let slack = if run[axis] == 0.0 { 0.0 } else { HAIR };
        let (low, high) = (corner[axis] - slack, corner[axis] + 1.0 + slack);
        if run[axis] == 0.0 {
            if from[axis] < low || from[axis] >= high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - from[axis]) / run[axis], (high - from[axis]) / run[axis]);
        (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
    }
    enters < leaves
}
