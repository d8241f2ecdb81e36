//! The budget of an explanation.

use crate::nav::Anchor;
use crate::surface::{Flood, Surface};

/// Counts the work spent and the work left. The unit is that of [work](crate::nav#terms).
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    spent: u64,
}

impl Budget {
    pub(super) fn new(most: u64) -> Self {
        Self { left: most, spent: 0 }
    }

    /// The work spent so far.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    /// The work left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Deducts `work`; `None` if not enough is left.
    pub(super) fn pay(&mut self, work: u64) -> Option<()> {
        self.spent = self.spent.saturating_add(work.min(self.left));
        let enough = work <= self.left;
        self.left = self.left.saturating_sub(work);
        enough.then_some(())
    }

    /// A flood over all nodes reachable from `from`. `None` if the budget ran out.
    pub(super) fn flood(&mut self, ground: &Surface, from: &Anchor) -> Option<Flood> {
        let flood = ground.flood(from, None, self.left);
        self.pay(flood.work())?;
        Some(flood)
    }

    /// Whether a path leads from one end to the other. `None` if the budget ran out.
    pub(super) fn joined(&mut self, ground: &Surface, (from, to): (&Anchor, &Anchor)) -> Option<bool> {
        self.pay(1)?;
        if ground.is_straight_way(from.at, to.at) {
            return Some(true);
        }
        // The ground may be a variant of the one that the anchors are on.
        let [from, to] = [from, to].map(|end| ground.anchor_again(end));
        let mut flood = ground.flood(&from, Some(&to), self.left);
        let leads = flood.leads_to(ground, &to);
        self.pay(flood.work())?;
        Some(leads)
    }
}
