//! Congestion: walkers look for a quicker way round jams ahead.

use super::World;
use crate::crowd::{CharacterId, Replan};
use crate::nav::{Path, Step};

/// A walker looks this often whether there is a jam on its path, in seconds.
const LOOKS_EVERY_S: f64 = 1.5;

/// It looks for another way if jams make it lose this much, in seconds.
const WORTH_A_LOOK_S: f64 = 8.0;

/// Jams count as obstacles for this long, in seconds, so that a walker does not turn round at once.
const REMEMBERS_S: f64 = 8.0;

/// Another way must save this share of the time.
const MUST_SAVE: f64 = 0.15;

impl World {
    /// Walkers with jams on their paths ask for another way.
    pub(super) fn notice_jams(&mut self) {
        if !self.agents.steer {
            return;
        }
        let every = self.ticks_of(LOOKS_EVERY_S);
        let remembers = self.ticks_of(REMEMBERS_S);
        let pace = self.pace();
        let mut jammed: Vec<CharacterId> = Vec::new();
        let Self { characters, agents, jams, tick, .. } = self;
        for (character, row) in characters.all().iter().zip(&agents.rows) {
            if !row.steers || !(*tick + u64::from(character.id.0)).is_multiple_of(every) {
                continue;
            }
            let Some(walk) =
                character.errand().filter(|walk| !walk.planning && *tick >= walk.round_jams_until_tick)
            else {
                continue;
            };
            jams.look(characters.all(), &agents.rows, &pace, *tick);
            let line = std::iter::once(character.position).chain(walk.corridor.ahead().iter().copied());
            if jams.delay_s(line.map(|position| position.at)) >= WORTH_A_LOOK_S {
                jammed.push(character.id);
            }
        }
        for who in jammed {
            let until = self.tick + remembers;
            if let Some(walk) = self.characters.get_mut(who).and_then(|c| c.walk.as_mut()) {
                walk.round_jams_until_tick = until;
            }
            self.request_replan(who, Replan::Jammed);
        }
    }

    /// Whether a path that was found because of jams is no quicker than the present one.
    pub(super) fn is_no_better(&mut self, who: CharacterId, path: &Path) -> bool {
        let pace = self.pace();
        let Self { characters, agents, jams, tick, .. } = self;
        let Some(place) = characters.place_of(who) else { return false };
        let character = &characters.all()[place];
        let Some(walk) = character.walk.as_ref().filter(|walk| walk.is_weighing && !walk.corridor.is_empty())
        else {
            return false;
        };
        jams.look(characters.all(), &agents.rows, &pace, *tick);
        let at = character.position.at;
        let time_s = |ahead: &[crate::nav::Position]| {
            let line = std::iter::once(at).chain(ahead.iter().map(|position| position.at));
            let length_m: f64 = std::iter::once(at)
                .chain(ahead.iter().map(|p| p.at))
                .zip(ahead.iter())
                .map(|(a, b)| a.distance(b.at))
                .sum();
            length_m / character.walk_speed_mps + jams.delay_s(line)
        };
        let is_quicker = path.step == Step::Avoiding
            && time_s(&path.waypoints) < (1.0 - MUST_SAVE) * time_s(walk.corridor.ahead());
        if !is_quicker && let Some(walk) = &mut characters.all_mut()[place].walk {
            walk.planning = false;
            walk.is_weighing = false;
        }
        !is_quicker
    }
}
