//! How wide the openings between boxes are.

use super::flood::{Flood, NONE, SIDES, opposite};
use crate::parallel;
use std::ops::Range;

/// How one gets from a box to the box at one of its sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Way {
    /// Not at all.
    #[default]
    None,
    /// Both ways.
    Both,
    /// There, not back: down a drop.
    Out,
    /// Only from there to here.
    In,
}

/// The steps of a flood through openings that are wide enough. Along x and along z, for they are found side by side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ways {
    along: [Vec<[Step; 2]>; 2],
}

/// How one gets over a side of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    way: Way,
    /// The box there, or [`NONE`]. If several boxes are reached one way only, the first of them.
    to: u32,
}

impl Ways {
    /// All steps of a flood through openings of at least `least_boxes`. An opening is a straight row of steps side by
    /// side, between boxes that are joined both ways along the row.
    pub(super) fn new(flood: &Flood, least_boxes: f64) -> Self {
        let steps = TwoWay::new(flood);
        let (x, z) = parallel::both(|| steps.openings(0, least_boxes), || steps.openings(1, least_boxes));
        Self { along: [x, z] }
    }

    fn step(&self, node: u32, side: usize) -> Step {
        self.along[side % 2][node as usize][side / 2]
    }

    /// How one gets to the box at a side.
    pub(super) fn way(&self, node: u32, side: usize) -> Way {
        self.step(node, side).way
    }

    /// The box at a side, if one walks there and back.
    pub(super) fn both(&self, node: u32, side: usize) -> Option<u32> {
        let Step { way, to } = self.step(node, side);
        (way == Way::Both).then_some(to)
    }

    /// The box at a side, if one gets there and not back.
    pub(super) fn out(&self, node: u32, side: usize) -> Option<u32> {
        let Step { way, to } = self.step(node, side);
        (way == Way::Out).then_some(to)
    }

    pub(super) fn len(&self) -> usize {
        self.along[0].len()
    }
}

/// Which steps of a flood hold in return: for each box a bit for each side.
struct TwoWay<'a> {
    flood: &'a Flood,
    bits: Vec<u8>,
}

impl<'a> TwoWay<'a> {
    fn new(flood: &'a Flood) -> Self {
        let is_both = |node: u32, side: usize| u8::from(flood.both_ways(node, side).is_some()) << side;
        let bits = |node: u32| (0..SIDES).fold(0, |bits, side| bits | is_both(node, side));
        let some = |nodes: Range<usize>| nodes.map(|node| bits(node as u32)).collect::<Vec<u8>>();
        Self { flood, bits: parallel::in_pieces(flood.len(), 1 << 16, some).concat() }
    }

    /// The steps along an axis through openings that are wide enough.
    fn openings(&self, axis: usize, least_boxes: f64) -> Vec<[Step; 2]> {
        let mut open = vec![[Step { way: Way::None, to: NONE }; 2]; self.bits.len()];
        let mut row = Vec::new();
        for node in 0..self.bits.len() as u32 {
            for side in [axis, opposite(axis)] {
                let along = (side + 1) % SIDES;
                let Some(there) = self.flood.step(node, side) else { continue };
                let is_both = self.is_both(node, side);
                // Steps both ways are seen from either box: once is enough. A row begins where none is before it.
                if (is_both && side >= 2) || self.next_in_row(node, there, side, opposite(along)).is_some() {
                    continue;
                }
                row.clear();
                let mut step = Some((node, there));
                while let Some((from, to)) = step.filter(|step| row.first() != Some(step)) {
                    row.push((from, to));
                    step = self.next_in_row(from, to, side, along);
                }
                if row.len() as f64 + 1e-6 >= least_boxes {
                    row.iter().for_each(|&ends| add(&mut open, ends, side, is_both));
                }
            }
        }
        open
    }

    fn is_both(&self, node: u32, side: usize) -> bool {
        self.bits[node as usize] >> side & 1 != 0
    }

    /// Where a step ends that holds in return.
    fn step(&self, node: u32, side: usize) -> Option<u32> {
        self.is_both(node, side).then(|| self.flood.next[node as usize][side])
    }

    /// The step beside a step, of the same kind, if one walks between them on both sides.
    fn next_in_row(&self, from: u32, to: u32, side: usize, along: usize) -> Option<(u32, u32)> {
        let beside = self.step(from, along)?;
        let behind = self.flood.step(beside, side)?;
        (self.step(to, along) == Some(behind) && self.is_both(from, side) == self.is_both(beside, side))
            .then_some((beside, behind))
    }
}

fn add(open: &mut [[Step; 2]], (from, to): (u32, u32), side: usize, is_both: bool) {
    let way = if is_both { Way::Both } else { Way::Out };
    open[from as usize][side / 2] = Step { way, to };
    let back = &mut open[to as usize][opposite(side) / 2];
    if is_both {
        *back = Step { way: Way::Both, to: from };
    } else if back.way == Way::None {
        *back = Step { way: Way::In, to: from };
    }
}
