//! Jump point search: A* from jump point to jump point over a field (Harabor and Grastien, "Online Graph Pruning for
//! Pathfinding on Grid Maps", 2011, and "Improving Jump Point Search", 2014). The costs equal those of a search from
//! cell to cell.
//!
//! Jumps are cached in a jump-point graph. If more than one cell in eight of a plain grid is a jump point, the search
//! is canonical A* from cell to cell instead.

mod buckets;
mod canonical_steps;
mod goals;
mod graph;
mod jumps;
mod line_scan;
mod links;
mod start_jumps;
mod states;
mod straighten;

use crate::grid::{Grid, Node, Overlay};
use crate::nav::Progress;
use canonical_steps::onward_by_steps;
use goals::{EDGE, EDGE_BITS, Goal};
use graph::{FIRST_END, PlaceId, START, Way};
use jumps::{Direction, Directions, STEPS, is_primary};
use links::FromStart;
pub(crate) use links::{LinkEnds, LinkSteps};
use start_jumps::START_STEPS;
pub(super) use states::JumpMemory;
use std::sync::Arc;
use straighten::straighten;

/// Buckets are a quarter of a step wide.
const BUCKET_BITS: u32 = EDGE_BITS - 2;

/// Ids from this one on stand for directions from the start in the open list, not for jump points.
const FROM_START: PlaceId = PlaceId::MAX - 8;

/// A search from a cell to the cheapest of several goals.
#[derive(Debug, Clone)]
pub(super) struct JumpPointSearch {
    memory: Box<JumpMemory>,
    start: (u32, u32),
    /// The number of primary steps taken from the start in each direction.
    start_jumps: [u32; 8],
    /// The number of free steps from the start in each direction, as far as it was followed.
    start_free: [u32; 8],
    /// The links that may make the path cheaper.
    links: Option<Arc<LinkSteps>>,
    /// Whether the search has looked which of them may.
    has_crossed: bool,
    /// The path on foot, kept while the search goes on over links.
    on_foot: Option<OnFoot>,
    /// The cost of the cheapest path found so far; more expensive ones are not followed.
    best: u64,
    expansions: u64,
    work: u64,
}

/// The path that was found before the search went on over links.
#[derive(Debug, Clone)]
struct OnFoot {
    turns: Vec<Node>,
    cost_edges: f64,
    goal: Option<Node>,
    cost: u64,
}

/// Ends of links looked at per unit of work.
const ENDS_OF_EXPANSION: u64 = 32;

/// Words scanned per unit of work.
pub(super) const WORDS_OF_EXPANSION: u64 = 16;

impl JumpPointSearch {
    pub(super) fn new(
        ground: &Grid,
        start: Node,
        goals: &[Node],
        overlay: &Overlay,
        links: Option<&Arc<LinkSteps>>,
        mut memory: Box<JumpMemory>,
    ) -> Self {
        let links = links.filter(|_| overlay.is_empty() && !ground.is_crowded()).cloned();
        memory.begin(ground, links.as_deref());
        memory.mask.set(ground, overlay, start);
        let start_cell = ground.field_cell(start);
        // Without a goal the search is over at once.
        let mut best = if goals.is_empty() { 0 } else { u64::MAX };
        for &node in goals {
            let cell = ground.field_cell(node);
            let free = [0, 2, 4, 6].map(|direction| ground.free_steps(&memory.mask, cell, direction));
            let mut goal = Goal::new(node, cell, free);
            if node == start {
                (goal.cost, best) = (0, 0);
            }
            memory.goals.list.push(goal);
        }
        let least = memory.goals.least_cost(start_cell);
        if let Some(links) = &links {
            memory.ends.begin(links);
        }
        let four = memory.goals.measure.four;
        memory.open.begin(least, BUCKET_BITS);
        let mut search = Self {
            memory,
            start: start_cell,
            start_jumps: [0; 8],
            start_free: [0; 8],
            links,
            has_crossed: false,
            on_foot: None,
            best,
            expansions: 0,
            work: 0,
        };
        if search.memory.graph.remembers() {
            search.memory.start_jumps.begin(ground, start_cell, !overlay.is_empty());
            let directions = (0..8).filter(|direction| !four || direction % 2 == 0);
            directions.for_each(|direction| search.wait_for(ground, direction));
        } else {
            search.memory.open.push(least, START);
        }
        search
    }

