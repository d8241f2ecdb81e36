//! Live reload: handles the watcher's batches, and waits for files that are only half written.

use super::advice::Advice;
use super::refusal::{problems_beneath, refusal, some_of};
use super::{Reload, RoomAhead, Runtime};
use crate::problem::Problem;
use crate::watch::{Batch, Watcher};
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A broken file is read again after this long before it is reported: it may have been caught half written.
const SECOND_LOOK: Duration = Duration::from_millis(150);

/// How often reading restarts because of another save. After that, endless saves no longer hold it up.
const MOST_RESTARTS: u32 = 2;

/// A room that did not look at its files for so long stood still: the time before counts as no part of a reload.
const STOOD_STILL: Duration = Duration::from_millis(500);

/// Keeps a running room up to date with its files.
pub struct LiveReload {
    watcher: Watcher,
    /// The files that the watcher knows.
    tracked: BTreeSet<PathBuf>,
    /// The number of scripts loaded when `tracked` was listed.
    scripts_loaded: usize,
    /// Files tracked only since the last poll: they may have changed before they were watched.
    unseen: BTreeSet<PathBuf>,
    held: Option<Held>,
    reading: Option<Reading>,
    advice: Advice,
    /// The time of the last poll.
    polled: Instant,
}

/// A batch whose room is being read on another thread.
struct Reading {
    batch: Batch,
    /// Whether more files changed since the thread began.
    is_late: bool,
    /// How often it restarted for that.
    restarts: u32,
    thread: JoinHandle<Option<RoomAhead>>,
}

/// A refusal that is not yet reported, or not yet mended.
struct Held {
    changed: BTreeSet<PathBuf>,
    blamed: BTreeSet<PathBuf>,
    files: Vec<String>,
    problems: Vec<Problem>,
    /// The time of the first refusal.
    since: Instant,
    /// The time of the first sign of the save.
    noticed: Instant,
    told: bool,
}

/// A report on a reload. `Display` gives one line, or one per problem up to a limit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ReloadReport {
    /// The new version is live.
    Reloaded {
        /// Project-relative files.
        files: Vec<String>,
        /// From the first sign of the save until it was live.
        took: Duration,
        /// The first tick that the new version decides.
        tick: u64,
        /// The changes, as text.
        changes: Vec<String>,
    },
    /// Files that were refused before are again the same as the running version.
    Mended {
        /// Project-relative files.
        files: Vec<String>,
    },
    /// The files were refused; the last good version keeps running.
    Refused {
        /// Project-relative files.
        files: Vec<String>,
        /// All problems.
        problems: Vec<Problem>,
    },
    /// What `cicerone check` says of the version that is live, and did not say of the one before it.
    Warned {
        /// Warnings, and certain mistakes of scripts that nothing has run into yet.
        problems: Vec<Problem>,
    },
}

impl ReloadReport {
    /// The first line without the tick, for small displays.
    pub fn brief(&self) -> String {
        match self {
            Self::Reloaded { files, took, changes, .. } => {
                let line = format!("reloaded {} in {} ms", some_of(files, " "), took.as_millis());
                if changes.is_empty() { line } else { format!("{line}: {}", some_of(changes, ", ")) }
            }
            Self::Mended { files } => format!("mended {}: as it runs", some_of(files, " ")),
            Self::Refused { files, .. } => refusal(files),
            Self::Warned { problems } if problems.len() == 1 => "1 new warning".to_owned(),
            Self::Warned { problems } => format!("{} new warnings", problems.len()),
        }
    }
}

impl fmt::Display for ReloadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Reloaded { tick, .. } = self {
            write!(f, "tick {tick}: ")?;
        }
        f.write_str(&self.brief())?;
        match self {
            Self::Refused { problems, .. } | Self::Warned { problems } => {
                f.write_str(&problems_beneath(problems))
            }
            _ => Ok(()),
        }
    }
}

