//! Waiting lines: their members, in order, and the place of each.
//!
//! A line belongs to a place, not to a script, so it outlives reloads and saves: a character that queues
//! there again keeps its position. A character that stops asking for its place has left the line.

use crate::crowd::{Character, CharacterId};
use crate::nav::{ClassId, Outcome, Place, Position};
use crate::world::{World, check_place};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::FRAC_1_SQRT_2;

/// All lines, by the name of their place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Lines(pub(super) BTreeMap<String, Line>);

/// The line at a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Line {
    /// The place of the first member.
    pub(super) front: Place,
    /// The place to which the line leads.
    pub(super) tail: Place,
    /// Whether a script set `tail`; else it is the place a character came from.
    #[serde(default)]
    is_tail_said: bool,
    /// Distance between members, in metres.
    pub(super) spacing_m: f64,
    /// The members, the first one first.
    members: Vec<Member>,
    /// The path from the front to the tail, and the ground it was found on: its revision and the class of walkers.
    #[serde(skip)]
    way: Option<((u64, ClassId), Vec<Position>)>,
    /// The class of the first member, whose ground the line is on.
    #[serde(skip)]
    class: ClassId,
}

/// A member of a line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Member {
    who: CharacterId,
    /// The tick in which it last asked for its place.
    asked_tick: u64,
    /// The member's last errand when it was told that it is at the front, if it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    served: Option<u64>,
    /// Number of scenes it was in when it asked.
    #[serde(default, skip_serializing_if = "is_zero")]
    scenes: usize,
}

fn is_zero(scenes: &usize) -> bool {
    *scenes == 0
}

/// The next step of a character that queues.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Next {
    /// Walk there.
    Walk(Place),
    /// Stand, and look at the place of the member ahead.
    Stand(Place),
    /// It is at the front.
    Front,
    /// The line's end has no room: stay nearby, and ask again.
    Full,
}

/// Maximum distance between two members, in metres.
pub(super) const MAX_SPACING_M: f64 = 100.0;

/// A member this near to its place counts as on it, in metres.
const ON_PLACE_M: f64 = 0.3;

/// A character this near to the end of the line joins it, as a share of the spacing.
const JOINS_SHARE: f64 = 0.75;

/// A character without room at the end waits this near to it, as a multiple of the spacing.
const NEARBY_SHARE: f64 = 4.0;

/// A member that has not asked for its place for this many seconds has left.
const FORGOTTEN_AFTER_S: f64 = 1.0;

/// Extra seconds for every member after a reload or a save, while behaviours restart.
const GRACE_S: f64 = 2.0;

/// Maximum expansions for a line's path; if they do not suffice, the line leads straight to the tail.
const MOST_WORK: u64 = 20_000;

/// Directions for a line without a tail, whose members come from the front itself: the line takes the first
/// one with room for `ROOM_FOR` spacings.
const DIRECTIONS: [DVec2; 8] = [
    DVec2::new(0.0, 1.0),
    DVec2::new(1.0, 0.0),
    DVec2::new(0.0, -1.0),
    DVec2::new(-1.0, 0.0),
    DVec2::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2),
    DVec2::new(FRAC_1_SQRT_2, -FRAC_1_SQRT_2),
    DVec2::new(-FRAC_1_SQRT_2, -FRAC_1_SQRT_2),
    DVec2::new(-FRAC_1_SQRT_2, FRAC_1_SQRT_2),
];
const ROOM_FOR: f64 = 4.0;

/// A tail at least this far from the front gives the line's direction, in metres.
const LEAST_TAIL_M: f64 = 0.01;

impl Lines {
    /// Whether all lines are empty.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that saved lines are possible in this world.
    ///
    /// # Errors
    /// The problem, in words.
    pub(super) fn check(&self, world: &World) -> Result<(), String> {
        let far = |place: Place| check_place(place).is_err();
        for (place, line) in &self.0 {
            let is_sound = !far(line.front)
                && !far(line.tail)
                && line.spacing_m > 0.0
                && line.spacing_m <= MAX_SPACING_M
                && line
                    .members
                    .iter()
                    .all(|member| member.asked_tick <= world.tick_number() + world.ticks_of(GRACE_S));
            let once: BTreeSet<CharacterId> = line.members.iter().map(|member| member.who).collect();
            if !is_sound || once.len() != line.members.len() {
                return Err(format!("the line at '{place}' is none that people can stand in"));
            }
        }
        Ok(())
    }

    /// Extends every member's time after a restart of behaviours, in which members could not ask.
    pub(super) fn give_time(&mut self, world: &World) {
        let until = world.tick_number() + world.ticks_of(GRACE_S);
        self.0.values_mut().flat_map(|line| &mut line.members).for_each(|member| member.asked_tick = until);
    }

