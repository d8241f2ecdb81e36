//! What is wrong with a mesh.

use super::polygons::MAX_COORDINATE_M;
use crate::room::UnclearEdge;
use std::fmt;

/// Why polygons are no navmesh.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PolygonProblem {
    /// There are no polygons.
    Empty,
    /// There are more vertices or polygons than fit.
    TooMany,
    /// A vertex is not a finite point within a million metres.
    BadVertex {
        /// The index of the vertex.
        vertex: usize,
    },
    /// A polygon has fewer than three corners, or a corner twice.
    TooFewCorners {
        /// The index of the polygon.
        polygon: usize,
    },
    /// A polygon names a vertex that does not exist.
    NoSuchVertex {
        /// The index of the polygon.
        polygon: usize,
        /// The index that it names.
        vertex: u32,
    },
    /// A polygon has no area on the plane.
    Flat {
        /// The index of the polygon.
        polygon: usize,
    },
    /// A polygon is not convex.
    Concave {
        /// The index of the polygon.
        polygon: usize,
        /// The vertex of the corner that points inwards.
        vertex: u32,
    },
    /// The number of neighbours is not the number of edges.
    NeighbourCount {
        /// The index of the polygon.
        polygon: usize,
    },
    /// A portal leads to a polygon that does not exist or does not have this edge.
    NoSuchPortal {
        /// The index of the polygon.
        polygon: usize,
        /// The index of the polygon behind the portal.
        neighbour: u32,
    },
    /// Three or more polygons share an edge, so that it is unclear which of them are joined.
    SharedByMany {
        /// The index of one of the polygons.
        polygon: usize,
    },
}

impl From<UnclearEdge> for PolygonProblem {
    fn from(edge: UnclearEdge) -> Self {
        match edge {
            UnclearEdge::SharedByMany { polygon } => Self::SharedByMany { polygon },
            UnclearEdge::NoSuchPortal { polygon, neighbour } => Self::NoSuchPortal { polygon, neighbour },
        }
    }
}

impl fmt::Display for PolygonProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there are no polygons"),
            Self::TooMany => write!(f, "there are more polygons or vertices than fit"),
            Self::BadVertex { vertex } => write!(
                f,
                "vertex {vertex} is not a finite point within {MAX_COORDINATE_M:.0} m of the origin"
            ),
            Self::TooFewCorners { polygon } => {
                write!(f, "polygon {polygon} has fewer than 3 different corners")
            }
            Self::NoSuchVertex { polygon, vertex } => {
                write!(f, "polygon {polygon} names vertex {vertex}, which does not exist")
            }
            Self::Flat { polygon } => {
                write!(f, "polygon {polygon} has no area seen from above: all its corners are on one line")
            }
            Self::Concave { polygon, vertex } => {
                write!(f, "polygon {polygon} is not convex at vertex {vertex}: split it into convex polygons")
            }
            Self::NeighbourCount { polygon } => {
                write!(f, "polygon {polygon} does not have one neighbour (or none, as -1) for each edge")
            }
            Self::NoSuchPortal { polygon, neighbour } => write!(
                f,
                "polygon {polygon} has a portal to polygon {neighbour}, which does not have that edge"
            ),
            Self::SharedByMany { polygon } => {
                write!(f, "an edge of polygon {polygon} is shared by more than two polygons")
            }
        }
    }
}

impl std::error::Error for PolygonProblem {}
