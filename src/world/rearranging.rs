//! A few who are in each other's way go one at a time, in an order that brings all of them to their goals.
//!
//! It is tried when the rules of right of way have not helped for a turn, and before a walk would end as blocked by a
//! character.

use super::World;
use crate::crowd::{
    ATTEMPTS, Body, Character, CharacterId, Footing, GiveWay, MOST_BODIES, Move, Purpose, Walk, WalkEnd,
    WalkId, rearrange, way_ahead,
};
use crate::nav::{Corridor, Outcome, Position};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Characters within this distance of the one that is stuck are rearranged with it, in metres.
const WITHIN_M: f64 = 12.0;

/// Where there are twice as many as can be rearranged within this distance, it is a crowd, in metres.
const CROWDED_WITHIN_M: f64 = 3.0;

/// A way is followed so far, in metres. One that leads farther leaves the spot.
const WAY_M: f64 = 15.0;

/// The walk of one that is stuck is saved from being blocked so often.
const MOST_TIMES: u8 = 8;

/// So many work units find the way of one of them.
const MOST_WORK: u64 = 20_000;

/// A move takes so many times as long as a walk without anybody, and so much longer, in seconds. Then all are released.
const SLOWER: f64 = 3.0;
const PATIENCE_S: f64 = 4.0;

/// Some who are in each other's way, and go one at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Rearrangement {
    /// Those who have an errand, and have not come to its end.
    errands: Vec<(CharacterId, WalkId)>,
    moves: VecDeque<Step>,
    /// When it was the turn of the first of the moves, and whether that one has set out.
    since_tick: u64,
    has_set_out: bool,
}

/// One of them goes a way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Step {
    who: CharacterId,
    way: Vec<Position>,
    arrives: bool,
}

/// What becomes of the first of the moves in a tick.
enum Progress {
    Underway,
    Done,
    Failed,
}

impl Rearrangement {
    /// Whether it may be part of a saved state of this tick.
    pub(super) fn is_sound(&self, tick: u64) -> bool {
        self.since_tick <= tick
    }

    /// All places that it leads to.
    pub(super) fn places(&self) -> impl Iterator<Item = Position> + '_ {
        self.moves.iter().flat_map(|step| step.way.iter().copied())
    }

    fn errand_of(&self, who: CharacterId) -> Option<WalkId> {
        self.errands.iter().find(|(other, _)| *other == who).map(|(_, errand)| *errand)
    }
}

impl World {
    /// Whether a character waits for its turn to move, or moves.
    pub(super) fn is_rearranged(&self, who: CharacterId) -> bool {
        self.rearrangements.iter().any(|one| one.errand_of(who).is_some())
    }

    /// Has those who are in each other's way around a stuck walker go one at a time, if there is an order in which all get
    /// on. `None` if it is not known yet: one search in a tick.
    pub(super) fn rearrange_around(&mut self, who: CharacterId) -> Option<bool> {
        let Some(walk) = self.characters.get(who).and_then(Character::errand) else { return Some(false) };
        let attempt = walk.rearranged % ATTEMPTS;
        if walk.rearranged >= MOST_TIMES * ATTEMPTS || walk.up_to.is_some() {
            return Some(false);
        }
        let Some(people) = self.people_around(who) else { return Some(false) };
        if std::mem::replace(&mut self.has_rearranged, true) {
            return None;
        }
        let bodies: Option<Vec<Body>> = people.iter().map(|&id| self.body_to_move(id)).collect();
        let Some(bodies) = bodies.filter(|bodies| !bodies[0].way.is_empty()) else { return Some(false) };
        let found = rearrange(&bodies, attempt.into(), &self.ground);
        let walk = self.characters.get_mut(who).and_then(|character| character.walk.as_mut())?;
        walk.rearranged += if found.is_some() { ATTEMPTS - attempt } else { 1 };
        let Some(moves) = found else { return (attempt + 1 == ATTEMPTS).then_some(false) };
        let errand = |(id, body): (&CharacterId, &Body)| {
            let character = self.characters.get(*id).filter(|_| body.moves)?;
            Some((*id, character.errand()?.id))
        };
        let errands: Vec<_> = people.iter().zip(&bodies).filter_map(errand).collect();
        for &(member, _) in &errands {
            self.hold(member, who);
        }
        let step = |Move { body, way, arrives }| Step { who: people[body], way, arrives };
        let moves = moves.into_iter().map(step).collect();
        self.rearrangements.push(Rearrangement { errands, moves, since_tick: self.tick, has_set_out: false });
        Some(true)
    }

