//! The words of navigation: what every kind of ground takes and gives, and nothing of how it is made. The questions that a
//! ground answers are those of `surface`.

mod anchor;
mod area;
mod change;
mod corridor;
mod disc;
mod error;
mod path;
mod position;
mod query;
mod refuge;
mod region;
mod trace;
mod vision;
mod wall;

pub use crate::geometry::Place;
pub use anchor::Anchor;
pub use area::{AreaId, ObstacleId};
pub use change::Change;
pub use corridor::Corridor;
pub use disc::Disc;
pub use error::GroundError;
pub use path::{NoPath, Outcome, Path, Step};
pub use position::{FloorId, Position};
pub use query::{Progress, Query, SearchProgress, SearchState};
pub use refuge::{Refuge, Threat};
pub use region::Region;
pub use trace::{PathTrace, Try};
pub use vision::HiddenBy;
pub use wall::{Pinch, Wall, WallOf};
