//! The flood: from box to box, from the start points on.

use super::columns::Columns;
use super::lattice::Lattice;
use super::settings::{SAME_M, SWEEP_M, Settings};

/// In lists of nodes: none.
pub(super) const NONE: u32 = u32::MAX;

/// The four sides of a box: larger x, larger z, smaller x, smaller z.
pub(super) const SIDES: usize = 4;

/// The side from which one came.
pub(super) fn opposite(side: usize) -> usize {
    (side + 2) % SIDES
}

/// For each run of the columns and each side: the number of the run in the next column where a step ends.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Steps {
    known: Vec<[u16; SIDES]>,
    /// The number of steps that were tested, not remembered.
    pub tested: usize,
}

const NO_STEP: u16 = u16::MAX;
const UNTESTED: u16 = u16::MAX - 1;

impl Steps {
    pub(super) fn new(columns: &Columns) -> Self {
        Self { known: vec![[UNTESTED; SIDES]; columns.runs.len()], tested: 0 }
    }

    /// The steps that are as before: those between columns that have not changed.
    pub(super) fn kept(
        &self,
        before: &Columns,
        after: &Columns,
        lattice: &Lattice,
        changed: &[bool],
    ) -> Self {
        let mut kept = Self::new(after);
        for column in 0..lattice.columns() as u32 {
            if changed[column as usize] || before.of_column(column).is_empty() {
                continue;
            }
            let is_same =
                |side: &usize| neighbour(lattice, column, *side).is_none_or(|next| !changed[next as usize]);
            let same: Vec<usize> = (0..SIDES).filter(is_same).collect();
            for run in 0..before.of_column(column).len() {
                let (old, new) = (before.first(column) as usize + run, after.first(column) as usize + run);
                same.iter().for_each(|&side| kept.known[new][side] = self.known[old][side]);
            }
        }
        kept
    }

    /// Where a step from a run to a side ends.
    fn step(&mut self, level: &Level<'_>, column: u32, run: usize, side: usize) -> Option<usize> {
        let at = level.columns.first(column) as usize + run;
        if self.known[at][side] == UNTESTED {
            self.tested += 1;
            let found = level.step(column, run, side).and_then(|run| u16::try_from(run).ok());
            self.known[at][side] = found.unwrap_or(NO_STEP);
        }
        let known = self.known[at][side];
        (known < UNTESTED).then_some(usize::from(known))
    }
}

/// The column at a side of another one.
pub(super) fn neighbour(lattice: &Lattice, column: u32, side: usize) -> Option<u32> {
    let [x, z] = lattice.place(column);
    let (x, z) = match side {
        0 => (x + 1, z),
        1 => (x, z + 1),
        2 => (x.checked_sub(1)?, z),
        _ => (x, z.checked_sub(1)?),
    };
    (x < lattice.width && z < lattice.depth).then(|| lattice.column(x, z))
}

/// What steps are tested in.
pub(super) struct Level<'a> {
    pub lattice: &'a Lattice,
    pub columns: &'a Columns,
    pub settings: &'a Settings,
}

impl Level<'_> {
    /// Sweeps a box, lifted by the height of a step, to the next column and down. Returns the run on which it comes to
    /// rest, if a character can walk there.
    pub(super) fn step(&self, column: u32, run: usize, side: usize) -> Option<usize> {
        let Self { lattice, columns, settings } = *self;
        let same_m = SAME_M as f32;
        let (step_m, least_m) = (settings.step_m as f32, settings.least_headroom_m as f32);
        let next = neighbour(lattice, column, side)?;
        let from_m = columns.of_column(column)[run].top_m;
        let lifted_m = from_m + step_m;
        let there = columns.below(next, lifted_m - same_m)?;
        let ground = columns.of_column(next)[there];
        if !ground.is_floor || lifted_m - ground.top_m > SWEEP_M as f32 {
            return None;
        }
        // The body needs its headroom over the higher of both floors, in both columns and between them.
        let feet_m = from_m.max(ground.top_m);
        let ceiling_m = columns.ceiling_m(column, run).min(columns.ceiling_m(next, there));
        if ceiling_m - feet_m <= least_m + same_m {
            return None;
        }
        let (behind, axis) = if side < 2 { (next, side) } else { (column, side - 2) };
        let is_walled = columns.is_walled(behind, axis as u8, feet_m + step_m, feet_m + least_m);
        (!is_walled).then_some(there)
    }
}

