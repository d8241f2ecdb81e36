//! The table of time units (TU): the least TU to every cell and stance, by Dijkstra's algorithm with buckets (Dial 1969).
//! From place to place it is A\* with the same buckets.

use super::moves::{Move, MoveKind};
use super::trace::{DIRECTIONS, LEVEL_QUANTS, Trace};
use crate::room::{Stance, TacticsSettings};

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
    /// Whether it flies.
    pub flies: bool,
    /// The most TU it may spend.
    pub budget: u16,
    /// The cells of others. The actor enters none of them.
    pub forbidden: Vec<Cell>,
}

impl Actor {
    /// One on foot, alone.
    pub fn new(stance: Stance, budget: u16) -> Self {
        Self { stance, flies: false, budget, forbidden: Vec::new() }
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
    /// For each state the TU, and the state that the move came from. A state is a cell and a stance.
    tu: Vec<u16>,
    from: Vec<u32>,
    kinds: Vec<MoveKind>,
    /// Whether a cell is a place: one neither falls through it nor is it solid.
    places: Vec<bool>,
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
        let [far_x, far_y] = [0, 1].map(|axis| cell[axis].abs_diff(self.cell[axis]));
        2 * far_x.max(far_y) + far_x.min(far_y)
    }

    fn is_at(&self, cell: Cell, stance: Stance) -> bool {
        cell == self.cell && self.stance.is_none_or(|wanted| wanted == stance)
    }
}

