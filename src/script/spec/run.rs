//! Running one test: its file is read again in a fresh state, and its steps are started one after the other.

use super::{Case, Failure, Finding, Outline, Reading, ScriptLine, Spec, Ways, Written};
use crate::nav::Place;
use crate::problem::Problem;
use crate::project::Project;
use crate::room::ScriptLimits;
use crate::script::api::{self, sequence};
use crate::script::calls::{Failure as Fault, SPEC_NAME};
use crate::script::error::{PRELUDE_CHUNK, beginning_of};
use crate::script::host::ENVIRONMENT;
use crate::script::load;
use crate::script::owner::{Owner, TaskId};
use crate::script::task::{Reply, Role, Task};
use crate::script::{GameApi, ScriptError, Scripts};
use crate::world::World;
use mlua::{Lua, MultiValue, Table};
use std::sync::Arc;

/// A request of a test that is carried out between two ticks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    /// Opens a room.
    LoadRoom {
        /// A path from the project's root, or the name of a room.
        room: String,
        /// Seeds every random stream.
        seed: u64,
        /// The limits of scripts.
        limits: ScriptLimits,
        /// Room scripts beside the room's own.
        scripts: Vec<String>,
        /// Behaviours that characters follow instead of their own.
        script_overrides: Vec<(String, String)>,
        /// Whether the test continues when a script of the room has an error.
        allow_errors: bool,
    },
    /// Reads a file again, or replaces its text.
    Reload {
        /// A path from the project's root.
        file: String,
        /// Its new text; none for the text on disk.
        text: Option<String>,
    },
    /// Compares the run so far with a recording.
    MatchRecording {
        /// The name of the recording.
        name: String,
        /// Allowed distance of characters from the recording, in metres; none if every bit must be the same.
        tolerance_m: Option<f64>,
        /// File and line of the expectation.
        place: (String, u32),
    },
}

/// The sequence that waits for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestId(TaskId);

/// The state of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TestState {
    /// It continues.
    Runs,
    /// It is over.
    Over,
    /// It declared itself pending, with the reason.
    Pending(String),
}

/// Registry name of the globals of spec files.
const SPEC_ENVIRONMENT: &str = "cicerone.spec";

