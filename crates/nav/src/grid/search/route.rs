//! One query over a grid: searches from node to node, round the obstacles that the path meets.
//!
//! Obstacles are avoided lazily. The first search ignores all of them, the next one avoids those that the first path
//! met, and so on. The first path clear of all obstacles is as cheap as if all had been avoided from the beginning.
//!
//! The first one may also find out whether a link makes its path cheaper. If none does and the path, or one as cheap, meets
//! no obstacle, then none makes it cheaper round obstacles either.

mod finish;

use super::jps::{LinkSteps, WORDS_OF_EXPANSION};
use super::node_search::{Draft, NodeSearch, SearchMemory};
use crate::grid::{Grid, LINES_OF_EXPANSION, Node, Overlay};
use crate::nav::{Disc, NoPath, Place, Progress, Query, SearchState};
use glam::DVec2;
use std::sync::Arc;

/// A query being answered over a grid, a slice at a time. The caller keeps the query, which must be the same in every
/// call.
#[derive(Debug, Clone)]
pub(crate) struct RouteSearch {
    /// The obstacles avoided so far, by their indices in the query, ascending.
    avoided: Vec<u32>,
    /// Whether obstacles are ignored, because no path leads round them, or because there is no path even without
    /// them.
    through: bool,
    /// The links that may make the path cheaper.
    links: Option<Arc<LinkSteps>>,
    /// The nodes that the avoided obstacles cover.
    overlay: Overlay,
    stage: Stage,
    /// The turns of an equal-cost path that meets no obstacle, if the path found meets one.
    detour: Option<Vec<Node>>,
    /// The ends of the path: the start and the goal, or their nodes where a character cannot stand there.
    places: Option<(DVec2, DVec2)>,
    /// Whether the goal sees no node, so that only a straight line leads there.
    into_pocket: bool,
    /// Whether the straight line is the path, although it is not in the node graph.
    straight: bool,
    /// Whether the path begins or ends at another node in sight than the nearest one.
    by_sight: bool,
    /// Work of finished stages, and expansions.
    spent: u64,
    expanded: u64,
}

#[derive(Debug, Clone)]
enum Stage {
    Searching {
        search: NodeSearch,
        start: Node,
        /// Whether there is a walkable place within the snap distance of the goal.
        has_goal: bool,
    },
    Nowhere {
        reason: NoPath,
        memory: SearchMemory,
    },
}

/// Up to this many obstacles are added one search at a time. With more, all are avoided at once, because repeated
/// restarts cost more than they save.
const MOST_AVOIDED: usize = 8;

impl RouteSearch {
    /// Begins the search. It finds out whether one of the links makes the path cheaper, if it can.
    pub(crate) fn new(
        grid: &Grid,
        query: &Query,
        links: Option<Arc<LinkSteps>>,
        memory: SearchMemory,
    ) -> Self {
        let mut search = Self {
            avoided: avoided_at_first(grid, query),
            through: false,
            links,
            overlay: Overlay::default(),
            stage: Stage::Nowhere { reason: NoPath::Unreachable, memory: SearchMemory::default() },
            detour: None,
            places: None,
            into_pocket: false,
            straight: false,
            by_sight: false,
            spent: 0,
            expanded: 0,
        };
        search.begin(grid, query, memory);
        search
    }

    /// The state as data. `stale` says that the grid has changed, so that the search will restart.
    pub(crate) fn state(&self, stale: bool) -> SearchState {
        let spent = if stale { self.work() } else { self.spent };
        let expanded = self.work() - spent;
        let (avoided, through) = (self.avoided.clone(), self.through);
        SearchState { avoided, through, spent, expanded }
    }

    /// Restores a search from its [`RouteSearch::state`], over the same grid and the same links.
    pub(crate) fn resume(
        grid: &Grid,
        query: &Query,
        links: Option<Arc<LinkSteps>>,
        state: SearchState,
        memory: SearchMemory,
    ) -> Self {
        let SearchState { avoided, through, spent, expanded } = state;
        let mut resumed = Self::new(grid, query, links, memory);
        if (resumed.through, &resumed.avoided) != (through, &avoided) {
            resumed.begin_again(grid, query, avoided, through);
        }
        if let Stage::Searching { search, .. } = &mut resumed.stage {
            search.advance(grid, &resumed.overlay, expanded);
        }
        Self { spent, ..resumed }
    }

