//! One test, from its beginning to its end.

use super::memory::Memory;
use super::picture;
use super::selection::{Settings, SpecFile};
use crate::problem::{Problem, Source};
use crate::project::Project;
use crate::runtime::{SpecRun, source_of};
use crate::script::{Case, Failure, Focus, TestState};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

/// The result of a test.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TestResult {
    /// Its file.
    pub file: SpecFile,
    /// The test.
    pub case: Case,
    /// The outcome.
    pub outcome: SpecOutcome,
    /// Steps of its room.
    pub ticks: u64,
    /// Their game time, in seconds.
    pub game_s: f64,
    /// The time the test took.
    pub took: Duration,
    /// Warnings about it.
    pub warnings: Vec<String>,
    /// What scripts logged, each line with its time.
    pub log: Vec<String>,
    /// Whether the log is complete.
    pub whole_log: bool,
    /// Recordings that were replaced.
    pub updated: Vec<String>,
    /// The run as [`crate::record::Recording`] reads it, if requested.
    pub recording: Option<Vec<u8>>,
    /// Every file that it read or tried to read, itself included.
    pub files: BTreeSet<PathBuf>,
}

/// The outcome of a test.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum SpecOutcome {
    /// It passed.
    Passed,
    /// It was skipped, for this reason if one was given.
    Skipped(String),
    /// An expectation failed.
    Failed(Box<Moment>),
}

/// The moment when a test failed.
#[derive(Debug, Clone)]
pub struct Moment {
    /// The failures, in order.
    pub failures: Vec<Failure>,
    /// The text of each failure's line.
    pub lines: Vec<String>,
    /// Texts of the files that could not be loaded.
    pub sources: Vec<Source>,
    /// Length of a step in seconds.
    pub dt_s: f64,
    /// Recent events of the characters concerned and of the room: a heading, and lines.
    pub events: Vec<(String, Vec<String>)>,
    /// A picture of the surroundings; empty if there was no room yet.
    pub picture: String,
    /// The same as SVG, if requested.
    pub svg: Option<String>,
    /// The line of an earlier test of the file that failed for the same reason, before any statement of its own ran.
    pub same_as: Option<u32>,
}

/// Lines of the log that are kept of a test, if not all are wanted.
const LAST_LINES: usize = 10;

/// Game time that the code after a test may take, in seconds.
const AFTER_S: f64 = 60.0;

/// Runs a test. A panic of the runtime fails this test, not all others.
#[allow(clippy::disallowed_methods)] // the time it took is shown to people
pub(super) fn run(project: &Project, (file, case): &(SpecFile, Case), settings: &Settings) -> TestResult {
    let began = std::time::Instant::now();
    let mut project = project.clone();
    let place = project.resolve(file).unwrap_or_else(|_| PathBuf::from(file));
    let name = project.admit(&place);
    let mut result = TestResult {
        file: file.clone(),
        case: case.clone(),
        outcome: SpecOutcome::Skipped(String::new()),
        ticks: 0,
        game_s: 0.0,
        took: Duration::ZERO,
        warnings: Vec::new(),
        log: Vec::new(),
        whole_log: true,
        updated: Vec::new(),
        recording: None,
        files: BTreeSet::from([place]),
    };
    if case.focus == Focus::Skip {
        return result;
    }
    let whole = AssertUnwindSafe(|| run_whole(&project, &name, case, settings, &mut result));
    if catch_unwind(whole).is_err() {
        let message = "cicerone itself gave up here, which is a mistake of ours: please tell us".to_owned();
        result.outcome = failed_to_begin(Source::new(&name, "").problem_at_line(case.line, None, message));
    }
    result.took = began.elapsed();
    result
}

