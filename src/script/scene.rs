//! The state of scenes: which scene directs which character, and what pauses.

use super::owner::{Owner, TaskId};
use super::wakeups::Key;
use crate::crowd::CharacterId;
use std::collections::{BTreeMap, BTreeSet};

/// The state of scenes.
#[derive(Default)]
pub(super) struct Directing {
    /// The sequences that direct each character, in order of their start: the last one is in control.
    pub(super) directors: BTreeMap<CharacterId, BTreeSet<(TaskId, Owner)>>,
    /// The scenes of each character that the world knows, in the order in which they interrupted it.
    pub(super) levels: BTreeMap<CharacterId, Vec<Level>>,
    /// Paused sequences, by the outermost sequence of their family, with the tick of the pause.
    pub(super) paused: BTreeMap<Key, u64>,
    /// Characters whose timers were parked at the last review.
    pub(super) parked: BTreeSet<CharacterId>,
    /// Characters whose scenes changed, and whose change is not applied to the world yet.
    pub(super) changed: BTreeSet<CharacterId>,
    /// Whether sequences or timers that may have to pause were added or removed.
    pub(super) stale: bool,
}

/// A scene that interrupted a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    pub(super) by: (TaskId, Owner),
    /// How often scripts had told the character to stop before the scene.
    pub(super) stops: u64,
}

impl Directing {
    /// Removes the newest level whose scene is over; returns it with its index.
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

    /// The scenes of a character that the world does not know yet, the oldest first.
    pub(super) fn begun(&self, who: CharacterId) -> Vec<(TaskId, Owner)> {
        let known = self.levels.get(&who);
        let known =
            |by: &(TaskId, Owner)| known.is_some_and(|levels| levels.iter().any(|level| level.by == *by));
        self.directors.get(&who).into_iter().flatten().filter(|by| !known(by)).copied().collect()
    }

    /// Resets the state before all sequences are put in again; it is rebuilt from them.
    pub(super) fn begin_again(&mut self) {
        self.changed.extend(self.directors.keys().copied());
        self.directors.clear();
        self.stale = true;
    }
}
