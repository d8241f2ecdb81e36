//! One character: its properties, position, walk and tasks.

use super::{
    ActorState, Crossing, Following, LastWalk, Motion, OnWaypath, Purpose, SetAside, Turn, Walk, WalkId,
};
use crate::nav::{ClassId, Place, Position};
use crate::plan::Grounds;
use crate::room::{CharacterSpec, Traits};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// Character id, unique in a world. Later characters have higher ids. Ids are never reused, so a stale id finds no
/// character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CharacterId(pub u32);

/// A character in the room.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Character {
    /// Id of the character.
    pub id: CharacterId,
    /// Its unique name.
    pub name: String,
    /// Where its centre is; always on walkable ground.
    pub position: Position,
    /// Heading: radians from +X towards +Z, in (−π, π].
    pub heading_rad: f64,
    /// The factor of its speed on the ground where it stands: that of the area it is in.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub ground_speed: f64,
    /// Its class of walkers, which follows from its radius and its tags: it decides what is ground for it.
    #[serde(skip)]
    pub class: ClassId,
    /// How it moved in the last tick. `None`: it stood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// What it has: they are its own fields, `character.walk_speed_mps`. The tags are sorted, without duplicates.
    pub traits: Traits,
    /// Its post (home position): where it started, where its last errand ended, or where a command put it.
    pub post: Position,
    /// Its heading at the post, in radians.
    pub post_heading_rad: f64,
    /// Its behaviour script; the crowd does not read it.
    pub behaviour: Option<String>,
    /// The walk it is on.
    pub walk: Option<Walk>,
    /// The task of following another character, if it has one.
    pub following: Option<Box<Following>>,
    /// The task of turning on the spot, if it has one.
    pub turn: Option<Turn>,
    /// The direction it is steered to; the length, above 0 and at most 1, is the share of its walking speed. A steered
    /// character has no walk, follows nobody and does not turn on the spot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steering: Option<DVec2>,
    /// The link that it is crossing. Its position is where it set out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crossing: Option<Box<Crossing>>,
    /// The waypath that it walks along, and what its waypoints made it do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_waypath: Option<Box<OnWaypath>>,
    /// What it is on the tactical level, if it plays there. Then it takes no part in the crowd.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Box<ActorState>>,
    /// Interrupted tasks to be resumed, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// Its last errand, ended or not. [`SetAside`] keeps the last errand of an interrupted task.
    pub last_errand: Option<WalkId>,
    /// How its last errand ended. `None` until the first errand ends.
    pub last_walk: Option<Box<LastWalk>>,
    /// Its inventory: items with their counts, never zero.
    pub inventory: BTreeMap<String, u32>,
    /// Its current speech.
    pub speech: Option<Box<Speech>>,
    /// State of its own stream of random numbers.
    pub random: u64,
    /// Its position, and whether it stood, at the last reset of the mover test.
    pub(crate) counted: Counted,
    /// The tick from which a mover nearby may make it replan.
    pub replans_from_tick: u64,
}

fn one() -> f64 {
    1.0
}

fn is_one(factor: &f64) -> bool {
    *factor == 1.0
}

impl Deref for Character {
    type Target = Traits;

    fn deref(&self) -> &Traits {
        &self.traits
    }
}

impl DerefMut for Character {
    fn deref_mut(&mut self) -> &mut Traits {
        &mut self.traits
    }
}

/// The reference from which a character's movement is measured. It is reset whenever the character becomes a mover.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counted {
    /// The position.
    pub position: Position,
    /// Whether the character stood; see [`Character::is_standing`].
    pub standing: bool,
    /// The last tick in which the character is a mover.
    pub until_tick: u64,
}

/// Precedence where only one character can pass: the player, then higher priority, then lower id (created earlier).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Rank {
    player: bool,
    priority: i32,
    id: Reverse<CharacterId>,
}

impl Rank {
    /// Whether only the order of creation tells them apart.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        (self.player, self.priority) == (other.player, other.priority)
    }
}

/// Words shown over a character for a while.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speech {
    /// The words.
    pub text: String,
    /// The tick from which they are no longer shown.
    pub until_tick: u64,
}

/// Resistance to pushes. Of two characters that touch, the one with the lower footing takes the whole push.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Footing {
    /// Walking, or standing and may be pushed.
    Loose,
    /// The player, standing. A crowd cannot push it away.
    Player,
    /// Pinned, and standing.
    Pinned,
}

/// Whether a character stands or walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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

/// How far ahead a character's direction is looked at, in metres.
const FEW_STEPS_M: f64 = 1.5;

