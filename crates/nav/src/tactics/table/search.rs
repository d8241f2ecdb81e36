//! The search that fills a table: buckets of states by their TU.

use super::{Goal, Last, NEVER, ReachTable};
use crate::room::Stance;
use crate::tactics::moves::MoveKind;
use crate::tactics::rules::Rules;
use crate::tactics::trace::DIRECTIONS;

/// A search that goes on.
pub(super) struct Search<'a> {
    table: ReachTable,
    rules: &'a Rules<'a>,
    goal: Option<&'a Goal>,
    /// The most TU.
    most: u16,
    /// States by their TU, and a lower bound of the TU to the goal, modulo 16. No move costs more than six TU, and four of
    /// turning, or leads farther from the goal than three.
    buckets: [Vec<u32>; 16],
    /// The states in all buckets.
    waiting: usize,
    /// From a state to that of the next cell, for each direction.
    strides: [i32; 8],
}

impl<'a> Search<'a> {
    pub(super) fn new(table: ReachTable, rules: &'a Rules<'a>, goal: Option<&'a Goal>, budget: u16) -> Self {
        let width = table.size[0] as i32;
        Self {
            table,
            rules,
            goal,
            most: budget.min(NEVER - 1),
            buckets: Default::default(),
            waiting: 0,
            strides: DIRECTIONS.map(|[dx, dy]| dx + dy * width),
        }
    }

    /// Fills the table.
    pub(super) fn run(mut self) -> ReachTable {
        let first = self.table.first;
        self.table.tu[first as usize] = 0;
        let mut now = self.goal.map_or(0, |goal| goal.least_tu(self.table.start));
        self.buckets[(now & 15) as usize].push(first);
        (self.waiting, now) = (1, now);
        let mut has_arrived = false;
        while self.waiting > 0 && !has_arrived {
            while let Some(state) = self.buckets[(now & 15) as usize].pop() {
                self.waiting -= 1;
                let spent = self.table.tu[state as usize];
                let rest = self.goal.map_or(0, |goal| goal.least_tu(self.table.of(state).0));
                if u32::from(spent) + rest != now {
                    continue;
                }
                // What else is as cheap is still looked at, so that standing goes before crouching.
                has_arrived |= match self.rules.is_plain(self.table.index(state)) {
                    true => {
                        self.step(state, spent);
                        self.is_goal(state)
                    }
                    false => {
                        self.move_on(state, spent);
                        let is_place = self.rules.is_place(self.table.index(state));
                        if !is_place {
                            self.table.passed.push(state);
                        }
                        is_place && self.is_goal(state)
                    }
                };
            }
            now += 1;
        }
        self.table
    }

    fn is_goal(&self, state: u32) -> bool {
        self.goal.is_some_and(|goal| goal.is_at(self.table.of(state)))
    }

    /// The moves from a cell where all are steps to places on the same level, or changes of stance.
    fn step(&mut self, state: u32, spent: u16) {
        let index = self.table.index(state);
        let steps = self.rules.trace.steps[index];
        let stance = if index == state as usize { Stance::Stand } else { Stance::Crouch };
        let other = self.table.other_stance(state);
        let mask = match stance {
            Stance::Stand => steps.standing,
            Stance::Crouch => {
                // One that stands there for two TU less is as cheap beside, even if it crouches then.
                let stands = u32::from(self.table.tu[index]) + 2 <= u32::from(spent);
                if stands { steps.crouching & !steps.standing } else { steps.crouching }
            }
        };
        let tu = [0, 4].map(|direction| stance.tu(direction));
        let change = Last::new(MoveKind::Stand, 0);
        if stance == Stance::Stand && steps.crouching == steps.standing && self.goal.is_none() {
            // One that crouches then has no step that is not as cheap from here.
            self.improve(other, spent, 3, change);
        } else if stance == Stance::Stand || self.rules.has_headroom(self.table.of(state).0, Stance::Stand) {
            self.reach(other, spent, 3, change);
        }
        let has_turns = !self.table.ladders.is_empty();
        let mut left = mask;
        while left != 0 {
            let direction = left.trailing_zeros() as usize;
            left &= left - 1;
            let mut next = state.wrapping_add_signed(self.strides[direction]);
            if has_turns {
                let kind = MoveKind::Walk(direction as u8);
                let beside = self.table.index(next);
                let faces = self.rules.faces_after((index, false), beside, kind);
                next = self.table.state_at(beside, stance, faces).map_or(next, |state| state as u32);
            }
            self.reach(next, spent, tu[usize::from(direction >= 4)], Last(direction as u8));
        }
    }

    /// All other moves.
    fn move_on(&mut self, state: u32, spent: u16) {
        let (index, stance, faces) = self.table.parts(state);
        let (cell, rules) = (self.table.of(state).0, self.rules);
        let turns = !self.table.ladders.is_empty();
        rules.moves(cell, (stance, faces), |to, stance, tu, kind| {
            let turned = turns && rules.faces_after((index, faces), rules.trace.index(to), kind);
            let next = self.table.state(to, stance, turned) as u32;
            let levels = if faces { i64::MAX } else { i64::from(to[2]) - i64::from(cell[2]) };
            let last = Last::new(kind, levels);
            if self.reach(next, spent, tu, last) && last.levels().is_none() {
                self.table.far.insert(next, state);
            }
        });
    }

    /// Takes a move to a state, if none is known that costs as little. Returns whether it was taken.
    fn reach(&mut self, next: u32, spent: u16, tu: u16, last: Last) -> bool {
        let Some(total) = self.improve(next, spent, tu, last) else { return false };
        let rest = self.goal.map_or(0, |goal| goal.least_tu(self.table.of(next).0));
        self.buckets[((total + rest) & 15) as usize].push(next);
        self.waiting += 1;
        true
    }

    /// Notes a move to a state, if none is known that costs as little, and returns the TU until then.
    #[inline]
    fn improve(&mut self, next: u32, spent: u16, tu: u16, last: Last) -> Option<u32> {
        let total = u32::from(spent) + u32::from(tu);
        let known = &mut self.table.tu[next as usize];
        if total >= u32::from(*known) || total > u32::from(self.most) {
            return None;
        }
        *known = total as u16;
        self.table.last[next as usize] = last;
        Some(total)
    }
}
