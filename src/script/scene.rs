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
    /// The scenes that the world knows of each character, in the order of what they put aside.
    pub(super) levels: BTreeMap<CharacterId, Vec<Level>>,
    /// Sequences that pause, by the outermost of their family, since when.
    pub(super) paused: BTreeMap<Key, u64>,
    /// Characters whose timers were parked when that was looked at last.
    pub(super) parked: BTreeSet<CharacterId>,
    /// Characters for whom something changed, and that the world has not been told of.
    pub(super) changed: BTreeSet<CharacterId>,
    /// Whether sequences or timers came or went that may have to pause.
    pub(super) stale: bool,
}

/// A scene that has put aside what a character was at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) by: (TaskId, Owner),
    /// How often scripts had told the character to stop before it.
    pub(super) stops: u64,
}

impl Directing {
    /// The newest level whose scene is over, taken out, and which one it was.
    pub(super) fn take_ended(&mut self, who: CharacterId) -> Option<(usize, Level)> {
        let directors = self.directors.get(&who);
        let levels = self.levels.get_mut(&who)?;
        let over = |level: &Level| directors.is_none_or(|directors| !directors.contains(&level.by));
        let ended = levels.iter().rposition(over)?;
        let level = levels.remove(ended);
        if let Some(later) = levels.get_mut(ended) {
            later.stops = level.stops;
        }
        if levels.is_empty() {
            self.levels.remove(&who);
        }
        Some((ended, level))
    }

    /// The scenes of a character that the world does not know of yet, the oldest first.
    pub(super) fn begun(&self, who: CharacterId) -> Vec<(TaskId, Owner)> {
        let known = self.levels.get(&who);
        let known =
            |by: &(TaskId, Owner)| known.is_some_and(|levels| levels.iter().any(|level| level.by == *by));
        self.directors.get(&who).into_iter().flatten().filter(|by| !known(by)).copied().collect()
    }

    /// All sequences are about to be put in again: who directs whom follows from them.
    pub(super) fn begin_again(&mut self) {
        self.changed.extend(self.directors.keys().copied());
        self.directors.clear();
        self.stale = true;
    }
}
