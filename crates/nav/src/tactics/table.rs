//! The table of time units (TU): the least TU to every cell and stance, by Dijkstra's algorithm with buckets (Dial 1969).
//! From place to place it is A\* with the same buckets.

mod search;

use self::search::Search;
use super::moves::{Move, MoveKind};
use super::rules::Rules;
use super::trace::{DIRECTIONS, Trace};
use crate::room::{Facing, Stance};
use std::collections::BTreeMap;

/// A cell of a tactical level: x, y, and the level from the bottom.
pub type Cell = [u32; 3];

/// No move leads there.
const NEVER: u16 = u16::MAX;

/// What an actor may do, and where others are.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Actor {
    /// Its stance at the start.
    pub stance: Stance,
    /// Where it looks, as far as that is along an axis.
    pub facing: Option<Facing>,
    /// Whether it flies.
    pub flies: bool,
    /// The most TU it may spend.
    pub budget: u16,
    /// The cells of others. The actor enters none of them.
    pub forbidden: Vec<Cell>,
}

impl Actor {
    /// One on foot, alone, that looks nowhere.
    pub fn new(stance: Stance, budget: u16) -> Self {
        Self { stance, facing: None, flies: false, budget, forbidden: Vec::new() }
    }

    /// The same, looking that way.
    pub fn facing(self, facing: Option<Facing>) -> Self {
        Self { facing, ..self }
    }

    /// The same, flying or on foot.
    pub fn flying(self, flies: bool) -> Self {
        Self { flies, ..self }
    }

    /// The same, with others in these cells.
    pub fn around(self, forbidden: Vec<Cell>) -> Self {
        Self { forbidden, ..self }
    }
}

/// The least TU to all places, from one start.
#[derive(Debug, Clone, PartialEq)]
pub struct ReachTable {
    /// Where the actor starts, after it dropped to the floor.
    pub start: Cell,
    stance: Stance,
    size: [u32; 3],
    /// How many cells there are.
    cells: usize,
    /// The cells with a ladder, sorted, if to turn towards one costs something.
    ladders: Vec<u32>,
    /// The state in which it starts.
    first: u32,
    /// For each state the TU, and the move that led there. A state is a cell and a stance: first all cells where one
    /// stands, then all where one crouches, as most of a search is about those who stand. Behind them are the cells of
    /// `ladders`, for those who face the ladder, likewise.
    tu: Vec<u16>,
    last: Vec<Last>,
    /// Where moves over several levels came from, and those of actors that faced a ladder.
    far: BTreeMap<u32, u32>,
    /// The states that one falls through, sorted. They are no places.
    passed: Vec<u32>,
}

/// The last move to a state: its kind, its direction, and the change of level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Last(u8);

impl Last {
    const KINDS: [MoveKind; 8] = [
        MoveKind::Walk(0),
        MoveKind::Fly(0),
        MoveKind::FlyUp,
        MoveKind::FlyDown,
        MoveKind::ClimbUp,
        MoveKind::ClimbDown,
        MoveKind::Fall,
        MoveKind::Stand,
    ];
    /// More than one level, or it is not said.
    const FAR: u8 = 3;

    fn new(kind: MoveKind, levels: i64) -> Self {
        let (number, direction) = match kind {
            MoveKind::Walk(direction) => (0, direction),
            MoveKind::Fly(direction) => (1, direction),
            MoveKind::FlyUp => (2, 0),
            MoveKind::FlyDown => (3, 0),
            MoveKind::ClimbUp => (4, 0),
            MoveKind::ClimbDown => (5, 0),
            MoveKind::Fall => (6, 0),
            MoveKind::Crouch | MoveKind::Stand => (7, 0),
        };
        let change = match levels {
            0 => 0,
            1 => 1,
            -1 => 2,
            _ => Self::FAR,
        };
        Self(direction | number << 3 | change << 6)
    }

    fn kind(self, stance: Stance) -> MoveKind {
        match Self::KINDS[usize::from(self.0 >> 3 & 7)] {
            MoveKind::Walk(_) => MoveKind::Walk(self.0 & 7),
            MoveKind::Fly(_) => MoveKind::Fly(self.0 & 7),
            MoveKind::Stand if stance == Stance::Crouch => MoveKind::Crouch,
            kind => kind,
        }
    }

    /// How many levels the move led up. `None` if they are more than one.
    fn levels(self) -> Option<i32> {
        [Some(0), Some(1), Some(-1), None][usize::from(self.0 >> 6)]
    }
}

/// One place that can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reached {
    /// The cell.
    pub cell: Cell,
    /// The stance in which it is reached.
    pub stance: Stance,
    /// The least TU.
    pub tu: u16,
}

/// Where a path is to lead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    pub(super) cell: Cell,
    /// `None`: whichever costs less.
    pub(super) stance: Option<Stance>,
}

