//! Links in a jump point search, which tells whether one of them makes the path cheaper.
//!
//! An end of a link is found like a goal: it lies in a direction from a jump point. Which ends lie there is remembered in
//! the jump-point graph. Once the path is known, the search goes on from the other ends of those links that could still be
//! part of a cheaper one, in all directions. That costs next to nothing if none is: the ground that a cheaper path could
//! use has been searched already.
//!
//! No link may be cheaper than a straight walk. So no cheaper path leads over an end that the search has not found: the
//! heuristic rules it out. Searches round obstacles do not look at links, because they do not know which ends are hidden.

use super::goals::{EDGE, Goal, Measure};
use super::jumps::{Direction, STEPS};
use crate::grid::{Grid, Node, QueryMask};
use glam::DVec2;
use std::sync::Arc;

/// Costs of links are more by this, so that of equal paths the one over the ground is found: in units of [`EDGE`], far
/// less than a nanometre.
const TIE: u64 = 64;

/// The highest cost of a link. A path never costs as much.
const MOST_COST: u64 = 1 << 62;

/// The cells in which links begin or end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LinkEnds {
    nodes: Vec<Node>,
}

/// The links that a query may use.
#[derive(Debug)]
pub(crate) struct LinkSteps {
    ends: Arc<LinkEnds>,
    /// For each end, the links that begin there: the other end, and the cost.
    from: Vec<Vec<(u32, u64)>>,
    /// For each end, the cost of the cheapest one.
    least: Vec<u64>,
}

impl Grid {
    /// The ends of links, open or closed. Only plain grids, which are searched from cell to cell, have any.
    pub(crate) fn link_ends(&self, ends: impl Iterator<Item = DVec2>) -> LinkEnds {
        let ends = ends.filter(|_| self.nodes_are_cells());
        LinkEnds::new(ends.filter_map(|end| self.cell_node(end)).collect())
    }

    /// Links with their ends and their costs in metres. `None` if searches cannot tell whether one helps.
    pub(crate) fn link_steps(
        &self,
        ends: &Arc<LinkEnds>,
        links: impl Iterator<Item = ([DVec2; 2], f64)>,
    ) -> Option<Arc<LinkSteps>> {
        let cell_m = self.frame().cell_size_m;
        let step = |([entry, exit], cost_m): ([DVec2; 2], f64)| {
            Some(([self.cell_node(entry)?, self.cell_node(exit)?], cost_m / cell_m))
        };
        self.nodes_are_cells().then(|| Arc::new(LinkSteps::new(ends, links.filter_map(step))))
    }
}

impl LinkEnds {
    /// The ends of links in a grid, in any order.
    fn new(mut nodes: Vec<Node>) -> Self {
        nodes.sort_unstable();
        nodes.dedup();
        Self { nodes }
    }
}

impl LinkSteps {
    /// Links with their costs in edges. Those whose cells are not among the ends are left out.
    fn new(ends: &Arc<LinkEnds>, links: impl Iterator<Item = ([Node; 2], f64)>) -> Self {
        let mut from = vec![Vec::new(); ends.nodes.len()];
        for (nodes, cost_edges) in links {
            if let [Ok(entry), Ok(exit)] = nodes.map(|node| ends.nodes.binary_search(&node)) {
                let cost = (cost_edges * EDGE as f64) as u64; // saturates
                from[entry].push((exit as u32, cost.min(MOST_COST) + TIE));
            }
        }
        let least = |links: &Vec<(u32, u64)>| links.iter().map(|link| link.1).min().unwrap_or(u64::MAX);
        let least = from.iter().map(least).collect();
        Self { ends: ends.clone(), from, least }
    }

    pub(super) fn ends(&self) -> &Arc<LinkEnds> {
        &self.ends
    }

    pub(super) fn len(&self) -> usize {
        self.from.len()
    }

    fn from(&self, end: u32) -> &[(u32, u64)] {
        &self.from[end as usize]
    }
}

/// The ends of links in a field with eight directions, as [`Goal`]s, which tell whether they lie in a direction from a cell.
#[derive(Debug, Clone, Default)]
pub(super) struct EndPlaces {
    ends: Arc<LinkEnds>,
    places: Vec<Goal>,
}

impl EndPlaces {
    /// Takes the ends for the present state of the ground. Returns whether there are other ends now.
    pub(super) fn begin(&mut self, ground: &Grid, ends: &Arc<LinkEnds>, has_changed: bool) -> bool {
        let is_same = Arc::ptr_eq(&self.ends, ends) || self.ends == *ends;
        if !is_same || has_changed {
            self.ends = ends.clone();
            self.measure(ground);
        }
        !is_same
    }

