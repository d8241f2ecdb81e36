//! The steering of a room: the intents of all walkers in a tick, and their steps without walking into bodies.

use super::contact::{Among, Mover, keep_off};
use super::intent::{Intent, Scratch, intent};
use super::met::REACH_M;
use super::seen::{Looker, Seen};
use super::{Motion, PUSHES_AFTER_S, PUSHES_EVERY_S, PUSHES_S};
use crate::crowd::{AgentRow, Character, CharacterId, Neighbours, Pace, Passage, Purpose, turn_towards};
use crate::nav::Position;
use crate::parallel::in_pieces;
use crate::plan::Grounds;
use crate::room::CrowdSettings;
use crate::surface::Surface;
use glam::{DVec2, I64Vec2};
use std::ops::Range;

/// So many neighbours count, the nearest ones. More of them cost time; with less, a group hides those that come
/// towards it.
const MOST_NEIGHBOURS: usize = 20;

/// Edge of the buckets of the neighbour search, in metres: so many squares in each direction cover a walker's reach.
const BUCKET_M: f64 = REACH_M / SQUARES as f64;
const SQUARES: i64 = 2;

/// From so many characters on, intents are found in several threads, in pieces of so many. It costs a tenth of a
/// millisecond to start them.
const THREADS_FROM: usize = 2000;
const PIECE: usize = 500;

/// Longer steps are not looked for when bodies might touch, in metres. A single character that is much too quick must not
/// make the others slow.
const LONGEST_STEP_M: f64 = 0.5;

/// Two walkers that hold each other up for this long ask for a right of way, in seconds.
const ASKS_FOR_RIGHT_AFTER_S: f64 = 0.5;

/// A walker that a standing character holds up for this long makes it step aside, in seconds.
const ASKS_AFTER_S: f64 = 0.3;

/// A push begins in the tick in which it is due, for all errors of rounding.
const BEGINS_WITHIN: f64 = 1.01;

/// The smooth velocity follows the real one with this time constant, in seconds.
const SMOOTHED_OVER_S: f64 = 0.1;

/// A standing character whose smooth velocity is less has none, in m/s.
const STILL_MPS: f64 = 0.01;

/// One that moves slower than this, in m/s, looks where it wants to go.
const LOOKS_MPS: f64 = 0.1;

/// Buffers of the steering, reused from tick to tick, and the places of bodies while they move.
#[derive(Debug, Clone, Default)]
pub(crate) struct Steering {
    bodies: Neighbours,
    widest_m: f64,
    /// The longest step of the tick.
    step_m: f64,
    /// The rows in the order of the buckets: neighbours are near each other there.
    sorted: Vec<AgentRow>,
    seen: Seen,
    intents: Vec<Option<Intent>>,
    look: Look,
    asked: Vec<(CharacterId, CharacterId)>,
    opposed: Vec<(CharacterId, CharacterId)>,
}

/// Buffers for the look of one walker at the others. Those in one square share the slots round it.
#[derive(Debug, Clone, Default)]
struct Look {
    square: Option<I64Vec2>,
    slots: Vec<Range<usize>>,
    near: Vec<u64>,
    scratch: Scratch,
}

/// What intents depend on: the beginning of a tick.
#[derive(Clone, Copy)]
struct Planned<'a> {
    ground: &'a Grounds,
    settings: &'a CrowdSettings,
    pace: &'a Pace,
    bodies: &'a Neighbours,
    sorted: &'a [AgentRow],
    seen: &'a Seen,
}

impl Planned<'_> {
    /// The intent of the character in a slot.
    fn intent_of(&self, slot: usize, look: &mut Look) -> Option<Intent> {
        let Self { ground, settings, pace, bodies, sorted, seen } = *self;
        let row = &sorted[slot];
        if !(row.steers || row.pushes && row.left_m.is_some()) {
            return None;
        }
        let Look { square, slots, near, scratch } = look;
        let own_square = bodies.square(row.position.at);
        if *square != Some(own_square) {
            slots.clear();
            bodies.slots_round(own_square, SQUARES, |some| slots.push(some));
            *square = Some(own_square);
        }
        near.clear();
        let me = Looker::of(row);
        slots.iter().for_each(|some| seen.add_who_may_meet(me, some.clone(), near));
        let of = |key: u64| &sorted[bodies.slot(key as u32).unwrap_or(slot)];
        near.retain(|&key| {
            let them = of(key);
            them.id != row.id && ground.floors_touch(row.position, them.position)
        });
        if near.len() > MOST_NEIGHBOURS {
            near.select_nth_unstable(MOST_NEIGHBOURS);
            near.truncate(MOST_NEIGHBOURS);
        }
        near.sort_unstable();
        let near = near.iter().map(|&key| of(key));
        intent(row, near, ground.of(row.class), settings, pace, scratch)
    }
}

