//! Who walks there: characters, following their paths, keeping them apart, deciding when to plan again. Knows ground and
//! paths; never a file, a script or an area's name.

mod character;
mod follow;
mod neighbours;
mod progress;
mod replan;
mod roster;
mod separate;

pub use character::{Character, CharacterId, Purpose, Speech, State, Walk, WalkEnd, WalkId};
pub use follow::{Followed, follow};
pub use neighbours::Neighbours;
pub use progress::{Stuck, watch_progress};
pub use replan::{Replan, dynamic_obstacles, is_affected};
pub use roster::Roster;
pub use separate::{nudge_target, separate};