    /// Restarts the search after a change of the grid or the links.
    pub(crate) fn restart(&mut self, grid: &Grid, query: &Query, links: Option<Arc<LinkSteps>>) {
        self.links = links;
        self.begin_again(grid, query, avoided_at_first(grid, query), false);
    }

    /// Runs until `budget` is spent, counted as in [`NodeSearch::work`].
    pub(crate) fn advance(&mut self, grid: &Grid, query: &Query, budget: u64) -> Progress {
        let stop_at = self.work().saturating_add(budget);
        loop {
            if self.straight {
                return Progress::Done;
            }
            let left = stop_at.saturating_sub(self.work());
            let reached = match &mut self.stage {
                Stage::Searching { search, .. } => {
                    if search.advance(grid, &self.overlay, left) == Progress::Running {
                        return Progress::Running;
                    }
                    search.reached() && !self.into_pocket
                }
                Stage::Nowhere { .. } => false,
            };
            if !reached && self.goal_in_sight(grid, query) {
                self.straight = true;
                return Progress::Done;
            }
            if self.through || query.obstacles.is_empty() {
                return Progress::Done;
            }
            if reached {
                let met = self.meetings(grid, query);
                if met.is_empty() || self.take_detour(grid, query, &met) {
                    return Progress::Done;
                }
                let avoided = self.avoiding(query, met);
                self.begin_again(grid, query, avoided, false);
            } else if grid.overlay(&query.obstacles).is_empty() {
                return Progress::Done; // no obstacle covers any node
            } else if self.avoided.is_empty() {
                // No obstacle was avoided, so obstacles do not cause the failure.
                self.through = true;
                self.straight = self.goal_in_sight(grid, query);
                return Progress::Done;
            } else {
                // No path avoids the characters. Let the path lead through them: the walker will push them aside.
                self.begin_again(grid, query, Vec::new(), true);
            }
        }
    }

    /// Whether it is known that no link makes the path cheaper. Call only after [`RouteSearch::advance`] returned
    /// [`Progress::Done`].
    pub(crate) fn no_link_helps(&self) -> bool {
        let found = match &self.stage {
            Stage::Searching { search, .. } => Some(search),
            Stage::Nowhere { .. } => None,
        };
        found.is_some_and(|search| search.reached() && search.no_link_helps()) && !self.straight
    }

    /// Lets the search end without a path once no path can cost less than `most_m`. In a painted room it goes on: there,
    /// the straight line may lead where no path from node to node does.
    pub(crate) fn cut_off(&mut self, grid: &Grid, most_m: f64) {
        if let Stage::Searching { search, .. } = &mut self.stage
            && grid.nodes_are_cells()
        {
            search.cut_off(most_m / grid.frame().cell_size_m);
        }
    }

    /// The obstacles that the found path meets. Empty if the search already avoids all obstacles.
    fn meetings(&mut self, ground: &Grid, query: &Query) -> Vec<u32> {
        let Stage::Searching { search, .. } = &mut self.stage else { return Vec::new() };
        if self.avoided.len() == query.obstacles.len() {
            return Vec::new();
        }
        let mut draft = search.take_draft();
        let Draft { turns, points, .. } = &mut *draft;
        search.turns(ground, turns);
        points.clear();
        points.extend(turns.iter().map(|&turn| ground.centre(turn)));
        let obstacles = &query.obstacles;
        let near = ground.discs_near(obstacles, points);
        let met = near.filter(|&place| ground.is_met(turns, &obstacles[place as usize])).collect();
        search.put_draft(draft);
        met
    }

