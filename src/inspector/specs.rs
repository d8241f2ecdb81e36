//! Specs, run from the page. A failing one is opened as its run, made again, at the moment when it failed.

use crate::project::Project;
use crate::record::Recording;
use crate::runtime::Journal;
use crate::scenario::{self, Settings, SpecOutcome, SpecReport, TestResult};
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

/// The most bytes of files that are kept of failed tests, so that they can be run again.
const MOST_BYTES: usize = 256 << 20;

/// The results of the last run, and the run under way.
#[derive(Default)]
pub(super) struct Specs {
    results: Vec<Value>,
    runs: Vec<Option<TestRun>>,
    problems: Vec<Value>,
    run: Option<SpecsRun>,
    /// Whether something has changed since it was told.
    is_new: bool,
}

struct SpecsRun {
    results: Receiver<(Value, Option<TestRun>)>,
    thread: JoinHandle<Vec<Value>>,
}

/// The run of a failed test.
#[derive(Clone)]
pub(super) struct TestRun {
    pub(super) journal: Journal,
    pub(super) last_tick: u64,
}

impl Specs {
    /// Runs all specs of a project, or those whose names contain a text, on other threads.
    pub(super) fn start(&mut self, project: Project, filter: Option<String>) -> Result<(), String> {
        if self.run.is_some() {
            return Err("the specs are running already".into());
        }
        let (tell, results) = channel();
        let work = move || {
            let settings = Settings { filter, artifacts: true, jobs: jobs(), ..Settings::default() };
            let report = scenario::run(&project, &settings, &mut |result| {
                drop(tell.send((told(result), run_of(&project, result)))); // an error if nobody looks any more
            });
            match report {
                Ok(SpecReport { problems, .. }) => super::messages::problems(&project, &problems),
                Err(problem) => super::messages::problems(&project, &[problem]),
            }
        };
        let thread = std::thread::Builder::new().name("page-specs".into()).spawn(work);
        let thread = thread.map_err(|error| error.to_string())?;
        (self.results, self.runs, self.problems) = (Vec::new(), Vec::new(), Vec::new());
        (self.run, self.is_new) = (Some(SpecsRun { results, thread }), true);
        Ok(())
    }

    /// What is new, as a message.
    pub(super) fn poll(&mut self) -> Option<Value> {
        if let Some(run) = &self.run {
            let is_over = run.thread.is_finished();
            for (result, of_test) in run.results.try_iter() {
                self.results.push(result);
                let kept: usize = self.runs.iter().flatten().map(|run| run.journal.bytes()).sum();
                self.runs.push(of_test.filter(|_| kept < MOST_BYTES));
                self.is_new = true;
            }
            if is_over && let Some(run) = self.run.take() {
                self.problems = run.thread.join().unwrap_or_default();
                self.is_new = true;
            }
        }
        std::mem::take(&mut self.is_new).then(|| self.told())
    }

    /// All that is known, as a message.
    pub(super) fn told(&self) -> Value {
        json!({ "kind": "specs", "running": self.run.is_some(), "results": self.results, "problems": self.problems })
    }

    /// The run of a result, its name, and the tick that it failed at.
    pub(super) fn run_of(&self, index: usize) -> Result<(TestRun, String, Option<u64>), String> {
        let result = self.results.get(index).ok_or("there is no such result")?;
        let run = self.runs.get(index).and_then(Clone::clone);
        let run =
            run.ok_or("it cannot be opened: it passed, loaded no room, or too many failed before it")?;
        let name = result["name"].as_str().unwrap_or_default().to_owned();
        Ok((run, name, result["tick"].as_u64()))
    }
}

/// The run of a failed test, with the files that it has just read.
fn run_of(project: &Project, result: &TestResult) -> Option<TestRun> {
    let last_tick = Recording::read(result.recording.as_deref()?).ok()?.last_tick();
    let journal = Journal::of_spec(project, &result.file, &result.case, &result.files);
    Some(TestRun { journal, last_tick })
}

/// One core is left to the room.
fn jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1)
}

fn told(result: &TestResult) -> Value {
    let mut told = json!({
        "file": result.file, "line": result.case.line, "name": result.case.full_name(),
        "ms": (result.took.as_secs_f64() * 1e3).round(), "seconds": result.game_s,
        "canOpen": result.recording.is_some(),
    });
    match &result.outcome {
        SpecOutcome::Passed => told["outcome"] = "passed".into(),
        SpecOutcome::Skipped(why) => (told["outcome"], told["why"]) = ("skipped".into(), why.as_str().into()),
        SpecOutcome::Failed(moment) => {
            told["outcome"] = "failed".into();
            told["tick"] = moment.failures.first().map_or(Value::Null, |failure| failure.tick.into());
            told["failures"] = moment
                .failures
                .iter()
                .map(|failure| {
                    json!({
                        "file": failure.file, "line": failure.line, "expected": failure.expected,
                        "seen": failure.seen, "tick": failure.tick,
                    })
                })
                .collect();
        }
    }
    told
}
