//! Routes over links: the cheapest sequence of links between two places.
//!
//! A route is a path in a graph whose nodes are the directions of links. Its edges are paths over the ground, and each
//! costs a search. So the search of the graph is lazy: edges begin with a lower bound, and only edges at the top of the
//! open list are searched for (lazy weighted A\*, Cohen, Phillips and Likhachev 2014). The answer is the optimum: it
//! equals the cheapest of all orders of links.
//!
//! Three tests keep links that do not help cheap. Links whose lower bound is not below the cost of the direct path are never
//! looked at. A link that costs as much as walking from its entry to its exit is left out. So are links to dead ends, or
//! they come last: see `dead_ends.rs`.
//!
//! Parts of waypaths are nodes of the same graph. From a part to the next one no path is searched. Walked parts lead to no
//! ground that is not reached without them. So if the direct path does not lead to the goal, they wait until the route
//! without them is known, and then may only make it cheaper.

mod begin;
mod lay;

use super::{LinkNet, Over, Way, leg_costs::LegCost};
use crate::nav::{LinkWay, Outcome, Path, Place, Position, Progress, Query};
use crate::surface::{Search, SearchMemory, Surface};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Routes that are cheaper by less than this count as equal, in metres.
pub(super) const SAME_M: f64 = 1e-9;

/// More than the rounding of a cost, in metres.
const ROUNDING_M: f64 = 1e-6;

/// Ways looked at per unit of work.
const WAYS_OF_EXPANSION: u64 = 16;

/// Two neighbours on a route: the way before the path and the way after it. `None` is the start or the goal.
type Pair = (Option<u32>, Option<u32>);

/// A search for the cheapest route, after the direct path was found.
#[derive(Debug, Clone)]
pub(in crate::plan) struct Route {
    /// The best path so far, and whether walked parts of waypaths may make it cheaper now.
    direct: Path,
    scope: Scope,
    ways: Vec<Way>,
    /// Lower bounds of the costs from the exits to the goal.
    rest_m: Vec<f64>,
    start: Position,
    goal: Option<Position>,
    open: BinaryHeap<Reverse<Edge>>,
    settled: Vec<Option<Settled>>,
    /// By way: whether it leads to a dead end. Empty if none is known to.
    is_dead_end: Vec<bool>,
    /// Ways that cost as much as walking.
    is_useless: Vec<Option<bool>>,
    /// Paths from the start and to the goal, and those of the route.
    paths: BTreeMap<Pair, Path>,
    /// The route, once it is known: empty if no link helps.
    route: Vec<Pair>,
    stage: Stage,
    running: Option<Running>,
    memory: SearchMemory,
    work: u64,
}

/// An edge of the graph, ordered by cost, dead ends last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    /// Whether it leads to a way that is no part of a route to the goal: only of one to the nearest place.
    is_dead_end: bool,
    /// The bits of the least cost of a route over it, in metres. Costs are never negative, so their bits are in order.
    least_m: u64,
    pair: Pair,
    /// The bits of the cost from the start to the exit of its second way, or to the goal. `None` before its path is known.
    known_m: Option<u64>,
}

/// A way whose cheapest route is known.
#[derive(Debug, Clone, Copy)]
struct Settled {
    cost_m: f64,
    before: Option<u32>,
}

/// The ways of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Links and jumps.
    Links,
    /// All ways.
    All,
}

#[derive(Debug, Clone)]
enum Stage {
    /// Takes edges from the open list.
    Choosing,
    /// No route leads to the goal: looks for the nearest place, from the exits of these ways.
    Approaching(Vec<u32>),
    /// Finds the remaining paths of the route.
    Laying(Vec<Pair>),
    Done,
}

/// A path that is being searched for.
#[derive(Debug, Clone)]
struct Running {
    purpose: Purpose,
    query: Query,
    search: Search,
}

#[derive(Debug, Clone, Copy)]
enum Purpose {
    /// The cost of an edge.
    Cost(Edge),
    /// The cost of walking from the entry of a way to its exit.
    Useless(u32),
    /// The path of an edge.
    Lay(Pair),
}

impl Route {
    /// The place that the last path of a route leads to.
    fn to(&self, ground: &Surface, query: &Query) -> Place {
        match self.goal.filter(|_| self.scope == Scope::All && self.direct.outcome != Outcome::Complete) {
            Some(goal) => ground.place_of(goal),
            None => query.to,
        }
    }

