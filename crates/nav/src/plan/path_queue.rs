//! A queue of queries with one shared budget per tick.
//!
//! The order in which queries start: the player's first, then by priority, then by distance to the focus, then by age.
//! A query that has waited for half a second is *late*. While there are late queries, every fourth query that starts is
//! the one that was requested first. So a query with `n` older ones before it starts at the latest as the
//! `4 (n + 1)`-th after it became late, whatever arrives meanwhile. (The player's query that is searched besides the usual
//! number does not count.)

use super::{LinkNet, PathStats, Planner, PlannerState};
use crate::nav::{Disc, Path, Progress, Query};
use crate::surface::{Idle, SearchMemory, Surface};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// The number of queries searched at the same time. Each needs buffers proportional to the ground. A few are enough
/// to let short queries overtake a long one.
pub(crate) const MAX_ACTIVE: usize = 4;

/// One more query may start beside them if it is the player's, and the only one of the player.
const FOR_THE_PLAYER: usize = 1;

/// While queries are late, one of this many that start is the oldest one.
const ONE_IN: u32 = 4;

/// Work spent on one query per turn. A turn is long enough to profit from the query's data in the CPU cache. A query
/// across the map delays each turn of the others by at most one slice (but see [`PATIENCE`]).
const SLICE: u64 = 512;

/// A query restarted more often than this (for example by a door that keeps opening and closing) runs to completion in
/// one turn. This prevents starvation.
const PATIENCE: u32 = 8;

/// The fixed cost of a query, charged in addition to its work, so that the budget also limits many tiny queries.
const QUERY_COST: u64 = 32;

/// What a query is about: the ground and the links of its owner.
pub(crate) type Over<'a> = (&'a Surface, &'a LinkNet);

/// Answers the queries of owners `K`: started by urgency and age, then round robin among the [`MAX_ACTIVE`] started
/// queries, and perhaps one of the player besides.
#[derive(Debug, Clone)]
pub(crate) struct PathQueue<K> {
    /// In the order in which they will start, unless others arrive.
    waiting: VecDeque<Request<K>>,
    active: VecDeque<(Request<K>, Planner)>,
    /// Queries started by urgency while others were late, since the oldest one had its turn.
    by_urgency: u32,
    stats: PathStats,
    /// The work so far, in expansions. It is no part of the state.
    work: u64,
    idle: Idle<SearchMemory>,
}

/// A query that was requested and is not answered.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Request<K> {
    owner: K,
    asked_tick: u64,
}

/// How urgent a query is. Greater is more urgent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Urgency {
    /// Whether it is the player's.
    pub player: bool,
    /// The priority of the character.
    pub priority: i32,
    /// The distance from the start of the path to the focus, in metres. 0 without a focus.
    pub to_focus_m: f64,
}

impl Urgency {
    /// The more urgent one comes first.
    fn before(&self, other: &Self) -> Ordering {
        let rank = |urgency: &Self| (urgency.player, urgency.priority);
        rank(other).cmp(&rank(self)).then(self.to_focus_m.total_cmp(&other.to_focus_m))
    }
}

/// The moment of a tick in which queries are answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// The tick.
    pub tick: u64,
    /// A query that has waited for so many ticks is late.
    pub late_ticks: u64,
}

/// Serialisable state of a [`PathQueue`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct QueueState<K> {
    /// The owners of the waiting queries, in the order in which they will start, unless others arrive.
    pub waiting: Vec<K>,
    /// The started queries with their owners, in the order of their turns.
    pub active: Vec<(K, PlannerState)>,
    /// The ticks of the requests: those of `waiting`, then those of `active`. One that is missing counts as 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_ticks: Vec<u64>,
    /// Queries started by urgency while others were late, since the oldest one had its turn.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub by_urgency: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl<K> QueueState<K> {
    /// Whether it holds no more started queries than a queue starts.
    pub(crate) fn is_sound(&self) -> bool {
        self.active.len() <= MAX_ACTIVE + FOR_THE_PLAYER
            && self.asked_ticks.len() <= self.waiting.len() + self.active.len()
            && self.by_urgency < ONE_IN
    }
}

impl<K> Default for PathQueue<K> {
    fn default() -> Self {
        Self {
            waiting: VecDeque::new(),
            active: VecDeque::new(),
            by_urgency: 0,
            stats: PathStats::default(),
            work: 0,
            idle: Idle::default(),
        }
    }
}

impl<K: Copy + PartialEq> PathQueue<K> {
    /// Queues a query of an owner. Precondition: `owner` has no query queued. The `ask` of [`PathQueue::serve`]
    /// supplies the query later.
    pub(crate) fn submit(&mut self, owner: K, tick: u64) {
        self.waiting.push_back(Request { owner, asked_tick: tick });
    }

    /// Removes the owner's query, if there is one.
    pub(crate) fn cancel(&mut self, owner: K) {
        self.waiting.retain(|other| other.owner != owner);
        if let Some(index) = self.active.iter().position(|(other, _)| other.owner == owner)
            && let Some((_, planner)) = self.active.remove(index)
        {
            self.idle.put(planner.into_memory());
        }
    }

    /// Asks for the started queries again, in their order: their positions are of a ground that is no more.
    pub(crate) fn ask_again(&mut self) {
        while let Some((request, planner)) = self.active.pop_back() {
            self.idle.put(planner.into_memory());
            self.waiting.push_front(request);
        }
    }

    /// How long queries have waited so far.
    pub(crate) fn stats(&self) -> PathStats {
        PathStats { waiting: self.waiting.len() + self.active.len(), ..self.stats }
    }

