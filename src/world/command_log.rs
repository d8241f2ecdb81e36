//! What changed a world from outside its tick: written down so that a replay does the same again.

use super::{Command, World};
use crate::crowd::CharacterId;

/// Something that changed a world between two ticks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LogEntry {
    /// A command that was carried out.
    Did(Command),
    /// A number was drawn from somebody's random stream, or the room's.
    Drew(Option<CharacterId>),
}

impl World {
    /// Whether everything that changes the world between ticks is to be written down from now on. The reader takes it
    /// after every tick: it only grows.
    pub fn keep_command_log(&mut self, keep: bool) {
        self.command_log = keep.then(|| self.take_command_log());
    }

    /// What was done since the last call, in order; nothing unless a command log is kept.
    pub fn take_command_log(&mut self) -> Vec<LogEntry> {
        self.command_log.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
