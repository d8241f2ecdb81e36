//! Finds files that really changed. Events only wake the watcher; a scan by content decides.
//!
//! Watches folders, because a watch on a file dies with the first atomic rename over it. A slow scan runs beside the
//! events: some changes raise none (a file written at once into a new folder), and network drives raise none at all.

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A save is finished after this long without an event. Editors write a file in a few milliseconds.
const QUIET: Duration = Duration::from_millis(50);

/// The longest wait for quiet, however busy the folder is.
const PATIENCE: Duration = Duration::from_millis(150);

/// The interval of scans without events.
const SLOW_SCAN: Duration = Duration::from_secs(1);

/// The interval of scans when events are unreliable.
const POLL_SCAN: Duration = Duration::from_millis(100);

/// Files larger than any room or script are compared by date and size only.
const MAX_HASHED_BYTES: u64 = 128 << 20;

/// Files that changed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The files with new content, deleted ones included.
    pub changed: BTreeSet<PathBuf>,
    /// The time of the first sign of a change.
    pub noticed: Instant,
}

/// Watches files on a thread of its own, and gathers their changes into batches.
pub struct Watcher {
    tracked: Arc<Mutex<Tracked>>,
    batches: Receiver<Batch>,
    wake: Sender<Signal>,
    events: Option<RecommendedWatcher>,
    folders: BTreeSet<PathBuf>,
}

enum Signal {
    Changed,
    Stop,
}

impl Watcher {
    /// Begins to watch `files`, which need not exist. With `poll` only scans are used. If the system gives no events
    /// (too many watches, say), scans alone do the work.
    pub fn new(files: &BTreeSet<PathBuf>, poll: bool) -> Self {
        let (wake, woken) = channel();
        let (send, batches) = channel();
        let tracked = Arc::new(Mutex::new(Tracked::default()));
        let events = if poll { None } else { event_source(wake.clone()) };
        let interval = if events.is_some() { SLOW_SCAN } else { POLL_SCAN };
        let mut watcher = Self { tracked: tracked.clone(), batches, wake, events, folders: BTreeSet::new() };
        watcher.track(files);
        std::thread::spawn(move || gather(&woken, interval, &tracked, &send));
        watcher
    }

    /// Watches exactly these files from now on. The current content of new ones counts as unchanged.
    pub fn track(&mut self, files: &BTreeSet<PathBuf>) {
        // The folders first: a save between the two steps is seen by the scan or raises an event.
        for file in files {
            let Some(folder) = file.ancestors().skip(1).find(|folder| folder.is_dir()) else { continue };
            if let Some(events) = &mut self.events
                && self.folders.insert(folder.to_path_buf())
                && let Err(error) = events.watch(folder, RecursiveMode::NonRecursive)
            {
                log::warn!("cannot watch {}: {error}; looking once a second instead", folder.display());
            }
        }
        lock(&self.tracked).set(files);
    }

    /// Takes the current content of these files as known, if they are watched: the caller is about to read them.
    pub fn look_again(&self, files: &BTreeSet<PathBuf>) {
        for (file, last) in &mut lock(&self.tracked).files {
            if files.contains(file) {
                *last = look_at(file, None);
            }
        }
    }

    /// The next batch, if there is one.
    pub fn try_next(&self) -> Option<Batch> {
        self.batches.try_recv().ok()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // The thread may have ended already; then no signal is needed.
        let _ = self.wake.send(Signal::Stop);
    }
}

fn event_source(wake: Sender<Signal>) -> Option<RecommendedWatcher> {
    let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file raises Access events; reacting to those would never end.
        let reading = event.as_ref().is_ok_and(|event| matches!(event.kind, EventKind::Access(_)));
        if !reading {
            let _ = wake.send(Signal::Changed);
        }
    });
    watcher
        .map_err(|error| log::warn!("no file events here ({error}); looking ten times a second instead"))
        .ok()
}

