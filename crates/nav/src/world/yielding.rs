//! Yielding: which of two stuck characters steps aside, and when it continues.

use super::World;
use crate::crowd::{
    Character, CharacterId, Footing, ONCOMING_M, Pace, Past, Purpose, Replan, WaitingPlace, Walk, WalkEnd,
    Yielding, comes_against, distance_sq_to_line, find_waiting_place, go_along, has_passed, is_oncoming,
    waiting_place_concerns_m, watch_yielding, way_ahead, yields,
};
use crate::nav::{Corridor, Position};
use crate::room::CrowdSettings;
use glam::DVec2;

/// Upper limit on the waiting place searches in one tick; later requests come again a moment later. A crowd that is
/// stuck as a whole must not cost more than one that walks.
const MOST_WAITING_PLACES: u32 = 16;

/// Of two equals, the one of higher rank goes if that saves so much of walking, in metres.
const NEARER_M: f64 = 1.0;

/// So many are sent away one behind the other.
const MOST_IN_A_FILE: u32 = 8;

/// A way out of the way is so many times as long as the room's `giveWayReach` where there is no shorter one. This costs
/// little: where all ground within reach is on the path of the other one, there is little ground.
const FARTHER: f64 = 5.0;

/// So many pairs of places are tried for two that swap.
const MOST_SWAPS: u32 = 5;

