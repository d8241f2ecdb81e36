//! Exact shortest paths: Dijkstra's algorithm over the ends of a query and all corners, joined where they see each
//! other. Round a character lie some more corners.

use super::{Mesh, MeshFlood, TOLERANCE};
use crate::nav::{
    Anchor, Disc, NoPath, Outcome, Path, PathTrace, Position, Query, SearchProgress, SearchState, Step, Try,
};
use glam::DVec2;

/// How many corners lie round an obstacle, and how far from it as a share of its radius: a little more than the
/// polygon round a circle.
const AROUND: (u32, f64) = (16, 1.05);

/// A query being answered over a mesh.
#[derive(Debug, Clone)]
pub(crate) struct MeshSearch {
    /// The start, the goal, and all corners.
    points: Vec<DVec2>,
    ends: Option<(Anchor, Anchor)>,
    discs: Vec<Disc>,
    costs: Vec<f64>,
    before: Vec<usize>,
    closed: Vec<bool>,
    ignoring: bool,
    spent: u64,
    expanded: u64,
}

impl MeshSearch {
    pub(crate) fn new(mesh: &Mesh, query: &Query) -> Self {
        Self::begin(mesh, query, false, 0)
    }

    pub(crate) fn resume(mesh: &Mesh, query: &Query, state: &SearchState) -> Self {
        let mut search = Self::begin(mesh, query, state.through, state.spent);
        search.advance(mesh, query, state.expanded);
        search
    }

    pub(crate) fn state(&self, stale: bool) -> SearchState {
        let spent = if stale { self.work() } else { self.spent };
        SearchState { avoided: Vec::new(), through: self.ignoring, spent, expanded: self.work() - spent }
    }

    pub(crate) fn restart(&mut self, mesh: &Mesh, query: &Query) {
        *self = Self::begin(mesh, query, false, self.work());
    }

    pub(crate) fn ignore_obstacles(&mut self, mesh: &Mesh, query: &Query) {
        *self = Self::begin(mesh, query, true, self.work());
    }

    /// The storey of the start: there are no stairs.
    fn storey(mesh: &Mesh, query: &Query) -> Mesh {
        mesh.on_storey_of(mesh.locate(query.from))
    }

    fn begin(mesh: &Mesh, query: &Query, ignoring: bool, spent: u64) -> Self {
        let (mesh, goal) = (&Self::storey(mesh, query), mesh.locate(query.to));
        let from = mesh.anchor(query.from.at, query.snap_m);
        let near = query.obstacles.iter().filter(|disc| mesh.is_on_storey(disc.centre.floor.0 as usize));
        let discs: Vec<Disc> = if ignoring { Vec::new() } else { near.copied().collect() };
        let ends = from.and_then(|from| {
            let flood = MeshFlood::new(mesh, &from);
            let there =
                mesh.anchor(query.to.at, query.snap_m).filter(|_| mesh.is_on_storey(goal.floor.0 as usize));
            let goal = there.filter(|to| flood.holds(to));
            let stop = || mesh.anchor(flood.stop_near(mesh, query.to)?.at, 0.0);
            Some((from, goal.or_else(stop)?))
        });
        let mut points: Vec<DVec2> = ends.iter().flat_map(|(from, to)| [from.at.at, to.at.at]).collect();
        points.extend(mesh.open().flat_map(|polygon| mesh.polygons[polygon].corners.iter().copied()));
        for disc in &discs {
            let angle = |i: u32| f64::from(i) * std::f64::consts::TAU / f64::from(AROUND.0);
            let offset =
                |i: u32| DVec2::new(libm::cos(angle(i)), libm::sin(angle(i))) * (disc.radius_m * AROUND.1);
            points
                .extend((0..AROUND.0).map(|i| disc.centre.at + offset(i)).filter(|&at| mesh.is_walkable(at)));
        }
        let count = points.len();
        let mut costs = vec![f64::INFINITY; count];
        if ends.is_some() {
            costs[0] = 0.0;
        }
        let (before, closed) = (vec![0; count], vec![false; count]);
        Self { points, ends, discs, costs, before, closed, ignoring, spent, expanded: 0 }
    }

