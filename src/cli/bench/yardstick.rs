//! *Simple A\**: the reference that ratios are measured against. A well-written textbook grid A*: a binary heap with
//! lazy deletion, arrays reused from search to search by generation stamps, the octile distance as heuristic,
//! diagonal steps only beside two walkable cells. No character is moved by it, and it shares no code with the search
//! under test, so that it stays the same while that gets faster.

use cicerone::room::GridCells;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::SQRT_2;

/// A cell of the grid, column and row.
pub type Cell = (u32, u32);

/// The result: the cells from start to goal, and their cost (1 a straight step, √2 a diagonal one).
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub way: Vec<Cell>,
    pub cost: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct NodeState {
    cost: f64,
    parent: u32,
    /// Twice the number of the search that reached it last, plus one once expanded.
    stamp: u32,
}

/// Estimated total cost, remaining cost, index. Costs are never negative, so their bits are ordered as they are. Of
/// equal total costs, the one nearer to the goal comes first.
type OpenEntry = Reverse<(u64, u64, u32)>;

/// A grid, and the arrays to search it with.
pub struct Yardstick {
    /// Cells in a row, with one blocked cell on either side, so that neighbours need no border check.
    stride: u32,
    walkable: Vec<bool>,
    nodes: Vec<NodeState>,
    open: BinaryHeap<OpenEntry>,
    generation: u32,
    expansions: u64,
}

impl Yardstick {
    /// Takes the cells as they are.
    pub fn new(cells: &GridCells) -> Self {
        let stride = cells.width() + 2;
        let len = stride as usize * (cells.depth() as usize + 2);
        let mut walkable = vec![false; len];
        for z in 0..cells.depth() {
            for x in 0..cells.width() {
                walkable[((z + 1) * stride + x + 1) as usize] = cells.is_walkable(x, z);
            }
        }
        let nodes = vec![NodeState::default(); len];
        Self { stride, walkable, nodes, open: BinaryHeap::new(), generation: 0, expansions: 0 }
    }

    /// Nodes expanded by all searches so far.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The cheapest path between two walkable cells.
    pub fn find(&mut self, from: Cell, to: Cell) -> Option<Found> {
        let (start, goal) = (self.index(from), self.index(to));
        let (goal_x, goal_z) = ((goal % self.stride) as i32, (goal / self.stride) as i32);
        let stride = self.stride;
        let left = |index: u32| {
            let x = ((index % stride) as i32).abs_diff(goal_x);
            let z = ((index / stride) as i32).abs_diff(goal_z);
            f64::from(x.max(z) - x.min(z)) + f64::from(x.min(z)) * SQRT_2
        };
        self.generation += 1;
        let open_stamp = self.generation * 2;
        let closed_stamp = open_stamp + 1;
        self.open.clear();
        self.nodes[start as usize] = NodeState { cost: 0.0, parent: start, stamp: open_stamp };
        self.open.push(Reverse((left(start).to_bits(), left(start).to_bits(), start)));
        while let Some(Reverse((_, _, node))) = self.open.pop() {
            let state = &mut self.nodes[node as usize];
            if state.stamp == closed_stamp {
                continue; // a cheaper path to it was expanded before
            }
            state.stamp = closed_stamp;
            self.expansions += 1;
            let cost_here = state.cost;
            if node == goal {
                return Some(Found { way: self.way(start, goal), cost: cost_here });
            }
            let free = |index: u32| self.walkable[index as usize];
            let (north, south, west, east) = (node - stride, node + stride, node - 1, node + 1);
            let (n, s, w, e) = (free(north), free(south), free(west), free(east));
            let steps = [
                (north, n, 1.0),
                (south, s, 1.0),
                (west, w, 1.0),
                (east, e, 1.0),
                (north - 1, n && w && free(north - 1), SQRT_2),
                (north + 1, n && e && free(north + 1), SQRT_2),
                (south - 1, s && w && free(south - 1), SQRT_2),
                (south + 1, s && e && free(south + 1), SQRT_2),
            ];
            for (to, is_open, step) in steps {
                if !is_open {
                    continue;
                }
                let cost = cost_here + step;
                let state = &mut self.nodes[to as usize];
                // A closed node cannot be reached more cheaply; only rounding could suggest it.
                if state.stamp < open_stamp || (state.stamp == open_stamp && cost < state.cost) {
                    *state = NodeState { cost, parent: node, stamp: open_stamp };
                    let left = left(to);
                    self.open.push(Reverse(((cost + left).to_bits(), left.to_bits(), to)));
                }
            }
        }
        None
    }

    fn way(&self, start: u32, goal: u32) -> Vec<Cell> {
        let mut way = Vec::new();
        let mut at = goal;
        loop {
            way.push((at % self.stride - 1, at / self.stride - 1));
            if at == start {
                break;
            }
            at = self.nodes[at as usize].parent;
        }
        way.reverse();
        way
    }

    fn index(&self, (x, z): Cell) -> u32 {
        (z + 1) * self.stride + x + 1
    }
}
