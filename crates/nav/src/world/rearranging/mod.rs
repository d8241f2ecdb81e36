//! A few who are in each other's way go one at a time, in an order that brings all of them to their goals: when and how
//! often such an order is looked for, and how it is followed.
//!
//! It is tried when the rules of right of way have not helped for a turn, and before a walk would end as blocked by a
//! character.

mod people;

use super::World;
use crate::crowd::{
    ATTEMPTS, Character, CharacterId, GiveWay, Move, Purpose, Walk, WalkEnd, WalkId, distance_sq_to_line,
    patience_ticks, rearrange, way_ahead,
};
use crate::nav::{Corridor, Outcome, Position};
use people::{MOST_WORK, Person, can_move};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// So often an order is looked for around one that is stuck. Then its walk ends as blocked.
const MOST_TIMES: u8 = 3;

/// One that never gives up goes on to look for an order, but only in one turn of so many.
const SELDOM: u32 = 3;

/// All are released if one whose turn it is gets no nearer to its next place by [`GAIN_M`] for so long, in seconds, or is
/// not there after [`LONGEST_S`].
const PATIENCE_S: f64 = 4.0;
const GAIN_M: f64 = 0.1;
const LONGEST_S: f64 = 30.0;

/// One that is this much farther from the place where its way begins or ends than its radius is not there, in metres.
const OFF_M: f64 = 0.2;

/// Some who are in each other's way, and go one at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Rearrangement {
    /// Those who have an errand, and have not come to its end.
    errands: Vec<(CharacterId, WalkId)>,
    moves: VecDeque<Step>,
    /// Since when it is the turn of the first of the moves.
    since_tick: u64,
    /// Once that one has set out: when it last got on, and what was left of its way then, in metres.
    underway: Option<(u64, f64)>,
}

/// One of them goes a way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Step {
    who: CharacterId,
    from: Position,
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
        self.since_tick <= tick && self.underway.is_none_or(|(since, _)| since <= tick)
    }

    /// All places that it leads to.
    pub(super) fn places(&self) -> impl Iterator<Item = Position> + '_ {
        self.moves.iter().flat_map(|step| step.way.iter().copied().chain([step.from]))
    }

    fn errand_of(&self, who: CharacterId) -> Option<WalkId> {
        self.errands.iter().find(|(other, _)| *other == who).map(|(_, errand)| *errand)
    }
}

impl World {
    /// Whether a character waits for its turn to move, or moves.
    pub(super) fn is_rearranged(&self, who: CharacterId) -> bool {
        let has_move = |one: &Rearrangement| one.moves.iter().any(|step| step.who == who);
        self.yields.rearrangements.iter().any(|one| one.errand_of(who).is_some() || has_move(one))
    }

    /// Has those who are in each other's way around a stuck walker go one at a time, if there is an order in which all get
    /// on. `None` if it is not known yet: one search in a tick.
    pub(super) fn rearrange_around(&mut self, who: CharacterId) -> Option<bool> {
        let Some(walk) = self.characters.get(who).and_then(Character::errand) else { return Some(false) };
        let attempt = walk.rearranged % ATTEMPTS;
        if walk.goal.up_to.is_some() || !self.may_look_for_an_order(who, walk) {
            return Some(false);
        }
        let Some(people) = self.people_in_the_way(who) else { return Some(false) };
        if people.iter().any(|person| person.moves && self.is_rearranged(person.id)) {
            return None; // their order may free this one, too
        }
        if std::mem::replace(&mut self.yields.has_rearranged, true) {
            return None;
        }
        let bodies: Option<Vec<_>> = people.iter().map(|&person| self.body_to_move(person)).collect();
        let Some(bodies) = bodies.filter(|bodies| !bodies[0].way.is_empty()) else { return Some(false) };
        let found = rearrange(&bodies, attempt.into(), &self.ground).filter(|moves| !moves.is_empty());
        let walk = self.characters.get_mut(who).and_then(|character| character.walk.as_mut())?;
        walk.rearranged += if found.is_some() { ATTEMPTS - attempt } else { 1 };
        if walk.rearranged >= (MOST_TIMES + 1) * ATTEMPTS {
            walk.rearranged = MOST_TIMES * ATTEMPTS;
        }
        let Some(moves) = found else { return (attempt + 1 == ATTEMPTS).then_some(false) };
        self.begin(&people, moves);
        Some(true)
    }

