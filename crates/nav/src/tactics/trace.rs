//! Tracing a level for one size of actors: floors, ceilings, and the passages between cells.
//!
//! A cell has room if its ceiling is above 0. Heights are in quants: floors and ceilings from the base of their cell,
//! passages as the height of what is clear, from the base of the cell that they begin in.

use super::level::{Level, Span, centre};
use super::region::{Rectangle, Region};
use super::steps::Steps;
use crate::geometry::Prism;
use crate::room::{CELL_UNITS, MAX_TACTICAL_LEVELS, TacticsSettings};
use glam::DVec2;

/// Quants of a level.
pub(super) const LEVEL_QUANTS: i32 = 16;

/// The eight directions on the plane: first the straight ones, then the diagonals. Each is followed by the opposite one.
pub const DIRECTIONS: [[i32; 2]; 8] = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1], [-1, 1], [1, -1]];

/// The direction that leads back.
pub(super) fn back(direction: usize) -> usize {
    direction ^ 1
}

/// Walls may jut into a cell by so many units.
const SLIVER_UNITS: f64 = 5.0;
/// Half the side of the box that floors and ceilings are found with, in units.
const PROBE_UNITS: f64 = 2.0;
/// A step is judged in so many strides from cell to cell.
const STRIDES: usize = 8;

/// One cell for one size of actors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    /// Negative if it is in a cell below.
    pub(super) floor: i16,
    /// 0 if the cell is solid, or without a floor below.
    pub(super) ceiling: i16,
    /// The height of what is clear, for each direction, whatever the floors are.
    pub(super) gaps: [u8; 8],
    /// The directions without a rise of more than a step.
    pub(super) rises: u8,
    /// The directions without a drop of more than a step.
    pub(super) drops: u8,
}

/// A cell without room.
const SOLID: Cell = Cell { floor: 0, ceiling: 0, gaps: [0; 8], rises: 0, drops: 0 };

/// A traced level for one size of actors.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trace {
    /// The side of an actor, in cells: 1 or 2.
    pub(super) actor: u32,
    pub(super) size: [u32; 3],
    pub(super) cells: Vec<Cell>,
    /// For each cell, the moves to places on the same level.
    pub(super) steps: Vec<Steps>,
}

impl Trace {
    /// Traces a whole level.
    pub(super) fn new(level: &Level, settings: &TacticsSettings, actor: u32, is_open: &[bool]) -> Self {
        let [width, depth, levels] = level.size;
        let mut trace = Self::untraced([width, depth, levels], actor);
        trace.renew(level, settings, is_open, &[[[0, 0], [width, depth]]]);
        trace
    }

    /// A level without any room yet.
    pub(super) fn untraced(size: [u32; 3], actor: u32) -> Self {
        let count = size.iter().product::<u32>() as usize;
        Self { actor, size, cells: vec![SOLID; count], steps: vec![Steps::default(); count] }
    }

    /// Traces floors and ceilings of a column.
    pub(super) fn renew_column(
        &mut self,
        level: &Level,
        settings: &TacticsSettings,
        is_open: &[bool],
        at: [u32; 2],
        spans: &mut Vec<Span>,
    ) {
        let prism = Prism::square(centre(at, self.actor), PROBE_UNITS);
        level.spans(at, &prism, is_open, spans);
        self.take_column(at, spans, settings);
    }

    /// Traces the cells of rectangles again, and the passages into and out of them.
    pub(super) fn renew(
        &mut self,
        level: &Level,
        settings: &TacticsSettings,
        is_open: &[bool],
        rectangles: &[Rectangle],
    ) {
        let mut spans = Vec::new();
        let changed = Region::of(rectangles, [self.size[0], self.size[1]]);
        for at in changed.columns() {
            self.renew_column(level, settings, is_open, at, &mut spans);
        }
        // Passages of the neighbours lead into the rectangles.
        let around = changed.grown();
        for at in around.columns() {
            for direction in [0, 2, 4, 6] {
                if let Some(to) = self.beside(at, direction) {
                    self.trace_passage(level, settings, is_open, (at, to, direction), &mut spans);
                }
            }
        }
        // A passage is seen from both its ends.
        for [x, y] in around.grown().columns() {
            for z in 0..self.size[2] {
                let index = self.index([x, y, z]);
                self.steps[index] = Steps::of(self, [x, y, z], settings);
            }
        }
    }

