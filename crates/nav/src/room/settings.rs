//! The settings of a room's ground, with their defaults.

use super::mask::{Sampling, Shortening};

/// What the ground of a room is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum GroundKind {
    /// Cells.
    #[default]
    Grid,
    /// Convex polygons: a navmesh.
    Mesh,
}

/// How paths are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PlannerKind {
    /// Over cells from cell to cell, then shortened. On a mesh, as `AnyAngle`.
    #[default]
    Grid,
    /// At any angle: the shortest paths over polygons. Cells are merged to rectangles.
    AnyAngle,
    /// From portal to portal between polygons, then pulled tight. Less work than `AnyAngle`, and longer paths. Cells are
    /// merged to rectangles.
    Portals,
}

/// The shape of the paths that characters walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PathShape {
    /// Straight lines.
    #[default]
    Straight,
    /// Curves through the convex parts of the ground along the straight path.
    Curved,
}

/// How the walkable ground is made of the polygons. All lengths in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct GroundSettings {
    /// What the ground is made of.
    pub kind: GroundKind,
    /// How paths are found.
    pub planner: PlannerKind,
    /// Width and depth of one cell.
    pub cell_size_m: f64,
    /// Half the width of a character; obstacles keep this distance, and the object padding.
    pub agent_radius_m: f64,
    /// Clearance around obstacles beyond the agent's radius.
    pub object_padding_m: f64,
    /// Clearance inside the outer edge of the areas.
    pub boundary_padding_m: f64,
    /// Height of every waypoint.
    pub floor_y_m: f64,
    /// Where the nodes of a painted room are; `None` where every cell is one.
    pub sampling: Option<Sampling>,
    /// How paths are shortened.
    pub shortening: Shortening,
}

impl Default for GroundSettings {
    fn default() -> Self {
        Self {
            kind: GroundKind::Grid,
            planner: PlannerKind::Grid,
            cell_size_m: 0.4,
            agent_radius_m: 0.45,
            object_padding_m: 0.25,
            boundary_padding_m: 0.0,
            floor_y_m: 0.0,
            sampling: None,
            shortening: Shortening::Pull,
        }
    }
}

impl GroundSettings {
    /// Whether the ground is made of cells, and paths lead over polygons made of them.
    pub fn has_polygons_of_cells(&self) -> bool {
        self.kind == GroundKind::Grid && self.planner != PlannerKind::Grid
    }

    /// The distance that characters keep from obstacles, metres.
    pub fn obstacle_margin_m(&self) -> f64 {
        self.agent_radius_m + self.object_padding_m
    }

    /// What the grid adds around the areas on every side, metres.
    pub fn margin_m(&self) -> f64 {
        self.cell_size_m * 2.0 + self.agent_radius_m + self.object_padding_m
    }
}