impl World {
    /// Makes one of two stuck characters give way: the one of lower rank, or the other if the first has nowhere to go.
    /// If `by` has no errand, or waits, or stands in line for another link while it is the stuck one's turn, it gives way in
    /// any case. Of two that go the same way, the stuck one steps back if neither got on for long. The player is never sent
    /// away, nor is a steered character. Returns whether one went.
    pub(super) fn make_way(&mut self, stuck: CharacterId, by: CharacterId) -> bool {
        let (Some(walker), Some(other)) = (self.characters.get(stuck), self.characters.get(by)) else {
            return false;
        };
        if !other.is_active() || gives_way_to(other, stuck) {
            return false;
        }
        // One that steps aside does not get away by itself, nor one that waits in line at the entry of another link.
        let is_passed = self.crossings.lines.passes(stuck, by) && !is_giving_way(other);
        if other.is_standing() || other.errand().is_none() || is_passed {
            return self.send_behind(by, stuck, Past::Never, MOST_IN_A_FILE)
                || self.send_through(by, stuck)
                || self.send_behind(by, stuck, Past::LastResort, MOST_IN_A_FILE);
        }
        if is_giving_way(other) {
            return true; // it is on its way out of the way already
        }
        if go_along(walker, other) {
            let arch_stands = self.pace().arch_stands;
            let stands =
                |c: &Character| c.walk.as_ref().is_some_and(|walk| walk.progress.idle_ticks >= arch_stands);
            return stands(walker) && stands(other) && self.send_to_waiting_place(stuck, by);
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

    /// Sends a character off the path of another, to the nearest free place; false if there is none. Those on the way there
    /// are sent first.
    pub(super) fn send_to_waiting_place(&mut self, who: CharacterId, other: CharacterId) -> bool {
        [Past::Never, Past::LastResort]
            .into_iter()
            .any(|past| self.send_behind(who, other, past, MOST_IN_A_FILE))
    }

    /// Sends one of two off the path of the other: the first one if it has somewhere to go, or the second one, also if its
    /// way is clearly shorter and they are equals. Neither tries to get past the other before both found nothing else.
    /// Returns which one went.
    pub(super) fn send_one(&mut self, first: CharacterId, second: CharacterId) -> Option<CharacterId> {
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
        // One that waits comes back by itself. Where one was blocked, the other one would not get on, either.
        let was_blocked =
            |c: &Character| matches!(&c.last_walk, Some(last) if matches!(last.end, WalkEnd::Blocked(_)));
        if self.characters.get(who).is_none_or(|c| c.errand().is_some() || was_blocked(c)) {
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
            let here = self.characters.get(who).map(|character| character.position.at);
            let way: Vec<DVec2> = here.into_iter().chain(place.way.iter().map(|at| at.at)).collect();
            let of_others = if place.pushes { Past::Pushed(&way) } else { past };
            for behind in first {
                let goes = self.characters.get(behind).is_some_and(is_giving_way)
                    || self.send_behind(behind, other, of_others, most);
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
                if walk.path_request.is_some() {
                    self.planning.queue.cancel(who);
                }
                walk.give_way(place, position, wanted, &other);
                self.planning.replans.remove(&who);
                self.near.agents.making_way.push(who);
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
        let ground = self.ground.of(who.class);
        if who.player
            || who.steering.is_some()
            || self.is_rearranged(who.id)
            || who.footing() == Footing::Pinned
            || who.walk_speed_mps == 0.0
            || self.yields.waiting_places_sought >= MOST_WAITING_PLACES
        {
            return None;
        }
        self.yields.waiting_places_sought += 1;
        // Where nobody is far from the other's path, as in a long lane, the way out may be long.
        let is_off = matches!(past, Past::Never | Past::Pushed(_));
        let reaches: &[f64] = if is_off { &[1.0, FARTHER] } else { &[1.0] };
        reaches.iter().find_map(|times| {
            let reach_m = times * self.room.crowd.give_way_reach_m;
            let settings = CrowdSettings { give_way_reach_m: reach_m, ..self.room.crowd };
            let near = self.near.bystanders.around(who.position.at, waiting_place_concerns_m(&settings));
            let near: Vec<CharacterId> = near.collect();
            let near: Vec<&Character> = near.into_iter().filter_map(|id| self.characters.get(id)).collect();
            self.idle
                .searches
                .with(|memory| find_waiting_place(who, other, &near, ground, &settings, memory, past))
        })
    }

    /// Updates yielding characters: they wait where they went to, have others make room for them, and go on in the end.
    pub(super) fn watch_yielding(&mut self) {
        self.yields.waiting_places_sought = 0;
        self.watch_rights_of_way();
        self.watch_rearrangements();
        let pace = self.pace();
        let mut polite = std::mem::take(&mut self.near.agents.making_way);
        let waits = |who| self.characters.get(who).is_some_and(is_giving_way) && !self.is_rearranged(who);
        polite.retain(|&who| waits(who));
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
        self.near.agents.making_way = polite;
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
        let mut near = self.near.bystanders.around(way.mouth, ONCOMING_M);
        first.is_none_or(|other| has_passed(way.mouth, clear_m(other), other))
            && !near.any(|id| {
                let other = self.characters.get(id).filter(|other| other.id != who);
                other.is_some_and(|other| is_oncoming(way, clear_m(other), other))
            })
    }

    /// Sends away a character that blocks a yielding one, unless the blocker is one it yields to.
    fn make_room_for(&mut self, who: CharacterId) {
        let Some(character) = self.characters.get(who) else { return };
        let Some(by) = character.walk.as_ref().and_then(|walk| walk.held_up.by) else { return };
        let Some(other) = self.characters.get(by) else { return };
        let Some(way) = character.walk.as_ref().and_then(|walk| walk.give_way.as_ref()) else { return };
        // Walkers it yields to come the other way; they are not sent away.
        let of_them = !is_giving_way(other) && comes_against(way, other);
        if way.to != by && !of_them && !gives_way_to(other, who) {
            self.send_to_waiting_place(by, who);
        }
    }

    /// What letting others pass took is forgotten.
    pub(super) fn forgive(&mut self, who: CharacterId) {
        if let Some(walk) = self.characters.get_mut(who).and_then(|character| character.walk.as_mut()) {
            walk.progress.forgiven = None;
        }
    }

    /// A character that yields goes on to its own goal.
    pub(super) fn go_on(&mut self, who: CharacterId) {
        let yields_after = self.pace().yields_after;
        let Some(walk) = self.characters.get_mut(who).and_then(|character| character.walk.as_mut()) else {
            return;
        };
        let way = walk.give_way.take();
        walk.corridor = Corridor::default();
        // It has patience again, but may ask for room at once.
        let forgiven = walk.progress.idle_ticks.saturating_sub(yields_after);
        walk.progress.idle_ticks -= forgiven;
        walk.progress.forgiven = way.map(|way| {
            let before = walk.progress.forgiven.filter(|(to, _)| *to == way.to).map_or(0, |(_, ticks)| ticks);
            (way.to, before.saturating_add(forgiven))
        });
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