    /// The column in a direction, if an actor fits into the level there.
    pub(super) fn beside(&self, at: [u32; 2], direction: usize) -> Option<[u32; 2]> {
        let [dx, dy] = DIRECTIONS[direction];
        let to = [at[0].checked_add_signed(dx)?, at[1].checked_add_signed(dy)?];
        self.holds(to).then_some(to)
    }

    fn holds(&self, [x, y]: [u32; 2]) -> bool {
        x + self.actor <= self.size[0] && y + self.actor <= self.size[1]
    }

    pub(super) fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        ((z * self.size[1] + y) * self.size[0] + x) as usize
    }

    pub(super) fn at(&self, place: [u32; 3]) -> &Cell {
        &self.cells[self.index(place)]
    }

    /// The floor and the ceiling of the space that a cell is part of, in quants from the bottom of the level.
    pub(super) fn space(&self, [x, y, z]: [u32; 3]) -> Option<[i32; 2]> {
        let cell = self.at([x, y, z]);
        let base = z as i32 * LEVEL_QUANTS;
        (cell.ceiling > 0).then(|| [i32::from(cell.floor) + base, i32::from(cell.ceiling) + base])
    }

    /// Floors and ceilings of a column, from the top down. The topmost floor in a cell owns it.
    fn take_column(&mut self, [x, y]: [u32; 2], spans: &[Span], settings: &TacticsSettings) {
        let top_of_level = MAX_TACTICAL_LEVELS as i32 * LEVEL_QUANTS;
        for z in 0..self.size[2] {
            let index = self.index([x, y, z]);
            self.cells[index] = SOLID;
        }
        if !self.holds([x, y]) {
            return;
        }
        let mut free_below = self.size[2] as i32; // cells from here on are taken
        for (index, span) in spans.iter().enumerate().rev() {
            let floor = span.top;
            let ceiling = spans.get(index + 1).map_or(top_of_level, |above| above.bottom);
            let is_usable = span.carries
                && floor < top_of_level
                && ceiling - floor >= settings.step_quants()
                && ceiling - floor >= settings.opening_quants();
            if !is_usable {
                continue;
            }
            let (first, last) = (floor.div_euclid(LEVEL_QUANTS), (ceiling - 1).div_euclid(LEVEL_QUANTS));
            for z in first.max(0)..=last.min(free_below - 1) {
                let (base, index) = (z * LEVEL_QUANTS, self.index([x, y, z as u32]));
                let (floor, ceiling) = ((floor - base) as i16, (ceiling - base) as i16);
                self.cells[index] = Cell { floor, ceiling, ..SOLID };
            }
            free_below = free_below.min(first);
        }
    }

    /// The passages between two columns, in both directions, on all levels.
    fn trace_passage(
        &mut self,
        level: &Level,
        settings: &TacticsSettings,
        is_open: &[bool],
        (at, to, direction): ([u32; 2], [u32; 2], usize),
        spans: &mut Vec<Span>,
    ) {
        let [from_centre, to_centre] = [at, to].map(|at| centre(at, self.actor));
        let prism =
            Prism::swept(from_centre, to_centre, CELL_UNITS / 2.0 * f64::from(self.actor) - SLIVER_UNITS);
        level.spans(at, &prism, is_open, spans);
        // The strides between two floors, if they were judged already.
        let mut judged: Option<([i32; 2], [bool; 4])> = None;
        for z in 0..self.size[2] {
            let [here, there] = [at, to].map(|[x, y]| self.space([x, y, z]));
            let (Some(here), Some(there)) = (here, there) else {
                self.set_passage((at, to, direction), z, 0, [false; 4]);
                continue;
            };
            let base = z as i32 * LEVEL_QUANTS;
            let floor = here[0].max(there[0]);
            let gap = gap(spans, [floor, here[1].min(there[1])], base, settings);
            let ways = match judged {
                _ if gap == 0 => [false; 4],
                Some((floors, ways)) if floors == [here[0], there[0]] => ways,
                _ => {
                    let flat = here[0] == there[0]
                        && level.is_flat(at, &prism, floor, floor + settings.step_quants(), is_open);
                    let ways = match flat {
                        true => [true; 4],
                        false => {
                            let floors = [here[0], there[0]];
                            strides(level, settings, is_open, (at, [from_centre, to_centre]), floors)
                        }
                    };
                    judged = Some(([here[0], there[0]], ways));
                    ways
                }
            };
            self.set_passage((at, to, direction), z, gap, ways);
        }
    }

    fn set_passage(
        &mut self,
        (at, to, direction): ([u32; 2], [u32; 2], usize),
        z: u32,
        gap: u8,
        [rises, drops, rises_back, drops_back]: [bool; 4],
    ) {
        for (place, direction, rises, drops) in
            [(at, direction, rises, drops), (to, back(direction), rises_back, drops_back)]
        {
            let index = self.index([place[0], place[1], z]);
            let cell = &mut self.cells[index];
            let bit = 1 << direction;
            cell.gaps[direction] = gap;
            cell.rises = cell.rises & !bit | if rises { bit } else { 0 };
            cell.drops = cell.drops & !bit | if drops { bit } else { 0 };
        }
    }
}

