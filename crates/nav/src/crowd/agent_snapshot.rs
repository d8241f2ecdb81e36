//! A snapshot of all characters at the beginning of a tick. A [`Character`] is large, so the fields that all phases
//! read are copied into compact rows. Many phases need only a few characters, so index lists name them.

use super::motion::{direction, gate, may_steer, next_leg, rounds_corner};
use super::{Beside, Character, CharacterId, Counted, Footing, Passage, Purpose, is_off_post};
use crate::nav::{ClassId, Position};
use crate::room::{Avoidance, CrowdSettings};
use crate::surface::Surface;
use glam::DVec2;

/// The fields that phases read of every character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AgentRow {
    /// Id of the character.
    pub id: CharacterId,
    /// Position of the centre, kept up to date through the tick.
    pub position: Position,
    /// Collision radius.
    pub radius_m: f64,
    /// Walking speed at present.
    pub speed_mps: f64,
    /// Position at the beginning of the tick.
    pub from: DVec2,
    /// Heading at the beginning of the tick, in radians.
    pub heading_rad: f64,
    /// Where its own step led in this tick, before pushes. Only in rooms with steering.
    pub stepped_to: DVec2,
    /// Velocity over the last tick, in m/s.
    pub velocity: DVec2,
    /// Direction to the next waypoint: a unit vector, or zero.
    pub direction: DVec2,
    /// How far the next waypoint is, in metres, if it has one and is free to walk there.
    pub left_m: Option<f64>,
    /// Whether its path ends at the next waypoint.
    pub is_last: bool,
    /// Its next waypoint, if its path goes on behind it, and the direction in which it goes on.
    pub gate: Option<(DVec2, DVec2)>,
    /// Whether the gate is a corner with wide ground beside it, not a door.
    pub rounds_corner: bool,
    /// Whether it looks ahead, if it can: its `avoidance`, or the room's.
    pub looks_ahead: bool,
    /// Whether it steers round others. Then neighbours expect that it does its share.
    pub steers: bool,
    /// Whether it heads for its place beside a companion, off its path.
    pub walks_beside: bool,
    /// The other one.
    pub walks_with: Option<CharacterId>,
    /// Whether it keeps up with the other one there.
    pub keeps_up: bool,
    /// Whether it pushes: it was stuck against others, or pushes where the others steer.
    pub pushes: bool,
    /// What a right of way means to it.
    pub passage: Passage,
    /// Its class, which decides what is ground for it.
    pub class: ClassId,
    /// Whether it takes part in the crowd.
    pub active: bool,
    /// Whether planners see it as standing.
    pub standing: bool,
    /// Whether it has an errand, even if it waits.
    pub has_errand: bool,
    /// Whether the character cannot be pushed. Planners keep clear of its full radius.
    pub firm: bool,
    /// Whether the character moved lately. Then walkers nearby may replan.
    pub mover: bool,
}

impl AgentRow {
    /// The row of a character, without what the snapshot finds out besides, and [`AgentRow::aim`].
    pub(crate) fn of(character: &Character) -> Self {
        Self {
            id: character.id,
            position: character.position,
            radius_m: character.collision_radius_m,
            speed_mps: character.speed_mps(),
            from: character.position.at,
            heading_rad: character.heading_rad,
            stepped_to: character.position.at,
            velocity: character.motion.as_ref().map_or(DVec2::ZERO, |motion| motion.velocity_mps),
            direction: DVec2::ZERO,
            left_m: None,
            is_last: false,
            gate: None,
            rounds_corner: false,
            looks_ahead: false,
            steers: false,
            walks_beside: false,
            walks_with: None,
            keeps_up: false,
            pushes: false,
            passage: Passage::Free,
            class: character.class,
            active: character.is_in_crowd() && character.crossing.is_none(),
            standing: character.is_standing(),
            has_errand: character.errand().is_some(),
            firm: character.footing() != Footing::Loose,
            mover: false,
        }
    }

    /// Fills in where the character is going. Paths are found after the snapshot: they count in the same tick.
    pub(crate) fn aim(&mut self, character: &Character, ground: &Surface) {
        if self.walks_beside {
            return;
        }
        self.direction = direction(character);
        if self.looks_ahead || self.pushes {
            (self.left_m, self.is_last) = next_leg(character);
        }
        if self.looks_ahead {
            (self.gate, self.steers) = (gate(character), may_steer(character));
            self.rounds_corner = rounds_corner(character, ground);
        }
    }

    /// Sends a companion to its place beside another character.
    pub(crate) fn go_beside(&mut self, with: CharacterId, Beside { way, speed_mps, keeps_up }: Beside) {
        (self.walks_beside, self.keeps_up) = (true, keeps_up);
        self.walks_with = Some(with);
        self.direction = way.normalize_or_zero();
        (self.left_m, self.speed_mps) = (Some(way.length()), speed_mps);
    }
}

/// All characters, and index lists of the characters that each phase has to handle. The lists are ascending. Entries
/// may be out of date; each phase checks again.
#[derive(Debug, Clone, Default)]
pub(crate) struct AgentSnapshot {
    /// One row per character, in their order.
    pub rows: Vec<AgentRow>,
    /// Whether the room steers, or any character looks ahead.
    pub steer: bool,
    /// Indices of walkers that may replan because a character moved.
    pub may_look: Vec<u32>,
    /// Indices of walkers that have a blocker, or queue.
    pub held_up: Vec<u32>,
    /// Indices of characters that turn on the spot.
    pub turning: Vec<u32>,
    /// Indices of characters that are speaking.
    pub speaking: Vec<u32>,
    /// Indices of characters that stand away from the post they should return to, or face another way.
    pub off_post: Vec<u32>,
    /// Ids of yielding characters, unordered, perhaps with duplicates.
    pub making_way: Vec<CharacterId>,
}

impl AgentSnapshot {
    /// Takes the snapshot. A character is a mover once it is farther than the threshold from its reference position,
    /// or has started or stopped walking, or has just appeared. The reference is then reset. The character stays a
    /// mover for `linger_ticks`, so that walkers still on replan cooldown see it too.
    pub(crate) fn take(
        &mut self,
        characters: &mut [Character],
        settings: &CrowdSettings,
        now_tick: u64,
        linger_ticks: u64,
    ) {
        self.steer = settings.avoidance == Avoidance::Steer;
        self.rows.clear();
        self.making_way.clear();
        let Self { may_look, held_up, turning, speaking, off_post, .. } = self;
        for list in [may_look, held_up, turning, speaking, off_post] {
            list.clear();
        }
        let threshold_sq = settings.mover_threshold_m * settings.mover_threshold_m;
        for (place, character) in (0..).zip(characters) {
            let mut row = AgentRow::of(character);
            row.looks_ahead = character.avoidance.unwrap_or(settings.avoidance) == Avoidance::Steer;
            let was_stuck = character.motion.as_ref().is_some_and(|motion| motion.pushes_ticks > 0);
            row.pushes = was_stuck || !row.looks_ahead && settings.avoidance == Avoidance::Steer;
            row.steers = row.looks_ahead && may_steer(character);
            self.steer |= row.looks_ahead;
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
            if walk.held_up.by.is_some() || walk.held_up.queues_behind.is_some() {
                self.held_up.push(place);
            }
            if walk.give_way.is_some() {
                self.making_way.push(row.id);
            } else if walk.path_request.is_none()
                && walk.purpose == Purpose::Errand
                && now_tick >= character.replans_from_tick
            {
                self.may_look.push(place);
            }
        }
    }
}

/// Whether the character is a mover in this tick. The distance accumulates over ticks, because one step is shorter
/// than the threshold.
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