    /// Lets the search end without a path once no path can cost less than so many edges.
    pub(super) fn cut_off(&mut self, most_edges: f64) {
        let most = most_edges.max(0.0) * EDGE as f64; // saturates
        self.best = self.best.min(most as u64);
    }

    /// Runs until `budget` work units are spent; a non-zero budget does at least one expansion.
    pub(super) fn advance(&mut self, ground: &Grid, budget: u64) -> Progress {
        let stop_at = self.work.saturating_add(budget);
        loop {
            if self.work >= stop_at {
                return Progress::Running;
            }
            // Ties between goals go to the lower index. So with several goals, paths as expensive as the best one are
            // followed too.
            let limit = self.best.saturating_add(u64::from(self.memory.goals.list.len() > 1));
            if self.on_foot.is_some() && !self.no_link_helps() {
                return Progress::Done;
            }
            let Some((key, id)) = self.memory.open.pop(limit) else {
                if self.goes_on_over_links(ground) {
                    continue;
                }
                return Progress::Done;
            };
            if key >= limit {
                continue;
            }
            if id >= FROM_START {
                self.follow_start_jumps(ground, (id - FROM_START) as Direction, limit);
                continue;
            }
            if id >= FIRST_END {
                self.follow_link(ground, (id - FIRST_END, key), limit);
                continue;
            }
            if !self.memory.graph.remembers() {
                self.step(ground, id, limit);
                continue;
            }
            let state = &mut self.memory.states[id as usize];
            let pending = std::mem::take(&mut state.pending);
            if pending == 0 {
                continue; // a cheaper path here was followed before
            }
            state.explored |= pending;
            let cost = state.cost();
            self.expand(ground, id, (id, cost), pending, limit);
        }
    }