impl Goal {
    /// A lower bound of the TU from a cell: of straight and diagonal steps. Levels may cost nothing.
    fn least_tu(&self, cell: Cell) -> u32 {
        const STRAIGHT_TU: u32 = Stance::Stand.tu(0) as u32;
        const DIAGONAL_TU: u32 = Stance::Stand.tu(4) as u32;
        let [far_x, far_y] = [0, 1].map(|axis| cell[axis].abs_diff(self.cell[axis]));
        let (far, near) = (far_x.max(far_y), far_x.min(far_y));
        STRAIGHT_TU * (far - near) + DIAGONAL_TU * near
    }

    fn is_at(&self, (cell, stance): (Cell, Stance)) -> bool {
        cell == self.cell && self.stance.is_none_or(|wanted| wanted == stance)
    }
}

impl ReachTable {
    /// Finds the least TU to all places; with a goal, only what is needed for the least TU to it. `None` if there is no
    /// room at the start.
    pub(super) fn new(rules: &Rules<'_>, start: Cell, actor: &Actor, goal: Option<&Goal>) -> Option<Self> {
        let start = rules.landing(start)?;
        let trace = rules.trace;
        let (cells, ladders) = (trace.cells.len(), rules.cells_of_turns());
        let count = 2 * (cells + ladders.len());
        let mut table = Self {
            start,
            stance: actor.stance,
            size: trace.size,
            cells,
            ladders,
            first: 0,
            tu: vec![NEVER; count],
            last: vec![Last::default(); count],
            far: BTreeMap::new(),
            passed: Vec::new(),
        };
        table.first = table.state(start, actor.stance, rules.faces(trace.index(start), actor)) as u32;
        let mut others = cells_of_others(actor, trace);
        // Where it starts it may stand up, and crouch on a floor, though another one is on its cells, too. To come back costs
        // more, so that only a stance that it cannot take there must be closed.
        let own = trace.index(start);
        let may_change = actor.stance == Stance::Crouch
            || rules.is_ground(own) && rules.has_headroom(start, Stance::Crouch);
        others.retain(|&index| index != own || !may_change);
        // Nothing is cheaper than nothing, so nobody enters the cells of others.
        others.iter().for_each(|&index| table.of_cell(index).for_each(|state| table.tu[state] = 0));
        let mut table = Search::new(table, rules, goal, actor.budget).run();
        others.iter().for_each(|&index| table.of_cell(index).for_each(|state| table.tu[state] = NEVER));
        let first = table.first as usize;
        table.tu[first] = 0;
        table.passed.sort_unstable();
        Some(table)
    }

    /// The state of one in a cell. Whether it faces the ladder counts only where to turn costs something.
    fn state(&self, [x, y, z]: Cell, stance: Stance, faces: bool) -> usize {
        let index = ((z * self.size[1] + y) * self.size[0] + x) as usize;
        self.state_at(index, stance, faces).unwrap_or(index + stance as usize * self.cells)
    }

    /// The state of one in a cell, by its index: `None` for one that faces a ladder where none is.
    fn state_at(&self, index: usize, stance: Stance, faces: bool) -> Option<usize> {
        if !faces {
            return Some(index + stance as usize * self.cells);
        }
        let ladder = self.ladders.binary_search(&(index as u32)).ok()?;
        Some(2 * self.cells + stance as usize * self.ladders.len() + ladder)
    }

    /// The states of a cell in a stance: one, or two with a ladder.
    fn of_stance(&self, index: usize, stance: Stance) -> impl Iterator<Item = usize> + use<> {
        let facing = if self.ladders.is_empty() { None } else { self.state_at(index, stance, true) };
        std::iter::once(index + stance as usize * self.cells).chain(facing)
    }

    /// The states of a cell: those who stand, and those who crouch.
    fn of_cell(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        self.of_stance(index, Stance::Stand).chain(self.of_stance(index, Stance::Crouch))
    }

    /// The cell of a state, by its index, its stance, and whether it faces a ladder.
    fn parts(&self, state: u32) -> (usize, Stance, bool) {
        let stance = |crouches: bool| if crouches { Stance::Crouch } else { Stance::Stand };
        let (state, cells) = (state as usize, self.cells);
        match state.checked_sub(2 * cells) {
            None if state < cells => (state, Stance::Stand, false),
            None => (state - cells, Stance::Crouch, false),
            Some(place) => {
                let count = self.ladders.len();
                (self.ladders[place % count] as usize, stance(place >= count), true)
            }
        }
    }

    /// The cell of a state, by its index. Nearly all states face no ladder.
    #[inline]
    fn index(&self, state: u32) -> usize {
        match state as usize {
            state if state < self.cells => state,
            state if state < 2 * self.cells => state - self.cells,
            _ => self.parts(state).0,
        }
    }

