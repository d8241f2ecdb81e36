//! What happens in rooms: messages for systems, and entity events for observers.

use crate::place::point_of;
use crate::room::RunningRoom;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use cicerone::problem::Problem;
use cicerone::runtime::{Runtime, RuntimeEvent};
use cicerone::script::Note;
use cicerone::world::{CharacterId, EventKind, WalkEnd, WalkId};
use std::fmt;

/// An event of a running room: everything that its [`Runtime`] reports, in order. Calls of the game's functions and
/// errors of scripts are among them.
#[derive(Message, Debug, Clone, PartialEq)]
pub struct RoomEvent {
    /// The entity of the room.
    pub room: Entity,
    /// The entity of the character that it is about. `None` if it is about none, or if the character came and went
    /// within a frame. That of a character that left is despawned by the time you read this.
    pub character: Option<Entity>,
    /// The event. Its `Display` is a line for a log.
    pub event: RuntimeEvent,
}

/// What became of the files of a room. Its `Display` has each problem as `file:line:column: message`. Problems are
/// logged, too.
#[derive(Message, Debug, Clone, PartialEq)]
pub struct RoomReport {
    /// The entity of the room.
    pub room: Entity,
    /// What happened.
    pub news: RoomNews,
}

/// What happened to the files of a room.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RoomNews {
    /// The room runs from now on.
    Opened,
    /// The room file cannot be loaded, with the asset server's reason.
    NotLoaded(String),
    /// The room is invalid and does not run. It is tried again when its files change.
    NotOpened(Vec<Problem>),
    /// Changed files took effect; the room goes on.
    Reloaded {
        /// Their names.
        files: Vec<String>,
        /// The changes in words.
        changes: Vec<String>,
    },
    /// Changed files are invalid: the room goes on with its last valid version of them.
    Refused {
        /// Their names.
        files: Vec<String>,
        /// All problems.
        problems: Vec<Problem>,
    },
}

impl fmt::Display for RoomReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines =
            |problems: &[Problem]| problems.iter().map(|problem| format!("\n{problem}")).collect::<String>();
        match &self.news {
            RoomNews::Opened => f.write_str("the room runs"),
            RoomNews::NotLoaded(why) => write!(f, "the room cannot be loaded: {why}"),
            RoomNews::NotOpened(problems) => write!(f, "the room is invalid:{}", lines(problems)),
            RoomNews::Reloaded { files, changes } if changes.is_empty() => {
                write!(f, "reloaded {}", files.join(", "))
            }
            RoomNews::Reloaded { files, changes } => {
                write!(f, "reloaded {}: {}", files.join(", "), changes.join(", "))
            }
            RoomNews::Refused { files, problems } => {
                write!(f, "did not reload {}:{}", files.join(", "), lines(problems))
            }
        }
    }
}

/// A character's walk ended, for whatever reason. Events of characters propagate to the entity of the room: an observer
/// there hears all its characters, and `On::original_event_target` tells which one.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
#[entity_event(propagate, auto_propagate)]
pub struct WalkEnded {
    /// The entity of the character.
    pub entity: Entity,
    /// The walk: [`WalkTo`](crate::WalkTo) and other orders begin one.
    pub walk: WalkId,
    /// Why it ended.
    pub end: WalkEnd,
    /// The point that was asked for.
    pub requested: Vec3,
}

/// A character's walk ended where it was to go. Comes after [`WalkEnded`].
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq)]
#[entity_event(propagate, auto_propagate)]
pub struct Arrived {
    /// The entity of the character.
    pub entity: Entity,
    /// The walk.
    pub walk: WalkId,
}

/// A character stepped into an area.
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq)]
#[entity_event(propagate, auto_propagate)]
pub struct EnteredArea {
    /// The entity of the character.
    pub entity: Entity,
    /// The area's name.
    pub area: String,
}

/// A character stepped out of an area.
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq)]
#[entity_event(propagate, auto_propagate)]
pub struct LeftArea {
    /// The entity of the character.
    pub entity: Entity,
    /// The area's name.
    pub area: String,
}

/// A character said something.
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq)]
#[entity_event(propagate, auto_propagate)]
pub struct Said {
    /// The entity of the character.
    pub entity: Entity,
    /// The text.
    pub text: String,
}

/// An area of a room opened or closed.
#[derive(EntityEvent, Debug, Clone, PartialEq, Eq)]
pub struct AreaChanged {
    /// The entity of the room.
    pub entity: Entity,
    /// The area's name.
    pub area: String,
    /// Whether it is open now.
    pub available: bool,
}

/// Hands the events of a room out: a message for each, and an entity event for the common ones.
pub(crate) fn hand_out(
    room: Entity,
    running: &mut RunningRoom,
    messages: &mut MessageWriter<RoomEvent>,
    commands: &mut Commands,
) {
    let events = running.runtime_mut().take_events();
    for event in events {
        let character = about(&event).and_then(|who| running.entity_of(who));
        if let RuntimeEvent::Event { kind, .. } = &event {
            trigger(room, character, kind, running.runtime(), commands);
        }
        messages.write(RoomEvent { room, character, event });
    }
}

fn trigger(
    room: Entity,
    character: Option<Entity>,
    kind: &EventKind,
    runtime: &Runtime,
    commands: &mut Commands,
) {
    if let EventKind::AreaChanged { area, available } = kind {
        commands.trigger(AreaChanged { entity: room, area: area.clone(), available: *available });
    }
    let Some(entity) = character else { return };
    match kind {
        EventKind::WalkEnded { walk, end, requested, .. } => {
            // A place without a height means the floor there.
            let requested = point_of(match requested.y_m {
                Some(_) => *requested,
                None => runtime.world().ground().place_of(*requested),
            });
            commands.trigger(WalkEnded { entity, walk: *walk, end: end.clone(), requested });
            if *end == WalkEnd::Arrived {
                commands.trigger(Arrived { entity, walk: *walk });
            }
        }
        EventKind::Entered(_, area) => commands.trigger(EnteredArea { entity, area: area.clone() }),
        EventKind::Left(_, area) => commands.trigger(LeftArea { entity, area: area.clone() }),
        EventKind::Said(_, text) => commands.trigger(Said { entity, text: text.clone() }),
        _ => {}
    }
}

/// The character that an event is about.
fn about(event: &RuntimeEvent) -> Option<CharacterId> {
    match event {
        RuntimeEvent::Event { kind, .. } => kind.who(),
        RuntimeEvent::Note(Note::Called(call)) => call.who,
        _ => None,
    }
}
