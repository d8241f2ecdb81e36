//! Jump point search over a field, 64 cells at a time. A jump continues in one direction to the next jump point. In a
//! primary direction (diagonal, or vertical with four directions), each step scans both side directions.
//!
//! Sources: Harabor and Grastien, "Online Graph Pruning for Pathfinding on Grid Maps" (2011), in the variant without
//! corner cutting. From "Improving Jump Point Search" (2014) come the block-wise scans over the grid and the
//! transposed grid, and the jumps that do not stop at diagonal jump points. Among equally short paths, only those that
//! go diagonally first are followed. A path may turn to a side where the cell diagonally behind on that side is
//! blocked while the cell beside is free (forced neighbour).
//!
//! With four directions, north and south take the place of the diagonals. Paths go up or down first (compare "JPS4",
//! Baum, "Jump Point Search Pathfinding in 4-connected Grids", 2025).

use super::line_scan::Lines;
use crate::grid::Grid;
use crate::grid::field::{Field, STRIDE};
use crate::grid::query_mask::QueryMask;

/// One of the eight directions, by its position in [`STEPS`].
pub(crate) type Direction = usize;

/// The change of column and row in each direction: clockwise from north, which is towards smaller z.
pub(crate) const STEPS: [(i32, i32); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

pub(crate) const NORTH: Direction = 0;
pub(crate) const EAST: Direction = 2;
pub(crate) const SOUTH: Direction = 4;
pub(crate) const WEST: Direction = 6;

/// A set of directions, a bit for each.
pub(crate) type Directions = u8;

/// A jump point: a cell at which a shortest path may turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jump {
    /// Primary steps to get there; they come before the straight steps.
    pub(crate) primary: u32,
    /// Straight steps.
    pub(crate) straight: u32,
    pub(crate) x: u32,
    pub(crate) z: u32,
    /// The directions in which shortest paths may go on from there.
    pub(crate) onward: Directions,
}

/// The cells scanned to find the jumps of one direction.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    /// The number of free steps in that direction.
    pub(crate) free: u32,
    /// The rectangle of the cells that decided the result: smallest and largest column and row.
    pub(crate) low: (u32, u32),
    pub(crate) high: (u32, u32),
    /// The number of words scanned.
    pub(crate) work: u32,
}

impl Seen {
    /// Whether the mask may cover a cell that was scanned for this result. False is certain.
    pub(crate) fn may_be_covered(&self, mask: &QueryMask, (x, z): (u32, u32), direction: Direction) -> bool {
        let &Self { low, high, free, .. } = self;
        if !mask.any_in(low, high) {
            return false;
        }
        let (dx, dz) = STEPS[direction];
        if dx == 0 || dz == 0 {
            return true;
        }
        // Diagonal steps scan along rows and columns, but not the area between those lines.
        let swept = |at: u32, step: i32| {
            let end = at.saturating_add_signed(step * (free as i32 + 2));
            (at.min(end).saturating_sub(1), at.max(end) + 1)
        };
        let (columns, rows) = (swept(x, dx), swept(z, dz));
        mask.any_in((low.0.max(columns.0), low.1), (high.0.min(columns.1), high.1))
            || mask.any_in((low.0, low.1.max(rows.0)), (high.0, high.1.min(rows.1)))
    }
}

/// A field to jump over, perhaps with cells covered for one query.
pub(crate) struct Jumps<'a, const MASKED: bool> {
    pub(super) rows: Lines<'a, MASKED>,
    columns: Lines<'a, MASKED>,
    width: u32,
    /// Whether there are four directions. Then it takes several steps to the next node.
    four: bool,
}

/// Whether a direction is primary: each step of a jump scans both side directions. In the other directions a jump
/// scans a single line.
pub(crate) fn is_primary(four: bool, direction: Direction) -> bool {
    if four { direction.is_multiple_of(4) } else { !direction.is_multiple_of(2) }
}

impl Grid {
    /// All jumps from a cell of the field in one direction, with the cells of `mask` blocked; see [`Jumps::from`].
    pub(crate) fn jumps_from(
        &self,
        mask: &QueryMask,
        cell: (u32, u32),
        direction: Direction,
        most: u32,
        found: impl FnMut(Jump),
    ) -> Seen {
        match mask.is_empty() {
            true => Jumps::over(self.field()).from(cell, direction, most, found),
            false => Jumps::around(self.field(), mask).from(cell, direction, most, found),
        }
    }

