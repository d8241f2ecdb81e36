//! Plans of a tactical level: one for each of its levels, with what an actor reaches and the way that it takes.

use super::{Picture, Route, Shape, Tint};
use crate::crowd::{ActorState, Character, CharacterId};
use crate::mesh::Mesh;
use crate::nav::{Place, Position};
use crate::room::{ActorSpec, LEVEL_UNITS, Room, Stance};
use crate::tactics::{Border, Cell, DIRECTIONS, Move, ReachTable, Space, TacticalField};
use crate::world::World;
use glam::DVec2;
use std::ops::RangeInclusive;

/// One level of a tactical level, cell by cell.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelPlan {
    /// Its number, from 0 at the bottom.
    pub level: u32,
    /// Cells along x.
    pub width: usize,
    /// Cells along z.
    pub depth: usize,
    /// Edge of a cell, metres.
    pub cell_m: f64,
    /// The lowest corner of the first cell, metres.
    pub origin_m: DVec2,
    /// Row by row, z ascending.
    pub cells: Vec<PlanCell>,
    /// For each cell, what is on its borders towards greater x and towards greater z.
    pub borders: Vec<[Option<PlanBorder>; 2]>,
    /// The doors on it.
    pub doors: Vec<PlanDoor>,
    /// The most TU that colours stand for: the budget of the actor, or the most in its reach. 0 without a reach.
    pub most_tu: u16,
}

/// A cell of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PlanCell {
    /// What it is for an actor of one cell.
    pub kind: CellKind,
    /// Whether a ladder is in it.
    pub ladder: bool,
    /// The least TU, and the stance in which they suffice, if it is in reach.
    pub tu: Option<(u16, Stance)>,
    /// The TU spent on the way there, if the way that is shown leads through it.
    pub spent: Option<u16>,
}

/// What an area opens and closes on a level.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlanDoor {
    /// The name of the area.
    pub name: String,
    /// Whether it is open.
    pub open: bool,
    /// A place in it, metres.
    pub at: DVec2,
}

/// What a cell is for an actor of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum CellKind {
    /// Without room.
    #[default]
    Solid,
    /// Filled by the closed brush of an area.
    Shut,
    /// Above a floor of a level below.
    Air,
    /// One can stand there.
    Floor,
}

/// What is on the border of two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanBorder {
    /// A step or a way that an area opens and closes.
    Door {
        /// Whether it is open.
        open: bool,
    },
    /// Anything else.
    Plain(Border),
}

/// The levels that a picture shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Levels {
    shown: (u32, u32),
    level_m: f64,
    cell_m: f64,
    /// The lowest corner of the first cell, metres: on the plane, and its height.
    origin_m: (DVec2, f64),
    /// The ground, if it has heights.
    mesh: Option<Mesh>,
}

impl Levels {
    /// The storey of a level: the nearest one that is shown.
    pub(super) fn storey_of_level(&self, level: u32) -> usize {
        (level.clamp(self.shown.0, self.shown.1) - self.shown.0) as usize
    }

    fn storey_of_height(&self, y_m: f64) -> usize {
        self.storey_of_level(((y_m - self.origin_m.1) / self.level_m).floor().clamp(0.0, 255.0) as u32)
    }

    pub(super) fn storey_of(&self, position: Position) -> usize {
        self.storey_of_height(self.mesh.as_ref().map_or(self.origin_m.1, |mesh| mesh.height_m(position)))
    }

    pub(super) fn storey_at(&self, place: Place) -> usize {
        self.storey_of_height(place.y_m.unwrap_or(self.origin_m.1))
    }

    pub(super) fn locate(&self, place: Place) -> Position {
        self.mesh.as_ref().map_or(Position { at: place.at, ..Position::default() }, |mesh| mesh.locate(place))
    }

    pub(super) fn count(&self) -> usize {
        (self.shown.1 - self.shown.0) as usize + 1
    }

    pub(super) fn caption(&self, storey: usize) -> String {
        format!("level {}", self.shown.0 as usize + storey)
    }

