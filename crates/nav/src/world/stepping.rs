//! The steps of walkers: along their paths, or as steered; and what is at the ends of paths.

use super::holding::held_out_of;
use super::queues::{find_partners, find_queues};
use super::tick::Scratch;
use super::{Crossings, EventKind, Near, World};
use crate::crowd::{Character, CharacterId, Followed, Replan, WalkEnd, follow, steer_by_hand};
use crate::room::Avoidance;

impl World {
    /// Decides in which direction and how fast each walker wants to move, if any steers round others.
    pub(super) fn plan_steering(&mut self) {
        if !self.near.agents.steer {
            return;
        }
        self.tell_passages();
        let (pace, settings) = (self.pace(), self.room.crowd);
        let (steering, rows) = (&mut self.scratch.steering, &mut self.near.agents.rows);
        steering.plan(self.characters.all(), rows, &self.ground, &settings, &pace);
    }

    /// Every walker takes its step.
    pub(super) fn take_steps(&mut self) {
        let (pace, settings) = (self.pace(), self.room.crowd);
        let Self {
            characters,
            near: Near { agents, .. },
            ground,
            crossings: Crossings { lines, .. },
            followers,
            scratch,
            ..
        } = self;
        let Scratch { partners, queues, outcomes, steps, steering, held_out, .. } = scratch;
        find_partners(characters, followers, settings.talk_distance_m, partners);
        find_queues(characters, agents, &pace, queues);
        let (mut next_partner, mut next_queue) = (partners.iter().peekable(), queues.iter().peekable());
        let (steer, all_steer) = (agents.steer, settings.avoidance == Avoidance::Steer);
        let rows = &mut agents.rows;
        for (place, character) in (0..).zip(characters.all_mut()) {
            let partner = next_partner.next_if(|partner| partner.place == place);
            let queue = next_queue.next_if(|queue| queue.place == place);
            if character.is_standing() || character.crossing.is_some() {
                continue;
            }
            if let Some(hold_m) = lines.hold_m(character.id)
                && let Some(walk) = &character.walk
                && walk.corridor.leg_left_m(character.position) <= hold_m
            {
                continue;
            }
            let held = held_out_of(held_out, character.id);
            if held.is_some_and(|held| held.makes_room.is_none()) {
                continue;
            }
            let start = character.position;
            let ground = ground.of(character.class);
            let is_solid = all_steer || rows[place as usize].looks_ahead;
            let makes_room = held.and_then(|held| held.makes_room);
            if let Some(direction) = makes_room.or(character.steering) {
                steer_by_hand(character, direction, ground, &pace);
                if is_solid {
                    steering.settle(character, start, place, rows, ground, &pace);
                }
                rows[place as usize].position = character.position;
                continue;
            }
            let partner = partner.filter(|_| !rows[place as usize].walks_beside);
            let partner = partner.map(|partner| (partner.at, partner.near_m));
            // When the head of a queue is stuck, the characters behind squeeze past as well as they can.
            let queue = queue.filter(|queue| queue.idle_ticks < pace.replans_after);
            let queue = queue.map(|queue| (queue.ahead, queue.least_m));
            let intent = steering.intent(place).filter(|_| steer);
            let outcome = follow(character, partner, queue, intent, ground, &settings, &pace);
            if is_solid {
                let wanted = character.position.at;
                steering.settle(character, start, place, rows, ground, &pace);
                rows[place as usize].stepped_to = wanted;
            }
            rows[place as usize].position = character.position;
            while let Some(step) = character.walk.as_mut().and_then(|walk| walk.corridor.take_step()) {
                steps.push((character.id, step));
            }
            if outcome != Followed::Walked {
                outcomes.push((character.id, outcome));
            }
        }
    }

    /// Walkers on waypaths have come to waypoints.
    pub(super) fn reach_waypoints(&mut self) {
        for index in 0..self.scratch.steps.len() {
            let (who, step) = self.scratch.steps[index];
            self.come_to_waypoint(who, step);
        }
        self.scratch.steps.clear();
    }

    /// Walkers have come to the ends of their paths, or lost them.
    pub(super) fn reach_ends(&mut self) {
        for index in 0..self.scratch.outcomes.len() {
            let (who, outcome) = self.scratch.outcomes[index];
            let walk = self.characters.get(who).and_then(|character| character.walk.as_ref());
            let (partial, planning) =
                walk.map_or((false, false), |walk| (walk.partial, walk.path_request.is_some()));
            let link = walk.filter(|walk| walk.give_way.is_none()).and_then(|walk| walk.corridor.next_link());
            match (outcome, link) {
                (Followed::AtEnd, Some(way)) => self.reach_link(who, way),
                (Followed::Stood | Followed::Walked, _) => {}
                (Followed::InReach, _) => self.meet(who),
                (Followed::AtEnd, None) if planning => {} // a better end is being looked for
                (Followed::AtEnd, None) => self.end_of_path(who, partial),
                (Followed::LostTheWay, _) if self.lead_back(who) => {}
                (Followed::LostTheWay, _) => self.request_replan(who, Replan::LostTheWay),
            }
        }
        self.scratch.outcomes.clear();
    }

    fn end_of_path(&mut self, who: CharacterId, partial: bool) {
        let reach_m = self.settings().target_replan_threshold_m;
        let Some(character) = self.characters.get_mut(who) else { return };
        let Some(walk) = &mut character.walk else { return };
        if let Some(way) = &mut walk.give_way {
            way.waiting = true;
            way.ticks = 0;
            return;
        }
        let (requested, partner, to_use) = (walk.goal.place, walk.goal.up_to, walk.goal.to_use.take());
        let look_at = walk.goal.look_at;
        match partner.and_then(|id| self.characters.get(id)) {
            None if partial => drop(self.end_walk(who, WalkEnd::Partial)),
            None => {
                self.end_at_waypoint(who);
                self.end_walk(who, WalkEnd::Arrived);
                to_use.into_iter().for_each(|object| self.emit(EventKind::Used { who, object }));
                look_at.into_iter().for_each(|at| drop(self.turn(who, at)));
            }
            // The other one moved on; the chase continues with the next plan.
            Some(other)
                if other.position.distance(requested) > reach_m
                    || !self.ground.floors_touch(other.position, requested) => {}
            Some(other) if partial || self.is_out_of_reach(who, other) => {
                self.end_walk(who, WalkEnd::Partial);
            }
            Some(_) => self.meet(who),
        }
    }

    /// Whether one cannot come up to another one, which stands where it does not fit or may not enter.
    fn is_out_of_reach(&self, who: CharacterId, other: &Character) -> bool {
        let Some(character) = self.characters.get(who) else { return false };
        let reach_m = self.settings().talk_distance_m + character.touching_m(other);
        !self.ground_of(character).is_walkable(other.position)
            && character.position.distance(other.position) > reach_m
    }

    /// Ends a walk up to a character, at talking distance.
    fn meet(&mut self, who: CharacterId) {
        if self.characters.get(who).is_some_and(|character| character.following.is_some()) {
            return self.stay_near(who);
        }
        let partner = self.characters.get(who).and_then(|character| character.walk.as_ref()?.goal.up_to);
        self.end_walk(who, WalkEnd::Arrived);
        if let Some(with) = partner {
            self.emit(EventKind::Talked { who, with });
        }
    }
}
