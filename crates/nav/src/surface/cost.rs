//! Costs of paths: in metres, and their lower bounds.

use super::Surface;
use crate::nav::{Path, Position};
use glam::DVec2;

impl Surface {
    /// The cost of a path in metres, as links have it: with the steps of the search graph on grids, which are 0 to 8 %
    /// longer than the shortened path.
    pub fn cost_m(&self, path: &Path) -> f64 {
        path.cost_cells * self.cost_unit_m()
    }

    /// The length of one unit of [`Path::cost_cells`], in metres.
    pub fn cost_unit_m(&self) -> f64 {
        match self {
            Self::Grid(grid) => grid.frame().cell_size_m,
            Self::Mesh(_) => 1.0,
        }
    }

    /// The cost of a straight walk over free ground, in metres: with the steps of the search graph on grids, where they can
    /// be divided at will. The cost of a line is the sum of the costs of its parts.
    pub fn straight_cost_m(&self, from: Position, to: Position) -> f64 {
        match self {
            Self::Grid(grid) => grid.straight_cost_m(from.at, to.at),
            Self::Mesh(_) => from.distance(to),
        }
    }

    /// A lower bound of the cost of a path between two positions, in metres: exact if nothing is in the way. It obeys the
    /// triangle inequality, but for painted rooms: costs there are from node to node, and bounds are lower by the way to
    /// the nodes.
    pub fn least_cost_m(&self, from: Position, to: Position) -> f64 {
        self.least_between_m(self.bound_point(from), self.bound_point(to))
    }

    /// A position as [`Surface::least_between_m`] takes it.
    pub(crate) fn bound_point(&self, position: Position) -> DVec2 {
        match self {
            Self::Grid(grid) => grid.bound_point(position.at),
            Self::Mesh(_) => position.at,
        }
    }

    /// [`Surface::least_cost_m`] for positions that are measured many times.
    #[inline]
    pub(crate) fn least_between_m(&self, from: DVec2, to: DVec2) -> f64 {
        match self {
            Self::Grid(grid) => grid.least_cost_m(from, to),
            Self::Mesh(_) => from.distance(to),
        }
    }
}
