//! A queue of queries with one budget a tick.

use super::{Planner, PlannerState};
use crate::nav::{Path, Progress, Query};
use crate::surface::{IdleMemory, Surface};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The number of queries searched at the same time. Each needs scratch space the size of the ground. A few are enough
/// to let short queries overtake a long one.
pub const MAX_ACTIVE: usize = 4;

/// The expansions of a query in one turn. A turn is long enough to keep the query's data in the cache, and short
/// enough that a query across the map delays no other one.
const SLICE: u64 = 512;

/// A query that began again this often, because doors open and close all the time, is answered in one go. So every
/// query is answered in the end.
const PATIENCE: u32 = 8;

/// The cost of a query besides its expansions. With it, the budget bounds a crowd of tiny queries, too.
const QUERY_COST: u64 = 32;

/// Answers the queries of owners `K` fairly: they begin in the order of arrival, and those begun take turns.
#[derive(Debug, Clone)]
pub struct PathQueue<K> {
    waiting: VecDeque<K>,
    active: VecDeque<(K, Planner)>,
    idle: IdleMemory,
}

/// A [`PathQueue`] as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueState<K> {
    /// The owners of the waiting queries, the next one first.
    pub waiting: Vec<K>,
    /// The queries being answered, in the order of their turns.
    pub active: Vec<(K, PlannerState)>,
}

impl<K> Default for PathQueue<K> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), active: VecDeque::new(), idle: IdleMemory::default() }
    }
}

impl<K: Copy + PartialEq> PathQueue<K> {
    /// Queues a path query for an owner who has none here. The query itself is asked for when its turn comes.
    pub fn submit(&mut self, owner: K) {
        self.waiting.push_back(owner);
    }

    /// Forgets the owner's query, if any.
    pub fn cancel(&mut self, owner: K) {
        self.waiting.retain(|other| *other != owner);
        if let Some(index) = self.active.iter().position(|(other, _)| *other == owner)
            && let Some((_, planner)) = self.active.remove(index)
        {
            self.idle.put(planner.into_memory());
        }
    }

    /// The owners of the queries being answered, then of those waiting.
    pub fn owners(&self) -> impl Iterator<Item = K> + '_ {
        self.active.iter().map(|(owner, _)| *owner).chain(self.waiting.iter().copied())
    }

    /// The state as data.
    pub fn state(&self, ground: &Surface) -> QueueState<K> {
        let active = self.active.iter().map(|(owner, planner)| (*owner, planner.state(ground)));
        QueueState { waiting: self.waiting.iter().copied().collect(), active: active.collect() }
    }

    /// Restores a queue from [`PathQueue::state`], over the same ground.
    pub fn restore(ground: &Surface, state: QueueState<K>) -> Self {
        let mut idle = IdleMemory::default();
        let planners = state.active.into_iter();
        let active = planners
            .map(|(owner, planner)| (owner, Planner::restore(ground, planner, idle.take())))
            .collect();
        Self { waiting: state.waiting.into(), active, idle }
    }

    /// The number of queries waiting or being answered.
    pub fn len(&self) -> usize {
        self.waiting.len() + self.active.len()
    }

    /// Whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Spends up to `budget` node expansions. Calls `ask` for each query whose turn has come, and `answer` for each
    /// finished query, in the order they finish.
    pub fn serve(
        &mut self,
        ground: &Surface,
        budget: u64,
        mut ask: impl FnMut(K) -> Query,
        mut answer: impl FnMut(K, Path),
    ) {
        let mut left = budget;
        while left > 0 {
            while self.active.len() < MAX_ACTIVE
                && let Some(owner) = self.waiting.pop_front()
            {
                let planner = Planner::new(ground, ask(owner), self.idle.take());
                left = left.saturating_sub(QUERY_COST + planner.work());
                self.active.push_back((owner, planner));
            }
            let Some((owner, mut planner)) = self.active.pop_front() else { return };
            let before = planner.work();
            let slice = if planner.restarts() > PATIENCE { u64::MAX } else { SLICE.min(left.max(1)) };
            let progress = planner.advance(ground, slice);
            left = left.saturating_sub(planner.work().saturating_sub(before));
            match progress {
                Progress::Running => self.active.push_back((owner, planner)),
                Progress::Done => {
                    let (path, memory) = planner.finish(ground);
                    self.idle.put(memory);
                    answer(owner, path);
                }
            }
        }
    }
}
