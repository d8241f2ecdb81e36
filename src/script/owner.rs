//! Whose timers and sequences they are, and which.

use crate::crowd::CharacterId;
/// Whose code runs: a room script (by its number, never used twice) or a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    Room(usize),
    Character(CharacterId),
}

impl Owner {
    /// The console is like one more room script, with a number that none will have.
    pub(super) const CONSOLE: Self = Self::Room(usize::MAX);

    /// And so is the spec that tests the room.
    pub(super) const SPEC: Self = Self::Room(usize::MAX - 1);
}

/// One coroutine of ours, numbered in the order of their start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TaskId(pub(super) u64);

impl TaskId {
    pub(super) const FIRST: Self = Self(0);
    pub(super) const LAST: Self = Self(u64::MAX);
}
