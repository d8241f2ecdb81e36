//! Yielding: which of two stuck characters steps aside, and when it continues.

use super::World;
use crate::crowd::{
    Character, CharacterId, Footing, HOLDS_BACK_M, ONCOMING_M, Pace, Passage, Past, Purpose, RIGHT_OF_WAY_M,
    Replan, RightOfWay, WaitingPlace, Walk, WalkEnd, Yielding, comes_against, distance_sq_to_line,
    find_waiting_place, go_along, has_passed, is_oncoming, waiting_place_concerns_m, watch_yielding,
    way_ahead, yields,
};
use crate::nav::{Corridor, Position};
use crate::room::Avoidance;
use glam::DVec2;

/// Upper limit on the waiting place searches in one tick; later requests come again a moment later. A crowd that is
/// stuck as a whole must not cost more than one that walks.
const MOST_WAITING_PLACES: u32 = 16;

/// A walker that lets a flow pass, and is still in its way after this long, is sent to a waiting place, in seconds.
const FINDS_NO_ROOM_AFTER_S: f64 = 4.0;

/// The flow of walkers that look ahead begins with the last one within this distance of the spot, in metres. Longer flows
/// take too many people with them at wide doors.
const FLOW_BEGINS_WITHIN_M: f64 = 1.5;

/// Of two equals, the one of higher rank goes if that saves so much of walking, in metres.
const NEARER_M: f64 = 1.0;

/// So many are sent away one behind the other.
const MOST_IN_A_FILE: u32 = 8;

/// So many pairs of places are tried for two that swap.
const MOST_SWAPS: u32 = 5;

/// Walkers against a right of way are sent to waiting places this often.
const TOLD_EVERY_S: f64 = 0.25;

impl World {
    /// Makes one of two stuck characters give way: the one of lower rank, or the other if the first has nowhere to go.
    /// If `by` has no errand, or waits, it gives way in any case. The player is never sent away, nor is a steered
    /// character. Returns whether one went.
    pub(super) fn make_way(&mut self, stuck: CharacterId, by: CharacterId) -> bool {
        let (Some(walker), Some(other)) = (self.characters.get(stuck), self.characters.get(by)) else {
            return false;
        };
        if !other.is_active() || gives_way_to(other, stuck) {
            return false;
        }
        // One that steps aside does not get away by itself.
        if other.is_standing() || other.errand().is_none() {
            return self.send_behind(by, stuck, Past::Never, MOST_IN_A_FILE)
                || self.send_through(by, stuck)
                || self.send_behind(by, stuck, Past::LastResort, MOST_IN_A_FILE);
        }
        if is_giving_way(other) {
            return true; // it is on its way out of the way already
        }
        if go_along(walker, other) {
            return false;
        }
        let at = Position { at: walker.position.at.midpoint(other.position.at), ..walker.position };
        let respected = self.rights_of_way_at(at).next();
        let (first, second) = if yields(walker, other, respected) { (stuck, by) } else { (by, stuck) };
        let sent = self.send_one(first, second);
        if let Some(sent) = sent {
            self.grant(if sent == first { second } else { first }, at);
        }
        sent.is_some()
    }

    /// Tells walkers that steer what the rights of way near them mean.
    pub(super) fn tell_passages(&mut self) {
        for right in &self.rights_of_way {
            for who in self.bystanders.around(right.at.at, HOLDS_BACK_M) {
                let Some(place) = self.characters.place_of(who) else { continue };
                let walker = &self.characters.all()[place];
                let row = &mut self.agents.rows[place];
                if row.looks_ahead
                    && row.passage == Passage::Free
                    && walker.position.distance(right.at) <= HOLDS_BACK_M
                    && self.ground.floors_touch(walker.position, right.at)
                {
                    row.passage = right.passage(walker, &self.ground);
                }
            }
        }
    }

    /// Whether a character steers round others, if it can.
    pub(super) fn looks_ahead(&self, character: &Character) -> bool {
        character.avoidance.unwrap_or(self.room.crowd.avoidance) == Avoidance::Steer
    }

