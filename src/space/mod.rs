//! Where one can stand. [`Ground`] is what every kind of ground offers to the modules after it: points to nodes and back,
//! directed edges with their cost, exact lines of sight, areas that open and close. Nothing outside this module knows cells.

mod bits;
mod build;
mod frame;
mod ground;
mod lattice;
mod layer;
mod nodes;
mod overlay;
mod painter;
mod reach;
mod what_if;

pub use build::GroundError;
pub use frame::Frame;
pub use ground::{AreaId, Dirty, Ground, Node, ObstacleId};
pub use overlay::{Disc, Overlay};
pub use reach::Reach;
pub use what_if::{Wall, WallOf};