    /// The cost of the direct path, if it leads to the goal of this scope.
    fn direct_m(&self, ground: &Surface) -> f64 {
        match (self.direct.outcome, self.scope) {
            (Outcome::Complete, _) | (_, Scope::All) => ground.cost_m(&self.direct),
            _ => f64::INFINITY,
        }
    }

    /// The cost from the start to the exit of a way.
    fn cost_to_m(&self, way: Option<u32>) -> f64 {
        way.map_or(0.0, |way| self.settled[way as usize].map_or(f64::INFINITY, |settled| settled.cost_m))
    }

    /// Where the path of a pair begins and ends.
    fn ends(&self, (from, to): Pair) -> (Position, Option<Position>) {
        let begin = from.map_or(self.start, |way| self.ways[way as usize].exit);
        (begin, to.map_or(self.goal, |way| Some(self.ways[way as usize].entry)))
    }

    /// Puts an edge on the open list, with the lower bound of its cost.
    fn push(&mut self, ground: &Surface, pair: Pair) {
        let (begin, Some(end)) = self.ends(pair) else { return };
        let (crossing_m, rest_m) = self.after(pair);
        let is_joint = self.is_joint(pair);
        let least_leg_m = if is_joint { 0.0 } else { ground.least_cost_m(begin, end) };
        let known_m = self.cost_to_m(pair.0) + least_leg_m + crossing_m;
        let least_m = known_m + rest_m;
        if least_m >= self.direct_m(ground) - SAME_M || !is_joint && ground.never_reaches(begin, end) {
            return;
        }
        let known_m = is_joint.then_some(known_m.to_bits());
        let is_dead_end = self.leads_to_dead_end(pair);
        self.open.push(Reverse(Edge { is_dead_end, least_m: least_m.to_bits(), pair, known_m }));
    }

    /// The cost of the way after a pair, and the least cost from its exit to the goal.
    fn after(&self, (_, to): Pair) -> (f64, f64) {
        let costs = |way: u32| (self.ways[way as usize].cost_m, self.rest_m[way as usize].min(f64::MAX));
        to.map_or((0.0, 0.0), costs)
    }

    fn leads_to_dead_end(&self, (_, to): Pair) -> bool {
        to.is_some_and(|way| self.is_dead_end.get(way as usize) == Some(&true))
    }

    /// Whether a pair is one part of a waypath and another that begins where it ends: no path is between.
    fn is_joint(&self, pair: Pair) -> bool {
        let (Some(from), Some(to)) = pair else { return false };
        let [from, to] = [from, to].map(|way| self.ways[way as usize]);
        let are_parts = matches!((from.over, to.over), (Over::Waypath(_), Over::Waypath(_)));
        are_parts && from.exit == to.entry
    }

    /// Searches on until the route is found or about `budget` units of work are spent.
    pub(in crate::plan) fn advance(
        &mut self,
        ground: &Surface,
        net: &LinkNet,
        query: &Query,
        budget: u64,
    ) -> Progress {
        let stop_at = self.work().saturating_add(budget);
        loop {
            if let Some(running) = &mut self.running {
                let left = stop_at.saturating_sub(self.work + running.search.work());
                if running.search.advance(ground, &running.query, left) == Progress::Running {
                    return Progress::Running;
                }
                self.take_path(ground, net);
            } else if matches!(self.stage, Stage::Done) {
                let goes_on = self.scope == Scope::Links && self.go_along(ground, net, query);
                if !goes_on {
                    return Progress::Done;
                }
            } else if self.work >= stop_at {
                return Progress::Running;
            } else {
                self.go_on(ground, net, query);
            }
        }
    }

    /// The route without walked parts of waypaths is known: begins to look whether they make it cheaper.
    fn go_along(&mut self, ground: &Surface, net: &LinkNet, query: &Query) -> bool {
        self.direct = self.laid(ground);
        let goes_on = self.begin(ground, net, query, (Scope::All, true));
        if !goes_on {
            (self.stage, self.open) = (Stage::Done, BinaryHeap::new());
            self.route.clear();
        }
        goes_on
    }

