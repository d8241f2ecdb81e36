//! The goals of a search: cells of a field, the heuristic to them, and the test whether a goal lies in a direction
//! from a cell.

use super::graph::{PlaceId, START};
use super::jumps::{Direction, Jump, STEPS, is_primary};
use crate::grid::{Node, STRIDE};

/// The cost of an edge between two nodes. Costs are whole numbers, so two paths cost exactly the same if they have as
/// many straight and as many diagonal steps. The cost of the longest possible path still fits, and √2 is rounded by
/// less than 1e-11 of a step.
pub(super) const EDGE: u64 = 1 << EDGE_BITS;
pub(super) const EDGE_BITS: u32 = 37;

/// √2 in the same unit.
const DIAGONAL: u64 = 194_368_031_998;

/// The costs of the steps of a field.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Measure {
    /// Whether there are four directions instead of eight.
    pub(super) four: bool,
    straight: u64,
    /// A primary step: diagonal, or in four-connected fields along the columns.
    primary: u64,
    /// A step along both axes: one diagonal step, or with four directions two steps.
    both: u64,
}

impl Measure {
    /// The costs of a field with eight directions, or of one with four directions and two field steps per edge.
    pub(super) fn new(four: bool) -> Self {
        const STEP: u64 = EDGE / STRIDE as u64;
        match four {
            true => Self { four, straight: STEP, primary: STEP, both: 2 * STEP },
            false => Self { four, straight: EDGE, primary: DIAGONAL, both: DIAGONAL },
        }
    }

    #[inline]
    pub(super) fn of(&self, jump: &Jump) -> u64 {
        u64::from(jump.primary) * self.primary + u64::from(jump.straight) * self.straight
    }

    /// The cost of one step in a direction.
    pub(super) fn step(&self, direction: Direction) -> u64 {
        if is_primary(self.four, direction) { self.primary } else { self.straight }
    }

    /// The least cost between two cells: the octile distance, or with four directions the Manhattan distance.
    #[inline]
    pub(super) fn least(&self, (x, z): (u32, u32), (to_x, to_z): (u32, u32)) -> u64 {
        let (far_x, far_z) = (to_x.abs_diff(x), to_z.abs_diff(z));
        let (short, long) = (far_x.min(far_z), far_x.max(far_z));
        u64::from(long - short) * self.straight + u64::from(short) * self.both
    }

    /// The steps for a distance along both axes: primary steps, and straight steps.
    #[inline]
    fn split(&self, far_x: u32, far_z: u32) -> (u32, u32) {
        if self.four { (far_z, far_x) } else { (far_x.min(far_z), far_x.abs_diff(far_z)) }
    }

    /// The cell in which a jump from one cell to another turns: after its primary steps, if straight steps follow.
    pub(super) fn corner(&self, from: (u32, u32), to: (u32, u32)) -> Option<(u32, u32)> {
        let (primary, straight) = self.split(to.0.abs_diff(from.0), to.1.abs_diff(from.1));
        let go = |from: u32, to: u32| {
            if to > from { from + primary.min(to - from) } else { from - primary.min(from - to) }
        };
        let corner = (if self.four { from.0 } else { go(from.0, to.0) }, go(from.1, to.1));
        (primary > 0 && straight > 0).then_some(corner)
    }

    /// The cost of the jump from one cell to another, in edges: straight and diagonal ones.
    pub(super) fn edges(&self, from: (u32, u32), to: (u32, u32)) -> (u64, u64) {
        let (primary, straight) = self.split(to.0.abs_diff(from.0), to.1.abs_diff(from.1));
        match self.four {
            true => (u64::from((primary + straight) / STRIDE), 0),
            false => (u64::from(straight), u64::from(primary)),
        }
    }
}

/// The sides from which a goal can be entered, as indices into [`Goal::free`].
const FROM_NORTH: usize = 0;
const FROM_EAST: usize = 1;
const FROM_SOUTH: usize = 2;
const FROM_WEST: usize = 3;

