//! Path searches on a mesh: between the ends, then round the characters in the way.

use super::round::Round;
use super::{Mesh, MeshFlood};
use crate::mesh::view::Barred;
use crate::mesh::{AnyAngle, AnyAngleMemory, MeshPath, PortalPath, PortalPathMemory};
use crate::nav::{
    AreaId, Disc, FloorId, NoPath, Outcome, Path, PathTrace, Position, Progress, Query, SearchState, Step,
    Try,
};
use glam::DVec2;

/// Upper limit on the portals that are barred because no way leads round the characters there.
const MOST_BARRED: u32 = 12;

/// A query being answered over a mesh.
#[derive(Debug, Clone)]
pub(crate) struct MeshSearch {
    ends: Ends,
    /// The characters that the path goes round.
    discs: Vec<Disc>,
    barred: Barred,
    /// Whether the portals that characters fill are barred: at the first path that crosses a character.
    bars_filled: bool,
    /// The portals barred because no way leads round the characters there.
    bars: u32,
    phase: Phase,
    memory: MeshSearchMemory,
    ignoring: bool,
    /// Whether no path means only that none is short enough.
    is_cut_off: bool,
    spent: u64,
    /// Work of this stage, without that of the search that runs.
    worked: u64,
    expansions: u64,
}

/// Buffers of both planners.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshSearchMemory {
    any_angle: AnyAngleMemory,
    portals: PortalPathMemory,
}

#[derive(Debug, Clone)]
enum Phase {
    /// Searching for the shortest path.
    AnyAngle(Box<AnyAngle>),
    /// Searching from portal to portal.
    Portals(Box<PortalPath>),
    Found(MeshPath),
    /// There is no start, or no path avoids the characters.
    Nothing,
}

/// Where a path begins and ends.
#[derive(Debug, Clone, Copy)]
struct Ends {
    start: Option<Position>,
    /// The place asked for, with its polygon.
    wanted: Position,
    /// Whether the place asked for is at the height of a floor, and not a storey above or below it.
    is_at_a_floor: bool,
    /// The end of the path.
    goal: Position,
    reason: Option<NoPath>,
    closed: Option<AreaId>,
    /// Whether the end is the reachable place nearest to the goal.
    is_nearest: bool,
}

impl MeshSearch {
    pub(crate) fn new(mesh: &Mesh, query: &Query, memory: MeshSearchMemory) -> Self {
        Self::begin(mesh, query, false, 0, memory)
    }

    pub(crate) fn resume(mesh: &Mesh, query: &Query, state: &SearchState, memory: MeshSearchMemory) -> Self {
        let mut search = Self::begin(mesh, query, state.through, state.spent, memory);
        // A search begins with some work.
        let left = (state.spent + state.expanded).saturating_sub(search.work());
        if left > 0 {
            search.advance(mesh, query, left);
        }
        search
    }

    pub(crate) fn state(&self, stale: bool) -> SearchState {
        let spent = if stale { self.work() } else { self.spent };
        let expanded = self.work() - spent;
        SearchState { through: self.ignoring, spent, expanded, ..SearchState::default() }
    }

    pub(crate) fn restart(&mut self, mesh: &Mesh, query: &Query) {
        let (work, memory) = (self.work(), self.take_memory());
        *self = Self::begin(mesh, query, false, work, memory);
    }

    fn take_memory(&mut self) -> MeshSearchMemory {
        match std::mem::replace(&mut self.phase, Phase::Nothing) {
            Phase::AnyAngle(search) => self.memory.any_angle = search.into_memory(),
            Phase::Portals(search) => self.memory.portals = search.into_memory(),
            Phase::Found(_) | Phase::Nothing => {}
        }
        std::mem::take(&mut self.memory)
    }

    pub(crate) fn into_memory(mut self) -> MeshSearchMemory {
        self.take_memory()
    }

    fn begin(mesh: &Mesh, query: &Query, ignoring: bool, spent: u64, memory: MeshSearchMemory) -> Self {
        let ends = Ends::new(mesh, query);
        let discs: Vec<Disc> = match ignoring {
            true => Vec::new(),
            false => query.obstacles.iter().filter(|disc| disc.radius_m > 0.0).copied().collect(),
        };
        let mut search = Self {
            ends,
            discs,
            barred: Barred::default(),
            bars_filled: false,
            bars: 0,
            phase: Phase::Nothing,
            memory,
            ignoring,
            is_cut_off: false,
            spent,
            worked: 0,
            expansions: 0,
        };
        if !ignoring && let Some(free) = mesh.free_of_discs(search.ends.goal, &search.discs) {
            search.ends.goal = free;
        }
        search.search(mesh);
        search
    }