#[allow(clippy::disallowed_methods)] // how long a reload took is shown to people; the simulation never sees it
impl LiveReload {
    /// Begins to watch the files of a room. With `poll` it reads them periodically instead of relying on file events.
    /// Files saved since the room was opened are reloaded by the first [`LiveReload::poll`].
    pub fn new(runtime: &Runtime, poll: bool) -> Self {
        let files = runtime.files();
        let scripts_loaded = runtime.scripts_loaded();
        let watcher = Watcher::new(&files, poll);
        let (tracked, polled) = (files.clone(), Instant::now());
        let advice = Advice::new(runtime);
        Self { watcher, tracked, scripts_loaded, unseen: files, held: None, reading: None, advice, polled }
    }

    /// The problems of refused files that are not yet mended.
    pub fn refused(&self) -> &[Problem] {
        self.held.as_ref().filter(|held| held.told).map_or(&[], |held| &held.problems)
    }

    /// All that `cicerone check` says of the room as it runs, once that is known.
    pub fn warnings(&self) -> &[Problem] {
        self.advice.all()
    }

    /// Whether [`LiveReload::warnings`] are those of the version that runs.
    pub fn is_checked(&self, runtime: &Runtime) -> bool {
        self.advice.is_current(runtime)
    }

    /// Reloads what changed since the last call. Call it between two ticks. A room with images or a mesh is read on another
    /// thread, and taken over by the first call after that. Warnings come some calls later.
    #[must_use = "a refused file is told here and nowhere else"]
    pub fn poll(&mut self, runtime: &mut Runtime) -> Vec<ReloadReport> {
        let mut reports = Vec::new();
        let now = Instant::now();
        let stood_still = now - std::mem::replace(&mut self.polled, now) >= STOOD_STILL;
        if !self.unseen.is_empty() {
            let changed = runtime.differing(&std::mem::take(&mut self.unseen));
            if !changed.is_empty() {
                // Before they are read, so that a file that is put back right afterwards is a change again.
                self.watcher.look_again(&changed);
                reports.extend(self.receive(runtime, Batch { changed, noticed: Instant::now() }));
            }
        }
        // Scripts of spawned characters are loaded while the room runs.
        if runtime.scripts_loaded() != self.scripts_loaded {
            self.track(runtime);
        }
        while let Some(mut batch) = self.watcher.try_next() {
            if stood_still {
                batch.noticed = now;
            }
            reports.extend(self.receive(runtime, batch));
        }
        reports.extend(self.take_finished_read(runtime));
        let is_due = |held: &mut Held| !held.told && held.since.elapsed() >= SECOND_LOOK;
        if let Some(held) = self.held.take_if(|held| self.reading.is_none() && is_due(held)) {
            reports.extend(self.sort_out(runtime, held));
            if let Some(held) = &mut self.held {
                reports.push(held.tell());
            }
        }
        let problems = self.advice.poll(runtime);
        if !problems.is_empty() {
            reports.push(ReloadReport::Warned { problems });
        }
        reports
    }

    /// Takes a batch over, at once or after its room has been read on another thread.
    fn receive(&mut self, runtime: &mut Runtime, batch: Batch) -> Vec<ReloadReport> {
        if let Some(reading) = &mut self.reading {
            reading.batch.changed.extend(batch.changed);
            reading.is_late = true;
            return Vec::new();
        }
        self.begin_reading(runtime, batch, 0)
    }

    fn begin_reading(&mut self, runtime: &mut Runtime, batch: Batch, restarts: u32) -> Vec<ReloadReport> {
        let held = self.held.iter().flat_map(|held| &held.changed);
        let changed = batch.changed.iter().chain(held).cloned().collect();
        let Some(ahead) = runtime.read_ahead(&changed) else { return self.take(runtime, batch) };
        match std::thread::Builder::new().spawn(move || ahead.run()) {
            Ok(thread) => self.reading = Some(Reading { batch, is_late: false, restarts, thread }),
            Err(_) => return self.take(runtime, batch), // no thread available
        }
        Vec::new()
    }