    /// Edge of a cell, metres.
    pub(super) fn cell_m(&self) -> f64 {
        self.cell_m
    }

    pub(super) fn level_of(&self, storey: usize) -> u32 {
        self.shown.0 + storey as u32
    }

    pub(super) fn place_on(&self, storey: usize, at: DVec2) -> Place {
        Place { at, y_m: Some(f64::from(self.level_of(storey)) * self.level_m + self.origin_m.1) }
    }

    /// The middle of an actor at a cell, metres.
    fn middle_m(&self, [x, y, _]: Cell, size: u32) -> DVec2 {
        (DVec2::new(f64::from(x), f64::from(y)) + f64::from(size) / 2.0) * self.cell_m + self.origin_m.0
    }
}

impl LevelPlan {
    fn of(field: &TacticalField, level: u32) -> Self {
        let [width, depth, _] = field.size();
        let view = field.view(level);
        let (spaces, borders) =
            view.as_ref().map_or((&[][..], &[][..]), |view| (&view.cells[..], &view.borders[..]));
        let kind = |space: &Space| match space {
            Space::Place => CellKind::Floor,
            Space::Air => CellKind::Air,
            _ => CellKind::Solid,
        };
        let cells = (0..depth).flat_map(|y| (0..width).map(move |x| [x, y, level])).zip(spaces);
        let cell = |(cell, space): (Cell, &Space)| PlanCell {
            kind: kind(space),
            ladder: field.is_ladder(cell),
            ..PlanCell::default()
        };
        let plain = |border: Option<Border>| border.map(PlanBorder::Plain);
        Self {
            level,
            width: width as usize,
            depth: depth as usize,
            cell_m: field.cell_m(),
            origin_m: field.origin_m().0,
            cells: cells.map(cell).collect(),
            borders: borders.iter().map(|sides| sides.map(plain)).collect(),
            doors: Vec::new(),
            most_tu: 0,
        }
    }

    /// The cell at a column and a row.
    pub fn cell(&self, x: usize, z: usize) -> Option<&PlanCell> {
        self.cells.get(z * self.width + x).filter(|_| x < self.width)
    }

    /// The corner of a cell with the smallest coordinates, metres.
    pub fn corner(&self, x: usize, z: usize) -> DVec2 {
        DVec2::new(x as f64, z as f64) * self.cell_m + self.origin_m
    }

    /// The column and the row at a place, if it is on the plan.
    pub fn cell_at(&self, at: DVec2) -> Option<(usize, usize)> {
        let cell = ((at - self.origin_m) / self.cell_m).floor();
        let is_in = cell.cmpge(DVec2::ZERO).all() && cell.x < self.width as f64 && cell.y < self.depth as f64;
        is_in.then_some((cell.x as usize, cell.y as usize))
    }

    /// What is on the border of a cell: towards greater x (0), or towards greater z (1).
    pub fn border(&self, x: usize, z: usize, side: usize) -> Option<PlanBorder> {
        self.borders.get(z * self.width + x).filter(|_| x < self.width)?[side]
    }

    /// The highest number of TU that is written on it.
    pub fn largest_number(&self) -> Option<u16> {
        self.cells.iter().flat_map(|cell| [cell.tu.map(|(tu, _)| tu), cell.spent]).flatten().max()
    }
}