    /// Those around a stuck walker, itself first. `None` if too many of them can move.
    fn people_around(&mut self, who: CharacterId) -> Option<Vec<CharacterId>> {
        let at = self.characters.get(who)?.position;
        // In a crowd this tells at once.
        if self.bystanders.around(at.at, CROWDED_WITHIN_M).count() > 2 * MOST_BODIES {
            return None;
        }
        let near: Vec<CharacterId> = self.bystanders.around(at.at, WITHIN_M).collect();
        let is_about =
            |c: &&Character| c.is_in_crowd() && c.crossing.is_none() && self.ground.may_reach(at, c.position);
        let near = near.into_iter().filter_map(|id| self.characters.get(id));
        let mut people: Vec<&Character> = near.filter(is_about).collect();
        if people.iter().filter(|c| can_move(c)).count() > MOST_BODIES {
            return None;
        }
        let off_m = |c: &Character| if c.id == who { -1.0 } else { c.position.distance(at) };
        people.sort_by(|one, other| off_m(one).total_cmp(&off_m(other)).then(one.id.cmp(&other.id)));
        Some(people.into_iter().map(|character| character.id).collect())
    }

    /// `None` if its way is not known, or it is rearranged already.
    fn body_to_move(&self, who: CharacterId) -> Option<Body> {
        let character = self.characters.get(who)?;
        if self.is_rearranged(who) {
            return None;
        }
        let errand = character.errand().filter(|walk| walk.up_to.is_none());
        let moves = can_move(character);
        let (at, radius_m) = (character.position, character.collision_radius_m);
        let (mut way, mut leaves) = (Vec::new(), false);
        if let Some(walk) = errand.filter(|_| moves) {
            let path = self.answer(self.query_of(who, walk.requested)?, MOST_WORK)?;
            if path.outcome == Outcome::None {
                return None;
            }
            let link = path.crossings.first().map(|crossing| crossing.waypoint + 1);
            leaves = link.is_some();
            let mut left_m = WAY_M;
            for &corner in path.waypoints.iter().take(link.unwrap_or(usize::MAX)) {
                let from = way.last().copied().unwrap_or(at);
                way.push(corner);
                left_m -= from.distance(corner);
                if left_m <= 0.0 {
                    leaves = true;
                    break;
                }
            }
            if way.is_empty() {
                way.push(at);
            }
        }
        Some(Body { at, radius_m, moves, way, goes_on: character.player, leaves })
    }

    /// Lets a walker wait where it is.
    fn hold(&mut self, who: CharacterId, first: CharacterId) {
        let Some(character) = self.characters.get(who) else { return };
        if character.walk.as_ref().is_some_and(|walk| walk.planning) {
            self.queue.cancel(who);
        }
        self.replans.remove(&who);
        let Some(rank) = self.characters.get(first).map(Character::rank) else { return };
        let Some(character) = self.characters.get_mut(who) else { return };
        let (here, ahead) = (character.position, way_ahead(character));
        let Some(walk) = &mut character.walk else { return };
        let wanted = walk.give_way.as_ref().map_or(ahead, |way| way.wanted.clone());
        walk.planning = false;
        walk.corridor = Corridor::new(vec![here]);
        (walk.idle_ticks, walk.effort_m, walk.renewed) = (0, 0.0, true);
        walk.stands_ahead = None;
        walk.give_way = Some(Box::new(GiveWay {
            to: first,
            rank,
            mouth: here.at,
            wanted,
            ticks_in_all: 0,
            ticks: 0,
            least_left_m: 0.0,
            waiting: true,
        }));
    }

    /// Updates all who are rearranged.
    pub(super) fn watch_rearrangements(&mut self) {
        self.has_rearranged = false;
        if self.rearrangements.is_empty() {
            return;
        }
        let mut all = std::mem::take(&mut self.rearrangements);
        all.retain_mut(|one| {
            let goes_on = self.watch_rearrangement(one);
            if !goes_on {
                self.release(one);
            }
            goes_on
        });
        self.rearrangements = all;
    }

    fn watch_rearrangement(&mut self, one: &mut Rearrangement) -> bool {
        let holds = |&(who, errand): &(CharacterId, WalkId)| {
            let character = self.characters.get(who).filter(|character| character.is_in_crowd());
            let walk = character.and_then(Character::errand);
            walk.is_some_and(|walk| walk.id == errand && walk.give_way.is_some())
        };
        if !one.errands.iter().all(holds) {
            return false;
        }
        loop {
            let Some(step) = one.moves.front() else { return false };
            let since_tick = one.since_tick;
            if !one.has_set_out {
                if self.is_ready(one.errand_of(step.who), step.who) {
                    let step = step.clone();
                    self.set_out(&step, one.errand_of(step.who).is_some());
                    (one.since_tick, one.has_set_out) = (self.tick, true);
                    return true;
                }
                // It is gone, or does not come to an end of its own.
                return self.tick <= since_tick + self.ticks_of(PATIENCE_S);
            }
            match self.progress_of(step, one.errand_of(step.who), since_tick) {
                Progress::Underway => return true,
                Progress::Failed => return false,
                Progress::Done => {}
            }
            let arrived = step.arrives.then_some(step.who);
            if let Some(who) = arrived
                && one.errand_of(who).is_some()
            {
                one.errands.retain(|(other, _)| *other != who);
                self.go_on(who);
            }
            one.moves.pop_front();
            (one.since_tick, one.has_set_out) = (self.tick, false);
        }
    }

