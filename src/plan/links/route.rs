//! Routes over links: the cheapest sequence of links between two places.
//!
//! A route is a path in a graph whose nodes are the directions of links. Its edges are paths over the ground, and each
//! costs a search. So the search of the graph is lazy: edges begin with a lower bound, and only edges at the top of the
//! open list are searched for (lazy weighted A\*, Cohen, Phillips and Likhachev 2014). The answer is the optimum: it
//! equals the cheapest of all orders of links.
//!
//! Two tests keep links that do not help cheap. Links whose lower bound is not below the cost of the direct path are never
//! looked at. A link that costs as much as walking from its entry to its exit is left out.

use super::{LinkNet, Way, costs::LegCost};
use crate::nav::{LinkCrossing, Outcome, Path, Position, Progress, Query, Step};
use crate::plan::leg::Leg;
use crate::surface::{SearchMemory, Surface};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Routes that are cheaper by less than this count as equal, in metres.
const SAME_M: f64 = 1e-9;

/// Ways looked at per unit of work.
const WAYS_OF_EXPANSION: u64 = 16;

/// Two neighbours on a route: the way before the path and the way after it. `None` is the start or the goal.
type Pair = (Option<u32>, Option<u32>);

/// A search for the cheapest route, after the direct path was found.
#[derive(Debug, Clone)]
pub(in crate::plan) struct Route {
    direct: Path,
    ways: Vec<Way>,
    /// Lower bounds of the costs from the exits to the goal.
    rest_m: Vec<f64>,
    start: Position,
    goal: Option<Position>,
    open: BinaryHeap<Reverse<Edge>>,
    settled: Vec<Option<Settled>>,
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

/// An edge of the graph, ordered by cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
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
    leg: Leg,
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
    /// Begins the search, if a link may help. Otherwise returns the direct path.
    pub(in crate::plan) fn new(
        ground: &Surface,
        net: &LinkNet,
        query: &Query,
        direct: Path,
        memory: SearchMemory,
    ) -> Result<Box<Self>, (Path, SearchMemory)> {
        let ways = if direct.outcome == Outcome::None { Vec::new() } else { net.ways(ground, query) };
        let start = ground.anchor(start_of(ground, query), query.snap_m).map(|anchor| anchor.at);
        let Some(start) = start.filter(|_| !ways.is_empty()) else { return Err((direct, memory)) };
        let goal = ground.anchor(ground.locate(query.to), query.snap_m).map(|anchor| anchor.at);
        let rest_m = least_rests(ground, &ways, goal);
        let count = ways.len();
        let mut route = Self {
            direct,
            ways,
            rest_m,
            start,
            goal,
            open: BinaryHeap::new(),
            settled: vec![None; count],
            is_useless: vec![None; count],
            paths: BTreeMap::new(),
            route: Vec::new(),
            stage: Stage::Choosing,
            running: None,
            memory,
            work: 1 + count as u64 / WAYS_OF_EXPANSION,
        };
        for way in 0..count as u32 {
            route.push(ground, (None, Some(way)));
        }
        match route.open.is_empty() {
            true => Err((route.direct, route.memory)),
            false => Ok(Box::new(route)),
        }
    }