    /// Takes an equal-cost path that meets no obstacle, if there is one.
    fn take_detour(&mut self, ground: &Grid, query: &Query, met: &[u32]) -> bool {
        let Stage::Searching { search, .. } = &mut self.stage else { return false };
        if !ground.nodes_are_cells() {
            return false;
        }
        let mut draft = search.take_draft();
        let Draft { turns, detour, .. } = &mut *draft;
        search.turns(ground, turns);
        self.detour = detour.around(ground, turns, &query.obstacles, met);
        // A successful detour is not charged. It costs less than building the path. And `advance` may be called on a
        // finished planner.
        if self.detour.is_none() {
            self.spent += detour.work() / WORDS_OF_EXPANSION;
        }
        search.put_draft(draft);
        self.detour.is_some()
    }

    /// Whether the straight line is a path in a painted room, where passages may be narrower than the distance
    /// between nodes.
    fn goal_in_sight(&self, ground: &Grid, query: &Query) -> bool {
        let Some((begin, end)) = self.places.filter(|&(begin, end)| ground.is_straight_way(begin, end))
        else {
            return false;
        };
        let (others, line) = (&query.obstacles, [begin, end]);
        let near = ground.discs_near(others, &line).map(|place| others[place as usize]);
        self.through
            || ground.segment_clear_of(begin, end, &ground.overlay_for_sight(&near.collect::<Vec<_>>()))
    }

    /// The obstacles avoided so far, and those that were met; or all obstacles, if there would be more than
    /// [`MOST_AVOIDED`].
    fn avoiding(&self, query: &Query, met: Vec<u32>) -> Vec<u32> {
        let mut avoided = [self.avoided.as_slice(), &met].concat();
        avoided.sort_unstable();
        avoided.dedup();
        let more = self.avoided.len() + 1..=MOST_AVOIDED;
        if more.contains(&avoided.len()) { avoided } else { all(query) }
    }

    /// Nodes expanded so far, over all stages.
    pub(crate) fn expansions(&self) -> u64 {
        match &self.stage {
            Stage::Searching { search, .. } => self.expanded + search.expansions(),
            Stage::Nowhere { .. } => self.expanded,
        }
    }

    /// The work done so far, over all stages, as in [`NodeSearch::work`].
    pub(crate) fn work(&self) -> u64 {
        match &self.stage {
            Stage::Searching { search, .. } => self.spent + search.work(),
            Stage::Nowhere { .. } => self.spent,
        }
    }

    /// Abandons the search and returns its buffers.
    pub(crate) fn into_memory(mut self) -> SearchMemory {
        self.take_memory()
    }

    fn begin_again(&mut self, ground: &Grid, query: &Query, avoided: Vec<u32>, through: bool) {
        // Finding the obstacles that the path meets is work, too.
        let looked_at = query.obstacles.len() as u64 / DISCS_OF_EXPANSION;
        (self.spent, self.expanded) = (self.work() + QUERY_WORK + looked_at, self.expansions());
        (self.avoided, self.through, self.detour) = (avoided, through, None);
        let memory = self.take_memory();
        self.begin(ground, query, memory);
    }

    fn begin(&mut self, ground: &Grid, query: &Query, memory: SearchMemory) {
        let &Query { from: Place { at: from, .. }, to: Place { at: to, .. }, snap_m, .. } = query;
        let none = Overlay::default();
        self.overlay = ground.overlay(self.avoided.iter().map(|&place| &query.obstacles[place as usize]));
        self.spent += self.overlay.len() as u64 / COVERED_OF_EXPANSION;
        // The character's own node stays open even under the disc of another one. Only a wall moves the start.
        let (own, aim) = (ground.node_at(from), ground.node_at(to));
        let from_pocket = own.is_none() && ground.is_walkable(from);
        self.into_pocket = aim.is_none() && ground.is_walkable(to);
        let start = own.or_else(|| ground.nearest(from, snap_m, &none));
        let goal = aim.filter(|&node| !self.overlay.covers(node) || Some(node) == start);
        let goal = goal.filter(|_| !self.overlay.covers_place(to));
        let goal = goal.or_else(|| ground.nearest(to, snap_m, &self.overlay));
        let is_free = !self.overlay.covers_place(to);
        let end = ground.standing_place(to, goal).filter(|_| is_free);
        // If nothing near the goal is walkable, the line-of-sight test to it fails early.
        let end = end.or_else(|| goal.map(|goal| ground.centre(goal))).or(Some(to).filter(|_| is_free));
        self.places = ground.standing_place(from, start).zip(end);
        self.by_sight = false;
        self.straight = (from_pocket || self.into_pocket) && self.goal_in_sight(ground, query);
        self.stage = match start {
            _ if self.straight || from_pocket => Stage::Nowhere { reason: NoPath::Unreachable, memory },
            Some(start) => self.search(ground, query, (start, goal), memory),
            None => Stage::Nowhere { reason: NoPath::StartOffGround, memory },
        };
    }

