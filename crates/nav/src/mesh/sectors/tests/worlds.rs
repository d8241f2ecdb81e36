//! Random worlds of solid boxes, and a flood of them by brute force.

use crate::mesh::test_rooms::Random;
use crate::room::{FloodSettings, LevelGeometry};
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// A solid box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Solid {
    pub min: DVec3,
    pub max: DVec3,
}

/// Solid boxes whose coordinates are eighths of a metre, so that the arithmetic of both floods is exact.
#[derive(Debug, Clone)]
pub(super) struct World {
    pub solids: Vec<Solid>,
    pub start: DVec3,
}

/// The side of a box, the height of a step, and the headroom, in metres.
pub(super) const BOX_M: f64 = 0.5;
pub(super) const STEP_M: f64 = 0.25;
pub(super) const HEADROOM_M: f64 = 1.8;

impl World {
    /// A floor with obstacles, steps, platforms, and floors above it.
    pub(super) fn random(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut eighths = |least: u64, most: u64| (least + random.below(most - least)) as f64 / 8.0;
        let floor = DVec3::new(10.0, 0.0, 10.0);
        let mut solids = vec![Solid { min: DVec3::new(0.0, -1.0, 0.0), max: floor }];
        for _ in 0..12 {
            let at = DVec3::new(eighths(0, 72), 0.0, eighths(0, 72));
            let size = DVec3::new(eighths(1, 32), 0.0, eighths(1, 32));
            // Low steps, tables, walls, and slabs in the air.
            let (bottom, top) = match eighths(0, 32) as u64 {
                0 => (0.0, eighths(1, 4)),
                1 => (0.0, eighths(1, 12)),
                2 => (0.0, eighths(8, 40)),
                _ => (eighths(8, 24), eighths(25, 32)),
            };
            solids.push(Solid { min: at.with_y(bottom), max: (at + size).with_y(top) });
        }
        // Stairs up to platforms from which one may drop.
        for _ in 0..3 {
            let at = DVec3::new(eighths(0, 40), 0.0, eighths(0, 64));
            let (steps, wide) = (2 + eighths(0, 64) as usize, eighths(8, 24));
            for step in 1..=steps {
                let deep = if step == steps { 2.0 } else { 0.75 };
                let min = at + DVec3::new(0.75 * step as f64, 0.0, 0.0);
                solids.push(Solid { min, max: min + DVec3::new(deep, 0.125 * step as f64, wide) });
            }
        }
        // A balcony with room below it, and a wall or a gap there.
        if seed.is_multiple_of(2) {
            let at = DVec3::new(0.0, 0.0, eighths(0, 64));
            for step in 1..=18 {
                let min = at + DVec3::new(0.5 * step as f64, 0.0, 0.0);
                solids.push(Solid { min, max: min + DVec3::new(0.5, 0.125 * step as f64, 1.0) });
            }
            let min = at + DVec3::new(5.0 + eighths(0, 32), 2.125, 1.0);
            solids.push(Solid { min, max: min + DVec3::new(eighths(16, 32), 0.125, eighths(8, 40)) });
        }
        Self { solids, start: DVec3::new(0.25, 0.0, 0.25) }.with_free_start()
    }

    /// Without what stands on the start point or over it.
    fn with_free_start(mut self) -> Self {
        let on = self.start;
        self.solids.retain(|solid| {
            let is_over = solid.min.x < on.x + BOX_M && solid.min.z < on.z + BOX_M;
            !is_over || solid.max.y <= 0.0
        });
        self
    }

    /// The faces of all boxes as triangles that face outwards.
    pub(super) fn level(&self) -> LevelGeometry {
        let mut level = LevelGeometry { file: "boxes.obj".into(), ..LevelGeometry::default() };
        for Solid { min, max } in &self.solids {
            let first = level.vertices.len() as u32;
            for corner in 0..8 {
                let part = |bit: u32, low: f64, high: f64| if corner & bit == 0 { low } else { high };
                let at = DVec3::new(part(1, min.x, max.x), part(2, min.y, max.y), part(4, min.z, max.z));
                level.vertices.push(at);
            }
            let faces = [[2, 6, 7, 3], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5]];
            for [a, b, c, d] in faces {
                level.triangles.extend([[a, b, c], [a, c, d]].map(|corners| corners.map(|c| c + first)));
            }
        }
        level.settings.agent_radius_m = 0.3;
        level.settings.agent_climb_m = STEP_M;
        level.flood = Some(self.flood());
        level
    }

    pub(super) fn flood(&self) -> FloodSettings {
        FloodSettings { starts: vec![self.start], min_portal_width_m: 0.0, ..FloodSettings::default() }
    }

    /// The solids that reach into a box of air.
    pub(super) fn within(&self, min: DVec3, max: DVec3) -> impl Iterator<Item = &Solid> {
        let reaches = move |solid: &&Solid| {
            let (low, high) = (solid.min.max(min), solid.max.min(max));
            low.x < high.x && low.z < high.z && low.y < high.y
        };
        self.solids.iter().filter(reaches)
    }

    /// The middle of a column of boxes.
    pub(super) fn middle(&self, [x, z]: [i32; 2]) -> DVec3 {
        self.start + DVec3::new(f64::from(x) * BOX_M, 0.0, f64::from(z) * BOX_M)
    }

    /// A box of air over a column.
    fn over(&self, column: [i32; 2], from: f64, to: f64) -> [DVec3; 2] {
        let (middle, half) = (self.middle(column), DVec3::new(BOX_M / 2.0, 0.0, BOX_M / 2.0));
        [(middle - half).with_y(from), (middle + half).with_y(to)]
    }

    /// Where a body at a height in one column comes to rest in the next one.
    fn step(&self, from: [i32; 2], height: f64, to: [i32; 2]) -> Option<f64> {
        let lifted = height + STEP_M;
        let [min, max] = self.over(to, lifted - 6.5, lifted);
        let below = self.within(min, max).filter(|solid| solid.max.y < lifted);
        let ground = below.map(|solid| solid.max.y).fold(f64::NEG_INFINITY, f64::max);
        let feet = height.max(ground);
        let is_free = |column: [i32; 2]| {
            let [min, max] = self.over(column, feet + 1e-6, feet + HEADROOM_M);
            self.within(min, max).all(|solid| solid.max.y <= feet) && {
                // Headroom must be more than the body's height.
                let [min, max] = self.over(column, feet + 1e-6, feet + HEADROOM_M + 1e-3);
                self.within(min, max).next().is_none()
            }
        };
        (ground.is_finite() && ground >= lifted - 6.5 && is_free(from) && is_free(to)).then_some(ground)
    }

    /// All places that are flooded, and for each of them where its steps end.
    pub(super) fn brute_flood(&self) -> BTreeMap<([i32; 2], u64), [Option<u64>; 4]> {
        let mut known = BTreeMap::new();
        let mut waiting = vec![([0, 0], 0_f64)];
        let mut seen = BTreeSet::new();
        while let Some((column, height)) = waiting.pop() {
            if !seen.insert((column, height.to_bits())) {
                continue;
            }
            let steps = [[1, 0], [0, 1], [-1, 0], [0, -1]].map(|[x, z]: [i32; 2]| {
                let next = [column[0] + x, column[1] + z];
                let ground = self.step(column, height, next)? + 0.0;
                waiting.push((next, ground));
                Some(ground.to_bits())
            });
            known.insert((column, height.to_bits()), steps);
        }
        known
    }
}
