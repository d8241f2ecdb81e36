//! Ground made of convex polygons: a navigation mesh (navmesh).
//!
//! - [`Polygons`]: the polygons and their portals.
//! - [`MoveMemory`] and [`Polygons::move_along`]: movement that slides along walls.
//! - [`AnyAngle`]: shortest paths.
//!
//! No room has this ground yet: `cicerone bench MESH.json` measures it.
//!
//! The plane is x and z (`DVec2::y` is the world's z). Heights do not count for distances.

mod any_angle;
#[allow(dead_code)] // until rooms have this ground
mod blueprint;
#[allow(dead_code)] // until rooms have this ground
mod build;
#[cfg(test)]
mod corner_graph;
#[cfg(test)]
mod index;
mod move_along;
mod polygons;
mod problem;

#[cfg(test)]
#[allow(unreachable_pub)] // variants of public enums hold them
pub use corner_graph::Mesh;
#[cfg(test)]
pub(crate) use corner_graph::{MeshFlood, MeshSearch};

#[allow(unused_imports)] // until rooms have this ground
pub(crate) use blueprint::{Blueprint, Cover, OutlinePiece};

pub use any_angle::{AnyAngle, AnyAngleMemory, MeshPath};
#[cfg(test)]
pub(crate) use index::PolygonIndex;
pub use move_along::{MoveError, MoveMemory, Moved};
pub use polygons::{Edge, Polygons, RawPolygon};
pub use problem::PolygonProblem;