    /// Searches from node to node. If the nearest nodes are known not to be joined, other nodes in sight may be
    /// joined, or the goal itself may be in sight.
    fn search(
        &mut self,
        ground: &Grid,
        query: &Query,
        (mut start, mut goal): (Node, Option<Node>),
        memory: SearchMemory,
    ) -> Stage {
        let to = query.to.at;
        let places = self.places.filter(|_| !ground.nodes_are_cells());
        let has_goal = goal.is_some() || self.into_pocket;
        let joined = goal.is_some_and(|goal| ground.may_reach(start, goal));
        if let Some((begin, end)) = places.filter(|_| ground.has_field() && !joined) {
            self.straight = self.goal_in_sight(ground, query);
            if self.straight {
                return Stage::Nowhere { reason: NoPath::Unreachable, memory };
            }
            let mut lines = 0;
            let others = if self.through { &[][..] } else { &query.obstacles };
            let others = ground.overlay_for_sight(others);
            if let Some((other, end)) = ground.joint((begin, end), to, &others, &mut lines) {
                self.by_sight = other != start || end.is_some_and(|end| Some(end) != goal);
                (start, goal) = (other, end.or(goal));
            }
            self.spent += lines / LINES_OF_EXPANSION;
        }
        let links = self.links.as_ref().filter(|_| has_goal && joined && places.is_none());
        let mut search = NodeSearch::over_links(ground, start, goal, to, (&self.overlay, links), memory);
        if let Some((begin, end)) = places {
            search.join_by_sight(begin, end);
        }
        Stage::Searching { search, start, has_goal }
    }

    fn take_memory(&mut self) -> SearchMemory {
        let nothing = Stage::Nowhere { reason: NoPath::Unreachable, memory: SearchMemory::default() };
        std::mem::replace(&mut self.stage, nothing).into_memory()
    }
}

impl Stage {
    fn into_memory(self) -> SearchMemory {
        match self {
            Stage::Searching { search, .. } => search.into_memory(),
            Stage::Nowhere { memory, .. } => memory,
        }
    }
}

/// The obstacles avoided by the first search. Empty if the ground has a field, the goal has a node, and no obstacle
/// covers the end of the path. Otherwise all obstacles: where A* along edges is used, no search is cheap.
fn avoided_at_first(ground: &Grid, query: &Query) -> Vec<u32> {
    let covers_end = |goal: Node, disc: &Disc| {
        ground.is_under(goal, disc) || !ground.nodes_are_cells() && disc.holds(query.to.at)
    };
    let is_clear = |goal: Node| {
        let end = [query.to.at, ground.centre(goal)];
        let mut near = ground.discs_near(&query.obstacles, &end);
        !near.any(|place| covers_end(goal, &query.obstacles[place as usize]))
    };
    match ground.has_field() && ground.node_at(query.to.at).is_some_and(is_clear) {
        true => Vec::new(),
        false => all(query),
    }
}

fn all(query: &Query) -> Vec<u32> {
    (0..query.obstacles.len() as u32).collect()
}

/// Obstacles tested per unit of work.
const DISCS_OF_EXPANSION: u64 = 8;

/// Nodes covered by an overlay per unit of work.
const COVERED_OF_EXPANSION: u64 = 8;

/// The cost of a query besides its search, in expansions.
const QUERY_WORK: u64 = 8;
