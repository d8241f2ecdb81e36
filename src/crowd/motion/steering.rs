//! The steering of a room: the intents of all walkers in a tick, and their steps without walking into bodies.

use super::contact::{Mover, keep_off};
use super::intent::{Intent, Scratch, intent};
use super::{Motion, PUSHES_AFTER_S, PUSHES_S};
use crate::crowd::{AgentRow, Character, CharacterId, Neighbours, Pace, Purpose};
use crate::nav::Position;
use crate::room::CrowdSettings;
use crate::surface::Surface;

/// How far others are looked at, in metres.
const REACH_M: f64 = 6.0;

/// So many neighbours count, the nearest ones. More of them cost time; with less, a group hides those that come
/// towards it.
const MOST_NEIGHBOURS: usize = 20;

/// Edge of the buckets of the neighbour search, in metres.
const BUCKET_M: f64 = 3.0;

/// A walker that a standing character holds up for this long makes it step aside, in seconds.
const ASKS_AFTER_S: f64 = 0.3;

/// Buffers of the steering, reused from tick to tick, and the places of bodies while they move.
#[derive(Debug, Clone, Default)]
pub(crate) struct Steering {
    bodies: Neighbours,
    widest_m: f64,
    intents: Vec<Option<Intent>>,
    near: Vec<(f64, u32)>,
    scratch: Scratch,
    asked: Vec<(CharacterId, CharacterId)>,
}

impl Steering {
    /// Finds out what every walker wants. The velocities depend on the beginning of the tick only, not on the order of
    /// characters.
    pub(crate) fn plan(
        &mut self,
        characters: &[Character],
        rows: &[AgentRow],
        ground: &Surface,
        settings: &CrowdSettings,
        pace: &Pace,
    ) {
        let Self { bodies, intents, near, scratch, .. } = self;
        bodies.rebuild(rows.iter().map(|row| row.position.at), BUCKET_M);
        self.widest_m = rows.iter().filter(|row| row.active).map(|row| row.radius_m).fold(0.0, f64::max);
        self.asked.clear();
        intents.clear();
        intents.extend((0..).zip(characters.iter().zip(rows)).map(|(index, (character, row))| {
            if !row.steers {
                return None;
            }
            near.clear();
            bodies.any_along(row.position.at, row.position.at, REACH_M, |other| {
                let them = &rows[other as usize];
                let apart_sq = them.position.at.distance_squared(row.position.at);
                let counts = other != index
                    && them.active
                    && apart_sq <= REACH_M * REACH_M
                    && ground.floors_touch(row.position, them.position);
                if counts {
                    near.push((apart_sq, other));
                }
                false
            });
            let nearer =
                |one: &(f64, u32), other: &(f64, u32)| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1));
            // Two squares of the search may share a bucket, so that some are found twice. Those beyond twice the number
            // need not be sorted.
            if near.len() > 2 * MOST_NEIGHBOURS {
                near.select_nth_unstable_by(2 * MOST_NEIGHBOURS, nearer);
                near.truncate(2 * MOST_NEIGHBOURS);
            }
            near.sort_unstable_by(nearer);
            near.dedup_by_key(|near| near.1);
            near.truncate(MOST_NEIGHBOURS);
            let near = near.iter().map(|&(_, other)| &rows[other as usize]);
            intent(character, row, near, settings, pace, scratch)
        }));
    }

    /// The intent of the character at a place. `None`: it goes straight along its path, or stands.
    pub(crate) fn intent(&self, place: u32) -> Option<Intent> {
        self.intents.get(place as usize).copied().flatten()
    }

    /// Shortens the step that a character has just made, so that it walks into nobody. `rows` has the present places of
    /// the others.
    pub(crate) fn settle(
        &mut self,
        character: &mut Character,
        start: Position,
        place: u32,
        rows: &[AgentRow],
        ground: &Surface,
        pace: &Pace,
    ) {
        let by = character.position.at - start.at;
        let mover = Mover { index: place, from: start, radius_m: character.collision_radius_m };
        let body = |other: u32| {
            let them = &rows[other as usize];
            them.active.then_some((them.position, them.radius_m))
        };
        let (left, first) = keep_off(mover, by, &self.bodies, self.widest_m, body, ground);
        if left != by {
            character.position = ground.walk_straight(start, start.at + left).unwrap_or(start);
        }
        let intent = self.intent(place);
        let find =
            |id: CharacterId| rows.binary_search_by_key(&id, |row| row.id).ok().map(|place| rows[place]);
        let blocker = match first {
            Some(other) => Some(rows[other as usize]),
            None => intent.and_then(|intent| intent.blocker).and_then(find),
        };
        if let Some(walk) = &mut character.walk {
            walk.held_up_by = blocker.map(|them| them.id).or(walk.held_up_by);
            let held_up_s = f64::from(walk.idle_ticks) * pace.dt_s;
            if let Some(them) = blocker
                && them.standing
                && !them.firm
                && walk.up_to != Some(them.id)
                && held_up_s > ASKS_AFTER_S
                && walk.purpose == Purpose::Errand
            {
                self.asked.push((them.id, character.id));
            }
            if intent.is_some_and(|intent| intent.is_opposed) && held_up_s >= PUSHES_AFTER_S {
                let motion = character.motion.get_or_insert_default();
                motion.pushes_ticks = (PUSHES_S / pace.dt_s) as u32;
            }
        }
        self.bodies.shift(place, character.position.at);
    }

    /// Standing characters that hold up walkers, with one walker each: they should step aside. Sorted.
    pub(crate) fn take_asked(&mut self) -> Vec<(CharacterId, CharacterId)> {
        let mut asked = std::mem::take(&mut self.asked);
        asked.sort_unstable();
        asked.dedup_by_key(|(stander, _)| *stander);
        asked
    }

    /// Keeps what a character really moved in this tick.
    pub(crate) fn keep_motion(character: &mut Character, row: &AgentRow, pace: &Pace) {
        let velocity_mps = (row.position.at - row.from) / pace.dt_s;
        let pushes_ticks =
            character.motion.as_ref().map_or(0, |motion| motion.pushes_ticks.saturating_sub(1));
        let motion = Motion { velocity_mps, pushes_ticks };
        if motion == Motion::default() {
            character.motion = None;
        } else {
            **character.motion.get_or_insert_default() = motion;
        }
    }
}
