//! Runs a spec and the room it tests; serves the spec's requests between two ticks.

use super::open::{Opened, without_place};
use super::{Input, Options, Reload, Runtime, RuntimeEvent};
use crate::problem::{Problem, Source, did_you_mean};
use crate::project::{Project, save_file};
use crate::record::Buffer;
use crate::room::ScriptLimits;
use crate::script::{
    Case, Failure, Finding, GameApi, Note, Outline, Request, RequestId, ScriptError, ScriptLine, Scripts,
    TestState, Ways, empty_world,
};
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A Lua state with a spec in it and, once the spec has loaded one, a room.
pub struct SpecRun {
    pub(super) runtime: Runtime,
    has_room: bool,
    /// Whether the room's scripts may have errors.
    allows_errors: bool,
    /// The request that waits for the first tick of the room.
    opening: Option<RequestId>,
    /// Rooms that the test tried to read.
    pub(super) read: BTreeSet<PathBuf>,
    /// The recording of the run, if one is made.
    recorded: Option<Buffer>,
    /// The version of a file that was refused last.
    refused: Option<Source>,
    /// The spec, by its name in the project.
    spec: String,
    /// Whether the test asked for its recording, and there is none.
    pub(super) wants_recording: bool,
    /// Whether recordings are replaced instead of compared.
    pub(super) updates: bool,
    /// Recordings to write once the test has passed: file, name and content.
    pub(super) updated: Vec<(PathBuf, String, Vec<u8>)>,
}

/// Each request takes milliseconds, and no game time passes: without a bound, a loop of them would never end.
const MOST_REQUESTS: u32 = 1000;