    /// The members of the line at a place, the first one first, and the work of finding them, in expansions;
    /// `None` if it takes more than `most_work`.
    pub(super) fn members(
        &mut self,
        world: &World,
        place: &str,
        most_work: u64,
    ) -> Option<(Vec<CharacterId>, u64)> {
        let Some(line) = self.0.get_mut(place) else { return Some((Vec::new(), 0)) };
        let work = line.find_way(world, most_work)?;
        line.prune(world, world.tick_number());
        Some((line.members.iter().map(|member| member.who).collect(), work))
    }

    /// Removes a character from every line except `but`; true if it was in any.
    pub(super) fn leave(&mut self, who: CharacterId, but: Option<&str>) -> bool {
        let mut left = false;
        for (_, line) in self.0.iter_mut().filter(|(place, _)| but != Some(place.as_str())) {
            let before = line.members.len();
            line.members.retain(|member| member.who != who);
            left |= line.members.len() < before;
        }
        self.0.retain(|place, line| !line.members.is_empty() || but == Some(place.as_str()));
        left
    }

    /// Opens the line at a place for a character that comes to queue. If the line is empty, the character
    /// decides where it leads.
    pub(super) fn open(
        &mut self,
        place: &str,
        front: Place,
        tail: Option<Place>,
        here: Place,
        spacing_m: f64,
    ) {
        let line = self.0.entry(place.to_owned()).or_insert_with(|| Line {
            front,
            tail: tail.unwrap_or(here),
            is_tail_said: false,
            spacing_m,
            members: Vec::new(),
            way: None,
            class: ClassId::default(),
        });
        let moved = (line.front, line.tail);
        line.front = front;
        if line.members.is_empty() {
            (line.tail, line.spacing_m) = (tail.unwrap_or(here), spacing_m);
            line.is_tail_said = false;
        }
        // The first member may have asked while at the place itself, which gives no direction.
        let said = tail.or((!line.has_direction()).then_some(here));
        line.tail = said.unwrap_or(line.tail);
        line.is_tail_said |= tail.is_some();
        line.spacing_m = line.spacing_m.max(spacing_m);
        if moved != (line.front, line.tail) {
            line.way = None;
        }
    }
}

impl Line {
    /// The next step of a character that queues here, and the work of finding it, in expansions; `None` if it
    /// takes more than `most_work`.
    pub(super) fn next(&mut self, world: &World, who: CharacterId, most_work: u64) -> Option<(Next, u64)> {
        let now = world.tick_number();
        self.class = world.class_of(self.members.first().map_or(who, |first| first.who));
        let work = self.find_way(world, most_work)?;
        self.prune(world, now);
        let Some(character) = world.character(who) else { return Some((Next::Front, work)) };
        let (position, last_errand) = (world.ground().place_of(character.position), character.last_errand);
        let scenes = character.set_aside.len();
        let index = match self.members.iter().position(|member| member.who == who) {
            Some(index) => index,
            None => {
                let end = self.members.len();
                let spot = self.spot(world, end);
                let is_full = end > 0 && spot.distance(self.spot(world, end - 1)) < self.spacing_m / 2.0;
                if is_full && position.distance(spot) <= self.spacing_m * NEARBY_SHARE {
                    return Some((Next::Full, work));
                }
                if is_full || position.distance(spot) > self.spacing_m * JOINS_SHARE {
                    return Some((Next::Walk(spot), work));
                }
                self.members.push(Member { who, asked_tick: now, served: None, scenes });
                end
            }
        };
        let spot = self.spot(world, index);
        let member = &mut self.members[index];
        (member.asked_tick, member.scenes) = (now, scenes);
        if position.distance(spot) > ON_PLACE_M {
            return Some((Next::Walk(spot), work));
        }
        if index > 0 {
            return Some((Next::Stand(self.spot(world, index - 1)), work));
        }
        member.served = Some(last_errand.map_or(0, |walk| walk.0));
        Some((Next::Front, work))
    }

    /// Whether the line is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Whether the tail gives the line's direction.
    fn has_direction(&self) -> bool {
        let least_m = if self.is_tail_said { LEAST_TAIL_M } else { self.spacing_m };
        self.front.distance(self.tail) >= least_m
    }