/// Runs a test; once more if only then it turns out that it needs a recording.
fn run_whole(project: &Project, name: &str, case: &Case, settings: &Settings, result: &mut TestResult) {
    let mut recorded = settings.artifacts || settings.record;
    loop {
        let spec_run = match SpecRun::new(project.clone()) {
            Ok(spec_run) => spec_run,
            Err(problem) => {
                result.outcome = failed_to_begin(problem);
                return;
            }
        };
        let spec_run = if recorded { spec_run.recorded() } else { spec_run };
        let spec_run = if settings.update { spec_run.updating() } else { spec_run };
        let run = CaseRun { spec_run, memory: Memory::default(), case, tick: 0 };
        let is_whole = run.finish(name, settings, result);
        if is_whole || recorded {
            return;
        }
        recorded = true;
    }
}

struct CaseRun<'a> {
    spec_run: SpecRun,
    memory: Memory,
    case: &'a Case,
    /// The last tick that was noted.
    tick: u64,
}

impl CaseRun<'_> {
    /// `false` if the test must be run again with a recording.
    fn finish(mut self, file: &str, settings: &Settings, result: &mut TestResult) -> bool {
        if let Err(problem) = self.spec_run.begin(file, self.case) {
            result.outcome = failed_to_begin(problem);
            return true;
        }
        let in_time = self.advance(self.case.timeout_s);
        if !in_time {
            let seconds = self.case.timeout_s;
            self.spec_run.fail(format!(
                "the test went on for {seconds} s of game time and waits here; it(\"…\", {{ timeout = … }}, …) gives it more"
            ));
        }
        self.spec_run.fail_unfinished();
        let mut failures = self.spec_run.take_failures();
        let state = self.spec_run.state();
        self.spec_run.begin_after();
        if !self.advance(AFTER_S) {
            self.spec_run.fail(format!("what comes after the test went on for {AFTER_S} s of game time"));
        }
        failures.extend(self.spec_run.take_failures());
        self.remember();
        result.files.extend(self.spec_run.files());
        let dt_s = self.spec_run.room().map_or(0.0, |room| room.world().dt_s());
        let lines = if settings.log { usize::MAX } else { LAST_LINES };
        let log = &self.memory.log;
        let line = |(tick, text): &(u64, String)| format!("{:8.2} s  {text}", *tick as f64 * dt_s);
        result.log = log.iter().skip(log.len().saturating_sub(lines)).map(line).collect();
        result.whole_log = log.len() <= lines && !self.memory.forgot_lines;
        if let Some(room) = self.spec_run.room() {
            let world = room.world();
            (result.ticks, result.game_s) = (world.tick_number(), world.time_s());
        }
        result.outcome = match state {
            TestState::Pending(why) if failures.is_empty() => SpecOutcome::Skipped(why),
            _ if failures.is_empty() => SpecOutcome::Passed,
            _ => SpecOutcome::Failed(Box::new(self.moment(failures, settings))),
        };
        if self.spec_run.expectations() == 0 && matches!(result.outcome, SpecOutcome::Passed) {
            let (line, name) = (self.case.line, self.case.full_name());
            result.warnings.push(format!("{file}:{line}: '{name}' expects nothing"));
        }
        if !matches!(result.outcome, SpecOutcome::Failed(_)) {
            match self.spec_run.write_recordings() {
                Ok(files) => result.updated = files,
                Err(error) => result.warnings.push(error.to_string()),
            }
        }
        let is_kept = settings.record || matches!(result.outcome, SpecOutcome::Failed(_));
        result.recording = if is_kept { self.spec_run.recording() } else { None };
        !self.spec_run.wants_recording()
    }

    /// Runs the room until the test is over; `false` if that exceeds the limit.
    fn advance(&mut self, seconds: f64) -> bool {
        let until = |spec_run: &SpecRun| {
            spec_run.room().map(|room| room.world().tick_number() + room.world().ticks_of(seconds))
        };
        let mut limit = until(&self.spec_run);
        while self.spec_run.advance() {
            self.remember();
            if let Some(room) = self.spec_run.room() {
                self.memory.note_places(room.world());
                let limit = *limit.get_or_insert_with(|| room.world().ticks_of(seconds));
                if room.world().tick_number() >= limit && self.spec_run.state() == TestState::Runs {
                    return self.spec_run.has_failed();
                }
            }
        }
        true
    }

    fn remember(&mut self) {
        let events = self.spec_run.take_events();
        let world = self.spec_run.room().map(|room| room.world());
        for event in events {
            self.memory.note(event, self.tick, world);
        }
        self.tick = world.map_or(0, |world| world.tick_number());
    }

    fn moment(&mut self, mut failures: Vec<Failure>, settings: &Settings) -> Moment {
        let source = |file: &str| {
            let refused = self.spec_run.refused_version().filter(|refused| refused.name == file);
            refused.cloned().unwrap_or_else(|| source_of(self.spec_run.project(), file))
        };
        let own = |failure: &Failure| source_of(self.spec_run.project(), &failure.file);
        let lines = failures.iter().map(|failure| line_of(&own(failure), failure.line)).collect();
        let files: BTreeSet<&String> =
            failures.iter().flat_map(|failure| &failure.problems).map(|problem| &problem.file).collect();
        let sources = files.into_iter().map(|file| source(file)).collect();
        let dt_s = self.spec_run.room().map_or(1.0, |room| room.world().dt_s());
        let (mut events, mut picture, mut svg) = (Vec::new(), String::new(), None);
        if let Some((failure, world)) =
            failures.first().and_then(|failure| Some((failure, failure.world.as_deref()?)))
        {
            svg = settings.artifacts.then(|| picture::svg(world, failure, &self.memory));
            if !failure.is_of_code {
                picture = picture::text(world, failure, &self.memory);
                events = picture::events(world, failure, &self.memory);
            }
        }
        failures.iter_mut().for_each(|failure| failure.world = None); // its picture has been drawn
        Moment { failures, lines, sources, dt_s, events, picture, svg, same_as: None }
    }
}

