//! Room at the far ends of links: only so many are called to a link as find a place where it leads to.

use super::link_lines::InLine;
use super::{Crossings, Near, World};
use crate::crowd::{Character, CharacterId};
use crate::nav::{ClassId, LinkId, Position};
use glam::DVec2;
use std::collections::BTreeSet;

/// Places round an end of a link matter up to this distance, in metres.
const REACH_M: f64 = 4.0;

/// Ends with fewer places than this are landings. Half of their places stay free of those who only pass through, so that
/// they can pass each other there.
const PLACES_OF_A_LANDING: usize = 60;

/// Bodies may be so much nearer to a place than they should, in metres: they are pushed apart.
const SQUEEZE_M: f64 = 0.05;

/// One that was called is held up after so long without progress, in seconds.
const HELD_UP_AFTER_S: f64 = 2.0;

/// One that comes off a link waits at its end for so long while somebody stands there, in seconds.
const WAITS_AT_THE_END_S: f64 = 10.0;

/// A body near an end of a link.
struct Body {
    who: CharacterId,
    at: DVec2,
    radius_m: f64,
}

impl Body {
    /// Whether another body has room at a place.
    fn is_beside(&self, place: DVec2, radius_m: f64) -> bool {
        self.at.distance(place) >= self.radius_m + radius_m - SQUEEZE_M
    }
}

impl World {
    /// Calls as many of a line as may cross a link, and find room behind it. The first one in line decides at which end; one
    /// without room there is passed over. At that end the nearest one is called, since the others stand behind it. They
    /// change places in the line, so the turn of that end is over. `heading` are the ends to which those lead who have
    /// been called and not yet set out.
    pub(super) fn call_from_line(
        &mut self,
        link: LinkId,
        line: &mut [InLine],
        free: usize,
        heading: &mut Vec<Position>,
    ) {
        self.let_the_nearer_go(line);
        let mut room: [Option<usize>; 2] = [None; 2];
        for _ in 0..free {
            let has_room = |world: &mut Self, place: &InLine, room: &mut [Option<usize>; 2]| {
                let end = usize::from(place.backward);
                let left = *room[end].get_or_insert_with(|| world.room_behind(link, *place, heading));
                left > 0
            };
            let waiting: Vec<usize> = (0..line.len()).filter(|&index| !line[index].called).collect();
            let first = waiting.iter().find(|&&index| has_room(self, &line[index], &mut room));
            let Some(&first) = first else { return };
            let backward = line[first].backward;
            let at_this_end = waiting.iter().copied().filter(|&index| line[index].backward == backward);
            let nearest = at_this_end.filter(|&index| index >= first).min_by(|&a, &b| {
                self.left_to_link_m(line[a].who).total_cmp(&self.left_to_link_m(line[b].who))
            });
            let nearest = nearest.unwrap_or(first);
            line[nearest].called = true;
            line.swap(first, nearest);
            heading.extend(self.exit_of(link, backward));
            room = [None; 2];
        }
    }

    /// One that was called, does not get on, and has somebody of its line before it, lets that one go: on a small landing
    /// there is no way past. So does one whose entry is taken by somebody of its line.
    fn let_the_nearer_go(&self, line: &mut [InLine]) {
        let left_m: Vec<f64> = line.iter().map(|place| self.left_to_link_m(place.who)).collect();
        for called in (0..line.len()).filter(|&index| line[index].called) {
            let Some(character) = self.characters.get(line[called].who) else { continue };
            let Some(walk) = &character.walk else { continue };
            let is_held_up = u64::from(walk.progress.idle_ticks) > self.ticks_of(HELD_UP_AFTER_S);
            let waits_behind = self.waits_behind(called, line);
            let goes_first = |&index: &usize| {
                let (place, is_nearer) = (line[index], left_m[index] < left_m[called]);
                let takes_entry = left_m[index] < character.collision_radius_m;
                !place.called
                    && place.backward == line[called].backward
                    && (waits_behind == Some(place.who) || is_nearer && (is_held_up || takes_entry))
            };
            if let Some(nearer) = (0..line.len()).find(goes_first) {
                let who = line[nearer].who;
                line[nearer].who = std::mem::replace(&mut line[called].who, who);
                return;
            }
        }
    }

    /// Who of a line waits, not called, at the head of the queue in which one that was called stands.
    fn waits_behind(&self, called: usize, line: &[InLine]) -> Option<CharacterId> {
        let mut ahead = line[called].who;
        for _ in 0..line.len() {
            ahead = self.characters.get(ahead)?.walk.as_ref()?.held_up.queues_behind?;
            if line.iter().any(|place| place.who == ahead && !place.called) {
                return Some(ahead);
            }
        }
        None
    }

    fn left_to_link_m(&self, who: CharacterId) -> f64 {
        let character = self.characters.get(who);
        let left_m = character.and_then(|c| Some(c.walk.as_ref()?.corridor.leg_left_m(c.position)));
        left_m.unwrap_or(f64::INFINITY)
    }