impl Steering {
    /// Finds out what every walker wants. The velocities depend on the beginning of the tick only, not on the order of
    /// characters.
    pub(crate) fn plan(
        &mut self,
        characters: &[Character],
        rows: &mut [AgentRow],
        ground: &Grounds,
        settings: &CrowdSettings,
        pace: &Pace,
    ) {
        let Self { bodies, intents, sorted, seen, look, .. } = self;
        let aim =
            |(row, character): (&mut AgentRow, &Character)| row.aim(character, ground.of(character.class));
        rows.iter_mut().zip(characters).for_each(aim);
        bodies.rebuild(rows.iter().map(|row| row.position.at), BUCKET_M);
        let most =
            |of: fn(&AgentRow) -> f64| rows.iter().filter(|row| row.active).map(of).fold(0.0, f64::max);
        self.widest_m = most(|row| row.radius_m);
        self.step_m = (most(|row| row.speed_mps) * pace.dt_s).min(LONGEST_STEP_M);
        self.asked.clear();
        self.opposed.clear();
        sorted.clear();
        sorted.extend(bodies.by_bucket().map(|index| rows[index as usize]));
        seen.rebuild(bodies.by_bucket(), sorted);
        let (bodies, sorted, seen) = (&*bodies, &*sorted, &*seen);
        let crowd = Planned { ground, settings, pace, bodies, sorted, seen };
        intents.clear();
        if sorted.len() < THREADS_FROM {
            look.square = None;
            intents.extend((0..sorted.len()).map(|slot| crowd.intent_of(slot, look)));
        } else {
            let piece = |slots: Range<usize>| -> Vec<Option<Intent>> {
                let mut look = Look::default();
                slots.map(|slot| crowd.intent_of(slot, &mut look)).collect()
            };
            in_pieces(sorted.len(), PIECE, piece).iter().for_each(|piece| intents.extend(piece));
        }
    }

    /// The intent of the character at a place. `None`: it goes straight along its path, or stands.
    pub(crate) fn intent(&self, place: u32) -> Option<Intent> {
        self.intents.get(self.bodies.slot(place)?).copied().flatten()
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
        let among = Among { neighbours: &self.bodies, widest_m: self.widest_m, moved_m: self.step_m };
        let (left, first) = keep_off(mover, by, among, body, ground);
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
            walk.held_up.by = blocker.map(|them| them.id).or(walk.held_up.by);
            let held_up_s = f64::from(walk.progress.idle_ticks) * pace.dt_s;
            if let Some(them) = blocker
                && them.standing
                && !them.firm
                && walk.goal.up_to != Some(them.id)
                && held_up_s > ASKS_AFTER_S
                && walk.purpose == Purpose::Errand
            {
                self.asked.push((them.id, character.id));
            }
            let is_opposed = intent.is_some_and(|intent| intent.is_opposed);
            let lets_pass = rows[place as usize].passage.lets_pass();
            if is_opposed && !lets_pass {
                if let Some(them) = blocker.filter(|_| held_up_s >= ASKS_FOR_RIGHT_AFTER_S) {
                    self.opposed.push((character.id, them.id));
                }
                let pushes_for_s = held_up_s - PUSHES_AFTER_S;
                if pushes_for_s >= 0.0 && pushes_for_s % PUSHES_EVERY_S < BEGINS_WITHIN * pace.dt_s {
                    let motion = character.motion.get_or_insert_default();
                    motion.pushes_ticks = (PUSHES_S / pace.dt_s) as u32;
                }
            }
        }
        self.bodies.shift(place, character.position.at);
    }

    /// Standing characters that hold up walkers, with one walker each: they should step aside. Sorted.
    pub(crate) fn asked(&mut self) -> &[(CharacterId, CharacterId)] {
        self.asked.sort_unstable();
        self.asked.dedup_by_key(|(stander, _)| *stander);
        &self.asked
    }

    /// Walkers that hold each other up: one of each two should have the right of way.
    pub(crate) fn opposed(&self) -> &[(CharacterId, CharacterId)] {
        &self.opposed
    }

    /// Keeps what a character really moved in this tick.
    pub(crate) fn keep_motion(character: &mut Character, row: &AgentRow, pace: &Pace) {
        let velocity_mps = match &character.crossing {
            Some(crossing) => crossing.velocity_mps(pace.dt_s),
            // It has just landed.
            None if character.is_in_crowd() && !row.active => row.velocity,
            None => (character.position.at - row.from) / pace.dt_s,
        };
        let before = character.motion.as_ref().map_or(DVec2::ZERO, |motion| motion.smooth_mps);
        let share = (pace.dt_s / SMOOTHED_OVER_S).min(1.0);
        let smooth_mps = before + (velocity_mps - before) * share;
        let is_still = velocity_mps == DVec2::ZERO && smooth_mps.length() < STILL_MPS;
        let smooth_mps = if is_still { DVec2::ZERO } else { smooth_mps };
        // One that is pushed, or walks along a body, looks where it really goes.
        if row.looks_ahead && character.walk.is_some() && row.position.at != row.stepped_to {
            character.heading_rad = row.heading_rad;
            let looks = if smooth_mps.length() > LOOKS_MPS { smooth_mps } else { row.direction };
            turn_towards(character, looks, pace.dt_s);
        }
        let pushes_ticks =
            character.motion.as_ref().map_or(0, |motion| motion.pushes_ticks.saturating_sub(1));
        let in_the_way_ticks = match row.passage {
            Passage::Against(out) if out != DVec2::ZERO => {
                character.motion.as_ref().map_or(1, |motion| motion.in_the_way_ticks.saturating_add(1))
            }
            _ => 0,
        };
        let motion = Motion { velocity_mps, smooth_mps, pushes_ticks, in_the_way_ticks };
        character.motion = Some(motion).filter(|motion| *motion != Motion::default());
    }
}
