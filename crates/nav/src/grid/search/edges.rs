//! A* from node to node along the edges of the ground. It serves painted rooms with eight neighbours, where each edge
//! is sampled on its own. The Dijkstra search for the nearest accepted node is here, too.

use crate::grid::{Grid, LINES_OF_EXPANSION, Node, Overlay};
use crate::nav::Progress;
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Scratch space of searches: 16 bytes per node, reused through generation stamps instead of being cleared.
#[derive(Debug, Clone, Default)]
pub(super) struct EdgeMemory {
    generation: u32,
    nodes: Vec<NodeState>,
    open: BinaryHeap<Reverse<(OpenKey, Node)>>,
}

/// Order of the open list: by estimated total cost, then by the remaining cost (the smaller, the sooner), then by
/// index. Costs are never negative, so their bit patterns order as their values do.
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
    /// The real ends of the path, if other nodes in sight of them may serve where the nearest nodes do not.
    places: Option<(DVec2, DVec2)>,
    /// Whether the other nodes in sight of the start were added.
    widened: bool,
    /// Whether the path begins or ends at such a node.
    by_sight: bool,
    lines: u64,
    memory: Box<EdgeMemory>,
    reached: bool,
    expansions: u64,
    /// The point asked for, and the expanded node nearest to it so far: distance, cost, index.
    asked: DVec2,
    nearest: (u64, u64, Node),
}

impl EdgeSearch {
    /// Begins a search. Both nodes must be walkable; an overlay may cover the start. `asked` is the point asked for,
    /// before it was snapped to the goal. Without a goal, all reachable nodes are expanded.
    pub(super) fn new(
        ground: &Grid,
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
        let (places, widened, by_sight, lines) = (None, false, false, 0);
        Self {
            start,
            goal,
            places,
            widened,
            by_sight,
            lines,
            memory,
            reached: false,
            expansions: 0,
            asked,
            nearest,
        }
    }

    /// Does at most `budget` of work, counted in expansions. The ground and overlay must be those of the calls
    /// before.
    pub(super) fn advance(&mut self, ground: &Grid, overlay: &Overlay, budget: u64) -> Progress {
        let stop_at = self.work().saturating_add(budget);
        loop {
            if self.expand(ground, overlay, stop_at) == Progress::Running {
                return Progress::Running;
            }
            // All nodes were expanded. Other nodes in sight of the ends may lead on.
            if self.reached || !self.end_by_sight(ground, overlay) && !self.widen(ground, overlay) {
                return Progress::Done;
            }
        }
    }

    fn expand(&mut self, ground: &Grid, overlay: &Overlay, stop_at: u64) -> Progress {
        // Lines of sight cost work, too. None are tested in this loop.
        let stop_at = stop_at.saturating_sub(self.lines / LINES_OF_EXPANSION);
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
                continue; // an entry overtaken by a cheaper path
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

    /// If the start and goal nodes turn out not to be connected, lets the search use other nodes in sight of the real
    /// end points.
    pub(super) fn join_by_sight(&mut self, begin: DVec2, end: DVec2) {
        self.places = Some((begin, end));
    }

    /// Whether the path begins or ends at another node than the one asked for.
    pub(super) fn is_by_sight(&self) -> bool {
        self.by_sight
    }

    /// Takes the cheapest expanded node in sight of the end as the goal, if there is one.
    fn end_by_sight(&mut self, ground: &Grid, overlay: &Overlay) -> bool {
        let Some((_, end)) = self.places else { return false };
        let closed_stamp = self.memory.open_stamp() + 1;
        let spacing_m = ground.edge_unit_cells() * ground.frame().cell_size_m;
        let expanded = |node: &Node| self.memory.nodes[node.0 as usize].stamp == closed_stamp;
        let mut near: Vec<(f64, Node)> = ground
            .nodes_around(end)
            .into_iter()
            .filter(expanded)
            .map(|node| {
                let cost_m = self.memory.nodes[node.0 as usize].cost * spacing_m;
                (cost_m + ground.centre(node).distance(end), node)
            })
            .collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, node) in near {
            self.lines += 1;
            if ground.segment_clear_of(ground.centre(node), end, overlay) {
                (self.goal, self.reached, self.by_sight) = (Some(node), true, true);
                return true;
            }
        }
        false
    }

    /// Adds the unreached nodes in sight of the start. Returns whether there are any.
    fn widen(&mut self, ground: &Grid, overlay: &Overlay) -> bool {
        let Some((begin, _)) = self.places.filter(|_| !self.widened) else { return false };
        self.widened = true;
        let open_stamp = self.memory.open_stamp();
        let spacing_m = ground.edge_unit_cells() * ground.frame().cell_size_m;
        for node in ground.nodes_around(begin) {
            if self.memory.nodes[node.0 as usize].stamp >= open_stamp || overlay.covers(node) {
                continue;
            }
            self.lines += 1;
            if ground.segment_clear_of(begin, ground.centre(node), overlay) {
                let cost = ground.centre(node).distance(begin) / spacing_m;
                self.memory.nodes[node.0 as usize] = NodeState { cost, parent: node.0, stamp: open_stamp };
                self.memory.open.push(Reverse((key(cost, least_cost(ground, node, self.goal)), node)));
                self.by_sight = true;
            }
        }
        self.by_sight
    }

    /// The work done so far, in expansions.
    pub(super) fn work(&self) -> u64 {
        self.expansions + self.lines / LINES_OF_EXPANSION
    }

    /// Whether the goal was found.
    pub(super) fn reached(&self) -> bool {
        self.reached
    }

    /// Nodes expanded so far.
    pub(super) fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The cheapest path to an expanded node, start first. Returns its cost.
    pub(super) fn way_to(&self, node: Node, way: &mut Vec<Node>) -> f64 {
        self.memory.way_to(self.start, node, way);
        let cost_of = |node: Node| self.memory.nodes[node.0 as usize].cost;
        // A path that begins at another node in sight was charged for the line to that node.
        cost_of(node) - way.first().map_or(0.0, |&first| cost_of(first))
    }

    /// The node where the path ends, once the goal was reached.
    pub(super) fn goal(&self) -> Option<Node> {
        self.goal
    }

    /// The expanded node nearest to the point asked for, by Euclidean distance from its cell. Ties go to the lower
    /// cost, then the lower index. After an exhausted search this is the nearest reachable node.
    pub(super) fn nearest_expanded(&self) -> Node {
        self.nearest.2
    }

    /// Ends the search and returns its buffers.
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

    /// The path from the start of a search to a node it reached.
    pub(super) fn way_to(&self, start: Node, node: Node, way: &mut Vec<Node>) {
        way.clear();
        way.push(node);
        let mut at = node;
        // If a search began at several nodes, each of them is its own parent.
        while at != start && self.nodes[at.0 as usize].parent != at.0 {
            at = Node(self.nodes[at.0 as usize].parent);
            way.push(at);
        }
        way.reverse();
    }

    /// The node nearest to `start` by walking distance for which `accept` is true, at a cost of at most
    /// `reach_cells`.
    pub(super) fn flood(
        &mut self,
        ground: &Grid,
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

fn least_cost(ground: &Grid, from: Node, goal: Option<Node>) -> f64 {
    goal.map_or(0.0, |goal| ground.least_cost(from, goal))
}

fn key(cost: f64, left: f64) -> OpenKey {
    ((cost + left).to_bits(), left.to_bits())
}