impl SpecRun {
    /// Makes a state for one test of a project, or for listing the tests of one file.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn new(project: Project) -> Result<Self, Problem> {
        let no_state = |why: String| without_place(format!("no scripts: {why}")).problems.remove(0);
        let world = empty_world().ok_or_else(|| no_state("no empty room".into()))?;
        let game = GameApi::of_project(&project).map_err(|mut problems| problems.remove(0))?;
        let scripts = Scripts::for_spec(world, project.clone(), ScriptLimits::default(), game);
        let scripts = scripts.map_err(|error| no_state(error.to_string()))?;
        let runtime = Runtime::around(project, scripts);
        Ok(Self {
            runtime,
            has_room: false,
            allows_errors: false,
            opening: None,
            read: BTreeSet::new(),
            recorded: None,
            refused: None,
            spec: String::new(),
            wants_recording: false,
            updates: false,
            updated: Vec::new(),
        })
    }

    /// Replaces recordings that the test compares with, instead of comparing.
    #[must_use]
    pub fn updating(mut self) -> Self {
        self.updates = true;
        self
    }

    /// Whether the test compares itself with a recording, and must be run again to be recorded itself.
    pub fn wants_recording(&self) -> bool {
        self.wants_recording
    }

    /// The version of a file that the test asked for and that was refused, if that was its last request.
    pub fn refused_version(&self) -> Option<&Source> {
        self.refused.as_ref()
    }

    /// The recordings that were replaced.
    ///
    /// # Errors
    /// [`RecordingError`] for the first file that cannot be written.
    pub fn write_recordings(&mut self) -> Result<Vec<String>, RecordingError> {
        let mut names = Vec::new();
        for (file, name, bytes) in self.updated.drain(..) {
            let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            let written = folder.and_then(|()| save_file(&file, &bytes));
            match written {
                Ok(()) => names.push(name),
                Err(error) => return Err(RecordingError { file: name, error }),
            }
        }
        Ok(names)
    }

    /// Fails a finished test for requests or waits that are still open.
    pub fn fail_unfinished(&mut self) {
        if self.state() == TestState::Over && !self.has_failed() {
            self.runtime.lend().fail_unfinished();
        }
    }

    /// Records the room that the test will load.
    #[must_use]
    pub fn recorded(mut self) -> Self {
        self.recorded = Some(Buffer::default());
        self
    }

    pub(super) fn recorded_so_far(&self) -> Option<Vec<u8>> {
        self.recorded.as_ref().filter(|_| self.has_room).map(Buffer::ended_here)
    }

    pub(super) fn spec_file(&self) -> PathBuf {
        self.runtime.place_of_script(&self.spec)
    }

    pub(super) fn fail_expectation(&self, place: ScriptLine, finding: Finding, ways: Option<Ways>) -> String {
        self.runtime.ask(|scripts| scripts.fail_expectation(place, finding, ways))
    }

    /// The recording so far; `None` if no room was loaded or no recording was requested.
    pub fn recording(&mut self) -> Option<Vec<u8>> {
        let recorded = self.recorded.as_ref().filter(|_| self.has_room)?;
        self.runtime.stop_recording().ok().map(|()| recorded.bytes())
    }

    /// Runs a spec file to list its tests.
    ///
    /// # Errors
    /// The problem with the file.
    pub(crate) fn outline(&mut self, file: &str) -> Result<Outline, Problem> {
        self.runtime.lend().outline(file)
    }

    /// Begins one of the tests of a file: it runs up to its first wait.
    ///
    /// # Errors
    /// The problem with the file.
    pub fn begin(&mut self, file: &str, case: &Case) -> Result<(), Problem> {
        file.clone_into(&mut self.spec);
        self.runtime.lend().begin_test(file, case)?;
        self.look_at_errors(0);
        Ok(())
    }

    /// Begins the code that runs after the test, however it ended.
    pub fn begin_after(&mut self) {
        self.opening = None;
        self.runtime.lend().begin_after_test();
    }

    /// Serves the test's requests, then runs one tick. `false` if no tick ran because the test is over or has failed.
    pub fn advance(&mut self) -> bool {
        let seen = self.runtime.events.len();
        if let Some(request) = self.opening.take() {
            self.runtime.lend().answer_request(request, Ok(()));
        }
        let mut asked = 0;
        while let Some((id, request)) = self.next_request() {
            asked += 1;
            if asked > MOST_REQUESTS {
                let words = format!(
                    "the test asks for more than {MOST_REQUESTS} rooms, reloads and comparisons in one moment: let time pass with run_for"
                );
                self.runtime.lend().fail_sleeper(words);
            }
            if self.has_failed() {
                return false;
            }
            let result = match request {
                Request::Reload { file, text } => self.reload(&file, text),
                Request::MatchRecording { name, tolerance_m, place } => {
                    let matched = self.match_recording(&name, tolerance_m, place);
                    matched.map(|()| false).map_err(|words| (words, Vec::new()))
                }
                request @ Request::LoadRoom { .. } => self.load_room(request),
            };
            let opened = result.is_ok() && !self.has_room && self.opening.is_none();
            match result {
                Ok(true) if opened => self.opening = Some(id),
                result => self.runtime.lend().answer_request(id, result.map(drop)),
            }
        }
        self.has_room |= self.opening.is_some();
        self.runtime.take_notes();
        self.look_at_errors(seen); // includes errors of scripts that do not load
        if self.state() != TestState::Runs || self.has_failed() {
            return false;
        }
        if !self.has_room {
            let words = "the test waits, and no room is loaded that could run: call load_room first";
            self.runtime.lend().fail_sleeper(words.into());
            return false;
        }
        let clicks = self.runtime.lend().take_clicks();
        for at in clicks {
            self.runtime.send(Input::Click(at));
        }
        let seen = self.runtime.events.len();
        self.runtime.step();
        self.runtime.lend().watch_tick();
        self.look_at_errors(seen);
        true
    }

    /// The test's next request.
    fn next_request(&mut self) -> Option<(RequestId, Request)> {
        self.runtime.lend().next_request()
    }

    /// The state of the test.
    pub(crate) fn state(&self) -> TestState {
        self.runtime.ask(Scripts::test_state)
    }

    /// Whether anything failed so far.
    pub fn has_failed(&self) -> bool {
        self.runtime.ask(Scripts::has_failed)
    }

    /// The failures since the last call.
    pub fn take_failures(&mut self) -> Vec<Failure> {
        self.runtime.lend().take_failures()
    }

    /// Fails the test, at the line where it waits.
    pub fn fail(&mut self, words: String) {
        self.runtime.lend().fail_sleeper(words);
    }

    /// The number of expectations checked.
    pub fn expectations(&self) -> u64 {
        self.runtime.ask(Scripts::expectations)
    }

    /// The room, once there is one.
    pub fn room(&self) -> Option<&Runtime> {
        self.has_room.then_some(&self.runtime)
    }

    /// The project of the spec, with the files as the test has changed them.
    pub fn project(&self) -> &Project {
        &self.runtime.project
    }

    /// The events since the last call, in order.
    pub fn take_events(&mut self) -> Vec<RuntimeEvent> {
        self.runtime.take_events()
    }

    /// Every file that the test read or tried to read, except the spec itself.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = self.runtime.files();
        files.retain(|file| !file.as_os_str().is_empty());
        files.extend(self.read.iter().cloned());
        files
    }

    /// Errors of scripts fail the test, unless it allowed them.
    fn look_at_errors(&mut self, from: usize) {
        let new = self.runtime.events.get(from..).unwrap_or_default();
        let errors: Vec<ScriptError> = new
            .iter()
            .filter_map(|event| match event {
                RuntimeEvent::Note(Note::Error(error)) => Some(error.clone()),
                _ => None,
            })
            .collect();
        for error in errors {
            self.runtime.lend().note_script_error(&error, self.allows_errors);
        }
    }

    /// `true` if the room is loaded now.
    fn load_room(&mut self, request: Request) -> Result<bool, (String, Vec<Problem>)> {
        let Request::LoadRoom { room, seed, limits, scripts, script_overrides, allow_errors } = request
        else {
            return Ok(false);
        };
        let project = &self.runtime.project;
        let file = project.room_named(&room).map_err(|error| {
            (format!("load_room: no room '{room}': {error}{}", project.room_hint(&room)), Vec::new())
        })?;
        self.read.insert(file.clone());
        let options = Options { seed, limits, scripts, script_overrides, ..Options::default() };
        let Opened { world, file, bytes, .. } = Opened::read(project, &file, &options).map_err(|error| {
            let plain = Options { scripts: Vec::new(), script_overrides: Vec::new(), ..options.clone() };
            match error.problems.first() {
                // The room is good; the test's own options are not.
                Some(problem) if Opened::read(project, &file, &plain).is_ok() => {
                    (format!("load_room: {}", misgiven(&options, problem)), Vec::new())
                }
                _ => refusal(format!("load_room: '{room}' cannot be loaded"), error.problems),
            }
        })?;
        self.runtime.world = Arc::new(world);
        self.runtime.lend().room_is_there(limits);
        self.allows_errors = allow_errors;
        self.runtime.take_room(file, bytes, options);
        if let Some(recorded) = self.recorded.clone()
            && let Err(error) = self.runtime.record(Box::new(recorded))
        {
            log::warn!("the test is not recorded: {error}");
        }
        Ok(true)
    }

    fn reload(&mut self, file: &str, text: Option<String>) -> Result<bool, (String, Vec<Problem>)> {
        let refuse = |why: String| (format!("reload: {file}: {why}"), Vec::new());
        if !self.has_room {
            return Err(("reload: no room is loaded yet: call load_room first".into(), Vec::new()));
        }
        let place = self.runtime.project.resolve(file).map_err(|error| refuse(error.to_string()))?;
        let place = self.runtime.project.real(&place);
        let ours = self.runtime.files();
        if !ours.contains(&place) {
            let names: Vec<String> = ours.iter().map(|file| self.runtime.project.name_of(file)).collect();
            let hint = did_you_mean(file, names.iter().map(String::as_str));
            let hint = hint.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
            return Err(refuse(format!("nothing here uses this file{hint}")));
        }
        let before = self.runtime.project.clone();
        self.refused = None;
        self.runtime.project.replace(&place, text.as_deref().map(str::as_bytes));
        self.runtime.give_project();
        match self.runtime.reload(&BTreeSet::from([place.clone()])) {
            Reload::Unchanged | Reload::Done { .. } => Ok(true),
            Reload::Refused { problems, .. } => {
                self.refused = text.map(|text| Source::new(before.name_of(&place), text));
                self.runtime.project = before;
                self.runtime.give_project();
                Err(refusal(format!("reload: {file} was refused"), problems))
            }
        }
    }
}