    /// Follows the jumps from a jump point. What they lead to gets the parent and the cost given.
    fn expand(
        &mut self,
        ground: &Grid,
        id: PlaceId,
        (parent, cost): (PlaceId, u64),
        pending: Directions,
        limit: u64,
    ) {
        let memory = &mut self.memory;
        let links = self.links.as_deref();
        let link_limit = self.on_foot.as_ref().map(|_| limit);
        let measure = memory.goals.measure;
        let cell = memory.graph.cell_of(id);
        let mut left = pending;
        let mut words = 0;
        while left != 0 {
            let direction = left.trailing_zeros() as Direction;
            left &= left - 1;
            let seen = 'seen: {
                if memory.graph.remembers() {
                    let (ways, seen) = memory.graph.ways(ground, id, direction, measure);
                    if !seen.may_be_covered(&memory.mask, cell, direction) {
                        for index in ways {
                            let way = memory.graph.way(index);
                            if way.onward != 0 {
                                memory.relax(way, parent, cost, limit);
                            } else if let Some(links) = links {
                                memory.ends.walk(links, way.to - FIRST_END, cost + way.cost, link_limit);
                            }
                        }
                        break 'seen seen;
                    }
                }
                memory.look(ground, cell, direction, (parent, cost), limit)
            };
            words += u64::from(seen.work);
            self.best = self.best.min(memory.goals.meet(cell, (parent, cost), direction, seen.free));
        }
        if link_limit.is_some() {
            self.take_links();
        }
        self.count(words);
    }

    /// The path on foot is known: keeps it, and goes on over links that may be part of a cheaper one. False if there are
    /// none.
    fn goes_on_over_links(&mut self, ground: &Grid) -> bool {
        if std::mem::replace(&mut self.has_crossed, true) {
            return false;
        }
        let Some(links) = &self.links else { return false };
        let &[Goal { cell: goal, cost, .. }] = self.memory.goals.list.as_slice() else { return false };
        // A straight way is the cheapest.
        if cost == u64::MAX || cost == self.memory.goals.least_cost(self.start) {
            return false;
        }
        let JumpMemory { ends, graph, goals, .. } = &mut *self.memory;
        let start = FromStart { cell: self.start, free: self.start_free };
        ends.cross((&graph.ends, links), &start, (goal, goals.measure), cost);
        self.work += links.len() as u64 / ENDS_OF_EXPANSION;
        if !ends.has_reached() {
            return false;
        }
        let (mut turns, goal) = (Vec::new(), self.reached());
        let cost_edges = self.turns(ground, &mut turns);
        self.on_foot = Some(OnFoot { turns, cost_edges, goal, cost });
        self.take_links();
        true
    }

    /// Puts the ends that were reached over links into the open list.
    fn take_links(&mut self) {
        while let Some((end, cost)) = self.memory.ends.take() {
            let memory = &mut self.memory;
            let cell = memory.graph.ends.cell(end);
            if memory.goals.list.iter().any(|goal| goal.cell == cell) {
                self.best = self.best.min(cost);
            }
            let key = cost.saturating_add(memory.goals.least_cost(cell));
            if key < self.best {
                memory.open.push(key, FIRST_END + end);
            }
        }
    }

    /// Goes on from the end of a link, if no cheaper path leads there.
    fn follow_link(&mut self, ground: &Grid, (end, key): (u32, u64), limit: u64) {
        let memory = &mut self.memory;
        let cell = memory.graph.ends.cell(end);
        let cost = key - memory.goals.least_cost(cell);
        if memory.ends.goes_on(end, cost) {
            if let Some(links) = &self.links {
                memory.ends.cross_from(links, end, cost, limit);
            }
            let id = memory.graph.place_at(cell);
            self.expand(ground, id, (id, cost), Directions::MAX, limit);
        }
    }

    /// Whether it is known that no link makes the path cheaper.
    pub(super) fn no_link_helps(&self) -> bool {
        self.links.is_some() && self.on_foot.as_ref().is_none_or(|on_foot| self.best >= on_foot.cost)
    }

    /// Canonical A*: expands a cell to its neighbours.
    fn step(&mut self, ground: &Grid, id: PlaceId, limit: u64) {
        let memory = &mut self.memory;
        let measure = memory.goals.measure;
        let cell = if id == START { self.start } else { memory.graph.cell_of(id) };
        let around = ground.steps_around(&memory.mask, cell);
        let (cost, mut onward) = if id == START {
            (0, around)
        } else {
            let state = &mut memory.states[id as usize];
            let mut came = std::mem::take(&mut state.pending);
            if came == 0 {
                return;
            }
            state.explored |= came;
            let mut onward = 0;
            while came != 0 {
                onward |= onward_by_steps(came.trailing_zeros() as Direction, around);
                came &= came - 1;
            }
            (state.cost(), onward)
        };
        self.expansions += 1;
        self.work += 1;
        while onward != 0 {
            let direction = onward.trailing_zeros() as Direction;
            onward &= onward - 1;
            let (dx, dz) = STEPS[direction];
            let (x, z) = (cell.0.wrapping_add_signed(dx), cell.1.wrapping_add_signed(dz));
            let step = measure.step(direction);
            let to = ground.node_in(x, z).0 + 1;
            for goal in
                memory.goals.list.iter_mut().filter(|goal| goal.cell == (x, z) && cost + step < goal.cost)
            {
                (goal.cost, goal.parent) = (cost + step, id);
                self.best = self.best.min(cost + step);
            }
            memory.relax(Way { cost: step, to, x, z, onward: 1 << direction }, id, cost, limit);
        }
    }

    /// Continues in a direction from the start, for up to [`START_STEPS`] primary steps.
    fn follow_start_jumps(&mut self, ground: &Grid, direction: Direction, limit: u64) {
        let (from, cost) = self.end_of_ray(direction);
        let begin = (START, cost);
        let memory = &mut self.memory;
        let measure = memory.goals.measure;
        let seen = memory.look_along(ground, (from, self.start_jumps[direction]), direction, begin, limit);
        self.best = self.best.min(memory.goals.meet(from, begin, direction, seen.free));
        self.start_free[direction] = self.start_jumps[direction] + seen.free;
        self.count(u64::from(seen.work));
        if is_primary(measure.four, direction) && seen.free == START_STEPS {
            self.start_jumps[direction] += START_STEPS;
            self.wait_for(ground, direction);
        }
    }

    /// Puts the next stretch of a direction from the start into the open list, if there is one.
    fn wait_for(&mut self, ground: &Grid, direction: Direction) {
        let ((x, z), cost) = self.end_of_ray(direction);
        let (dx, dz) = STEPS[direction];
        let next = (x.wrapping_add_signed(dx), z.wrapping_add_signed(dz));
        if ground.field_holds(next) {
            let goals = &self.memory.goals;
            let key = cost + goals.measure.step(direction) + goals.least_cost(next);
            self.memory.open.push(key, FROM_START + direction as PlaceId);
        }
    }

    fn end_of_ray(&self, direction: Direction) -> ((u32, u32), u64) {
        let ((x, z), (dx, dz), steps) = (self.start, STEPS[direction], self.start_jumps[direction]);
        let cell = (x.wrapping_add_signed(dx * steps as i32), z.wrapping_add_signed(dz * steps as i32));
        (cell, u64::from(steps) * self.memory.goals.measure.step(direction))
    }

    /// Counts an expansion that scanned `words` words. Cached jumps count as if they had been found in this search.
    fn count(&mut self, words: u64) {
        self.expansions += 1;
        self.work += 1 + words / WORDS_OF_EXPANSION;
    }

    pub(super) fn expansions(&self) -> u64 {
        self.expansions
    }

    /// The work done so far, in expansions of the usual size.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// The cheapest goal reached; ties go to the lower index.
    pub(super) fn reached(&self) -> Option<Node> {
        if let Some(on_foot) = &self.on_foot {
            return on_foot.goal;
        }
        let reached = self.memory.goals.list.iter().filter(|goal| goal.cost < u64::MAX);
        reached.min_by_key(|goal| (goal.cost, goal.node)).map(|goal| goal.node)
    }

    /// The nodes in which the cheapest path to the reached goal turns, from the start to the goal. The start alone if
    /// no goal was reached. Between two of them the path is straight or diagonal; with four directions, all its nodes
    /// are listed. Returns its cost in edges.
    pub(super) fn turns(&mut self, ground: &Grid, turns: &mut Vec<Node>) -> f64 {
        turns.clear();
        if let Some(on_foot) = &self.on_foot {
            turns.extend_from_slice(&on_foot.turns);
            return on_foot.cost_edges;
        }
        let reached = self.reached();
        let Self { memory, start, .. } = self;
        let measure = &memory.goals.measure;
        let Some(goal) = memory.goals.list.iter().find(|goal| Some(goal.node) == reached) else {
            turns.push(ground.field_node(*start));
            return 0.0;
        };
        turns.push(goal.node);
        let (mut straights, mut diagonals) = (0, 0);
        let (mut at, mut id) = (goal.cell, goal.parent);
        let mut is_start = goal.cell == *start;
        while !is_start {
            is_start = id == START;
            let from = if is_start { *start } else { memory.graph.cell_of(id) };
            let (straight, diagonal) = measure.edges(from, at);
            (straights, diagonals) = (straights + straight, diagonals + diagonal);
            let corner = measure.corner(from, at);
            turns.extend(corner.into_iter().chain([from]).map(|cell| ground.field_node(cell)));
            at = from;
            id = if is_start { START } else { memory.parent_of(ground, id, *start) };
        }
        turns.reverse();
        if measure.four {
            straighten(ground, &memory.mask, turns, &mut memory.dead_ends);
        }
        straights as f64 + diagonals as f64 * std::f64::consts::SQRT_2
    }

    pub(super) fn into_memory(mut self) -> Box<JumpMemory> {
        self.memory.mask.clear();
        self.memory
    }
}