/// If tests all fail because a room or a script does not load, only the first reports it in full.
pub(super) fn compare(result: &mut TestResult, earlier: &[TestResult]) {
    let SpecOutcome::Failed(moment) = &mut result.outcome else { return };
    let same = earlier.iter().rev().take_while(|other| other.file == result.file).filter(|other| {
        let SpecOutcome::Failed(first) = &other.outcome else { return false };
        first.same_as.is_none() && is_the_same(&first.failures, &moment.failures)
    });
    moment.same_as = same.last().map(|other| other.case.line);
}

/// Whether both failed at once and for the same reason: files that do not load, or the same line of a room's script.
fn is_the_same(one: &[Failure], other: &[Failure]) -> bool {
    let (Some(one), Some(other)) = (one.first(), other.first()) else { return false };
    let at_once = |failure: &Failure| failure.expected.is_empty() && failure.tick <= 1;
    let place = |failure: &Failure| (failure.file.clone(), failure.line);
    let same_files = !one.problems.is_empty() && one.problems == other.problems;
    let same_line = one.problems.is_empty() && !one.is_of_code && place(one) == place(other);
    at_once(one) && at_once(other) && one.seen == other.seen && (same_files || same_line)
}

fn line_of(source: &Source, line: u32) -> String {
    source.line(line).map(|(_, text)| text.to_owned()).unwrap_or_default()
}

fn failed_to_begin(problem: Problem) -> SpecOutcome {
    let failure = Failure {
        file: problem.file.clone(),
        line: problem.line,
        expected: String::new(),
        seen: problem.message.clone(),
        traceback: Vec::new(),
        problems: Vec::new(),
        tick: 0,
        about: Vec::new(),
        places: Vec::new(),
        ways: None,
        is_of_code: true,
        world: None,
    };
    let (lines, sources) = (vec![String::new()], Vec::new());
    let (events, picture) = (Vec::new(), String::new());
    let failures = vec![failure];
    SpecOutcome::Failed(Box::new(Moment {
        failures,
        lines,
        sources,
        dt_s: 1.0,
        events,
        picture,
        svg: None,
        same_as: None,
    }))
}
