//! What an explanation may cost.

use crate::nav::Anchor;
use crate::surface::{Flood, Surface};

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

    /// Everything that can be walked to from where the way begins.
    pub(super) fn flood(&mut self, ground: &Surface, from: &Anchor) -> Option<Flood> {
        let flood = ground.flood(from, None, self.left);
        self.pay(flood.work())?;
        Some(flood)
    }

    /// Whether a way leads from one end to the other.
    pub(super) fn joined(&mut self, ground: &Surface, (from, to): (&Anchor, &Anchor)) -> Option<bool> {
        self.pay(1)?;
        if ground.is_straight_way(from.at, to.at) {
            return Some(true);
        }
        let mut flood = ground.flood(from, Some(to), self.left);
        let leads = flood.leads_to(ground, to);
        self.pay(flood.work())?;
        Some(leads)
    }
}
