//! The inspector: a page on this machine that shows a running room, live, and takes part in it.
//!
//! [`Inspector::open`] listens; [`Inspector::receive`] carries out what pages ask for, and [`Inspector::publish`] tells
//! them what is new. Both are called between two steps, some thirty to sixty times a second, on the thread of the room.
//! Neither waits for a page: every connection has a thread of its own, and a slow one gets only the newest.

mod breakpoints;
mod clock;
mod debugger;
mod edits;
mod frame;
mod look;
mod messages;
mod net;
mod numbers;
mod orders;
mod past;
mod publish;
mod scene;
mod specs;
mod wire;

pub use self::clock::Clock;

use self::breakpoints::BrokenTexts;
use self::debugger::{IsOver, PageDebugger};
use self::edits::Edits;
use self::look::Look;
use self::net::{Bytes, ClientId, Listener, Slot};
use self::numbers::Numbers;
use self::past::Past;
use self::scene::SceneMaker;
use self::specs::Specs;
use self::wire::SharedWire;
use crate::crowd::CharacterId;
use crate::problem::Problem;
use crate::runtime::{ReloadReport, Runtime, RuntimeEvent};
use crate::script::Answer;
use crate::world::EventKind;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::time::Instant;

/// Lines that a page gets which comes later.
const MOST_LINES: usize = 2_000;

/// The most characters whose names are kept after they left.
const MOST_PEOPLE: usize = 50_000;

/// Serves the page of a running room.
///
/// ```no_run
/// use cicerone::inspector::Inspector;
/// use cicerone::runtime::{Options, Runtime};
/// let mut room = Runtime::open("rooms/tavern.json".as_ref(), Options::default())?;
/// room.keep_journal(Options::default()); // so that one can look back
/// let mut inspector = Inspector::open(0)?;
/// println!("the room is at {}", inspector.link());
/// loop {
///     inspector.receive(&mut room);
///     inspector.clock().pass(0.016);
///     while inspector.clock().take_step(1.0 / f64::from(room.ticks_per_second())) {
///         inspector.step(&mut room);
///     }
///     let (events, answers) = (room.take_events(), room.take_answers());
///     inspector.tell(&room, &events);
///     inspector.tell_answers(&room, &answers);
///     inspector.publish(&room);
///     std::thread::sleep(std::time::Duration::from_millis(16));
/// }
/// # #[allow(unreachable_code)]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Inspector {
    wire: SharedWire,
    is_over: Option<IsOver>,
    has_debugger: bool,
    broken_texts: BrokenTexts,
    clock: Clock,
    numbers: Numbers,
    scene: SceneMaker,
    edits: Edits,
    past: Past,
    specs: Specs,
    lines: VecDeque<Value>,
    new_lines: Vec<Value>,
    people: u32,
    /// All characters that were ever told of, by id.
    everybody: BTreeMap<u32, Value>,
    /// Characters with handlers that are switched off.
    faulty: BTreeSet<CharacterId>,
    /// What was told last, to tell only what is new.
    last: Last,
    refused: Vec<Problem>,
    warned: Vec<Problem>,
    /// The link that opens a file in an editor.
    editor: String,
}

/// What was told last, and when.
#[derive(Default)]
struct Last {
    frame: Option<(Instant, u64)>,
    state: Option<(Instant, bool, f64)>,
    looking: Option<Instant>,
    lists: Option<Instant>,
    /// When a page was last there while the past was looked at.
    seen: Option<Instant>,
    past: Option<Instant>,
    people: String,
    speech: String,
    errors: String,
    error_count: u64,
    is_jump: bool,
}

/// A link that opens a file in Visual Studio Code.
pub const EDITOR: &str = "vscode://file/{path}:{line}:{column}";

#[allow(clippy::disallowed_methods)] // paces messages to people; the simulation never sees it
impl Inspector {
    /// Listens on a port of this machine; on any free one, if it is 0.
    ///
    /// # Errors
    /// If the port is taken, or the system has no random numbers.
    pub fn open(port: u16) -> io::Result<Self> {
        Ok(Self {
            wire: SharedWire::new(Listener::open(port)?),
            is_over: None,
            has_debugger: false,
            broken_texts: BrokenTexts::default(),
            clock: Clock::default(),
            numbers: Numbers::default(),
            scene: SceneMaker::default(),
            edits: Edits::default(),
            past: Past::default(),
            specs: Specs::default(),
            lines: VecDeque::new(),
            new_lines: Vec::new(),
            people: 0,
            everybody: BTreeMap::new(),
            faulty: BTreeSet::new(),
            last: Last::default(),
            refused: Vec::new(),
            warned: Vec::new(),
            editor: EDITOR.to_owned(),
        })
    }

    /// The same with another link for places in files: `{path}`, `{line}` and `{column}` are filled in.
    #[must_use]
    pub fn with_editor(mut self, editor: impl Into<String>) -> Self {
        self.editor = editor.into();
        self
    }