/// The rules of one search.
pub(super) struct Rules<'a> {
    pub(super) trace: &'a Trace,
    pub(super) ladders: &'a [bool],
    step: i32,
    fall: i32,
    bodies: [i32; 2],
    flies: bool,
    forbidden: Vec<bool>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(
        trace: &'a Trace,
        ladders: &'a [bool],
        settings: &TacticsSettings,
        actor: &Actor,
    ) -> Self {
        let mut forbidden = Vec::new();
        if !actor.forbidden.is_empty() {
            forbidden.resize(trace.cells.len(), false);
            // An actor is in the way of all that would stand in its cell.
            for &[x, y, z] in
                actor.forbidden.iter().filter(|cell| (0..3).all(|axis| cell[axis] < trace.size[axis]))
            {
                for (dx, dy) in (0..trace.actor).flat_map(|dy| (0..trace.actor).map(move |dx| (dx, dy))) {
                    if let (Some(x), Some(y)) = (x.checked_sub(dx), y.checked_sub(dy)) {
                        forbidden[trace.index([x, y, z])] = true;
                    }
                }
            }
        }
        Self {
            trace,
            ladders,
            step: settings.step_quants(),
            fall: settings.fall_quants(),
            bodies: [settings.body_quants(false), settings.body_quants(true)],
            flies: actor.flies,
            forbidden,
        }
    }

    fn is_ladder(&self, index: usize) -> bool {
        self.ladders.get(index) == Some(&true)
    }

    fn is_free(&self, index: usize) -> bool {
        self.forbidden.get(index) != Some(&true)
    }

    /// Whether the floor of a space is in this cell.
    fn is_ground(&self, index: usize) -> bool {
        let cell = &self.trace.cells[index];
        cell.ceiling > 0 && cell.floor >= 0
    }

    /// Whether an actor stays in a cell, instead of falling through it.
    pub(super) fn is_place(&self, index: usize) -> bool {
        self.trace.cells[index].ceiling > 0 && (self.flies || self.is_ground(index) || self.is_ladder(index))
    }

    /// Where an actor at a place ends: in mid-air it drops to the floor, or to a ladder. `None` where no room is.
    pub(super) fn landing(&self, [x, y, z]: Cell) -> Option<Cell> {
        self.trace.space([x, y, z])?;
        (0..=z).rev().map(|level| [x, y, level]).find(|&cell| self.is_place(self.trace.index(cell)))
    }

    /// Calls `take` with every move from a cell in a stance: the cell, the stance, the TU and the kind of move.
    pub(super) fn moves(
        &self,
        cell: Cell,
        stance: Stance,
        mut take: impl FnMut(Cell, Stance, u16, MoveKind),
    ) {
        let [x, y, z] = cell;
        let index = self.trace.index(cell);
        let here = &self.trace.cells[index];
        let base = z as i32 * LEVEL_QUANTS;
        let (floor, ceiling) = (i32::from(here.floor) + base, i32::from(here.ceiling) + base);
        let (is_ground, is_ladder) = (here.floor >= 0, self.is_ladder(index));
        let body = self.bodies[stance as usize];
        if !self.is_place(index) {
            let below = [x, y, z - 1];
            if self.is_free(self.trace.index(below)) {
                take(below, stance, 0, MoveKind::Fall);
            }
            return;
        }
        let feet = floor.max(base);
        match stance {
            Stance::Stand if is_ground => take(cell, Stance::Crouch, 3, MoveKind::Crouch),
            Stance::Crouch if ceiling - feet >= self.bodies[0] => {
                take(cell, Stance::Stand, 3, MoveKind::Stand)
            }
            _ => {}
        }
        for direction in 0..8 {
            let Some([nx, ny]) = self.trace.beside([x, y], direction) else { continue };
            let walk = MoveKind::Walk(direction as u8);
            let tu = stance.tu(direction);
            let bit = 1 << direction;
            let gap = i32::from(here.gaps[direction]);
            let to = [nx, ny, z];
            if gap >= body {
                let there = &self.trace.cells[self.trace.index(to)];
                let floor_there = i32::from(there.floor) + base;
                let land = (floor_there.div_euclid(LEVEL_QUANTS)).max(0) as u32;
                let walks = is_ground && here.rises & bit != 0;
                let steps_down = here.drops & bit != 0 || floor - floor_there <= self.step;
                let falls = feet - floor_there <= self.fall;
                let is_below = there.floor < 0;
                // It falls through the cells in between, a cell a move.
                let drops = walks && if is_below { falls && !self.flies } else { falls || steps_down };
                let holds_on = is_below && self.is_ladder(self.trace.index(to));
                let lets_go = is_ladder && !is_ground && (falls || !is_below);
                if walks && is_below && steps_down {
                    self.enter([nx, ny, land], stance, tu, walk, &mut take);
                } else if drops || holds_on || lets_go {
                    self.enter(to, stance, tu, walk, &mut take);
                }
                if self.flies && stance == Stance::Stand {
                    self.enter(to, stance, 2 * tu, MoveKind::Fly(direction as u8), &mut take);
                }
            }
            if is_ground && z + 1 < self.trace.size[2] {
                self.step_up([nx, ny, z + 1], (cell, floor, stance, direction), &mut take);
            }
        }
        let climbs = |to: Cell| is_ladder && self.is_ladder(self.trace.index(to));
        let floats = self.flies && stance == Stance::Stand;
        let cost = |flying: bool| if flying { 4 } else { stance.climbing_tu() };
        if z + 1 < self.trace.size[2] {
            let up = [x, y, z + 1];
            let has_room = self.trace.space(up).is_some_and(|space| space == [floor, ceiling]);
            let fits = has_room && ceiling - (base + LEVEL_QUANTS) >= body;
            if fits && (climbs(up) || floats) {
                let flying = !climbs(up);
                let kind = if flying { MoveKind::FlyUp } else { MoveKind::ClimbUp };
                self.enter(up, stance, cost(flying), kind, &mut take);
            }
        }
        if z > 0 && !is_ground {
            let down = [x, y, z - 1];
            if climbs(down) || floats {
                let flying = !climbs(down);
                let kind = if flying { MoveKind::FlyDown } else { MoveKind::ClimbDown };
                self.enter(down, stance, cost(flying), kind, &mut take);
            }
        }
    }

    /// A step up into the next level: a stair.
    fn step_up(
        &self,
        to: Cell,
        (cell, floor, stance, direction): (Cell, i32, Stance, usize),
        take: &mut impl FnMut(Cell, Stance, u16, MoveKind),
    ) {
        let [x, y, z] = cell;
        let over = [x, y, z + 1];
        let (above, there) = (self.trace.at(over), self.trace.at(to));
        let is_same_space = self.trace.space(over).is_some_and(|space| space[0] == floor);
        let fits = i32::from(above.gaps[direction]) >= self.bodies[stance as usize];
        if is_same_space && fits && there.floor >= 0 && above.rises >> direction & 1 == 1 {
            self.enter(to, stance, stance.tu(direction), MoveKind::Walk(direction as u8), take);
        }
    }

    fn enter(
        &self,
        to: Cell,
        stance: Stance,
        tu: u16,
        kind: MoveKind,
        take: &mut impl FnMut(Cell, Stance, u16, MoveKind),
    ) {
        if self.is_free(self.trace.index(to)) {
            take(to, stance, tu, kind);
        }
    }
}