    /// Lets the search end without a path once no path can cost less than `most_m`. A search over portals knows only
    /// the lengths of its own lines, so it goes on.
    pub(crate) fn cut_off(&mut self, most_m: f64) {
        self.is_cut_off = true;
        if let Phase::AnyAngle(search) = &mut self.phase {
            search.cut_off(most_m);
        }
    }

    /// Begins to search between the ends.
    fn search(&mut self, mesh: &Mesh) {
        let Some(start) = self.ends.start else { return };
        self.memory = self.take_memory();
        let [start, goal] = [start, self.ends.goal].map(|end| (end.floor.0, end.at));
        let view = mesh.view().without(&self.barred);
        self.phase = match mesh.shape.by_portals {
            true => {
                let memory = std::mem::take(&mut self.memory.portals);
                Phase::Portals(Box::new(PortalPath::new(view, start, goal, memory)))
            }
            false => {
                let memory = std::mem::take(&mut self.memory.any_angle);
                Phase::AnyAngle(Box::new(AnyAngle::new(view, start, goal, memory)))
            }
        };
    }

    /// Searches on until the query is answered or `budget` is spent, in the units of [`MeshSearch::work`].
    pub(crate) fn advance(&mut self, mesh: &Mesh, query: &Query, budget: u64) -> Progress {
        let stop_at = self.work().saturating_add(budget);
        loop {
            let left = stop_at.saturating_sub(self.work());
            let view = mesh.view().without(&self.barred);
            let is_obstructed = self.ends.start.is_some() && !self.ignoring && !query.obstacles.is_empty();
            let progress = match &mut self.phase {
                Phase::AnyAngle(search) => search.advance(view, left),
                Phase::Portals(search) => search.advance(view, left),
                // No path avoids the characters. Let the path lead through them: the walker will push them aside.
                Phase::Nothing if is_obstructed => {
                    let (work, memory) = (self.work(), self.take_memory());
                    *self = Self::begin(mesh, query, true, work, memory);
                    continue;
                }
                Phase::Nothing | Phase::Found(_) => return Progress::Done,
            };
            if progress == Progress::Running {
                return Progress::Running;
            }
            self.conclude(mesh);
        }
    }

    /// The search has ended: takes its path, mends it, or searches again.
    fn conclude(&mut self, mesh: &Mesh) {
        let expansions = self.running();
        self.expansions += expansions;
        self.worked += expansions;
        let polygons = &mesh.shape.polygons;
        let path = match std::mem::replace(&mut self.phase, Phase::Nothing) {
            Phase::AnyAngle(search) => {
                let (path, memory) = search.finish(polygons);
                self.memory.any_angle = memory;
                path
            }
            Phase::Portals(search) => {
                let (path, memory) = search.finish(polygons);
                self.memory.portals = memory;
                path
            }
            Phase::Found(_) | Phase::Nothing => return,
        };
        let Some(path) = path else {
            self.go_on_without_path(mesh);
            return;
        };
        let start = self.ends.start.unwrap_or_default();
        if !self.discs.iter().any(|disc| mesh.crosses(start, &path, disc)) {
            self.phase = Phase::Found(path);
            return;
        }
        if !std::mem::replace(&mut self.bars_filled, true) {
            self.barred = mesh.filled_portals(&self.discs, start);
            if !self.barred.is_empty() {
                self.search(mesh);
                return;
            }
        }
        let mut round = Round::new(mesh, start, &path, &self.discs);
        let found = round.find();
        self.worked += round.work();
        if let Some(round) = found {
            self.phase = Phase::Found(round);
            return;
        }
        // No way leads round the characters there: not through that portal, then.
        if self.bars < MOST_BARRED
            && let Some(edge) = mesh.portal_at_discs(start, &path, &self.discs)
        {
            self.bars += 1;
            self.barred.bar(&mesh.shape.polygons, edge);
            self.search(mesh);
        }
    }

    /// No path. With portals that lead one way only, the goal may be in the same component and still out of reach.
    fn go_on_without_path(&mut self, mesh: &Mesh) {
        if self.is_cut_off {
            self.ends.reason = self.ends.reason.or(Some(NoPath::Unreachable));
            return;
        }
        let is_final = self.ends.is_nearest || !self.discs.is_empty() || !mesh.shape.regions.has_one_way();
        let Some(start) = self.ends.start.filter(|_| !is_final) else { return };
        let flood = MeshFlood::new(mesh, Some(start.floor.0));
        self.worked += flood.work();
        self.ends.reason = self.ends.reason.or(Some(NoPath::Unreachable));
        self.ends.goal = flood.stop_near(mesh, self.ends.wanted).unwrap_or(start);
        self.ends.is_nearest = true;
        self.search(mesh);
    }

    /// The expansions of the planner that runs.
    fn running(&self) -> u64 {
        match &self.phase {
            Phase::AnyAngle(search) => search.expansions(),
            Phase::Portals(search) => search.expansions(),
            Phase::Found(_) | Phase::Nothing => 0,
        }
    }

