//! Ground made of cells: a grid painted from areas and obstacles, given by a text file, or sampled from a painted
//! image. It holds rasters, nodes, jump point search, lines of sight and path shortening. Only `mesh`,
//! `surface`, `draw`, benchmarks and tests import this module.

mod anchors;
mod area_place;
mod attach;
mod boundary;
mod build;
mod cells;
mod channel;
mod components;
mod covers;
mod erosion;
mod field;
mod frame;
mod history;
mod lattice;
mod lattice_edges;
mod layer;
mod lost_ways;
mod move_along;
mod node_plan;
mod nodes;
mod overlay;
mod painter;
mod pinch;
mod pockets;
mod query_mask;
mod random_place;
mod raster;
mod reach;
mod search;
mod segment_clear;
mod shadow;
mod vision;
mod what_if;

pub(crate) use attach::LINES_OF_EXPANSION;
pub use cells::{Grid, Node};
pub(crate) use covers::NEVER;
pub(crate) use field::STRIDE;
pub use frame::Frame;
pub use lost_ways::LostWay;
pub use node_plan::{CutOff, NodePlan};
pub use overlay::Overlay;
pub use pockets::Pockets;
pub(crate) use query_mask::QueryMask;
pub use reach::Reach;
pub(crate) use search::{LinkEnds, LinkSteps, RouteSearch};
pub use search::{NodeSearch, SearchMemory};
pub(crate) use segment_clear::GridPoint;
pub(crate) use shadow::Shadow;