    /// Measures the free steps around the ends.
    fn measure(&mut self, ground: &Grid) {
        let none = QueryMask::default();
        self.places.clear();
        self.places.extend(self.ends.nodes.iter().map(|&node| {
            let cell = ground.field_cell(node);
            let free = [0, 2, 4, 6].map(|direction| ground.free_steps(&none, cell, direction));
            Goal::new(node, cell, free)
        }));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn cell(&self, end: u32) -> (u32, u32) {
        self.places[end as usize].cell
    }

    pub(super) fn places(&self) -> &[Goal] {
        &self.places
    }
}

/// What one search knows of an end: the least costs so far on foot, and over a link that ends there.
#[derive(Debug, Clone, Copy)]
struct EndState {
    walked: u64,
    crossed: u64,
}

/// The ends of links in one search.
#[derive(Debug, Clone, Default)]
pub(super) struct EndStates {
    states: Vec<EndState>,
    /// Ends reached over links, with the costs, that the search has not yet taken.
    reached: Vec<(u32, u64)>,
}

/// How far the search went from its start: the cell, and the free steps in each direction.
pub(super) struct FromStart {
    pub(super) cell: (u32, u32),
    pub(super) free: [u32; 8],
}

impl FromStart {
    /// The cost of the way from the start to an end that lies in a direction from it.
    fn cost_to(&self, end: &Goal, measure: &Measure) -> u64 {
        let Some(direction) = direction(self.cell, end.cell) else { return 0 };
        end.lies_in(self.cell, direction, self.free[direction], measure).unwrap_or(u64::MAX)
    }
}

impl EndStates {
    pub(super) fn begin(&mut self, links: &LinkSteps) {
        self.reached.clear();
        self.states.clear();
        self.states.resize(links.from.len(), EndState { walked: u64::MAX, crossed: u64::MAX });
    }

    #[inline]
    fn walk_to(&mut self, end: u32, cost: u64) {
        let state = &mut self.states[end as usize];
        state.walked = state.walked.min(cost);
    }

    /// A path on foot leads to an end. With a limit, the links that begin there are crossed, if that costs less.
    #[inline]
    pub(super) fn walk(&mut self, links: &LinkSteps, end: u32, cost: u64, limit: Option<u64>) {
        let EndState { walked, crossed } = self.states[end as usize];
        self.walk_to(end, cost);
        if let Some(limit) = limit.filter(|_| cost < walked.min(crossed)) {
            self.cross_from(links, end, cost, limit);
        }
    }

    /// Crosses the links that begin where the search has been, if they may be part of a path to the goal that costs less
    /// than `limit`.
    pub(super) fn cross(
        &mut self,
        (places, links): (&EndPlaces, &LinkSteps),
        start: &FromStart,
        (goal, measure): ((u32, u32), Measure),
        limit: u64,
    ) {
        for (end, place) in (0..).zip(&places.places) {
            let least = measure.least(start.cell, place.cell);
            if least.saturating_add(links.least[end as usize]) >= limit {
                continue;
            }
            let may_help = |walked: u64| {
                let rest = |to: u32| measure.least(places.cell(to), goal);
                links.from(end).iter().any(|&(to, cost)| walked.saturating_add(cost + rest(to)) < limit)
            };
            if !may_help(least) {
                continue;
            }
            self.walk_to(end, start.cost_to(place, &measure));
            let walked = self.states[end as usize].walked;
            if walked < limit && may_help(walked) {
                for &(to, _) in links.from(end) {
                    self.walk_to(to, start.cost_to(&places.places[to as usize], &measure));
                }
                self.cross_from(links, end, walked, limit);
            }
        }
    }

    /// Crosses the links that begin at an end, if that costs less than `limit`.
    pub(super) fn cross_from(&mut self, links: &LinkSteps, end: u32, cost: u64, limit: u64) {
        for &(to, link_cost) in links.from(end) {
            let cost = cost.saturating_add(link_cost);
            let state = &mut self.states[to as usize];
            if cost < limit && cost < state.walked.min(state.crossed) {
                state.crossed = cost;
                self.reached.push((to, cost));
            }
        }
    }

    pub(super) fn has_reached(&self) -> bool {
        !self.reached.is_empty()
    }

    /// An end that was reached over a link, with the cost.
    pub(super) fn take(&mut self) -> Option<(u32, u64)> {
        self.reached.pop()
    }

    /// Whether it is of use to go on from an end that was reached over a link at this cost.
    pub(super) fn goes_on(&self, end: u32, cost: u64) -> bool {
        let state = &self.states[end as usize];
        cost == state.crossed && cost < state.walked
    }
}

/// The direction from a cell in which another one can lie. `None` if they are the same.
fn direction(from: (u32, u32), to: (u32, u32)) -> Option<Direction> {
    let along = |from: u32, to: u32| (i64::from(to) - i64::from(from)).signum() as i32;
    let step = (along(from.0, to.0), along(from.1, to.1));
    STEPS.iter().position(|&other| other == step)
}
