//! An oracle for levels of boxes at whole units, written from the rules alone: it looks at every unit of height, and
//! relaxes all moves until nothing changes.

use super::{Actor, Cell, Stance};
use crate::geometry::SolidShape;
use crate::room::{Brush, BrushKind, Facing, TacticsSettings};
use std::collections::BTreeMap;

const TOP: i64 = 512;

pub(super) struct Oracle<'a> {
    pub(super) brushes: &'a [Brush],
    pub(super) settings: TacticsSettings,
    pub(super) actor: i64,
    pub(super) cells: BTreeMap<[i64; 3], (i64, i64)>,
}

type Rect = [f64; 4];

impl<'a> Oracle<'a> {
    pub(super) fn new(brushes: &'a [Brush], settings: TacticsSettings, actor: i64, size: [i64; 2]) -> Self {
        let mut oracle = Self { brushes, settings, actor, cells: BTreeMap::new() };
        for y in 0..=size[1] - actor {
            for x in 0..=size[0] - actor {
                oracle.trace_column(x, y);
            }
        }
        oracle
    }

    fn boxes(&self) -> impl Iterator<Item = ([f64; 3], [f64; 3], bool)> + '_ {
        self.brushes.iter().filter(|brush| !matches!(brush.kind, BrushKind::Ladder(_))).map(|brush| {
            let SolidShape::Box([min, max]) = &brush.shape else { panic!("boxes only") };
            (min.to_array(), max.to_array(), brush.kind == BrushKind::Clip)
        })
    }

    fn middle(&self, x: i64, y: i64) -> [f64; 2] {
        [x, y].map(|at| (at as f64 + self.actor as f64 / 2.0) * 32.0)
    }

    /// The boxes over a rectangle.
    fn over(&self, [x0, y0, x1, y1]: Rect) -> Vec<(i64, i64, bool)> {
        self.boxes()
            .filter(|(min, max, _)| min[0] < x1 && x0 < max[0] && min[1] < y1 && y0 < max[1])
            .map(|(min, max, clip)| (min[2] as i64, max[2] as i64, clip))
            .collect()
    }

    fn trace_column(&mut self, x: i64, y: i64) {
        let [mx, my] = self.middle(x, y);
        let over = self.over([mx - 2.0, my - 2.0, mx + 2.0, my + 2.0]);
        let is_solid = |z: i64| over.iter().any(|&(low, high, _)| low <= z && z < high);
        let (step, least) = (self.settings.step_quants() * 4, self.settings.opening_quants() * 4);
        let mut z = TOP;
        while z > 0 {
            // Down to the next surface: a solid unit below a free one, or the top of the level.
            z -= 1;
            if !is_solid(z) || z + 1 < TOP && is_solid(z + 1) {
                continue;
            }
            let surface = z + 1;
            let is_clip = !over.iter().any(|&(_, high, clip)| high == surface && !clip);
            let floor = (surface + 3) / 4 * 4;
            let mut ceiling = surface;
            while ceiling < TOP && !is_solid(ceiling) {
                ceiling += 1;
            }
            let ceiling = ceiling / 4 * 4;
            if is_clip
                || floor >= TOP
                || ceiling - floor < i64::from(step)
                || ceiling - floor < i64::from(least)
            {
                continue;
            }
            for level in (floor / 64..=(ceiling - 1) / 64).rev() {
                let base = level * 64;
                self.cells.entry([x, y, level]).or_insert(((floor - base) / 4, (ceiling - base) / 4));
            }
        }
        // The cell of a floor belongs to it, and what is above it in the cell to nobody else: later entries are lower.
    }

    /// The floor and the ceiling of a cell, in quants from the bottom.
    pub(super) fn space(&self, [x, y, z]: [i64; 3]) -> Option<(i64, i64)> {
        self.cells.get(&[x, y, z]).map(|&(floor, ceiling)| (floor + 16 * z, ceiling + 16 * z))
    }

    /// The height of what is clear between two cells, and whether nothing rises or drops by more than a step.
    pub(super) fn passage(&self, from: [i64; 3], [dx, dy]: [i64; 2]) -> (i64, bool, bool) {
        let to = [from[0] + dx, from[1] + dy, from[2]];
        let (Some(here), Some(there)) = (self.space(from), self.space(to)) else { return (0, false, false) };
        let step = i64::from(self.settings.step_quants());
        let low = here.0.max(there.0).max(16 * from[2]);
        let (bottom, top) =
            (low + step, (low + i64::from(self.settings.opening_quants())).max(low + step + 1));
        let roof = here.1.min(there.1);
        let clear =
            |quant: i64| quant < roof && !self.swept(from, to, (quant * 4) as f64, (quant * 4 + 4) as f64);
        if !(bottom..top).all(clear) {
            return (0, false, false);
        }
        let (mut first, mut last) = (bottom, top);
        while first > low && clear(first - 1) {
            first -= 1;
        }
        while clear(last) {
            last += 1;
        }
        let (a, b) = (self.middle(from[0], from[1]), self.middle(to[0], to[1]));
        let highest = (here.0.max(there.0) + step) * 4;
        let mut floors = vec![here.0];
        for stride in 1..8 {
            let share = f64::from(stride) / 8.0;
            let [x, y] = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
            let over = self.over([x - 2.0, y - 2.0, x + 2.0, y + 2.0]);
            // The top of what is joined with something that begins below the height of a step.
            let mut tops = over.clone();
            tops.sort();
            let mut merged: Vec<(i64, i64)> = Vec::new();
            for (low, high, _) in tops {
                let (low, high) = (low.div_euclid(4), (high + 3).div_euclid(4));
                match merged.last_mut() {
                    Some(last) if low <= last.1 => last.1 = last.1.max(high),
                    _ => merged.push((low, high)),
                }
            }
            let top = merged.iter().filter(|(low, _)| low * 4 < highest).map(|(_, high)| *high).max();
            floors.push(top.unwrap_or(-99_999));
        }
        floors.push(there.0);
        (last - first, walks(&floors, step), steps_down(&floors, step))
    }

    /// Whether a box that moves from one cell to another, between two heights, hits a solid: the segment of its centre
    /// against solids that are larger by half the box.
    fn swept(&self, from: [i64; 3], to: [i64; 3], low: f64, high: f64) -> bool {
        let half = 16.0 * self.actor as f64 - 5.0;
        let (a, b) = (self.middle(from[0], from[1]), self.middle(to[0], to[1]));
        self.boxes().any(|(min, max, _)| {
            if min[2] >= high || low >= max[2] {
                return false;
            }
            let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
            for axis in 0..2 {
                let (near, far) = (min[axis] - half, max[axis] + half);
                let run = b[axis] - a[axis];
                if run == 0.0 {
                    if a[axis] <= near || a[axis] >= far {
                        return false;
                    }
                    continue;
                }
                let (t0, t1) = ((near - a[axis]) / run, (far - a[axis]) / run);
                enter = enter.max(t0.min(t1));
                leave = leave.min(t0.max(t1));
            }
            enter < leave - 1e-9
        })
    }

    /// Where those look who climb in a cell: as the first ladder in it says.
    fn ladder(&self, [x, y, z]: [i64; 3]) -> Option<Facing> {
        let cell = [x * 32, y * 32, z * 64].map(|from| from as f64);
        let long = [32 * self.actor, 32 * self.actor, 64].map(|side| side as f64);
        self.brushes.iter().find_map(|brush| {
            let BrushKind::Ladder(facing) = brush.kind else { return None };
            let SolidShape::Box([min, max]) = &brush.shape else { panic!("boxes only") };
            let is_in = (0..3).all(|axis| min[axis] < cell[axis] + long[axis] && cell[axis] < max[axis]);
            is_in.then_some(facing)
        })
    }

    fn is_ladder(&self, at: [i64; 3]) -> bool {
        self.ladder(at).is_some()
    }

    fn is_ground(&self, at: [i64; 3]) -> bool {
        self.space(at).is_some_and(|(floor, _)| floor >= 16 * at[2])
    }

    /// Where an actor that comes into a cell ends: it falls past what carries nobody. `None` if another one is in the way.
    fn landing(&self, mut at: [i64; 3], flies: bool, others: &[[i64; 3]]) -> Option<[i64; 3]> {
        loop {
            let is_taken = others.iter().any(|other| {
                (0..2).all(|axis| (at[axis]..at[axis] + self.actor).contains(&other[axis]))
                    && other[2] == at[2]
            });
            if is_taken {
                return None;
            }
            if flies || self.is_ground(at) || self.is_ladder(at) {
                return Some(at);
            }
            at[2] -= 1;
        }
    }

    /// The least TU from a cell, for each cell and stance.
    pub(super) fn table(&self, start: Cell, actor: &Actor) -> BTreeMap<([i64; 3], bool), i64> {
        let (flies, budget) = (actor.flies, i64::from(actor.budget));
        let others: Vec<[i64; 3]> = actor.forbidden.iter().map(|cell| cell.map(i64::from)).collect();
        let start = start.map(i64::from);
        if self.space(start).is_none() {
            return BTreeMap::new();
        }
        let Some(start) = self.landing(start, flies, &[]) else { return BTreeMap::new() };
        // A state is a place, a stance, and where the actor looks.
        let mut tu = BTreeMap::from([((start, actor.stance == Stance::Crouch, actor.facing), 0)]);
        let turn = if flies { 0 } else { i64::from(self.settings.turn_tu) };
        let (step, fall) = (i64::from(self.settings.step_quants()), i64::from(self.settings.fall_quants()));
        loop {
            let mut changed = false;
            for ((at, crouches, looks), spent) in tu.clone() {
                let Some((floor, ceiling)) = self.space(at) else { continue };
                let mut take = |to: [i64; 3], crouches: bool, looks: Option<Facing>, cost: i64| {
                    // An actor may change its stance even if another one is in its cell.
                    let end = if to == at { Some(to) } else { self.landing(to, flies, &others) };
                    let Some(end) = end else { return };
                    let looks = if end == to { looks } else { self.ladder(end).or(looks) };
                    let to = end;
                    let total = spent + cost;
                    if total <= budget && tu.get(&(to, crouches, looks)).is_none_or(|&known| total < known) {
                        tu.insert((to, crouches, looks), total);
                        changed = true;
                    }
                };
                let (grounded, holds) = (self.is_ground(at), self.is_ladder(at));
                // In the air, the feet are at the base of the cell.
                let feet = floor.max(16 * at[2]);
                let body = i64::from(self.settings.body_quants(crouches));
                if !crouches && grounded {
                    if ceiling - feet >= i64::from(self.settings.body_quants(true)) {
                        take(at, true, looks, 3);
                    }
                } else if crouches && ceiling - feet >= i64::from(self.settings.body_quants(false)) {
                    take(at, false, looks, 3);
                }
                for (dx, dy) in
                    (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|&d| d != (0, 0))
                {
                    let cost = match (dx == 0 || dy == 0, crouches) {
                        (true, false) => 2,
                        (true, true) | (false, false) => 3,
                        (false, true) => 4,
                    };
                    let ahead = match (dx, dy) {
                        (0, -1) => Some(Facing::North),
                        (1, 0) => Some(Facing::East),
                        (0, 1) => Some(Facing::South),
                        (-1, 0) => Some(Facing::West),
                        _ => None,
                    };
                    let beside = [at[0] + dx, at[1] + dy, at[2]];
                    let (gap, rises, drops) = self.passage(at, [dx, dy]);
                    if gap >= body {
                        let there = self.space(beside).unwrap().0;
                        let (is_below, is_step) = (there < 16 * at[2], drops || floor - there <= step);
                        // Ahead on the ground, or a step down, which lands at once, or over an edge, which falls.
                        if grounded && rises && is_step {
                            let foot = [beside[0], beside[1], there.div_euclid(16).min(at[2])];
                            take(foot, crouches, ahead, cost);
                        } else if grounded && rises && feet - there <= fall && !(is_below && flies) {
                            take(beside, crouches, ahead, cost);
                        }
                        // On to a ladder, off one, and through the air.
                        let lets_go = holds && !grounded && (!is_below || feet - there <= fall);
                        if is_below && self.is_ladder(beside) && !(grounded && rises && is_step) || lets_go {
                            take(beside, crouches, ahead, cost);
                        }
                        if flies && !crouches {
                            take(beside, false, ahead, 2 * cost);
                        }
                    }
                    // Up a stair: through the cell above.
                    let (over, to) = ([at[0], at[1], at[2] + 1], [beside[0], beside[1], at[2] + 1]);
                    let is_stair = grounded
                        && self.space(over).is_some_and(|space| space.0 == floor)
                        && self.is_ground(to);
                    let (gap, rises, _) = self.passage(over, [dx, dy]);
                    if is_stair && gap >= body && rises {
                        take(to, crouches, ahead, cost);
                    }
                }
                // Up and down: on a ladder that goes on there, or in the air.
                for up in [1, -1] {
                    let to = [at[0], at[1], at[2] + up];
                    let climbs = holds && self.is_ladder(to);
                    let has_room = self.space(to) == Some((floor, ceiling))
                        && (up < 0 || ceiling - 16 * to[2] >= body)
                        && (up > 0 || !grounded);
                    if has_room && climbs {
                        let turned = if looks == self.ladder(at) { 0 } else { turn };
                        take(to, crouches, self.ladder(at), turned + if crouches { 6 } else { 4 });
                    } else if has_room && flies && !crouches {
                        take(to, false, looks, 4);
                    }
                }
            }
            if !changed {
                return least(tu);
            }
        }
    }
}

