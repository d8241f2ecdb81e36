//! Recording and replay. A [`Recorder`] writes down how a world began, everything that changed it from outside ([`LogEntry`]), the
//! hash of every tick, and where everybody was ten times a second. A [`Recording`] read back is run again by a [`Replay`],
//! without Lua: the same code gives the same hashes, other code says where it begins to differ, and from the tracks one sees who
//! went where before.
//!
//! A recording is written as it happens, so that what led to a crash is in it, and what is cut off at its end only ends earlier.
//!
//! [`LogEntry`]: crate::world::LogEntry

mod compare;
mod differences;
mod format;
mod recorder;
mod replay;
mod tracks;

pub use compare::{SEEN_M, Stray, first_to_stray};
pub use differences::{OtherDeeds, first_other_deeds, room_differences};
pub use format::{ReadError, Recording, RoomText, Start};
pub use recorder::{Buffer, Recorder};
pub use replay::{Difference, Replay};
pub use tracks::{Track, Tracks};
