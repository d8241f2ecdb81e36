//! Ground made of cells: a grid painted from areas and obstacles, given by a text file, or sampled from a painted
//! image. It holds rasters, nodes, jump point search, lines of sight and path shortening. No later module knows
//! cells.

mod anchors;
mod area_place;
mod attach;
mod build;
mod cells;
mod components;
mod field;
mod frame;
mod history;
mod jump_points;
mod lattice;
mod lattice_edges;
mod layer;
mod lines;
mod nodes;
mod overlay;
mod painter;
mod pinch;
mod plan_view;
mod query_mask;
mod random_place;
mod raster;
mod reach;
mod search;
mod shadow;
mod sight;
mod steps;
mod unseen;
mod vision;
mod what_if;

pub(crate) use attach::LINES_OF_EXPANSION;
pub use cells::{Grid, Node};
pub(crate) use field::STRIDE;
pub use frame::Frame;
pub(crate) use jump_points::{Direction, Directions, Jump, STEPS, Seen, is_primary};
pub use overlay::Overlay;
pub use plan_view::{CutOff, NodePlan};
pub(crate) use query_mask::QueryMask;
pub use reach::Reach;
pub use search::{NodeSearch, RouteSearch, SearchMemory};
pub(crate) use shadow::Shadow;
pub(crate) use sight::GridPoint;
pub(crate) use steps::onward_by_steps;
pub use unseen::Unseen;
