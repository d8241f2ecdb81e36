//! What happened.

use crate::calls::CiceroneCall;
use crate::handle::{CiceroneRoom, Held, with};
use crate::places::CiceronePlace;
use crate::result::{CiceroneResult, guarded};
use crate::text::{c_string, must_give};
use engine::runtime::{ReloadReport, RuntimeEvent};
use engine::script::Note;
use engine::world::{CharacterId, EventKind, WalkEnd, World};
use std::ffi::{CString, c_char};

/// The number that no character has: `CICERONE_NOBODY`.
pub(crate) const NOBODY: u32 = u32::MAX;

/// The kinds of events. More may come: ignore those that you do not know.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiceroneEventKind {
    /// Another event: `text` says which, and `cicerone_event_json` tells all of it.
    Other = 0,
    /// `who` came into the room.
    Spawned = 1,
    /// `who` left the room.
    Despawned = 2,
    /// The walk `walk` of `who` ended at `place`, as `end` says.
    WalkEnded = 3,
    /// `who` has turned on the spot, or its turn ended as `end` says.
    Turned = 4,
    /// `who` walked up to `other` and is at talking distance.
    Talked = 5,
    /// `who` uses the hotspot or point `name`.
    Used = 6,
    /// `who` entered the area `name`.
    Entered = 7,
    /// `who` left the area `name`.
    Left = 8,
    /// `who` began to cross the link `name`.
    LinkEntered = 9,
    /// `who` has crossed the link `name`.
    LinkLeft = 10,
    /// `who` is at a waypoint of the waypath `name`.
    Waypoint = 11,
    /// The area `name` opened or closed: `available`.
    AreaChanged = 12,
    /// The ground under `who` went away; it stands at `place` now.
    Evicted = 13,
    /// A click at `place`.
    Clicked = 14,
    /// `who` said `name`.
    Said = 15,
    /// A script called a function of the game: `arguments`. If `available`, it waits for `cicerone_finish_call` with
    /// `call`.
    Called = 16,
    /// No script waits for `call` any more.
    GivenUp = 17,
    /// A script wrote a line into the log: `text`.
    Log = 18,
    /// An error in a script: `name` is its file, `text` the message with its place.
    ScriptError = 19,
    /// A command was refused: `text`.
    RefusedCommand = 20,
    /// Events before this one were lost, as nobody took them.
    Lost = 21,
    /// A saved file was reloaded: `text`.
    Reloaded = 22,
    /// A saved file is refused, and the last good version runs on: `text` says why, with all places.
    ReloadRefused = 23,
    /// Warnings of `cicerone check` that the room did not have before a reload: `text`, with all places.
    ReloadWarned = 24,
}

/// How a walk ended.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiceroneWalkEnd {
    /// It is no event of a walk.
    None = 0,
    /// At its goal.
    Arrived = 1,
    /// At the reachable place nearest to the goal.
    Partial = 2,
    /// There is no path.
    NoPath = 3,
    /// It made no progress for too long.
    Blocked = 4,
    /// Cancelled by another order.
    Cancelled = 5,
    /// Its time was over.
    Timeout = 6,
    /// The walker left the room.
    Despawned = 7,
    /// In another way: see the text.
    #[allow(dead_code)] // for programs that are built now and linked with a later version
    Other = 8,
}

/// An event. What its kind does not use is 0, NULL or `CICERONE_NOBODY`. Its pointers are valid until the next
/// `cicerone_next_event` with this room.
#[repr(C)]
pub struct CiceroneEvent {
    /// What happened.
    pub kind: CiceroneEventKind,
    /// How a walk ended.
    pub end: CiceroneWalkEnd,
    /// The tick it happened in.
    pub tick: u64,
    /// The character.
    pub who: u32,
    /// Another character.
    pub other: u32,
    /// The number of the walk.
    pub walk: u64,
    /// The number of a call.
    pub call: u64,
    /// Where.
    pub place: CiceronePlace,
    /// A name, as the kind says.
    pub name: *const c_char,
    /// The event in words.
    pub text: *const c_char,
    /// The arguments of a call.
    pub arguments: *const CiceroneCall,
    /// As the kind says.
    pub available: bool,
}

