//! The states of jump points in a search: relaxing (of equal costs the first stays), parents, and scratch space.

use super::buckets::Buckets;
use super::goals::Goals;
use super::graph::{JumpPointGraph, PlaceId, START, Way};
use super::jumps::{Direction, Directions, Jump, STEPS, Seen};
use super::links::{EndStates, LinkSteps};
use super::start_jumps::StartJumps;
use super::straighten::DeadEnds;
use crate::grid::{Grid, QueryMask};

/// Scratch space of searches over fields.
#[derive(Debug, Clone, Default)]
pub(in crate::grid::search) struct JumpMemory {
    pub(super) graph: JumpPointGraph,
    pub(super) states: Vec<State>,
    /// The parent of each jump point. Not kept where ids are cells: there the parent is a neighbouring cell.
    pub(super) parents: Vec<PlaceId>,
    pub(super) open: Buckets,
    pub(super) mask: QueryMask,
    pub(super) goals: Goals,
    pub(super) start_jumps: StartJumps,
    pub(super) found: Vec<Jump>,
    pub(super) dead_ends: DeadEnds,
    pub(super) ends: EndStates,
    pub(super) stamp: u16,
}

/// The state of a jump point in the current search. Kept to 12 bytes, because crowded grids have one state per cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct State {
    /// The upper and the lower half of the cost.
    cost: [u32; 2],
    /// The last search that reached the jump point.
    pub(super) stamp: u16,
    /// Directions still to be followed from here, and directions that were followed.
    pub(super) pending: Directions,
    pub(super) explored: Directions,
}

impl State {
    pub(super) fn new(cost: u64, stamp: u16, pending: Directions) -> Self {
        Self { cost: [(cost >> 32) as u32, cost as u32], stamp, pending, explored: 0 }
    }

    pub(super) fn cost(&self) -> u64 {
        u64::from(self.cost[0]) << 32 | u64::from(self.cost[1])
    }
}

impl JumpMemory {
    pub(super) fn begin(&mut self, ground: &Grid, links: Option<&LinkSteps>) {
        if self.graph.begin(ground, links.map(LinkSteps::ends)) {
            self.states.clear();
            self.parents.clear();
            self.stamp = 0;
        }
        if self.stamp == u16::MAX {
            self.states.fill(State::default());
            self.stamp = 0;
        }
        self.stamp += 1;
        self.grow();
        self.goals.begin(ground.has_four_directions());
    }

    /// Finds jumps without the graph, and follows them.
    pub(super) fn look(
        &mut self,
        ground: &Grid,
        from: (u32, u32),
        direction: Direction,
        (id, cost): (PlaceId, u64),
        limit: u64,
    ) -> Seen {
        let mut found = std::mem::take(&mut self.found);
        let seen = ground.jumps_from(&self.mask, from, direction, u32::MAX, |jump| found.push(jump));
        for jump in found.drain(..) {
            let way = self.graph.way_of(&jump, self.goals.measure.of(&jump));
            self.relax(way, id, cost, limit);
        }
        self.found = found;
        seen
    }

    /// Finds the jumps of one direction from a cell on a ray from the start, and follows them. `from` is the cell, and
    /// its distance in steps from the start.
    pub(super) fn look_along(
        &mut self,
        ground: &Grid,
        from: ((u32, u32), u32),
        direction: Direction,
        (id, cost): (PlaceId, u64),
        limit: u64,
    ) -> Seen {
        let (seen, jumps) = self.start_jumps.look(ground, &self.mask, from, direction);
        for index in jumps {
            let jump = self.start_jumps.jump(index);
            let way = self.graph.way_of(&jump, self.goals.measure.of(&jump));
            self.relax(way, id, cost, limit);
        }
        seen
    }

    pub(super) fn grow(&mut self) {
        self.states.resize(self.graph.len(), State::default());
        if self.graph.remembers() {
            self.parents.resize(self.graph.len(), START);
        }
    }

    /// The parent of a jump point on the cheapest path to it. Where ids are cells, it is found among the neighbours:
    /// on the path to a goal each cell has its least cost, and so has the parent that gave it that cost.
    pub(super) fn parent_of(&self, ground: &Grid, id: PlaceId, start: (u32, u32)) -> PlaceId {
        if self.graph.remembers() {
            return self.parents[id as usize];
        }
        let cost = self.states[id as usize].cost();
        let (x, z) = self.graph.cell_of(id);
        let comes_from = |direction: Direction| {
            let (dx, dz) = STEPS[direction];
            let from = (x.wrapping_add_signed(-dx), z.wrapping_add_signed(-dz));
            let before = if from == start {
                Some((START, 0))
            } else {
                let id = ground.field_holds(from).then(|| ground.field_node(from).0 + 1)?;
                let state = &self.states[id as usize];
                (state.stamp == self.stamp).then(|| (id, state.cost()))
            };
            let step = self.goals.measure.step(direction);
            let (id, _) = before.filter(|(_, before)| before + step == cost)?;
            (ground.steps_around(&self.mask, from) >> direction & 1 == 1).then_some(id)
        };
        let parent = (0..8).find_map(comes_from);
        debug_assert!(parent.is_some(), "no way leads to ({x}, {z})");
        parent.unwrap_or(START)
    }

    /// Relaxes a jump to a jump point. Takes effect if it is the first to reach the jump point, is cheaper, or is
    /// equally cheap and adds directions.
    #[inline]
    pub(super) fn relax(&mut self, way: Way, from: PlaceId, cost_here: u64, limit: u64) {
        let cost = cost_here + way.cost;
        if way.to as usize >= self.states.len() {
            self.grow();
        }
        let state = &mut self.states[way.to as usize];
        if state.stamp != self.stamp || cost < state.cost() {
            *state = State::new(cost, self.stamp, way.onward);
            if let Some(parent) = self.parents.get_mut(way.to as usize) {
                *parent = from;
            }
        } else if cost == state.cost() {
            let more = way.onward & !(state.pending | state.explored);
            let waits = state.pending != 0;
            state.pending |= more;
            if more == 0 || waits {
                return;
            }
        } else {
            return;
        }
        let key = cost + self.goals.least_cost((way.x, way.z));
        if key < limit {
            self.open.push(key, way.to);
        }
    }
}
