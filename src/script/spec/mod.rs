//! Specs: Lua files that test a room, in the state that the room's scripts run in. The body of a test is a sequence of one more
//! owner, so it can do all that scripts can. What it asks for that can only be done between two ticks is a [`Request`]; what it
//! expects of ticks to come is looked at here after each of them, without any Lua.

mod outline;
mod run;
mod slice;
mod watch;

pub use outline::{Case, Focus, Outline};
pub use run::{Request, RequestId, TestState};
pub use slice::Written;

pub(super) use outline::Reading;

pub(super) use watch::{Kind, Standing, Target, Walking, Watch, Who};

use super::owner::TaskId;
use crate::crowd::CharacterId;
use crate::problem::Problem;
use crate::world::World;
use glam::DVec2;
use mlua::Function;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};

/// Something that is not as a test expects it to be.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The file of the line to blame.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// What was expected; empty if this is an error of a script's.
    pub expected: String,
    /// What was seen instead, or the error.
    pub seen: String,
    /// The script lines that an error came through.
    pub traceback: Vec<String>,
    /// What is wrong with a file that was to be loaded.
    pub problems: Vec<Problem>,
    /// When.
    pub tick: u64,
    /// The characters concerned.
    pub about: Vec<CharacterId>,
    /// The places concerned, metres.
    pub places: Vec<DVec2>,
    /// The way somebody went, where another was expected.
    pub ways: Option<Ways>,
    /// Whether the code of the test is to blame, and nothing in the room.
    pub is_of_code: bool,
    /// The room at that moment; of the first failure of a test only, and until it is drawn.
    pub world: Option<Box<World>>,
}

/// A way that was recorded, and the one that was gone instead: places in metres, a few a second.
#[derive(Debug, Clone, PartialEq)]
pub struct Ways {
    /// As recorded; empty if the one who went it was not there.
    pub recorded: Vec<DVec2>,
    /// This time.
    pub now: Vec<DVec2>,
}

/// What an expectation finds.
pub(crate) struct Finding {
    pub(crate) expected: String,
    pub(crate) seen: String,
    pub(crate) about: Vec<CharacterId>,
    pub(crate) places: Vec<DVec2>,
}

/// A line of a script.
pub(crate) type ScriptLine = (String, u32);

/// What there is to know of the spec of a Lua state.
#[derive(Default)]
pub(super) struct Spec {
    /// Whether a room is there; until then the world is an empty one.
    pub(super) has_room: Cell<bool>,
    /// Where `load_room` was called.
    pub(super) loaded_at: RefCell<Option<ScriptLine>>,
    /// Whether a test is running, not the file being read.
    pub(super) running: Cell<bool>,
    /// How the next `describe` or `it` is meant.
    pub(super) focus: Cell<Focus>,
    pub(super) reading: RefCell<Reading>,
    /// What the test still has to do, in order.
    pub(super) steps: RefCell<VecDeque<Function>>,
    /// What is to be done after it, however it ends.
    pub(super) after: RefCell<VecDeque<Function>>,
    /// Whether a step is being begun, and whether another is to be begun after it.
    pub(super) begins_steps: Cell<bool>,
    pub(super) step_is_due: Cell<bool>,
    /// Whether the steps are over, and nothing of the test runs any more.
    pub(super) is_over: Cell<bool>,
    /// Why the test says it is not to be looked at.
    pub(super) pending: RefCell<Option<String>>,
    pub(super) requests: RefCell<VecDeque<(TaskId, Request)>>,
    /// Clicks on their way to the inbox.
    pub(super) clicks: RefCell<Vec<DVec2>>,
    /// What sequences of the test wait to find out.
    pub(super) watches: RefCell<Vec<(TaskId, Watch)>>,
    /// What is to hold until the end of the test.
    pub(super) standing: RefCell<Vec<Standing>>,
    /// What sequences of the test wait to become true: where, and what.
    pub(super) patient: RefCell<BTreeMap<TaskId, (ScriptLine, String)>>,
    /// What was said, by whom, each with its first and its last tick.
    pub(super) said: RefCell<BTreeMap<(CharacterId, String), (u64, u64)>>,
    /// Whether more was said than is kept.
    pub(super) more_was_said: Cell<bool>,
    /// Areas that opened or closed: when last, and whether they were open then.
    pub(super) switched: RefCell<BTreeMap<String, (u64, bool)>>,
    /// Errors of the room's scripts.
    pub(super) reported: RefCell<Vec<String>>,
    pub(super) failures: RefCell<Vec<Failure>>,
    /// What was wrong with the file that was refused last, and what the test was told of it.
    pub(super) refused: RefCell<Option<(String, Vec<Problem>)>>,
    /// How many expectations were looked at.
    pub(super) expectations: Cell<u64>,
    /// Where the test sleeps.
    pub(super) waits_at: RefCell<Option<(String, usize)>>,
}

/// Further failures of a test are not kept: a loop around a `pcall` may make any number.
const MOST_FAILURES: usize = 20;

impl Spec {
    /// Notes that an expectation failed. Gives the error to be raised for it.
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

    /// Notes a failure, with the room as it is.
    pub(super) fn note(&self, world: &World, mut failure: Failure) {
        let mut failures = self.failures.borrow_mut();
        if failures.is_empty() && self.has_room.get() {
            failure.world = Some(Box::new(world.clone()));
        }
        if failures.len() < MOST_FAILURES {
            failures.push(failure);
        }
    }

    /// Lets go of every Lua value.
    pub(super) fn release(&self) {
        *self.reading.borrow_mut() = Reading::default();
        self.steps.borrow_mut().clear();
        self.after.borrow_mut().clear();
    }
}
