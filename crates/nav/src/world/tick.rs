//! The fixed step. The order is the contract: each phase reads what the one before it left.

use super::World;
use super::holding::HeldOut;
use super::queues::{Partner, Queue};
use crate::crowd::{Abreast, Character, CharacterId, Followed, Steering, Stuck};
use crate::nav::WaypathStep;

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
    pub(super) partners: Vec<Partner>,
    pub(super) queues: Vec<Queue>,
    pub(super) formed: Vec<(u32, Option<CharacterId>)>,
    /// Walkers by place, and who stands at the head of their jam.
    pub(super) in_vain: Vec<(u32, CharacterId)>,
    pub(super) crowded: Vec<CharacterId>,
    pub(super) outcomes: Vec<(CharacterId, Followed)>,
    /// Walkers that wait before areas that will close, ascending.
    pub(super) held_out: Vec<HeldOut>,
    /// Waypoints on waypaths that were reached.
    pub(super) steps: Vec<(CharacterId, WaypathStep)>,
    pub(super) near: Vec<CharacterId>,
    pub(super) bumped: Vec<(CharacterId, CharacterId)>,
    pub(super) stuck: Vec<(CharacterId, Stuck, Option<CharacterId>)>,
    pub(super) steering: Steering,
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
        for (who, why) in std::mem::take(&mut self.planning.replans) {
            self.ask_for_path(who, Some(why));
        }
    }

    fn follow_paths(&mut self) {
        self.form_queues();
        self.cross_links();
        self.form_lines();
        self.hold_newcomers();
        self.walk_abreast();
        self.plan_steering();
        self.take_steps();
        self.reach_waypoints();
        self.reach_ends();
    }

    fn keep_apart(&mut self) {
        let (pace, settings) = (self.pace(), self.room.crowd);
        let Self { near, characters, ground, scratch, .. } = self;
        let (rows, bumped) = (&mut near.agents.rows, &mut scratch.bumped);
        near.separation.separate(characters.all_mut(), rows, ground, &settings, &pace, bumped);
        self.keep_newcomers_out();
        for (character, row) in self.characters.all_mut().iter_mut().zip(&self.near.agents.rows) {
            Steering::keep_motion(character, row, &pace);
        }
        self.step_aside_for_walkers();
    }

    /// Standing characters step aside for walkers that bumped into them, or steer towards them.
    fn step_aside_for_walkers(&mut self) {
        if self.near.agents.steer {
            for index in 0..self.scratch.steering.opposed().len() {
                let (walker, other) = self.scratch.steering.opposed()[index];
                self.settle_who_passes(walker, other);
            }
            for index in 0..self.scratch.steering.asked().len() {
                let (stander, walker) = self.scratch.steering.asked()[index];
                let may_go = |c: &Character| !c.is_moving() && c.walk_speed_mps > 0.0;
                let may_go = self.characters.get(stander).is_some_and(may_go);
                if may_go && !self.is_in_its_place(walker, stander) {
                    self.step_aside(stander, walker);
                }
            }
        }
        for index in 0..self.scratch.bumped.len() {
            let (stander, walker) = self.scratch.bumped[index];
            self.step_aside(stander, walker);
        }
        self.scratch.bumped.clear();
    }

    fn notice(&mut self) {
        self.notice_areas();
        self.watch_yielding();
        self.settle();
        self.share_goals();
        self.watch_walks();
        self.help_the_stuck();
        self.end_speeches();
    }

    fn end_speeches(&mut self) {
        for &place in &self.near.agents.speaking {
            let speech = &mut self.characters.all_mut()[place as usize].speech;
            if speech.as_ref().is_some_and(|speech| speech.until_tick <= self.tick) {
                *speech = None;
            }
        }
    }
}
