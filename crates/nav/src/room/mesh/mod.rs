//! Polygons of the ground that a room file gives.

mod behind;
mod check;
mod cut;
mod dump;
mod fault;
pub(super) mod file;
mod join;
mod level;
mod pairs;
pub(super) mod read;
mod sectors;
#[cfg(test)]
mod tests;
mod vertices;

pub(crate) use behind::{Ring, UnclearEdge, edges_behind, ring_of};
pub use dump::NavmeshDump;
pub use level::{LevelGeometry, LevelSettings};
pub use sectors::{FloodSettings, SectorBox, SectorPortal, Sectors};

use glam::DVec3;
use std::sync::Arc;

/// The polygons of a navmesh as a file gives them.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct MeshPolygons {
    /// x, y (up) and z, in metres.
    pub vertices: Vec<DVec3>,
    /// Convex polygons. Several may lie above each other.
    pub polygons: Vec<RawPolygon>,
    /// The sectors that they lie in, if the level was flooded. Room files do not have them.
    pub sectors: Option<Arc<Sectors>>,
}

/// A polygon of a navmesh as a file gives it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RawPolygon {
    /// Indices of its vertices, in either direction of rotation.
    pub corners: Vec<u32>,
    /// The polygon behind each edge (from a corner to the next one), or `None` for a wall. If the list is empty, the
    /// polygon behind an edge is the one that has the same two vertices.
    pub neighbours: Vec<Option<u32>>,
}

impl MeshPolygons {
    /// Polygons over some vertices.
    pub fn new(vertices: Vec<DVec3>, polygons: Vec<RawPolygon>) -> Self {
        Self { vertices, polygons, sectors: None }
    }

    /// Polygons that lie above each other, but so near that they count as one storey: less than `storey_m`.
    pub fn low_storeys(&self, storey_m: f64) -> Vec<check::Stack> {
        let rings = check::check_each(self).unwrap_or_default();
        check::stacks(&rings, check::STOREY_M, storey_m)
    }

    /// Whether there are polygons and each of them is one, with vertices and neighbours that exist. Storeys may be
    /// nearer above each other than those of a room file.
    pub fn is_sound(&self) -> bool {
        !self.polygons.is_empty() && check::check_each(self).is_ok()
    }
}
