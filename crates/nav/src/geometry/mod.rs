//! Places, polygons, segments, the exact traversal of cells by a segment, rows of bits. Independent of rooms.

mod body;
mod closed;
mod convex;
mod cubic;
mod hull;
mod outline;
mod pierce;
mod place;
mod polygon;
mod renumber;
mod rows;
mod segment;
mod solid;
mod traverse;

pub(crate) use closed::{MeshFault, MeshFaultKind};
pub use convex::{
    NotConvex, STRAIGHT_M, check_convex, doubled_area, fan_height, intersection, random_point, round_circle,
};
pub use cubic::Cubic;
pub(crate) use hull::{Hull, HullFault, Prism};
pub use outline::outlines;
pub use pierce::{HAIR_M, meetings, sides_within};
pub use place::Place;
pub use polygon::{SidedPart, border_distance, contains, outer_edges, row_crossings, sided_edges};
pub(crate) use renumber::Renumbering;
pub use rows::for_words;
pub use segment::{SegmentPart, closest_on_segment, distance_sq_to_segment, rect_distance};
pub(crate) use solid::{Filled, Solid, SolidFault};
pub use solid::{SolidShape, TriangleMesh};
pub use traverse::{Visit, traverse_cells};
