//! The thread that makes a run again, so that the room's own thread goes on serving the page.

use super::what_if::WhatIf;
use crate::crowd::CharacterId;
use crate::inspector::frame;
use crate::inspector::look::Look;
use crate::inspector::messages;
use crate::inspector::net::{ClientId, Message, Slot};
use crate::inspector::scene::Scene;
use crate::nav::ClassId;
use crate::runtime::{Journal, Rerun, Runtime};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A moment that a page wants to see whole.
pub(super) struct Wanted {
    /// The number of the run.
    pub(super) source: u64,
    pub(super) journal: Journal,
    pub(super) tick: u64,
    pub(super) looks: Vec<(ClientId, Look)>,
    /// The version of the list of people.
    pub(super) people: u32,
}

enum Job {
    GoTo(Box<Wanted>),
    WhatIf(Box<WhatIf>),
}

/// What the thread has found out.
pub(super) enum Found {
    /// It has come to this tick.
    Progress(u64),
    /// A moment: messages for all pages, and for single ones.
    Moment { tick: u64, all: Vec<(Slot, Message)>, each: Vec<(ClientId, Slot, Message)> },
    /// A result of [`WhatIf`], or how far it is.
    WhatIf(Value),
    /// It cannot be computed: why.
    Failed(String),
}

/// The thread. A new job ends the one before.
pub(super) struct Worker {
    jobs: Sender<(u64, Job)>,
    found: Receiver<(u64, Found)>,
    /// The number of the job that counts.
    current: Arc<AtomicU64>,
}

impl Worker {
    pub(super) fn start() -> std::io::Result<Self> {
        let (jobs, to_do) = channel();
        let (tell, found) = channel();
        let current = Arc::new(AtomicU64::new(0));
        let of_thread = current.clone();
        std::thread::Builder::new()
            .name("page-past".into())
            .spawn(move || Thread { tell, current: of_thread, rerun: None }.run(&to_do))?;
        Ok(Self { jobs, found, current })
    }

    pub(super) fn go_to(&self, wanted: Wanted) -> Result<(), String> {
        self.begin(Job::GoTo(Box::new(wanted)))
    }

    pub(super) fn what_if(&self, what_if: WhatIf) -> Result<(), String> {
        self.begin(Job::WhatIf(Box::new(what_if)))
    }

    /// Ends the job.
    pub(super) fn cancel(&self) {
        self.current.fetch_add(1, Ordering::Relaxed);
    }

    fn begin(&self, job: Job) -> Result<(), String> {
        let number = self.current.fetch_add(1, Ordering::Relaxed) + 1;
        let sent = self.jobs.send((number, job));
        sent.map_err(|_| "what computes the past has failed; this is a mistake of ours".into())
    }

    /// What was found since the last call.
    pub(super) fn found(&self) -> Vec<Found> {
        let current = self.current.load(Ordering::Relaxed);
        self.found.try_iter().filter(|(number, _)| *number == current).map(|(_, found)| found).collect()
    }
}

struct Thread {
    tell: Sender<(u64, Found)>,
    current: Arc<AtomicU64>,
    /// The last moment, from which later ones of the same run are reached sooner.
    rerun: Option<(u64, Rerun)>,
}

impl Thread {
    fn run(&mut self, to_do: &Receiver<(u64, Job)>) {
        while let Ok((number, job)) = to_do.recv() {
            if !self.counts(number) {
                continue;
            }
            let found = match job {
                Job::GoTo(wanted) => self.go_to(number, *wanted),
                Job::WhatIf(what_if) => what_if
                    .compute(|tick| {
                        self.tell(number, Found::WhatIf(what_if.told(&json!({ "computing": tick }))));
                        self.counts(number)
                    })
                    .map(|result| result.map(Found::WhatIf))
                    .or_else(|why| Ok(Some(Found::WhatIf(what_if.failed(&why))))),
            };
            match found {
                Ok(Some(found)) => self.tell(number, found),
                Ok(None) => {}
                Err(why) => self.tell(number, Found::Failed(why)),
            }
        }
    }

    fn counts(&self, number: u64) -> bool {
        self.current.load(Ordering::Relaxed) == number
    }

    fn tell(&self, number: u64, found: Found) {
        drop(self.tell.send((number, found))); // an error if nobody looks any more
    }

    fn go_to(&mut self, number: u64, wanted: Wanted) -> Result<Option<Found>, String> {
        let known = self.rerun.take();
        let is_before =
            |(source, rerun): &(u64, Rerun)| *source == wanted.source && rerun.tick() <= wanted.tick;
        let mut rerun = match known.filter(is_before) {
            Some((_, mut rerun)) => {
                rerun.extend(wanted.journal.clone());
                rerun
            }
            None => Rerun::new(wanted.journal.clone()).map_err(|error| error.to_string())?,
        };
        while rerun.tick() < wanted.tick {
            if !rerun.step() {
                break; // a test that ends sooner than before
            }
            if rerun.tick().is_multiple_of(64) {
                self.tell(number, Found::Progress(rerun.tick()));
                if !self.counts(number) {
                    self.rerun = Some((wanted.source, rerun));
                    return Ok(None);
                }
            }
        }
        // What was done since in a room that stands still.
        rerun.enter();
        drop(rerun.runtime().take_events());
        let found = moment(rerun.runtime(), &wanted);
        self.rerun = Some((wanted.source, rerun));
        Ok(Some(found))
    }
}

/// All that is told of a moment.
fn moment(runtime: &Runtime, wanted: &Wanted) -> Found {
    let world = runtime.world();
    let with_cells = wanted.looks.iter().any(|(_, look)| look.cells);
    let actor = wanted.looks.iter().find_map(|(_, look)| look.who);
    let cells = with_cells.then(|| actor.map_or_else(ClassId::default, |who| world.class_of(who)));
    let scene = Scene::of(world, cells, actor, u32::MAX);
    let faulty: BTreeSet<CharacterId> =
        runtime.switched_off_handlers().iter().filter_map(|off| off.character).collect();
    let moment = frame::Moment { is_paused: true, is_jump: true, people: wanted.people };
    let state = json!({
        "kind": "state", "paused": true, "speed": 1, "tick": world.tick_number(), "time": world.time_s(),
        "heldUp": messages::held_up(world),
    });
    let all = vec![
        (Slot::Scene, scene.told.as_str().into()),
        (Slot::People, messages::people_of(&messages::people(world), wanted.people).to_string().into()),
        (Slot::State, state.to_string().into()),
        (Slot::Speech, messages::speech(world).to_string().into()),
        (Slot::Frame, frame::frame(runtime, &scene.picture, &faulty, &moment).into()),
    ];
    let glances = runtime.glances();
    let mut each = Vec::new();
    for (client, look) in &wanted.looks {
        let selected = look.who;
        let paths = frame::paths(world, &scene.picture, |who| look.paths.has(who, selected));
        each.push((*client, Slot::Paths, paths.into()));
        let views = messages::views(&glances, &scene.picture, |who| look.views.has(who, selected));
        each.push((*client, Slot::Views, views.to_string().into()));
        if let Some(inspection) = messages::inspection(runtime, &scene.picture, look) {
            each.push((*client, Slot::Inspection, inspection.to_string().into()));
        }
    }
    Found::Moment { tick: world.tick_number(), all, each }
}
