//! The fixed step. The order is the contract: each phase reads what the one before it left.

use super::World;
use crate::crowd::{CharacterId, Followed, Replan, Stuck, WalkEnd, follow, separate, watch_progress};

impl World {
    /// One fixed step of `1 / ticks_per_second` seconds: phases 3 to 5 of the tick. Commands given since the last step, by
    /// scripts or from outside, are phases 1 and 2.
    pub fn tick(&mut self) {
        self.close_vacated_areas();
        self.replan(); //       3 decide, then spend the search budget
        self.follow_paths(); // 4 wanted positions
        self.keep_apart(); //     overlaps, stepping aside
        self.notice(); //       5 areas entered and left, walks held up
        self.tick += 1;
    }

    fn replan(&mut self) {
        for (who, why) in std::mem::take(&mut self.replans) {
            self.ask_for_path(who, Some(why));
        }
        let budget = u64::from(self.settings().search_budget_expansions);
        let mut found = Vec::new();
        self.queue.serve(&self.ground, budget, |who, path| found.push((who, path)));
        for (who, path) in found {
            self.take_path(who, path);
        }
    }

    fn follow_paths(&mut self) {
        let (dt_s, settings) = (self.dt_s(), self.room.crowd);
        let mut outcomes: Vec<(CharacterId, Followed)> = Vec::new();
        for character in self.roster.all_mut().iter_mut().filter(|c| c.walk.is_some()) {
            outcomes.push((character.id, follow(character, &self.ground, &settings, dt_s)));
        }
        for (who, outcome) in outcomes {
            let walk = self.roster.get(who).and_then(|character| character.walk.as_ref());
            let (partial, planning) = walk.map_or((false, false), |walk| (walk.partial, walk.planning));
            match outcome {
                Followed::Stood | Followed::Walked => {}
                Followed::AtEnd if planning => {} // a better end is being looked for
                Followed::AtEnd => {
                    self.end_walk(who, if partial { WalkEnd::Partial } else { WalkEnd::Arrived });
                }
                Followed::LostTheWay if planning => {}
                Followed::LostTheWay => self.request_replan(who, Replan::LostTheWay),
            }
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
        let (settings, rate, dt_s) = (self.room.crowd, self.room.ticks_per_second, self.dt_s());
        let mut stuck = Vec::new();
        for character in self.roster.all_mut() {
            if let Some(walk) = &mut character.walk {
                let step_m = character.walk_speed_mps * dt_s;
                match watch_progress(walk, character.position, step_m, &settings, rate) {
                    Stuck::No => {}
                    verdict => stuck.push((character.id, verdict, walk.held_up_by)),
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
            } else {
                self.request_replan(who, Replan::Stuck);
            }
        }
    }
}
