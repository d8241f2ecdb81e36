//! A sequence: its coroutine, its wait, and its end.

use super::owner::TaskId;
use crate::crowd::{CharacterId, WalkId};
use mlua::{MultiValue, Thread, Value};
use std::collections::BTreeMap;

/// The wait of a coroutine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// Until the given tick.
    Until(u64),
    /// The end of a walk; at the deadline the walk is called off.
    Walk { who: CharacterId, walk: WalkId, deadline: Option<u64> },
    /// The end of its branches: of all, or of the first.
    Branches,
    /// Work outside of scripts.
    Outside,
}

/// The purpose of a coroutine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The behaviour's `run`: a reload starts it afresh.
    Run,
    /// Started by `start`: it finishes on the code it began with.
    OneShot,
    /// A line of the console: its results, or its error, are its answer.
    Line,
    /// The handler `on_link` of a character that is crossing a link.
    Crossing,
    /// The body of a test, or code that runs before or after it.
    Test,
}

#[derive(Clone)]
pub(super) struct Task {
    pub(super) role: Role,
    /// The module whose code it runs.
    pub(super) module: String,
    /// File and line where its function begins.
    pub(super) beginning: (String, u32),
    pub(super) thread: Thread,
    pub(super) wait: Wait,
    /// The last walk it started for each character; called off if the sequence is ended from outside or dies
    /// of an error.
    pub(super) walks: BTreeMap<CharacterId, WalkId>,
    /// Set when the wait is over: the result of the waiting function.
    pub(super) answer: Option<Reply>,
    /// The module that was loading when it was started: loading it again restarts the sequence.
    pub(super) loading: Option<String>,
    /// Its parent, if it is a branch, and its index among the branches.
    pub(super) branch_of: Option<(TaskId, usize)>,
    /// Its branches, while it waits for them.
    pub(super) branches: Option<Branches>,
    /// The characters it directs while it exists.
    pub(super) directs: Vec<CharacterId>,
    /// Ticks it has paused so far, because its character was directed.
    pub(super) paused_ticks: u64,
}

impl Task {
    /// A sequence that starts in this tick or the next.
    pub(super) fn new(role: Role, module: String, beginning: (String, u32), thread: Thread) -> Self {
        Self {
            role,
            module,
            beginning,
            thread,
            wait: Wait::Until(0),
            walks: BTreeMap::new(),
            answer: None,
            loading: None,
            branch_of: None,
            branches: None,
            directs: Vec::new(),
            paused_ticks: 0,
        }
    }

    /// Whether its wait is over.
    pub(super) fn is_due(&self, now: u64) -> bool {
        let over = match self.wait {
            Wait::Until(tick) => tick <= now,
            Wait::Walk { deadline, .. } => deadline.is_some_and(|deadline| deadline <= now),
            Wait::Branches | Wait::Outside => false,
        };
        over || self.answer.is_some()
    }
}

/// The result of a waiting function.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    /// Whether it went well, and why.
    Reason(bool, &'static str),
    /// The result of branches: success, the reason of the deciding branch, and its index.
    Branch { ok: bool, reason: Value, winner: Option<usize> },
    /// The result of outside work, or why it was not done.
    Outside(Result<(), String>),
    /// The results of a function of the game.
    Game(Vec<Value>),
}

/// Parallel branches, as seen by the sequence that waits for them.
#[derive(Debug, Clone)]
pub(super) struct Branches {
    /// Whether the first to end decides (a race).
    pub(super) race: bool,
    /// Number of branches still running.
    pub(super) left: usize,
    /// The first in the list that returned false, and its second result.
    pub(super) failed: Option<(usize, Value)>,
}

impl Branches {
    /// Notes the end of a branch, with its results. Returns the answer once it is decided.
    pub(super) fn end(&mut self, index: usize, mut results: MultiValue) -> Option<Reply> {
        let ok = results.pop_front() != Some(Value::Boolean(false));
        let reason = results.pop_front().unwrap_or(Value::Nil);
        if self.race {
            return Some(Reply::Branch { ok, reason, winner: Some(index) });
        }
        if !ok && self.failed.as_ref().is_none_or(|&(earlier, _)| index < earlier) {
            self.failed = Some((index, reason));
        }
        self.left -= 1;
        (self.left == 0).then(|| match self.failed.take() {
            Some((_, reason)) => Reply::Branch { ok: false, reason, winner: None },
            None => Reply::Reason(true, "done"),
        })
    }
}