impl Picture {
    /// Adds the plans of a tactical level: of all levels with a floor, and of those in `also`.
    pub(super) fn add_levels(
        &mut self,
        room: &Room,
        field: &TacticalField,
        mesh: Option<&Mesh>,
        also: impl Iterator<Item = u32>,
    ) {
        let mut shown: Option<RangeInclusive<u32>> = None;
        let has_floor = |level: &u32| field.has_floor_on(*level);
        for level in (0..field.size()[2]).filter(has_floor).chain(also) {
            let (low, high) = shown.map_or((level, level), |shown| (*shown.start(), *shown.end()));
            shown = Some(low.min(level)..=high.max(level));
        }
        let shown = shown.unwrap_or(0..=0);
        let units_per_metre = room.tactics.as_ref().map_or(1.0, |tactics| tactics.settings.units_per_metre);
        let (level_m, cell_m) = (LEVEL_UNITS / units_per_metre, field.cell_m());
        let mut plans: Vec<LevelPlan> = shown.clone().map(|level| LevelPlan::of(field, level)).collect();
        for door in field.doors().iter() {
            let [x, y, level] = door.cell;
            let Some(plan) = level.checked_sub(*shown.start()).and_then(|at| plans.get_mut(at as usize))
            else {
                continue;
            };
            let index = y as usize * plan.width + x as usize;
            let name = &field.areas()[door.area];
            if !plan.doors.iter().any(|door| door.name == *name) {
                let beside = door
                    .direction
                    .map_or(DVec2::ZERO, |direction| DIRECTIONS[direction].map(f64::from).into());
                let at = field.middle_m(door.cell, 1) + beside * plan.cell_m / 2.0;
                plan.doors.push(PlanDoor { name: name.clone(), open: door.is_open, at });
            }
            match door.direction {
                Some(direction) => {
                    let border = &mut plan.borders[index][direction / 2];
                    let is_wall = *border == Some(PlanBorder::Plain(Border::Wall));
                    // Beside its door, the wall stays a wall.
                    if border.is_some() && (door.is_open || is_wall) {
                        *border = Some(PlanBorder::Door { open: door.is_open });
                    }
                }
                None if plan.cells[index].kind == CellKind::Solid => plan.cells[index].kind = CellKind::Shut,
                None => {}
            }
        }
        for (storey, plan) in plans.into_iter().enumerate() {
            self.add_on(Some(storey), Shape::Level(plan));
        }
        let levels = Levels {
            shown: (*shown.start(), *shown.end()),
            level_m,
            cell_m,
            origin_m: field.origin_m(),
            mesh: mesh.cloned(),
        };
        self.storeyed = Some(std::sync::Arc::new(super::storeyed::Storeyed::Levels(levels)));
    }

    /// Adds what an actor of a size reaches: all cells that it would stand on. Colours go up to `most_tu`, or to the most
    /// in reach if that is less.
    #[must_use]
    pub fn with_reach(mut self, table: &ReachTable, size: u32, most_tu: u16) -> Self {
        let mut most_in_reach = 0;
        for place in table.reached() {
            most_in_reach = most_in_reach.max(place.tu);
            for cell in ActorState::cells_of(place.cell, size) {
                let Some(cell) = self.cell_of_plan(cell) else { continue };
                if cell.tu.is_none_or(|(tu, _)| place.tu < tu) {
                    cell.tu = Some((place.tu, place.stance));
                }
            }
        }
        for plan in self.shapes.iter_mut().filter_map(level_plan_mut) {
            plan.most_tu = most_tu.min(most_in_reach).max(1);
        }
        self
    }

    /// Adds what an actor of a running room reaches with the TU that it has left. Nothing, if the character is none.
    #[must_use]
    pub fn with_reach_of(self, world: &World, who: CharacterId) -> Self {
        let actor = world.character(who).and_then(|character| character.actor.as_deref());
        let (Some(field), Some(actor)) = (world.tactics(), actor) else { return self };
        let Some(query) = world.cell_query(who) else { return self };
        match field.table(actor.cell, actor.size, &query) {
            Some(table) => self.with_reach(&table, actor.size, query.budget),
            None => self,
        }
    }

    /// Adds the moves of an actor of a size from a cell, with the TU spent in each cell.
    #[must_use]
    pub fn with_moves(mut self, start: Cell, size: u32, moves: &[Move]) -> Self {
        let mut spent = 0_u16;
        for step in moves {
            spent = spent.saturating_add(step.tu);
            if let Some(cell) = self.cell_of_plan(step.to) {
                cell.spent = Some(spent);
            }
        }
        self.add_cell_way(start, size, moves.iter().map(|step| step.to), None);
        self
    }