    /// The work of all searches, in expansions, since the queue was made or restored.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// The serialisable state.
    pub(crate) fn state<'a>(&self, over: impl Fn(K) -> Over<'a>) -> QueueState<K> {
        let requests = self.waiting.iter().chain(self.active.iter().map(|(request, _)| request));
        QueueState {
            waiting: self.waiting.iter().map(|request| request.owner).collect(),
            active: self
                .active
                .iter()
                .map(|(request, planner)| {
                    let (ground, net) = over(request.owner);
                    (request.owner, planner.state(ground, net))
                })
                .collect(),
            asked_ticks: requests.map(|request| request.asked_tick).collect(),
            by_urgency: self.by_urgency,
        }
    }

    /// Restores a queue from [`PathQueue::state`] and [`PathQueue::stats`]. The ground must be the same.
    pub(crate) fn restore<'a>(over: impl Fn(K) -> Over<'a>, state: QueueState<K>, stats: PathStats) -> Self {
        let idle = Idle::default();
        let mut ticks = state.asked_ticks.into_iter();
        let mut request = |owner| Request { owner, asked_tick: ticks.next().unwrap_or(0) };
        let waiting = state.waiting.into_iter().map(&mut request).collect();
        let planners = state.active.into_iter();
        let active = planners
            .map(|(owner, planner)| {
                let (ground, net) = over(owner);
                (request(owner), Planner::restore(ground, net, planner, idle.take()))
            })
            .collect();
        Self { waiting, active, by_urgency: state.by_urgency, stats, work: 0, idle }
    }

    /// Spends about `budget` units of [work](crate::nav#terms). A query restarted more than 8 times runs to its end
    /// regardless. As much as one node is expanded in every slice, so every search comes to its end.
    ///
    /// `over` tells over which ground and links an owner walks. `urgency` is asked once a tick for every query that waits.
    /// `ask` supplies each query when it starts. `answer` receives each finished path, in the order in which the queries
    /// finish. `owners` is what all four work on.
    #[allow(clippy::too_many_arguments)] // four callbacks over one state
    pub(crate) fn serve<'a, S>(
        &mut self,
        over: impl Fn(&S, K) -> Over<'a>,
        budget: u64,
        moment: Moment,
        owners: &mut S,
        urgency: impl Fn(&S, K) -> Urgency,
        mut ask: impl FnMut(&mut S, K) -> Query,
        mut answer: impl FnMut(K, Path, Vec<Disc>),
    ) {
        self.sort(|owner| urgency(owners, owner));
        let mut left = budget;
        while left > 0 {
            while let Some(request) = self.take_next(moment, |owner| urgency(owners, owner).player) {
                let (ground, net) = over(owners, request.owner);
                let planner = Planner::new(ground, net, ask(owners, request.owner), self.idle.take());
                left = left.saturating_sub(QUERY_COST + planner.work());
                self.work += QUERY_COST + planner.work();
                self.active.push_back((request, planner));
            }
            let Some((request, mut planner)) = self.active.pop_front() else { return };
            let (ground, net) = over(owners, request.owner);
            let before = planner.work();
            let slice = if planner.restarts() > PATIENCE { u64::MAX } else { SLICE.min(left.max(1)) };
            let progress = planner.advance(ground, net, slice);
            let spent = planner.work().saturating_sub(before);
            left = left.saturating_sub(spent);
            self.work += spent;
            match progress {
                Progress::Running => self.active.push_back((request, planner)),
                Progress::Done => {
                    let obstacles = planner.obstacles().to_vec();
                    let (path, memory) = planner.finish(ground);
                    self.idle.put(memory);
                    self.stats.answer(moment.tick.saturating_sub(request.asked_tick));
                    answer(request.owner, path, obstacles);
                }
            }
        }
    }

    /// Sorts the waiting queries: the most urgent first, of equals the oldest, of those the one that was there first.
    fn sort(&mut self, urgency: impl Fn(K) -> Urgency) {
        if self.waiting.len() < 2 {
            return;
        }
        let mut ranked: Vec<(Urgency, Request<K>)> =
            self.waiting.iter().map(|&request| (urgency(request.owner), request)).collect();
        ranked.sort_by(|(a, first), (b, second)| a.before(b).then(first.asked_tick.cmp(&second.asked_tick)));
        self.waiting = ranked.into_iter().map(|(_, request)| request).collect();
    }

    /// The next query to start, if one more can be searched.
    fn take_next(&mut self, moment: Moment, is_players: impl Fn(K) -> bool) -> Option<Request<K>> {
        let most_urgent = self.waiting.front()?;
        if self.active.len() >= MAX_ACTIVE {
            let has_room = self.active.len() < MAX_ACTIVE + FOR_THE_PLAYER;
            let is_first = !self.active.iter().any(|(request, _)| is_players(request.owner));
            let may_start = has_room && is_first && is_players(most_urgent.owner);
            return if may_start { self.waiting.pop_front() } else { None };
        }
        let (oldest, asked_tick) = self
            .waiting
            .iter()
            .map(|request| request.asked_tick)
            .enumerate()
            .min_by_key(|&(_, tick)| tick)?;
        if moment.tick.saturating_sub(asked_tick) < moment.late_ticks {
            self.by_urgency = 0;
            return self.waiting.pop_front();
        }
        self.by_urgency += 1;
        if self.by_urgency < ONE_IN {
            return self.waiting.pop_front();
        }
        self.by_urgency = 0;
        self.waiting.remove(oldest)
    }
}

#[cfg(test)]
#[path = "path_queue_tests.rs"]
mod tests;
