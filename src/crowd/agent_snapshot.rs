//! Everybody at the beginning of a tick, looked at once. A character is a large thing, and a tick has many questions that concern few: so
//! what all phases ask about everybody stands side by side here, and who is concerned by something rare stands on a list.

use super::{Character, CharacterId, Counted, Footing, Purpose, is_off_post};
use crate::room::CrowdSettings;
use glam::DVec2;

/// What phases ask about everybody.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AgentRow {
    /// Who it is.
    pub id: CharacterId,
    /// Where its centre is, in metres; kept up to date through the tick.
    pub at: DVec2,
    /// How much room it takes.
    pub radius_m: f64,
    /// Whether it takes part in the crowd.
    pub active: bool,
    /// Whether planners see it standing in the way.
    pub standing: bool,
    /// Whether it keeps its place: planners keep the whole of its width clear.
    pub firm: bool,
    /// Whether it moved lately, which may matter to walkers nearby.
    pub mover: bool,
}

impl AgentRow {
    /// What is so about somebody; nobody is a mover by looks.
    pub(crate) fn of(character: &Character) -> Self {
        Self {
            id: character.id,
            at: character.position,
            radius_m: character.collision_radius_m,
            active: character.is_active(),
            standing: character.is_standing(),
            firm: character.footing() != Footing::Loose,
            mover: false,
        }
    }
}

/// Everybody, and who is concerned by what. Lists of places are ascending; a list may name some whom it does not concern any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct AgentSnapshot {
    /// One for each character, in their order.
    pub rows: Vec<AgentRow>,
    /// Places of walkers that may plan again because somebody moved.
    pub may_look: Vec<u32>,
    /// Places of walkers that were held up, or queue.
    pub held_up: Vec<u32>,
    /// Places of those who turn on the spot.
    pub turning: Vec<u32>,
    /// Places of those who say something.
    pub speaking: Vec<u32>,
    /// Places of those who stand, and not at the post they return to.
    pub off_post: Vec<u32>,
    /// Those who make way for somebody: by id, in no order, and some perhaps twice.
    pub making_way: Vec<CharacterId>,
}

impl AgentSnapshot {
    /// Looks at all characters. One that moved farther than the threshold since it last counted, came to stand, set out, or appeared is a mover
    /// now and for `linger_ticks`, so that a walker who may not plan again yet does not miss it.
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

/// Whether somebody's movement counts. It adds up until it does: measured from one step to the next, nobody who merely walks would ever move
/// far enough.
fn counts(
    character: &mut Character,
    standing: bool,
    threshold_sq: f64,
    now_tick: u64,
    linger_ticks: u64,
) -> bool {
    let moved = character.position.distance_squared(character.counted.position) > threshold_sq;
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
            people[0].position.x += 1.4 / 60.0; // no single step is longer than 0.05 m
            agents.take(&mut people, &settings, tick, 0);
            counted.push(agents.rows[0].mover);
        }
        assert_eq!(counted, [false, false, true].repeat(3));
    }
}
