//! Costs of paths between the ends of links, remembered until the ground changes.

use crate::nav::{LinkId, LinkWay};
use crate::surface::Surface;
use std::collections::BTreeMap;

/// Remembered costs. Whatever is remembered, a query charges the work of the search: so results and charges do not depend
/// on it.
#[derive(Debug, Default)]
pub(super) struct LegCosts {
    /// The revision of the ground that they were found on.
    revision: u64,
    known: BTreeMap<(LinkWay, LinkWay), LegCost>,
}

/// The cost of one path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LegCost {
    /// In metres. Infinite without a path.
    pub cost_m: f64,
    /// The work of the search.
    pub work: u64,
}

impl LegCosts {
    /// The cost of a path from the exit of one link to the entry of another. From the entry of a link to its own exit, if
    /// both are the same.
    pub(super) fn get(&mut self, ground: &Surface, pair: (LinkWay, LinkWay)) -> Option<LegCost> {
        if self.revision != ground.revision() {
            self.known.clear();
            self.revision = ground.revision();
        }
        self.known.get(&pair).copied()
    }

    pub(super) fn put(&mut self, pair: (LinkWay, LinkWay), cost: LegCost) {
        self.known.insert(pair, cost);
    }

    /// Forgets the paths to and from a link.
    pub(super) fn forget(&mut self, id: LinkId) {
        self.known.retain(|(from, to), _| from.link != id && to.link != id);
    }
}

/// A clone knows nothing: results do not depend on it.
impl Clone for LegCosts {
    fn clone(&self) -> Self {
        Self::default()
    }
}
