//! Turn-based movement over several storeys, as in UFO: Alien Invasion: a level of brushes is traced for floors,
//! ceilings and passages; the answer to a query is a table with the least time units (TU) to every cell and stance.
//!
//! Lengths are in units, x and y are the plane, z is up. A cell is 32 × 32 × 64 units; heights are counted in quants of
//! 4 units. All results are integers.

mod borders;
mod level;
mod moves;
mod region;
mod rules;
mod steps;
mod table;
#[cfg(test)]
mod tests;
mod trace;

pub use self::borders::{Border, Door, LevelView, Space};
pub use self::moves::{Move, MoveKind};
pub use self::table::{Actor, Cell, ReachTable, Reached};
pub use self::trace::DIRECTIONS;

use self::borders::PlanMemory;
use self::level::Level;
use self::rules::Rules;
use self::table::{Goal, cells_of_others};
use self::trace::{LEVEL_QUANTS, Trace};
pub use crate::room::Stance;
use crate::room::{Brush, CELL_UNITS, Facing, LEVEL_UNITS, QUANT_UNITS, Tactics, TacticsSettings};
use glam::{DVec2, DVec3};

/// The size of a cell, in units.
pub const CELL: DVec3 = DVec3::new(CELL_UNITS, CELL_UNITS, LEVEL_UNITS);

/// The sides of actors, in cells.
pub const ACTOR_SIZES: [u32; 2] = [1, 2];

/// A traced level for actors of both sizes.
#[derive(Debug, Clone)]
pub struct TacticalField {
    settings: TacticsSettings,
    level: Level,
    areas: Vec<String>,
    is_open: Vec<bool>,
    traces: [Trace; 2],
    /// Where those look who climb at a cell, if it has a ladder. Empty without ladders.
    ladders: [Vec<Option<Facing>>; 2],
    plans: PlanMemory,
}

/// What was traced for a cell and a size of actors, in quants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CellView {
    /// From the base of the cell. Negative if it is in a cell below.
    pub floor: i16,
    /// From the base of the cell.
    pub ceiling: i16,
    /// The height of the passage in each direction, from the base of the cell; 0 is none.
    pub openings: [u8; 8],
}

impl TacticalField {
    /// Traces a level. `is_open` tells which areas are open.
    pub fn new(tactics: &Tactics, is_open: impl Fn(&str) -> bool) -> Self {
        let mut field = Self::untraced(tactics, is_open);
        field.traces =
            ACTOR_SIZES.map(|actor| Trace::new(&field.level, &field.settings, actor, &field.is_open));
        field
    }

    /// A level that is not traced yet: no cell has room. For those who ask about a few columns only.
    pub fn untraced(tactics: &Tactics, is_open: impl Fn(&str) -> bool) -> Self {
        let (level, areas) = Level::new(tactics);
        let is_open: Vec<bool> = areas.iter().map(|area| is_open(area)).collect();
        let traces = ACTOR_SIZES.map(|actor| Trace::untraced(level.size, actor));
        let ladders = ACTOR_SIZES.map(|actor| ladders(&level, actor));
        let settings = tactics.settings;
        Self { settings, level, areas, is_open, traces, ladders, plans: PlanMemory::default() }
    }

    /// Traces floors and ceilings of the column of a cell, without passages.
    pub(crate) fn trace_column(&mut self, [x, y, _]: Cell, size: u32) {
        for trace in self.traces.iter_mut().filter(|trace| trace.actor == size) {
            trace.renew_column(&self.level, &self.settings, &self.is_open, [x, y], &mut Vec::new());
        }
    }

    /// Traces columns until an actor of one cell can stand in one. Returns whether there is one.
    pub(crate) fn finds_floor(&mut self) -> bool {
        let [width, depth, levels] = self.size();
        let mut columns = (0..depth).flat_map(|y| (0..width).map(move |x| [x, y, 0]));
        columns.any(|column| {
            self.trace_column(column, 1);
            let [x, y, _] = column;
            (0..levels).any(|z| self.cell([x, y, z], 1).is_some_and(|cell| cell.floor >= 0))
        })
    }

