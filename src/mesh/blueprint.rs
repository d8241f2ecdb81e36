//! The plan of a mesh: polygons, and what decides whether each of them is open.

use crate::nav::{AreaId, ObstacleId};
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

/// What lies on a polygon. The polygon is open if one of the areas is open (or there are none), no obstacle is there,
/// and no piece of an outline is an outer edge now.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cover {
    /// The areas that hold the polygon, ascending. Empty for ground that cannot be closed.
    pub areas: Vec<AreaId>,
    /// The obstacles that are too near, ascending.
    pub obstacles: Vec<ObstacleId>,
    /// The pieces of outlines that are too near, as ascending indices of [`Blueprint::outlines`].
    pub outlines: Vec<u32>,
}

/// A piece of the outline of an area. It is an outer edge if an area on one side is open, and none on the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OutlinePiece {
    /// The areas on its left, ascending.
    pub left: Vec<AreaId>,
    /// The areas on its right, ascending.
    pub right: Vec<AreaId>,
}