    /// The state of the same cell in the other stance, of one that faces no ladder.
    fn other_stance(&self, state: u32) -> u32 {
        let cells = self.cells as u32;
        if state < cells { state + cells } else { state - cells }
    }

    fn of(&self, state: u32) -> (Cell, Stance) {
        let index = self.index(state) as u32;
        let is_facing = state as usize >= 2 * self.cells;
        let stance = match is_facing {
            true => self.parts(state).1,
            false if index == state => Stance::Stand,
            false => Stance::Crouch,
        };
        let (x, row) = (index % self.size[0], index / self.size[0]);
        ([x, row % self.size[1], row / self.size[1]], stance)
    }

    /// The state with the least TU of a place in a stance. `None` if it is out of reach, or no place.
    fn best(&self, index: usize, stance: Stance) -> Option<usize> {
        let known = self.of_stance(index, stance).filter(|&state| self.tu[state] != NEVER);
        known
            .min_by_key(|&state| self.tu[state])
            .filter(|&state| self.passed.binary_search(&(state as u32)).is_err())
    }

    /// The least TU to a place in a stance. `None` if it is out of reach, or no place.
    pub fn tu(&self, cell: Cell, stance: Stance) -> Option<u16> {
        if (0..3).any(|axis| cell[axis] >= self.size[axis]) {
            return None;
        }
        Some(self.tu[self.best(self.state(cell, Stance::Stand, false), stance)?])
    }

    /// All places in reach, by level, row and column; standing before crouching.
    pub fn reached(&self) -> impl Iterator<Item = Reached> + '_ {
        let both = [Stance::Stand, Stance::Crouch];
        let all = (0..self.cells).flat_map(move |index| both.map(|stance| (index, stance)));
        all.filter_map(|(index, stance)| {
            let state = self.best(index, stance)?;
            Some(Reached { cell: self.of(state as u32).0, stance, tu: self.tu[state] })
        })
    }

    /// The moves to a place, from the start on. `None` if it is out of reach.
    pub fn path(&self, to: Cell, stance: Stance) -> Option<Vec<Move>> {
        if (0..3).any(|axis| to[axis] >= self.size[axis]) {
            return None;
        }
        let mut moves = Vec::new();
        let mut state = self.best(self.state(to, Stance::Stand, false), stance)? as u32;
        while state != self.first {
            let (cell, stance) = self.of(state);
            let (before, kind) = self.before(state);
            let tu = self.tu[state as usize] - self.tu[before as usize];
            moves.push(Move { kind, to: cell, stance, tu });
            state = before;
        }
        moves.reverse();
        Some(moves)
    }

    /// The state before a state other than the first, and the move between them.
    fn before(&self, state: u32) -> (u32, MoveKind) {
        let (cell, stance) = self.of(state);
        let last = self.last[state as usize];
        let kind = last.kind(stance);
        if let Some(&from) = self.far.get(&state).filter(|_| last.levels().is_none()) {
            return (from, kind);
        }
        if matches!(kind, MoveKind::Crouch | MoveKind::Stand) {
            return (self.other_stance(state), kind);
        }
        let [dx, dy] = kind.direction().unwrap_or_default();
        let back = |at: u32, by: i32| at.wrapping_add_signed(-by);
        let from = [back(cell[0], dx), back(cell[1], dy), back(cell[2], last.levels().unwrap_or(0))];
        (self.state(from, stance, false) as u32, kind)
    }

    /// The stance in which a place is reached with the least TU: standing, if both cost as much.
    pub fn best_stance(&self, cell: Cell) -> Option<Stance> {
        let both = [Stance::Stand, Stance::Crouch];
        both.into_iter()
            .filter(|&stance| self.tu(cell, stance).is_some())
            .min_by_key(|&stance| self.tu(cell, stance))
    }

    /// The stance of the actor at the start.
    pub fn stance(&self) -> Stance {
        self.stance
    }
}

/// The cells, by their index, that an actor must not enter, as others are there.
pub(super) fn cells_of_others(actor: &Actor, trace: &Trace) -> Vec<usize> {
    let is_in = |cell: &&Cell| (0..3).all(|axis| cell[axis] < trace.size[axis]);
    let mut cells = Vec::new();
    for &[x, y, z] in actor.forbidden.iter().filter(is_in) {
        // An actor is in the way of all that would stand in its cell.
        for (dx, dy) in (0..trace.actor).flat_map(|dy| (0..trace.actor).map(move |dx| (dx, dy))) {
            if let (Some(x), Some(y)) = (x.checked_sub(dx), y.checked_sub(dy)) {
                cells.push(trace.index([x, y, z]));
            }
        }
    }
    cells
}

/// The place that a move leads to on the plane.
pub(super) fn direction_of(direction: u8) -> [i32; 2] {
    DIRECTIONS[usize::from(direction)]
}
