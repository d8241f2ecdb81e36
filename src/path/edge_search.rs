//! A* from node to node along the ground's edges: for painted rooms, whose nodes are joined in eight directions as was sampled. And the flood that finds
//! the nearest place of a kind.

use super::Progress;
use crate::space::{Ground, Node, Overlay};
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Scratch space of searches: 16 bytes a node, reused through generation stamps instead of being cleared.
#[derive(Debug, Clone, Default)]
pub(super) struct EdgeMemory {
    generation: u32,
    nodes: Vec<NodeState>,
    open: BinaryHeap<Reverse<(OpenKey, Node)>>,
}

/// Order of the open list: by estimated total cost, then by what is left (the farther along, the sooner), then by index.
/// All costs are non-negative, so their bit patterns order as their values do.
type OpenKey = (u64, u64);

#[derive(Debug, Clone, Copy, Default)]
struct NodeState {
    cost: f64,
    parent: u32,
    /// `generation * 2`, plus one once expanded. Anything smaller is from an earlier search.
    stamp: u32,
}

/// One search from a node to another.
#[derive(Debug, Clone)]
pub(super) struct EdgeSearch {
    start: Node,
    goal: Option<Node>,
    memory: Box<EdgeMemory>,
    reached: bool,
    expansions: u64,
    /// The point that was asked for, and the expanded node nearest to it so far: distance, cost, index.
    asked: DVec2,
    nearest: (u64, u64, Node),
}

impl EdgeSearch {
    /// Begins a search. Both nodes must be walkable; the start may be covered by an overlay. `asked` is the point that was
    /// asked for, before it was snapped to the goal; without a goal, everything that can be reached is expanded.
    pub(super) fn new(
        ground: &Ground,
        start: Node,
        goal: Option<Node>,
        asked: DVec2,
        mut memory: Box<EdgeMemory>,
    ) -> Self {
        memory.begin(ground.node_limit());
        let least = least_cost(ground, start, goal);
        memory.nodes[start.0 as usize] = NodeState { cost: 0.0, parent: start.0, stamp: memory.open_stamp() };
        memory.open.push(Reverse((key(0.0, least), start)));
        let nearest = (u64::MAX, u64::MAX, start);
        Self { start, goal, memory, reached: false, expansions: 0, asked, nearest }
    }

    /// Expands at most `budget` nodes. The ground and overlay must be those of the calls before.
    pub(super) fn advance(&mut self, ground: &Ground, overlay: &Overlay, budget: u64) -> Progress {
        let stop_at = self.expansions.saturating_add(budget);
        let open_stamp = self.memory.open_stamp();
        let closed_stamp = open_stamp + 1;
        let EdgeMemory { nodes, open, .. } = &mut *self.memory;
        while !self.reached {
            if self.expansions >= stop_at {
                return Progress::Running;
            }
            let Some(Reverse((_, node))) = open.pop() else { break };
            let state = &mut nodes[node.0 as usize];
            if state.stamp == closed_stamp {
                continue; // an entry that a cheaper way has overtaken
            }
            state.stamp = closed_stamp;
            self.expansions += 1;
            let nearness = (ground.distance_sq_cells(node, self.asked), state.cost.to_bits(), node);
            self.nearest = self.nearest.min(nearness);
            if Some(node) == self.goal {
                self.reached = true;
                break;
            }
            let cost_here = state.cost;
            ground.for_each_edge(node, overlay, |to, cost| {
                let cost = cost_here + cost;
                let state = &mut nodes[to.0 as usize];
                let known = state.stamp >= open_stamp;
                if state.stamp != closed_stamp && (!known || cost < state.cost) {
                    *state = NodeState { cost, parent: node.0, stamp: open_stamp };
                    let left = least_cost(ground, to, self.goal);
                    open.push(Reverse((key(cost, left), to)));
                }
            });
        }
        Progress::Done
    }

    /// Whether the goal was found.
    pub(super) fn reached(&self) -> bool {
        self.reached
    }

    /// Nodes expanded so far.
    pub(super) fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The cheapest way to an expanded node, start first; returns its cost.
    pub(super) fn way_to(&self, node: Node, way: &mut Vec<Node>) -> f64 {
        self.memory.way_to(self.start, node, way);
        self.memory.nodes[node.0 as usize].cost
    }

    /// Of all nodes expanded, the one in whose cell or nearest to whose cell (by Euclidean distance) the point asked for lies;
    /// ties go to the lower cost, then the lower index. After an exhausted search this is the nearest that can be reached.
    pub(super) fn nearest_expanded(&self) -> Node {
        self.nearest.2
    }

    /// Gives the scratch space back.
    pub(super) fn into_memory(self) -> Box<EdgeMemory> {
        self.memory
    }
}

impl EdgeMemory {
    fn begin(&mut self, node_limit: usize) {
        self.open.clear();
        if self.nodes.len() < node_limit {
            self.nodes.resize(node_limit, NodeState::default());
        }
        self.generation += 1;
        if self.generation > u32::MAX / 2 - 1 {
            self.nodes.fill(NodeState::default());
            self.generation = 1;
        }
    }

    /// The way from where a search began to a node it reached.
    pub(super) fn way_to(&self, start: Node, node: Node, way: &mut Vec<Node>) {
        way.clear();
        way.push(node);
        let mut at = node;
        while at != start {
            at = Node(self.nodes[at.0 as usize].parent);
            way.push(at);
        }
        way.reverse();
    }

    /// The node nearest to `start`, as one walks, that `accept` likes, at a cost of at most `reach_cells`.
    pub(super) fn flood(
        &mut self,
        ground: &Ground,
        overlay: &Overlay,
        start: Node,
        reach_cells: f64,
        mut accept: impl FnMut(Node) -> bool,
    ) -> Option<Node> {
        self.begin(ground.node_limit());
        let open_stamp = self.open_stamp();
        let closed_stamp = open_stamp + 1;
        let Self { nodes, open, .. } = self;
        nodes[start.0 as usize] = NodeState { cost: 0.0, parent: start.0, stamp: open_stamp };
        open.push(Reverse((key(0.0, 0.0), start)));
        while let Some(Reverse((_, node))) = open.pop() {
            let state = &mut nodes[node.0 as usize];
            if state.stamp == closed_stamp {
                continue;
            }
            state.stamp = closed_stamp;
            if accept(node) {
                return Some(node);
            }
            let cost_here = state.cost;
            ground.for_each_edge(node, overlay, |to, cost| {
                let cost = cost_here + cost;
                let state = &mut nodes[to.0 as usize];
                let known = state.stamp >= open_stamp;
                if cost <= reach_cells && state.stamp != closed_stamp && (!known || cost < state.cost) {
                    *state = NodeState { cost, parent: node.0, stamp: open_stamp };
                    open.push(Reverse((key(cost, 0.0), to)));
                }
            });
        }
        None
    }

    fn open_stamp(&self) -> u32 {
        self.generation * 2
    }
}

fn least_cost(ground: &Ground, from: Node, goal: Option<Node>) -> f64 {
    goal.map_or(0.0, |goal| ground.least_cost(from, goal))
}

fn key(cost: f64, left: f64) -> OpenKey {
    ((cost + left).to_bits(), left.to_bits())
}
