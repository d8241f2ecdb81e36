//! People who stand in line: who is in which line, in which order, and where each one stands.
//!
//! A line belongs to a place and not to a script, so that it outlives reloads and saves: a character that begins to queue there
//! again finds itself where it was. Who has stopped to ask for its place in line has left it.

use crate::crowd::{Character, CharacterId};
use crate::nav::Outcome;
use crate::room::MAX_COORDINATE_M;
use crate::world::World;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::FRAC_1_SQRT_2;

/// All lines, by the name of their place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Lines(pub(super) BTreeMap<String, Line>);

/// People in line at a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Line {
    /// Where the first one stands, in metres.
    pub(super) front: DVec2,
    /// Where the line leads to.
    pub(super) tail: DVec2,
    /// Whether a script has said so; else it is where somebody came from.
    #[serde(default)]
    is_tail_said: bool,
    /// From one to the next, in metres.
    pub(super) spacing_m: f64,
    /// Who is in line, the first one first.
    members: Vec<Member>,
    /// The way from the front to the tail, and the revision of the ground it was found on.
    #[serde(skip)]
    way: Option<(u64, Vec<DVec2>)>,
}

/// Somebody in line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Member {
    who: CharacterId,
    /// The tick in which it last asked for its place.
    asked_tick: u64,
    /// The last errand it had been sent on when it was told that it is at the front, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    served: Option<u64>,
    /// How many scenes it was in when it asked.
    #[serde(default, skip_serializing_if = "is_zero")]
    scenes: usize,
}

fn is_zero(scenes: &usize) -> bool {
    *scenes == 0
}

/// What somebody who queues is to do next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Next {
    /// Walk there, in metres.
    Walk(DVec2),
    /// Stand, and look where the one ahead stands.
    Stand(DVec2),
    /// It is at the front.
    Front,
    /// There is no room at the end: stay nearby, and look again.
    Full,
}

/// The most room that two in line leave between them, in metres.
pub(super) const MAX_SPACING_M: f64 = 100.0;

/// Who stands so near to its place stands on it, in metres.
const ON_PLACE_M: f64 = 0.3;

/// Who is so near to the end of the line, as a share of the spacing, stands in it.
const JOINS_SHARE: f64 = 0.75;

/// Who finds no room at the end waits so near to it, as a multiple of the spacing.
const NEARBY_SHARE: f64 = 4.0;

/// Who has not asked for its place for so many seconds has left the line.
const FORGOTTEN_AFTER_S: f64 = 1.0;

/// After a reload or a save everybody has so many seconds more to ask, as behaviours begin again.
const GRACE_S: f64 = 2.0;

/// So many expansions are spent on a line's way; where they do not suffice it leads straight to the tail.
const MOST_WORK: u64 = 20_000;

/// Where a line leads of which nobody says anything and everybody comes from the front itself: the first of these directions in
/// which there is room for so many.
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

/// A tail says where the line leads if it is so far from the front, in metres.
const LEAST_TAIL_M: f64 = 0.01;

