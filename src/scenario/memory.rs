//! Keeps the last seconds of a test, to report them if it fails.

use crate::crowd::{CharacterId, Purpose, WalkEnd, WalkId};
use crate::runtime::RuntimeEvent;
use crate::script::Note;
use crate::world::{EventKind, World};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Events kept per character, and of the room.
const EVENTS: usize = 10;

/// Lines of the log that are kept, if the whole log is wanted.
const LINES: usize = 5000;

/// Places kept per trail, and how many are added a second.
const PLACES: usize = 50;
const PLACES_A_SECOND: u64 = 5;

/// Upper limit on the trails kept of a crowd, to bound the time spent on them.
const TRAILS: usize = 1000;

/// Recent events.
#[derive(Default)]
pub(super) struct Memory {
    events: BTreeMap<Option<CharacterId>, VecDeque<(u64, String)>>,
    trails: BTreeMap<CharacterId, VecDeque<DVec2>>,
    /// Areas that opened or closed.
    pub(super) doors: BTreeSet<String>,
    /// What scripts logged, with the tick.
    pub(super) log: VecDeque<(u64, String)>,
    /// Whether lines beyond the limit were dropped.
    pub(super) forgot_lines: bool,
    /// Each character's last walk that was noted.
    walks: BTreeMap<CharacterId, WalkId>,
}

impl Memory {
    /// Notes an event of a step that scripts began in tick `begun` and that led to this world.
    pub(super) fn note(&mut self, event: RuntimeEvent, begun: u64, world: Option<&World>) {
        match event {
            RuntimeEvent::Event { tick, kind, text } => {
                if let EventKind::AreaChanged { area, .. } = &kind {
                    self.doors.insert(area.clone());
                }
                let why = world.and_then(|world| why_cancelled(world, &kind)).unwrap_or_default();
                let text = format!("{text}{why}");
                for who in concerned(&kind) {
                    push(self.events.entry(who).or_default(), (tick, text.clone()), EVENTS);
                }
            }
            RuntimeEvent::Note(Note::Log { level, place, text }) => {
                let level = level.prefix();
                let place = if place.is_empty() { place } else { place + ": " };
                self.forgot_lines |= self.log.len() >= LINES;
                push(&mut self.log, (begun, format!("{place}{level}{text}")), LINES);
            }
            RuntimeEvent::Note(Note::Called(call)) => {
                self.forgot_lines |= self.log.len() >= LINES;
                push(&mut self.log, (begun, call.text), LINES);
            }
            RuntimeEvent::Note(_)
            | RuntimeEvent::Refused(_)
            | RuntimeEvent::ReloadRefused { .. }
            | RuntimeEvent::Lost(_) => {}
        }
    }

    /// Notes the positions of characters, and walks that began.
    pub(super) fn note_places(&mut self, world: &World) {
        for character in world.characters().iter().take(TRAILS) {
            let errand = character.walk.as_ref().filter(|walk| walk.purpose == Purpose::Errand);
            if let Some(walk) = errand.filter(|walk| self.walks.get(&character.id) != Some(&walk.id)) {
                self.walks.insert(character.id, walk.id);
                let to = walk.goal.place;
                let text = format!("{} sets out for ({:.2}, {:.2})", character.name, to.at.x, to.at.y);
                push(self.events.entry(Some(character.id)).or_default(), (walk.began_tick, text), EVENTS);
            }
        }
        let every = (u64::from(world.room().ticks_per_second) / PLACES_A_SECOND).max(1);
        if !world.tick_number().is_multiple_of(every) {
            return;
        }
        for character in world.characters().iter().take(TRAILS) {
            push(self.trails.entry(character.id).or_default(), character.position.at, PLACES);
        }
    }

    /// The recent positions of a character, oldest first.
    pub(super) fn trail(&self, who: CharacterId) -> Vec<DVec2> {
        self.trails.get(&who).into_iter().flatten().copied().collect()
    }

    /// The recent events of a character, or of the room for `None`: tick and text.
    pub(super) fn events(&self, who: Option<CharacterId>) -> impl Iterator<Item = &(u64, String)> {
        self.events.get(&who).into_iter().flatten()
    }
}

fn push<T>(queue: &mut VecDeque<T>, item: T, most: usize) {
    if queue.len() >= most {
        queue.pop_front();
    }
    queue.push_back(item);
}

/// Why a walk was cancelled: by another walk if there is one now, the only trace left.
fn why_cancelled(world: &World, kind: &EventKind) -> Option<&'static str> {
    let EventKind::WalkEnded { who, walk, end: WalkEnd::Cancelled, .. } = kind else { return None };
    let now = world.character(*who)?.walk.as_ref().map(|walk| walk.id);
    Some(match now {
        Some(other) if other != *walk => " by another target",
        _ => " by a stop or a teleport",
    })
}

/// The characters an event concerns; `None` is the room.
fn concerned(kind: &EventKind) -> Vec<Option<CharacterId>> {
    match kind {
        EventKind::Talked { who, with } => vec![Some(*who), Some(*with)],
        EventKind::Spawned(who) | EventKind::Despawned(who) | EventKind::Used { who, .. } => vec![Some(*who)],
        EventKind::WalkEnded { who, .. } | EventKind::Turned { who, .. } => vec![Some(*who)],
        EventKind::Entered(who, _)
        | EventKind::Left(who, _)
        | EventKind::LinkEntered(who, _)
        | EventKind::LinkLeft(who, _) => vec![Some(*who)],
        EventKind::Waypoint { who, .. } | EventKind::Jumped(who) | EventKind::Stepped { who, .. } => {
            vec![Some(*who)]
        }
        EventKind::Evicted { who, .. } | EventKind::Said(who, _) => vec![Some(*who)],
        EventKind::AreaChanged { .. } | EventKind::Clicked(_) | EventKind::TurnBegan { .. } => vec![None],
    }
}
