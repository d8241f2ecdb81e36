//! What there is to know about scenes: who directs whom, and what pauses.

use super::owner::{Owner, TaskId};
use super::wakeups::Key;
use crate::crowd::CharacterId;
use std::collections::{BTreeMap, BTreeSet};

/// What there is to know about scenes.
#[derive(Default)]
pub(super) struct Directing {
    /// The sequences that direct each character, in order of their start: the last one has it.
    pub(super) directors: BTreeMap<CharacterId, BTreeSet<(TaskId, Owner)>>,
    /// Sequences that pause, by the outermost of their family, since when.
    pub(super) paused: BTreeMap<Key, u64>,
    /// Characters for whom something changed, and that the world has not been told of.
    pub(super) changed: BTreeSet<CharacterId>,
    /// Whether sequences or timers came or went that may have to pause.
    pub(super) stale: bool,
}

impl Directing {
    /// All sequences are about to be put in again: who directs whom follows from them.
    pub(super) fn begin_again(&mut self) {
        self.changed.extend(self.directors.keys().copied());
        self.directors.clear();
        self.stale = true;
    }
}
