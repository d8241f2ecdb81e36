//! One character: what it is, where it stands, where it walks.

use super::{Following, LastWalk, Purpose, SetAside, Turn, Walk, WalkId};
use crate::room::CharacterSpec;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A character of one world, numbered in order of appearance and never used twice: a stale id finds nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CharacterId(pub u32);

/// Somebody in the room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Character {
    /// Its number.
    pub id: CharacterId,
    /// Its unique name.
    pub name: String,
    /// Where its centre is, in metres; always on walkable ground.
    pub position: DVec2,
    /// Where it looks: radians from +X towards +Z, in (−π, π].
    pub heading_rad: f64,
    /// How fast it walks.
    pub walk_speed_mps: f64,
    /// How fast it turns.
    pub rotation_speed_radps: f64,
    /// How much room it takes among others.
    pub collision_radius_m: f64,
    /// Whether the player steers it.
    pub player: bool,
    /// Who of two that are stuck gives way: the one with less.
    pub priority: i32,
    /// While it stands, nobody pushes it aside and everybody plans round it.
    pub pinned: bool,
    /// Whether it walks back to its post when it was pushed or sent off it.
    pub returns_to_post: bool,
    /// Where it stands of its own accord: its start, the end of its last errand, or the place it was put at.
    pub post: DVec2,
    /// Where it looks there, in radians.
    pub post_heading_rad: f64,
    /// The dead neither walk nor stand in anybody's way.
    pub alive: bool,
    /// The disabled neither walk nor stand in anybody's way.
    pub enabled: bool,
    /// Words that scripts select characters by, in order and without repeats.
    pub tags: Vec<String>,
    /// What it follows: for the scripts' eyes, nothing here reads it.
    pub behaviour: Option<String>,
    /// The walk it is on.
    pub walk: Option<Walk>,
    /// Whom it stays near, and how.
    pub following: Option<Box<Following>>,
    /// Where it turns to while it stands.
    pub turn: Option<Turn>,
    /// What it was at before something else came in between, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// The last errand it was sent on, over or not; [`SetAside`] keeps that of what it was at before.
    pub last_errand: Option<WalkId>,
    /// What became of its last errand; nothing before the first has ended.
    pub last_walk: Option<Box<LastWalk>>,
    /// What it carries, and how many of each; never none.
    pub inventory: BTreeMap<String, u32>,
    /// What it says at the moment.
    pub speech: Option<Box<Speech>>,
    /// State of its own stream of random numbers.
    pub random: u64,
    /// Where it was, and whether on its way, when it last counted as a mover.
    pub counted: Counted,
    /// The tick from which a mover nearby may make it plan again.
    pub replans_from_tick: u64,
}

/// What somebody's next move is measured from: movement adds up until it counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// Where it was, in metres.
    pub position: DVec2,
    /// Whether it stood, as planners see it.
    pub standing: bool,
    /// The last tick in which it counts as a mover.
    pub until_tick: u64,
}

/// Who goes first where only one can: the player, then who has more priority, then who was there earlier.
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

/// How firmly somebody stands. Of two who touch, the one of less footing takes the whole push.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Footing {
    /// Walks, or may be pushed.
    Loose,
    /// The player, standing: a crowd does not carry off a player who gives no input.
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
    pub fn new(id: CharacterId, spec: &CharacterSpec, position: DVec2, random: u64) -> Self {
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

    /// Whether it is on its way somewhere.
    pub fn is_moving(&self) -> bool {
        self.walk.is_some()
    }

    /// How near the centres of two may come who touch, with a little room.
    pub fn touching_m(&self, other: &Self) -> f64 {
        self.collision_radius_m + other.collision_radius_m + 0.05
    }

    /// The walk of an errand it is on: one walk of a row, if it follows somebody.
    pub fn errand(&self) -> Option<&Walk> {
        self.walk.as_ref().filter(|walk| walk.purpose == Purpose::Errand)
    }

    /// Whether it follows somebody, or walks up to somebody.
    pub fn has_company(&self) -> bool {
        self.following.is_some() || self.walk.as_ref().is_some_and(|walk| walk.up_to.is_some())
    }

    /// Whether planners see it standing in the way: it has nowhere to go, or waits for somebody to pass.
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

    /// Who it goes before. A character that gives way does so in the name of the one it gives way to, and the head of a queue goes in
    /// the name of all who queue behind: otherwise two queues that meet at a door would each send some of the other away.
    pub fn rank(&self) -> Rank {
        let own = self.own_rank();
        let Some(walk) = &self.walk else { return own };
        let way = walk.give_way.as_ref().map(|way| way.rank);
        let lent = walk.lent_rank.map(|(rank, _)| rank);
        own.max(way.unwrap_or(own)).max(lent.unwrap_or(own))
    }

    /// Whether it is on its way out of somebody's way.
    pub fn makes_way_for(&self, other: CharacterId) -> bool {
        let way = self.walk.as_ref().and_then(|walk| walk.give_way.as_ref());
        way.is_some_and(|way| way.to == other && !way.waiting)
    }

    /// Who it goes before by itself.
    pub fn own_rank(&self) -> Rank {
        Rank { player: self.player, priority: self.priority, id: Reverse(self.id) }
    }

    /// Where it goes at the moment: the direction to where its path leads within a few steps. The next waypoint alone may be
    /// the near corner of a door, which says little about which way through.
    pub fn going(&self) -> Option<DVec2> {
        const FEW_STEPS_M: f64 = 1.5;
        let walk = self.walk.as_ref().filter(|walk| !walk.is_waiting())?;
        let (mut from, mut left_m) = (self.position, FEW_STEPS_M);
        // The first is at hand, the others are elsewhere in memory.
        let others = walk.ahead().iter().skip(1).copied();
        for to in walk.toward().into_iter().chain(others) {
            let length_m = from.distance(to);
            if length_m >= left_m {
                from += (to - from) * (left_m / length_m);
                break;
            }
            left_m -= length_m;
            from = to;
        }
        (from - self.position).try_normalize()
    }

    /// The point it was last asked to walk to, while it does.
    pub fn target(&self) -> Option<DVec2> {
        self.walk.as_ref().map(|walk| walk.requested)
    }
}
