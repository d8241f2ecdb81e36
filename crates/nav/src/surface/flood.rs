//! Flood fill from a place over all ground reachable from it.

use super::Surface;
use crate::grid::Reach;
use crate::mesh::MeshFlood;
use crate::nav::{Anchor, Position, Query};

/// Everything reachable from an anchor. The ground must be the same in every call.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant)] // few instances at a time; a box would cost an indirection
pub enum Flood {
    /// Over the nodes of a grid.
    Grid(Reach),
    /// Over polygons.
    Mesh(MeshFlood),
}

impl Flood {
    pub(super) fn new(surface: &Surface, from: &Anchor, until: Option<&Anchor>, most_work: u64) -> Self {
        match surface {
            Surface::Grid(grid) => Self::Grid(Reach::flood(grid, from, until, most_work)),
            Surface::Mesh(mesh) => Self::Mesh(MeshFlood::new(mesh, from.node)),
        }
    }

    /// Whether a path leads to an anchor. The node of the anchor is flooded; or, in a painted room, a line of sight
    /// joins the anchor to another flooded node. The lines of sight add to the work.
    pub fn leads_to(&mut self, surface: &Surface, to: &Anchor) -> bool {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.leads_to_anchor(grid, to),
            (Self::Mesh(flood), _) => flood.holds(to),
            _ => false,
        }
    }

    /// Whether the node of an anchor is flooded. Lines of sight to other nodes are not tested; see
    /// [`Flood::leads_to`].
    pub fn holds(&self, surface: &Surface, anchor: &Anchor) -> bool {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.holds_anchor(grid, anchor),
            (Self::Mesh(flood), _) => flood.holds(anchor),
            _ => false,
        }
    }

    /// The component id: complete floods over one ground have equal ids if and only if they hold the
    /// same nodes. `None` for an empty flood.
    pub fn name(&self, surface: &Surface) -> Option<u32> {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.first(grid).map(|node| node.0),
            (Self::Mesh(flood), _) => flood.first(),
            _ => None,
        }
    }

    /// Where a path towards an unreachable goal can end: all flooded nodes at the minimum distance from the goal.
    /// Empty if no node was flooded.
    pub(crate) fn stops_near(&self, surface: &Surface, from: &Anchor, query: &Query) -> Vec<Position> {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => {
                let stops = reach.stops_near(grid, from, query.from.at, query.to.at, query.snap_m);
                stops.into_iter().map(Position::on_ground).collect()
            }
            (Self::Mesh(flood), Surface::Mesh(mesh)) => {
                flood.stop_near(mesh, mesh.locate(query.to)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The extra cost of [`Flood::stops_near`], in expansions. Pass its first result as `stop`.
    pub(crate) fn stops_work(&self, surface: &Surface, stop: Position, to: Position) -> u64 {
        match (self, surface) {
            (Self::Grid(reach), Surface::Grid(grid)) => reach.stops_work(grid, stop.at, to.at),
            _ => 0,
        }
    }

    /// The work done so far, in expansions of a search. It exceeds `most_work` if the flood was aborted.
    pub(crate) fn work(&self) -> u64 {
        match self {
            Self::Grid(reach) => reach.work(),
            Self::Mesh(flood) => flood.work(),
        }
    }
}