    /// Adds the rest of an actor's walk.
    pub(super) fn add_cell_walk(&mut self, character: &Character, actor: &ActorState) {
        let Some(walk) = &actor.walk else { return };
        let next = walk.under_way.map(|(step, _)| step.to);
        let cells = next.into_iter().chain(walk.steps.iter().rev().map(|&(cell, _)| cell));
        self.add_cell_way(actor.cell, actor.size, cells, Some(Tint::of(character)));
    }

    /// A way from cell to cell, on every level that it leads over.
    fn add_cell_way(
        &mut self,
        start: Cell,
        size: u32,
        cells: impl Iterator<Item = Cell>,
        tint: Option<Tint>,
    ) {
        let Some(levels) = self.levels() else { return };
        let (mut parts, mut before) = (vec![(start[2], vec![levels.middle_m(start, size)])], start);
        for cell in cells {
            let [from, to] = [before, cell].map(|cell| levels.middle_m(cell, size));
            if cell[2] != before[2] {
                // Stairs are half on each level.
                let middle = from.midpoint(to);
                parts.last_mut().into_iter().for_each(|(_, points)| points.push(middle));
                parts.push((cell[2], vec![middle]));
            }
            parts.last_mut().into_iter().for_each(|(_, points)| points.push(to));
            before = cell;
        }
        let goal = levels.middle_m(before, size);
        let storeys: Vec<usize> = parts.iter().map(|(level, _)| levels.storey_of_level(*level)).collect();
        let last = parts.len() - 1;
        for (number, (storey, (_, mut points))) in storeys.into_iter().zip(parts).enumerate() {
            points.dedup();
            let (begins, ends) = (number == 0, number == last);
            let route = Route { points, is_curved: false, goal, partial: false, tint, begins, ends };
            self.add_on(Some(storey), Shape::Path(route));
        }
    }

    fn cell_of_plan(&mut self, [x, y, level]: Cell) -> Option<&mut PlanCell> {
        let mut plans = self.shapes.iter_mut().filter_map(level_plan_mut);
        let plan = plans.find(|plan| plan.level == level)?;
        let (x, y) = (x as usize, y as usize);
        plan.cells.get_mut(y * plan.width + x).filter(|_| x < plan.width)
    }

    pub(super) fn levels(&self) -> Option<&Levels> {
        match self.storeyed.as_deref() {
            Some(super::storeyed::Storeyed::Levels(levels)) => Some(levels),
            _ => None,
        }
    }

    /// The level that a storey shows, if the room has a tactical level. The lowest storey is number 1.
    pub fn level_of_storey(&self, number: usize) -> Option<u32> {
        let storey = number.checked_sub(1)?;
        self.levels().filter(|levels| storey < levels.count()).map(|levels| levels.level_of(storey))
    }

    /// The storey that shows a level: the nearest one. The lowest is number 1.
    pub fn storey_of_level(&self, level: u32) -> Option<usize> {
        self.levels().map(|levels| levels.storey_of_level(level) + 1)
    }

    pub(super) fn level_plan(&self) -> Option<&LevelPlan> {
        self.shapes.iter().find_map(|shape| match shape {
            Shape::Level(plan) => Some(plan),
            _ => None,
        })
    }
}

/// An actor in a few words: `squad, 34 of 40 TU, crouched`.
pub(super) fn words_of(actor: &ActorState) -> String {
    let tu = format!("{} of {} TU", actor.tu, actor.budget);
    in_words(&actor.side, &tu, actor.stance, actor.flies)
}

/// The same for one at rest.
pub(super) fn words_of_spec(actor: &ActorSpec) -> String {
    in_words(&actor.side, &format!("{} TU", actor.budget), actor.stance, actor.flies)
}

fn in_words(side: &str, tu: &str, stance: Stance, flies: bool) -> String {
    let crouched = if stance == Stance::Crouch { "crouched" } else { "" };
    let parts = [side, tu, crouched, if flies { "flies" } else { "" }];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn level_plan_mut(shape: &mut Shape) -> Option<&mut LevelPlan> {
    match shape {
        Shape::Level(plan) => Some(plan),
        _ => None,
    }
}
