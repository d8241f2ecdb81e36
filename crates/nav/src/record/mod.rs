//! Recording and replay. A [`Recorder`] writes the start of a world, every change from outside ([`LogEntry`]), the
//! hash of every tick, and all positions ten times a second. A [`Replay`] runs a [`Recording`] again, without Lua.
//! The same code gives the same hashes. With other code it reports the first tick that differs, and the tracks show
//! the former ways.
//!
//! A recording is written during the run, so it includes the events before a crash. A file that is cut off
//! merely ends earlier.
//!
//! [`LogEntry`]: crate::world::LogEntry

mod compare;
mod differences;
mod format;
mod recorder;
mod replay;
mod tracks;

pub use compare::{Divergence, SEEN_M, first_divergence};
pub use differences::{CommandDifference, first_command_difference, room_differences};
pub use format::{ReadError, Recording, RoomText, Start};
pub use recorder::{Buffer, Recorder};
pub use replay::{Difference, Replay};
pub use tracks::{Track, Tracks};
