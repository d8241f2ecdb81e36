//! Areas that close as soon as everybody has left them let nobody in meanwhile.

use super::World;
use crate::crowd::{Character, CharacterId};
use crate::nav::{AreaId, Place, Position};
use crate::room::{GroundKind, WhenOccupied};
use glam::DVec2;

/// A walker whose path leads into the area within this distance is a newcomer, in metres.
const AHEAD_M: f64 = 3.0;

/// Newcomers stop this long before the ground that will be lost, in metres, or a step before it if that is more.
const STOP_M: f64 = 0.3;

/// Distance between the tested points of a path, in metres.
const STEP_M: f64 = 0.1;

/// One that waits makes room for somebody who cannot leave the ground that will be lost: for one that is so near, from body to
/// body in metres, and as slow, as a share of its walking speed.
const TOUCHES_M: f64 = 0.05;
const STANDS_AT: f64 = 0.1;

/// A walker that waits before an area that will close.
#[derive(Debug, Clone)]
pub(super) struct HeldOut {
    who: CharacterId,
    /// The direction in which it makes room for one that it keeps from leaving.
    pub(super) makes_room: Option<DVec2>,
}

impl World {
    /// Finds the walkers that must wait, because they are about to enter an area that waits for others to leave.
    pub(super) fn hold_newcomers(&mut self) {
        let mut held_out = std::mem::take(&mut self.scratch.held_out);
        held_out.clear();
        for area in self.held_areas() {
            let near: Vec<&Character> = (0..)
                .zip(self.characters())
                .filter(|(place, character)| character.is_in_crowd() && self.is_near_a_border(*place))
                .map(|(_, character)| character)
                .collect();
            let is_kept_in = |character: &&&Character| {
                character.walk.is_some()
                    && character.velocity_mps().length() < STANDS_AT * character.walk_speed_mps
                    && self.is_lost_with(area, character, character.position)
            };
            let kept_in: Vec<&Character> = near.iter().filter(is_kept_in).copied().collect();
            for character in near.into_iter().filter(|character| self.is_newcomer(character, area)) {
                let makes_room = kept_in.iter().find_map(|them| {
                    let away = character.position.at - them.position.at;
                    let clear_m = character.collision_radius_m + them.collision_radius_m;
                    (away.length() < clear_m + TOUCHES_M).then(|| away.normalize_or_zero())
                });
                held_out.push(HeldOut { who: character.id, makes_room });
            }
        }
        held_out.sort_unstable_by_key(|held| held.who);
        self.scratch.held_out = held_out;
    }

    /// Puts those back that were pushed or steered into an area that waits for others to leave. Walkers that were too near
    /// to it to stop may go on.
    pub(super) fn keep_newcomers_out(&mut self) {
        for area in self.held_areas() {
            for (place, character) in self.characters.all_mut().iter_mut().enumerate() {
                let row = &mut self.near.agents.rows[place];
                let goes_on =
                    character.walk.is_some() && held_out_of(&self.scratch.held_out, row.id).is_none();
                let has_moved = row.active && row.from != row.position.at;
                if goes_on || !has_moved || !self.ground.area_contains(area, row.position) {
                    continue;
                }
                let y_m = self.ground.place_of(row.position).y_m;
                let before = self.ground.locate(Place { at: row.from, y_m });
                if self.ground.of(row.class).is_walkable(before) && !self.ground.area_contains(area, before) {
                    (row.position, character.position) = (before, before);
                }
            }
        }
    }

    /// The areas that wait for characters to leave.
    fn held_areas(&self) -> Vec<AreaId> {
        let holds = |area: &&AreaId| self.ground.area_when_occupied(**area) == WhenOccupied::Hold;
        self.occupancy.closing.iter().filter(holds).copied().collect()
    }

