//! Polygons of the ground that a room file gives.

mod cut;
mod dump;
pub(super) mod file;
mod join;
pub(super) mod read;
#[cfg(test)]
mod tests;

pub use dump::NavmeshDump;

use glam::DVec3;

/// The polygons of a navmesh as a file gives them.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct MeshPolygons {
    /// x, y (up) and z, in metres.
    pub vertices: Vec<DVec3>,
    /// Convex polygons. Several may lie above each other.
    pub polygons: Vec<RawPolygon>,
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
        Self { vertices, polygons }
    }
}
