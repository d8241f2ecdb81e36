//! Events of a world.

use crate::crowd::{CharacterId, WalkEnd, WalkId};
use crate::nav::{Place, Position};
use crate::room::WaypointAction;
use crate::tactics::Move;
use serde::{Deserialize, Serialize};

/// An event and its tick. Within a tick, events stand in the order they happened: commands in the order given, then the
/// results of the step itself, by phase and character id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Event {
    /// The tick it happened in.
    pub tick: u64,
    /// What it was.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum EventKind {
    /// A character came into the room.
    Spawned(CharacterId),
    /// A character left the room.
    Despawned(CharacterId),
    /// A walk ended, for whatever reason.
    WalkEnded {
        /// The walker.
        who: CharacterId,
        /// The walk.
        walk: WalkId,
        /// Why it ended.
        end: WalkEnd,
        /// The point that was asked for.
        requested: Place,
        /// Where the walker was at the end.
        reached: Position,
        /// How many ticks it took.
        ticks: u64,
        /// Whether another errand was interrupted meanwhile: [`Command::Interrupt`](super::Command::Interrupt).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        within: bool,
    },
    /// A turn on the spot ended, for whatever reason: arrived, if the character looks there now.
    Turned {
        /// The character.
        who: CharacterId,
        /// The turn.
        turn: WalkId,
        /// Why it ended.
        end: WalkEnd,
    },
    /// A character walked up to another and is at talking distance now.
    Talked {
        /// The walker.
        who: CharacterId,
        /// The other character.
        with: CharacterId,
    },
    /// A character has come to use a hotspot or a point.
    Used {
        /// The character.
        who: CharacterId,
        /// Its name.
        object: String,
    },
    /// A character stepped into the area of this name.
    Entered(CharacterId, String),
    /// A character stepped out of the area of this name.
    Left(CharacterId, String),
    /// A character began to cross the link of this name.
    LinkEntered(CharacterId, String),
    /// A character has crossed the link of this name, or came back from it.
    LinkLeft(CharacterId, String),
    /// A character came to a waypoint with an action, along its waypath or where it joined it.
    Waypoint {
        /// The character.
        who: CharacterId,
        /// The waypath's name.
        waypath: String,
        /// The waypoint, by index.
        point: u32,
        /// What it makes the character do.
        action: WaypointAction,
    },
    /// An actor of the tactical level made a move.
    Stepped {
        /// The actor.
        who: CharacterId,
        /// The move.
        step: Move,
    },
    /// The turn of a side of the tactical level began.
    TurnBegan {
        /// The side.
        side: String,
        /// The round, from 1.
        round: u32,
    },
    /// A character began to jump, but not over a link.
    Jumped(CharacterId),
    /// An area opened or closed.
    AreaChanged {
        /// Its name: numbers may change with a reload before the event is read.
        area: String,
        /// Whether it is open now.
        available: bool,
    },
    /// The ground under a character went away; it stands elsewhere now.
    Evicted {
        /// The character.
        who: CharacterId,
        /// Where to.
        to: Position,
    },
    /// A click on a place.
    Clicked(Place),
    /// A character said something.
    Said(CharacterId, String),
}

impl EventKind {
    /// The character it is about: the walker, the speaker, the one that came or left.
    pub fn who(&self) -> Option<CharacterId> {
        match self {
            Self::Spawned(who)
            | Self::Despawned(who)
            | Self::WalkEnded { who, .. }
            | Self::Turned { who, .. }
            | Self::Talked { who, .. }
            | Self::Used { who, .. }
            | Self::Entered(who, _)
            | Self::Left(who, _)
            | Self::LinkEntered(who, _)
            | Self::LinkLeft(who, _)
            | Self::Waypoint { who, .. }
            | Self::Stepped { who, .. }
            | Self::Jumped(who)
            | Self::Evicted { who, .. }
            | Self::Said(who, _) => Some(*who),
            Self::TurnBegan { .. } | Self::AreaChanged { .. } | Self::Clicked(_) => None,
        }
    }

    /// The kind's name in data.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Spawned(_) => "spawned",
            Self::Despawned(_) => "despawned",
            Self::WalkEnded { .. } => "walk_ended",
            Self::Turned { .. } => "turned",
            Self::Talked { .. } => "talked",
            Self::Used { .. } => "used",
            Self::Entered(..) => "entered",
            Self::Left(..) => "left",
            Self::LinkEntered(..) => "link_entered",
            Self::LinkLeft(..) => "link_left",
            Self::Waypoint { .. } => "waypoint",
            Self::Stepped { .. } => "stepped",
            Self::TurnBegan { .. } => "turn_began",
            Self::Jumped(_) => "jumped",
            Self::AreaChanged { .. } => "area_changed",
            Self::Evicted { .. } => "evicted",
            Self::Clicked(_) => "clicked",
            Self::Said(..) => "said",
        }
    }
}