    /// The cost of the direct path, if it leads to the goal.
    fn direct_m(&self, ground: &Surface) -> f64 {
        match self.direct.outcome {
            Outcome::Complete => ground.cost_m(&self.direct),
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
        let (crossing_m, rest_m) =
            pair.1.map_or((0.0, 0.0), |way| (self.ways[way as usize].cost_m, self.rest_m[way as usize]));
        let least_m =
            self.cost_to_m(pair.0) + ground.least_cost_m(begin, end) + crossing_m + rest_m.min(f64::MAX);
        if least_m >= self.direct_m(ground) - SAME_M || ground.never_reaches(begin, end) {
            return;
        }
        self.open.push(Reverse(Edge { least_m: least_m.to_bits(), pair, known_m: None }));
    }

    /// Searches on until the route is found or about `budget` units of work are spent.
    pub(in crate::plan) fn advance(
        &mut self,
        ground: &Surface,
        net: &mut LinkNet,
        query: &Query,
        budget: u64,
    ) -> Progress {
        let stop_at = self.work().saturating_add(budget);
        loop {
            if let Some(running) = &mut self.running {
                let left = stop_at.saturating_sub(self.work + running.leg.work());
                if running.leg.advance(ground, &running.query, left) == Progress::Running {
                    return Progress::Running;
                }
                self.take_path(ground, net);
            } else if matches!(self.stage, Stage::Done) {
                return Progress::Done;
            } else if self.work >= stop_at {
                return Progress::Running;
            } else {
                self.go_on(ground, net, query);
            }
        }
    }

    fn go_on(&mut self, ground: &Surface, net: &mut LinkNet, query: &Query) {
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
    fn choose(&mut self, ground: &Surface, net: &mut LinkNet, query: &Query) {
        let direct_m = self.direct_m(ground);
        self.work += 1;
        let Some(Reverse(edge)) = self.open.pop() else {
            self.no_route(ground);
            return;
        };
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
        let link = self.ways[way as usize].way.link;
        for next in 0..self.ways.len() as u32 {
            // Straight back over the same link is never shorter.
            if self.settled[next as usize].is_none() && self.ways[next as usize].way.link != link {
                self.push(ground, (Some(way), Some(next)));
            }
        }
        self.push(ground, (Some(way), None));
    }

    /// Finds the cost of a path: remembered if it leads between links.
    fn find_cost(&mut self, ground: &Surface, net: &mut LinkNet, query: &Query, purpose: Purpose) {
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
    fn link_pair(&self, purpose: Purpose) -> Option<(crate::nav::LinkWay, crate::nav::LinkWay)> {
        let way = |index: u32| self.ways[index as usize].way;
        match purpose {
            Purpose::Useless(index) => Some((way(index), way(index))),
            Purpose::Cost(Edge { pair: (Some(from), Some(to)), .. }) => Some((way(from), way(to))),
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
        let mut leg_query = Query::new(ground.place_of(begin), query.to).with_snap_m(query.snap_m);
        leg_query.from_floor = ground.floor_of(begin);
        if pair.0.is_none() {
            (leg_query.from, leg_query.from_floor) = (query.from, query.from_floor);
        }
        if let (Some(_), Some(end)) = (pair.1, end) {
            leg_query.to = ground.place_of(end);
        }
        if pair.0.is_none() || pair.1.is_none() {
            // The entry of a link stays the goal, even if somebody stands there.
            let reach_m = 2.0 * ground.cost_unit_m();
            let at_entry =
                |centre: Position| pair.1.is_some().then_some(end).flatten().map(|at| at.distance(centre));
            let others = query.obstacles.iter().copied();
            leg_query.obstacles = others
                .filter(|disc| at_entry(disc.centre).is_none_or(|away_m| away_m > disc.radius_m + reach_m))
                .collect();
        }
        let leg = Leg::new(ground, &leg_query, std::mem::take(&mut self.memory));
        self.running = Some(Running { purpose, query: leg_query, leg });
    }

    /// The running search has ended: takes its path.
    fn take_path(&mut self, ground: &Surface, net: &mut LinkNet) {
        let Some(Running { purpose, query, leg }) = self.running.take() else { return };
        let work = leg.work();
        self.work += work;
        let (path, memory) = leg.finish(ground, &query, None);
        self.memory = memory;
        let cost_m = match path.outcome {
            Outcome::Complete => ground.cost_m(&path),
            _ => f64::INFINITY,
        };
        match purpose {
            Purpose::Lay(pair) => drop(self.paths.insert(pair, path)),
            Purpose::Useless(_) | Purpose::Cost(_) => {
                match (self.link_pair(purpose), purpose) {
                    (Some(pair), _) => net.costs.put(pair, LegCost { cost_m, work }),
                    (None, Purpose::Cost(edge)) => drop(self.paths.insert(edge.pair, path)),
                    (None, _) => {}
                }
                self.take_cost(purpose, cost_m);
            }
        }
    }

    fn take_cost(&mut self, purpose: Purpose, cost_m: f64) {
        match purpose {
            Purpose::Useless(way) => {
                self.is_useless[way as usize] = Some(cost_m <= self.ways[way as usize].cost_m + SAME_M);
            }
            Purpose::Cost(edge) if cost_m.is_finite() => {
                let (crossing_m, rest_m) = edge
                    .pair
                    .1
                    .map_or((0.0, 0.0), |way| (self.ways[way as usize].cost_m, self.rest_m[way as usize]));
                let known_m = self.cost_to_m(edge.pair.0) + cost_m + crossing_m;
                let least_m = (known_m + rest_m.min(f64::MAX)).to_bits();
                self.open.push(Reverse(Edge { least_m, pair: edge.pair, known_m: Some(known_m.to_bits()) }));
            }
            Purpose::Cost(_) | Purpose::Lay(_) => {}
        }
    }

    /// No route leads to the goal. The nearest place may be on ground that only links lead to.
    fn no_route(&mut self, ground: &Surface) {
        let mut seen = vec![self.start];
        let mut exits = Vec::new();
        for (index, way) in self.ways.iter().enumerate().filter(|(index, _)| self.settled[*index].is_some()) {
            let joined =
                |at: &Position| !ground.never_reaches(*at, way.exit) && !ground.never_reaches(way.exit, *at);
            if !seen.iter().any(joined) {
                seen.push(way.exit);
                exits.push(index as u32);
            }
        }
        self.stage = match self.direct.outcome {
            Outcome::Partial if !exits.is_empty() => Stage::Approaching(exits),
            _ => Stage::Done,
        };
    }

    fn choose_nearest(&mut self) {
        let missed = |(&(from, to), path): (&Pair, &Path)| {
            let way = from.filter(|_| to.is_none())?;
            Some((path.missed_by_m, self.cost_to_m(Some(way)), way))
        };
        let nearer = |a: &(f64, f64, u32), b: &(f64, f64, u32)| {
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        };
        let nearest = self.paths.iter().filter_map(missed).min_by(nearer);
        match nearest.filter(|(missed_m, ..)| *missed_m < self.direct.missed_by_m - SAME_M) {
            Some((_, _, way)) => self.lay(Some(way)),
            None => self.stage = Stage::Done,
        }
    }

    /// The route is known by its last way: finds the paths that are not known yet.
    fn lay(&mut self, last: Option<u32>) {
        let mut pairs = vec![(last, None)];
        let mut at = last;
        while let Some(way) = at {
            let before = self.settled[way as usize].and_then(|settled| settled.before);
            pairs.push((before, Some(way)));
            at = before;
        }
        pairs.reverse();
        self.route.clone_from(&pairs);
        pairs.retain(|pair| !self.paths.contains_key(pair));
        self.stage = Stage::Laying(pairs);
    }

    /// The path over the route, or the direct one. Call it once [`Route::advance`] has returned [`Progress::Done`].
    pub(in crate::plan) fn finish(mut self, ground: &Surface) -> (Path, SearchMemory) {
        let work = self.work();
        let (mut paths, ways) = (std::mem::take(&mut self.paths), &self.ways);
        let legs = self.route.iter().map(|pair| {
            let way = pair.1.map(|way| ways[way as usize]);
            paths.remove(pair).map(|path| (path, way))
        });
        let route = legs.collect::<Option<Vec<_>>>().filter(|legs| !legs.is_empty());
        let mut path = match route {
            Some(legs) => joined(ground, legs),
            None => std::mem::replace(&mut self.direct, Path::empty()),
        };
        path.work += work;
        (path, self.into_memory())
    }

    pub(in crate::plan) fn work(&self) -> u64 {
        self.work + self.running.as_ref().map_or(0, |running| running.leg.work())
    }

    pub(in crate::plan) fn into_memory(self) -> SearchMemory {
        match self.running {
            Some(running) => running.leg.into_memory(),
            None => self.memory,
        }
    }
}

/// Where a query starts.
fn start_of(ground: &Surface, query: &Query) -> Position {
    let known = query.from_floor.map(|floor| Position { at: query.from.at, floor });
    known.filter(|&start| ground.is_walkable(start)).unwrap_or_else(|| ground.locate(query.from))
}

/// Lower bounds of the costs from the exits of ways to the goal. Only ways that are cheaper than a straight walk from
/// their entry to their exit can make a route cheaper than that.
fn least_rests(ground: &Surface, ways: &[Way], goal: Option<Position>) -> Vec<f64> {
    let Some(goal) = goal else { return vec![0.0; ways.len()] };
    let mut rest_m: Vec<f64> = ways.iter().map(|way| ground.least_cost_m(way.exit, goal)).collect();
    let is_fast = |way: &Way| way.cost_m < ground.least_cost_m(way.entry, way.exit) - SAME_M;
    let fast: Vec<usize> = (0..ways.len()).filter(|&index| is_fast(&ways[index])).collect();
    let over = |rest_m: &[f64], index: usize| {
        let by = |&by: &usize| {
            ground.least_cost_m(ways[index].exit, ways[by].entry) + ways[by].cost_m + rest_m[by]
        };
        fast.iter().map(by).fold(rest_m[index], f64::min)
    };
    // A route goes over each fast way at most once.
    for _ in 0..fast.len() {
        let mut changed = false;
        for &index in &fast {
            let least_m = over(&rest_m, index);
            changed |= least_m < rest_m[index];
            rest_m[index] = least_m;
        }
        if !changed {
            break;
        }
    }
    (0..ways.len()).for_each(|index| rest_m[index] = over(&rest_m, index));
    rest_m
}

/// One path of several, each followed by a crossing, but for the last.
fn joined(ground: &Surface, legs: Vec<(Path, Option<Way>)>) -> Path {
    let mut whole: Option<Path> = None;
    for (mut path, way) in legs {
        if let Some(before) = whole.take() {
            path.waypoints.splice(0..0, before.waypoints);
            path.corridor.splice(0..0, before.corridor);
            path.crossings = before.crossings;
            path.cost_cells += before.cost_cells;
            path.length_m += before.length_m;
            path.expansions += before.expansions;
            path.step = match (before.step, path.step) {
                (_, Step::Nearest) => Step::Nearest,
                (Step::Ignoring, _) | (_, Step::Ignoring) => Step::Ignoring,
                _ => Step::Avoiding,
            };
        }
        if let Some(way) = way {
            if path.waypoints.last() != Some(&way.entry) {
                path.waypoints.push(way.entry);
            }
            let (waypoint, floors) = (path.waypoints.len() - 1, path.corridor.len());
            path.crossings.push(LinkCrossing { way: way.way, waypoint, floors });
            path.waypoints.push(way.exit);
            path.cost_cells += way.cost_m / ground.cost_unit_m();
        }
        whole = Some(path);
    }
    whole.unwrap_or_else(Path::empty)
}
