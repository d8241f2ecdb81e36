//! What a search looks for: some cells of a field, how far it is to them at least, and whether they lie in a direction.

use super::graph::{PlaceId, START};
use crate::grid::{Direction, Jump, Node, STEPS, STRIDE, is_primary};

/// Costs are whole numbers: this many to an edge between two nodes. Two ways cost the same exactly if they have as many straight and as
/// many diagonal steps. The longest way there can be still fits, and √2 is rounded by less than 1e-11 of a step.
pub(super) const EDGE: u64 = 1 << EDGE_BITS;
pub(super) const EDGE_BITS: u32 = 37;

/// √2 in the same measure.
const DIAGONAL: u64 = 194_368_031_998;

/// What steps of a field cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Measure {
    /// Whether there are four directions instead of eight.
    pub(super) four: bool,
    straight: u64,
    /// A primary step: diagonal, or of four-connected fields along the columns.
    primary: u64,
    /// A step along both axes.
    both: u64,
}

impl Measure {
    /// That of a field with eight directions, or with four and several steps to an edge.
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

    /// What one step in a direction costs.
    pub(super) fn step(&self, direction: Direction) -> u64 {
        if is_primary(self.four, direction) { self.primary } else { self.straight }
    }

    /// The least that the way between two cells costs.
    #[inline]
    fn least(&self, (x, z): (u32, u32), (to_x, to_z): (u32, u32)) -> u64 {
        let (far_x, far_z) = (to_x.abs_diff(x), to_z.abs_diff(z));
        let (short, long) = (far_x.min(far_z), far_x.max(far_z));
        u64::from(long - short) * self.straight + u64::from(short) * self.both
    }

    /// A distance along both axes as steps: primary ones, and straight ones.
    #[inline]
    fn split(&self, far_x: u32, far_z: u32) -> (u32, u32) {
        if self.four { (far_z, far_x) } else { (far_x.min(far_z), far_x.abs_diff(far_z)) }
    }

    /// Where a jump from one cell to another turns: after its primary steps, if straight ones follow.
    pub(super) fn corner(&self, from: (u32, u32), to: (u32, u32)) -> Option<(u32, u32)> {
        let (primary, straight) = self.split(to.0.abs_diff(from.0), to.1.abs_diff(from.1));
        let go = |from: u32, to: u32| {
            if to > from { from + primary.min(to - from) } else { from - primary.min(from - to) }
        };
        let corner = (if self.four { from.0 } else { go(from.0, to.0) }, go(from.1, to.1));
        (primary > 0 && straight > 0).then_some(corner)
    }

    /// What the jump from one cell to another costs, in edges: straight ones and diagonal ones.
    pub(super) fn edges(&self, from: (u32, u32), to: (u32, u32)) -> (u64, u64) {
        let (primary, straight) = self.split(to.0.abs_diff(from.0), to.1.abs_diff(from.1));
        match self.four {
            true => (u64::from((primary + straight) / STRIDE), 0),
            false => (u64::from(straight), u64::from(primary)),
        }
    }
}

/// The sides from which one may come to a goal, as places in [`Goal::free`].
const FROM_NORTH: usize = 0;
const FROM_EAST: usize = 1;
const FROM_SOUTH: usize = 2;
const FROM_WEST: usize = 3;

/// A cell that will do, and the best way to it so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    pub(super) node: Node,
    pub(super) cell: (u32, u32),
    /// How far one can go from it north, east, south, west.
    pub(super) free: [u32; 4],
    pub(super) cost: u64,
    pub(super) parent: PlaceId,
}

impl Goal {
    pub(super) fn new(node: Node, cell: (u32, u32), free: [u32; 4]) -> Self {
        Self { node, cell, free, cost: u64::MAX, parent: START }
    }

    /// What it costs to get there from a cell by primary steps in a direction and then straight on, or straight on alone, if both are free: the first as
    /// the cell sees it, so many steps; the second as the goal does, for no jump looks along every line.
    #[inline]
    fn lies_in(&self, (x, z): (u32, u32), direction: Direction, free: u32, measure: &Measure) -> Option<u64> {
        let (dx, dz) = STEPS[direction];
        let (to_x, to_z) = (self.cell.0 as i32 - x as i32, self.cell.1 as i32 - z as i32);
        let (far_x, far_z) = (to_x.unsigned_abs(), to_z.unsigned_abs());
        let (primary, straight) = measure.split(far_x, far_z);
        let lies = if is_primary(measure.four, direction) {
            // The last steps are straight, so seen from the goal they come from one of its sides.
            let side = match measure.four || far_x > far_z {
                true if to_x < 0 => FROM_EAST,
                true => FROM_WEST,
                false if to_z < 0 => FROM_SOUTH,
                false => FROM_NORTH,
            };
            let towards = |to: i32, step: i32| to == 0 || to.signum() == step;
            let towards = towards(to_z, dz) && (measure.four || towards(to_x, dx));
            towards && primary > 0 && primary <= free && straight <= self.free[side]
        } else {
            (to_x.signum(), to_z.signum()) == (dx, dz) && straight <= free
        };
        lies.then(|| u64::from(primary) * measure.primary + u64::from(straight) * measure.straight)
    }
}

/// The cells that will do, and what steps cost on the way there.
#[derive(Debug, Clone, Default)]
pub(super) struct Goals {
    pub(super) list: Vec<Goal>,
    pub(super) measure: Measure,
}

impl Goals {
    /// No goals, in a field with four or eight directions.
    pub(super) fn begin(&mut self, four: bool) {
        self.list.clear();
        self.measure = Measure::new(four);
    }

    /// The least that the way from a cell to the nearest one costs.
    #[inline]
    pub(super) fn least_cost(&self, cell: (u32, u32)) -> u64 {
        match self.list.as_slice() {
            [goal] => self.measure.least(cell, goal.cell),
            goals => goals.iter().map(|goal| self.measure.least(cell, goal.cell)).min().unwrap_or(0),
        }
    }

    /// Notes the way to those that lie in a direction from a cell. Returns the lowest cost that is new.
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
