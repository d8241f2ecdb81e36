//! The fixed step. The order is the contract: each phase reads what the one before it left.

use super::holding::HeldOut;
use super::links::tires_in_line;
use super::queues::{Partner, Queue};
use super::{EventKind, World};
use crate::crowd::{
    Abreast, Character, CharacterId, Followed, Pace, Replan, Steering, Stuck, WalkEnd, follow,
    patience_ticks, steer_by_hand, watch_progress,
};
use crate::nav::WaypathStep;
use crate::room::Avoidance;

/// A walker that is held up by one that walks gives up after so many times its patience: before a door that people pass by
/// turns, some wait for half a minute.
const PATIENCE_WITH_WALKERS: u32 = 3;

/// So many who let each other pass in vain are alone.
const FEW: usize = 3;

/// The parts of a tick, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Walkers that need another path are found.
    Decide,
    /// Paths are searched, as far as the budget goes.
    Search,
    /// Walkers take a step along their paths, steered characters in their direction.
    Follow,
    /// Overlaps are pushed apart.
    Separate,
    /// Areas entered and left, walks held up, yielding.
    Notice,
}

impl Phase {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Decide, Self::Search, Self::Follow, Self::Separate, Self::Notice];
}

/// Buffers of the phases, kept from tick to tick to avoid allocation.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    partners: Vec<Partner>,
    queues: Vec<Queue>,
    pub(super) formed: Vec<(u32, Option<CharacterId>)>,
    /// Walkers by place, and who stands at the head of their jam.
    pub(super) in_vain: Vec<(u32, CharacterId)>,
    pub(super) crowded: Vec<CharacterId>,
    outcomes: Vec<(CharacterId, Followed)>,
    /// Walkers that wait before areas that will close, ascending.
    pub(super) held_out: Vec<HeldOut>,
    /// Waypoints on waypaths that were reached.
    steps: Vec<(CharacterId, WaypathStep)>,
    pub(super) near: Vec<CharacterId>,
    bumped: Vec<(CharacterId, CharacterId)>,
    stuck: Vec<(CharacterId, Stuck, Option<CharacterId>)>,
    steering: Steering,
    /// The places of characters that others walk beside, and of those others.
    pub(super) companions: Vec<(usize, usize)>,
    pub(super) abreast: Abreast,
    /// How far the places of companions are from their leaders.
    pub(super) place_m: Vec<(usize, f64)>,
}

impl World {
    /// One fixed step of `1 / ticks_per_second` seconds: phases 3 to 5 of the tick. Commands given since the last step,
    /// by scripts or from outside, are phases 1 and 2.
    pub fn tick(&mut self) {
        self.tick_in_phases(|_| {});
    }

    /// [`World::tick`] with a call after every phase, for measurements: a world reads no clock.
    pub fn tick_in_phases(&mut self, mut over: impl FnMut(Phase)) {
        self.close_vacated_areas();
        self.decide_replans(); // 3 which walkers need a path,
        over(Phase::Decide);
        self.serve_paths(); //      and searched within the budget
        over(Phase::Search);
        self.follow_paths(); //   4 wanted positions
        self.turn_on_the_spot();
        self.move_actors();
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
        self.notice_jams();
        self.return_to_posts();
        for (who, why) in std::mem::take(&mut self.replans) {
            self.ask_for_path(who, Some(why));
        }
    }

