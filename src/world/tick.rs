//! The fixed step. The order is the contract: each phase reads what the one before it left.

use super::EventKind;
use super::World;
use crate::crowd::{
    Character, CharacterId, Followed, Purpose, Replan, Stuck, WalkEnd, follow, overtakes, queues_behind,
    rank_to_lend, separate, watch_progress,
};
use glam::DVec2;
use std::collections::BTreeMap;

/// The parts of a tick, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Who needs another path.
    Decide,
    /// Paths are looked for, as far as the budget goes.
    Search,
    /// Everybody takes a step along their path.
    Follow,
    /// Overlaps are pushed apart.
    Separate,
    /// Areas entered and left, walks held up, ways given.
    Notice,
}

impl Phase {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Decide, Self::Search, Self::Follow, Self::Separate, Self::Notice];
}

/// Somebody ahead in a queue.
#[derive(Debug, Clone, Copy)]
struct Queue {
    who: CharacterId,
    ahead: DVec2,
    /// How near one may come.
    least_m: f64,
    /// How long they have been held up.
    idle_ticks: u32,
}

impl World {
    /// One fixed step of `1 / ticks_per_second` seconds: phases 3 to 5 of the tick. Commands given since the last step, by
    /// scripts or from outside, are phases 1 and 2.
    pub fn tick(&mut self) {
        self.tick_in_phases(|_| {});
    }

    /// [`World::tick`] that tells whenever a phase is over, for those who measure: a world reads no clock.
    pub fn tick_in_phases(&mut self, mut over: impl FnMut(Phase)) {
        self.close_vacated_areas();
        self.decide_replans(); // 3 who needs a path,
        over(Phase::Decide);
        self.serve_paths(); //      and what the search budget allows
        over(Phase::Search);
        self.follow_paths(); //   4 wanted positions
        self.turn_on_the_spot();
        over(Phase::Follow);
        self.keep_apart(); //       overlaps, stepping aside
        over(Phase::Separate);
        self.notice(); //         5 areas entered and left, walks held up
        self.tick += 1;
        over(Phase::Notice);
    }

    fn decide_replans(&mut self) {
        self.keep_up();
        self.chase();
        self.notice_crowding();
        for (who, why) in std::mem::take(&mut self.replans) {
            self.ask_for_path(who, Some(why));
        }
    }

    fn follow_paths(&mut self) {
        let (dt_s, settings) = (self.dt_s(), self.room.crowd);
        self.form_queues();
        let (partners, queues) = (self.partners(), self.queues());
        // When the head of a queue is stuck, those behind squeeze past as well as they can.
        let patience = self.ticks_of(settings.stuck_replan_after_s) as u32;
        let mut outcomes: Vec<(CharacterId, Followed)> = Vec::new();
        for character in self.roster.all_mut().iter_mut().filter(|c| !c.is_standing()) {
            let partner = partners.get(&character.id).copied();
            let queue = queues.get(&character.id).filter(|queue| queue.idle_ticks < patience);
            let queue = queue.map(|queue| (queue.ahead, queue.least_m));
            outcomes.push((character.id, follow(character, partner, queue, &self.ground, &settings, dt_s)));
        }
        for (who, outcome) in outcomes {
            let walk = self.roster.get(who).and_then(|character| character.walk.as_ref());
            let (partial, planning) = walk.map_or((false, false), |walk| (walk.partial, walk.planning));
            match outcome {
                Followed::Stood | Followed::Walked => {}
                Followed::InReach => self.meet(who),
                Followed::AtEnd if planning => {} // a better end is being looked for
                Followed::AtEnd => self.end_of_path(who, partial),
                Followed::LostTheWay if planning => {}
                Followed::LostTheWay => self.request_replan(who, Replan::LostTheWay),
            }
        }
    }

    /// Where those stand whom somebody walks up to, and how near one comes, by walker: talking distance or the distance
    /// they follow at, or touching for the stout.
    fn partners(&self) -> BTreeMap<CharacterId, (DVec2, f64)> {
        let talk_m = self.settings().talk_distance_m;
        let walks = self.characters().iter().filter_map(|c| Some((c, c.walk.as_ref()?)));
        let up_to = walks.filter(|(_, walk)| walk.give_way.is_none());
        up_to
            .filter_map(|(c, walk)| {
                let other = self.roster.get(walk.up_to?)?;
                let talks_m = || talk_m.max(c.touching_m(other));
                let near_m = c.following.map_or_else(talks_m, |following| following.near_m(c, other));
                Some((c.id, (other.position, near_m)))
            })
            .collect()
    }