#[allow(clippy::disallowed_methods)] // measures durations, decides nothing in the simulation
fn gather(woken: &Receiver<Signal>, interval: Duration, tracked: &Mutex<Tracked>, send: &Sender<Batch>) {
    loop {
        let thorough = match woken.recv_timeout(interval) {
            Ok(Signal::Changed) => true,
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => false,
        };
        let noticed = Instant::now();
        while thorough && noticed.elapsed() < PATIENCE {
            match woken.recv_timeout(QUIET.min(PATIENCE.saturating_sub(noticed.elapsed()))) {
                Ok(Signal::Changed) => {}
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        let changed = lock(tracked).scan(thorough);
        if !changed.is_empty() && send.send(Batch { changed, noticed }).is_err() {
            return;
        }
    }
}

fn lock(tracked: &Mutex<Tracked>) -> MutexGuard<'_, Tracked> {
    tracked.lock().unwrap_or_else(PoisonError::into_inner)
}

/// No file system's dates are coarser (FAT: two seconds).
const COARSE: Duration = Duration::from_secs(3);

/// The watched files and their last known states.
#[derive(Default)]
struct Tracked {
    files: BTreeMap<PathBuf, Option<Look>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    modified: Option<SystemTime>,
    /// When this date and size were seen first.
    since: Instant,
    /// Whether the next change gives it another date for certain: dates of files are coarse.
    is_settled: bool,
    length: u64,
    hash: u64,
}

impl Tracked {
    fn set(&mut self, files: &BTreeSet<PathBuf>) {
        self.files.retain(|file, _| files.contains(file));
        for file in files {
            self.files.entry(file.clone()).or_insert_with(|| look_at(file, None));
        }
    }

    /// The files whose content changed since the last scan. Unless `thorough`, a file with the same date and size
    /// counts as unchanged.
    fn scan(&mut self, thorough: bool) -> BTreeSet<PathBuf> {
        let mut changed = BTreeSet::new();
        for (file, last) in &mut self.files {
            let now = look_at(file, last.filter(|_| !thorough));
            if now.map(|look| (look.length, look.hash)) != last.map(|look| (look.length, look.hash)) {
                changed.insert(file.clone());
            }
            *last = now;
        }
        changed
    }
}

/// The state of a file; `None` if it does not exist. If date and size equal those of `trusted`, it is not read.
#[allow(clippy::disallowed_methods)] // files have dates; the simulation never sees them
fn look_at(file: &Path, trusted: Option<Look>) -> Option<Look> {
    let metadata = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
    let (modified, length) = (metadata.modified().ok(), metadata.len());
    let same = trusted.filter(|look| look.modified == modified && look.length == length);
    if let Some(look) = same.filter(|look| look.is_settled) {
        return Some(look);
    }
    let since = same.map_or_else(Instant::now, |look| look.since);
    let age = modified.and_then(|modified| SystemTime::now().duration_since(modified).ok());
    // A server's clock may be ahead.
    let is_settled = age.is_some_and(|age| age > COARSE) || since.elapsed() > COARSE;
    let mut hasher = DefaultHasher::new();
    if length <= MAX_HASHED_BYTES {
        // It may have grown or been replaced meanwhile.
        let mut content = Vec::new();
        std::fs::File::open(file).ok()?.take(MAX_HASHED_BYTES).read_to_end(&mut content).ok()?;
        hasher.write(&content);
    }
    Some(Look { modified, since, is_settled, length, hash: hasher.finish() })
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;

    /// Another content of the same size and the same date, as of two saves within one tick of the file system's clock.
    #[test]
    fn a_save_that_leaves_size_and_date_is_seen_while_the_date_is_new() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.lua");
        let save = |text: &str, date: SystemTime| {
            std::fs::write(&file, text).unwrap();
            std::fs::File::options().append(true).open(&file).unwrap().set_modified(date).unwrap();
        };
        let now = SystemTime::now();
        for (date, is_seen) in [(now, true), (now - 10 * COARSE, false)] {
            let mut tracked = Tracked::default();
            save("old", date);
            tracked.set(&BTreeSet::from([file.clone()]));
            save("new", date);
            assert_eq!(!tracked.scan(false).is_empty(), is_seen);
            assert_eq!(!tracked.scan(true).is_empty(), !is_seen, "a thorough one sees all");
        }
    }
}
