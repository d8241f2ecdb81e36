//! What a sequence is: the coroutine, what it waits for, and what becomes of it.

use super::owner::TaskId;
use crate::crowd::{CharacterId, WalkId};
use mlua::{MultiValue, Thread, Value};
use std::collections::BTreeMap;

/// What a coroutine waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// The given tick.
    Until(u64),
    /// The end of a walk; at the deadline the walk is called off.
    Walk { who: CharacterId, walk: WalkId, deadline: Option<u64> },
    /// The end of the sequences that are its branches: of all, or of the first.
    Branches,
    /// What is done, or found out, outside of scripts.
    Outside,
}

/// What a coroutine is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The behaviour's `run`: a reload starts it afresh.
    Run,
    /// Started by `start`: it finishes on the code it began with.
    OneShot,
    /// A line of the console: what it gives, or its error, is its answer.
    Line,
    /// The body of a test, or what goes before or after it.
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
    /// The last walk of each character that it set going, to be called off if it is ended from outside or dies of an error.
    pub(super) walks: BTreeMap<CharacterId, WalkId>,
    /// Set when what it waited for has come: what the function that waits returns.
    pub(super) answer: Option<Reply>,
    /// The module being loaded when it was started: loading again starts it again.
    pub(super) loading: Option<String>,
    /// The sequence it is a branch of, and which of its branches.
    pub(super) branch_of: Option<(TaskId, usize)>,
    /// Its branches, while it waits for them.
    pub(super) branches: Option<Branches>,
    /// The characters it directs as long as it is there.
    pub(super) directs: Vec<CharacterId>,
    /// For how many ticks it has paused so far, because its character was directed.
    pub(super) paused_ticks: u64,
}

impl Task {
    /// A sequence that begins in this tick or the next.
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

/// What a function that waits returns.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    /// Whether it went well, and why.
    Reason(bool, &'static str),
    /// What branches came to: the same, in the words of the one that decided it, and which one that was.
    Branch { ok: bool, reason: Value, winner: Option<usize> },
    /// What came of it outside, or why nothing did.
    Outside(Result<(), String>),
}

/// Sequences side by side, as far as the one that waits for them needs to know.
#[derive(Debug, Clone)]
pub(super) struct Branches {
    /// Whether the first to end decides it.
    pub(super) race: bool,
    /// How many are still under way.
    pub(super) left: usize,
    /// The first in the list that returned false, and what it returned second.
    pub(super) failed: Option<(usize, Value)>,
}

impl Branches {
    /// One of them has come to an end, with these results. Gives the answer once that is decided.
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
