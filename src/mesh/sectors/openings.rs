//! How wide the openings between boxes are.

use super::flood::{Flood, NONE, SIDES, opposite};

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

/// The steps of a flood through openings that are wide enough.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ways {
    /// For each box and side the box there, or [`NONE`]. A box from which several boxes are reached one way only has
    /// the first of them.
    to: Vec<[u32; SIDES]>,
    ways: Vec<[Way; SIDES]>,
}

impl Ways {
    /// All steps of a flood through openings of at least `least_boxes`. An opening is a straight row of steps side by
    /// side, between boxes that are joined both ways along the row.
    pub(super) fn new(flood: &Flood, least_boxes: f64) -> Self {
        let count = flood.len();
        let mut ways = Self { to: vec![[NONE; SIDES]; count], ways: vec![[Way::None; SIDES]; count] };
        let mut row = Vec::new();
        for node in 0..count as u32 {
            for side in 0..SIDES {
                let along = (side + 1) % SIDES;
                let Some(there) = flood.step(node, side) else { continue };
                let is_both = flood.both_ways(node, side).is_some();
                // Steps both ways are seen from either box: once is enough. A row begins where none is before it.
                if (is_both && side >= 2) || next_in_row(flood, node, there, side, opposite(along)).is_some()
                {
                    continue;
                }
                row.clear();
                let mut step = Some((node, there));
                while let Some((from, to)) = step.filter(|step| row.first() != Some(step)) {
                    row.push((from, to));
                    step = next_in_row(flood, from, to, side, along);
                }
                if row.len() as f64 + 1e-6 >= least_boxes {
                    row.iter().for_each(|&(from, to)| ways.add(from, to, side, is_both));
                }
            }
        }
        ways
    }

    fn add(&mut self, from: u32, to: u32, side: usize, is_both: bool) {
        let back = opposite(side);
        self.to[from as usize][side] = to;
        self.ways[from as usize][side] = if is_both { Way::Both } else { Way::Out };
        let there = &mut self.ways[to as usize][back];
        if is_both {
            (*there, self.to[to as usize][back]) = (Way::Both, from);
        } else if *there == Way::None {
            (*there, self.to[to as usize][back]) = (Way::In, from);
        }
    }

    /// How one gets to the box at a side.
    pub(super) fn way(&self, node: u32, side: usize) -> Way {
        self.ways[node as usize][side]
    }

    /// The box at a side, if one walks there and back.
    pub(super) fn both(&self, node: u32, side: usize) -> Option<u32> {
        (self.way(node, side) == Way::Both).then(|| self.to[node as usize][side])
    }

    /// The box at a side, if one gets there and not back.
    pub(super) fn out(&self, node: u32, side: usize) -> Option<u32> {
        (self.way(node, side) == Way::Out).then(|| self.to[node as usize][side])
    }

    pub(super) fn len(&self) -> usize {
        self.to.len()
    }
}

/// The step beside a step, of the same kind, if one walks between them on both sides.
fn next_in_row(flood: &Flood, from: u32, to: u32, side: usize, along: usize) -> Option<(u32, u32)> {
    let beside = flood.both_ways(from, along)?;
    let behind = flood.step(beside, side)?;
    let is_both = |node: u32| flood.both_ways(node, side).is_some();
    (flood.both_ways(to, along) == Some(behind) && is_both(from) == is_both(beside))
        .then_some((beside, behind))
}