    /// Whether one can set out: it waits for that, or stands.
    fn is_ready(&self, errand: Option<WalkId>, who: CharacterId) -> bool {
        let stands = |c: &Character| c.is_in_crowd() && c.errand().is_none() && can_move(c);
        errand.is_some() || self.characters.get(who).is_some_and(stands)
    }

    fn progress_of(&self, step: &Step, errand: Option<WalkId>, since_tick: u64) -> Progress {
        let Some(character) = self.characters.get(step.who).filter(|c| c.is_in_crowd()) else {
            return Progress::Failed;
        };
        let is_there = match errand {
            Some(_) => character.walk.as_ref().is_some_and(Walk::is_waiting),
            None => character.walk.is_none(),
        };
        if is_there {
            return Progress::Done;
        }
        let corners = std::iter::once(&character.position).chain(&step.way);
        let way_m: f64 = corners.zip(&step.way).map(|(from, to)| from.distance(*to)).sum();
        let most_s = SLOWER * way_m / character.walk_speed_mps.max(0.1) + PATIENCE_S;
        if self.tick > since_tick + self.ticks_of(most_s.min(600.0)) {
            Progress::Failed
        } else {
            Progress::Underway
        }
    }

    fn set_out(&mut self, step: &Step, has_errand: bool) {
        let id = self.next_walk_id();
        let corridor = Corridor::new(step.way.clone());
        if has_errand {
            let Some(character) = self.characters.get_mut(step.who) else { return };
            let here = character.position;
            let Some(walk) = &mut character.walk else { return };
            walk.corridor = corridor;
            if let Some(way) = &mut walk.give_way {
                (way.waiting, way.ticks, way.least_left_m) = (false, 0, walk.corridor.left_m(here));
            }
            return;
        }
        self.end_walk(step.who, WalkEnd::Cancelled); // a step aside at most: no end to report
        let Some(&to) = step.way.last() else { return };
        let mut walk = Walk::new(id, Purpose::StepAside, self.ground.place_of(to));
        let Some(character) = self.characters.get_mut(step.who) else { return };
        walk.take_path(character.position, corridor, false);
        character.walk = Some(walk);
    }

    /// One that was pushed off its way to its next place is led there again. Whether it is one of those.
    pub(super) fn lead_back(&mut self, who: CharacterId) -> bool {
        let steps = self.rearrangements.iter().filter_map(|one| one.moves.front());
        let to = steps.filter(|step| step.who == who).find_map(|step| step.way.last().copied());
        let Some((to, query)) = to.and_then(|to| Some((to, self.query_of(who, self.ground.place_of(to))?)))
        else {
            return false;
        };
        let Some(path) = self.answer(query, MOST_WORK) else { return false };
        let walk = self.characters.get_mut(who).and_then(|character| character.walk.as_mut());
        let Some(walk) = walk.filter(|walk| walk.give_way.is_some() && path.outcome == Outcome::Complete)
        else {
            return false;
        };
        walk.corridor = Corridor::new(path.waypoints.into_iter().chain([to]).collect());
        true
    }

    /// Those who still wait go on by themselves.
    fn release(&mut self, one: &Rearrangement) {
        for &(who, errand) in &one.errands {
            let walk = self.characters.get(who).and_then(Character::errand);
            if walk.is_some_and(|walk| walk.id == errand && walk.give_way.is_some()) {
                self.go_on(who);
            }
        }
    }

    /// All who are rearranged go on by themselves.
    pub(super) fn release_all(&mut self) {
        let all = std::mem::take(&mut self.rearrangements);
        all.iter().for_each(|one| self.release(one));
    }
}

/// Whether one may be sent somewhere: a player that stands is not.
fn can_move(character: &Character) -> bool {
    let has_goal = || character.errand().is_some_and(|walk| walk.up_to.is_none());
    character.footing() != Footing::Pinned
        && character.steering.is_none()
        && character.walk_speed_mps > 0.0
        && (!character.player || has_goal())
}