    /// The address of the page, with the secret that lets it in.
    pub fn link(&self) -> String {
        self.wire.lock().listener.link()
    }

    /// The time as the page wants it.
    pub fn clock(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// The number of pages that are open.
    pub fn pages(&self) -> usize {
        self.wire.lock().clients.len()
    }

    /// Makes a step of the room, and measures it for the page.
    pub fn step(&mut self, runtime: &mut Runtime) {
        self.numbers.measure(runtime);
    }

    /// Says when the program is to end, so that a script at a breakpoint does not hold it up.
    #[must_use]
    pub fn until(mut self, is_over: impl Fn() -> bool + Send + 'static) -> Self {
        self.is_over = Some(Box::new(is_over));
        self
    }

    /// Carries out what the pages sent.
    pub fn receive(&mut self, runtime: &mut Runtime) {
        if self.wire.lock().hello.is_empty() {
            let hello = self.hello(runtime);
            self.wire.lock().hello = hello;
        }
        let (said, greeted) = {
            let mut wire = self.wire.lock();
            let said = wire.take();
            let mut greeted = std::mem::take(&mut wire.newcomers);
            greeted.append(&mut wire.late);
            (said, greeted)
        };
        greeted.into_iter().for_each(|id| self.sync(id, runtime));
        for (id, text) in said {
            // Answers of lines that waited are not those of the next one.
            let answers = runtime.take_answers();
            self.tell_answers(runtime, &answers);
            let answer = self.answer(id, text.to_text().unwrap_or_default(), runtime);
            self.wire.lock().answer(id, answer);
        }
        self.take_breakpoints(runtime);
    }

    /// Sets the breakpoints that the pages want.
    fn take_breakpoints(&mut self, runtime: &mut Runtime) {
        let breakpoints = {
            let mut wire = self.wire.lock();
            if !std::mem::take(&mut wire.has_new_breakpoints) {
                return;
            }
            wire.breakpoints.clone()
        };
        if !breakpoints.is_empty() && !self.has_debugger {
            self.has_debugger = true;
            let (wire, project) = (self.wire.downgrade(), runtime.project().clone());
            let is_over = self.is_over.take();
            runtime.set_debugger(Some(Box::new(PageDebugger { wire, project, is_over })));
        }
        self.broken_texts.keep(runtime, &breakpoints);
        runtime.set_breakpoints(breakpoints);
    }

    /// Breakpoints stay with their lines when their files are reloaded.
    fn move_breakpoints(&mut self, runtime: &Runtime) {
        let mut wire = self.wire.lock();
        let followed = self.broken_texts.follow(runtime, &wire.breakpoints);
        if followed != wire.breakpoints {
            let told = orders::told_breakpoints(&followed).to_string();
            (wire.breakpoints, wire.has_new_breakpoints) = (followed, true);
            drop(wire);
            self.wire.post_all(&told);
        }
    }

    /// Notes events for the page's list.
    pub fn tell(&mut self, runtime: &Runtime, events: &[RuntimeEvent]) {
        let world = runtime.world();
        for event in events {
            if let Some(EventKind::Spawned(_) | EventKind::Despawned(_)) = event.kind() {
                self.last.people.clear();
            }
            self.add_line(messages::event(event, world));
        }
    }

    /// Notes results of lines of Lua that waited.
    pub fn tell_answers(&mut self, runtime: &Runtime, answers: &[Answer]) {
        for answer in answers {
            let text = match answer {
                Answer::Failed(why) | Answer::Refused(why) => format!("error: {why}"),
                other => other.to_string(),
            };
            let line = messages::line(runtime.world(), "answer", &text);
            self.add_line(line);
        }
    }

    /// Shows what became of saved files; `refused` are the problems of those that are not mended.
    pub fn tell_reload(&mut self, runtime: &Runtime, report: &ReloadReport, refused: &[Problem]) {
        self.refused = refused.to_vec();
        self.last.errors.clear();
        self.last.people.clear();
        let tone = match report {
            ReloadReport::Refused { .. } => "error",
            ReloadReport::Warned { .. } => "warning",
            _ => "reload",
        };
        let line = messages::line(runtime.world(), tone, &report.to_string());
        self.add_line(line);
        let world = runtime.world();
        let stayed = world.characters().iter().filter(|one| self.everybody.contains_key(&one.id.0)).count();
        self.wire.post_all(&messages::reload(runtime, report, stayed).to_string());
        if matches!(report, ReloadReport::Reloaded { .. }) {
            self.move_breakpoints(runtime);
        }
    }

    /// Lists what `cicerone check` says of the room as it runs.
    pub fn tell_warnings(&mut self, warned: &[Problem]) {
        if self.warned != warned {
            self.warned = warned.to_vec();
            self.last.errors.clear();
        }
    }

    fn hello(&self, runtime: &Runtime) -> String {
        let (world, project) = (runtime.world(), runtime.project());
        json!({
            "kind": "hello", "version": env!("CARGO_PKG_VERSION"), "room": world.room().name,
            "file": runtime.room_name(), "root": project.root().display().to_string(),
            "ticksPerSecond": world.room().ticks_per_second, "seed": world.seed(), "editor": self.editor,
            "recording": runtime.is_recording(),
        })
        .to_string()
    }

    /// Tells a page everything again.
    fn sync(&mut self, id: ClientId, runtime: &Runtime) {
        self.publish_lines(); // what is new is among all
        if let Some(client) = self.wire.lock().clients.get(&id) {
            client.mailbox.post(json!({ "kind": "events", "all": true, "events": self.lines }).to_string());
        }
        self.tell_now(id);
        if self.past.is_looked_at() {
            let wire = self.wire.lock();
            if let (Some(client), Some(told)) = (wire.clients.get(&id), wire.shown.get(&Slot::WhatIf)) {
                client.mailbox.put(Slot::WhatIf, told.clone());
            }
            drop(wire);
            self.look_again(runtime);
        }
    }

    /// Another run is looked at: what was compared with the one before says nothing of it.
    fn forget_what_if(&mut self) {
        self.wire.put_all(Slot::WhatIf, past::no_what_if().to_string());
        self.wire.lock().shown.remove(&Slot::WhatIf);
    }

    /// Tells all pages the moment of the past again.
    fn look_again(&mut self, runtime: &Runtime) {
        let looks = self.looks();
        let frame = self.past.look_again(runtime, looks, self.people);
        self.tell_past_frame(frame);
    }

    fn tell_past_frame(&self, frame: Option<Bytes>) {
        if let Some(frame) = frame {
            self.wire.put_all(Slot::Frame, frame::of_past(&frame));
        }
    }

    /// Tells a page how the room is now.
    fn tell_now(&mut self, id: ClientId) {
        let mut wire = self.wire.lock();
        let breakpoints = orders::told_breakpoints(&wire.breakpoints);
        let Some(client) = wire.clients.get_mut(&id) else { return };
        client.inspection.clear();
        client.mailbox.post(breakpoints.to_string());
        client.mailbox.put(Slot::Specs, self.specs.told().to_string());
        if let Some(scene) = self.scene.told() {
            client.mailbox.put(Slot::Scene, scene);
        }
        for (slot, told) in [
            (Slot::People, &self.last.people),
            (Slot::Speech, &self.last.speech),
            (Slot::Errors, &self.last.errors),
        ] {
            if !told.is_empty() {
                client.mailbox.put(slot, told.as_str());
            }
        }
        self.last.state = None;
        self.last.frame = None;
    }

    fn look(&mut self, id: ClientId, look: Look, runtime: &Runtime) {
        if let Some(client) = self.wire.lock().clients.get_mut(&id) {
            client.look = look;
            client.inspection.clear();
        }
        self.last.looking = None;
        if self.past.is_looked_at() {
            self.look_again(runtime);
        }
    }

    fn looks(&self) -> Vec<(ClientId, Look)> {
        self.wire.lock().clients.iter().map(|(id, client)| (*id, client.look.clone())).collect()
    }

    /// Whether the pages look at another time than now. The room waits then, and saved files are not to be reloaded: the
    /// page computes what they would change.
    pub fn is_in_past(&self) -> bool {
        self.past.is_looked_at()
    }

    fn go_to(&mut self, runtime: &Runtime, tick: u64, exact: bool) {
        if !self.past.is_looked_at() {
            // Characters of then may have left since.
            self.wire.put_all(Slot::People, messages::people_of(&self.everybody, self.people).to_string());
        }
        let was_paused = self.clock.is_paused();
        self.clock.set_paused(true);
        let looks = self.looks();
        let frame = self.past.go_to(runtime, tick, exact, was_paused, looks, self.people);
        self.tell_past_frame(frame);
        (self.last.past, self.last.seen) = (None, Some(Instant::now()));
    }

    fn go_live(&mut self) {
        if let Some(was_paused) = self.past.go_live() {
            self.clock.set_paused(was_paused);
            // All that was shown of another time is told anew.
            let ids: Vec<ClientId> = self.wire.lock().clients.keys().copied().collect();
            (self.last.people, self.last.speech) = (String::new(), String::new());
            self.last.is_jump = true;
            self.wire.lock().shown.remove(&Slot::WhatIf);
            ids.into_iter().for_each(|id| self.tell_now(id));
        }
        self.last.past = None;
    }

    fn add_line(&mut self, line: Value) {
        if self.lines.len() >= MOST_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line.clone());
        if self.wire.has_clients() {
            self.new_lines.push(line);
        }
    }
}
