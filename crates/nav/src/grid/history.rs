//! The recent changes of the ground, so that caches can tell which entries are still valid.

use super::frame::CellRect;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of changes kept. A cache with an older state must be rebuilt.
const REMEMBERED: usize = 32;

/// The edition, which is an id of the ground's present state, and the recent changes that led to it.
///
/// Unlike a revision, an edition is never used twice in a process, not even by copies of a ground that change
/// separately. Editions are only compared, and cached results equal fresh ones, so no result depends on them.
#[derive(Debug, Clone)]
pub(super) struct History {
    edition: u64,
    /// The earlier editions, each with the change after it, the oldest first.
    changes: VecDeque<(u64, CellRect)>,
}

impl Default for History {
    fn default() -> Self {
        Self { edition: new_edition(), changes: VecDeque::new() }
    }
}

/// Two grounds are equal if their present states are; their histories do not count.
impl PartialEq for History {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl History {
    pub(super) fn note(&mut self, changed: CellRect) {
        if self.changes.len() == REMEMBERED {
            self.changes.pop_front();
        }
        self.changes.push_back((self.edition, changed));
        self.edition = new_edition();
    }

    pub(super) fn edition(&self) -> u64 {
        self.edition
    }

    /// The changes after an edition. `None` if it is too old, or belongs to another ground.
    pub(super) fn since(&self, edition: u64) -> Option<impl Iterator<Item = CellRect> + '_> {
        let known = match edition == self.edition {
            true => Some(self.changes.len()),
            false => self.changes.iter().position(|(before, _)| *before == edition),
        };
        known.map(|first| self.changes.iter().skip(first).map(|(_, changed)| *changed))
    }
}

fn new_edition() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