    /// The field of a changed level: only what is around changed brushes is traced again, if the settings and the size
    /// are the same. It equals that of [`TacticalField::new`]. `old` is what this field was traced from.
    pub fn retraced(&self, old: &Tactics, new: &Tactics, is_open: impl Fn(&str) -> bool) -> Self {
        let (level, areas) = Level::new(new);
        let has_moved = level.size != self.level.size || level.origin != self.level.origin;
        if old.settings != new.settings || has_moved {
            return Self::new(new, is_open);
        }
        let is_open: Vec<bool> = areas.iter().map(|area| is_open(area)).collect();
        let was_open = |area: &str| {
            let known = self.areas.iter().position(|name| name == area);
            known.is_some_and(|known| self.is_open[known])
        };
        // What both begin and end with is the same.
        let pairs = || old.brushes.iter().zip(&new.brushes);
        let first = pairs().take_while(|(old, new)| old == new).count();
        let rest = old.brushes.len().min(new.brushes.len()) - first;
        let from_end = old.brushes.iter().rev().zip(new.brushes.iter().rev());
        let last = from_end.take(rest).take_while(|(old, new)| old == new).count();
        let changed = [old, new].map(|tactics| &tactics.brushes[first..tactics.brushes.len() - last]);
        let mut traces = self.traces.clone();
        for trace in &mut traces {
            let of_brush = |brush: &Brush| level.cells_of_brush(brush, trace.actor);
            let mut rectangles: Vec<_> = changed.into_iter().flatten().filter_map(of_brush).collect();
            let switched = (0..).zip(&areas).filter(|(area, name)| is_open[*area as usize] != was_open(name));
            for (area, _) in switched {
                rectangles.extend(level.cells_of_area(area, trace.actor));
            }
            trace.renew(&level, &new.settings, &is_open, &rectangles);
        }
        let ladders = ACTOR_SIZES.map(|actor| ladders(&level, actor));
        Self { settings: new.settings, level, areas, is_open, traces, ladders, plans: PlanMemory::default() }
    }

    /// Cells along x and y, and levels above each other.
    pub fn size(&self) -> [u32; 3] {
        self.level.size
    }

    /// The lowest corner of the first cell, in units: 0, or lower if the level reaches lower. Cells and levels count from
    /// here.
    pub fn origin(&self) -> DVec3 {
        self.level.origin
    }

    /// The same in metres of the room: x, z and the height.
    pub fn origin_m(&self) -> (DVec2, f64) {
        let origin = self.level.origin / self.settings.units_per_metre;
        (origin.truncate(), origin.z)
    }

    /// Whether the level is larger than one may be. Then the rest of it is cut off.
    pub(crate) fn is_too_large(&self) -> bool {
        self.level.is_too_large
    }

    /// Whether an actor of one cell can stand anywhere on a level.
    pub fn has_floor_on(&self, level: u32) -> bool {
        let [width, depth, levels] = self.size();
        let first = (level * width * depth) as usize;
        let cells = self.traces[0].cells.iter().skip(first).take((width * depth) as usize);
        level < levels && cells.into_iter().any(|cell| cell.ceiling > 0 && cell.floor >= 0)
    }

    /// The areas that switch brushes.
    pub fn areas(&self) -> &[String] {
        &self.areas
    }

    /// Opens or closes the brushes of an area, and traces what is around them. Returns whether anything changed.
    pub fn set_area_available(&mut self, area: &str, available: bool) -> bool {
        let Some(index) = self.areas.iter().position(|name| name == area) else { return false };
        if std::mem::replace(&mut self.is_open[index], available) == available {
            return false;
        }
        self.plans = PlanMemory::default();
        for trace in &mut self.traces {
            let rectangles = self.level.cells_of_area(index as u32, trace.actor);
            trace.renew(&self.level, &self.settings, &self.is_open, &rectangles);
        }
        true
    }

    /// Whether a cell is one of the level.
    pub fn holds(&self, cell: Cell) -> bool {
        (0..3).all(|axis| cell[axis] < self.level.size[axis])
    }

    /// The cell that holds a place in units. `None` outside the level.
    pub fn cell_at(&self, place: DVec3) -> Option<Cell> {
        let cell = (place - self.level.origin) / CELL;
        let [x, y, z] = cell.floor().to_array();
        let size = self.size().map(f64::from);
        let is_in = x >= 0.0 && y >= 0.0 && z >= 0.0 && x < size[0] && y < size[1] && z < size[2];
        is_in.then_some([x as u32, y as u32, z as u32])
    }