    pub(crate) fn work(&self) -> u64 {
        self.spent + self.worked + self.running()
    }

    pub(crate) fn finish(
        self,
        mesh: &Mesh,
        query: &Query,
        trace: Option<&mut PathTrace>,
    ) -> (Path, MeshSearchMemory) {
        let (ends, to, work) = (self.ends, query.to, self.work());
        let outcome = match ends.reason {
            None => Outcome::Complete,
            Some(NoPath::StartOffGround) => Outcome::None,
            Some(_) => Outcome::Partial,
        };
        let (mut waypoints, mut corridor, mut length_m) = (Vec::new(), Vec::new(), 0.0);
        if let (Some(start), Phase::Found(path)) = (ends.start, &self.phase) {
            length_m = path.length_m;
            corridor.extend(path.corridor.iter().map(|&polygon| FloorId(polygon)));
            if length_m > 0.0 {
                let turns = path.waypoints.iter();
                waypoints.extend(turns.map(|&(polygon, at)| Position { at, floor: FloorId(polygon) }));
            }
            // A path that stays at the start ends there. One that gets no nearer to its goal has no waypoints.
            let stays = length_m == 0.0 && outcome == Outcome::Complete;
            if start.at != query.from.at || stays {
                waypoints.insert(0, start);
            }
        }
        if let Some(trace) = trace {
            trace.points = std::iter::once(query.from.at).chain(waypoints.iter().map(|at| at.at)).collect();
            let line = |leg: &[DVec2]| Try { from: leg[0], to: leg[1], clear: true, blocked_at: None };
            trace.tries = trace.points.windows(2).map(line).collect();
        }
        let begin = || mesh.start_of(query);
        let end = waypoints.last().copied().or(ends.start).unwrap_or_else(begin);
        let avoiding = if self.ignoring { Step::Ignoring } else { Step::Avoiding };
        let is_there = end == ends.wanted && ends.is_at_a_floor;
        let wanted = if ends.is_at_a_floor { mesh.place(ends.wanted) } else { to };
        let is_snapped = outcome != Outcome::None && !is_there;
        let path = Path {
            outcome,
            step: if ends.reason.is_some() { Step::Nearest } else { avoiding },
            reason: ends.reason,
            closed_area: ends.closed.map(|area| mesh.area_name(area).to_owned()),
            to,
            snapped_to: is_snapped.then_some(end),
            missed_by_m: if is_there { 0.0 } else { mesh.distance(end, wanted, ends.is_at_a_floor) },
            waypoints,
            corridor,
            cost_cells: length_m,
            crossings: Vec::new(),
            steps: Vec::new(),
            length_m,
            expansions: self.expansions,
            work,
        };
        (path, self.into_memory())
    }
}

impl Ends {
    fn new(mesh: &Mesh, query: &Query) -> Self {
        let (from, to) = (mesh.start_of(query), mesh.locate(query.to));
        // The floor of a walker is known.
        let starts_at_a_floor = query.from_floor.is_some() || mesh.is_at_a_floor(query.from);
        let start = mesh.nearest_place(from, query.snap_m).filter(|_| starts_at_a_floor);
        let is_at_a_floor = mesh.is_at_a_floor(query.to);
        let closed = mesh.closed_area_over(to).filter(|_| is_at_a_floor);
        let there = mesh.nearest_place(to, query.snap_m).filter(|_| is_at_a_floor);
        let Some(begin) = start else {
            return Self {
                start,
                wanted: to,
                is_at_a_floor,
                goal: to,
                reason: Some(NoPath::StartOffGround),
                closed: None,
                is_nearest: false,
            };
        };
        let component = mesh.component(begin.floor.0);
        let is_joined = |polygon: u32| mesh.component(polygon) == component;
        let joined = there.filter(|there| is_joined(there.floor.0));
        let reason = match (closed, there, joined) {
            (Some(_), ..) => Some(NoPath::GoalClosed),
            (None, None, _) => Some(NoPath::GoalOffGround),
            (None, Some(_), None) => Some(NoPath::Unreachable),
            (None, Some(_), Some(_)) => None,
        };
        let goal = joined.or_else(|| mesh.nearest_stop(to, is_joined)).unwrap_or(begin);
        Self { start, wanted: to, is_at_a_floor, goal, reason, closed, is_nearest: joined.is_none() }
    }
}

impl Mesh {
    /// The distance from a position to a place, in space if the place has a height. The height of a place that is reached
    /// may be a little off.
    fn distance(&self, position: Position, to: crate::nav::Place, is_at_a_floor: bool) -> f64 {
        let away_m = position.at.distance(to.at);
        match to.y_m.filter(|_| self.has_heights() || !is_at_a_floor) {
            Some(y_m) => libm::hypot(away_m, self.height_m(position) - y_m),
            _ => away_m,
        }
    }
}