    fn follow_paths(&mut self) {
        let (pace, settings) = (self.pace(), self.room.crowd);
        self.form_queues();
        self.cross_links();
        self.form_lines();
        self.hold_newcomers();
        self.walk_abreast();
        let mut scratch = std::mem::take(&mut self.scratch);
        let Scratch { partners, queues, outcomes, steps, steering, held_out, .. } = &mut scratch;
        self.find_partners(partners);
        self.find_queues(queues);
        let (mut next_partner, mut next_queue) = (partners.iter().peekable(), queues.iter().peekable());
        let (steer, all_steer) = (self.agents.steer, settings.avoidance == Avoidance::Steer);
        if steer {
            self.tell_passages();
            steering.plan(self.characters.all(), &mut self.agents.rows, &self.ground, &settings, &pace);
        }
        let rows = &mut self.agents.rows;
        let lines = &self.lines;
        for (place, character) in (0..).zip(self.characters.all_mut()) {
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
            let held = Self::held_out(held_out, character.id);
            if held.is_some_and(|held| held.makes_room.is_none()) {
                continue;
            }
            let start = character.position;
            let is_solid = all_steer || rows[place as usize].looks_ahead;
            let makes_room = held.and_then(|held| held.makes_room);
            if let Some(direction) = makes_room.or(character.steering) {
                steer_by_hand(character, direction, &self.ground, &pace);
                if is_solid {
                    steering.settle(character, start, place, rows, &self.ground, &pace);
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
            let outcome = follow(character, partner, queue, intent, &self.ground, &settings, &pace);
            if is_solid {
                let wanted = character.position.at;
                steering.settle(character, start, place, rows, &self.ground, &pace);
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
        steps.drain(..).for_each(|(who, step)| self.come_to_waypoint(who, step));
        for (who, outcome) in outcomes.drain(..) {
            let walk = self.characters.get(who).and_then(|character| character.walk.as_ref());
            let (partial, planning) = walk.map_or((false, false), |walk| (walk.partial, walk.planning));
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
        self.scratch = scratch;
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
        let (requested, partner, to_use) = (walk.requested, walk.up_to, walk.to_use.take());
        let look_at = walk.look_at;
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
            Some(_) if partial => drop(self.end_walk(who, WalkEnd::Partial)),
            Some(_) => self.meet(who),
        }
    }

    /// Ends a walk up to a character, at talking distance.
    fn meet(&mut self, who: CharacterId) {
        if self.characters.get(who).is_some_and(|character| character.following.is_some()) {
            return self.stay_near(who);
        }
        let partner = self.characters.get(who).and_then(|character| character.walk.as_ref()?.up_to);
        self.end_walk(who, WalkEnd::Arrived);
        if let Some(with) = partner {
            self.emit(EventKind::Talked { who, with });
        }
    }

    fn keep_apart(&mut self) {
        let (pace, settings) = (self.pace(), self.room.crowd);
        let Self { separation, characters, agents, ground, scratch, .. } = self;
        let mut bumped = std::mem::take(&mut scratch.bumped);
        separation.separate(characters.all_mut(), &mut agents.rows, ground, &settings, &pace, &mut bumped);
        self.keep_newcomers_out();
        for (character, row) in self.characters.all_mut().iter_mut().zip(&self.agents.rows) {
            Steering::keep_motion(character, row, &pace);
        }
        if self.agents.steer {
            let mut steering = std::mem::take(&mut self.scratch.steering);
            for &(walker, other) in steering.opposed() {
                self.settle_who_passes(walker, other);
            }
            for &(stander, walker) in steering.asked() {
                let may_go = |c: &Character| !c.is_moving() && c.walk_speed_mps > 0.0;
                if self.characters.get(stander).is_some_and(may_go) && !self.is_in_its_place(walker, stander)
                {
                    self.step_aside(stander, walker);
                }
            }
            self.scratch.steering = steering;
        }
        for &(stander, walker) in &bumped {
            self.step_aside(stander, walker);
        }
        self.scratch.bumped = bumped;
    }

    fn notice(&mut self) {
        self.notice_areas();
        self.watch_yielding();
        self.settle();
        self.share_goals();
        let (pace, settings) = (self.pace(), self.room.crowd);
        let mut scratch = std::mem::take(&mut self.scratch);
        let Scratch { queues, stuck, held_out, .. } = &mut scratch;
        self.find_queues(queues);
        self.lend_ranks(queues);
        let mut next_queue = queues.iter().peekable();
        let lines = &self.lines;
        for (place, character) in (0..).zip(self.characters.all_mut()) {
            let queue = next_queue.next_if(|queue| queue.place == place);
            if character.crossing.is_some() {
                continue;
            }
            let step_m = character.speed_mps() * pace.dt_s;
            let own = character.patience.map(|patience| patience_ticks(patience, &self.room));
            let gives_up_after = own.unwrap_or(pace.gives_up_after);
            let Some(walk) = &mut character.walk else { continue };
            walk.lent_rank = walk.lent_rank.and_then(|(rank, ticks)| Some((rank, ticks.checked_sub(1)?)));
            let ahead = queue.map(|queue| queue.idle_ticks);
            if lines.hold_m(character.id).is_some() {
                if tires_in_line(walk, step_m) && gives_up_after != u32::MAX {
                    stuck.push((character.id, Stuck::GiveUp, walk.held_up_by.or(walk.hindered_by)));
                }
                continue;
            }
            let row = &self.agents.rows[place as usize];
            let moved_m = row.looks_ahead.then(|| row.position.at.distance(row.from));
            // One that lets a flow pass, waits before an area that closes, or keeps up with its companion is not stuck.
            let waits =
                row.passage.lets_pass() || row.keeps_up || Self::held_out(held_out, character.id).is_some();
            let ahead = if waits { Some(0) } else { ahead };
            walk.stands_ahead = walk.stands_ahead.filter(|_| !waits);
            // Others that walk may yet get on, as at a door that people pass by turns.
            let rows = &self.agents.rows;
            let is_walker =
                |id| rows.binary_search_by_key(&id, |row| row.id).is_ok_and(|place| rows[place].has_errand);
            let is_held_by_walker = walk.stands_ahead.is_none()
                && walk.idle_ticks.saturating_add(1) >= gives_up_after
                && walk.held_up_by.is_some_and(is_walker);
            let patience = if is_held_by_walker { PATIENCE_WITH_WALKERS } else { 1 };
            let gives_up_after = gives_up_after.saturating_mul(patience);
            // Nobody lets the player wait.
            let yields_after = if character.traits.player { pace.replans_after } else { pace.yields_after };
            let pace = Pace { gives_up_after, yields_after, ..pace };
            match watch_progress(walk, character.position, step_m, moved_m, ahead, &settings, &pace) {
                Stuck::No => {}
                verdict => {
                    let head = walk.stands_ahead.filter(|_| verdict == Stuck::GiveUp).map(|ahead| ahead.who);
                    let by = head.or(walk.held_up_by).or(walk.hindered_by).or(walk.up_to);
                    stuck.push((character.id, verdict, by));
                }
            }
        }
        for &place in &self.agents.speaking {
            let speech = &mut self.characters.all_mut()[place as usize].speech;
            if speech.as_ref().is_some_and(|speech| speech.until_tick <= self.tick) {
                *speech = None;
            }
        }
        for (who, verdict, by) in stuck.drain(..) {
            if verdict == Stuck::GiveUpIfAlone && self.is_among_more_than(FEW, who) {
                self.forgive(who);
                continue;
            }
            if matches!(verdict, Stuck::Rearrange | Stuck::GiveUp | Stuck::GiveUpIfAlone) {
                let waits =
                    self.is_rearranged(who) || by.is_some() && self.rearrange_around(who) != Some(false);
                if waits || verdict == Stuck::Rearrange {
                    continue;
                }
                let by = by.map(|id| self.name_of(id).to_owned());
                let door = || self.characters.get(who)?.walk.as_ref()?.closed_on_the_way.clone();
                let by = by.or_else(door);
                self.end_walk(who, WalkEnd::Blocked(by));
                continue;
            }
            let by = by.filter(|_| verdict == Stuck::GiveWay);
            if !by.is_some_and(|by| self.make_way(who, by)) {
                self.request_replan(who, Replan::Stuck);
            }
        }
        self.scratch = scratch;
    }
}