    /// The cell of an actor whose middle is at a place of the plane, in metres of the room, on a level. `None` outside the
    /// level.
    pub fn cell_under(&self, at: DVec2, level: u32, size: u32) -> Option<Cell> {
        let cells = (at - self.origin_m().0) * (self.settings.units_per_metre / CELL_UNITS);
        // The middle of one of 2 × 2 cells is a corner of its cell.
        let first = if size == 1 { cells.floor() } else { cells.round() - 1.0 };
        let [width, depth, levels] = self.size();
        let last = DVec2::new(f64::from(width - size), f64::from(depth - size));
        let is_in = first.cmpge(DVec2::ZERO).all() && first.cmple(last).all() && level < levels;
        is_in.then_some([first.x as u32, first.y as u32, level])
    }

    /// The middle of an actor at a cell, in metres of the room.
    pub fn middle_m(&self, [x, y, _]: Cell, size: u32) -> DVec2 {
        let half = f64::from(size) / 2.0;
        DVec2::new(f64::from(x) + half, f64::from(y) + half) * self.cell_m() + self.origin_m().0
    }

    /// The side of a cell, in metres of the room.
    pub fn cell_m(&self) -> f64 {
        CELL_UNITS / self.settings.units_per_metre
    }

    /// Where an actor that is put into a cell stands: in mid-air it drops to the floor. `None` if there is no room for
    /// it.
    pub fn landing(&self, cell: Cell, size: u32, flies: bool) -> Option<Cell> {
        self.with_rules(cell, size, flies, |rules| rules.landing(cell))?
    }

    /// Whether an actor stays in a cell, instead of falling through it.
    pub fn is_place(&self, cell: Cell, size: u32, flies: bool) -> bool {
        self.landing(cell, size, flies) == Some(cell)
    }

    /// The place nearest to a cell where an actor has room and nobody is: the one the fewest cells away, a level
    /// counting as two. Of several that are equally near the one on the lowest level, then that in the first row, then in
    /// the first column. `None` if there is none.
    pub fn nearest_place(&self, to: Cell, size: u32, actor: &Actor) -> Option<Cell> {
        let trace = self.trace(size)?;
        let rules = Rules::new(trace, &self.ladders[(size - 1) as usize], &self.settings, actor.flies);
        let mut others = cells_of_others(actor, trace);
        others.sort_unstable();
        let [width, depth, levels] = trace.size;
        let rows = (0..levels).flat_map(|z| (0..depth).map(move |y| (y, z)));
        let cells = rows.flat_map(|(y, z)| (0..width).map(move |x| [x, y, z]));
        let far = |cell: &Cell| {
            let [x, y, z] = [0, 1, 2].map(|axis| cell[axis].abs_diff(to[axis]));
            x.max(y) + 2 * z
        };
        let is_free = |cell: &Cell| others.binary_search(&trace.index(*cell)).is_err();
        cells.filter(|cell| rules.has_room(*cell, actor.stance) && is_free(cell)).min_by_key(far)
    }

    /// The direction in which an actor of a size looks while it climbs at a cell.
    pub fn ladder_facing(&self, cell: Cell, size: u32) -> Option<Facing> {
        let trace = self.trace(size).filter(|_| self.holds(cell))?;
        *self.ladders[(size - 1) as usize].get(trace.index(cell))?
    }

    /// Where the feet of an actor are at a cell, in quants from the bottom of the level, and whether it fits there in its
    /// stance. `None` where no room is.
    pub(crate) fn footing(&self, cell: Cell, size: u32, flies: bool, stance: Stance) -> Option<(i32, bool)> {
        self.landing(cell, size, flies)?;
        let floor = i32::from(self.cell(cell, size)?.floor).max(0) + cell[2] as i32 * LEVEL_QUANTS;
        let fits = self.with_rules(cell, size, flies, |rules| rules.has_headroom(cell, stance))?;
        Some((floor, fits))
    }

    /// The height of an actor's feet at a cell, in metres of the room: of the floor, or of the cell in mid-air and on
    /// ladders. `None` where no room is.
    pub fn feet_m(&self, [x, y, z]: Cell, size: u32) -> Option<f64> {
        let floor = i32::from(self.cell([x, y, z], size)?.floor).max(0) + z as i32 * LEVEL_QUANTS;
        Some(f64::from(floor) * QUANT_UNITS / self.settings.units_per_metre + self.origin_m().1)
    }

    /// The ladders that face away from what they lean on: the place of the brush, where it faces, and the sides on which
    /// something solid is.
    pub fn ladders_that_face_away(&self) -> Vec<(usize, Facing, Vec<Facing>)> {
        self.level.ladders_that_face_away()
    }

