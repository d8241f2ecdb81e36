//! Files changed: which ones really did. Events only wake the watcher; a scan by content decides.
//!
//! Watches folders, because a watch on a file dies with the first atomic rename over it. A slow scan runs beside the events:
//! some changes raise none (a file written at once into a new folder), and network drives raise none at all.

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// No event for this long: the save is finished. Editors write a file in a few milliseconds.
const QUIET: Duration = Duration::from_millis(50);

/// Never wait longer than this for quiet, however busy the folder is.
const PATIENCE: Duration = Duration::from_millis(150);

/// How often to look without being woken.
const SLOW_SCAN: Duration = Duration::from_secs(1);

/// How often to look when events cannot be trusted.
const POLL_SCAN: Duration = Duration::from_millis(100);

/// Files larger than any room or script are compared by date and size only.
const MAX_HASHED_BYTES: u64 = 128 << 20;

/// Files that changed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The files whose content is another than before, deleted ones included.
    pub changed: BTreeSet<PathBuf>,
    /// When the first sign of it came.
    pub noticed: Instant,
}

/// Watches files and gathers their changes into batches, on a thread of its own.
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
    /// Begins to watch `files`, which need not exist. With `poll` only scans are used. If the system gives no events (too many
    /// watches, say), scans alone do the work.
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

    /// Watches exactly these files from now on. What is new among them counts as unchanged as it is.
    pub fn track(&mut self, files: &BTreeSet<PathBuf>) {
        // The folders first: a save between the two is seen by the look or raises an event.
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

    /// The next batch, if one is there.
    pub fn try_next(&self) -> Option<Batch> {
        self.batches.try_recv().ok()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // The thread may be gone already; then there is nobody to tell.
        let _ = self.wake.send(Signal::Stop);
    }
}

fn event_source(wake: Sender<Signal>) -> Option<RecommendedWatcher> {
    let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file raises Access events; following those would never end.
        let reading = event.as_ref().is_ok_and(|event| matches!(event.kind, EventKind::Access(_)));
        if !reading {
            let _ = wake.send(Signal::Changed);
        }
    });
    watcher
        .map_err(|error| log::warn!("no file events here ({error}); looking ten times a second instead"))
        .ok()
}

#[allow(clippy::disallowed_methods)] // measures how long it takes, decides nothing in the simulation
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

/// The files watched, and how they looked last.
#[derive(Default)]
struct Tracked {
    files: BTreeMap<PathBuf, Option<Look>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Look {
    modified: Option<SystemTime>,
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

    /// The files whose content changed since the last scan. Unless `thorough`, a file whose date and size are as before is
    /// taken to be as before.
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

/// How a file looks; `None` if it is not there. `trusted` saves reading it when date and size agree.
fn look_at(file: &Path, trusted: Option<Look>) -> Option<Look> {
    let metadata = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
    let (modified, length) = (metadata.modified().ok(), metadata.len());
    if let Some(look) = trusted.filter(|look| look.modified == modified && look.length == length) {
        return Some(look);
    }
    let mut hasher = DefaultHasher::new();
    if length <= MAX_HASHED_BYTES {
        // It may have grown since, or be something else by now.
        let mut content = Vec::new();
        std::fs::File::open(file).ok()?.take(MAX_HASHED_BYTES).read_to_end(&mut content).ok()?;
        hasher.write(&content);
    }
    Some(Look { modified, length, hash: hasher.finish() })
}
