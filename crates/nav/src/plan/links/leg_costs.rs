//! Costs of paths between the ends of links, remembered until the ground changes.

use crate::nav::{LinkId, LinkWay};
use crate::surface::Surface;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Remembered costs. Whatever is remembered, a query charges the work of the search: so results and charges do not depend
/// on it. The lock is held for one look at it.
#[derive(Debug, Default)]
pub(super) struct LegCosts(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The revision of the ground that they were found on.
    revision: u64,
    costs: BTreeMap<(LinkWay, LinkWay), LegCost>,
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
    pub(super) fn get(&self, ground: &Surface, pair: (LinkWay, LinkWay)) -> Option<LegCost> {
        self.known(ground).costs.get(&pair).copied()
    }

    pub(super) fn put(&self, ground: &Surface, pair: (LinkWay, LinkWay), cost: LegCost) {
        self.known(ground).costs.insert(pair, cost);
    }

    /// Forgets the paths to and from a link.
    pub(super) fn forget(&mut self, id: LinkId) {
        let known = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        known.costs.retain(|(from, to), _| from.link != id && to.link != id);
    }

    /// What is known of the ground as it is now.
    fn known(&self, ground: &Surface) -> MutexGuard<'_, Known> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.revision != ground.revision() {
            *known = Known { revision: ground.revision(), costs: BTreeMap::new() };
        }
        known
    }
}

/// A clone knows nothing: results do not depend on it.
impl Clone for LegCosts {
    fn clone(&self) -> Self {
        Self::default()
    }
}
