//! A queue of queries with one shared budget per tick.

use super::{LinkNet, Planner, PlannerState};
use crate::nav::{Path, Progress, Query};
use crate::surface::{IdleMemory, Surface};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The number of queries searched at the same time. Each needs buffers proportional to the ground. A few are enough
/// to let short queries overtake a long one.
pub(crate) const MAX_ACTIVE: usize = 4;

/// Work spent on one query per turn. A turn is long enough to profit from the query's data in the CPU cache. A query
/// across the map delays each turn of the others by at most one slice (but see [`PATIENCE`]).
const SLICE: u64 = 512;

/// A query restarted more often than this (for example by a door that keeps opening and closing) runs to completion in
/// one turn. This prevents starvation.
const PATIENCE: u32 = 8;

/// The fixed cost of a query, charged in addition to its work, so that the budget also limits many tiny queries.
const QUERY_COST: u64 = 32;

/// Answers the queries of owners `K` fairly: FIFO start, then round robin among the [`MAX_ACTIVE`] started queries.
#[derive(Debug, Clone)]
pub(crate) struct PathQueue<K> {
    waiting: VecDeque<K>,
    active: VecDeque<(K, Planner)>,
    idle: IdleMemory,
}

/// Serialisable state of a [`PathQueue`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct QueueState<K> {
    /// The owners of the waiting queries, in the order in which the queries will start.
    pub waiting: Vec<K>,
    /// The started queries with their owners, in the order of their turns.
    pub active: Vec<(K, PlannerState)>,
}

impl<K> Default for PathQueue<K> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), active: VecDeque::new(), idle: IdleMemory::default() }
    }
}

impl<K: Copy + PartialEq> PathQueue<K> {
    /// Queues a query of an owner. Precondition: `owner` has no query queued. The `ask` of [`PathQueue::serve`]
    /// supplies the query later.
    pub(crate) fn submit(&mut self, owner: K) {
        self.waiting.push_back(owner);
    }

    /// Removes the owner's query, if there is one.
    pub(crate) fn cancel(&mut self, owner: K) {
        self.waiting.retain(|other| *other != owner);
        if let Some(index) = self.active.iter().position(|(other, _)| *other == owner)
            && let Some((_, planner)) = self.active.remove(index)
        {
            self.idle.put(planner.into_memory());
        }
    }

    /// Asks for the started queries again, in their order: their positions are of a ground that is no more.
    pub(crate) fn ask_again(&mut self) {
        while let Some((owner, planner)) = self.active.pop_back() {
            self.idle.put(planner.into_memory());
            self.waiting.push_front(owner);
        }
    }

    /// The serialisable state.
    pub(crate) fn state(&self, ground: &Surface, net: &LinkNet) -> QueueState<K> {
        let active = self.active.iter().map(|(owner, planner)| (*owner, planner.state(ground, net)));
        QueueState { waiting: self.waiting.iter().copied().collect(), active: active.collect() }
    }

    /// Restores a queue from [`PathQueue::state`]. The ground must be the same.
    pub(crate) fn restore(ground: &Surface, net: &mut LinkNet, state: QueueState<K>) -> Self {
        let mut idle = IdleMemory::default();
        let planners = state.active.into_iter();
        let active = planners
            .map(|(owner, planner)| (owner, Planner::restore(ground, net, planner, idle.take())))
            .collect();
        Self { waiting: state.waiting.into(), active, idle }
    }

    /// Spends about `budget` units of [work](crate::nav#terms). A query restarted more than 8 times runs to its end
    /// regardless.
    ///
    /// `ask` supplies each query when it starts. `answer` receives each finished path, in the order in which the
    /// queries finish.
    pub(crate) fn serve(
        &mut self,
        ground: &Surface,
        net: &mut LinkNet,
        budget: u64,
        mut ask: impl FnMut(K) -> Query,
        mut answer: impl FnMut(K, Path),
    ) {
        let mut left = budget;
        while left > 0 {
            while self.active.len() < MAX_ACTIVE
                && let Some(owner) = self.waiting.pop_front()
            {
                let planner = Planner::new(ground, net, ask(owner), self.idle.take());
                left = left.saturating_sub(QUERY_COST + planner.work());
                self.active.push_back((owner, planner));
            }
            let Some((owner, mut planner)) = self.active.pop_front() else { return };
            let before = planner.work();
            let slice = if planner.restarts() > PATIENCE { u64::MAX } else { SLICE.min(left.max(1)) };
            let progress = planner.advance(ground, net, slice);
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