/// The event that was given last, and what its pointers lead to.
#[derive(Default)]
pub(crate) struct Given {
    event: Option<RuntimeEvent>,
    name: CString,
    text: CString,
    call: Option<Box<CiceroneCall>>,
}

/// The fields of an event, without pointers.
struct Fields {
    kind: CiceroneEventKind,
    who: Option<CharacterId>,
    name: Option<String>,
    event: CiceroneEvent,
}

fn empty() -> CiceroneEvent {
    CiceroneEvent {
        kind: CiceroneEventKind::Other,
        end: CiceroneWalkEnd::None,
        tick: 0,
        who: NOBODY,
        other: NOBODY,
        walk: 0,
        call: 0,
        place: CiceronePlace { x: 0.0, y: 0.0, z: 0.0 },
        name: std::ptr::null(),
        text: std::ptr::null(),
        arguments: std::ptr::null(),
        available: false,
    }
}

fn end_of(end: &WalkEnd) -> CiceroneWalkEnd {
    match end {
        WalkEnd::Arrived => CiceroneWalkEnd::Arrived,
        WalkEnd::Partial => CiceroneWalkEnd::Partial,
        WalkEnd::NoPath => CiceroneWalkEnd::NoPath,
        WalkEnd::Blocked(_) => CiceroneWalkEnd::Blocked,
        WalkEnd::Cancelled => CiceroneWalkEnd::Cancelled,
        WalkEnd::Timeout => CiceroneWalkEnd::Timeout,
        WalkEnd::Despawned => CiceroneWalkEnd::Despawned,
    }
}

/// An event of the world.
fn of_world(world: &World, kind: &EventKind) -> Fields {
    use CiceroneEventKind as Kind;
    let fields = |kind, who: Option<CharacterId>, name: Option<&String>| Fields {
        kind,
        who,
        name: name.cloned(),
        event: empty(),
    };
    match kind {
        EventKind::Spawned(who) => fields(Kind::Spawned, Some(*who), None),
        EventKind::Despawned(who) => fields(Kind::Despawned, Some(*who), None),
        EventKind::WalkEnded { who, walk, end, reached, .. } => {
            let mut told = fields(Kind::WalkEnded, Some(*who), None);
            (told.event.walk, told.event.end) = (walk.0, end_of(end));
            told.event.place = world.ground().place_of(*reached).into();
            told
        }
        EventKind::Turned { who, turn, end } => {
            let mut told = fields(Kind::Turned, Some(*who), None);
            (told.event.walk, told.event.end) = (turn.0, end_of(end));
            told
        }
        EventKind::Talked { who, with } => {
            let mut told = fields(Kind::Talked, Some(*who), None);
            told.event.other = with.0;
            told
        }
        EventKind::Used { who, object } => fields(Kind::Used, Some(*who), Some(object)),
        EventKind::Entered(who, area) => fields(Kind::Entered, Some(*who), Some(area)),
        EventKind::Left(who, area) => fields(Kind::Left, Some(*who), Some(area)),
        EventKind::LinkEntered(who, link) => fields(Kind::LinkEntered, Some(*who), Some(link)),
        EventKind::LinkLeft(who, link) => fields(Kind::LinkLeft, Some(*who), Some(link)),
        EventKind::Waypoint { who, waypath, .. } => fields(Kind::Waypoint, Some(*who), Some(waypath)),
        EventKind::AreaChanged { area, available } => {
            let mut told = fields(Kind::AreaChanged, None, Some(area));
            told.event.available = *available;
            told
        }
        EventKind::Evicted { who, to } => {
            let mut told = fields(Kind::Evicted, Some(*who), None);
            told.event.place = world.ground().place_of(*to).into();
            told
        }
        EventKind::Clicked(place) => {
            let mut told = fields(Kind::Clicked, None, None);
            told.event.place = (*place).into();
            told
        }
        EventKind::Said(who, words) => fields(Kind::Said, Some(*who), Some(words)),
        _ => fields(Kind::Other, None, None),
    }
}

