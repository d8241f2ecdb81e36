//! One query, answered over the ground and over links: first the direct path, then a route over links if one may be
//! cheaper. On grids, the search for the direct path mostly tells that none is. The search restarts when the ground or the links change.

use super::links::{LinkNet, Route};
use crate::nav::{Disc, Outcome, Path, PathTrace, Place, Progress, Query, SearchState};
use crate::surface::{Search, SearchMemory, Surface};
use serde::{Deserialize, Serialize};

/// A query being answered, one slice of work at a time.
#[derive(Debug, Clone)]
pub struct Planner {
    query: Query,
    stage: Stage,
    /// The revisions of the ground and of the links being searched. `None` forces a restart.
    revision: Option<(u64, u64)>,
    /// Restarts caused by changes.
    restarts: u32,
    /// The work of what was searched before the last restart, if links were part of it.
    wasted: u64,
    trace: Option<PathTrace>,
}

#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // few instances at a time; a box would cost an indirection
enum Stage {
    /// The direct path.
    Direct(Search),
    /// The direct path is known. A route over links may be cheaper. The state is that of the direct search at its end.
    Linked(SearchState, Box<Route>),
    /// No link helps.
    Found(SearchState, Path, SearchMemory),
}

/// Serialisable state of a [`Planner`]. Restoring replays the search. After restoring, call [`Planner::advance`]
/// before [`Planner::finish`].
///
/// A new stage begins when obstacles are added to the search or ignored, and when the ground changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannerState {
    /// The query.
    pub query: Query,
    /// Restarts caused by changes of the ground or the links.
    pub restarts: u32,
    /// Indices, in the query, of the obstacles added to the search so far, ascending.
    pub avoided: Vec<u32>,
    /// Whether the search ignores all obstacles.
    pub through: bool,
    /// Whether the ground has changed since the last `advance`. If so, the next [`Planner::advance`] restarts the
    /// search.
    pub stale: bool,
    /// [Work](crate::nav#terms) of the finished stages.
    pub spent: u64,
    /// Work of the current stage.
    pub expanded: u64,
    /// Work of the search for a route over links, which begins when the direct path is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked: Option<u64>,
}

impl Planner {
    /// Begins to answer a query.
    pub fn new(ground: &Surface, net: &LinkNet, query: Query, memory: SearchMemory) -> Self {
        let stage = Stage::Direct(Search::new(ground, &query, net.steps(ground, &query), memory));
        let revision = Some((ground.revision(), net.revision()));
        Self { query, stage, revision, restarts: 0, wasted: 0, trace: None }
    }

    /// The same planner, recording how the path is found.
    pub(super) fn traced(self) -> Self {
        Self { trace: Some(PathTrace::default()), ..self }
    }

    /// The serialisable state.
    pub fn state(&self, ground: &Surface, net: &LinkNet) -> PlannerState {
        let stale = self.revision != Some((ground.revision(), net.revision()));
        let (direct, linked) = match &self.stage {
            Stage::Direct(search) => (search.state(stale), None),
            Stage::Linked(direct, route) => (direct.clone(), Some(route.work())),
            Stage::Found(direct, ..) => (direct.clone(), Some(0)),
        };
        let SearchState { avoided, through, spent, expanded } = direct;
        let (query, restarts) = (self.query.clone(), self.restarts);
        // What a stale search did is only of interest for its work.
        let linked_work = linked.unwrap_or(0);
        let (spent, expanded, linked) = match stale {
            true => (spent + expanded + linked_work + self.wasted, 0, None),
            false => (spent + self.wasted, expanded, linked),
        };
        PlannerState { query, restarts, avoided, through, stale, spent, expanded, linked }
    }

    /// Restores a planner from [`Planner::state`]. The ground and the links must be the same.
    pub fn restore(ground: &Surface, net: &LinkNet, state: PlannerState, memory: SearchMemory) -> Self {
        let PlannerState { query, restarts, stale, linked, .. } = state;
        let PlannerState { avoided, through, spent, expanded, .. } = state;
        let direct = SearchState { avoided, through, spent, expanded };
        let search = Search::resume(ground, &query, net.steps(ground, &query), direct, memory);
        let revision = Some((ground.revision(), net.revision())).filter(|_| !stale);
        let mut planner =
            Self { query, stage: Stage::Direct(search), revision, restarts, wasted: 0, trace: None };
        if let Some(linked) = linked {
            while matches!(planner.stage, Stage::Direct(_)) {
                planner.step(ground, net, u64::MAX);
            }
            if let Stage::Linked(_, route) = &mut planner.stage
                && let Some(left) = linked.checked_sub(route.work()).filter(|&left| left > 0)
            {
                route.advance(ground, net, &planner.query, left);
            }
        }
        planner
    }