    /// Whether a character may be near the border of any area. Most are known to be far from all.
    fn is_near_a_border(&self, place: usize) -> bool {
        let (Some(known), Some(character)) =
            (self.occupancy.whereabouts.get(place), self.characters().get(place))
        else {
            return true;
        };
        let left_m = known.clear_m - known.at.at.distance(character.position.at);
        known.who != character.id || left_m <= AHEAD_M
    }

    /// Whether a walker is not in the area, nor on the ground that is lost with it, but about to come there.
    fn is_newcomer(&self, walker: &Character, area: AreaId) -> bool {
        let Some(walk) = walker.walk.as_ref().filter(|walk| walk.give_way.is_none()) else { return false };
        if walker.crossing.is_some() || self.is_lost_with(area, walker, walker.position) {
            return false;
        }
        let stop_m = STOP_M.max(walker.speed_mps() * self.dt_s());
        let mut from = walker.position.at;
        let mut next = None;
        let mut gone_m = 0.0;
        for to in walk.corridor.line_ahead(walker.position, AHEAD_M).skip(1) {
            let begin = std::mem::replace(&mut from, to);
            let length_m = begin.distance(to);
            for step in 1..=(length_m.min(AHEAD_M) / STEP_M).ceil() as u32 {
                let along_m = (f64::from(step) * STEP_M).min(length_m);
                let at = begin + (to - begin) * (along_m / length_m);
                if gone_m + along_m > AHEAD_M {
                    return false;
                }
                if gone_m + along_m <= stop_m {
                    next = Some(at);
                }
                let Some(there) = self.beside(walker, at) else { continue };
                if self.ground.area_contains(area, there) {
                    let next = next.and_then(|next| self.beside(walker, next)).unwrap_or(there);
                    return self.is_lost_with(area, walker, next);
                }
            }
            gone_m += length_m;
        }
        false
    }

    /// Whether a position is in an area, or so near to it that padding takes the ground there when it closes: that of a
    /// character's body.
    fn is_lost_with(&self, area: AreaId, of: &Character, position: Position) -> bool {
        if self.ground.area_contains(area, position) {
            return true;
        }
        let ground = &self.room.ground;
        let cell_m = if ground.kind == GroundKind::Grid { ground.cell_size_m } else { 0.0 };
        let wider_m = (self.radius_m(of) - ground.agent_radius_m).max(0.0);
        let lost_m = ground.boundary_padding_m + wider_m + cell_m;
        let rings = (lost_m / STEP_M).ceil().max(1.0) as u32;
        let rim = (0..8 * rings).map(|point| {
            let (sin, cos) = libm::sincos(f64::from(point % 8) * std::f64::consts::FRAC_PI_4);
            let reach_m = lost_m * f64::from(point / 8 + 1) / f64::from(rings);
            position.at + DVec2::new(cos, sin) * reach_m
        });
        // Also a door that is thinner than the padding reaches is met.
        let y_m = self.ground.place_of(position).y_m;
        rim.map(|at| self.ground.locate(Place { at, y_m })).any(|at| self.ground.area_contains(area, at))
    }

    /// The walkable position at a point, on the storey of a walker nearby.
    fn beside(&self, walker: &Character, at: DVec2) -> Option<Position> {
        let y_m = self.ground.place_of(walker.position).y_m;
        let there = self.ground.locate(Place { at, y_m });
        self.ground_of(walker).is_walkable(there).then_some(there)
    }

    /// The area that a walker waits for: it closes as soon as everybody has left it.
    pub(super) fn area_waited_for(&self, walker: &Character) -> Option<AreaId> {
        let mut areas = self.held_areas().into_iter();
        areas.find(|&area| walker.is_in_crowd() && self.is_newcomer(walker, area))
    }
}

/// A walker, if it waits before an area that will close.
pub(super) fn held_out_of(held_out: &[HeldOut], who: CharacterId) -> Option<&HeldOut> {
    held_out.binary_search_by_key(&who, |held| held.who).ok().map(|place| &held_out[place])
}