impl Scripts {
    /// A Lua state for a spec, with an empty world.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(crate) fn for_spec(
        world: World,
        project: Project,
        limits: ScriptLimits,
        game: GameApi,
    ) -> mlua::Result<Self> {
        let scripts = Self::prepare(world, project, limits, game, Some(Spec::default()))?;
        install(scripts.lua(), &scripts)?;
        Ok(scripts)
    }

    /// Runs a spec file to list its tests.
    ///
    /// # Errors
    /// The problem of the file.
    pub(crate) fn outline(&mut self, file: &str) -> Result<Outline, Problem> {
        let mut reading = self.read_spec(file, None)?;
        reading.finish();
        let mut outline = reading.outline();
        let text = self.host.project.borrow().read_script(file).unwrap_or_default();
        let written = Arc::new(Written::of(text));
        outline.cases.iter_mut().for_each(|case| case.written = written.clone());
        Ok(outline)
    }

    /// Runs a spec file to find one of its tests, and starts it.
    ///
    /// # Errors
    /// The problem of the file.
    pub(crate) fn begin_test(&mut self, file: &str, case: &Case) -> Result<(), Problem> {
        let found = self.read_spec(file, Some(case))?.take_found();
        let host = self.host.clone();
        let Some(spec) = host.spec() else { return Ok(()) };
        let Some((steps, after)) = found else {
            let message = "the file has fewer tests than before: is what it lists the same each time?";
            return Err(crate::problem::Source::new(file, "").problem_at_line(1, None, message));
        };
        *spec.steps.borrow_mut() = steps.into();
        *spec.after.borrow_mut() = after.into();
        spec.running.set(true);
        self.next_test_step();
        Ok(())
    }

    fn read_spec(&mut self, file: &str, wanted: Option<&Case>) -> Result<Reading, Problem> {
        let host = self.host.clone();
        let Some(spec) = host.spec() else { return Ok(Reading::default()) };
        *spec.reading.borrow_mut() = Reading::new(file, wanted.map(|case| (case.line, case.nth)));
        let lua = self.lua().clone();
        let environment = lua.named_registry_value::<Table>(SPEC_ENVIRONMENT).ok();
        self.loading(|| load::run_alone(&lua, &host, file, environment, wanted))?;
        Ok(std::mem::take(&mut *spec.reading.borrow_mut()))
    }

    /// Starts the steps after the test, however it ended; all other activity of the test ends.
    pub(crate) fn begin_after_test(&mut self) {
        let host = self.host.clone();
        let Some(spec) = host.spec() else { return };
        self.end_test();
        *spec.steps.borrow_mut() = std::mem::take(&mut *spec.after.borrow_mut());
        spec.is_over.set(false);
        self.next_test_step();
    }

    /// Ends all activity of the test.
    fn end_test(&mut self) {
        let Some(spec) = self.host.spec() else { return };
        self.host.schedule.borrow_mut().drop_owner(Owner::SPEC);
        spec.requests.borrow_mut().clear();
        spec.clicks.borrow_mut().clear();
        spec.watches.borrow_mut().clear();
        spec.standing.borrow_mut().clear();
        spec.steps.borrow_mut().clear();
        spec.is_over.set(true);
    }

    /// Notes the end of one step of the test.
    pub(in crate::script) fn test_step_ended(&mut self, fault: Option<Fault>) {
        match fault {
            None => self.next_test_step(),
            Some(fault) => {
                self.note_fault(fault);
                if let Some(spec) = self.host.spec() {
                    spec.is_over.set(true);
                }
            }
        }
    }

    /// Starts steps until one waits. A step that ends at once requests the next while it is being started.
    /// This loop handles that, since a thousand nested starts would overflow the stack.
    fn next_test_step(&mut self) {
        let host = self.host.clone();
        let Some(spec) = host.spec() else { return };
        if spec.begins_steps.replace(true) {
            return spec.step_is_due.set(true);
        }
        loop {
            self.begin_test_step(spec);
            if !spec.step_is_due.take() {
                break;
            }
        }
        spec.begins_steps.set(false);
    }

    fn begin_test_step(&mut self, spec: &Spec) {
        let host = self.host.clone();
        let step = spec.steps.borrow_mut().pop_front();
        let Some(function) = step else { return spec.is_over.set(true) };
        let beginning = beginning_of(&function);
        let begun = self.loading(|| sequence(self.lua(), function, MultiValue::new()));
        let thread = match begun {
            Ok(thread) => thread,
            Err(error) => return self.test_step_ended(Some(Fault::of(&error, beginning))),
        };
        self.refresh(Owner::SPEC, &beginning);
        host.commands.set(0);
        let now = host.world().tick_number();
        let task = Task::new(Role::Test, beginning.0.clone(), beginning, thread);
        let added = host.schedule.borrow_mut().add_task(Owner::SPEC, task, usize::MAX);
        if let Some(id) = added {
            self.resume(Owner::SPEC, id, now);
        }
    }

    /// Records the fault that ended the test. A failed expectation was recorded when it failed.
    fn note_fault(&self, fault: Fault) {
        let Some(spec) = self.host.spec() else { return };
        let Fault { place: (file, line), message, traceback, .. } = fault;
        let file = self.whole_name(file);
        let told = |failure: &Failure| {
            !failure.expected.is_empty()
                && message.starts_with(&format!("expected {}; seen: ", failure.expected))
        };
        if spec.pending.borrow().is_some() || spec.failures.borrow().iter().any(told) {
            return;
        }
        let refused = spec.refused.borrow_mut().take().filter(|(words, _)| message.contains(words.as_str()));
        let problems = refused.map(|(_, problems)| problems).unwrap_or_default();
        let is_of_code = problems.is_empty();
        self.note_failure(Failure { traceback, problems, is_of_code, ..plain_failure(file, line, message) });
    }

    /// Records a failure of the test.
    pub(crate) fn note_failure(&self, mut failure: Failure) {
        let Some(spec) = self.host.spec() else { return };
        let world = self.host.world();
        failure.tick = world.tick_number();
        spec.note(&world, failure);
    }

    /// Records a script error, which fails the test unless errors `may_be`. Errors of the test itself always
    /// fail it.
    pub(crate) fn note_script_error(&self, error: &ScriptError, may_be: bool) {
        let Some(spec) = self.host.spec() else { return };
        if spec.reported.borrow().len() < MOST_REPORTED {
            spec.reported.borrow_mut().push(error.to_string());
        }
        if may_be && error.who != SPEC_NAME {
            return;
        }
        let ScriptError { file, line, message, who, event, traceback, .. } = error.clone();
        let about = self.host.world().character_named(&who).map(|character| character.id);
        let seen = format!("{message} ({event} of {who})");
        let about = about.into_iter().collect();
        self.note_failure(Failure { traceback, about, ..plain_failure(file, line, seen) });
    }

    /// Records a failure at the line where the test sleeps.
    pub(crate) fn fail_sleeper(&self, words: String) {
        let place = self.host.spec().and_then(|spec| spec.waits_at.borrow().clone());
        let (file, line) = place.unwrap_or_default();
        self.note_failure(plain_failure(file, line as u32, words));
    }

    /// Records a failed expectation. Returns the message for the test.
    pub(crate) fn fail_expectation(&self, place: ScriptLine, finding: Finding, ways: Option<Ways>) -> String {
        let words = format!("expected {}; seen: {}", finding.expected, finding.seen);
        if let Some(spec) = self.host.spec() {
            spec.fail(&self.host.world(), place, finding);
            if let Some(failure) = spec.failures.borrow_mut().last_mut() {
                failure.ways = ways;
            }
        }
        words
    }

    /// The failures so far.
    pub(crate) fn take_failures(&self) -> Vec<Failure> {
        self.host.spec().map(|spec| std::mem::take(&mut *spec.failures.borrow_mut())).unwrap_or_default()
    }

    /// Whether there are failures so far.
    pub(crate) fn has_failed(&self) -> bool {
        self.host.spec().is_some_and(|spec| !spec.failures.borrow().is_empty())
    }

    /// The state of the test.
    pub(crate) fn test_state(&self) -> TestState {
        let Some(spec) = self.host.spec() else { return TestState::Over };
        match &*spec.pending.borrow() {
            Some(why) => TestState::Pending(why.clone()),
            None if spec.is_over.get() => TestState::Over,
            None => TestState::Runs,
        }
    }

    /// Number of expectations checked.
    pub(crate) fn expectations(&self) -> u64 {
        self.host.spec().map_or(0, |spec| spec.expectations.get())
    }

    /// The next request of the test.
    pub(crate) fn next_request(&mut self) -> Option<(RequestId, Request)> {
        let asked = self.host.spec()?.requests.borrow_mut().pop_front()?;
        Some((RequestId(asked.0), asked.1))
    }

    /// The places to click.
    pub(crate) fn take_clicks(&self) -> Vec<Place> {
        self.host.spec().map(|spec| std::mem::take(&mut *spec.clicks.borrow_mut())).unwrap_or_default()
    }

    /// Notes that a room is loaded.
    pub(crate) fn room_is_there(&mut self, limits: ScriptLimits) {
        if let Some(spec) = self.host.spec() {
            spec.has_room.set(true);
        }
        self.overrides = limits.or(self.overrides);
        self.take_limits();
    }

    /// Replaces the project after files changed.
    pub(crate) fn take_project(&self, project: Project) {
        *self.host.project.borrow_mut() = project;
    }

    /// Gives the test the result of a request, and lets it go on; a refusal comes with a message and
    /// problems.
    pub(crate) fn answer_request(&mut self, request: RequestId, result: Result<(), (String, Vec<Problem>)>) {
        let result = result.map_err(|(words, problems)| {
            if let Some(spec) = self.host.spec() {
                *spec.refused.borrow_mut() = Some((words.clone(), problems));
                if !spec.has_room.get() {
                    *spec.loaded_at.borrow_mut() = None; // the test may load another room
                }
            }
            words
        });
        let RequestId(id) = request;
        self.host.schedule.borrow_mut().give_answer(Owner::SPEC, id, Reply::Outside(result));
        let now = self.host.world().tick_number();
        self.refresh(Owner::SPEC, &Default::default());
        self.host.commands.set(0);
        self.resume(Owner::SPEC, id, now);
    }
}

/// Maximum errors kept for `to_have_reported`.
const MOST_REPORTED: usize = 1000;

fn plain_failure(file: String, line: u32, seen: String) -> Failure {
    Failure {
        file,
        line,
        expected: String::new(),
        seen,
        traceback: Vec::new(),
        problems: Vec::new(),
        tick: 0,
        about: Vec::new(),
        places: Vec::new(),
        ways: None,
        is_of_code: false,
        world: None,
    }
}

/// Creates the globals of spec files: those for tests, with those of all scripts behind them.
fn install(lua: &Lua, scripts: &Scripts) -> mlua::Result<()> {
    let primitives = api::spec_primitives(lua, &scripts.host)?;
    primitives.raw_set("shared", lua.named_registry_value::<Table>(ENVIRONMENT)?)?;
    let source = include_str!("spec.lua");
    let environment = lua.load(source).set_name(PRELUDE_CHUNK).call::<Table>(&primitives)?;
    lua.set_named_registry_value(SPEC_ENVIRONMENT, environment)
}