/// A goal cell, and the cheapest path to it so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    pub(super) node: Node,
    pub(super) cell: (u32, u32),
    /// The free steps from it to the north, east, south and west.
    pub(super) free: [u32; 4],
    pub(super) cost: u64,
    pub(super) parent: PlaceId,
}

impl Goal {
    pub(super) fn new(node: Node, cell: (u32, u32), free: [u32; 4]) -> Self {
        Self { node, cell, free, cost: u64::MAX, parent: START }
    }

    /// The cost from a cell to the goal by primary steps in a direction and then straight steps, or by straight steps
    /// alone. `None` unless both stretches are free. The cell has `free` free steps in the direction. The straight
    /// stretch is checked with the goal's own free-cell counts, because jumps report only jump points, not every cell
    /// they pass.
    #[inline]
    pub(super) fn lies_in(
        &self,
        (x, z): (u32, u32),
        direction: Direction,
        free: u32,
        measure: &Measure,
    ) -> Option<u64> {
        let (dx, dz) = STEPS[direction];
        let (to_x, to_z) = (self.cell.0 as i32 - x as i32, self.cell.1 as i32 - z as i32);
        let (far_x, far_z) = (to_x.unsigned_abs(), to_z.unsigned_abs());
        let (primary, straight) = measure.split(far_x, far_z);
        let lies = if is_primary(measure.four, direction) {
            // The last steps are straight, so they enter the goal from one of its sides.
            let side = match measure.four || far_x > far_z {
                true if to_x < 0 => FROM_EAST,
                true => FROM_WEST,
                false if to_z < 0 => FROM_SOUTH,
                false => FROM_NORTH,
            };
            self.is_beside_ray((x, z), direction, free, measure) && straight <= self.free[side]
        } else {
            (to_x.signum(), to_z.signum()) == (dx, dz) && straight <= free
        };
        lies.then(|| u64::from(primary) * measure.primary + u64::from(straight) * measure.straight)
    }

    /// Whether straight steps would lead to it from one of the first `free` primary steps in a direction, with nothing in
    /// their way.
    #[inline]
    pub(super) fn is_beside_ray(
        &self,
        (x, z): (u32, u32),
        direction: Direction,
        free: u32,
        measure: &Measure,
    ) -> bool {
        let (dx, dz) = STEPS[direction];
        let (to_x, to_z) = (self.cell.0 as i32 - x as i32, self.cell.1 as i32 - z as i32);
        let (primary, _) = measure.split(to_x.unsigned_abs(), to_z.unsigned_abs());
        let towards = |to: i32, step: i32| to == 0 || to.signum() == step;
        let towards = towards(to_z, dz) && (measure.four || towards(to_x, dx));
        is_primary(measure.four, direction) && towards && primary > 0 && primary <= free
    }
}

/// The goals, and the costs of the steps to them.
#[derive(Debug, Clone, Default)]
pub(super) struct Goals {
    pub(super) list: Vec<Goal>,
    pub(super) measure: Measure,
}

impl Goals {
    /// Removes all goals, and sets the costs for four or eight directions.
    pub(super) fn begin(&mut self, four: bool) {
        self.list.clear();
        self.measure = Measure::new(four);
    }

    /// The heuristic: the least cost from a cell to the nearest goal.
    #[inline]
    pub(super) fn least_cost(&self, cell: (u32, u32)) -> u64 {
        match self.list.as_slice() {
            [goal] => self.measure.least(cell, goal.cell),
            goals => goals.iter().map(|goal| self.measure.least(cell, goal.cell)).min().unwrap_or(0),
        }
    }

    /// Updates the goals that lie in a direction from a cell. Returns the lowest new cost.
    #[inline]
    pub(super) fn meet(
        &mut self,
        cell: (u32, u32),
        (id, cost): (PlaceId, u64),
        direction: Direction,
        free: u32,
    ) -> u64 {
        let mut best = u64::MAX;
        for goal in &mut self.list {
            let Some(more) = goal.lies_in(cell, direction, free, &self.measure) else { continue };
            let cost = cost + more;
            if cost < goal.cost {
                (goal.cost, goal.parent) = (cost, id);
                best = best.min(cost);
            }
        }
        best
    }
}