    fn go_on(&mut self, ground: &Surface, net: &LinkNet, query: &Query) {
        match &mut self.stage {
            Stage::Choosing => self.choose(ground, net, query),
            Stage::Approaching(ways) => match ways.pop() {
                Some(way) => self.search(ground, query, Purpose::Lay((Some(way), None))),
                None => self.choose_nearest(),
            },
            Stage::Laying(pairs) => match pairs.pop() {
                Some(pair) => self.search(ground, query, Purpose::Lay(pair)),
                None => self.stage = Stage::Done,
            },
            Stage::Done => {}
        }
    }

    /// Takes the edge with the least cost from the open list.
    fn choose(&mut self, ground: &Surface, net: &LinkNet, query: &Query) {
        let direct_m = self.direct_m(ground);
        self.work += 1;
        let Some(Reverse(edge)) = self.open.pop() else {
            self.no_route(ground);
            return;
        };
        // Dead ends come last, whatever they cost. There are none if the direct path leads to the goal.
        debug_assert!(!edge.is_dead_end || direct_m.is_infinite());
        if f64::from_bits(edge.least_m) >= direct_m - SAME_M {
            self.stage = Stage::Done;
            return;
        }
        let (before, to) = edge.pair;
        let is_over =
            |way: u32| self.settled[way as usize].is_some() || self.is_useless[way as usize] == Some(true);
        if to.is_some_and(is_over) {
            return;
        }
        let Some(known_m) = edge.known_m else {
            match to.filter(|&way| self.is_useless[way as usize].is_none()) {
                Some(way) => {
                    // Asked again once it is known whether the way is of use.
                    self.open.push(Reverse(edge));
                    self.find_cost(ground, net, query, Purpose::Useless(way));
                }
                None => self.find_cost(ground, net, query, Purpose::Cost(edge)),
            }
            return;
        };
        let Some(way) = to else {
            self.lay(before);
            return;
        };
        self.settled[way as usize] = Some(Settled { cost_m: f64::from_bits(known_m), before });
        self.work += self.ways.len() as u64 / WAYS_OF_EXPANSION;
        for next in 0..self.ways.len() as u32 {
            // Straight back over the same link is never shorter.
            let goes_back = self.ways[next as usize].is_back_over(&self.ways[way as usize]);
            if self.settled[next as usize].is_none() && !goes_back {
                self.push(ground, (Some(way), Some(next)));
            }
        }
        self.push(ground, (Some(way), None));
    }

    /// Finds the cost of a path: remembered if it leads between links.
    fn find_cost(&mut self, ground: &Surface, net: &LinkNet, query: &Query, purpose: Purpose) {
        let remembered = self.link_pair(purpose).and_then(|pair| net.costs.get(ground, pair));
        match remembered {
            Some(LegCost { cost_m, work }) => {
                self.work += work;
                self.take_cost(purpose, cost_m);
            }
            None => self.search(ground, query, purpose),
        }
    }

    /// The ways that a path leads between, if it leads between links.
    fn link_pair(&self, purpose: Purpose) -> Option<(LinkWay, LinkWay)> {
        let way = |index: u32| self.ways[index as usize].link();
        match purpose {
            Purpose::Useless(index) => Some((way(index)?, way(index)?)),
            Purpose::Cost(Edge { pair: (Some(from), Some(to)), .. }) => Some((way(from)?, way(to)?)),
            _ => None,
        }
    }