    /// Where a link leads to.
    pub(super) fn exit_of(&self, link: LinkId, backward: bool) -> Option<Position> {
        self.links.get(link)?.way(backward).map(|[_, exit]| exit)
    }

    /// How many may set out for the far end of a link.
    fn room_behind(&mut self, link: LinkId, place: InLine, heading: &[Position]) -> usize {
        let Some(exit) = self.exit_of(link, place.backward) else { return 1 };
        let comes = self.characters.get(place.who);
        let (radius_m, class) = comes.map_or_else(Default::default, |c| (c.collision_radius_m, c.class));
        let all = self.places_round(exit, radius_m, class);
        let is_near = |end: &Position| end.distance(exit) <= REACH_M && self.ground.floors_touch(*end, exit);
        let crossing =
            self.crossings.crossers.iter().filter_map(|&who| self.characters.get(who)?.crossing.as_ref());
        let coming = crossing.map(|crossing| &crossing.to).chain(heading).filter(|end| is_near(end)).count();
        let bodies = self.bodies_near(exit, REACH_M + radius_m, place.who);
        // One that has come off a link and waits in line there moves on first.
        let waits_there =
            |body: &Body| !body.is_beside(exit.at, radius_m) && self.crossings.lines.waits(body.who);
        if bodies.iter().any(waits_there) {
            return 0;
        }
        let is_free = |at: &&DVec2| bodies.iter().all(|body| body.is_beside(**at, radius_m));
        let free = all.iter().filter(is_free).count();
        let walk = self.characters.get(place.who).and_then(|character| character.walk.as_ref());
        let passes_through = walk.is_some_and(|walk| walk.corridor.links().nth(1).is_some());
        let stays_free = if passes_through && all.len() < PLACES_OF_A_LANDING { all.len() / 2 } else { 0 };
        free.saturating_sub(coming + stays_free)
    }

    /// Places for bodies side by side round an end of a link, the end itself first.
    fn places_round(&self, end: Position, radius_m: f64, class: ClassId) -> Vec<DVec2> {
        let step_m = radius_m.max(0.1);
        let steps = (REACH_M / step_m) as i32;
        let mut offsets: Vec<DVec2> = (-steps..=steps)
            .flat_map(|z| (-steps..=steps).map(move |x| DVec2::new(f64::from(x), f64::from(z)) * step_m))
            .filter(|offset| offset.length() <= REACH_M)
            .collect();
        offsets.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let mut places: Vec<DVec2> = Vec::new();
        for offset in offsets {
            let at = end.at + offset;
            let is_apart = |other: &DVec2| other.distance(at) >= 2.0 * radius_m - 1e-9;
            if places.len() < PLACES_OF_A_LANDING
                && places.iter().all(is_apart)
                && self.ground.of(class).walk_straight(end, at).is_some()
            {
                places.push(at);
            }
        }
        places
    }

    /// The bodies round a position, but for one.
    fn bodies_near(&mut self, at: Position, reach_m: f64, except: CharacterId) -> Vec<Body> {
        let Self {
            near: Near { bystanders, .. },
            characters,
            ground,
            crossings: Crossings { lines, .. },
            ..
        } = self;
        let is_there = |c: &&Character| {
            c.id != except && c.is_in_crowd() && c.crossing.is_none() && ground.floors_touch(c.position, at)
        };
        let landed = lines
            .landed
            .iter()
            .copied()
            .filter(|&id| characters.get(id).is_some_and(|c| c.position.distance(at) <= reach_m));
        let near: BTreeSet<CharacterId> = bystanders.around(at.at, reach_m).chain(landed).collect();
        let near = near.into_iter().filter_map(|id| characters.get(id));
        near.filter(is_there)
            .map(|c| Body { who: c.id, at: c.position.at, radius_m: c.collision_radius_m })
            .collect()
    }

    /// Whether one that has crossed a link with a capacity waits at its end, because somebody stands where it leads to.
    /// Who stands in line there steps aside for it.
    pub(super) fn waits_at_the_end(&mut self, who: CharacterId) -> bool {
        let longest = self.ticks_of(WAITS_AT_THE_END_S) as i64;
        let Some(character) = self.characters.get(who) else { return false };
        let Some(crossing) = &character.crossing else { return false };
        let (to, radius_m) = (crossing.to, character.collision_radius_m);
        let late = self.tick as i64 - crossing.began_tick - i64::from(crossing.ticks.unwrap_or(0));
        let is_limited =
            self.links.get(crossing.way.link).is_some_and(|placed| placed.link.capacity.is_some());
        if !is_limited || crossing.is_return || late >= longest {
            return false;
        }
        let mut bodies = self.bodies_near(to, 2.0 * radius_m, who);
        bodies.retain(|body| !body.is_beside(to.at, radius_m));
        for body in &bodies {
            let walk = self.characters.get(body.who).and_then(|character| character.walk.as_ref());
            if walk.is_none() || self.crossings.lines.waits(body.who) {
                self.send_to_waiting_place(body.who, who);
            }
        }
        !bodies.is_empty()
    }
}
