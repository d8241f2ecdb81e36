//! A timer: what it does, and who set it.

use super::owner::{Owner, TaskId};
use mlua::{Function, Value};

/// A timer, numbered in the order they were set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TimerId(pub(super) u64);

/// What a timer does.
#[derive(Clone)]
pub(super) enum Action {
    /// Calls a function. A saved room does not know it.
    Call(Function),
    /// Calls `on_timer` with this name and what goes with it.
    Tell { name: String, data: Value },
}

#[derive(Clone)]
pub(super) struct Timer {
    pub(super) owner: Owner,
    pub(super) action: Action,
    /// Ticks between calls, for those that repeat.
    pub(super) period: Option<u64>,
    /// The coroutine that set it: if that is started afresh, it sets its timers again.
    pub(super) set_by: Option<TaskId>,
    /// The module being loaded when it was set: loading again sets it again.
    pub(super) loading: Option<String>,
    /// How often in a row it has failed.
    pub(super) failures: u32,
}