/// The problem with the `scripts` or the `script_overrides` of a test.
fn misgiven(options: &Options, problem: &Problem) -> String {
    let part = options.script_overrides.iter().find(|(_, script)| *script == problem.file);
    match part {
        Some((who, script)) => format!("script_overrides.{who} = '{script}': {}", problem.message),
        None if options.scripts.contains(&problem.file) => {
            format!("scripts: '{}': {}", problem.file, problem.message)
        }
        None => format!("script_overrides: {}", problem.message),
    }
}

fn refusal(words: String, problems: Vec<Problem>) -> (String, Vec<Problem>) {
    let lines: String = problems.iter().map(|problem| format!("\n  {problem}")).collect();
    (words + ":" + &lines, problems)
}

/// A recording of a test cannot be written.
#[derive(Debug)]
#[non_exhaustive]
pub struct RecordingError {
    /// The recording's path in the project.
    pub file: String,
    /// The system's reason.
    pub error: std::io::Error,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be written: {}", self.file, self.error)
    }
}

impl std::error::Error for RecordingError {}

/// The text of a room's file, for showing its problems.
pub fn source_of(project: &Project, name: &str) -> Source {
    let text = project
        .resolve(name)
        .ok()
        .and_then(|place| project.read(&place, crate::project::MAX_ROOM_BYTES).ok());
    Source::new(name, text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default())
}