    /// Removes members that left: those that were at the front and went away, and those that stopped asking.
    /// Members in a scene that began since they asked stay, as do members only pushed away from the front.
    fn prune(&mut self, world: &World, now: u64) {
        let forgotten_after = world.ticks_of(FORGOTTEN_AFTER_S);
        let spots: Vec<Place> = (0..self.members.len()).map(|index| self.spot(world, index)).collect();
        let (spacing_m, mut spots) = (self.spacing_m, spots.into_iter());
        self.members.retain_mut(|member| {
            let spot = spots.next().unwrap_or_default();
            let Some(character) = world.character(member.who).filter(|c| c.is_active()) else { return false };
            if character.set_aside.len() > member.scenes {
                // In a scene, the member could not ask.
                member.asked_tick = now;
                return true;
            }
            member.scenes = character.set_aside.len();
            let goal = errand_goal(character);
            match (member.served, goal) {
                (Some(_), Some(goal)) => goal.distance(spot) <= spacing_m / 2.0,
                (Some(walk), None) => {
                    let went = character.last_errand.map_or(0, |walk| walk.0) != walk;
                    character.position.at.distance(spot.at)
                        <= if went { spacing_m / 2.0 } else { 2.0 * spacing_m }
                }
                (None, Some(goal)) => goal.distance(spot) <= 2.0 * spacing_m,
                (None, None) => now.saturating_sub(member.asked_tick) <= forgotten_after,
            }
        });
    }

    /// The place of the member with this index: that far along the path to the tail, and straight on beyond
    /// it; or the nearest one that is ground for it.
    fn spot(&self, world: &World, index: usize) -> Place {
        let along = self.along(world, index);
        let ground = world.ground();
        let class = self.members.get(index).map_or(self.class, |member| world.class_of(member.who));
        let own = world.ground_in(class);
        // The room's own walker goes to the very place, and a walk there ends where a walk would.
        match class == ClassId::default() || own.is_walkable(own.locate(along)) {
            true => along,
            false => world.nearest_for(class, along).map_or(along, |at| ground.place_of(at)),
        }
    }

    fn along(&self, world: &World, index: usize) -> Place {
        let Some((_, way)) = &self.way else { return self.front };
        let ground = world.ground_in(self.class);
        let (mut at, mut left_m) = (self.begin(world), index as f64 * self.spacing_m);
        let mut direction = DVec2::ZERO;
        let towards = |from: Position, to: DVec2| {
            let there = ground.walk_straight(from, to);
            ground.place_of(there.unwrap_or(Position { at: to, ..from }))
        };
        for &to in way {
            let length_m = at.distance(to);
            direction = (to.at - at.at).try_normalize().unwrap_or(direction);
            if length_m >= left_m {
                return towards(at, at.at + direction * left_m);
            }
            (at, left_m) = (to, left_m - length_m);
        }
        let beyond = towards(at, at.at + direction * left_m);
        ground.place_of(world.nearest_for(self.class, beyond).unwrap_or(at))
    }

    /// Where the line begins: at its front, or the nearest ground to it for the first one.
    fn begin(&self, world: &World) -> Position {
        let front = world.ground().locate(self.front);
        let fits = self.class == ClassId::default() || world.ground_in(self.class).is_walkable(front);
        if fits { front } else { world.nearest_for(self.class, front).unwrap_or(front) }
    }

    /// Finds the path from the front to the tail, and returns the work; `None` if it takes more than
    /// `most_work`.
    fn find_way(&mut self, world: &World, most_work: u64) -> Option<u64> {
        let ground = world.ground_in(self.class);
        let revision = (ground.revision(), self.class);
        if self.way.as_ref().is_some_and(|(known, _)| *known == revision) {
            return Some(0);
        }
        if !self.has_direction() {
            let front = self.begin(world);
            let far = |direction: &DVec2| front.at + *direction * self.spacing_m * ROOM_FOR;
            let tail = DIRECTIONS.iter().map(far).find_map(|tail| ground.walk_straight(front, tail));
            self.way = Some((revision, vec![tail.unwrap_or_else(|| ground.locate(self.tail))]));
            return Some(DIRECTIONS.len() as u64);
        }
        let front = match self.class == ClassId::default() {
            true => self.front,
            false => ground.place_of(self.begin(world)),
        };
        let query = world.query_in(self.class, front, self.tail);
        let path = world.answer(query, most_work.min(MOST_WORK));
        if path.is_none() && most_work < MOST_WORK {
            return None;
        }
        let work = path.as_ref().map_or(MOST_WORK, |path| path.work);
        let waypoints = path.filter(|path| path.outcome != Outcome::None).map(|path| path.waypoints);
        self.way = Some((revision, waypoints.unwrap_or_else(|| vec![world.ground().locate(self.tail)])));
        Some(work)
    }
}

/// The target of a character's errand, if it is on one.
fn errand_goal(character: &Character) -> Option<Place> {
    character.errand().map(|walk| walk.goal.place)
}