impl Character {
    /// A character as a room file describes it, at `position`.
    pub fn new(id: CharacterId, spec: &CharacterSpec, position: Position, random: u64) -> Self {
        let mut traits = spec.traits.clone();
        traits.tags.sort();
        traits.tags.dedup();
        Self {
            id,
            name: spec.name.clone(),
            position,
            heading_rad: libm::remainder(spec.heading_rad, std::f64::consts::TAU),
            ground_speed: 1.0,
            class: ClassId::default(),
            motion: None,
            traits,
            post: position,
            post_heading_rad: libm::remainder(spec.heading_rad, std::f64::consts::TAU),
            behaviour: spec.script.clone(),
            walk: None,
            following: None,
            turn: None,
            steering: None,
            crossing: None,
            on_waypath: None,
            actor: None,
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

    /// Whether it takes part in the room: it is alive and enabled.
    pub fn is_active(&self) -> bool {
        self.alive && self.enabled
    }

    /// Whether it takes part in the crowd: walks over the ground, blocks, is pushed. Actors of a tactical level do not:
    /// the crowd does not see them.
    pub fn is_in_crowd(&self) -> bool {
        self.is_active() && self.actor.is_none()
    }

    /// Its velocity, averaged over about a tenth of a second: what it really moved, pushes included. For animation.
    pub fn velocity_mps(&self) -> DVec2 {
        self.motion.as_ref().map_or(DVec2::ZERO, |motion| motion.smooth_mps)
    }

    /// Whether its position is walkable for it.
    pub(crate) fn is_well_placed(&self, ground: &Grounds) -> bool {
        ground.of(self.class).is_walkable(self.position)
    }

    /// Whether it has a walk, even if it is waiting at a waiting place, or is steered, or crosses a link.
    pub fn is_moving(&self) -> bool {
        let walks_cells = self.actor.as_ref().is_some_and(|actor| actor.walk.is_some());
        self.walk.is_some() || self.steering.is_some() || self.crossing.is_some() || walks_cells
    }

    /// Distance between the centres of two characters side by side: the sum of radii plus 0.05 m.
    pub fn touching_m(&self, other: &Self) -> f64 {
        self.collision_radius_m + other.collision_radius_m + 0.05
    }

    /// Its walk, if the walk is an errand. The walks of a follower are errands, too.
    pub fn errand(&self) -> Option<&Walk> {
        self.walk.as_ref().filter(|walk| walk.purpose == Purpose::Errand)
    }

    /// Whether it has a target character: another character that it follows or walks up to.
    pub fn has_target_character(&self) -> bool {
        self.following.is_some() || self.walk.as_ref().is_some_and(|walk| walk.goal.up_to.is_some())
    }

    /// Whether planners treat it as standing: it has no walk and is not steered, or waits at a waiting place.
    pub fn is_standing(&self) -> bool {
        self.steering.is_none() && self.crossing.is_none() && self.walk.as_ref().is_none_or(Walk::is_waiting)
    }

    /// Its resistance to pushes.
    pub(crate) fn footing(&self) -> Footing {
        match (self.is_moving(), self.pinned, self.player) {
            (false, true, _) => Footing::Pinned,
            (false, false, true) => Footing::Player,
            _ => Footing::Loose,
        }
    }

    /// Stand or walk.
    pub fn state(&self) -> State {
        if self.is_standing() { State::Stand } else { State::Walk }
    }

    /// Its effective rank: the highest of its own rank, the rank of the character it yields to, and the rank lent by
    /// walkers that queue behind it. Without lent ranks, two queues that meet at a door would each send walkers of
    /// the other queue away.
    pub(crate) fn rank(&self) -> Rank {
        let own = self.own_rank();
        let Some(walk) = &self.walk else { return own };
        let way = walk.give_way.as_ref().map(|way| way.rank);
        let lent = walk.lent_rank.map(|(rank, _)| rank);
        own.max(way.unwrap_or(own)).max(lent.unwrap_or(own))
    }

    /// Whether it yields to `other` and is still on its way to the waiting place.
    pub fn makes_way_for(&self, other: CharacterId) -> bool {
        let way = self.walk.as_ref().and_then(|walk| walk.give_way.as_ref());
        way.is_some_and(|way| way.to == other && !way.waiting)
    }

    /// Its own rank, without inherited ranks.
    pub(crate) fn own_rank(&self) -> Rank {
        Rank { player: self.player, priority: self.priority, id: Reverse(self.id) }
    }

    /// Its current direction: where it is steered, or to the point 1.5 m ahead on its path. The direction to the next
    /// waypoint alone may mislead, for example at the near corner of a door. `None` if it stands.
    pub fn going(&self) -> Option<DVec2> {
        if let Some(steering) = self.steering {
            return steering.try_normalize();
        }
        (self.point_ahead(FEW_STEPS_M) - self.position.at).try_normalize()
    }

    /// The point so far ahead, in metres, on its path or in the direction in which it is steered. The end of a path that
    /// is shorter; its position if it stands.
    pub(crate) fn point_ahead(&self, ahead_m: f64) -> DVec2 {
        if let Some(steering) = self.steering {
            return self.position.at + steering.normalize_or_zero() * ahead_m;
        }
        let (mut from, mut left_m) = (self.position.at, ahead_m);
        let Some(walk) = self.walk.as_ref().filter(|walk| !walk.is_waiting()) else { return from };
        // `toward` is cached in the corridor. The other waypoints cost a memory access.
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
        from
    }

    /// The line it is about to walk: its path up to the first waypoint at or beyond `reach_m`, or a few steps in the
    /// direction it is steered to. Only its position if it stands.
    pub(crate) fn line_ahead(&self, reach_m: f64) -> impl Iterator<Item = DVec2> + '_ {
        let at = self.position.at;
        let walk = self.walk.as_ref().filter(|walk| !walk.is_waiting());
        let path = walk.map(|walk| walk.corridor.line_ahead(self.position, reach_m).skip(1));
        let steering = self.steering.filter(|_| walk.is_none());
        let steps = steering.map(|by| at + by.normalize_or_zero() * reach_m.min(FEW_STEPS_M));
        std::iter::once(at).chain(steps).chain(path.into_iter().flatten())
    }

    /// The target of its walk, if it has one.
    pub fn target(&self) -> Option<Place> {
        self.walk.as_ref().map(|walk| walk.goal.place)
    }
}