    fn may_look_for_an_order(&self, who: CharacterId, walk: &Walk) -> bool {
        let pace = self.pace();
        let own = self.characters.get(who).and_then(|one| one.patience);
        let gives_up_after = own.map_or(pace.gives_up_after, |own| patience_ticks(own, &self.room));
        let is_its_turn =
            || (walk.progress.ticks_in_vain() / pace.turn_of_rearranging()).is_multiple_of(SELDOM);
        walk.rearranged < MOST_TIMES * ATTEMPTS || gives_up_after.is_none() && is_its_turn()
    }

    fn begin(&mut self, people: &[Person], moves: Vec<Move>) {
        let mut at: Vec<Option<Position>> =
            people.iter().map(|person| Some(self.characters.get(person.id)?.position)).collect();
        let mut steps = VecDeque::new();
        for Move { body, way, arrives } in moves {
            let Some(from) = std::mem::replace(&mut at[body], way.last().copied()) else { return };
            steps.push_back(Step { who: people[body].id, from, way, arrives });
        }
        let held: Vec<CharacterId> = self.those_held(people, &steps).collect();
        let steps_aside = |id: &&CharacterId| self.characters.get(**id).is_some_and(|c| c.errand().is_none());
        for who in held.iter().filter(steps_aside).copied().collect::<Vec<_>>() {
            self.end_walk(who, WalkEnd::Cancelled); // no end to report
        }
        let errand = |id| Some((id, self.characters.get(id)?.errand()?.id));
        let errands: Vec<_> = held.iter().filter_map(|&id| errand(id)).collect();
        for &(member, _) in &errands {
            let other = held.iter().find(|other| **other != member);
            self.hold(member, other.copied().unwrap_or(member));
        }
        self.yields.rearrangements.push(Rearrangement {
            errands,
            moves: steps,
            since_tick: self.tick,
            underway: None,
        });
    }

