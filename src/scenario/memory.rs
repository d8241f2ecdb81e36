//! What is remembered of a test's last seconds, for the case that it fails.

use crate::crowd::{CharacterId, Purpose, WalkEnd, WalkId};
use crate::runtime::RuntimeEvent;
use crate::script::Note;
use crate::world::{EventKind, World};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// So many events are remembered of everybody, and of the room.
const EVENTS: usize = 10;

/// So many lines of the log, if all of it is wanted.
const LINES: usize = 5000;

/// Places of a trail, and how often one is taken.
const PLACES: usize = 50;
const PLACES_A_SECOND: u64 = 5;

/// Of a crowd, so many trails are kept: of nobody else is there time to look at one.
const TRAILS: usize = 1000;

/// What happened lately.
#[derive(Default)]
pub(super) struct Memory {
    events: BTreeMap<Option<CharacterId>, VecDeque<(u64, String)>>,
    trails: BTreeMap<CharacterId, VecDeque<DVec2>>,
    /// Areas that opened or closed.
    pub(super) doors: BTreeSet<String>,
    /// What scripts wrote, and in which tick.
    pub(super) log: VecDeque<(u64, String)>,
    /// Whether there were more lines than are kept.
    pub(super) forgot_lines: bool,
    /// The walk of each that was told of last.
    walks: BTreeMap<CharacterId, WalkId>,
}

impl Memory {
    /// Takes note of what happened in a step that scripts began in tick `begun` and that led to this world.
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
            RuntimeEvent::Note(Note::Error(_)) | RuntimeEvent::Refused(_) => {}
        }
    }

    /// Takes note of where everybody is, and of who has set out.
    pub(super) fn note_places(&mut self, world: &World) {
        for character in world.characters().iter().take(TRAILS) {
            let errand = character.walk.as_ref().filter(|walk| walk.purpose == Purpose::Errand);
            if let Some(walk) = errand.filter(|walk| self.walks.get(&character.id) != Some(&walk.id)) {
                self.walks.insert(character.id, walk.id);
                let to = walk.requested;
                let text = format!("{} sets out for ({:.2}, {:.2})", character.name, to.x, to.y);
                push(self.events.entry(Some(character.id)).or_default(), (walk.began_tick, text), EVENTS);
            }
        }
        let every = (u64::from(world.room().ticks_per_second) / PLACES_A_SECOND).max(1);
        if !world.tick_number().is_multiple_of(every) {
            return;
        }
        for character in world.characters().iter().take(TRAILS) {
            push(self.trails.entry(character.id).or_default(), character.position, PLACES);
        }
    }

    /// Where somebody has been lately, oldest first.
    pub(super) fn trail(&self, who: CharacterId) -> Vec<DVec2> {
        self.trails.get(&who).into_iter().flatten().copied().collect()
    }

    /// What somebody did lately, or with nobody given what happened to the room: when, and in words.
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

/// What a walk was called off by: by another if there is one, which is all that is left to see.
fn why_cancelled(world: &World, kind: &EventKind) -> Option<&'static str> {
    let EventKind::WalkEnded { who, walk, end: WalkEnd::Cancelled, .. } = kind else { return None };
    let now = world.character(*who)?.walk.as_ref().map(|walk| walk.id);
    Some(match now {
        Some(other) if other != *walk => " by another target",
        _ => " by a stop or a teleport",
    })
}

/// Whose an event is.
fn concerned(kind: &EventKind) -> Vec<Option<CharacterId>> {
    match kind {
        EventKind::Talked { who, with } => vec![Some(*who), Some(*with)],
        EventKind::Spawned(who) | EventKind::Despawned(who) | EventKind::Used { who, .. } => vec![Some(*who)],
        EventKind::WalkEnded { who, .. } | EventKind::Turned { who, .. } => vec![Some(*who)],
        EventKind::Entered(who, _) | EventKind::Left(who, _) => vec![Some(*who)],
        EventKind::Evicted { who, .. } | EventKind::Said(who, _) => vec![Some(*who)],
        EventKind::AreaChanged { .. } | EventKind::Clicked(_) => vec![None],
    }
}