    /// Begins to search for a path.
    fn search(&mut self, ground: &Surface, query: &Query, purpose: Purpose) {
        let (pair, begin, end) = match purpose {
            Purpose::Useless(way) => {
                let way = self.ways[way as usize];
                ((Some(0), Some(0)), way.entry, Some(way.exit))
            }
            Purpose::Cost(Edge { pair, .. }) | Purpose::Lay(pair) => {
                let (begin, end) = self.ends(pair);
                (pair, begin, end)
            }
        };
        let to = self.to(ground, query);
        let mut leg_query = Query::new(ground.place_of(begin), to).with_snap_m(query.snap_m);
        leg_query.from_floor = ground.floor_of(begin);
        if pair.0.is_none() {
            (leg_query.from, leg_query.from_floor) = (query.from, query.from_floor);
        }
        if let (Some(_), Some(end)) = (pair.1, end) {
            leg_query.to = ground.place_of(end);
        }
        let is_part = |way: Option<u32>| way.is_some_and(|way| self.ways[way as usize].link().is_none());
        // The costs between links are remembered, so they do not depend on who stands where.
        if pair.0.is_none() || pair.1.is_none() || is_part(pair.0) || is_part(pair.1) {
            // The entry of a link stays the goal, even if somebody stands there. That of a part is free.
            let reach_m = if is_part(pair.1) { 0.0 } else { 2.0 * ground.cost_unit_m() };
            let at_entry =
                |centre: Position| pair.1.is_some().then_some(end).flatten().map(|at| at.distance(centre));
            let others = query.obstacles.iter().copied();
            leg_query.obstacles = others
                .filter(|disc| at_entry(disc.centre).is_none_or(|away_m| away_m > disc.radius_m + reach_m))
                .collect();
        }
        let mut search = Search::new(ground, &leg_query, None, std::mem::take(&mut self.memory));
        if let Some(most_m) = self.most_m(ground, purpose) {
            search.cut_off(ground, &leg_query, most_m);
        }
        self.running = Some(Running { purpose, query: leg_query, search });
    }

    /// The running search has ended: takes its path.
    fn take_path(&mut self, ground: &Surface, net: &LinkNet) {
        let Some(Running { purpose, query, search }) = self.running.take() else { return };
        let work = search.work();
        self.work += work;
        if let Purpose::Lay(pair) = purpose {
            let (path, memory) = search.finish(ground, &query, None);
            self.memory = memory;
            self.paths.insert(pair, path);
            return;
        }
        let (cost_m, path, memory) = search.finish_cost(ground, &query);
        self.memory = memory;
        match (self.link_pair(purpose), purpose, path) {
            (Some(pair), ..) => net.costs.put(ground, pair, LegCost { cost_m, work }),
            (None, Purpose::Cost(edge), Some(path)) => drop(self.paths.insert(edge.pair, path)),
            _ => {}
        }
        self.take_cost(purpose, cost_m);
    }

    /// A path that costs more makes no difference: the search for it may end. The cost of a path between links is
    /// remembered for other queries, so it is found whatever it is.
    fn most_m(&self, ground: &Surface, purpose: Purpose) -> Option<f64> {
        match purpose {
            Purpose::Useless(way) => Some(self.ways[way as usize].cost_m + ROUNDING_M),
            Purpose::Cost(edge) if self.link_pair(purpose).is_none() => {
                let (crossing_m, rest_m) = self.after(edge.pair);
                let before_m = self.cost_to_m(edge.pair.0) + crossing_m + rest_m;
                Some(self.direct_m(ground) - before_m + ROUNDING_M).filter(|most_m| most_m.is_finite())
            }
            Purpose::Cost(_) | Purpose::Lay(_) => None,
        }
    }

    fn take_cost(&mut self, purpose: Purpose, cost_m: f64) {
        match purpose {
            Purpose::Useless(way) => {
                self.is_useless[way as usize] = Some(cost_m <= self.ways[way as usize].cost_m + SAME_M);
            }
            Purpose::Cost(edge) if cost_m.is_finite() => {
                let (crossing_m, rest_m) = self.after(edge.pair);
                let known_m = self.cost_to_m(edge.pair.0) + cost_m + crossing_m;
                let least_m = (known_m + rest_m).to_bits();
                self.open.push(Reverse(Edge { least_m, known_m: Some(known_m.to_bits()), ..edge }));
            }
            Purpose::Cost(_) | Purpose::Lay(_) => {}
        }
    }

    /// The path over the route, or the direct one. Call it once [`Route::advance`] has returned [`Progress::Done`].
    pub(in crate::plan) fn finish(mut self, ground: &Surface) -> (Path, SearchMemory) {
        let work = self.work();
        let mut path = self.laid(ground);
        path.work += work;
        (path, self.into_memory())
    }

    pub(in crate::plan) fn work(&self) -> u64 {
        self.work + self.running.as_ref().map_or(0, |running| running.search.work())
    }

    pub(in crate::plan) fn into_memory(self) -> SearchMemory {
        match self.running {
            Some(running) => running.search.into_memory(),
            None => self.memory,
        }
    }
}
