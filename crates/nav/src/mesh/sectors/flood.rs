//! The flood: from box to box, from the start points on.

use super::columns::Columns;
use super::lattice::Lattice;
use super::settings::{SAME_M, SWEEP_M, Settings};
use crate::mesh::progress::{Progress, Stopped};
use crate::parallel;
use std::ops::Range;

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

/// Steps from about so many columns are tested by a thread at a time.
const COLUMNS: usize = 1 << 15;

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

    /// All steps from floors: tests those that are not known.
    ///
    /// # Errors
    /// If the work is stopped.
    pub(super) fn tested_in(self, level: &Level<'_>, progress: &mut Progress) -> Result<Self, Stopped> {
        let count = level.lattice.columns().div_ceil(COLUMNS);
        let test = |piece: usize| {
            let last = level.lattice.columns().min((piece + 1) * COLUMNS);
            self.tested_at(level, (piece * COLUMNS) as u32..last as u32)
        };
        let pieces = parallel::map(count, test, |done| progress.at(done, count))?;
        let mut all = Self { known: Vec::with_capacity(self.known.len()), tested: 0 };
        for piece in pieces {
            all.known.extend(piece.known);
            all.tested += piece.tested;
        }
        Ok(all)
    }

    /// The steps from some columns.
    fn tested_at(&self, level: &Level<'_>, columns: Range<u32>) -> Self {
        let first = |column: u32| level.columns.first(column) as usize;
        let mut steps =
            Self { known: self.known[first(columns.start)..first(columns.end)].to_vec(), tested: 0 };
        let mut all = steps.known.iter_mut();
        for column in columns {
            let runs = level.columns.of_column(column).iter().enumerate().zip(&mut all);
            for ((run, _), known) in runs.filter(|((_, run), _)| run.is_floor) {
                for (side, known) in known.iter_mut().enumerate().filter(|(_, known)| **known == UNTESTED) {
                    steps.tested += 1;
                    let found = level.step(column, run, side).and_then(|run| u16::try_from(run).ok());
                    *known = found.filter(|&run| run < UNTESTED).unwrap_or(NO_STEP);
                }
            }
        }
        steps
    }

    /// Where a step from a run to a side ends. The run is given by its index among all.
    fn step(&self, run: usize, side: usize) -> Option<u32> {
        let known = self.known[run][side];
        (known < UNTESTED).then_some(u32::from(known))
    }
}

/// The column at a side of another one. At the border of the lattice columns are empty, so there it may be any of them.
pub(super) fn neighbour(lattice: &Lattice, column: u32, side: usize) -> Option<u32> {
    let row = lattice.width as u32;
    let next = match side {
        0 => column.checked_add(1),
        1 => column.checked_add(row),
        2 => column.checked_sub(1),
        _ => column.checked_sub(row),
    };
    next.filter(|&next| (next as usize) < lattice.columns())
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
    pub(super) fn new(level: &Level<'_>, starts: &[(u32, usize)], steps: &Steps) -> Self {
        let Level { columns, settings, lattice } = *level;
        let mut is_flooded = vec![false; columns.runs.len()];
        let mut waiting = Vec::new();
        let mut count = 0;
        // Runs by their columns, and their indices among all.
        let mut reach = |column: u32, run: u32, waiting: &mut Vec<(u32, u32)>| {
            if !std::mem::replace(&mut is_flooded[run as usize], true) {
                count += 1;
                waiting.push((column, run));
            }
        };
        starts
            .iter()
            .for_each(|&(column, run)| reach(column, columns.first(column) + run as u32, &mut waiting));
        while let Some((column, run)) = waiting.pop() {
            // The last one is taken first: row by row, as memory is.
            for side in [1, 3, 2, 0] {
                if let Some(there) = steps.step(run as usize, side)
                    && let Some(next) = neighbour(lattice, column, side)
                {
                    reach(next, columns.first(next) + there, &mut waiting);
                }
            }
        }
        let mut number_of = vec![NONE; columns.runs.len()];
        let mut flood = Self::with_capacity(count);
        for column in 0..lattice.columns() as u32 {
            for (run, at) in
                (columns.first(column) as usize..).take(columns.of_column(column).len()).enumerate()
            {
                if !is_flooded[at] {
                    continue;
                }
                number_of[at] = flood.columns.len() as u32;
                let ground = columns.runs[at];
                let ceiling_m = columns.ceiling_m(column, run);
                flood.ceilings_m.push(ceiling_m);
                flood.columns.push(column);
                flood.tops_m.push(ground.top_m);
                flood.floors_m.push(ground.floor_m);
                flood.is_low.push(f64::from(ceiling_m - ground.top_m) <= settings.headroom_m + SAME_M);
            }
        }
        let runs = (0..is_flooded.len()).filter(|&run| is_flooded[run]);
        for (run, &column) in runs.zip(&flood.columns) {
            let step = |side: usize| {
                let there = steps.step(run, side)?;
                Some(number_of[(columns.first(neighbour(lattice, column, side)?) + there) as usize])
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
