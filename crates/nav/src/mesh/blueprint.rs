//! The plan of a mesh: polygons, and what decides whether each of them is open.

use crate::nav::{Cover, OutlinePiece};
use crate::room::RawPolygon;
use glam::DVec3;

/// Polygons before they are joined to a mesh. Building steps return it: the triangulation of a room's areas, the
/// voxels of a level, a file of polygons.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Blueprint {
    /// x, y (up) and z, in metres.
    pub vertices: Vec<DVec3>,
    /// Convex, and disjoint within one storey.
    pub polygons: Vec<RawPolygon>,
    /// For each polygon its index in `covers`.
    pub cover_of: Vec<u32>,
    /// What lies on polygons. No two are equal.
    pub covers: Vec<Cover>,
    /// The pieces of area outlines that characters keep away from. Empty unless the room has a boundary padding.
    pub outlines: Vec<OutlinePiece>,
}
