//! Who moved, and whom that concerns. Movement adds up until it counts: measured from one step to the next, nobody who merely
//! walks would ever move far enough.

use super::{Character, CharacterId, Counted, Neighbours};
use crate::geometry::distance_sq_to_segment;
use crate::room::CrowdSettings;
use glam::DVec2;

/// Those who moved lately, sorted by place.
#[derive(Debug, Clone, Default)]
pub struct Movers {
    people: Vec<(CharacterId, DVec2)>,
    neighbours: Neighbours,
    found: Vec<u32>,
}

impl Movers {
    /// Collects whoever moved farther than the threshold since it last counted, came to stand, set out, or appeared: now or in
    /// the last `linger_ticks`, so that a walker who may not plan again yet does not miss it.
    pub fn collect(
        &mut self,
        characters: &mut [Character],
        settings: &CrowdSettings,
        now_tick: u64,
        linger_ticks: u64,
    ) {
        self.people.clear();
        let threshold_sq = settings.mover_threshold_m * settings.mover_threshold_m;
        for character in characters.iter_mut().filter(|character| character.is_active()) {
            let standing = character.is_standing();
            let moved = character.position.distance_squared(character.counted.position) > threshold_sq;
            if moved || standing != character.counted.standing {
                character.counted =
                    Counted { position: character.position, standing, until_tick: now_tick + linger_ticks };
            }
            if now_tick <= character.counted.until_tick {
                self.people.push((character.id, character.position));
            }
        }
        let bucket_m = settings.replan_trigger_distance_m.max(1.0);
        self.neighbours.rebuild(self.people.iter().map(|&(_, position)| position), bucket_m);
    }

    /// Whether somebody else moved near the segment a walker is on.
    pub fn near_way_of(&mut self, walker: &Character, settings: &CrowdSettings) -> bool {
        let Some(&next) = walker.walk.as_ref().and_then(|walk| walk.ahead().first()) else { return false };
        let reach_m = settings.replan_trigger_distance_m;
        self.neighbours.along(walker.position, next, reach_m, &mut self.found);
        self.found.iter().map(|&index| self.people[index as usize]).any(|(id, at)| {
            id != walker.id && distance_sq_to_segment(at, walker.position, next) <= reach_m * reach_m
        })
    }
}