    pub(crate) fn advance(&mut self, mesh: &Mesh, query: &Query, budget: u64) -> SearchProgress {
        let mesh = &Self::storey(mesh, query);
        let stop_at = self.expanded.saturating_add(budget);
        while self.ends.is_some() && !self.closed[1] {
            let open = (0..self.points.len()).filter(|&at| !self.closed[at] && self.costs[at].is_finite());
            let Some(at) = open.min_by(|&a, &b| self.costs[a].total_cmp(&self.costs[b])) else { break };
            if self.expanded >= stop_at {
                return SearchProgress::Running;
            }
            self.expanded += 1;
            self.closed[at] = true;
            for to in 0..self.points.len() {
                let (a, b) = (self.points[at], self.points[to]);
                let cost = self.costs[at] + a.distance(b);
                if cost < self.costs[to]
                    && self.discs.iter().all(|disc| disc.lets_pass(a, b))
                    && mesh.segment_clear(a, b)
                {
                    (self.costs[to], self.before[to]) = (cost, at);
                }
            }
        }
        let found = self.ends.is_none() || self.closed[1];
        match !found && !self.ignoring && !query.obstacles.is_empty() {
            true => SearchProgress::Obstructed,
            false => SearchProgress::Done,
        }
    }

    pub(crate) fn work(&self) -> u64 {
        self.spent + self.expanded
    }

    pub(crate) fn finish(self, mesh: &Mesh, query: &Query, trace: Option<&mut PathTrace>) -> Path {
        let (from, to, goal) = (query.from, query.to, mesh.locate(query.to));
        let closed = mesh.on_storey_of(goal).closed_area_over(to.at);
        let name = closed.map(|area| mesh.area_name(area).to_owned());
        let mesh = &Self::storey(mesh, query);
        let reason = match &self.ends {
            None => Some(NoPath::StartOffGround),
            Some(_) if closed.is_some() => Some(NoPath::GoalClosed),
            Some((start, _)) => match mesh.anchor(to.at, query.snap_m) {
                _ if !mesh.is_on_storey(goal.floor.0 as usize) => Some(NoPath::Unreachable),
                None => Some(NoPath::GoalOffGround),
                Some(goal) => (!MeshFlood::new(mesh, start).holds(&goal)).then_some(NoPath::Unreachable),
            },
        };
        let outcome = match reason {
            None => Outcome::Complete,
            Some(NoPath::StartOffGround) => Outcome::None,
            Some(_) => Outcome::Partial,
        };
        let mut waypoints = Vec::new();
        if self.ends.is_some() {
            let mut at = 1;
            while at != 0 {
                waypoints.push(self.points[at]);
                at = self.before[at];
            }
            if self.points[0] != from.at {
                waypoints.push(self.points[0]);
            }
            waypoints.reverse();
        }
        if let Some(trace) = trace {
            trace.points = [&[from.at], waypoints.as_slice()].concat();
            let legs = trace.points.windows(2);
            trace.tries =
                legs.map(|leg| Try { from: leg[0], to: leg[1], clear: true, blocked_at: None }).collect();
        }
        let end = waypoints.last().copied().unwrap_or(from.at);
        let length_m = if self.ends.is_some() { self.costs[1] } else { 0.0 };
        let avoiding = if self.ignoring { Step::Ignoring } else { Step::Avoiding };
        Path {
            outcome,
            step: if outcome == Outcome::Partial { Step::Nearest } else { avoiding },
            reason,
            closed_area: name,
            to,
            snapped_to: (end != to.at && outcome != Outcome::None).then(|| mesh.locate(end.into())),
            missed_by_m: end.distance(to.at),
            waypoints: waypoints.into_iter().map(|at| mesh.locate(at.into())).collect(),
            cost_cells: length_m,
            length_m,
            expansions: self.expanded,
            work: self.work(),
        }
    }

    /// The waypoints of a whole query and their length, if they lead to the very goal.
    pub(super) fn answer(mesh: &Mesh, query: &Query) -> Option<(Vec<Position>, f64)> {
        let mut search = Self::new(mesh, query);
        let reached = search.advance(mesh, query, u64::MAX) == SearchProgress::Done;
        let path = search.finish(mesh, query, None);
        let arrives = reached && path.missed_by_m <= TOLERANCE;
        arrives.then_some((path.waypoints, path.length_m))
    }
}
