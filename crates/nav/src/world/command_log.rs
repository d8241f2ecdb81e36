//! The command log: changes of a world from outside its tick, recorded for replay.

use super::{Command, World};
use crate::crowd::CharacterId;

/// Something that changed a world between two ticks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LogEntry {
    /// A command that was carried out.
    Did(Command),
    /// A number was drawn from a character's random stream, or the room's.
    Drew(Option<CharacterId>),
}

impl World {
    /// Whether to record all changes between ticks from now on. The log only grows, so the reader takes it after every
    /// tick.
    pub fn keep_command_log(&mut self, keep: bool) {
        self.outbox.command_log = keep.then(|| self.take_command_log());
    }

    /// The changes since the last call, in order; empty unless a command log is kept.
    pub fn take_command_log(&mut self) -> Vec<LogEntry> {
        self.outbox.command_log.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
