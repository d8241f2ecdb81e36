//! Specs: Lua files that test a room, in the Lua state of the room's scripts. The body of a test is a
//! sequence of an owner of its own, so it can do all that scripts can. Work that must be done between two
//! ticks is a [`Request`]. Expectations of later ticks are checked here after each tick, without Lua.

mod outline;
mod run;
mod slice;
mod watch;

pub(crate) use outline::Outline;
pub use outline::{Case, Focus};
pub(crate) use run::{Request, RequestId, TestState};
pub(crate) use slice::Written;

pub(super) use outline::Reading;

pub(super) use watch::{Kind, Standing, Target, Walking, Watch, Who};

use super::game::GameValue;
use super::owner::TaskId;
use crate::crowd::CharacterId;
use crate::nav::Place;
use crate::problem::Problem;
use crate::world::World;
use glam::DVec2;
use mlua::Function;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};

/// A failed expectation or an error in a test.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The file of the line at fault.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// What was expected; empty for a script error.
    pub expected: String,
    /// What was seen instead, or the error.
    pub seen: String,
    /// The script lines that an error came through.
    pub traceback: Vec<String>,
    /// The problems of a file that was to be loaded.
    pub problems: Vec<Problem>,
    /// The tick.
    pub tick: u64,
    /// The characters concerned.
    pub about: Vec<CharacterId>,
    /// The places concerned, metres.
    pub places: Vec<DVec2>,
    /// The path a character took, where another was expected.
    pub ways: Option<Ways>,
    /// Whether the test's own code is at fault, not the room.
    pub is_of_code: bool,
    /// The room at that moment; only for the first failure of a test, and until it is drawn.
    pub world: Option<Box<World>>,
}

/// A recorded path and the path of this run: places in metres, a few per second.
#[derive(Debug, Clone, PartialEq)]
pub struct Ways {
    /// As recorded; empty if the character was not there then.
    pub recorded: Vec<DVec2>,
    /// In this run.
    pub now: Vec<DVec2>,
}

/// The result of an expectation.
pub(crate) struct Finding {
    pub(crate) expected: String,
    pub(crate) seen: String,
    pub(crate) about: Vec<CharacterId>,
    pub(crate) places: Vec<DVec2>,
}

/// A line of a script.
pub(crate) type ScriptLine = (String, u32);

/// The state of the spec of a Lua state.
#[derive(Default)]
pub(super) struct Spec {
    /// Whether a room is loaded; until then the world is empty.
    pub(super) has_room: Cell<bool>,
    /// The line that called `load_room`.
    pub(super) loaded_at: RefCell<Option<ScriptLine>>,
    /// Whether a test is running; false while the file is read.
    pub(super) running: Cell<bool>,
    /// The focus of the next `describe` or `it`.
    pub(super) focus: Cell<Focus>,
    pub(super) reading: RefCell<Reading>,
    /// The remaining steps of the test, in order.
    pub(super) steps: RefCell<VecDeque<Function>>,
    /// Steps to run after the test, however it ends.
    pub(super) after: RefCell<VecDeque<Function>>,
    /// Whether a step is being started, and whether another is due after it.
    pub(super) begins_steps: Cell<bool>,
    pub(super) step_is_due: Cell<bool>,
    /// Whether the steps are over and nothing of the test runs any more.
    pub(super) is_over: Cell<bool>,
    /// The reason the test gave for being pending.
    pub(super) pending: RefCell<Option<String>>,
    pub(super) requests: RefCell<VecDeque<(TaskId, Request)>>,
    /// Clicks not delivered to the inbox yet.
    pub(super) clicks: RefCell<Vec<Place>>,
    /// Outcomes that sequences of the test wait for.
    pub(super) watches: RefCell<Vec<(TaskId, Watch)>>,
    /// Conditions that must hold until the end of the test.
    pub(super) standing: RefCell<Vec<Standing>>,
    /// Conditions that sequences of the test wait for: the line, and the condition.
    pub(super) patient: RefCell<BTreeMap<TaskId, (ScriptLine, String)>>,
    /// Each saying with its speaker, and its first and last tick.
    pub(super) said: RefCell<BTreeMap<(CharacterId, String), (u64, u64)>>,
    /// Whether there were more sayings than are kept.
    pub(super) more_was_said: Cell<bool>,
    /// Areas that opened or closed: the last tick, and whether they were open then.
    pub(super) switched: RefCell<BTreeMap<String, (u64, bool)>>,
    /// Errors of the room's scripts.
    pub(super) reported: RefCell<Vec<String>>,
    pub(super) failures: RefCell<Vec<Failure>>,
    /// The problems of the last refused file, and the message given to the test.
    pub(super) refused: RefCell<Option<(String, Vec<Problem>)>>,
    /// Calls of the game's functions since the test began: the name, and the arguments as they were given.
    pub(super) calls: RefCell<Vec<(String, Vec<GameValue>)>>,
    /// Number of expectations checked.
    pub(super) expectations: Cell<u64>,
    /// The line at which the test sleeps.
    pub(super) waits_at: RefCell<Option<(String, usize)>>,
}

/// Maximum failures kept of a test: a loop around a `pcall` may cause any number.
const MOST_FAILURES: usize = 20;

/// Maximum calls of the game's functions kept of a test.
const MOST_CALLS: usize = 10_000;

impl Spec {
    /// Records a failed expectation. Returns the error to raise for it.
    pub(super) fn fail(&self, world: &World, (file, line): ScriptLine, finding: Finding) -> String {
        let Finding { expected, seen, about, places } = finding;
        let message = format!("{file}:{line}: expected {expected}; seen: {seen}");
        let failure = Failure {
            file,
            line,
            expected,
            seen,
            traceback: Vec::new(),
            problems: Vec::new(),
            tick: world.tick_number(),
            about,
            places,
            ways: None,
            is_of_code: false,
            world: None,
        };
        self.note(world, failure);
        message
    }

    /// Notes a call of a function of the game. Of more than are kept, the first are.
    pub(super) fn note_call(&self, name: String, arguments: Vec<GameValue>) {
        let mut calls = self.calls.borrow_mut();
        if calls.len() < MOST_CALLS {
            calls.push((name, arguments));
        }
    }

    /// The arguments of the calls of a function of the game.
    pub(super) fn calls_of(&self, name: &str) -> Vec<Vec<GameValue>> {
        let calls = self.calls.borrow();
        calls.iter().filter(|(called, _)| called == name).map(|(_, arguments)| arguments.clone()).collect()
    }

    /// Records a failure, with the room as it is.
    pub(super) fn note(&self, world: &World, mut failure: Failure) {
        let mut failures = self.failures.borrow_mut();
        if failures.is_empty() && self.has_room.get() {
            failure.world = Some(Box::new(world.clone()));
        }
        if failures.len() < MOST_FAILURES {
            failures.push(failure);
        }
    }

    /// Releases every Lua value.
    pub(super) fn release(&self) {
        *self.reading.borrow_mut() = Reading::default();
        self.steps.borrow_mut().clear();
        self.after.borrow_mut().clear();
    }
}