    /// Searches on until the query is answered or about `budget` units of [work](crate::nav#terms) are spent. If the
    /// ground or the links have changed since the last call, the search restarts.
    pub fn advance(&mut self, ground: &Surface, net: &LinkNet, budget: u64) -> Progress {
        let revision = Some((ground.revision(), net.revision()));
        if self.revision != revision {
            self.revision = revision;
            self.restarts += 1;
            self.restart(ground, net);
        }
        let stop_at = self.work().saturating_add(budget);
        loop {
            if self.step(ground, net, stop_at.saturating_sub(self.work())) == Progress::Done {
                return Progress::Done;
            }
            if self.work() >= stop_at {
                return Progress::Running;
            }
        }
    }

    fn restart(&mut self, ground: &Surface, net: &LinkNet) {
        // The place that stood for what was asked may be gone.
        if let Some(asked) = self.query.asked.filter(|_| !ground.is_walkable(ground.locate(self.query.to))) {
            (self.query.to, self.query.asked) = (asked, None);
        }
        let links = net.steps(ground, &self.query);
        if let Stage::Direct(search) = &mut self.stage {
            search.restart(ground, &self.query, links);
            return;
        }
        self.wasted = self.work();
        let memory = std::mem::replace(&mut self.stage, nothing()).into_memory();
        self.stage = Stage::Direct(Search::new(ground, &self.query, links, memory));
    }

    /// Advances the stage at hand. Done if the path is known; running if the budget ran out, or the next stage begins.
    fn step(&mut self, ground: &Surface, net: &LinkNet, budget: u64) -> Progress {
        match &mut self.stage {
            Stage::Direct(search) => {
                if search.advance(ground, &self.query, budget) == Progress::Running {
                    return Progress::Running;
                }
                // If no link helps, the search keeps its path: finishing it costs nothing that a budget would count.
                if net.is_empty() || search.no_link_helps() {
                    return Progress::Done;
                }
                let direct = search.state(false);
                let Stage::Direct(search) = std::mem::replace(&mut self.stage, nothing()) else {
                    return Progress::Done;
                };
                let (path, memory) = search.finish(ground, &self.query, self.trace.as_mut());
                self.stage = match Route::new(ground, net, &self.query, path, memory) {
                    Ok(route) => Stage::Linked(direct, route),
                    Err((path, memory)) => Stage::Found(direct, path, memory),
                };
                match &self.stage {
                    Stage::Found(..) => Progress::Done,
                    _ => Progress::Running,
                }
            }
            Stage::Linked(_, route) => route.advance(ground, net, &self.query, budget),
            Stage::Found(..) => Progress::Done,
        }
    }

    /// Restarts caused by changes of the ground or the links.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// The [work](crate::nav#terms) done so far, over all stages.
    pub fn work(&self) -> u64 {
        let direct = |state: &SearchState| state.spent + state.expanded;
        self.wasted
            + match &self.stage {
                Stage::Direct(search) => search.work(),
                Stage::Linked(state, route) => direct(state) + route.work(),
                Stage::Found(state, ..) => direct(state),
            }
    }

    /// The obstacles of the query.
    pub(super) fn obstacles(&self) -> &[Disc] {
        &self.query.obstacles
    }

    /// The path, and the scratch buffers. Call it once [`Planner::advance`] has returned [`Progress::Done`].
    pub fn finish(self, ground: &Surface) -> (Path, SearchMemory) {
        let (path, memory, _) = self.finish_traced(ground);
        (path, memory)
    }

    /// [`Planner::finish`] that also returns the debug trace.
    pub(super) fn finish_traced(mut self, ground: &Surface) -> (Path, SearchMemory, PathTrace) {
        let (mut path, memory) = match self.stage {
            Stage::Direct(search) => search.finish(ground, &self.query, self.trace.as_mut()),
            Stage::Linked(_, route) => route.finish(ground),
            Stage::Found(_, path, memory) => (path, memory),
        };
        if let Some(asked) = self.query.asked {
            path = path_to_asked(path, asked, ground);
        }
        (path, memory, self.trace.unwrap_or_default())
    }

    /// Cancels the query and returns its scratch buffers.
    pub(super) fn into_memory(self) -> SearchMemory {
        self.stage.into_memory()
    }
}

impl Stage {
    fn into_memory(self) -> SearchMemory {
        match self {
            Self::Direct(search) => search.into_memory(),
            Self::Linked(_, route) => route.into_memory(),
            Self::Found(_, _, memory) => memory,
        }
    }
}

/// The same path, of a query that asked for a place from which its goal was moved away.
fn path_to_asked(path: Path, asked: Place, ground: &Surface) -> Path {
    if path.outcome == Outcome::None {
        return Path { to: asked, ..path };
    }
    // A path without waypoints stays where it begins.
    let end = path.waypoints.last().copied().or(path.snapped_to).unwrap_or_else(|| ground.locate(path.to));
    Path { to: asked, snapped_to: Some(end), missed_by_m: ground.missed_m(asked, end), ..path }
}

/// What stands for a stage while it is being replaced.
fn nothing() -> Stage {
    Stage::Found(SearchState::default(), Path::empty(), SearchMemory::default())
}