    /// The number of free steps from a cell of the field in a straight direction.
    pub(crate) fn free_steps(&self, mask: &QueryMask, cell: (u32, u32), direction: Direction) -> u32 {
        match mask.is_empty() {
            true => Jumps::over(self.field()).free(cell, direction),
            false => Jumps::around(self.field(), mask).free(cell, direction),
        }
    }
}

impl<'a> Jumps<'a, false> {
    /// The field as it is.
    pub(super) fn over(field: Field<'a>) -> Self {
        Self::of(field, &[], &[])
    }
}

impl<'a> Jumps<'a, true> {
    /// The field with the cells of `mask` blocked.
    pub(super) fn around(field: Field<'a>, mask: &'a QueryMask) -> Self {
        let (rows, columns) = mask.bits();
        Self::of(field, rows.padded(), columns.padded())
    }
}

impl<'a, const MASKED: bool> Jumps<'a, MASKED> {
    #[inline]
    fn of(field: Field<'a>, rows: &'a [u64], columns: &'a [u64]) -> Self {
        Jumps {
            rows: Lines::of(field.cells, rows),
            columns: Lines::of(field.transposed, columns),
            width: field.cells.width(),
            four: field.four,
        }
    }

    /// Calls `found` for every jump from a cell in one direction. The cell itself is not tested. A jump has at most
    /// `most` primary steps.
    #[inline]
    pub(super) fn from(
        &self,
        (x, z): (u32, u32),
        direction: Direction,
        most: u32,
        mut found: impl FnMut(Jump),
    ) -> Seen {
        let mut seen = Seen { free: 0, low: (x, z), high: (x, z), work: 0 };
        match (is_primary(self.four, direction), self.four) {
            (false, _) => seen.free = self.straight((x, z), direction, 0, &mut seen, &mut found),
            (true, false) => self.scan_diagonally((x, z), direction, most, &mut seen, &mut found),
            (true, true) => self.scan_across((x, z), direction, most, &mut seen, &mut found),
        }
        let width = self.width - 1;
        seen.low = (seen.low.0.saturating_sub(1), seen.low.1.saturating_sub(1));
        seen.high = ((seen.high.0 + 1).min(width), seen.high.1 + 1);
        seen
    }

    /// The number of free steps from a cell in a straight direction.
    pub(super) fn free(&self, (x, z): (u32, u32), direction: Direction) -> u32 {
        match direction {
            EAST => self.rows.free_ahead(z, x),
            WEST => self.rows.free_back(z, x),
            SOUTH => self.columns.free_ahead(x, z),
            _ => self.columns.free_back(x, z),
        }
    }

    fn scan_diagonally(
        &self,
        (mut x, mut z): (u32, u32),
        direction: Direction,
        most: u32,
        seen: &mut Seen,
        found: &mut impl FnMut(Jump),
    ) {
        let (dx, dz) = STEPS[direction];
        let (one, other) = (direction - 1, (direction + 1) % 8);
        while seen.free < most {
            let (next_x, next_z) = (x.wrapping_add_signed(dx), z.wrapping_add_signed(dz));
            let is_free = |x: u32, z: u32| x < self.width && self.rows.get(z, x);
            if !(is_free(next_x, z) && is_free(x, next_z) && is_free(next_x, next_z)) {
                return;
            }
            (x, z) = (next_x, next_z);
            seen.free += 1;
            seen.low = (seen.low.0.min(x), seen.low.1.min(z));
            seen.high = (seen.high.0.max(x), seen.high.1.max(z));
            let steps = seen.free;
            self.straight((x, z), one, steps, seen, found);
            self.straight((x, z), other, steps, seen, found);
        }
    }

    /// From a node to the nodes of its column, with a scan along every row.
    fn scan_across(
        &self,
        (x, mut z): (u32, u32),
        direction: Direction,
        most: u32,
        seen: &mut Seen,
        found: &mut impl FnMut(Jump),
    ) {
        let (_, dz) = STEPS[direction];
        while seen.free < most {
            let (edge, next) = (z.wrapping_add_signed(dz), z.wrapping_add_signed(STRIDE as i32 * dz));
            if !(self.rows.get(edge, x) && self.rows.get(next, x)) {
                return;
            }
            z = next;
            seen.free += STRIDE;
            seen.low.1 = seen.low.1.min(z);
            seen.high.1 = seen.high.1.max(z);
            let steps = seen.free;
            self.straight((x, z), EAST, steps, seen, found);
            self.straight((x, z), WEST, steps, seen, found);
        }
    }

