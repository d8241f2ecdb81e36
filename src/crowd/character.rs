//! One character: its properties, position, walk and tasks.

use super::{Following, LastWalk, Purpose, SetAside, Turn, Walk, WalkId};
use crate::nav::{Place, Position};
use crate::room::CharacterSpec;
use crate::surface::Surface;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The number of a character in its world: in order of appearance, never reused. A stale id finds no character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CharacterId(pub u32);

/// A character in the room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Character {
    /// Its number.
    pub id: CharacterId,
    /// Its unique name.
    pub name: String,
    /// Where its centre is; always on walkable ground.
    pub position: Position,
    /// Where it looks: radians from +X towards +Z, in (−π, π].
    pub heading_rad: f64,
    /// How fast it walks.
    pub walk_speed_mps: f64,
    /// How fast it turns.
    pub rotation_speed_radps: f64,
    /// Radius of its body, for collisions with other characters.
    pub collision_radius_m: f64,
    /// Whether the player steers it.
    pub player: bool,
    /// Of two stuck characters, the one with less priority gives way.
    pub priority: i32,
    /// While it stands, it is never pushed aside, and other characters plan round it.
    pub pinned: bool,
    /// Whether it walks back to its post when it was pushed or sent off it.
    pub returns_to_post: bool,
    /// Its post: where it started, where its last errand ended, or where it was put.
    pub post: Position,
    /// Its heading at the post, in radians.
    pub post_heading_rad: f64,
    /// A dead character neither walks nor blocks others.
    pub alive: bool,
    /// A disabled character neither walks nor blocks others.
    pub enabled: bool,
    /// Words that scripts select characters by, in order and without repeats.
    pub tags: Vec<String>,
    /// Its behaviour script; the crowd does not read it.
    pub behaviour: Option<String>,
    /// The walk it is on.
    pub walk: Option<Walk>,
    /// The character it stays near, and how.
    pub following: Option<Box<Following>>,
    /// Where it turns to while it stands.
    pub turn: Option<Turn>,
    /// Interrupted tasks to be resumed, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// The last errand it was sent on, ended or not. [`SetAside`] keeps that of an interrupted task.
    pub last_errand: Option<WalkId>,
    /// How its last errand ended; `None` until the first one has.
    pub last_walk: Option<Box<LastWalk>>,
    /// Its inventory: items with their counts, never zero.
    pub inventory: BTreeMap<String, u32>,
    /// Its current speech.
    pub speech: Option<Box<Speech>>,
    /// State of its own stream of random numbers.
    pub random: u64,
    /// Its position, and whether it stood, when it last counted as a mover.
    pub counted: Counted,
    /// The tick from which a mover nearby may make it replan.
    pub replans_from_tick: u64,
}

/// Where a character's movement is measured from: movement adds up until it counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// Where it was.
    pub position: Position,
    /// Whether it stood, as planners see it.
    pub standing: bool,
    /// The last tick in which it counts as a mover.
    pub until_tick: u64,
}

/// Precedence where only one character can pass: the player, then higher priority, then earlier arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rank {
    player: bool,
    priority: i32,
    id: Reverse<CharacterId>,
}

/// Words shown over a character for a while.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speech {
    /// The words.
    pub text: String,
    /// The tick from which they are no longer shown.
    pub until_tick: u64,
}

/// How firmly a character stands. Of two that touch, the less firm takes the whole push.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Footing {
    /// Walks, or may be pushed.
    Loose,
    /// The player, standing: a crowd does not carry off a player without input.
    Player,
    /// Pinned, and standing.
    Pinned,
}

/// Whether a character stands or walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// On the spot.
    Stand,
    /// On its way.
    Walk,
}

impl State {
    /// The state's name in data and scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Walk => "walk",
        }
    }
}

