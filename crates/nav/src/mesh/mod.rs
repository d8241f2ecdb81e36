//! Ground made of convex polygons: a navigation mesh (navmesh).
//!
//! - [`Polygons`]: the polygons and their portals.
//! - [`MoveMemory`] and [`Polygons::move_along`]: movement that slides along walls.
//! - [`AnyAngle`]: shortest paths. [`PortalPath`]: paths from portal to portal.
//! - `line`: straight lines.
//! - [`Mesh`]: the ground of a room, with areas that open and close.
//!
//! The plane is x and z (`DVec2::y` is the world's z). Heights do not count for the length of paths.

mod any_angle;
mod blocks;
mod blueprint;
mod build;
mod funnel;
mod ground;
mod index;
mod line;
mod move_along;
mod polygons;
mod portal_path;
mod problem;
mod progress;
mod raster;
mod sectors;
mod view;

pub use any_angle::{AnyAngle, AnyAngleMemory, MeshPath};
pub(crate) use blueprint::Blueprint;
pub use build::LevelMemory;
pub(crate) use build::polygons_of_level;
pub use ground::MeshFlood;
pub use ground::{Behind, Mesh, PolygonView};
pub(crate) use ground::{MeshSearch, MeshSearchMemory};
pub(crate) use index::PolygonIndex;
pub use move_along::{MoveError, MoveMemory, Moved};
pub use polygons::{Edge, Polygons};
pub use portal_path::{PortalPath, PortalPathMemory};
pub use problem::PolygonProblem;
pub use view::{Openness, View};

pub use crate::room::RawPolygon;

/// Random rooms of areas.
#[cfg(test)]
pub(crate) mod test_rooms {
    pub(crate) use super::build::areas::tests::{Random, known_rooms, random_room};
}