    /// Scans along a line; returns the number of free steps up to where the scan stopped.
    #[inline]
    fn straight(
        &self,
        (x, z): (u32, u32),
        direction: Direction,
        primary: u32,
        seen: &mut Seen,
        found: &mut impl FnMut(Jump),
    ) -> u32 {
        let (stop, from) = match direction {
            EAST => (self.rows.ahead(z, x), x),
            WEST => (self.rows.back(z, x), x),
            SOUTH => (self.columns.ahead(x, z), z),
            _ => (self.columns.back(x, z), z),
        };
        let straight = (stop.at - i64::from(from)).unsigned_abs() as u32;
        seen.work = seen.work.saturating_add(1 + straight / 64);
        let at = stop.at.max(0) as u32;
        let (end_x, end_z) = if direction == EAST || direction == WEST { (at, z) } else { (x, at) };
        seen.low = (seen.low.0.min(end_x), seen.low.1.min(end_z));
        seen.high = (seen.high.0.max(end_x), seen.high.1.max(end_z));
        if !stop.free {
            return straight - 1;
        }
        let onward = onward(direction, stop.turns, self.four);
        found(Jump { primary, straight, x: end_x, z: end_z, onward });
        straight
    }
}

/// The directions to go on in: straight on, and to the sides that open here. A side is straight, and with eight
/// directions also diagonal.
fn onward(direction: Direction, (before, behind): (bool, bool), four: bool) -> Directions {
    let side = |direction: Direction, forward: Direction| -> Directions {
        1 << direction | if four { 0 } else { 1 << forward }
    };
    // The line before a row is north of it, the one before a column west.
    let (first, second) = match direction {
        EAST => (side(NORTH, NORTH + 1), side(SOUTH, EAST + 1)),
        WEST => (side(NORTH, WEST + 1), side(SOUTH, SOUTH + 1)),
        SOUTH => (side(WEST, SOUTH + 1), side(EAST, EAST + 1)),
        _ => (side(WEST, WEST + 1), side(EAST, NORTH + 1)),
    };
    (1 << direction) | if before { first } else { 0 } | if behind { second } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Node, Overlay};
    use crate::room::{GridCells, GroundSettings, Room};
    use glam::DVec2;
    use proptest::prelude::*;
    use std::sync::Arc;

    const WIDTH: u32 = 70;
    const DEPTH: u32 = 30;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn what_may_not_be_covered_is_seen_as_before(
            walls in prop::collection::vec(0..WIDTH * DEPTH, 1..200), covered in prop::collection::vec(0..WIDTH * DEPTH, 1..6),
            at in (0..WIDTH, 0..DEPTH), most in prop_oneof![Just(8_u32), Just(u32::MAX)],
        ) {
            let grid = Some(Arc::new(GridCells::new(DVec2::ZERO, WIDTH, DEPTH, |x, z| !walls.contains(&(z * WIDTH + x)))));
            let ground = Grid::new(&Room { grid, ground: GroundSettings::default(), ..Room::default() }).unwrap();
            let mut nodes: Vec<Node> = covered.iter().copied().map(Node).collect();
            nodes.sort_unstable();
            let mut mask = QueryMask::default();
            mask.set(&ground, &Overlay { nodes, discs: Vec::new() }, ground.node_in(at.0, at.1));
            let none = QueryMask::default();
            for direction in 0..8 {
                let look = |mask: &QueryMask| {
                    let mut jumps = Vec::new();
                    let seen = ground.jumps_from(mask, at, direction, most, |jump| {
                        jumps.push((jump.primary, jump.straight, jump.x, jump.z, jump.onward));
                    });
                    (seen, jumps)
                };
                let (seen, jumps) = look(&none);
                if !seen.may_be_covered(&mask, at, direction) {
                    let (again, others) = look(&mask);
                    prop_assert_eq!((jumps, seen.free, seen.work), (others, again.free, again.work));
                }
            }
        }
    }
}