impl Character {
    /// A character as a room file describes it, at `position`.
    pub fn new(id: CharacterId, spec: &CharacterSpec, position: Position, random: u64) -> Self {
        let mut tags = spec.tags.clone();
        tags.sort();
        tags.dedup();
        Self {
            id,
            name: spec.name.clone(),
            position,
            heading_rad: libm::remainder(spec.heading_rad, std::f64::consts::TAU),
            walk_speed_mps: spec.walk_speed_mps,
            rotation_speed_radps: spec.rotation_speed_radps,
            collision_radius_m: spec.collision_radius_m,
            player: spec.player,
            priority: spec.priority,
            pinned: spec.pinned,
            returns_to_post: spec.returns_to_post,
            post: position,
            post_heading_rad: libm::remainder(spec.heading_rad, std::f64::consts::TAU),
            alive: spec.alive,
            enabled: spec.enabled,
            tags,
            behaviour: spec.script.clone(),
            walk: None,
            following: None,
            turn: None,
            set_aside: Vec::new(),
            last_errand: None,
            last_walk: None,
            inventory: BTreeMap::new(),
            speech: None,
            random,
            counted: Counted { position, standing: false, until_tick: 0 },
            replans_from_tick: 0,
        }
    }

    /// Whether it takes part in the crowd: walks, blocks, is pushed.
    pub fn is_active(&self) -> bool {
        self.alive && self.enabled
    }

    /// Whether it may be where it is.
    pub fn is_well_placed(&self, ground: &Surface) -> bool {
        ground.is_walkable(self.position)
    }

    /// Whether it is on its way somewhere.
    pub fn is_moving(&self) -> bool {
        self.walk.is_some()
    }

    /// Distance between the centres of two characters that touch, with a little room.
    pub fn touching_m(&self, other: &Self) -> f64 {
        self.collision_radius_m + other.collision_radius_m + 0.05
    }

    /// Its walk, if that is an errand. For a follower, one walk of a series.
    pub fn errand(&self) -> Option<&Walk> {
        self.walk.as_ref().filter(|walk| walk.purpose == Purpose::Errand)
    }

    /// Whether it follows or walks up to another character.
    pub fn has_company(&self) -> bool {
        self.following.is_some() || self.walk.as_ref().is_some_and(|walk| walk.up_to.is_some())
    }

    /// Whether planners see it as standing: it has no walk, or waits for another character to pass.
    pub fn is_standing(&self) -> bool {
        self.walk.as_ref().is_none_or(Walk::is_waiting)
    }

    /// How firmly it stands.
    pub fn footing(&self) -> Footing {
        match (&self.walk, self.pinned, self.player) {
            (None, true, _) => Footing::Pinned,
            (None, false, true) => Footing::Player,
            _ => Footing::Loose,
        }
    }

    /// Stand or walk.
    pub fn state(&self) -> State {
        if self.is_standing() { State::Stand } else { State::Walk }
    }

    /// Its effective rank. A yielding character takes the rank of the character it yields to. The head of a queue takes
    /// the rank lent from behind. Otherwise two queues that meet at a door would each send some of the other away.
    pub fn rank(&self) -> Rank {
        let own = self.own_rank();
        let Some(walk) = &self.walk else { return own };
        let way = walk.give_way.as_ref().map(|way| way.rank);
        let lent = walk.lent_rank.map(|(rank, _)| rank);
        own.max(way.unwrap_or(own)).max(lent.unwrap_or(own))
    }

    /// Whether it is still moving out of the way of `other`.
    pub fn makes_way_for(&self, other: CharacterId) -> bool {
        let way = self.walk.as_ref().and_then(|walk| walk.give_way.as_ref());
        way.is_some_and(|way| way.to == other && !way.waiting)
    }

    /// Its own rank, without those of other characters.
    pub fn own_rank(&self) -> Rank {
        Rank { player: self.player, priority: self.priority, id: Reverse(self.id) }
    }

    /// Its current direction: to the point a few steps along its path. The next waypoint alone may be the near corner
    /// of a door, which says little about the way through.
    pub fn going(&self) -> Option<DVec2> {
        const FEW_STEPS_M: f64 = 1.5;
        let walk = self.walk.as_ref().filter(|walk| !walk.is_waiting())?;
        let (mut from, mut left_m) = (self.position.at, FEW_STEPS_M);
        // The first waypoint is cached; the others lie elsewhere in memory.
        let others = walk.corridor.ahead().iter().skip(1).copied();
        for to in walk.corridor.toward().into_iter().chain(others).map(|waypoint| waypoint.at) {
            let length_m = from.distance(to);
            if length_m >= left_m {
                from += (to - from) * (left_m / length_m);
                break;
            }
            left_m -= length_m;
            from = to;
        }
        (from - self.position.at).try_normalize()
    }

    /// The target of its walk, if it has one.
    pub fn target(&self) -> Option<Place> {
        self.walk.as_ref().map(|walk| walk.requested)
    }
}