/// The height of what is clear of a passage, from the base of its cell. 0 if none is.
fn gap(spans: &[Span], [floor, ceiling]: [i32; 2], base: i32, settings: &TacticsSettings) -> u8 {
    let low = floor.max(base);
    let bottom = low + settings.step_quants();
    let top = (low + settings.opening_quants()).max(bottom + 1);
    if top > ceiling || spans.iter().any(|span| span.bottom < top && bottom < span.top) {
        return 0;
    }
    let below = spans.iter().filter(|span| span.top <= bottom).map(|span| span.top).max();
    let above = spans.iter().filter(|span| span.bottom >= top).map(|span| span.bottom).min();
    let clear_from = below.map_or(low, |below| below.max(low));
    let clear_to = above.map_or(ceiling, |above| above.min(ceiling));
    (clear_to - clear_from).clamp(0, 255) as u8
}

/// Strides that may be skipped in a row.
const MOST_SKIPPED: usize = 2;

/// Whether nothing on the way from one centre to another is higher than a step, and whether one can walk down it without
/// a drop of more than a step; then the same for the way back.
fn strides(
    level: &Level,
    settings: &TacticsSettings,
    is_open: &[bool],
    (at, [from, to]): ([u32; 2], [DVec2; 2]),
    floors: [i32; 2],
) -> [bool; 4] {
    let step = settings.step_quants();
    let highest = floors[0].max(floors[1]) + step;
    let mut spans = Vec::new();
    let mut heights = [0; STRIDES + 1];
    for (stride, height) in heights.iter_mut().enumerate() {
        *height = match stride {
            0 => floors[0],
            STRIDES => floors[1],
            _ => {
                let centre = from.lerp(to, stride as f64 / STRIDES as f64);
                level.spans(at, &Prism::square(centre, PROBE_UNITS), is_open, &mut spans);
                let tops = spans.iter().filter(|span| span.bottom < highest).map(|span| span.top);
                tops.max().unwrap_or(-i32::from(i16::MAX))
            }
        };
    }
    let there = [never_rises(&heights, step), steps_down(&heights, step)];
    heights.reverse();
    [there[0], there[1], never_rises(&heights, step), steps_down(&heights, step)]
}

/// Whether no stride lies more than a step above where the actor stands: at the last stride that it did not skip. It skips
/// those that are lower, at most two in a row, and so steps over a crack.
fn never_rises(heights: &[i32], step: i32) -> bool {
    let (mut stands, mut skipped) = (heights[0], 0);
    heights[1..].iter().all(|&height| {
        let is_free = height - stands <= step;
        skipped = if height < stands && skipped < MOST_SKIPPED { skipped + 1 } else { 0 };
        stands = if skipped == 0 { height } else { stands };
        is_free
    })
}

/// Whether an actor can choose its strides so that it never drops by more than a step. It may skip lower ones, as in
/// [`never_rises`], but not the last one.
fn steps_down(heights: &[i32], step: i32) -> bool {
    let mut reached = [false; STRIDES + 1];
    reached[0] = true;
    for stands in 0..STRIDES {
        for next in stands + 1..=(stands + 1 + MOST_SKIPPED).min(STRIDES) {
            let skips = heights[stands + 1..next].iter().all(|&height| height < heights[stands]);
            reached[next] |= reached[stands] && skips && heights[stands] - heights[next] <= step;
        }
    }
    reached[STRIDES]
}
