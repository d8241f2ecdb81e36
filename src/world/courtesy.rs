//! Making way: who of two that are stuck steps aside, and when it goes on.

use super::World;
use crate::crowd::{Character, Walk};
use crate::crowd::{
    CharacterId, Courtesy, Purpose, Refuge, Replan, find_refuge, queues_behind, watch_courtesy,
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
        if queues_behind(walker, other) {
            return false;
        }
        let walker_yields = walker.rank() < other.rank();
        let (first, second) = if walker_yields { (stuck, by) } else { (by, stuck) };
        self.send_to_refuge(first, second) || self.send_to_refuge(second, first)
    }

    /// Sends somebody off the way of another, to the nearest free place; false if there is none.
    fn send_to_refuge(&mut self, who: CharacterId, other: CharacterId) -> bool {
        let Some(refuge) = self.refuge_from(who, other) else { return false };
        let id = self.next_walk_id();
        let Some(other) = self.roster.get(other).cloned() else { return false };
        let Some(character) = self.roster.get_mut(who) else { return false };
        let position = character.position;
        match &mut character.walk {
            Some(walk) if walk.purpose == Purpose::Errand => {
                if walk.planning {
                    self.queue.cancel(who);
                }
                walk.give_way(refuge, position, &other);
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
        let partner = |c: &Character| c.walk.as_ref()?.give_way.as_ref().map(|way| way.to);
        let other = self.roster.get(who).and_then(partner).and_then(|to| self.roster.get(to)).cloned();
        let Some(character) = self.roster.get_mut(who) else { return Courtesy::Over };
        let position = character.position;
        let clear_m = character.collision_radius_m + other.as_ref().map_or(0.0, |o| o.collision_radius_m);
        let Some(walk) = &mut character.walk else { return Courtesy::Over };
        let left_m = walk.left_m(position);
        let Some(way) = &mut walk.give_way else { return Courtesy::Over };
        watch_courtesy(way, left_m, clear_m, other.as_ref(), half_second, patience)
    }

    /// Somebody is in the way of one who makes way. If those two are not the ones it is all about, and the one makes way in
    /// the name of somebody who goes before the other, the other makes way, too.
    fn make_room_for(&mut self, who: CharacterId) {
        let Some(character) = self.roster.get(who) else { return };
        let Some(by) = character.walk.as_ref().and_then(|walk| walk.held_up_by) else { return };
        let Some(other) = self.roster.get(by) else { return };
        let its_own = character.walk.as_ref().and_then(|walk| walk.give_way.as_ref()).map(|way| way.to);
        if its_own != Some(by) && !gives_way_to(other, who) && other.rank() < character.rank() {
            self.send_to_refuge(by, who);
        }
    }

    fn go_on(&mut self, who: CharacterId) {
        let Some(walk) = self.roster.get_mut(who).and_then(|character| character.walk.as_mut()) else {
            return;
        };
        walk.give_way = None;
        walk.waypoints.clear();
        walk.next = 0;
        self.request_replan(who, Replan::WayFree);
    }
}

fn gives_way_to(character: &Character, other: CharacterId) -> bool {
    let way = character.walk.as_ref().and_then(|walk| walk.give_way.as_ref());
    way.is_some_and(|way| way.to == other)
}
