//! A quick look at everybody within reach: who may matter to a walker.

use super::met::{MATTERS_M, PASSES_WITHIN, REACH_M};
use crate::crowd::AgentRow;
use glam::Vec2;
use std::ops::Range;

/// So many are looked at together, by vector instructions.
const LANES: usize = 4;

/// What a quick look at a few characters needs. Single precision is enough to tell who is far away.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Few {
    /// Places; infinitely far away for those that take no part. In metres.
    x: [f32; LANES],
    z: [f32; LANES],
    /// The velocities that they want, in m/s.
    wanted_x: [f32; LANES],
    wanted_z: [f32; LANES],
    /// The velocities that they have, in m/s.
    velocity_x: [f32; LANES],
    velocity_z: [f32; LANES],
    radius_m: [f32; LANES],
    /// Their places among all rows.
    index: [u32; LANES],
}

const NOBODY: Few = Few {
    x: [f32::INFINITY; LANES],
    z: [f32::INFINITY; LANES],
    wanted_x: [0.0; LANES],
    wanted_z: [0.0; LANES],
    velocity_x: [0.0; LANES],
    velocity_z: [0.0; LANES],
    radius_m: [0.0; LANES],
    index: [u32::MAX; LANES],
};

/// All characters for a quick look, in the order of the buckets of the neighbour search: neighbours are near each other
/// there.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    all: Vec<Few>,
}

/// The one that looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looker {
    at: Vec2,
    wanted: Vec2,
    velocity: Vec2,
    radius_m: f32,
}

impl Looker {
    pub(super) fn of(row: &AgentRow) -> Self {
        let wanted_mps = if row.standing { 0.0 } else { row.speed_mps };
        Self {
            at: if row.active { row.position.at.as_vec2() } else { Vec2::INFINITY },
            wanted: (row.direction * wanted_mps).as_vec2(),
            velocity: row.velocity.as_vec2(),
            radius_m: row.radius_m as f32,
        }
    }
}

impl Seen {
    /// Looks at all characters anew: their places among all rows, and their rows, in the order of the buckets.
    pub(super) fn rebuild(&mut self, places: impl Iterator<Item = u32>, sorted: &[AgentRow]) {
        self.all.clear();
        self.all.resize(sorted.len().div_ceil(LANES), NOBODY);
        for (slot, (index, row)) in places.zip(sorted).enumerate() {
            let (few, lane) = (&mut self.all[slot / LANES], slot % LANES);
            let Looker { at, wanted, velocity, radius_m } = Looker::of(row);
            (few.x[lane], few.z[lane]) = (at.x, at.y);
            (few.wanted_x[lane], few.wanted_z[lane]) = (wanted.x, wanted.y);
            (few.velocity_x[lane], few.velocity_z[lane]) = (velocity.x, velocity.y);
            (few.radius_m[lane], few.index[lane]) = (radius_m, index);
        }
    }

    /// Adds those of some slots that may matter to `me`, which may be among them. Found are numbers that are in the order of
    /// distances, with the place among all rows in their lower half.
    pub(super) fn add_who_may_meet(&self, me: Looker, slots: Range<usize>, found: &mut Vec<u64>) {
        let blocks = slots.start / LANES..slots.end.div_ceil(LANES);
        for (block, few) in blocks.clone().zip(&self.all[blocks]) {
            let (mut keys, mut count) = ([0; LANES], 0);
            let (apart_sq, matter) = me.may_meet(few);
            for lane in 0..LANES {
                // Squares are not negative: their bits are in their order.
                keys[count] = u64::from(apart_sq[lane].to_bits()) << 32 | u64::from(few.index[lane]);
                count += usize::from(matter[lane] & slots.contains(&(block * LANES + lane)));
            }
            found.extend_from_slice(&keys[..count]);
        }
    }
}