    /// Whether a character lets a flow pass, but has no room to step aside.
    fn is_trapped(&self, character: &Character) -> bool {
        let place = self.characters.place_of(character.id);
        let row = place.and_then(|place| self.agents.rows.get(place));
        let in_the_way_ticks = character.motion.as_ref().map_or(0, |motion| motion.in_the_way_ticks);
        let is_late = u64::from(in_the_way_ticks) > self.ticks_of(FINDS_NO_ROOM_AFTER_S);
        is_late || row.is_some_and(|row| row.passage == Passage::Trapped)
    }

    /// Two walkers that steer are stuck against each other: one of them gets the right of way.
    pub(super) fn settle_who_passes(&mut self, walker: CharacterId, by: CharacterId) {
        let (Some(one), Some(other)) = (self.characters.get(walker), self.characters.get(by)) else { return };
        if one.walk.is_none() || other.walk.is_none() || go_along(one, other) {
            return;
        }
        let at = Position { at: one.position.at.midpoint(other.position.at), ..one.position };
        let first = if yields(one, other, None) { by } else { walker };
        self.grant(first, at);
    }

    /// Gives a walker, and all that go along, the right of way at a spot, unless one holds there already.
    fn grant(&mut self, who: CharacterId, at: Position) {
        if self.rights_of_way_at(at).next().is_some() {
            return;
        }
        let Some(flow) = self.characters.get(who).map(way_ahead) else { return };
        self.rights_of_way.push(RightOfWay { at, flow, since_tick: self.tick });
    }

    /// The rights of way that hold at a position.
    fn rights_of_way_at(&self, at: Position) -> impl Iterator<Item = &RightOfWay> {
        let near = move |right: &&RightOfWay| right.at.distance(at) <= RIGHT_OF_WAY_M;
        self.rights_of_way.iter().filter(near).filter(move |right| self.ground.floors_touch(right.at, at))
    }

    /// Updates the rights of way. Without them, two crowds at a door would mingle and lock. So all walkers in one
    /// direction pass together, while those against it give way at once. A right ends when no walker is left to pass,
    /// and turns round when others have waited long enough.
    fn watch_rights_of_way(&mut self) {
        let mut rights = std::mem::take(&mut self.rights_of_way);
        let mut near = std::mem::take(&mut self.scratch.near);
        rights.retain_mut(|right| {
            near.clear();
            near.extend(self.bystanders.around(right.at.at, RIGHT_OF_WAY_M));
            near.retain(|&id| {
                let walker = self.characters.get(id);
                walker.is_some_and(|walker| self.ground.floors_touch(walker.position, right.at))
            });
            self.watch_right_of_way(right, &near)
        });
        self.rights_of_way = rights;
        self.scratch.near = near;
    }

    /// Updates a right of way with regard to those near it. Returns whether it still holds.
    fn watch_right_of_way(&mut self, right: &mut RightOfWay, near: &[CharacterId]) -> bool {
        let patience = self.ticks_of(self.settings().stuck_blocked_after_s);
        let now = self.tick.is_multiple_of(self.ticks_of(TOLD_EVERY_S));
        let walkers = || near.iter().filter_map(|&id| self.characters.get(id));
        let Some(first) = walkers().find(|walker| right.concerns(walker) > 0).map(|walker| walker.id) else {
            return false;
        };
        let is_late = self.tick > right.since_tick + patience;
        // The player goes first.
        let player = walkers().find(|c| c.player && right.concerns(c) < 0).map(way_ahead);
        let held_back = || if is_late { self.held_back(right, walkers()) } else { None };
        if let Some(flow) = player.or_else(held_back) {
            right.flow = flow;
            right.since_tick = self.tick;
            return true;
        }
        if !now {
            return true;
        }
        self.follow_last(right, walkers());
        let against: Vec<CharacterId> = walkers()
            .filter(|walker| !walker.player && right.concerns(walker) < 0)
            .filter(|walker| !self.looks_ahead(walker) || self.is_trapped(walker))
            .map(|walker| walker.id)
            .collect();
        for who in against {
            // One that has nowhere to go, as in a corridor, goes first if the other one has.
            let looks_ahead = self.characters.get(who).is_some_and(|trapped| self.looks_ahead(trapped));
            if !looks_ahead {
                self.send_to_waiting_place(who, first);
            } else if self.send_one(who, first) == Some(first) {
                right.flow = self.characters.get(who).map(way_ahead).unwrap_or_default();
                right.since_tick = self.tick;
                break;
            }
        }
        true
    }

