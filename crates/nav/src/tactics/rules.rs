//! The rules of moving: all moves from a cell in a stance.

use super::moves::MoveKind;
use super::table::{Actor, Cell};
use super::trace::{LEVEL_QUANTS, Trace};
use crate::room::{Facing, MAX_TURN_TU, Stance, TacticsSettings};

/// The rules of one search.
pub(super) struct Rules<'a> {
    pub(super) trace: &'a Trace,
    ladders: &'a [Option<Facing>],
    step: i32,
    fall: i32,
    bodies: [i32; 2],
    flies: bool,
    /// The TU of turning towards a ladder.
    turn: u16,
}

impl<'a> Rules<'a> {
    /// For actors that fly, or for those on foot.
    pub(super) fn new(
        trace: &'a Trace,
        ladders: &'a [Option<Facing>],
        settings: &TacticsSettings,
        flies: bool,
    ) -> Self {
        Self {
            trace,
            ladders,
            step: settings.step_quants(),
            fall: settings.fall_quants(),
            bodies: [settings.body_quants(false), settings.body_quants(true)],
            flies,
            turn: settings.turn_tu.min(MAX_TURN_TU),
        }
    }

    /// The cells in which it matters whether an actor faces the ladder, in order. Who flies need not hold on to one.
    pub(super) fn cells_of_turns(&self) -> Vec<u32> {
        if self.turn == 0 || self.flies {
            return Vec::new();
        }
        let ladders = (0..).zip(self.ladders).filter(|(_, facing)| facing.is_some());
        ladders.map(|(index, _)| index).collect()
    }

    /// Whether an actor that is in a cell faces the ladder there.
    pub(super) fn faces(&self, index: usize, actor: &Actor) -> bool {
        actor.facing.is_some() && self.ladders.get(index).is_some_and(|facing| *facing == actor.facing)
    }

    /// Whether an actor faces the ladder of a cell after a move to it. `faces` tells whether it faced the one that it
    /// came from.
    pub(super) fn faces_after(&self, (from, faces): (usize, bool), to: usize, kind: MoveKind) -> bool {
        let wanted = self.ladders[to];
        match kind {
            MoveKind::Walk(direction) | MoveKind::Fly(direction) => {
                wanted.is_some_and(|facing| facing.direction() == direction)
            }
            MoveKind::ClimbUp | MoveKind::ClimbDown => wanted == self.ladders[from],
            // Who falls on to a ladder takes hold of it.
            MoveKind::Fall => wanted.is_some(),
            _ => faces && wanted == self.ladders[from],
        }
    }

    /// Whether all moves from a cell are steps of [`Steps`](super::steps::Steps), and changes of stance.
    pub(super) fn is_plain(&self, index: usize) -> bool {
        !self.flies && self.trace.steps[index].is_all() && !self.is_ladder(index)
    }

    fn is_ladder(&self, index: usize) -> bool {
        self.ladders.get(index).is_some_and(Option::is_some)
    }

    /// Whether the floor of a space is in this cell.
    pub(super) fn is_ground(&self, index: usize) -> bool {
        let cell = &self.trace.cells[index];
        cell.ceiling > 0 && cell.floor >= 0
    }

    /// Whether an actor stays in a cell, instead of falling through it.
    pub(super) fn is_place(&self, index: usize) -> bool {
        self.trace.cells[index].ceiling > 0 && (self.flies || self.is_ground(index) || self.is_ladder(index))
    }

    /// Whether an actor fits into a cell in a stance, and stays there.
    pub(super) fn has_room(&self, cell: Cell, stance: Stance) -> bool {
        self.has_headroom(cell, stance) && self.is_place(self.trace.index(cell))
    }

    /// Whether an actor fits into a cell in a stance.
    pub(super) fn has_headroom(&self, cell: Cell, stance: Stance) -> bool {
        let base = cell[2] as i32 * LEVEL_QUANTS;
        let is_high_enough =
            |[floor, ceiling]: [i32; 2]| ceiling - floor.max(base) >= self.bodies[stance as usize];
        self.trace.space(cell).is_some_and(is_high_enough)
    }

    /// Where an actor at a place ends: in mid-air it drops to the floor, or to a ladder. `None` where no room is.
    pub(super) fn landing(&self, [x, y, z]: Cell) -> Option<Cell> {
        self.trace.space([x, y, z])?;
        (0..=z).rev().map(|level| [x, y, level]).find(|&cell| self.is_place(self.trace.index(cell)))
    }

    /// Calls `take` with every move from a cell in a stance: the cell, the stance, the TU and the kind of move. One that
    /// does not face its ladder turns before it climbs.
    pub(super) fn moves(
        &self,
        cell: Cell,
        (stance, faces): (Stance, bool),
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
            return take([x, y, z - 1], stance, 0, MoveKind::Fall);
        }
        let feet = floor.max(base);
        match stance {
            Stance::Stand if is_ground && ceiling - feet >= self.bodies[1] => {
                take(cell, Stance::Crouch, 3, MoveKind::Crouch)
            }
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
                    take([nx, ny, land], stance, tu, walk);
                } else if drops || holds_on || lets_go {
                    take(to, stance, tu, walk);
                }
                if self.flies && stance == Stance::Stand {
                    take(to, stance, 2 * tu, MoveKind::Fly(direction as u8));
                }
            }
            if is_ground && z + 1 < self.trace.size[2] {
                self.step_up([nx, ny, z + 1], (cell, floor, stance, direction), &mut take);
            }
        }
        let climbs = |to: Cell| is_ladder && self.is_ladder(self.trace.index(to));
        let floats = self.flies && stance == Stance::Stand;
        let turn = if faces || self.flies { 0 } else { self.turn };
        let cost = |flying: bool| if flying { 4 } else { stance.climbing_tu() + turn };
        if z + 1 < self.trace.size[2] {
            let up = [x, y, z + 1];
            let has_room = self.trace.space(up).is_some_and(|space| space == [floor, ceiling]);
            let fits = has_room && ceiling - (base + LEVEL_QUANTS) >= body;
            if fits && (climbs(up) || floats) {
                let flying = !climbs(up);
                let kind = if flying { MoveKind::FlyUp } else { MoveKind::ClimbUp };
                take(up, stance, cost(flying), kind);
            }
        }
        if z > 0 && !is_ground {
            let down = [x, y, z - 1];
            if climbs(down) || floats {
                let flying = !climbs(down);
                let kind = if flying { MoveKind::FlyDown } else { MoveKind::ClimbDown };
                take(down, stance, cost(flying), kind);
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
            take(to, stance, stance.tu(direction), MoveKind::Walk(direction as u8));
        }
    }
}
