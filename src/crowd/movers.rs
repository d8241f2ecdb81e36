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
    pub fn near_way_of(&self, walker: &Character, settings: &CrowdSettings) -> bool {
        let Some(&next) = walker.walk.as_ref().and_then(|walk| walk.ahead().first()) else { return false };
        let reach_m = settings.replan_trigger_distance_m;
        self.neighbours.any_along(walker.position, next, reach_m, |index| {
            let (id, at) = self.people[index as usize];
            id != walker.id && distance_sq_to_segment(at, walker.position, next) <= reach_m * reach_m
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::tests::person;

    #[test]
    fn movement_adds_up_until_it_counts() {
        let settings = CrowdSettings::default();
        let mut people = [person(0, 0.0, 0.0)];
        let mut movers = Movers::default();
        movers.collect(&mut people, &settings, 0, 0); // appearing counts
        let mut counted = Vec::new();
        for tick in 1..=9 {
            people[0].position.x += 1.4 / 60.0; // no single step is longer than 0.05 m
            movers.collect(&mut people, &settings, tick, 0);
            counted.push(!movers.people.is_empty());
        }
        assert_eq!(counted, [false, false, true].repeat(3));
    }
}