/// The least TU of each place and stance, wherever the actor looks.
fn least(tu: BTreeMap<([i64; 3], bool, Option<Facing>), i64>) -> BTreeMap<([i64; 3], bool), i64> {
    let mut least = BTreeMap::new();
    for ((at, crouches, _), tu) in tu {
        let known = least.entry((at, crouches)).or_insert(tu);
        *known = tu.min(*known);
    }
    least
}

/// Whether an actor that stands at the first height walks over the others: it meets nothing higher than a step, and steps
/// over what is lower, but not over three in a row.
fn walks(heights: &[i64], step: i64) -> bool {
    let [stands, ahead @ ..] = heights else { return true };
    let lower = ahead.iter().take(2).take_while(|&height| height < stands).count();
    let met = ahead.len().min(lower + 1);
    ahead[..met].iter().all(|height| height - stands <= step)
        && (met == lower || walks(&ahead[lower..], step))
}

/// Whether it gets to the last height without a drop of more than a step, whatever lower ones it steps over.
fn steps_down(heights: &[i64], step: i64) -> bool {
    let [stands, ahead @ ..] = heights else { return true };
    let over = |next: usize| ahead[..next].iter().all(|height| height < stands);
    let mut nexts = 0..ahead.len().min(3);
    ahead.is_empty()
        || nexts.any(|next| over(next) && stands - ahead[next] <= step && steps_down(&ahead[next..], step))
}
