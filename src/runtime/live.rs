//! Reload while the room runs: the watcher's batches, and patience with files that are only half written.

use super::{Reload, Runtime};
use crate::problem::Problem;
use crate::watch::{Batch, Watcher};
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A broken file is looked at again after this long before anyone is told: it may have been caught half written.
const SECOND_LOOK: Duration = Duration::from_millis(150);

/// Keeps a running room up to date with its files.
pub struct LiveReload {
    watcher: Watcher,
    held: Option<Held>,
}

/// A refusal that is not told yet.
struct Held {
    changed: BTreeSet<PathBuf>,
    refused: Vec<Problem>,
    files: Vec<String>,
    since: Instant,
    told: bool,
}

impl Held {
    /// What is still wrong when some of the files have been mended.
    fn without(mut self, mended: &BTreeSet<PathBuf>) -> Option<Self> {
        let names: Vec<_> = mended.iter().filter_map(|file| file.file_name()).collect();
        self.changed.retain(|file| !mended.contains(file));
        let is_mended =
            |name: &String| names.iter().any(|mended| std::path::Path::new(name).file_name() == Some(mended));
        self.files.retain(|name| !is_mended(name));
        self.refused.retain(|problem| !is_mended(&problem.file));
        (!self.changed.is_empty()).then_some(self)
    }
}

/// What to tell about a reload; `Display` gives one line, or one for each problem.
#[derive(Debug, Clone, PartialEq)]
pub enum ReloadReport {
    /// It is live.
    Reloaded {
        /// Project-relative files.
        files: Vec<String>,
        /// From the first sign of the save until it was live.
        took: Duration,
    },
    /// What was refused before says again what runs anyway.
    Mended {
        /// Project-relative files.
        files: Vec<String>,
    },
    /// It was refused; the last good version runs on.
    Refused {
        /// Project-relative files.
        files: Vec<String>,
        /// Everything that is wrong.
        problems: Vec<Problem>,
    },
}

impl fmt::Display for ReloadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reloaded { files, took } => {
                write!(f, "reloaded {} in {} ms", files.join(" "), took.as_millis())
            }
            Self::Mended { files } => write!(f, "mended {}: as it runs", files.join(" ")),
            Self::Refused { files, problems } => {
                write!(f, "refused {} (the last good version runs on)", files.join(" "))?;
                problems.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
            }
        }
    }
}

impl LiveReload {
    /// Begins to watch the files of a room; `poll` looks at them instead of trusting file events.
    pub fn new(runtime: &Runtime, poll: bool) -> Self {
        Self { watcher: Watcher::new(&runtime.files(), poll), held: None }
    }

    /// Takes over what changed since the last call. Call it between two ticks.
    #[allow(clippy::disallowed_methods)] // how long a reload took is for people; the simulation never sees it
    pub fn poll(&mut self, runtime: &mut Runtime) -> Vec<ReloadReport> {
        let mut reports = Vec::new();
        while let Some(batch) = self.watcher.try_next() {
            reports.extend(self.take(runtime, batch));
        }
        if let Some(held) = &mut self.held
            && !held.told
            && held.since.elapsed() >= SECOND_LOOK
        {
            held.told = true;
            reports.push(ReloadReport::Refused { files: held.files.clone(), problems: held.refused.clone() });
        }
        reports
    }

    #[allow(clippy::disallowed_methods)] // as above
    fn take(&mut self, runtime: &mut Runtime, batch: Batch) -> Vec<ReloadReport> {
        // What was refused before is part of this transaction: the other half may have come with it. If that fails too, the
        // new files may still be good on their own.
        let mut changed = batch.changed.clone();
        let before = self.held.take();
        if let Some(held) = &before {
            changed.extend(held.changed.iter().cloned());
        }
        let outcome = runtime.reload(&changed);
        if changed != batch.changed
            && matches!(outcome, Reload::Refused { .. })
            && let Reload::Done { files } = runtime.reload(&batch.changed)
        {
            self.held = before.and_then(|held| held.without(&batch.changed));
            self.watcher.track(&runtime.files());
            let mut reports = vec![ReloadReport::Reloaded { files, took: batch.noticed.elapsed() }];
            if let Some(held) = &mut self.held {
                // What is still wrong must not be forgotten over what is right.
                held.told = true;
                reports.push(ReloadReport::Refused {
                    files: held.files.clone(),
                    problems: held.refused.clone(),
                });
            }
            return reports;
        }
        self.watcher.track(&runtime.files());
        match outcome {
            Reload::Unchanged => {
                let mended = before.filter(|held| held.told);
                mended.into_iter().map(|held| ReloadReport::Mended { files: held.files }).collect()
            }
            Reload::Done { files } => vec![ReloadReport::Reloaded { files, took: batch.noticed.elapsed() }],
            Reload::Refused { files, problems } => {
                self.held =
                    Some(Held { changed, refused: problems, files, since: Instant::now(), told: false });
                Vec::new()
            }
        }
    }
}