    /// Those who move, and others who might walk into their ways. A player without a move is never held.
    fn those_held<'a>(
        &'a self,
        people: &'a [Person],
        steps: &'a VecDeque<Step>,
    ) -> impl Iterator<Item = CharacterId> + 'a {
        let moves = |id| steps.iter().any(|step| step.who == id);
        let is_near = move |one: &Character| {
            steps.iter().any(|step| {
                let radius_m = self.characters.get(step.who).map_or(0.0, |other| other.collision_radius_m);
                let line = std::iter::once(step.from).chain(step.way.iter().copied()).map(|at| at.at);
                let near_m = one.collision_radius_m + radius_m + OFF_M;
                distance_sq_to_line(one.position.at, line) < near_m * near_m
            })
        };
        let is_held = move |id: &CharacterId| {
            moves(*id) || self.characters.get(*id).is_some_and(|one| !one.player && is_near(one))
        };
        people.iter().filter(|person| person.moves).map(|person| person.id).filter(is_held)
    }

    /// Lets a walker wait where it is.
    fn hold(&mut self, who: CharacterId, other: CharacterId) {
        let Some(character) = self.characters.get(who) else { return };
        if character.walk.as_ref().is_some_and(|walk| walk.path_request.is_some()) {
            self.planning.queue.cancel(who);
        }
        self.planning.replans.remove(&who);
        let Some(rank) = self.characters.get(other).map(Character::rank) else { return };
        let Some(character) = self.characters.get_mut(who) else { return };
        let (here, ahead) = (character.position, way_ahead(character));
        let Some(walk) = &mut character.walk else { return };
        let wanted = walk.give_way.as_ref().map_or(ahead, |way| way.wanted.clone());
        walk.path_request = None;
        walk.corridor = Corridor::new(vec![here]);
        (walk.progress.idle_ticks, walk.progress.forgiven) = (0, None);
        (walk.progress.effort_m, walk.progress.renewed) = (0.0, true);
        walk.held_up.stands_ahead = None;
        walk.give_way = Some(Box::new(GiveWay {
            to: other,
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
        self.yields.has_rearranged = false;
        if self.yields.rearrangements.is_empty() {
            return;
        }
        let mut all = std::mem::take(&mut self.yields.rearrangements);
        all.retain_mut(|one| {
            let goes_on = self.watch_rearrangement(one);
            if !goes_on {
                self.release(one);
            }
            goes_on
        });
        self.yields.rearrangements = all;
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
            let errand = one.errand_of(step.who);
            let Some(underway) = &mut one.underway else {
                if self.is_ready(errand, step) {
                    let left_m = self.set_out(step, errand.is_some());
                    one.underway = left_m.map(|left_m| (self.tick, left_m));
                    return left_m.is_some();
                }
                // It is gone, or does not come to an end of its own.
                return self.tick <= one.since_tick + self.ticks_of(PATIENCE_S);
            };
            match self.progress_of(step, errand, underway, one.since_tick) {
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
            (one.since_tick, one.underway) = (self.tick, None);
        }
    }

    /// Whether one can set out: it waits for that, or stands.
    fn is_ready(&self, errand: Option<WalkId>, step: &Step) -> bool {
        let stands = |c: &Character| c.is_in_crowd() && c.errand().is_none() && can_move(c);
        errand.is_some() || self.characters.get(step.who).is_some_and(stands)
    }

    fn progress_of(
        &self,
        step: &Step,
        errand: Option<WalkId>,
        (got_on_tick, least_left_m): &mut (u64, f64),
        since_tick: u64,
    ) -> Progress {
        let Some(character) = self.characters.get(step.who).filter(|c| c.is_in_crowd()) else {
            return Progress::Failed;
        };
        let is_over = match errand {
            Some(_) => character.walk.as_ref().is_some_and(Walk::is_waiting),
            None => character.walk.is_none(),
        };
        if is_over {
            let is_there = step.way.last().is_some_and(|&to| is_at(character, to));
            return if is_there { Progress::Done } else { Progress::Failed };
        }
        let left_m = character.walk.as_ref().map_or(0.0, |walk| walk.corridor.left_m(character.position));
        if left_m <= *least_left_m - GAIN_M {
            (*got_on_tick, *least_left_m) = (self.tick, left_m);
        }
        let has_time = self.tick <= *got_on_tick + self.ticks_of(PATIENCE_S)
            && self.tick <= since_tick + self.ticks_of(LONGEST_S);
        if has_time { Progress::Underway } else { Progress::Failed }
    }

    /// Has one begin its way, and returns how long that is, in metres. `None` if it is not where the way begins.
    fn set_out(&mut self, step: &Step, has_errand: bool) -> Option<f64> {
        let id = self.next_walk_id();
        let corridor = Corridor::new(step.way.clone());
        let character = self.characters.get_mut(step.who)?;
        let here = character.position;
        let left_m = corridor.left_m(here);
        if !is_at(character, step.from) {
            return None;
        }
        if has_errand {
            let walk = character.walk.as_mut()?;
            walk.corridor = corridor;
            let way = walk.give_way.as_mut()?;
            (way.waiting, way.ticks, way.least_left_m) = (false, 0, left_m);
            return Some(left_m);
        }
        self.end_walk(step.who, WalkEnd::Cancelled); // a step aside at most: no end to report
        let mut walk = Walk::new(id, Purpose::StepAside, self.ground.place_of(*step.way.last()?));
        walk.take_path(here, corridor, false);
        self.characters.get_mut(step.who)?.walk = Some(walk);
        Some(left_m)
    }

    /// One that was pushed off its way to its next place is led there again. Whether it is one of those.
    pub(super) fn lead_back(&mut self, who: CharacterId) -> bool {
        let steps = self.yields.rearrangements.iter().filter_map(|one| one.moves.front());
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
        let all = std::mem::take(&mut self.yields.rearrangements);
        all.iter().for_each(|one| self.release(one));
    }
}

/// Whether one is where a way begins or ends, as far as others let it be.
fn is_at(character: &Character, place: Position) -> bool {
    character.position.distance(place) <= character.collision_radius_m + OFF_M
}
