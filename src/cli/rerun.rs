//! `cicerone test --watch`: reruns the specs that a saved file concerns.

use super::print;
use cicerone::project::Project;
use cicerone::scenario::{self, Settings, SpecOutcome, SpecReport};
use cicerone::watch::Watcher;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The interval of checks for saved files.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The interval of searches for new spec files, in checks.
const FIND_EVERY: u32 = 20;

/// A file saved just after a moment may have a slightly earlier date: file systems use a coarser clock.
const CLOCKS_DIFFER: Duration = Duration::from_millis(20);

/// The state of a spec file since its last run.
#[derive(Default)]
struct Known {
    /// Its dependencies: rooms, scripts, modules.
    files: BTreeSet<PathBuf>,
    passed: usize,
    failed: usize,
}

/// A watch that begins before the first test is read, so that no save is missed, whatever its date.
pub(super) struct Watch {
    watcher: Watcher,
    watched: BTreeSet<PathBuf>,
    started: SystemTime,
}

impl Watch {
    /// Watches all files that the tests of a project may read, and these specs.
    #[allow(clippy::disallowed_methods)] // a file saved while tests run is dated by the clock
    pub(super) fn begin(project: &Project, settings: &Settings, poll: bool) -> Self {
        let mut watched = project.files();
        watched.extend(scenario::find(project, &settings.paths).unwrap_or_default());
        Self { watcher: Watcher::new(&watched, poll), watched, started: SystemTime::now() }
    }
}

/// Never ends by itself. `first` is the report of the run since `watch` began; `run` runs specs and reports on them.
#[allow(clippy::disallowed_methods)] // a file saved while tests run is dated by the clock
pub(super) fn watch(
    project: &Project,
    settings: Settings,
    Watch { mut watcher, mut watched, mut started }: Watch,
    first: &SpecReport,
    run: impl Fn(&Settings) -> SpecReport,
) -> u8 {
    let mut specs = BTreeMap::new();
    note(project, &settings, first, &mut specs);
    let now = all_files(&specs);
    // In this order: a save before the files are watched is found by its date, one after it by the watcher.
    watcher.track(&now);
    let mut changed = saved_since(started, now.difference(&watched));
    while let Some(batch) = watcher.try_next() {
        changed.extend(batch.changed);
    }
    watched = now;
    let mut looks = 0_u32;
    print::note(WAITING);
    loop {
        while let Some(batch) = watcher.try_next() {
            changed.extend(batch.changed);
        }
        let mut again: BTreeSet<PathBuf> = concerned(&changed, &specs).cloned().collect();
        looks = looks.wrapping_add(1);
        if looks.is_multiple_of(FIND_EVERY) {
            let found = scenario::find(project, &settings.paths).unwrap_or_default();
            let new: BTreeSet<PathBuf> = found.into_iter().filter(|spec| !specs.contains_key(spec)).collect();
            changed.extend(new.iter().cloned());
            again.extend(new);
        }
        if again.is_empty() {
            changed.clear();
            std::thread::sleep(LOOK_EVERY);
            continue;
        }
        specs.retain(|spec, _| spec.is_file());
        again.retain(|spec| spec.is_file());
        started = SystemTime::now();
        if !again.is_empty() {
            print::note(&told(project, &changed));
            let mut settings = settings.clone();
            settings.paths = again.into_iter().collect();
            let report = run(&settings);
            note(project, &settings, &report, &mut specs);
            print::note(&standing(project, &specs, settings.paths.len()));
        }
        // A file is watched only after a run reported it, so it may have been saved before that run was over.
        let now = all_files(&specs);
        watcher.track(&now);
        changed = saved_since(started, now.difference(&watched));
        watched = now;
    }
}

const WAITING: &str = "waiting for a file to be saved; ctrl-c ends";

fn all_files(specs: &BTreeMap<PathBuf, Known>) -> BTreeSet<PathBuf> {
    specs.iter().flat_map(|(spec, known)| known.files.iter().chain([spec])).cloned().collect()
}

fn concerned<'a>(
    changed: &'a BTreeSet<PathBuf>,
    specs: &'a BTreeMap<PathBuf, Known>,
) -> impl Iterator<Item = &'a PathBuf> {
    specs
        .iter()
        .filter(|(spec, known)| changed.contains(*spec) || !known.files.is_disjoint(changed))
        .map(|(spec, _)| spec)
}

fn saved_since<'a>(moment: SystemTime, files: impl IntoIterator<Item = &'a PathBuf>) -> BTreeSet<PathBuf> {
    let is_later = |file: &&PathBuf| {
        let saved = std::fs::metadata(file).and_then(|data| data.modified());
        saved.is_ok_and(|saved| saved + CLOCKS_DIFFER > moment)
    };
    files.into_iter().filter(is_later).cloned().collect()
}

/// Records the dependencies and results of each spec file of a report.
fn note(project: &Project, settings: &Settings, report: &SpecReport, specs: &mut BTreeMap<PathBuf, Known>) {
    for spec in scenario::find(project, &settings.paths).unwrap_or_default() {
        let name = project.clone().admit(&spec);
        let mut known = Known::default();
        for result in report.results.iter().filter(|result| result.file == name) {
            known.passed += usize::from(matches!(result.outcome, SpecOutcome::Passed));
            known.failed += usize::from(matches!(result.outcome, SpecOutcome::Failed(_)));
        }
        known.files.extend(report.files.get(&name).into_iter().flatten().cloned());
        known.failed += usize::from(report.broken.contains(&name));
        specs.insert(spec, known);
    }
}

/// The saved files, in a line.
fn told(project: &Project, changed: &BTreeSet<PathBuf>) -> String {
    const SHOWN: usize = 3;
    let mut names: Vec<String> = changed.iter().take(SHOWN).map(|file| project.name_of(file)).collect();
    if changed.len() > SHOWN {
        names.push(format!("{} more", changed.len() - SHOWN));
    }
    format!("\nsaved: {}", names.join(", "))
}

/// The state of all specs, since a report covers only those that ran again.
fn standing(project: &Project, specs: &BTreeMap<PathBuf, Known>, ran: usize) -> String {
    let failing: Vec<String> =
        specs.iter().filter(|(_, known)| known.failed > 0).map(|(spec, _)| project.name_of(spec)).collect();
    let passed: usize = specs.values().map(|known| known.passed).sum();
    let failed: usize = specs.values().map(|known| known.failed).sum();
    match (ran == specs.len(), failing.is_empty()) {
        (true, _) => WAITING.into(),
        (false, true) => format!("all {} spec files together: {passed} passed", specs.len()),
        (false, false) => format!(
            "all {} spec files together: {passed} passed, {failed} failed in {}",
            specs.len(),
            failing.join(", ")
        ),
    }
}
