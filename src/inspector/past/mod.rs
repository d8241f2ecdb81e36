//! Looking at another time than now: the last minutes as frames, exact moments from a run that is made again, and other
//! futures.

mod frames;
mod what_if;
mod worker;

use self::frames::Frames;
use self::what_if::WhatIf;
use self::worker::{Found, Wanted, Worker};
use super::look::Look;
use super::net::{Bytes, ClientId, Message, Slot};
use super::specs::TestRun;
use crate::project::MAX_ROOM_BYTES;
use crate::runtime::{Journal, Runtime};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Between two looks at the files while the page looks at the past.
const FILES: Duration = Duration::from_millis(250);

/// A future that is computed is at least and at most this long, in seconds.
const LEAST_FUTURE_S: f64 = 10.0;
const LONGEST_FUTURE_S: f64 = 120.0;

/// The history of a room, and the moment of it that is looked at.
#[derive(Default)]
pub(super) struct Past {
    pub(super) frames: Frames,
    at: Option<Moment>,
    worker: Option<Worker>,
    test: Option<ShownTest>,
    /// The number of the run that is looked at: it grows with every test.
    source: u64,
}

/// A test that is looked at instead of the running room.
struct ShownTest {
    title: String,
    run: TestRun,
}

/// A moment that is looked at.
struct Moment {
    tick: u64,
    /// Whether all of it is to be shown.
    is_exact: bool,
    /// Whether all of it is shown.
    is_whole: bool,
    computing: Option<u64>,
    why: Option<String>,
    /// Whether the room stood still before.
    was_paused: bool,
    looked_at_files: Option<Instant>,
    /// Changed files as they were at the last look, and those that a future was computed with.
    changed: Vec<(String, Vec<u8>)>,
    tried: Vec<(String, Vec<u8>)>,
    /// The moments of the other future that is computed, or was.
    weighed: Option<(u64, u64)>,
    /// Whether it is being computed.
    is_weighing: bool,
    /// Whether the moment is to be told again once that is done.
    is_asked_again: bool,
}

impl Moment {
    /// Another moment of the same other future goes on comparing with it, unless it is still being computed.
    fn compare_as(&mut self, before: Moment) {
        let is_within = before.weighed.is_some_and(|(from, to)| (from..=to).contains(&self.tick));
        if is_within && !before.is_weighing {
            (self.changed, self.tried, self.weighed) = (before.changed, before.tried, before.weighed);
        }
    }
}

/// Messages about the past: for every page, or for one.
#[derive(Default)]
pub(super) struct Messages {
    pub(super) all: Vec<(Slot, Message)>,
    pub(super) each: Vec<(ClientId, Slot, Message)>,
    /// Whether the moment is to be told again.
    pub(super) is_asked_again: bool,
}

impl Past {
    /// Whether the page looks at another time than now.
    pub(super) fn is_looked_at(&self) -> bool {
        self.at.is_some()
    }

    /// Looks at a moment; its frame, if there is one. `exact` asks for all of it.
    pub(super) fn go_to(
        &mut self,
        runtime: &Runtime,
        tick: u64,
        exact: bool,
        was_paused: bool,
        looks: Vec<(ClientId, Look)>,
        people: u32,
    ) -> Option<Bytes> {
        let first = self.first(runtime);
        let tick = tick.clamp(first, self.last(runtime).max(first));
        let exact = exact || self.test.is_some(); // no frames of a test are kept
        let was_paused = self.at.as_ref().map_or(was_paused, |at| at.was_paused);
        let mut at = Moment {
            tick,
            is_exact: exact,
            is_whole: false,
            computing: None,
            why: None,
            was_paused,
            looked_at_files: None,
            changed: Vec::new(),
            tried: Vec::new(),
            weighed: None,
            is_weighing: false,
            is_asked_again: false,
        };
        if let Some(before) = self.at.take().filter(|_| self.test.is_none()) {
            at.compare_as(before);
        }
        let source = self.source;
        if exact {
            match self.worker_for(runtime) {
                Ok((worker, journal)) => {
                    match worker.go_to(Wanted { source, journal, tick, looks, people }) {
                        Ok(()) => at.computing = Some(0),
                        Err(why) => at.why = Some(why),
                    }
                }
                Err(why) => at.why = Some(why),
            }
        } else if let Some(worker) = &self.worker {
            worker.cancel();
        }
        self.at = Some(at);
        self.frames.at(tick).filter(|_| self.test.is_none()).cloned()
    }

    /// Looks at the run of a test from now on, until [`Past::go_live`].
    pub(super) fn show(&mut self, run: TestRun, title: String) {
        (self.test, self.source) = (Some(ShownTest { title, run }), self.source + 1);
    }

    /// Looks at the same moment with other eyes; its frame, if there is one.
    pub(super) fn look_again(
        &mut self,
        runtime: &Runtime,
        looks: Vec<(ClientId, Look)>,
        people: u32,
    ) -> Option<Bytes> {
        if let Some(at) = self.at.as_mut().filter(|at| at.is_weighing) {
            at.is_asked_again = true; // a new job would end that one
            return None;
        }
        if let Some(tick) = self.at.as_ref().filter(|at| at.is_exact).map(|at| at.tick) {
            return self.go_to(runtime, tick, true, false, looks, people);
        }
        self.at.as_ref().and_then(|at| self.frames.at(at.tick)).cloned()
    }

