//! Queues of walkers that hold each other up, and partners of those who walk up to others: what a step must know of others.

use super::World;
use crate::crowd::{
    AgentSnapshot, Character, CharacterId, Characters, Footing, Pace, Purpose, overtakes, queues_behind,
    rank_to_lend, waits_for_stander,
};
use crate::nav::Position;
use std::collections::BTreeSet;

/// A walker that is held up checks this often whether it queues. Comparing paths costs something.
const LOOK_EVERY_S: f64 = 0.1;

/// So far the head of a jam is looked for. Walkers may hold each other up in a circle.
const MOST_IN_A_JAM: usize = 32;

/// The character ahead in a queue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Queue {
    /// The place of the queuing walker.
    pub(super) place: u32,
    pub(super) ahead: Position,
    /// How near the queuing walker may come.
    pub(super) least_m: f64,
    /// How long the character ahead has been held up.
    pub(super) idle_ticks: u32,
    who: CharacterId,
}

/// The character that a walker walks up to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partner {
    /// The place of the walker.
    pub(super) place: u32,
    pub(super) at: Position,
    /// How near the walker comes: talking or following distance, or touching for wide bodies.
    pub(super) near_m: f64,
}

/// Collects the characters that others walk up to.
pub(super) fn find_partners(
    characters: &Characters,
    followers: &BTreeSet<CharacterId>,
    talk_m: f64,
    found: &mut Vec<Partner>,
) {
    found.clear();
    found.extend(followers.iter().filter_map(|&who| {
        let place = characters.place_of(who)?;
        let c = &characters.all()[place];
        let walk = c.walk.as_ref().filter(|walk| walk.give_way.is_none())?;
        let other = characters.get(walk.goal.up_to?)?;
        let talks_m = || talk_m.max(c.touching_m(other));
        let near_m = c.following.as_ref().map_or_else(talks_m, |following| following.near_m(c, other));
        Some(Partner { place: place as u32, at: other.position, near_m })
    }));
}

/// Collects the queuing walkers, with the characters ahead of them.
pub(super) fn find_queues(
    characters: &Characters,
    agents: &AgentSnapshot,
    pace: &Pace,
    found: &mut Vec<Queue>,
) {
    found.clear();
    found.extend(agents.held_up.iter().filter_map(|&place| {
        let c = &characters.all()[place as usize];
        let other = characters.get(c.walk.as_ref()?.held_up.queues_behind?)?;
        // A character ahead that gives way is no reason to get impatient, unless both stand in each other's way.
        let idle_ticks = other.walk.as_ref().map_or(0, |walk| match &walk.give_way {
            Some(way) if way.to == c.id && walk.held_up.by == Some(c.id) && way.ticks > pace.yields_after => {
                u32::MAX
            }
            Some(_) => 0,
            None => walk.progress.idle_ticks,
        });
        let least_m = c.collision_radius_m + other.collision_radius_m;
        Some(Queue { place, ahead: other.position, least_m, idle_ticks, who: other.id })
    }));
}

/// Lends the rank of every queuing walker to the character ahead.
pub(super) fn lend_ranks(characters: &mut Characters, queues: &[Queue], pace: &Pace) {
    for queue in queues {
        let lent = rank_to_lend(&characters.all()[queue.place as usize], pace);
        if let Some(walk) = characters.get_mut(queue.who).and_then(|ahead| ahead.walk.as_mut()) {
            walk.lent_rank = walk.lent_rank.max(Some(lent));
        }
    }
}

impl World {
    /// Decides which walker queues behind which. Comparing paths costs something, so each checks only now and then, or
    /// when another character holds it up.
    pub(super) fn form_queues(&mut self) {
        let (pace, every) = (self.pace(), self.ticks_of(LOOK_EVERY_S));
        let mut formed = std::mem::take(&mut self.scratch.formed);
        let mut in_vain = std::mem::take(&mut self.scratch.in_vain);
        for &place in &self.near.agents.held_up {
            let character = &self.characters()[place as usize];
            let Some(walk) = &character.walk else { continue };
            let due = (self.tick + u64::from(character.id.0)).is_multiple_of(every);
            if walk.held_up.by == walk.held_up.queues_behind && !due {
                continue;
            }
            if due && let Some(stander) = self.stander_ahead(character) {
                in_vain.push((place, stander));
            }
            let on_errand =
                |other: &&Character| other.walk.as_ref().is_some_and(|walk| walk.purpose == Purpose::Errand);
            let ahead = walk.held_up.by.and_then(|by| self.characters.get(by)).filter(on_errand);
            let waits_for = |ahead: &&Character| {
                ahead.makes_way_for(character.id)
                    || !self.crossings.lines.passes(character.id, ahead.id)
                        && !overtakes(character, ahead, &pace)
                        && queues_behind(character, ahead)
            };
            let queues = ahead.filter(waits_for).map(|ahead| ahead.id);
            if queues != walk.held_up.queues_behind {
                formed.push((place, queues));
            }
        }
        for (place, queues) in formed.drain(..) {
            if let Some(walk) = &mut self.characters.all_mut()[place as usize].walk {
                walk.held_up.queues_behind = queues;
            }
        }
        for (place, stander) in in_vain.drain(..) {
            if let Some(walk) = &mut self.characters.all_mut()[place as usize].walk {
                waits_for_stander(walk, stander);
            }
        }
        (self.scratch.formed, self.scratch.in_vain) = (formed, in_vain);
    }

    /// Who stands at the head of those that hold up a walker, and does not step aside when asked.
    fn stander_ahead(&self, walker: &Character) -> Option<CharacterId> {
        let mut ahead = walker.walk.as_ref()?.held_up.by?;
        for _ in 0..MOST_IN_A_JAM {
            let character = self.characters.get(ahead)?;
            if !character.is_moving() {
                return (character.footing() != Footing::Loose || character.walk_speed_mps <= 0.0)
                    .then_some(ahead);
            }
            let walk = character.walk.as_ref().filter(|walk| walk.purpose == Purpose::Errand);
            ahead = walk.filter(|_| self.crossings.lines.hold_m(ahead).is_none())?.held_up.by?;
        }
        None
    }
}