/// An event of scripts.
fn of_note(note: &Note) -> Fields {
    use CiceroneEventKind as Kind;
    let mut event = empty();
    let (kind, who, name) = match note {
        Note::Log { .. } => (Kind::Log, None, None),
        Note::Error(error) => (Kind::ScriptError, None, Some(error.file.clone())),
        Note::Called(call) => {
            (event.call, event.tick, event.available) = (call.id.0, call.tick, call.waits);
            (Kind::Called, call.who, Some(call.function.to_owned()))
        }
        Note::GivenUp(id) => {
            event.call = id.0;
            (Kind::GivenUp, None, None)
        }
        _ => (Kind::Other, None, None),
    };
    Fields { kind, who, name, event }
}

impl Given {
    /// Takes an event, and gives it as C sees it.
    fn take(&mut self, world: &World, event: RuntimeEvent) -> CiceroneEvent {
        let fields = |kind| Fields { kind, who: None, name: None, event: empty() };
        let mut told = match &event {
            RuntimeEvent::Event { tick, kind, .. } => {
                let mut told = of_world(world, kind);
                told.event.tick = *tick;
                told
            }
            RuntimeEvent::Note(note) => of_note(note),
            RuntimeEvent::Refused(_) => fields(CiceroneEventKind::RefusedCommand),
            RuntimeEvent::ReloadRefused { .. } => fields(CiceroneEventKind::ReloadRefused),
            RuntimeEvent::Lost(_) => fields(CiceroneEventKind::Lost),
            _ => fields(CiceroneEventKind::Other),
        };
        if let RuntimeEvent::Note(Note::Called(call)) = &event {
            let call = self.call.insert(Box::new(CiceroneCall::new(call.clone())));
            told.event.arguments = std::ptr::from_ref::<CiceroneCall>(call);
        }
        self.text = c_string(event.to_string());
        self.event = Some(event);
        self.finish(told)
    }

    /// A report of a reload.
    fn reload(&mut self, report: &ReloadReport) -> CiceroneEvent {
        use CiceroneEventKind::{ReloadRefused, ReloadWarned, Reloaded};
        (self.event, self.text) = (None, c_string(report.to_string()));
        let kind = match report {
            ReloadReport::Refused { .. } => ReloadRefused,
            ReloadReport::Warned { .. } => ReloadWarned,
            _ => Reloaded,
        };
        self.finish(Fields { kind, who: None, name: None, event: empty() })
    }

    fn finish(&mut self, fields: Fields) -> CiceroneEvent {
        let Fields { kind, who, name, mut event } = fields;
        event.kind = kind;
        event.who = who.map_or(NOBODY, |id| id.0);
        if let Some(name) = name {
            self.name = c_string(name);
            event.name = self.name.as_ptr();
        }
        event.text = self.text.as_ptr();
        event
    }
}

/// The next event since the last call, in order. `is_there` is false if there is none. Take all of them after each frame.
/// Not from a function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_next_event(
    room: *mut CiceroneRoom,
    event: *mut CiceroneEvent,
    is_there: *mut bool,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            with(room, |held| {
                let next = next(held);
                must_give(is_there, next.is_some(), "the place for whether there is one")?;
                must_give(event, next.unwrap_or_else(empty), "the place for the event")
            })
        }
    })
}

fn next(held: &mut Held) -> Option<CiceroneEvent> {
    if let Some(report) = held.reloads.pop_front() {
        return Some(held.event.reload(&report));
    }
    if held.events.is_empty() {
        held.events = held.server.runtime().take_events().into();
    }
    let event = held.events.pop_front()?;
    let Held { server, event: given, .. } = held;
    Some(given.take(server.runtime().world(), event))
}

/// All that the last event says, as JSON. NULL if there was none, or if it was a reload. Not from a function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_event_json(
    room: *mut CiceroneRoom,
    json: *mut *const c_char,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            with(room, |held| {
                let text =
                    held.event.event.as_ref().map(|event| engine::serve::event_json(event).to_string());
                let pointer = text.map_or(std::ptr::null(), |text| held.keep(text));
                must_give(json, pointer, "the place for the text")
            })
        }
    })
}