    /// Comes back to now; whether the room stood still before.
    pub(super) fn go_live(&mut self) -> Option<bool> {
        if let Some(worker) = &self.worker {
            worker.cancel();
        }
        if self.test.take().is_some() {
            self.source += 1;
        }
        self.at.take().map(|at| at.was_paused)
    }

    /// The worker and what it needs, or why there is none.
    fn worker_for(&mut self, runtime: &Runtime) -> Result<(&Worker, Journal), String> {
        let test = self.test.as_ref().map(|test| &test.run.journal);
        let journal = test.or(runtime.journal()).ok_or("no journal of this room is kept")?.clone();
        if let Some(why) = journal.broken() {
            return Err(why.to_owned());
        }
        if self.worker.is_none() {
            self.worker = Some(Worker::start().map_err(|error| error.to_string())?);
        }
        self.worker.as_ref().map(|worker| (worker, journal)).ok_or_else(String::new)
    }

    /// The first tick that can be looked at.
    fn first(&self, runtime: &Runtime) -> u64 {
        if let Some(test) = &self.test {
            return test.run.journal.first_tick();
        }
        let whole = runtime.journal().filter(|journal| journal.broken().is_none());
        let now = || runtime.world().tick_number();
        whole.map_or_else(|| self.frames.first().unwrap_or_else(now), |journal| journal.first_tick())
    }

    /// The last one.
    fn last(&self, runtime: &Runtime) -> u64 {
        self.test.as_ref().map_or_else(|| runtime.last_tick(), |test| test.run.last_tick)
    }

    /// What was computed since the last call; notices saved files.
    #[allow(clippy::disallowed_methods)] // paces looks at files; the simulation never sees it
    pub(super) fn poll(&mut self, runtime: &Runtime) -> Messages {
        let mut messages = Messages::default();
        let found = self.worker.as_ref().map(Worker::found).unwrap_or_default();
        let Some(at) = &mut self.at else { return messages };
        for found in found {
            match found {
                Found::Progress(tick) => at.computing = Some(tick),
                Found::Moment { tick, mut all, mut each } => {
                    (at.tick, at.is_whole, at.computing) = (tick, true, None);
                    messages.all.append(&mut all);
                    messages.each.append(&mut each);
                }
                Found::WhatIf(told) if told["computing"].is_null() => {
                    at.is_weighing = false;
                    messages.is_asked_again = std::mem::take(&mut at.is_asked_again);
                    messages.all.push((Slot::WhatIf, told.to_string().into()));
                }
                Found::WhatIf(told) => messages.all.push((Slot::WhatIf, told.to_string().into())),
                Found::Failed(why) => (at.why, at.computing) = (Some(why), None),
            }
        }
        let is_due = at.looked_at_files.is_none_or(|looked| looked.elapsed() >= FILES);
        if is_due && at.is_whole && self.test.is_none() {
            at.looked_at_files = Some(Instant::now());
            self.look_at_files(runtime, &mut messages);
        }
        messages
    }

    /// Computes another future once files have changed, and have not changed again since the last look.
    fn look_at_files(&mut self, runtime: &Runtime, messages: &mut Messages) {
        let changed = changed_files(runtime);
        let Some(at) = &mut self.at else { return };
        let is_settled = at.changed == changed;
        at.changed.clone_from(&changed);
        if !is_settled || at.tried == changed {
            return;
        }
        at.tried.clone_from(&changed);
        if changed.is_empty() {
            // All is as it was again.
            if let Some(worker) = &self.worker {
                worker.cancel();
            }
            (at.weighed, at.is_weighing) = (None, false);
            messages.is_asked_again = std::mem::take(&mut at.is_asked_again);
            messages.all.push((Slot::WhatIf, no_what_if().to_string().into()));
            return;
        }
        let from = at.tick;
        let to = {
            let world = runtime.world();
            let at_least = world.tick_number().max(from + world.ticks_of(LEAST_FUTURE_S));
            at_least.min(from + world.ticks_of(LONGEST_FUTURE_S))
        };
        if let Ok((worker, journal)) = self.worker_for(runtime) {
            let is_begun = worker.what_if(WhatIf { journal, from, to, files: changed }).is_ok();
            if let Some(at) = self.at.as_mut().filter(|_| is_begun) {
                (at.weighed, at.is_weighing) = (Some((from, to)), true);
            }
        }
    }

    /// Where in time the page is.
    pub(super) fn told(&self, runtime: &Runtime) -> Value {
        let (first, last) = (self.first(runtime), self.last(runtime));
        let test = self.test.as_ref().map(|test| &test.title);
        match &self.at {
            None => json!({ "kind": "past", "tick": null, "first": first, "last": last }),
            Some(at) => json!({
                "kind": "past", "tick": at.tick, "exact": at.is_whole, "computing": at.computing,
                "first": first, "last": last, "why": at.why, "test": test,
            }),
        }
    }
}

/// The message that says that all files are as they were.
pub(super) fn no_what_if() -> Value {
    json!({ "kind": "whatIf", "files": [], "problems": [], "tracks": [], "differences": [] })
}

/// The files that differ from the running version, and what they hold.
fn changed_files(runtime: &Runtime) -> Vec<(String, Vec<u8>)> {
    let project = runtime.project();
    let changed = runtime.differing(&runtime.files());
    let read = |file: PathBuf| Some((project.name_of(&file), project.read(&file, MAX_ROOM_BYTES).ok()?));
    changed.into_iter().filter_map(read).collect()
}
