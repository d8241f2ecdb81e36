//! Congestion: walkers look for a quicker way round jams ahead.

use super::{Near, World};
use crate::crowd::{CharacterId, Replan};
use crate::nav::{Corridor, Path, Position};

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
        if !self.near.agents.steer {
            return;
        }
        let every = self.ticks_of(LOOKS_EVERY_S);
        let remembers = self.ticks_of(REMEMBERS_S);
        let pace = self.pace();
        let mut jammed: Vec<CharacterId> = Vec::new();
        let Self { characters, near: Near { agents, jams, .. }, ground, tick, .. } = self;
        for (character, row) in characters.all().iter().zip(&agents.rows) {
            if !row.steers || !(*tick + u64::from(character.id.0)).is_multiple_of(every) {
                continue;
            }
            let Some(walk) = character
                .errand()
                .filter(|walk| walk.path_request.is_none() && *tick >= walk.avoids.jams_until_tick)
            else {
                continue;
            };
            jams.look(characters.all(), &agents.rows, ground, &pace, *tick);
            let ahead = walk.corridor.ahead().iter().copied();
            if jams.delay_s(std::iter::once(character.position).chain(ahead), ground) >= WORTH_A_LOOK_S {
                jammed.push(character.id);
            }
        }
        for who in jammed {
            let until = self.tick + remembers;
            if let Some(walk) = self.characters.get_mut(who).and_then(|c| c.walk.as_mut()) {
                walk.avoids.jams_until_tick = until;
            }
            self.request_replan(who, Replan::Jammed);
        }
    }

    /// How much longer jams make the present path of a walker and another one, in seconds. `None` if the other one is to be
    /// taken in any case.
    pub(super) fn delays_s(&mut self, who: CharacterId, other: &Path) -> Option<[f64; 2]> {
        let pace = self.pace();
        let Self { characters, near: Near { agents, jams, .. }, ground, tick, .. } = self;
        let character = characters.get(who)?;
        let walk = character.walk.as_ref().filter(|walk| walk.is_weighing() && !walk.corridor.is_empty())?;
        jams.look(characters.all(), &agents.rows, ground, &pace, *tick);
        let line = |ahead: &[Position]| {
            jams.delay_s(std::iter::once(character.position).chain(ahead.iter().copied()), ground)
        };
        Some([line(walk.corridor.ahead()), line(&other.waypoints)])
    }
}

/// Whether another path is quicker by so much that a walker at a position takes it. Each comes with the time that jams cost
/// on it, in seconds.
pub(super) fn is_quicker(
    other: (&Corridor, f64),
    present: (&Corridor, f64),
    position: Position,
    speed_mps: f64,
) -> bool {
    let time_s = |(path, delay_s): (&Corridor, f64)| path.left_m(position) / speed_mps + delay_s;
    time_s(other) < (1.0 - MUST_SAVE) * time_s(present)
}
