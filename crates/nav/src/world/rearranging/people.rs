//! Who is in each other's way around a stuck walker, and where each of them wants to go.

use crate::crowd::{Body, Character, CharacterId, Footing, MOST_BODIES, Walk, distance_sq_to_line};
use crate::nav::{Outcome, Position};
use crate::world::World;

/// Characters within this distance of the one that is stuck matter to it, in metres.
const WITHIN_M: f64 = 12.0;

/// Where there are many within this distance, in metres, it is a crowd.
const CROWDED_WITHIN_M: f64 = 3.0;

/// Those who have less than this between them, in metres, are in each other's way: one of them may have to move so that
/// the other one can let a third one pass.
const BETWEEN_M: f64 = 2.0;

/// People round so many corners may still be in each other's way.
const CORNERS: usize = 3;

/// This near to a place is there, in metres: it may lie on an edge of the ground.
const THERE_M: f64 = 0.05;

/// A way is followed so far, in metres. One that leads farther leaves the spot.
const WAY_M: f64 = 15.0;

/// So many work units find the way of one of them.
pub(super) const MOST_WORK: u64 = 20_000;

/// One of those around a stuck walker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Person {
    pub(super) id: CharacterId,
    /// Whether it may be moved. Otherwise it is a wall.
    pub(super) moves: bool,
}

impl World {
    /// Whether more than so many are about, itself among them.
    pub(in crate::world) fn is_among_more_than(&mut self, most: usize, who: CharacterId) -> bool {
        let at = self.characters.get(who).map(|character| character.position.at);
        at.is_some_and(|at| self.near.bystanders.within(at, CROWDED_WITHIN_M).count() > most)
    }

    /// Those around a stuck walker: first itself, then all who are in the way of it or of each other, then walls. Whoever
    /// gets on is left out: it will be gone, unless it is the one that holds up the stuck one. `None` if too many could move,
    /// or the stuck one could not.
    pub(super) fn people_in_the_way(&mut self, who: CharacterId) -> Option<Vec<Person>> {
        if self.is_among_more_than(2 * MOST_BODIES, who) {
            return None;
        }
        let stuck = self.characters.get(who).filter(|stuck| can_move(stuck))?;
        let at = stuck.position;
        let near: Vec<CharacterId> = self.near.bystanders.within(at.at, WITHIN_M).collect();
        let gets_on_ticks = self.pace().gets_on;
        let gets_on = |walk: &Walk| walk.give_way.is_none() && walk.progress.idle_ticks < gets_on_ticks;
        let is_about = |c: &&Character| {
            let is_there = c.is_in_crowd() && c.crossing.is_none() && self.ground.may_reach(at, c.position);
            let holds_up = |walk: &Walk| [walk.held_up.by, walk.held_up.before_by].contains(&Some(c.id));
            let is_of_the_jam = || c.id == who || stuck.errand().is_some_and(holds_up);
            is_there && (!c.errand().is_some_and(gets_on) || is_of_the_jam())
        };
        let near = near.into_iter().filter_map(|id| self.characters.get(id));
        let (mut others, walls): (Vec<&Character>, Vec<&Character>) =
            near.filter(is_about).filter(|c| c.id != who).partition(|c| can_move(c));
        let mut involved = vec![stuck];
        let mut next = 0;
        while next < involved.len() {
            let one = involved[next];
            let is_near = |other: &&Character| {
                is_in_the_way(one, other, one.id == who) && self.is_not_far(one.position, other.position)
            };
            let (more, rest) = others.into_iter().partition(is_near);
            let mut more: Vec<&Character> = more;
            more.sort_by(|one, other| {
                let [one_m, other_m] = [one, other].map(|other| other.position.distance(at));
                one_m.total_cmp(&other_m).then(one.id.cmp(&other.id))
            });
            involved.append(&mut more);
            others = rest;
            next += 1;
            if involved.len() > MOST_BODIES {
                return None;
            }
        }
        let movers = involved.into_iter().map(|c| Person { id: c.id, moves: true });
        let walls = walls.into_iter().chain(others).map(|c| Person { id: c.id, moves: false });
        Some(movers.chain(walls).collect())
    }

    /// Whether one comes straight to a place, sliding along walls and round a corner. Otherwise there is a wall between them.
    fn is_not_far(&self, from: Position, to: Position) -> bool {
        let slides = std::iter::successors(Some(from), |&at| self.ground.move_along(at, to.at));
        let mut ends = slides.take(1 + CORNERS);
        ends.any(|at| at.at.distance(to.at) < THERE_M && self.ground.floors_touch(at, to))
    }

    /// `None` if its way is not known.
    pub(super) fn body_to_move(&self, Person { id, moves }: Person) -> Option<Body> {
        let character = self.characters.get(id)?;
        let (at, radius_m) = (character.position, character.collision_radius_m);
        let mut body = Body {
            at,
            radius_m,
            class: character.class,
            moves,
            way: Vec::new(),
            goes_on: character.player,
            leaves: false,
        };
        if !moves {
            return Some(body);
        }
        if let Some(walk) = character.errand().filter(|walk| walk.goal.up_to.is_none()) {
            let (way, leaves) = self.way_of(character, walk)?;
            let (way, is_long) = self.within_reach(character, way);
            (body.way, body.leaves) = (way, leaves || is_long);
        }
        Some(body)
    }

    /// The way to its goal, or to the next link. Then it leaves the spot.
    fn way_of(&self, character: &Character, walk: &Walk) -> Option<(Vec<Position>, bool)> {
        if walk.give_way.is_none() && walk.path_request.is_none() && !walk.corridor.is_empty() {
            return Some((walk.corridor.ahead().to_vec(), walk.corridor.next_link().is_some()));
        }
        let mut path = self.answer(self.query_of(character.id, walk.goal.place)?, MOST_WORK)?;
        if path.outcome == Outcome::None {
            return None;
        }
        if let Some(crossing) = path.crossings.first() {
            path.waypoints.truncate(crossing.waypoint + 1);
        }
        Some((path.waypoints, !path.crossings.is_empty()))
    }

    /// The first [`WAY_M`] of a way, and whether that is not all of it. It has one corner at least.
    fn within_reach(&self, of: &Character, way: Vec<Position>) -> (Vec<Position>, bool) {
        let from = of.position;
        let (mut near, mut here, mut left_m) = (Vec::new(), from, WAY_M);
        for corner in way {
            let length_m = here.distance(corner);
            if length_m > left_m {
                let end = here.at.lerp(corner.at, left_m / length_m);
                near.push(self.ground_of(of).walk_straight(here, end).unwrap_or(here));
                return (near, true);
            }
            near.push(corner);
            (here, left_m) = (corner, left_m - length_m);
        }
        if near.is_empty() {
            near.push(from);
        }
        (near, false)
    }
}

/// Whether one may be sent somewhere: a player that stands is not.
pub(super) fn can_move(character: &Character) -> bool {
    let has_goal = || character.errand().is_some_and(|walk| walk.goal.up_to.is_none());
    character.footing() != Footing::Pinned
        && character.steering.is_none()
        && character.walk_speed_mps > 0.0
        && (!character.player || has_goal())
}

/// Whether one is near another one, or on its way if that is the stuck one.
fn is_in_the_way(one: &Character, other: &Character, is_stuck: bool) -> bool {
    let touching_m = one.collision_radius_m + other.collision_radius_m;
    let is_on_the_way = || {
        let line = one.line_ahead(WITHIN_M);
        distance_sq_to_line(other.position.at, line) < touching_m * touching_m
    };
    one.position.distance(other.position) < touching_m + BETWEEN_M || is_stuck && is_on_the_way()
}