    /// Decides who queues behind whom. Comparing ways costs something, so each looks again only every few ticks, or when
    /// somebody else holds it up.
    fn form_queues(&mut self) {
        const EVERY_TICKS: u64 = 6;
        let mut formed = Vec::new();
        for character in self.characters() {
            let Some(walk) = &character.walk else { continue };
            let due = (self.tick + u64::from(character.id.0)).is_multiple_of(EVERY_TICKS);
            if walk.held_up_by == walk.queues_behind && !due {
                continue;
            }
            let on_errand =
                |other: &&Character| other.walk.as_ref().is_some_and(|walk| walk.purpose == Purpose::Errand);
            let ahead = walk.held_up_by.and_then(|by| self.roster.get(by)).filter(on_errand);
            let waits_for = |ahead: &&Character| {
                ahead.makes_way_for(character.id)
                    || !overtakes(character, ahead) && queues_behind(character, ahead)
            };
            let queues = ahead.filter(waits_for).map(|ahead| ahead.id);
            if queues != walk.queues_behind {
                formed.push((character.id, queues));
            }
        }
        for (who, queues) in formed {
            if let Some(walk) = self.roster.get_mut(who).and_then(|character| character.walk.as_mut()) {
                walk.queues_behind = queues;
            }
        }
    }

    /// Those who queue, with the ones ahead of them.
    fn queues(&self) -> BTreeMap<CharacterId, Queue> {
        let queues = self.characters().iter().filter_map(|c| Some((c, c.walk.as_ref()?.queues_behind?)));
        queues
            .filter_map(|(c, who)| {
                let other = self.roster.get(who)?;
                // Who is getting out of the way is no reason to get impatient.
                let walk = other.walk.as_ref().filter(|walk| walk.give_way.is_none());
                let idle_ticks = walk.map_or(0, |walk| walk.idle_ticks);
                let least_m = c.collision_radius_m + other.collision_radius_m;
                Some((c.id, Queue { who, ahead: other.position, least_m, idle_ticks }))
            })
            .collect()
    }

    fn lend_ranks(&mut self, queues: &BTreeMap<CharacterId, Queue>) {
        for (&behind, queue) in queues {
            let Some(lent) = self.roster.get(behind).map(rank_to_lend) else { continue };
            if let Some(walk) = self.roster.get_mut(queue.who).and_then(|ahead| ahead.walk.as_mut()) {
                walk.lent_rank = walk.lent_rank.max(Some(lent));
            }
        }
    }

    fn end_of_path(&mut self, who: CharacterId, partial: bool) {
        let reach_m = self.settings().target_replan_threshold_m;
        let Some(character) = self.roster.get_mut(who) else { return };
        let Some(walk) = &mut character.walk else { return };
        if let Some(way) = &mut walk.give_way {
            way.waiting = true;
            way.ticks = 0;
            return;
        }
        let (requested, partner, to_use) = (walk.requested, walk.up_to, walk.to_use.take());
        match partner.and_then(|id| self.roster.get(id)) {
            None if partial => drop(self.end_walk(who, WalkEnd::Partial)),
            None => {
                self.end_walk(who, WalkEnd::Arrived);
                to_use.into_iter().for_each(|object| self.emit(EventKind::Used { who, object }));
            }
            // They went on; the chase goes on with the next plan.
            Some(other) if other.position.distance(requested) > reach_m => {}
            Some(_) if partial => drop(self.end_walk(who, WalkEnd::Partial)),
            Some(_) => self.meet(who),
        }
    }

    /// Ends a walk to somebody at talking distance.
    fn meet(&mut self, who: CharacterId) {
        if self.roster.get(who).is_some_and(|character| character.following.is_some()) {
            return self.stay_near(who);
        }
        let partner = self.roster.get(who).and_then(|character| character.walk.as_ref()?.up_to);
        self.end_walk(who, WalkEnd::Arrived);
        if let Some(with) = partner {
            self.emit(EventKind::Talked { who, with });
        }
    }

    fn keep_apart(&mut self) {
        let settings = self.room.crowd;
        let bumped = separate(self.roster.all_mut(), &self.ground, &settings, &mut self.neighbours);
        for (stander, walker) in bumped {
            self.step_aside(stander, walker);
        }
    }

    fn notice(&mut self) {
        self.notice_areas();
        self.watch_courtesies();
        self.settle();
        let (settings, rate, dt_s) = (self.room.crowd, self.room.ticks_per_second, self.dt_s());
        let queues = self.queues();
        self.lend_ranks(&queues);
        let mut stuck = Vec::new();
        for character in self.roster.all_mut() {
            if let Some(walk) = &mut character.walk {
                walk.lent_rank = walk.lent_rank.and_then(|(rank, ticks)| Some((rank, ticks.checked_sub(1)?)));
                let step_m = character.walk_speed_mps * dt_s;
                let ahead = queues.get(&character.id).map(|queue| queue.idle_ticks);
                match watch_progress(walk, character.position, step_m, ahead, &settings, rate) {
                    Stuck::No => {}
                    verdict => stuck.push((
                        character.id,
                        verdict,
                        walk.held_up_by.or(walk.hindered_by).or(walk.up_to),
                    )),
                }
            }
            if character.speech.as_ref().is_some_and(|speech| speech.until_tick <= self.tick) {
                character.speech = None;
            }
        }
        for (who, verdict, by) in stuck {
            if verdict == Stuck::GiveUp {
                let by = by.map(|id| self.name_of(id).to_owned());
                self.end_walk(who, WalkEnd::Blocked(by));
                continue;
            }
            let by = by.filter(|_| verdict == Stuck::GiveWay);
            if !by.is_some_and(|by| self.make_way(who, by)) {
                self.request_replan(who, Replan::Stuck);
            }
        }
    }
}
