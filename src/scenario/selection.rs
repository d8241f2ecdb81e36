//! Selects the tests to run.

use crate::problem::Problem;
use crate::project::Project;
use crate::runtime::SpecRun;
use crate::script::{Case, Focus};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::thread::available_parallelism;

/// The settings of a run of specs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Spec files and folders; if empty, the default folders of the project.
    pub paths: Vec<PathBuf>,
    /// Only tests whose full name contains this, ignoring case.
    pub filter: Option<String>,
    /// One part of all tests: its number, from 1, and the number of parts.
    pub shard: Option<(usize, usize)>,
    /// The number of parallel tests.
    pub jobs: usize,
    /// Whether to stop at the first test that fails.
    pub bail: bool,
    /// Whether failed tests get an SVG and a recording.
    pub artifacts: bool,
    /// Whether passed tests get a recording too.
    pub record: bool,
    /// Whether recordings that tests compare with are replaced.
    pub update: bool,
    /// Whether the whole log is kept, not only its last lines.
    pub log: bool,
}

impl Default for Settings {
    /// All tests of the project, as many in parallel as there are cores.
    fn default() -> Self {
        let jobs = available_parallelism().map_or(1, usize::from);
        Self {
            paths: Vec::new(),
            filter: None,
            shard: None,
            jobs,
            bail: false,
            artifacts: false,
            record: false,
            update: false,
            log: false,
        }
    }
}

/// A spec file, by the name it has in reports.
pub type SpecFile = String;

/// The tests to run.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The tests in order of file and line. Those with the focus `Skip` are reported and not run.
    pub tests: Vec<(SpecFile, Case)>,
    /// Files that do not load.
    pub problems: Vec<Problem>,
    /// Warnings about files.
    pub warnings: Vec<String>,
    /// The places of `only`: `file:line`.
    pub focused: Vec<String>,
    /// The number of tests left out because of `only`.
    pub left_out: usize,
    /// The files that each spec file read while its tests were listed, also if it did not load.
    pub files: BTreeMap<SpecFile, BTreeSet<PathBuf>>,
    /// The spec files that did not load.
    pub broken: BTreeSet<SpecFile>,
}

impl Plan {
    /// The number of tests left out because of `only`, and its places; `None` if there are none.
    pub fn left_out(&self) -> Option<String> {
        left_out(self.left_out, &self.focused)
    }
}

/// The text for tests left out because of `only` at these places.
pub(super) fn left_out(tests: usize, focused: &[String]) -> Option<String> {
    let first = focused.first().filter(|_| tests > 0)?;
    let more = match focused.len() {
        1 => String::new(),
        more => format!(" and {} more", more - 1),
    };
    Some(format!("{tests} left out by `only` in {first}{more}"))
}

/// Reads spec files and selects their tests.
pub fn plan(project: &Project, files: &[PathBuf], settings: &Settings) -> Plan {
    let mut plan = Plan::default();
    for file in files {
        let mut project = project.clone();
        let name = project.admit(file);
        let read = plan.files.entry(name.clone()).or_default();
        let outline = SpecRun::new(project).and_then(|mut spec_run| {
            let outline = spec_run.outline(&name);
            read.extend(spec_run.files());
            outline
        });
        match outline {
            Ok(outline) => {
                plan.warnings.extend(outline.warnings);
                plan.tests.extend(outline.cases.into_iter().map(|case| (name.clone(), case)));
            }
            Err(problem) => {
                plan.broken.insert(name);
                plan.problems.push(problem);
            }
        }
    }
    let is_focused = |(_, case): &(SpecFile, Case)| case.focus == Focus::Only;
    let focused = plan.tests.iter().filter(|test| is_focused(test));
    plan.focused = focused.map(|(file, case)| format!("{file}:{}", case.line)).collect();
    if let Some(filter) = &settings.filter {
        let filter = filter.to_lowercase();
        plan.tests.retain(|(_, case)| case.full_name().to_lowercase().contains(&filter));
    }
    if !plan.focused.is_empty() {
        plan.left_out = plan.tests.iter().filter(|(_, case)| case.focus == Focus::Plain).count();
        plan.tests.retain(is_focused);
    }
    if let Some((part, parts)) = settings.shard {
        // Round-robin, so that a file of long tests is spread over the parts.
        let mut index = 0;
        plan.tests.retain(|_| {
            index += 1;
            (index - 1) % parts.max(1) == part.saturating_sub(1)
        });
    }
    plan
}
