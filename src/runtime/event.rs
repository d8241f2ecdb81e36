//! Events of a running room, as text and as counts.

use super::refusal::{problems_beneath, refusal};
use crate::crowd::{CharacterId, WalkEnd};
use crate::problem::Problem;
use crate::script::Note;
use crate::world::{CommandError, Event, EventKind, World};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The most events that a running room keeps until they are taken.
pub const MAX_EVENTS: usize = 100_000;

/// An event of a running room. More kinds may be added.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RuntimeEvent {
    /// An event in the room.
    Event {
        /// The tick.
        tick: u64,
        /// The event.
        kind: EventKind,
        /// The event as text.
        text: String,
    },
    /// A note of a script.
    Note(Note),
    /// A command from the inbox that the world refused.
    Refused(CommandError),
    /// Files that were handed over, as to [`Runtime::replace_file`](super::Runtime::replace_file), and refused: the last
    /// good version runs on. Saved files are told by `LiveReload`.
    ReloadRefused {
        /// Project-relative files.
        files: Vec<String>,
        /// All problems.
        problems: Vec<Problem>,
    },
    /// So many events before this one were lost, because nobody took them: see [`MAX_EVENTS`].
    Lost(usize),
}

impl RuntimeEvent {
    /// The event in the room, if it is one.
    pub fn kind(&self) -> Option<&EventKind> {
        match self {
            Self::Event { kind, .. } => Some(kind),
            _ => None,
        }
    }
}

/// For a log: a line, with the traceback of an error beneath it. Texts of scripts may contain anything, escape
/// sequences too.
impl fmt::Display for RuntimeEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event { text, .. } => f.write_str(text),
            Self::Note(Note::Log { level, place, text }) => {
                let level = level.prefix();
                // Console input needs no place.
                match place.is_empty() || place.starts_with("console:") {
                    true => write!(f, "{level}{text}"),
                    false => write!(f, "{place}: {level}{text}"),
                }
            }
            Self::Note(Note::Error(error)) => {
                write!(f, "script error: {error}")?;
                error.traceback.iter().try_for_each(|frame| write!(f, "\n    {frame}"))
            }
            Self::Note(Note::Called(call)) => f.write_str(&call.text),
            Self::Note(Note::GivenUp(id)) => write!(f, "no script waits for call {} any more", id.0),
            Self::Refused(error) => write!(f, "refused: {error}"),
            Self::ReloadRefused { files, problems } => {
                write!(f, "{}{}", refusal(files), problems_beneath(problems))
            }
            Self::Lost(count) => write!(f, "{count} events were lost: nobody took them"),
        }
    }
}

/// Counts over a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Tally {
    /// Events by kind.
    pub events: BTreeMap<&'static str, u64>,
    /// Ended walks by reason.
    pub walks: BTreeMap<&'static str, u64>,
    /// Total ticks of all walks that arrived.
    #[serde(skip)]
    pub ticks_to_arrive: u64,
    /// Reloads that took effect.
    pub reloads: u64,
    /// Script errors, repeats included.
    pub script_errors: u64,
}

impl Tally {
    /// The mean number of ticks of walks that arrived; `None` before the first arrival.
    pub fn mean_ticks_to_arrive(&self) -> Option<f64> {
        let arrived = self.walks.get(WalkEnd::Arrived.as_str()).filter(|&&count| count > 0)?;
        Some(self.ticks_to_arrive as f64 / *arrived as f64)
    }

    pub(super) fn count(&mut self, event: &Event) {
        *self.events.entry(event.kind.name()).or_insert(0) += 1;
        if let EventKind::WalkEnded { end, ticks, .. } = &event.kind {
            *self.walks.entry(end.as_str()).or_insert(0) += 1;
            if *end == WalkEnd::Arrived {
                self.ticks_to_arrive += ticks;
            }
        }
    }
}

/// An event as text.
pub fn describe(world: &World, kind: &EventKind) -> String {
    let name = |who: &CharacterId| world.name_of(*who);
    match kind {
        EventKind::Spawned(who) => format!("{} comes in", name(who)),
        EventKind::Despawned(who) => format!("{} leaves", name(who)),
        EventKind::WalkEnded { who, end: WalkEnd::Partial, requested, reached, .. } => {
            let missed_by_m = world.ground().missed_m(*requested, *reached);
            format!("{}: partial, {missed_by_m:.2} m from where it was to go", name(who))
        }
        EventKind::WalkEnded { who, end, .. } => format!("{}: {end}", name(who)),
        EventKind::Turned { who, end: WalkEnd::Arrived, .. } => format!("{} has turned", name(who)),
        EventKind::Turned { who, end, .. } => format!("{}: turn {end}", name(who)),
        EventKind::Talked { who, with } => format!("{} talks to {}", name(who), name(with)),
        EventKind::Used { who, object } => format!("{} uses {object}", name(who)),
        EventKind::Entered(who, area) => format!("{} enters {area}", name(who)),
        EventKind::Left(who, area) => format!("{} leaves {area}", name(who)),
        EventKind::LinkEntered(who, link) => format!("{} crosses {link}", name(who)),
        EventKind::LinkLeft(who, link) => format!("{} has crossed {link}", name(who)),
        EventKind::Waypoint { who, waypath, point, action } => {
            format!("{} at waypoint {} of {waypath}: {}", name(who), point + 1, action.in_words())
        }
        EventKind::Jumped(who) => format!("{} jumps", name(who)),
        EventKind::Stepped { who, step } => {
            let [x, y, level] = step.to;
            format!("{}: {} to cell {x}, {y} on level {level}, {} TU", name(who), step.kind.as_str(), step.tu)
        }
        EventKind::TurnBegan { side, round } => format!("round {round}: the turn of '{side}'"),
        EventKind::AreaChanged { area, available: true } => format!("{area} opens"),
        EventKind::AreaChanged { area, available: false } => format!("{area} closes"),
        EventKind::Evicted { who, to } => {
            format!("{} is moved to ({:.2}, {:.2})", name(who), to.at.x, to.at.y)
        }
        EventKind::Clicked(at) => {
            let hotspot = world.hotspot_at(*at).map(|hotspot| format!(", {}", hotspot.name));
            format!("click at ({:.2}, {:.2}){}", at.at.x, at.at.y, hotspot.unwrap_or_default())
        }
        EventKind::Said(who, text) => format!("{}: “{text}”", name(who)),
    }
}
