//! Where one can stand. [`Ground`] is what every kind of ground offers to the modules after it: points to nodes and back,
//! directed edges with their cost, exact lines of sight, areas that open and close. Nothing outside this module knows cells.

mod area_place;
mod attach;
mod build;
mod components;
mod field;
mod frame;
mod ground;
mod history;
mod jump_points;
mod lattice;
mod lattice_edges;
mod layer;
mod lines;
mod nodes;
mod overlay;
mod painter;
mod query_mask;
mod random_place;
mod raster;
mod reach;
mod shadow;
mod sight;
mod steps;
mod unseen;
mod vision;
mod what_if;

pub(crate) use attach::LINES_OF_EXPANSION;
pub use build::GroundError;
pub(crate) use field::STRIDE;
pub use frame::Frame;
pub use ground::{AreaId, Dirty, Ground, Node, ObstacleId};
pub(crate) use jump_points::{Direction, Directions, Jump, STEPS, Seen, is_primary};
pub use overlay::{Disc, Overlay};
pub(crate) use query_mask::QueryMask;
pub use random_place::Region;
pub use reach::Reach;
pub(crate) use shadow::Shadow;
pub(crate) use sight::GridPoint;
pub(crate) use steps::onward_by_steps;
pub use unseen::Unseen;
pub use vision::HiddenBy;
pub use what_if::{Wall, WallOf};