    /// Takes over the result of the other thread, once it is done.
    fn take_finished_read(&mut self, runtime: &mut Runtime) -> Vec<ReloadReport> {
        let Some(reading) = self.reading.take_if(|reading| reading.thread.is_finished()) else {
            return Vec::new();
        };
        if reading.is_late && reading.restarts < MOST_RESTARTS {
            return self.begin_reading(runtime, reading.batch, reading.restarts + 1);
        }
        if let Ok(Some(ahead)) = reading.thread.join() {
            runtime.take_ahead(ahead);
        }
        self.take(runtime, reading.batch)
    }

    /// Files refused before are part of this transaction: their other half may have come with it.
    fn take(&mut self, runtime: &mut Runtime, batch: Batch) -> Vec<ReloadReport> {
        let before = self.held.take();
        let mut changed = batch.changed;
        changed.extend(before.iter().flat_map(|held| held.changed.iter().cloned()));
        let outcome = runtime.reload(&changed);
        self.track(runtime);
        match outcome {
            Reload::Unchanged => {
                let mended = before.filter(|held| held.told);
                mended.into_iter().map(|held| ReloadReport::Mended { files: held.files }).collect()
            }
            Reload::Done { files, tick, changes } => {
                vec![ReloadReport::Reloaded { files, took: batch.noticed.elapsed(), tick, changes }]
            }
            Reload::Refused { files, problems, blamed } => {
                let (since, noticed, told) = (Instant::now(), batch.noticed, false);
                let held = Held { changed, blamed, files, problems, since, noticed, told };
                match before {
                    None => {
                        self.held = Some(held);
                        Vec::new()
                    }
                    Some(before) => self.take_what_is_good(runtime, held, before),
                }
            }
        }
    }

    /// Files that have waited once no longer wait for others to be mended.
    fn take_what_is_good(&mut self, runtime: &mut Runtime, held: Held, before: Held) -> Vec<ReloadReport> {
        let mut reports = self.sort_out(runtime, held);
        if let Some(held) = &mut self.held {
            if held.changed.is_subset(&before.changed) && before.told {
                // Problems that remain are reported again beside the success.
                reports.push(held.tell());
            } else if !before.told && !held.changed.is_disjoint(&before.changed) {
                held.since = before.since;
            }
        }
        reports
    }

    /// Takes over the good files without those to blame, which are held.
    fn sort_out(&mut self, runtime: &mut Runtime, mut held: Held) -> Vec<ReloadReport> {
        let mut rest = held.changed.clone();
        let mut blamed = held.blamed.clone();
        let mut problems = Vec::new();
        let mut reports = Vec::new();
        loop {
            problems.append(&mut held.problems);
            rest.retain(|file| !blamed.contains(file));
            match runtime.reload(&rest) {
                Reload::Refused { problems, blamed: more, .. } => (held.problems, blamed) = (problems, more),
                Reload::Unchanged => break,
                Reload::Done { files, tick, changes } => {
                    let took = held.noticed.elapsed();
                    reports.push(ReloadReport::Reloaded { files, took, tick, changes });
                    break;
                }
            }
        }
        held.changed.retain(|file| !rest.contains(file));
        held.blamed = held.changed.clone();
        held.files = held.changed.iter().map(|file| runtime.project().name_of(file)).collect();
        held.problems = problems;
        self.held = Some(held);
        self.track(runtime);
        reports
    }

    fn track(&mut self, runtime: &Runtime) {
        let files = runtime.files();
        self.watcher.track(&files);
        self.unseen.extend(files.difference(&self.tracked).cloned());
        self.tracked = files;
        self.scripts_loaded = runtime.scripts_loaded();
    }
}

impl Held {
    fn tell(&mut self) -> ReloadReport {
        self.told = true;
        ReloadReport::Refused { files: self.files.clone(), problems: self.problems.clone() }
    }
}