impl Lines {
    /// Whether nobody is in line anywhere.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether saved lines can be lines in this world.
    ///
    /// # Errors
    /// In words, what cannot be.
    pub(super) fn check(&self, world: &World) -> Result<(), String> {
        let far = |place: DVec2| place.abs().max_element() > MAX_COORDINATE_M || place.is_nan();
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

    /// Behaviours have begun again: nobody could ask for its place meanwhile.
    pub(super) fn give_time(&mut self, world: &World) {
        let until = world.tick_number() + world.ticks_of(GRACE_S);
        self.0.values_mut().flat_map(|line| &mut line.members).for_each(|member| member.asked_tick = until);
    }

    /// Who is in line at a place, the first one first, and what finding out took, in expansions; `None` if it takes more than
    /// `most_work`.
    pub(super) fn members(
        &mut self,
        world: &mut World,
        place: &str,
        most_work: u64,
    ) -> Option<(Vec<CharacterId>, u64)> {
        let Some(line) = self.0.get_mut(place) else { return Some((Vec::new(), 0)) };
        let work = line.find_way(world, most_work)?;
        line.prune(world, world.tick_number());
        Some((line.members.iter().map(|member| member.who).collect(), work))
    }

    /// Takes somebody out of every line but one; whether it was in any.
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

    /// The line at a place, for somebody who comes to queue there. While nobody is in line, the newcomer says where it leads.
    pub(super) fn open(
        &mut self,
        place: &str,
        front: DVec2,
        tail: Option<DVec2>,
        here: DVec2,
        spacing_m: f64,
    ) {
        let line = self.0.entry(place.to_owned()).or_insert_with(|| Line {
            front,
            tail: tail.unwrap_or(here),
            is_tail_said: false,
            spacing_m,
            members: Vec::new(),
            way: None,
        });
        let moved = (line.front, line.tail);
        line.front = front;
        if line.members.is_empty() {
            (line.tail, line.spacing_m) = (tail.unwrap_or(here), spacing_m);
            line.is_tail_said = false;
        }
        // The first one may have stood at the place when it asked, and said nothing by that.
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
    /// What somebody who queues here does next, and what finding out took, in expansions; `None` if it takes more than
    /// `most_work`.
    pub(super) fn next(
        &mut self,
        world: &mut World,
        who: CharacterId,
        most_work: u64,
    ) -> Option<(Next, u64)> {
        let now = world.tick_number();
        let work = self.find_way(world, most_work)?;
        self.prune(world, now);
        let Some(character) = world.character(who) else { return Some((Next::Front, work)) };
        let (position, last_errand) = (character.position, character.last_errand);
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

    /// Whether nobody is in line.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Whether the tail says where the line leads.
    fn has_direction(&self) -> bool {
        let least_m = if self.is_tail_said { LEAST_TAIL_M } else { self.spacing_m };
        self.front.distance(self.tail) >= least_m
    }

    /// Lets go of those who left: who was at the front and went away, and who does not ask for its place any more. Who is in a
    /// scene that began since it asked comes back, and who was only pushed out of the front is there.
    fn prune(&mut self, world: &World, now: u64) {
        let forgotten_after = world.ticks_of(FORGOTTEN_AFTER_S);
        let spots: Vec<DVec2> = (0..self.members.len()).map(|index| self.spot(world, index)).collect();
        let (spacing_m, mut spots) = (self.spacing_m, spots.into_iter());
        self.members.retain_mut(|member| {
            let spot = spots.next().unwrap_or_default();
            let Some(character) = world.character(member.who).filter(|c| c.is_active()) else { return false };
            if character.set_aside.len() > member.scenes {
                // It could not ask.
                member.asked_tick = now;
                return true;
            }
            member.scenes = character.set_aside.len();
            let goal = errand_goal(character);
            match (member.served, goal) {
                (Some(_), Some(goal)) => goal.distance(spot) <= spacing_m / 2.0,
                (Some(walk), None) => {
                    let went = character.last_errand.map_or(0, |walk| walk.0) != walk;
                    character.position.distance(spot) <= if went { spacing_m / 2.0 } else { 2.0 * spacing_m }
                }
                (None, Some(goal)) => goal.distance(spot) <= 2.0 * spacing_m,
                (None, None) => now.saturating_sub(member.asked_tick) <= forgotten_after,
            }
        });
    }

    /// Where the one at this place in line stands: so far along the way to the tail, and straight on beyond it.
    fn spot(&self, world: &World, index: usize) -> DVec2 {
        let Some((_, way)) = &self.way else { return self.front };
        let (mut at, mut left_m) = (self.front, index as f64 * self.spacing_m);
        let mut direction = DVec2::ZERO;
        for &to in way {
            let length_m = at.distance(to);
            direction = (to - at).try_normalize().unwrap_or(direction);
            if length_m >= left_m {
                return at + direction * left_m;
            }
            (at, left_m) = (to, left_m - length_m);
        }
        let beyond = at + direction * left_m;
        world.nearest_walkable(beyond).unwrap_or(at)
    }

    /// Finds the way from the front to the tail, and gives what that took; `None` if it takes more than `most_work`.
    fn find_way(&mut self, world: &mut World, most_work: u64) -> Option<u64> {
        let revision = world.ground().revision();
        if self.way.as_ref().is_some_and(|(known, _)| *known == revision) {
            return Some(0);
        }
        if !self.has_direction() {
            let far = |direction: &DVec2| self.front + *direction * self.spacing_m * ROOM_FOR;
            let is_clear = |tail: &DVec2| world.ground().segment_clear(self.front, *tail);
            let tail = DIRECTIONS.iter().map(far).find(is_clear).unwrap_or(self.tail);
            self.way = Some((revision, vec![tail]));
            return Some(DIRECTIONS.len() as u64);
        }
        let path = world.find_path_within(self.front, self.tail, most_work.min(MOST_WORK));
        if path.is_none() && most_work < MOST_WORK {
            return None;
        }
        let work = path.as_ref().map_or(MOST_WORK, |path| path.work);
        let waypoints = path.filter(|path| path.outcome != Outcome::None).map(|path| path.waypoints);
        self.way = Some((revision, waypoints.unwrap_or_else(|| vec![self.tail])));
        Some(work)
    }
}

/// Where somebody is on its way to, if on an errand.
fn errand_goal(character: &Character) -> Option<DVec2> {
    character.errand().map(|walk| walk.requested)
}
