//! Types shared by all grounds: positions, queries, paths, changes.
//!
//! # Terms
//!
//! - **Painted room**: a room whose walkable pixels come from an image. Its search nodes are sampled, one every
//!   `sampleRate` pixels.
//! - **Plain grid**: a grid whose search nodes are its cells. Rooms that are not painted are plain grids. Painted rooms
//!   with `sampleRate` 1 and eight neighbours are plain grids, too.
//! - **Node in sight** of a point: a straight line from the point to the node is walkable. A point of a painted room
//!   belongs to the nearest node in sight. A point of a plain grid belongs to the cell that contains it.
//! - **Pocket**: walkable pixels of a painted room that have no node in sight.
//! - **Work**: cost in units of a search budget. One ordinary node expansion is one unit. Other work is converted: a
//!   jump-point expansion that scans many cells, for example, costs several units.
//! - **Fallback sequence**: what a search tries, in this order: a path that avoids the obstacles of the query, a path
//!   that ignores the obstacles, a path to the nearest reachable place.

mod anchor;
mod area;
mod boundary;
mod change;
mod corridor;
mod cover;
mod curve;
mod disc;
mod error;
mod link;
mod path;
mod position;
mod query;
mod refuge;
mod region;
pub(crate) mod sight;
mod trace;
mod vision;
mod wall;
mod waypath;

pub use crate::geometry::Place;
pub use anchor::Anchor;
pub use area::{AreaId, ClassId, ObstacleId};
pub use boundary::{LocalBoundary, WallSegment};
pub use change::Change;
pub use corridor::Corridor;
pub(crate) use cover::{Cover, OutlinePiece};
pub use curve::{CURVE_TOLERANCE_M, Curve, CurveChannel, Joint, Sector};
pub use disc::Disc;
pub use error::GroundError;
pub use link::{LinkCrossing, LinkId, LinkWay};
pub use path::{NoPath, Outcome, Path, Step};
#[doc(hidden)]
pub use position::STOREY_M;
pub use position::{FloorId, Position};
pub(crate) use query::SearchState;
pub use query::{Progress, Query};
pub use refuge::{Refuge, Threat};
pub use region::Region;
pub use trace::{PathTrace, Try};
pub use vision::HiddenBy;
pub use wall::{Pinch, Wall, WallOf};
pub use waypath::{WaypathId, WaypathStep};
