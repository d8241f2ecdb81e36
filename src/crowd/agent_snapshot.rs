//! A snapshot of all characters at the beginning of a tick. A character is large, and many questions of a tick concern
//! few characters. So the fields that all phases read stand side by side here, and lists name the few.

use super::{Character, CharacterId, Counted, Footing, Purpose, is_off_post};
use crate::nav::Position;
use crate::room::CrowdSettings;

/// The fields that phases read of every character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AgentRow {
    /// Its id.
    pub id: CharacterId,
    /// Where its centre is; kept up to date through the tick.
    pub position: Position,
    /// Its collision radius.
    pub radius_m: f64,
    /// Whether it takes part in the crowd.
    pub active: bool,
    /// Whether planners see it as standing.
    pub standing: bool,
    /// Whether it cannot be pushed: planners keep the whole of its width clear.
    pub firm: bool,
    /// Whether it moved lately, which may matter to walkers nearby.
    pub mover: bool,
}

impl AgentRow {
    /// The row of a character; `mover` is left false.
    pub(crate) fn of(character: &Character) -> Self {
        Self {
            id: character.id,
            position: character.position,
            radius_m: character.collision_radius_m,
            active: character.is_active(),
            standing: character.is_standing(),
            firm: character.footing() != Footing::Loose,
            mover: false,
        }
    }
}

/// All characters, and lists of those with a concern. Lists of places are ascending. A list may name characters that it
/// no longer concerns.
#[derive(Debug, Clone, Default)]
pub(crate) struct AgentSnapshot {
    /// One row per character, in their order.
    pub rows: Vec<AgentRow>,
    /// Places of walkers that may replan because a character moved.
    pub may_look: Vec<u32>,
    /// Places of walkers that were held up, or queue.
    pub held_up: Vec<u32>,
    /// Places of characters that turn on the spot.
    pub turning: Vec<u32>,
    /// Places of characters that are speaking.
    pub speaking: Vec<u32>,
    /// Places of characters that stand off the post they return to.
    pub off_post: Vec<u32>,
    /// Yielding characters: by id, in no order, and some perhaps twice.
    pub making_way: Vec<CharacterId>,
}

impl AgentSnapshot {
    /// Looks at all characters. A character that moved farther than the threshold since it last counted, came to stand,
    /// set out, or appeared is a mover now and for `linger_ticks`. So a walker that may not replan yet does not miss
    /// it.
    pub(crate) fn take(
        &mut self,
        characters: &mut [Character],
        settings: &CrowdSettings,
        now_tick: u64,
        linger_ticks: u64,
    ) {
        self.rows.clear();
        self.making_way.clear();
        let Self { may_look, held_up, turning, speaking, off_post, .. } = self;
        for list in [may_look, held_up, turning, speaking, off_post] {
            list.clear();
        }
        let threshold_sq = settings.mover_threshold_m * settings.mover_threshold_m;
        for (place, character) in (0..).zip(characters) {
            let mut row = AgentRow::of(character);
            row.mover = row.active && counts(character, row.standing, threshold_sq, now_tick, linger_ticks);
            self.rows.push(row);
            if character.turn.is_some() {
                self.turning.push(place);
            }
            if character.speech.is_some() {
                self.speaking.push(place);
            }
            if is_off_post(character) {
                self.off_post.push(place);
            }
            let Some(walk) = &character.walk else { continue };
            if walk.held_up_by.is_some() || walk.queues_behind.is_some() {
                self.held_up.push(place);
            }
            if walk.give_way.is_some() {
                self.making_way.push(row.id);
            } else if !walk.planning
                && walk.purpose == Purpose::Errand
                && now_tick >= character.replans_from_tick
            {
                self.may_look.push(place);
            }
        }
    }
}

/// Whether a character's movement counts. It adds up until it does: within a single step, no walker would move far
/// enough.
fn counts(
    character: &mut Character,
    standing: bool,
    threshold_sq: f64,
    now_tick: u64,
    linger_ticks: u64,
) -> bool {
    let moved = character.position.at.distance_squared(character.counted.position.at) > threshold_sq;
    if moved || standing != character.counted.standing {
        character.counted =
            Counted { position: character.position, standing, until_tick: now_tick + linger_ticks };
    }
    now_tick <= character.counted.until_tick
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::tests::person;

    #[test]
    fn movement_adds_up_until_it_counts() {
        let settings = CrowdSettings::default();
        let mut people = [person(0, 0.0, 0.0)];
        let mut agents = AgentSnapshot::default();
        agents.take(&mut people, &settings, 0, 0); // appearing counts
        let mut counted = Vec::new();
        for tick in 1..=9 {
            people[0].position.at.x += 1.4 / 60.0; // no single step is longer than 0.05 m
            agents.take(&mut people, &settings, tick, 0);
            counted.push(agents.rows[0].mover);
        }
        assert_eq!(counted, [false, false, true].repeat(3));
    }
}
