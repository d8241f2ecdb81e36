//! What can be walked to from a place.

use super::Surface;
use crate::grid::Reach;
#[cfg(test)]
use crate::mesh::MeshFlood;
use crate::nav::{Anchor, Position, Query};

/// Everything that can be walked to from an anchor. The ground must be the same in every call.
#[derive(Debug, Clone)]
#[cfg_attr(test, allow(clippy::large_enum_variant))] // there is one at a time, and no pointer to follow
pub enum Flood {
    /// Over the nodes of a grid.
    Grid(Reach),
    /// Over polygons.
    #[cfg(test)]
    Mesh(MeshFlood),
}

impl Flood {
    pub(super) fn new(surface: &Surface, from: &Anchor, until: Option<&Anchor>, most_work: u64) -> Self {
        match surface {
            Surface::Grid(grid) => Self::Grid(Reach::flood(grid, from, until, most_work)),
            #[cfg(test)]
            Surface::Mesh(mesh) => Self::Mesh(MeshFlood::new(mesh, from)),
        }
    }

    /// Whether it leads to an anchor.
    pub fn leads_to(&mut self, surface: &Surface, to: &Anchor) -> bool {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.leads_to_anchor(grid, to),
            #[cfg(test)]
            (Self::Mesh(flood), _) => flood.holds(to),
            #[cfg(test)]
            _ => false,
        }
    }

    /// Whether the node of an anchor was flooded.
    pub fn holds(&self, surface: &Surface, anchor: &Anchor) -> bool {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.holds_anchor(grid, anchor),
            #[cfg(test)]
            (Self::Mesh(flood), _) => flood.holds(anchor),
            #[cfg(test)]
            _ => false,
        }
    }

    /// A number that two floods over one ground share exactly if they are the same. `None` for an empty flood.
    pub fn name(&self, surface: &Surface) -> Option<u32> {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.first(grid).map(|node| node.0),
            #[cfg(test)]
            (Self::Mesh(flood), _) => flood.first(),
            #[cfg(test)]
            _ => None,
        }
    }

    /// Where a path towards an unreachable goal can end: all places that are equally near to it. Empty where nothing was flooded.
    pub fn stops_near(&self, surface: &Surface, from: &Anchor, query: &Query) -> Vec<Position> {
        let stops = match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => {
                reach.stops_near(grid, from, query.from.at, query.to.at, query.snap_m)
            }
            #[cfg(test)]
            (Self::Mesh(flood), Surface::Mesh(mesh)) => Vec::from_iter(flood.stop_near(mesh, query.to.at)),
            #[cfg(test)]
            _ => Vec::new(),
        };
        stops.into_iter().map(|at| surface.locate(at)).collect()
    }

    /// The work of [`Flood::stops_near`] beside the flood itself, in expansions; `stop` is the first of the places.
    pub fn stops_work(&self, surface: &Surface, stop: Position, to: Position) -> u64 {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.stops_work(grid, stop.at, to.at),
            #[cfg(test)]
            _ => 0,
        }
    }

    /// The work done so far, in expansions of a search; more than was allowed if it was cut short.
    pub fn work(&self) -> u64 {
        match self {
            Self::Grid(reach) => reach.work(),
            #[cfg(test)]
            Self::Mesh(flood) => flood.work(),
        }
    }
}
