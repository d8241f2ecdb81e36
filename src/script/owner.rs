//! The owners of timers and sequences.

use crate::crowd::CharacterId;
/// The owner of running code: a room script (by its number, never reused) or a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    Room(usize),
    Character(CharacterId),
}

impl Owner {
    /// The console counts as a room script, with a number that no other has.
    pub(super) const CONSOLE: Self = Self::Room(usize::MAX);

    /// The spec that tests the room counts as a room script, too.
    pub(super) const SPEC: Self = Self::Room(usize::MAX - 1);
}

/// The number of a sequence, in the order of their start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TaskId(pub(super) u64);

impl TaskId {
    pub(super) const FIRST: Self = Self(0);
    pub(super) const LAST: Self = Self(u64::MAX);
}
