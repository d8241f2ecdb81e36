//! What an explanation may cost.

use super::ends::Ends;
use crate::space::{Ground, Node, Reach};

/// Work that is left, counted in expansions of a search.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    spent: u64,
}

impl Budget {
    pub(super) fn new(most: u64) -> Self {
        Self { left: most, spent: 0 }
    }

    /// What was paid so far.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// What is left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Pays; `None` if that is more than is left.
    pub(super) fn pay(&mut self, work: u64) -> Option<()> {
        self.spent = self.spent.saturating_add(work.min(self.left));
        let enough = work <= self.left;
        self.left = self.left.saturating_sub(work);
        enough.then_some(())
    }

    /// All that can be walked to from where the way begins.
    pub(super) fn reach(&mut self, ground: &Ground, ends: &Ends) -> Option<Reach> {
        let mut reach = Reach::new(ground, self.left);
        reach.spread_from(ground, ends.begin, ends.start, None);
        self.pay(reach.work())?;
        Some(reach)
    }

    /// Whether nodes alone lead from one to another.
    pub(super) fn nodes_joined(&mut self, ground: &Ground, (from, to): (Node, Node)) -> Option<bool> {
        let mut reach = Reach::new(ground, self.left);
        reach.spread(ground, from, Some(to));
        self.pay(reach.work())?;
        Some(reach.holds(ground, to))
    }

    /// Whether a way leads from one end to the other.
    pub(super) fn joined(&mut self, ground: &Ground, ends: &Ends) -> Option<bool> {
        self.pay(1)?;
        if ground.is_straight_way(ends.begin, ends.end) {
            return Some(true);
        }
        let mut reach = Reach::new(ground, self.left);
        reach.spread_from(ground, ends.begin, ends.start, ends.goal);
        let leads = reach.leads_to(ground, ends.end, ends.goal);
        self.pay(reach.work())?;
        Some(leads)
    }
}