    /// All moves of an actor from a cell, whoever is in its way and whatever is left of its budget.
    pub fn moves(&self, cell: Cell, size: u32, actor: &Actor) -> Vec<Move> {
        let mut moves = Vec::new();
        self.with_rules(cell, size, actor.flies, |rules| {
            let faces = self.trace(size).is_some_and(|trace| rules.faces(trace.index(cell), actor));
            let take = |to, stance, tu, kind| moves.push(Move { kind, to, stance, tu });
            rules.moves(cell, (actor.stance, faces), take);
        });
        moves
    }

    /// Asks the rules of moving, if there is room for an actor in the cell.
    fn with_rules<T>(
        &self,
        cell: Cell,
        size: u32,
        flies: bool,
        ask: impl FnOnce(&Rules<'_>) -> T,
    ) -> Option<T> {
        let trace = self.trace(size)?;
        let ladders = &self.ladders[(size - 1) as usize];
        (self.holds(cell) && trace.at(cell).ceiling > 0)
            .then(|| ask(&Rules::new(trace, ladders, &self.settings, flies)))
    }

    /// What was traced for a cell. `None` for one without room, and outside the level.
    pub fn cell(&self, cell: Cell, actor: u32) -> Option<CellView> {
        let trace = self.trace(actor)?;
        if !self.holds(cell) {
            return None;
        }
        let at = trace.at(cell);
        let opening = |direction: usize| {
            let [x, y] = trace.beside([cell[0], cell[1]], direction)?;
            // On the ground beside, a rise counts.
            let there = trace.at([x, y, cell[2]]);
            let rises = at.rises >> direction & 1 == 1 || there.floor < 0 && at.floor < 0;
            rises.then_some(at.gaps[direction])
        };
        let openings = std::array::from_fn(|direction| opening(direction).unwrap_or(0));
        (at.ceiling > 0).then_some(CellView { floor: at.floor, ceiling: at.ceiling, openings })
    }

    /// The height of the floor under a cell, in units. `None` for a cell without room.
    pub fn floor_units(&self, [x, y, z]: Cell, actor: u32) -> Option<f64> {
        let view = self.cell([x, y, z], actor)?;
        let quants = i32::from(view.floor) + z as i32 * LEVEL_QUANTS;
        Some(f64::from(quants) * QUANT_UNITS + self.level.origin.z)
    }

    /// The least TU to all places for an actor at a cell. `None` if there is no room for it.
    pub fn table(&self, start: Cell, size: u32, actor: &Actor) -> Option<ReachTable> {
        let trace = self.trace(size)?;
        if !self.holds(start) {
            return None;
        }
        let ladders = &self.ladders[(size - 1) as usize];
        let rules = Rules::new(trace, ladders, &self.settings, actor.flies);
        ReachTable::new(&rules, start, actor, None)
    }

    /// The cheapest moves from a cell to another one, with the stance at the end: the one asked for, or whichever costs
    /// less. `None` if there is no way. It costs what [`TacticalField::table`] says.
    pub fn path(
        &self,
        start: Cell,
        size: u32,
        actor: &Actor,
        (to, stance): (Cell, Option<Stance>),
    ) -> Option<(Vec<Move>, Stance)> {
        let trace = self.trace(size)?;
        if !self.holds(start) || !self.holds(to) {
            return None;
        }
        let ladders = &self.ladders[(size - 1) as usize];
        let rules = Rules::new(trace, ladders, &self.settings, actor.flies);
        let table = ReachTable::new(&rules, start, actor, Some(&Goal { cell: to, stance }))?;
        let stance = stance.or_else(|| table.best_stance(to))?;
        Some((table.path(to, stance)?, stance))
    }

    fn trace(&self, actor: u32) -> Option<&Trace> {
        self.traces.iter().find(|trace| trace.actor == actor)
    }
}

/// Where those look who climb, for each cell. Of several ladders in a cell the first counts. Empty without ladders.
fn ladders(level: &Level, actor: u32) -> Vec<Option<Facing>> {
    let [width, depth, levels] = level.size;
    if level.ladders.is_empty() {
        return Vec::new();
    }
    let mut found = vec![None; (width * depth * levels) as usize];
    for ladder in 0..level.ladders.len() {
        let [[left, top], [right, bottom]] = level.cells_of_ladder(ladder, actor);
        for (x, y) in (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y))) {
            for z in 0..levels {
                let index = ((z * depth + y) * width + x) as usize;
                if found[index].is_none() && level.is_in_cell(ladder, [x, y, z], actor) {
                    found[index] = Some(level.ladders[ladder].1);
                }
            }
        }
    }
    found
}
