//! What an explanation may cost.

use crate::space::{Ground, Node, Reach};

/// Work that is left, counted in expansions of a search.
#[derive(Debug)]
pub(super) struct Purse {
    left: u64,
    spent: u64,
}

impl Purse {
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

    /// All that can be walked to from a node, or at least `until`.
    pub(super) fn reach(&mut self, ground: &Ground, from: Node, until: Option<Node>) -> Option<Reach> {
        let mut reach = Reach::new(ground, self.left);
        reach.spread(ground, from, until);
        self.pay(reach.work())?;
        Some(reach)
    }

    /// Whether a way leads from one node to another.
    pub(super) fn joined(&mut self, ground: &Ground, from: Node, to: Node) -> Option<bool> {
        Some(self.reach(ground, from, Some(to))?.holds(ground, to))
    }
}
