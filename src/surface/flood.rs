//! What can be walked to from a place.

use super::Surface;
use crate::grid::Reach;
use crate::nav::{Anchor, Query};
use glam::DVec2;

/// Everything that can be walked to from an anchor. The ground must be the same in every call.
#[derive(Debug, Clone)]
pub enum Flood {
    /// Over the nodes of a grid.
    Grid(Reach),
}

impl Flood {
    pub(super) fn new(surface: &Surface, from: &Anchor, until: Option<&Anchor>, most_work: u64) -> Self {
        match surface {
            Surface::Grid(grid) => Self::Grid(Reach::flood(grid, from, until, most_work)),
        }
    }

    /// Whether it leads to an anchor.
    pub fn leads_to(&mut self, surface: &Surface, to: &Anchor) -> bool {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.leads_to_anchor(grid, to),
        }
    }

    /// Whether the node of an anchor was flooded.
    pub fn holds(&self, surface: &Surface, anchor: &Anchor) -> bool {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.holds_anchor(grid, anchor),
        }
    }

    /// A number that two floods over one ground share exactly if they are the same. `None` for an empty flood.
    pub fn name(&self, surface: &Surface) -> Option<u32> {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.first(grid).map(|node| node.0),
        }
    }

    /// Where a path towards an unreachable goal can end: all places that are equally near to it. Empty where nothing was flooded.
    pub fn stops_near(&self, surface: &Surface, from: &Anchor, query: &Query) -> Vec<DVec2> {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => {
                reach.stops_near(grid, from, query.from, query.to, query.snap_m)
            }
        }
    }

    /// The work of [`Flood::stops_near`] beside the flood itself, in expansions; `stop` is the first of the places.
    pub fn stops_work(&self, surface: &Surface, stop: DVec2, to: DVec2) -> u64 {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.stops_work(grid, stop, to),
        }
    }

    /// The work done so far, in expansions of a search; more than was allowed if it was cut short.
    pub fn work(&self) -> u64 {
        match self {
            Self::Grid(reach) => reach.work(),
        }
    }
}