    /// The path of one that a right of way holds back.
    fn held_back<'a>(
        &self,
        right: &RightOfWay,
        near: impl Iterator<Item = &'a Character> + Clone,
    ) -> Option<Vec<DVec2>> {
        let waiting = near.clone().filter_map(|c| c.walk.as_ref()?.give_way.as_ref());
        let held = waiting.filter(|way| way.waiting).find(|way| right.holds_back(way));
        held.map(|way| way.wanted.clone()).or_else(|| {
            let mut near = near;
            near.find(|c| self.looks_ahead(c) && right.concerns(c) < 0).map(way_ahead)
        })
    }

    /// Lets the flow be the path of the last of the walkers that look ahead and are about to pass the spot with it. Others
    /// must not get between them.
    fn follow_last<'a>(&self, right: &mut RightOfWay, near: impl Iterator<Item = &'a Character>) {
        let at = right.at;
        let off_m = |walker: &Character| walker.position.distance(at);
        let with = near.filter(|walker| self.looks_ahead(walker) && right.concerns(walker) > 0);
        let with = with.filter(|walker| off_m(walker) < FLOW_BEGINS_WITHIN_M);
        let last = with.max_by(|one, other| off_m(one).total_cmp(&off_m(other)));
        if let Some((last, walk)) = last.and_then(|last| Some((last, last.walk.as_ref()?))) {
            right.flow.clear();
            right.flow.extend(walk.corridor.line_ahead(last.position, off_m(last) + HOLDS_BACK_M));
        }
    }

    /// Sends a character off the path of another, to the nearest free place; false if there is none. Those on the way there
    /// are sent first.
    fn send_to_waiting_place(&mut self, who: CharacterId, other: CharacterId) -> bool {
        [Past::Never, Past::LastResort]
            .into_iter()
            .any(|past| self.send_behind(who, other, past, MOST_IN_A_FILE))
    }

    /// Sends one of two off the path of the other: the first one if it has somewhere to go, or the second one, also if its
    /// way is clearly shorter and they are equals. Neither tries to get past the other before both found nothing else.
    /// Returns which one went.
    fn send_one(&mut self, first: CharacterId, second: CharacterId) -> Option<CharacterId> {
        let both = [(first, second), (second, first)];
        let equals = [self.characters.get(first), self.characters.get(second)];
        let are_equals = matches!(equals, [Some(one), Some(other)] if one.rank().is_like(&other.rank()));
        let mut places = [self.waiting_place_from(first, second, Past::Never), None];
        if are_equals || places[0].is_none() {
            places[1] = self.waiting_place_from(second, first, Past::Never);
        }
        let mut tries = [0, 1];
        if let [Some(one), Some(other)] = &places
            && other.walked_m() + NEARER_M < one.walked_m()
        {
            tries = [1, 0];
        }
        for i in tries {
            let (who, other) = both[i];
            if let Some(place) = places[i].take()
                && self.send_to(who, other, place, Past::Never, MOST_IN_A_FILE)
            {
                return Some(who);
            }
        }
        let squeezes = |&(who, other): &(CharacterId, CharacterId)| {
            self.send_behind(who, other, Past::LastResort, MOST_IN_A_FILE)
        };
        both.into_iter().find(squeezes).map(|(who, _)| who)
    }

    /// Sends a character off the path of another, and so many behind it.
    fn send_behind(&mut self, who: CharacterId, other: CharacterId, past: Past<'_>, most: u32) -> bool {
        let place = self.waiting_place_from(who, other, past);
        place.is_some_and(|place| self.send_to(who, other, place, past, most))
    }

    /// Sends a standing character past the one that it holds up, where it has no other way, as in a dead end. The other one
    /// backs out first, and comes back by a way that is free then: a swap, as of de Wilde, ter Mors, Witteveen, "Push and
    /// Rotate", 2013.
    fn send_through(&mut self, who: CharacterId, other: CharacterId) -> bool {
        // Where it was blocked itself, the other one would not get on, either.
        let last = self.characters.get(who).and_then(|c| c.last_walk.as_ref());
        if matches!(last.map(|last| &last.end), Some(WalkEnd::Blocked(_))) {
            return false;
        }
        let mut back = Vec::new();
        for _ in 0..MOST_SWAPS {
            let (Some(one), Some(two)) = (self.characters.get(who), self.characters.get(other)) else {
                return false;
            };
            let (from, clear_m) = (two.position.at, one.collision_radius_m + two.collision_radius_m);
            let place = self.waiting_place_from(who, other, Past::Through(&back));
            let Some((place, to)) = place.and_then(|place| Some((place.way.last()?.at, place))) else {
                return false;
            };
            if !self.send_away(who, other, to) {
                return false;
            }
            let behind = self.waiting_place_from(other, who, Past::Never);
            back = behind.iter().flat_map(|behind| &behind.way).map(|at| at.at).collect();
            back.insert(0, from);
            let is_free =
                |_: &WaitingPlace| distance_sq_to_line(place, back.iter().copied()) >= clear_m * clear_m;
            if let Some(behind) = behind.filter(is_free)
                && self.send_to(other, who, behind, Past::Never, MOST_IN_A_FILE)
            {
                return true;
            }
            self.end_walk(who, WalkEnd::Cancelled); // a step aside: no end to report
        }
        false
    }

    fn send_to(
        &mut self,
        who: CharacterId,
        other: CharacterId,
        mut place: WaitingPlace,
        past: Past<'_>,
        most: u32,
    ) -> bool {
        if !place.in_the_way.is_empty() {
            let (Some(most), first) = (most.checked_sub(1), std::mem::take(&mut place.in_the_way)) else {
                return false;
            };
            let mut all_go = true;
            for behind in first {
                let goes = self.characters.get(behind).is_some_and(is_giving_way)
                    || self.send_behind(behind, other, past, most);
                all_go &= goes;
            }
            // Their places are taken now.
            match self.waiting_place_from(who, other, past).filter(|_| all_go) {
                Some(beside) => place = beside,
                None => return false,
            }
        }
        self.send_away(who, other, place)
    }

    fn send_away(&mut self, who: CharacterId, other: CharacterId, place: WaitingPlace) -> bool {
        let id = self.next_walk_id();
        self.wake_follower(who);
        let Some(other) = self.characters.get(other).cloned() else { return false };
        let Some(character) = self.characters.get_mut(who) else { return false };
        let (position, ahead) = (character.position, way_ahead(character));
        match &mut character.walk {
            Some(walk) if walk.purpose == Purpose::Errand => {
                // Sent on from where it waits, it still wants its original path.
                let wanted = walk.give_way.as_ref().map_or(ahead, |way| way.wanted.clone());
                if walk.planning {
                    self.queue.cancel(who);
                }
                walk.give_way(place, position, wanted, &other);
                self.replans.remove(&who);
                self.agents.making_way.push(who);
            }
            _ => {
                self.end_walk(who, WalkEnd::Cancelled); // a step aside at most: no end to report
                let to = place.way.last().copied().unwrap_or(position);
                let mut walk = Walk::new(id, Purpose::StepAside, self.ground.place_of(to));
                walk.take_path(position, Corridor::new(place.way), false);
                if let Some(character) = self.characters.get_mut(who) {
                    character.walk = Some(walk);
                }
            }
        }
        true
    }

    fn waiting_place_from(
        &mut self,
        who: CharacterId,
        other: CharacterId,
        past: Past<'_>,
    ) -> Option<WaitingPlace> {
        let (who, other) = (self.characters.get(who)?, self.characters.get(other)?);
        if who.player
            || who.steering.is_some()
            || who.footing() == Footing::Pinned
            || who.walk_speed_mps == 0.0
            || self.waiting_places_sought >= MOST_WAITING_PLACES
        {
            return None;
        }
        self.waiting_places_sought += 1;
        let settings = &self.room.crowd;
        let reach_m = waiting_place_concerns_m(settings);
        let near: Vec<CharacterId> = self.bystanders.around(who.position.at, reach_m).collect();
        let near: Vec<&Character> = near.into_iter().filter_map(|id| self.characters.get(id)).collect();
        self.idle.with(|memory| find_waiting_place(who, other, &near, &self.ground, settings, memory, past))
    }

    /// Updates yielding characters: they wait where they went to, have others make room for them, and go on in the end.
    pub(super) fn watch_yielding(&mut self) {
        self.waiting_places_sought = 0;
        self.watch_rights_of_way();
        let pace = self.pace();
        let mut polite = std::mem::take(&mut self.agents.making_way);
        polite.retain(|&who| self.characters.get(who).is_some_and(is_giving_way));
        polite.sort_unstable();
        polite.dedup();
        for &who in &polite {
            match self.yielding_of(who, &pace) {
                Yielding::GoesOn => {}
                Yielding::Held => self.make_room_for(who),
                Yielding::Over => self.go_on(who),
            }
        }
        // A character sent away just now is updated from the next tick on.
        self.agents.making_way = polite;
    }

    fn yielding_of(&mut self, who: CharacterId, pace: &Pace) -> Yielding {
        let passed = self.all_passed(who);
        let Some(character) = self.characters.get_mut(who) else { return Yielding::Over };
        let position = character.position;
        let Some(walk) = &mut character.walk else { return Yielding::Over };
        let left_m = walk.corridor.left_m(position);
        let Some(way) = &mut walk.give_way else { return Yielding::Over };
        watch_yielding(way, left_m, passed, pace)
    }

    /// Whether the character it yields to has passed, and those that come close behind.
    fn all_passed(&mut self, who: CharacterId) -> bool {
        let Some(character) = self.characters.get(who) else { return true };
        let Some(way) = character.walk.as_ref().and_then(|walk| walk.give_way.as_ref()) else { return true };
        let clear_m = |other: &Character| character.collision_radius_m + other.collision_radius_m;
        let mouth = Position { at: way.mouth, ..character.position };
        let (mut held, mut let_through) = (false, false);
        for right in self.rights_of_way_at(mouth) {
            let holds_back = right.holds_back(way);
            (held, let_through) = (held || holds_back, let_through || !holds_back);
        }
        if held || let_through {
            return !held; // if it is let through, its turn has come
        }
        let first = self.characters.get(way.to);
        let mut near = self.bystanders.around(way.mouth, ONCOMING_M);
        first.is_none_or(|other| has_passed(way.mouth, clear_m(other), other))
            && !near.any(|id| {
                let other = self.characters.get(id).filter(|other| other.id != who);
                other.is_some_and(|other| is_oncoming(way, clear_m(other), other))
            })
    }

    /// Sends away a character that blocks a yielding one, unless the blocker is one it yields to.
    fn make_room_for(&mut self, who: CharacterId) {
        let Some(character) = self.characters.get(who) else { return };
        let Some(by) = character.walk.as_ref().and_then(|walk| walk.held_up_by) else { return };
        let Some(other) = self.characters.get(by) else { return };
        let Some(way) = character.walk.as_ref().and_then(|walk| walk.give_way.as_ref()) else { return };
        // Walkers it yields to come the other way; they are not sent away.
        let of_them = !is_giving_way(other) && comes_against(way, other);
        if way.to != by && !of_them && !gives_way_to(other, who) {
            self.send_to_waiting_place(by, who);
        }
    }

    fn go_on(&mut self, who: CharacterId) {
        let yields_after = self.pace().yields_after;
        let Some(walk) = self.characters.get_mut(who).and_then(|character| character.walk.as_mut()) else {
            return;
        };
        walk.give_way = None;
        walk.corridor = Corridor::default();
        // It has patience again, but may ask for room at once.
        walk.idle_ticks = walk.idle_ticks.min(yields_after);
        self.request_replan(who, Replan::WayFree);
    }
}

fn is_giving_way(character: &Character) -> bool {
    character.walk.as_ref().is_some_and(|walk| walk.give_way.is_some())
}

fn gives_way_to(character: &Character, other: CharacterId) -> bool {
    let way = character.walk.as_ref().and_then(|walk| walk.give_way.as_ref());
    way.is_some_and(|way| way.to == other)
}
