//! What happened.

use crate::crowd::{CharacterId, WalkEnd, WalkId};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Something that happened, and when. Within a tick, events stand in the order they happened: commands in the order given,
/// then what the step itself brought about, by phase and character id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Event {
    /// The tick it happened in.
    pub tick: u64,
    /// What it was.
    pub kind: EventKind,
}

/// What can happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum EventKind {
    /// Somebody came into the room.
    Spawned(CharacterId),
    /// Somebody left the room.
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
        requested: DVec2,
        /// Where the walker was at the end.
        reached: DVec2,
        /// How many ticks it took.
        ticks: u64,
        /// Whether it was a walk in between, while another errand lay aside: [`Command::Interrupt`](super::Command::Interrupt).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        within: bool,
    },
    /// A turn on the spot ended, for whatever reason: arrived, if the character looks there now.
    Turned {
        /// Who turned.
        who: CharacterId,
        /// The turn.
        turn: WalkId,
        /// Why it ended.
        end: WalkEnd,
    },
    /// Somebody walked up to somebody and is at talking distance now.
    Talked {
        /// Who came.
        who: CharacterId,
        /// To whom.
        with: CharacterId,
    },
    /// Somebody has come to use a hotspot or a point.
    Used {
        /// Who.
        who: CharacterId,
        /// Its name.
        object: String,
    },
    /// Somebody stepped into the area of this name.
    Entered(CharacterId, String),
    /// Somebody stepped out of the area of this name.
    Left(CharacterId, String),
    /// An area opened or closed.
    AreaChanged {
        /// Its name: numbers may change with a reload before the event is told.
        area: String,
        /// Whether it is open now.
        available: bool,
    },
    /// Somebody's ground went away under them; they stand elsewhere now.
    Evicted {
        /// Who.
        who: CharacterId,
        /// Where to.
        to: DVec2,
    },
    /// Somebody pointed at a place.
    Clicked(DVec2),
    /// Somebody said something.
    Said(CharacterId, String),
}

impl EventKind {
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
            Self::AreaChanged { .. } => "area_changed",
            Self::Evicted { .. } => "evicted",
            Self::Clicked(_) => "clicked",
            Self::Said(..) => "said",
        }
    }
}
