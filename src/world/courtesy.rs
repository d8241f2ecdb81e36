//! Making way: who of two that are stuck steps aside, and when it goes on.

use super::World;
use crate::crowd::{
    COMPANY_M, Character, CharacterId, Courtesy, ONCOMING_M, Purpose, Refuge, Replan, Walk, find_refuge,
    go_along, has_passed, is_of_the_party, is_oncoming, watch_courtesy,
};

impl World {
    /// Two are stuck: the one of lower rank makes way, or the other if the first has nowhere to go; whoever stands or waits
    /// does it in any case. The player is never sent away. True if somebody went.
    pub(super) fn make_way(&mut self, stuck: CharacterId, by: CharacterId) -> bool {
        let (Some(walker), Some(other)) = (self.roster.get(stuck), self.roster.get(by)) else { return false };
        if !other.is_active() || gives_way_to(other, stuck) {
            return false;
        }
        if other.is_standing() {
            return self.send_to_refuge(by, stuck);
        }
        if is_giving_way(other) {
            return true; // it is on its way out of the way already
        }
        if go_along(walker, other) {
            return false;
        }
        let walker_yields = walker.rank() < other.rank();
        let (first, second) = if walker_yields { (stuck, by) } else { (by, stuck) };
        for (who, other) in [(first, second), (second, first)] {
            if self.send_to_refuge(who, other) {
                self.hold_party(who, other);
                return true;
            }
        }
        false
    }

    /// Those who come along with one who makes way do the same at once; each for itself would stand in the way of the next who
    /// comes the other way.
    fn hold_party(&mut self, who: CharacterId, other: CharacterId) {
        let Some(character) = self.roster.get(who) else { return };
        let Some(way) = character.walk.as_ref().and_then(|walk| walk.give_way.clone()) else { return };
        let near: Vec<CharacterId> = self.bystanders.around(way.mouth, COMPANY_M).collect();
        for id in near.into_iter().filter(|&id| id != who && id != other) {
            let party = |c: &&Character| !c.player && is_of_the_party(way.mouth, way.wanted, c);
            if self.roster.get(id).filter(party).is_some() {
                self.send_to_refuge(id, other);
            }
        }
    }

    /// Sends somebody off the way of another, to the nearest free place; false if there is none.
    fn send_to_refuge(&mut self, who: CharacterId, other: CharacterId) -> bool {
        let Some(refuge) = self.refuge_from(who, other) else {
            eprintln!(
                "{:.1} {} has no refuge from {}",
                self.time_s(),
                self.name_of(who),
                self.name_of(other)
            );
            return false;
        };
        eprintln!(
            "{:.1} {} gives way to {} at {:?}",
            self.time_s(),
            self.name_of(who),
            self.name_of(other),
            refuge.way.last()
        );
        let id = self.next_walk_id();
        let Some(other) = self.roster.get(other).cloned() else { return false };
        let Some(character) = self.roster.get_mut(who) else { return false };
        let (position, going) = (character.position, character.going());
        match &mut character.walk {
            Some(walk) if walk.purpose == Purpose::Errand => {
                // Sent on from where it waits, it still wants to go where it wanted to.
                let wanted = walk.give_way.as_ref().map(|way| way.wanted).or(going).unwrap_or_default();
                if walk.planning {
                    self.queue.cancel(who);
                }
                walk.give_way(refuge, position, wanted, &other);
                self.replans.remove(&who);
            }
            _ => {
                let to = refuge.way.last().copied().unwrap_or(position);
                let mut walk = Walk::new(id, Purpose::StepAside, to);
                walk.take_path(position, refuge.way, false);
                character.walk = Some(walk);
            }
        }
        true
    }

    fn refuge_from(&mut self, who: CharacterId, other: CharacterId) -> Option<Refuge> {
        let mut memory = self.idle.take();
        let (who, other) = (self.roster.get(who)?, self.roster.get(other)?);
        let characters = self.roster.all();
        let refuge = (!who.player)
            .then(|| find_refuge(who, other, characters, &self.ground, &self.room.crowd, &mut memory))
            .flatten();
        self.idle.put(memory);
        refuge
    }

    /// Looks after those who make way: they wait where they went to, have others make room for them, and go on in the end.
    pub(super) fn watch_courtesies(&mut self) {
        let half_second = self.ticks_of(0.5) as u32;
        let patience = self.ticks_of(self.settings().stuck_blocked_after_s) as u32;
        let polite: Vec<CharacterId> = self
            .characters()
            .iter()
            .filter(|c| c.walk.as_ref().is_some_and(|walk| walk.give_way.is_some()))
            .map(|c| c.id)
            .collect();
        for who in polite {
            match self.courtesy_of(who, half_second, patience) {
                Courtesy::GoesOn => {}
                Courtesy::Held => self.make_room_for(who),
                Courtesy::Over => self.go_on(who),
            }
        }
    }

    fn courtesy_of(&mut self, who: CharacterId, half_second: u32, patience: u32) -> Courtesy {
        let passed = self.all_passed(who);
        let Some(character) = self.roster.get_mut(who) else { return Courtesy::Over };
        let position = character.position;
        let Some(walk) = &mut character.walk else { return Courtesy::Over };
        let left_m = walk.left_m(position);
        let Some(way) = &mut walk.give_way else { return Courtesy::Over };
        watch_courtesy(way, left_m, passed, half_second, patience)
    }

    /// Whether the one that somebody makes way for has passed, and whoever comes close behind.
    fn all_passed(&mut self, who: CharacterId) -> bool {
        let Some(character) = self.roster.get(who) else { return true };
        let Some(way) = character.walk.as_ref().and_then(|walk| walk.give_way.as_ref()) else { return true };
        let clear_m = |other: &Character| character.collision_radius_m + other.collision_radius_m;
        let first = self.roster.get(way.to);
        let mut near = self.bystanders.around(way.mouth, ONCOMING_M);
        first.is_none_or(|other| has_passed(way.mouth, clear_m(other), other))
            && !near.any(|id| {
                let other = self.roster.get(id).filter(|other| other.id != who);
                other.is_some_and(|other| is_oncoming(way, clear_m(other), other))
            })
    }

    /// Somebody is in the way of one who makes way. If those two are not the ones it is all about, and the one makes way in
    /// the name of somebody who goes before the other, the other makes way, too.
    fn make_room_for(&mut self, who: CharacterId) {
        let Some(character) = self.roster.get(who) else { return };
        let Some(by) = character.walk.as_ref().and_then(|walk| walk.held_up_by) else { return };
        let Some(other) = self.roster.get(by) else { return };
        let Some(way) = character.walk.as_ref().and_then(|walk| walk.give_way.as_ref()) else { return };
        // Those it is all about come the other way; nobody sends them away.
        let of_them = !is_giving_way(other) && other.going().is_some_and(|going| going.dot(way.wanted) < 0.0);
        if way.to != by && !of_them && !gives_way_to(other, who) && other.rank() <= character.rank() {
            self.send_to_refuge(by, who);
        }
    }

    fn go_on(&mut self, who: CharacterId) {
        eprintln!("{:.1} {} goes on", self.time_s(), self.name_of(who));
        let Some(walk) = self.roster.get_mut(who).and_then(|character| character.walk.as_mut()) else {
            return;
        };
        walk.give_way = None;
        let t = 1;
        walk.waypoints.clear();
        walk.next = 0;
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
