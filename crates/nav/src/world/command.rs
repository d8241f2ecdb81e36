//! Commands: the only way to change a world from outside its tick.

mod carry_out;
mod named;
mod push;
mod setting;

pub use push::MAX_PUSH_M;
pub use setting::Setting;

use super::{ActorPlace, HotspotChange, PathFocus};
use crate::crowd::{CharacterId, WalkEnd, WalkId};
use crate::nav::{LinkId, Place};
use crate::room::{CharacterSpec, Link, Room, Stance, Waypath};
use crate::tactics::Cell;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A requested change. As data, a changed room has another form: the content of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Command {
    /// Walk to a point. A target within the deduplication distance of the present one continues the present walk.
    SetTarget {
        /// The walker.
        who: CharacterId,
        /// Where to.
        to: Place,
    },
    /// Walk up to a character, wherever it goes, and end at talking distance.
    TalkTo {
        /// The walker.
        who: CharacterId,
        /// The character to walk up to.
        other: CharacterId,
    },
    /// Stay near a character, wherever it goes, until called off or until that character leaves, dies or is disabled. A
    /// follower that cannot get near goes as near as it can and waits; it never ends as partial or blocked.
    Follow {
        /// The follower.
        who: CharacterId,
        /// The character to follow. If it is followed already, the following continues at the new distance.
        other: CharacterId,
        /// How near it stays, in metres by straight line: 0 to [`MAX_FOLLOW_M`](super::MAX_FOLLOW_M).
        distance_m: f64,
    },
    /// Turn on the spot towards a point, for a standing character. On an errand the turn ends at once as cancelled, and
    /// a walk that begins cancels it. Its end is reported by
    /// [`EventKind::Turned`](crate::world::event::EventKind::Turned).
    Turn {
        /// The character.
        who: CharacterId,
        /// The point to look at.
        to: Place,
    },
    /// Give a character an item.
    Give {
        /// The character that gets it.
        who: CharacterId,
        /// The item's name.
        thing: String,
        /// How many.
        count: u32,
    },
    /// Take an item from a character: the full count, or none.
    Take {
        /// The character that carries it.
        who: CharacterId,
        /// The item's name.
        thing: String,
        /// How many.
        count: u32,
    },
    /// End a character's task, if any, for this reason, and stand: a walk, following, a turn, steering.
    Stop {
        /// The walker.
        who: CharacterId,
        /// Only if it is this walk or turn.
        walk: Option<WalkId>,
        /// The reason that is reported: cancelled or timed out.
        end: WalkEnd,
    },
    /// Replan the present walk.
    ForceReplan(CharacterId),
    /// Move to a place at once. The place must be walkable; a present walk is cancelled.
    Teleport {
        /// The character.
        who: CharacterId,
        /// Where to.
        to: Place,
    },
    /// Change one property.
    Tune {
        /// The character.
        who: CharacterId,
        /// The property and its new value.
        #[serde(with = "named")]
        setting: Setting,
    },
    /// Open or close an area.
    SetAreaAvailable {
        /// Its name: numbers may change with a reload while the command waits.
        area: String,
        /// Whether to open it.
        available: bool,
    },
    /// Add a character, at the walkable point nearest to the given start.
    Spawn(#[serde(with = "named")] Box<CharacterSpec>),
    /// Remove a character.
    Despawn(CharacterId),
    /// A click on a place.
    Click(Place),
    /// Say something for a while.
    Say {
        /// The character.
        who: CharacterId,
        /// The text.
        text: String,
        /// How long it is shown, in seconds.
        seconds: f64,
    },
    /// Walk to where a hotspot is used from, or to a point, and use it.
    /// [`EventKind::Used`](crate::world::event::EventKind::Used) reports when that is done.
    Use {
        /// The walker.
        who: CharacterId,
        /// The hotspot's name, or the point's.
        object: String,
    },
    /// Interrupt a character's walk, following or turn without ending it; meanwhile it can be sent elsewhere.
    Interrupt(CharacterId),
    /// Resume the interrupted task, from where the character is now. Its task meanwhile is cancelled for it.
    Resume {
        /// The character.
        who: CharacterId,
        /// Which of its interruptions is over, the oldest being 0. If a later one came, the character continues with
        /// its task in that one, and its task in between is cancelled.
        level: usize,
    },
    /// Steer a character directly, as by a player's stick, until another direction, a stop or another order. A walk, a
    /// following and a turn end as cancelled. It slides along walls.
    Steer {
        /// The character.
        who: CharacterId,
        /// The direction (`y` is the world's z). The length is the share of the walking speed; a longer one counts as 1.
        /// Zero ends the steering.
        direction: DVec2,
    },
    /// Add a link between two places.
    AddLink(#[serde(with = "super::packed")] Box<Link>),
    /// Remove the link of this name. Characters that are crossing it finish.
    RemoveLink(String),
    /// Open or close a link. Characters that are crossing it finish.
    SetLinkAvailable {
        /// Its name.
        link: String,
        /// Whether to open it.
        available: bool,
    },
    /// Record a jump: as a temporary link that others may follow over, one way, unless an open link for everybody joins
    /// the two places already. At most [`MAX_JUMPS`](super::MAX_JUMPS), first in, first out.
    RecordJump {
        /// Where it begins.
        from: Place,
        /// Where it ends.
        to: Place,
        /// Metres per second. `None`: as the time says.
        velocity_mps: Option<f64>,
        /// Seconds. `None`: as the velocity says, or as a link of the kind `jump` takes.
        time_s: Option<f64>,
    },
    /// Let a character jump to a place. Its task ends as cancelled. The jump of a player is recorded when it lands.
    Jump {
        /// The character.
        who: CharacterId,
        /// Where to.
        to: Place,
        /// Metres per second, as for [`Command::RecordJump`].
        velocity_mps: Option<f64>,
        /// Seconds.
        time_s: Option<f64>,
    },
    /// Add a waypath.
    AddWaypath(#[serde(with = "super::packed")] Box<Waypath>),
    /// Remove the waypath of this name.
    RemoveWaypath(String),
    /// Open or close a waypath.
    SetWaypathAvailable {
        /// Its name.
        waypath: String,
        /// Whether to open it.
        available: bool,
    },
    /// Say how long a character goes on crossing a link of the kind `handler`, in seconds: 0 ends the crossing now. Until
    /// this command the crossing has no end.
    TimeCrossing {
        /// The character.
        who: CharacterId,
        /// The time from now on.
        seconds: f64,
    },
    /// Focus path planning on a character or a place: paths that begin near it are searched first. `None` restores the
    /// focus of the room file, or the player.
    SetFocus(Option<PathFocus>),
    /// Put a character on a cell of the tactical level, as an actor. A walk ends as cancelled.
    PlaceActor {
        /// The character.
        who: CharacterId,
        /// The cell, and what it is there.
        #[serde(with = "super::packed")]
        place: Box<ActorPlace>,
    },
    /// Let an actor leave the tactical level: it is an ordinary character again.
    RemoveActor(CharacterId),
    /// Send an actor from cell to cell. The steps are moves, one after the other.
    WalkCells {
        /// The actor.
        who: CharacterId,
        /// The cell and the stance after each step.
        steps: Vec<(Cell, Stance)>,
        /// How many cells it walks in a second.
        cells_per_s: f64,
    },
    /// Let an actor crouch or stand up, as a walk of one move. It ends as blocked where the actor cannot.
    TakeStance {
        /// The actor.
        who: CharacterId,
        /// How it is to hold itself.
        stance: Stance,
    },
    /// Whether an actor flies from now on. In mid-fall it stays in the air.
    SetFlying {
        /// The actor.
        who: CharacterId,
        /// Whether it flies.
        flies: bool,
    },
    /// Begin the turn of a side of the tactical level; of the next one that has an active actor, if none is named. Its
    /// actors get their time units.
    BeginTurn(Option<String>),
    /// Walk to a point, to the very place: touching somebody who has arrived there is not enough. Else as
    /// [`Command::SetTarget`].
    SetExactTarget {
        /// The walker.
        who: CharacterId,
        /// Where to.
        to: Place,
        /// A point to turn to after the arrival.
        look_at: Option<Place>,
    },
    /// Walk at the side of a character, wherever it goes, and behind it where there is no room. Else as
    /// [`Command::Follow`].
    WalkBeside {
        /// The companion.
        who: CharacterId,
        /// The character to walk with.
        other: CharacterId,
    },
    /// Push a character: knock-back, root motion, what a physics engine says. It stays on the ground, slides along walls,
    /// and keeps its walk; where the push leaves it without sight of its path, it plans again. One that crosses a link is
    /// not moved.
    Push {
        /// The character.
        who: CharacterId,
        /// How far, in metres (`y` is the world's z): at most [`MAX_PUSH_M`].
        by: DVec2,
    },
    /// A script called a function of the game. It changes nothing in the world; a recording has it among the commands.
    CallGame {
        /// The character that a method was called on.
        who: Option<CharacterId>,
        /// The call in words: `play_sound("creak")`.
        call: String,
    },
    /// Change a hotspot: switch it off, move it, give it another place to stand.
    SetHotspot {
        /// Its name.
        hotspot: String,
        /// What changes. The rest stays as it is.
        #[serde(with = "super::packed")]
        change: Box<HotspotChange>,
    },
    /// Put a changed room under the running world.
    #[serde(skip)]
    ReplaceRoom(Box<Room>),
}

/// What a command did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// The command was carried out.
    Done,
    /// Whether anything changed. For a take: whether there were enough.
    Changed(bool),
    /// The requested walk or turn. Its end is reported, even if it has ended already.
    Walking(WalkId),
    /// The new character.
    Spawned(CharacterId),
    /// The new link, or the link that was there already.
    Linked(LinkId),
}

/// Upper limit on the characters in a world: a script that spawns without end gets an error long before memory runs
/// out.
pub const MAX_CHARACTERS: usize = 100_000;

impl Command {
    /// The character that the command would move over the ground.
    fn walker(&self) -> Option<CharacterId> {
        match self {
            Self::SetTarget { who, .. }
            | Self::SetExactTarget { who, .. }
            | Self::TalkTo { who, .. }
            | Self::Follow { who, .. }
            | Self::WalkBeside { who, .. }
            | Self::Teleport { who, .. }
            | Self::Use { who, .. }
            | Self::Steer { who, .. }
            | Self::Push { who, .. }
            | Self::Jump { who, .. } => Some(*who),
            _ => None,
        }
    }
}
