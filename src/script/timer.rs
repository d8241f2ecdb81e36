//! A timer: its action, and its creator.

use super::owner::{Owner, TaskId};
use mlua::{Function, Value};

/// A timer's number, in the order they were set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TimerId(pub(super) u64);

/// The action of a timer.
#[derive(Clone)]
pub(super) enum Action {
    /// Calls a function. It cannot be saved.
    Call(Function),
    /// Calls `on_timer` with this name and data.
    Tell { name: String, data: Value },
}

#[derive(Clone)]
pub(super) struct Timer {
    pub(super) owner: Owner,
    pub(super) action: Action,
    /// Ticks between calls, if it repeats.
    pub(super) period: Option<u64>,
    /// The coroutine that set it; when restarted, it sets its timers again.
    pub(super) set_by: Option<TaskId>,
    /// The module that was loading when it was set; loading it again sets the timer again.
    pub(super) loading: Option<String>,
    /// Its failures in a row.
    pub(super) failures: u32,
}
