//! What changed lately, so that caches about the ground can tell what they may keep.

use super::frame::CellRect;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many changes are remembered; who has not looked for longer begins anew.
const REMEMBERED: usize = 32;

/// Names every state of every ground, and the way that led to this one.
///
/// Unlike a revision an edition is never used twice in a process, not by copies of a ground that go ways of their own either. It is only
/// ever compared, and what is kept is what would be found again, so no result depends on it.
#[derive(Debug, Clone)]
pub(super) struct History {
    edition: u64,
    /// The editions before, each with what changed after it, the oldest first.
    changes: VecDeque<(u64, CellRect)>,
}

impl Default for History {
    fn default() -> Self {
        Self { edition: new_edition(), changes: VecDeque::new() }
    }
}

/// Two grounds are equal if they are alike now, whatever they were.
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

    /// What changed after an edition; `None` if that is too long ago, or another ground's.
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
