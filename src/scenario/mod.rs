//! Regression scenarios: Lua specs that run real rooms headless. Each test has its own Lua state and room. Finds
//! specs, runs them in parallel, and reports failures with a picture of the moment.
//!
//! ```no_run
//! use cicerone::scenario::{self, Settings};
//! let project = cicerone::project::Project::at("my-game".as_ref());
//! let report = scenario::run(&project, &Settings::default(), &mut |_| {})?;
//! assert!(report.passed(), "{}", scenario::pretty(&report, scenario::Look::default()));
//! # Ok::<(), cicerone::problem::Problem>(())
//! ```

mod find;
mod memory;
pub mod monkey;
mod one;
mod picture;
mod report;
mod selection;
mod several;

pub use find::{DEFAULT_FOLDERS, find};
pub use one::{Moment, SpecOutcome, TestResult};
pub use report::{Look, junit, pretty, pretty_summary, pretty_test, tap};
pub use selection::{Plan, Settings, SpecFile, plan};

use crate::problem::Problem;
use crate::project::Project;
use crate::script::Case;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// The results of all tests.
#[derive(Debug, Clone, Default)]
pub struct SpecReport {
    /// In order of file and line.
    pub results: Vec<TestResult>,
    /// Files that do not load.
    pub problems: Vec<Problem>,
    /// Warnings about files and tests.
    pub warnings: Vec<String>,
    /// The places of `only`: `file:line`.
    pub focused: Vec<String>,
    /// The number of tests that did not run because of `only`.
    pub left_out: usize,
    /// The files that each spec file depends on, by its name: rooms, scripts, modules, recordings.
    pub files: BTreeMap<SpecFile, BTreeSet<PathBuf>>,
    /// The spec files that did not load.
    pub broken: BTreeSet<SpecFile>,
    /// Whether tests were left out because an earlier one failed.
    pub bailed: bool,
    /// The time from beginning to end.
    pub took: Duration,
}

impl SpecReport {
    /// Whether nothing failed.
    pub fn passed(&self) -> bool {
        self.problems.is_empty() && self.count(|outcome| matches!(outcome, SpecOutcome::Failed(_))) == 0
    }

    /// The number of tests left out because of `only`, and its places; `None` if there are none.
    pub fn left_out(&self) -> Option<String> {
        selection::left_out(self.left_out, &self.focused)
    }

    /// The number of tests with an outcome that `is_such` accepts.
    pub fn count(&self, is_such: impl Fn(&SpecOutcome) -> bool) -> usize {
        self.results.iter().filter(|result| is_such(&result.outcome)).count()
    }
}

/// Finds, plans and runs the specs that the settings name. `tell` gets each result in order of file and line, as soon
/// as all before it are done.
///
/// # Errors
/// A path that does not exist.
pub fn run(
    project: &Project,
    settings: &Settings,
    tell: &mut dyn FnMut(&TestResult),
) -> Result<SpecReport, Problem> {
    let files = find(project, &settings.paths)?;
    Ok(run_plan(project, plan(project, &files, settings), settings, tell))
}

/// Runs a plan.
#[allow(clippy::disallowed_methods)] // the time it took is shown to people
pub fn run_plan(
    project: &Project,
    plan: Plan,
    settings: &Settings,
    tell: &mut dyn FnMut(&TestResult),
) -> SpecReport {
    let began = std::time::Instant::now();
    let Plan { tests, problems, warnings, focused, left_out, files, broken } = plan;
    let mut report =
        SpecReport { problems, warnings, focused, left_out, files, broken, ..SpecReport::default() };
    let total = tests.len();
    let work = |test: &(SpecFile, Case)| one::run(project, test, settings);
    several::each(settings.jobs, &tests, work, |mut result| {
        one::compare(&mut result, &report.results);
        tell(&result);
        let failed = matches!(result.outcome, SpecOutcome::Failed(_));
        report.results.push(result);
        report.bailed = settings.bail && failed && report.results.len() < total;
        if report.bailed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    for result in &report.results {
        report.warnings.extend(result.warnings.iter().cloned());
        report.files.entry(result.file.clone()).or_default().extend(result.files.iter().cloned());
    }
    report.problems.extend(recorded_twice(&report.results));
    report.took = began.elapsed();
    report
}

/// Recordings made by two tests: the second replaced the first. Compares without case, as some file systems do.
fn recorded_twice(results: &[TestResult]) -> Vec<Problem> {
    let mut first: BTreeMap<String, &TestResult> = BTreeMap::new();
    let mut problems = Vec::new();
    for (result, name) in
        results.iter().flat_map(|result| result.updated.iter().map(move |name| (result, name)))
    {
        if let Some(other) = first.insert(name.to_lowercase(), result) {
            let place = format!("{}:{}", other.file, other.case.line);
            let message = format!(
                "{name} is recorded by this test and by that of {place}: each needs a name of its own"
            );
            let line = result.case.line;
            let mut problem = crate::problem::Source::new(&result.file, "").problem(0..0, message);
            problem.line = line;
            problems.push(problem);
        }
    }
    problems
}