/// What was flooded: boxes, and the steps between them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Flood {
    /// The columns of the boxes, ascending. Boxes of one column are in order from below.
    pub columns: Vec<u32>,
    /// Where the box rests, and the height of the floor in its middle, in metres above the base.
    pub tops_m: Vec<f32>,
    pub floors_m: Vec<f32>,
    /// The height of the ceiling, in metres above the base.
    pub ceilings_m: Vec<f32>,
    /// Whether one has to crouch there.
    pub is_low: Vec<bool>,
    /// For each side the box where a step ends, or [`NONE`].
    pub next: Vec<[u32; SIDES]>,
}

impl Flood {
    /// Floods from some runs.
    pub(super) fn new(level: &Level<'_>, starts: &[(u32, usize)], steps: &mut Steps) -> Self {
        let Level { columns, settings, .. } = *level;
        let mut is_flooded = vec![false; columns.runs.len()];
        let mut waiting = Vec::new();
        let mut count = 0;
        let mut reach = |column: u32, run: usize, waiting: &mut Vec<(u32, u32)>| {
            let flooded = &mut is_flooded[columns.first(column) as usize + run];
            if !std::mem::replace(flooded, true) {
                count += 1;
                waiting.push((column, run as u32));
            }
        };
        starts.iter().for_each(|&(column, run)| reach(column, run, &mut waiting));
        while let Some((column, run)) = waiting.pop() {
            // The last one is taken first: row by row, as memory is.
            for side in [1, 3, 2, 0] {
                if let Some(there) = steps.step(level, column, run as usize, side)
                    && let Some(next) = neighbour(level.lattice, column, side)
                {
                    reach(next, there, &mut waiting);
                }
            }
        }
        let all = 0..level.lattice.columns() as u32;
        let of_column =
            |column: u32| (0..columns.of_column(column).len() as u32).map(move |run| (column, run));
        let is_box = |&(column, run): &(u32, u32)| is_flooded[(columns.first(column) + run) as usize];
        let mut boxes = Vec::with_capacity(count);
        boxes.extend(all.flat_map(of_column).filter(is_box));
        let mut number_of = vec![NONE; columns.runs.len()];
        let mut flood = Self::with_capacity(count);
        for (number, &(column, run)) in boxes.iter().enumerate() {
            let at = columns.first(column) + run;
            number_of[at as usize] = number as u32;
            let ground = columns.runs[at as usize];
            let ceiling_m = columns.ceiling_m(column, run as usize);
            flood.ceilings_m.push(ceiling_m);
            flood.columns.push(column);
            flood.tops_m.push(ground.top_m);
            flood.floors_m.push(ground.floor_m);
            flood.is_low.push(f64::from(ceiling_m - ground.top_m) <= settings.headroom_m + SAME_M);
        }
        for &(column, run) in &boxes {
            let step = |side: usize| {
                let there = steps.step(level, column, run as usize, side)?;
                let next = neighbour(level.lattice, column, side)?;
                Some(number_of[columns.first(next) as usize + there])
            };
            flood.next.push([0, 1, 2, 3].map(step).map(|next| next.unwrap_or(NONE)));
        }
        flood
    }

    fn with_capacity(boxes: usize) -> Self {
        Self {
            columns: Vec::with_capacity(boxes),
            tops_m: Vec::with_capacity(boxes),
            floors_m: Vec::with_capacity(boxes),
            ceilings_m: Vec::with_capacity(boxes),
            is_low: Vec::with_capacity(boxes),
            next: Vec::with_capacity(boxes),
        }
    }

    /// The number of boxes.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Where a step ends.
    pub(super) fn step(&self, node: u32, side: usize) -> Option<u32> {
        Some(self.next[node as usize][side]).filter(|&next| next != NONE)
    }

    /// Where a step ends that holds in return.
    pub(super) fn both_ways(&self, node: u32, side: usize) -> Option<u32> {
        self.step(node, side).filter(|&next| self.next[next as usize][opposite(side)] == node)
    }
}