impl ReachTable {
    /// Finds the least TU to all places; with a goal, only what is needed for the least TU to it. `None` if there is no
    /// room at the start.
    pub(super) fn new(rules: &Rules<'_>, start: Cell, actor: &Actor, goal: Option<&Goal>) -> Option<Self> {
        let trace = rules.trace;
        let start = rules.landing(start)?;
        let count = trace.cells.len() * 2;
        let mut table = Self {
            start,
            stance: actor.stance,
            size: trace.size,
            tu: vec![NEVER; count],
            from: vec![u32::MAX; count],
            kinds: vec![MoveKind::Fall; count],
            places: vec![false; trace.cells.len()],
        };
        // No move costs more than six TU, or leads farther from the goal than three.
        let mut buckets: [Vec<u32>; 16] = Default::default();
        let rest = |cell: Cell| goal.map_or(0, |goal| goal.least_tu(cell));
        let first = table.state(start, actor.stance);
        table.tu[first] = 0;
        let mut now = rest(start);
        buckets[(now & 15) as usize].push(first as u32);
        let (mut waiting, mut has_arrived) = (1, false);
        while waiting > 0 && !has_arrived {
            while let Some(state) = buckets[(now & 15) as usize].pop() {
                waiting -= 1;
                let (cell, stance) = table.of(state);
                let spent = table.tu[state as usize];
                if u32::from(spent) + rest(cell) != now {
                    continue;
                }
                let is_place = rules.is_place(state as usize / 2);
                table.places[state as usize / 2] = is_place;
                // What else is as cheap is still looked at, so that standing goes before crouching.
                has_arrived |= is_place && goal.is_some_and(|goal| goal.is_at(cell, stance));
                rules.moves(cell, stance, |to, stance, tu, kind| {
                    let Some(total) =
                        spent.checked_add(tu).filter(|&total| total <= actor.budget && total < NEVER)
                    else {
                        return;
                    };
                    let next = table.state(to, stance);
                    if total < table.tu[next] {
                        (table.tu[next], table.from[next], table.kinds[next]) = (total, state, kind);
                        buckets[((u32::from(total) + rest(to)) & 15) as usize].push(next as u32);
                        waiting += 1;
                    }
                });
            }
            now += 1;
        }
        Some(table)
    }

    fn state(&self, [x, y, z]: Cell, stance: Stance) -> usize {
        (((z * self.size[1] + y) * self.size[0] + x) * 2 + stance as u32) as usize
    }

    fn of(&self, state: u32) -> (Cell, Stance) {
        let stance = if state & 1 == 0 { Stance::Stand } else { Stance::Crouch };
        let index = state / 2;
        let (x, row) = (index % self.size[0], index / self.size[0]);
        ([x, row % self.size[1], row / self.size[1]], stance)
    }

    /// The least TU to a place in a stance. `None` if it is out of reach, or no place.
    pub fn tu(&self, cell: Cell, stance: Stance) -> Option<u16> {
        if (0..3).any(|axis| cell[axis] >= self.size[axis]) {
            return None;
        }
        let state = self.state(cell, stance);
        Some(self.tu[state]).filter(|&tu| tu != NEVER && self.places[state / 2])
    }

    /// All places in reach, by level, row and column; standing before crouching.
    pub fn reached(&self) -> impl Iterator<Item = Reached> + '_ {
        (0..self.tu.len() as u32).filter_map(|state| {
            let (cell, stance) = self.of(state);
            let tu = self.tu[state as usize];
            (tu != NEVER && self.places[state as usize / 2]).then_some(Reached { cell, stance, tu })
        })
    }

    /// The moves to a place, from the start on. `None` if it is out of reach.
    pub fn path(&self, to: Cell, stance: Stance) -> Option<Vec<Move>> {
        self.tu(to, stance)?;
        let mut moves = Vec::new();
        let mut state = self.state(to, stance) as u32;
        while self.from[state as usize] != u32::MAX {
            let (cell, stance) = self.of(state);
            let before = self.from[state as usize];
            let tu = self.tu[state as usize] - self.tu[before as usize];
            moves.push(Move { kind: self.kinds[state as usize], to: cell, stance, tu });
            state = before;
        }
        moves.reverse();
        Some(moves)
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

/// The place that a move leads to on the plane.
pub(super) fn direction_of(direction: u8) -> [i32; 2] {
    DIRECTIONS[usize::from(direction)]
}