impl Looker {
    /// The squared distances to a few, and whether they may matter: they are near, or both will come near each other if
    /// they go on, either as they move or as they want to. Without branches, so that it becomes vector instructions.
    fn may_meet(&self, few: &Few) -> ([f32; LANES], [bool; LANES]) {
        let (mut apart_sq, mut matter) = ([0.0; LANES], [false; LANES]);
        for lane in 0..LANES {
            let offset = (few.x[lane] - self.at.x, few.z[lane] - self.at.y);
            let clear_m = self.radius_m + few.radius_m[lane];
            let (near_m, passes_m) = (clear_m + MATTERS_M as f32, PASSES_WITHIN as f32 * clear_m);
            let passes_near = |mine: Vec2, their_x: f32, their_z: f32| {
                let relative = (mine.x - their_x, mine.y - their_z);
                let along = relative.0 * offset.0 + relative.1 * offset.1;
                let off = relative.0 * offset.1 - relative.1 * offset.0;
                let speed_sq = relative.0 * relative.0 + relative.1 * relative.1;
                (along > 0.0) & (off * off < passes_m * passes_m * speed_sq)
            };
            let is_met = passes_near(self.wanted, few.wanted_x[lane], few.wanted_z[lane])
                | passes_near(self.velocity, few.velocity_x[lane], few.velocity_z[lane]);
            let distance_sq = offset.0 * offset.0 + offset.1 * offset.1;
            let is_within = distance_sq <= (REACH_M * REACH_M) as f32;
            apart_sq[lane] = distance_sq;
            matter[lane] = is_within & (is_met | (distance_sq < near_m * near_m));
        }
        (apart_sq, matter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::tests::person;
    use glam::{DVec2, dvec2};

    /// By how much the test is passed: not at all below zero. In double precision, from the definition.
    fn margin(me: &AgentRow, them: &AgentRow) -> f64 {
        let offset = them.position.at - me.position.at;
        let clear_m = me.radius_m + them.radius_m;
        let wanted = |row: &AgentRow| if row.standing { DVec2::ZERO } else { row.direction * row.speed_mps };
        let passes = |relative: DVec2| {
            let nearest_m = relative.perp_dot(offset).abs() / relative.length().max(1e-9);
            (PASSES_WITHIN * clear_m - nearest_m).min(relative.dot(offset))
        };
        let is_met = passes(wanted(me) - wanted(them)).max(passes(me.velocity - them.velocity));
        (REACH_M - offset.length()).min(is_met.max(clear_m + MATTERS_M - offset.length()))
    }

    #[test]
    fn found_are_those_near_and_those_that_come_near() {
        let mut random = 7_u64;
        let mut next = |most: f64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((random >> 33) as f64 / f64::from(1_u32 << 30) - 1.0) * most
        };
        let rows: Vec<AgentRow> = (0..203)
            .map(|index| {
                let mut row = AgentRow::of(&person(index, next(8.0), next(8.0)));
                row.direction = dvec2(next(1.0), next(1.0)).normalize_or_zero();
                (row.velocity, row.standing) = (dvec2(next(1.4), next(1.4)), index % 5 == 0);
                row.active = index % 17 != 3;
                row
            })
            .collect();
        let mut seen = Seen::default();
        seen.rebuild(0..203, &rows);
        let mut matter = 0;
        for me in rows.iter().filter(|row| row.active) {
            let mut found = Vec::new();
            for slots in [0..1, 1..6, 6..6, 6..150, 150..203] {
                seen.add_who_may_meet(Looker::of(me), slots, &mut found);
            }
            found.sort_unstable();
            let found: Vec<u32> = found.iter().map(|key| *key as u32).collect();
            let distance_m = |index: &u32| rows[*index as usize].position.distance(me.position);
            assert!(found.windows(2).all(|pair| distance_m(&pair[0]) <= distance_m(&pair[1]) + 1e-4));
            assert_eq!(
                found.iter().collect::<std::collections::BTreeSet<_>>().len(),
                found.len(),
                "once each"
            );
            for (index, them) in (0..).zip(&rows) {
                let margin = margin(me, them);
                let expected = them.active && margin > 0.0;
                let is_found = found.contains(&index);
                assert!(is_found == expected || margin.abs() < 1e-4, "{} sees {index}: {margin}", me.id.0);
                matter += usize::from(is_found);
            }
        }
        assert!(matter > 203 * 10, "{matter}");
    }
}
