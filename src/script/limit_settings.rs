//! Limits of scripts: from the room and the command line, with defaults.

use crate::room::ScriptLimits;

/// Limits of scripts; see [`ScriptLimits`] for the meaning of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) call: u64,
    pub(super) tick: u64,
    /// For all scripts together in one tick.
    pub(super) all: u64,
    pub(super) load: u64,
    pub(super) memory_bytes: usize,
    pub(super) script_memory_bytes: usize,
    pub(super) characters: usize,
    pub(super) timers: usize,
    pub(super) sequences: usize,
}

impl Limits {
    pub(super) fn of(wanted: &ScriptLimits) -> Self {
        let count = |wanted: Option<u64>, default: usize| {
            wanted.map_or(default, |count| usize::try_from(count).unwrap_or(usize::MAX))
        };
        // A million instructions take about ten milliseconds; a handler with a few thousand is already long.
        let call = wanted.instructions_per_call.unwrap_or(1_000_000);
        let bytes = |wanted: Option<u64>, default: usize| count(wanted, default).saturating_mul(1 << 20);
        // If long calls are allowed, a tick must allow at least one.
        let tick = wanted.instructions_per_tick.unwrap_or_else(|| call.max(2_000_000));
        Self {
            call,
            tick,
            all: wanted.instructions_per_tick_of_all.unwrap_or_else(|| tick.max(4_000_000)),
            load: wanted.instructions_per_load.unwrap_or(6_000_000),
            // Collecting 128 MB of garbage causes a pause that is just tolerable to the eye.
            memory_bytes: bytes(wanted.memory_mb, 128),
            script_memory_bytes: bytes(wanted.memory_per_script_mb, 32),
            characters: count(wanted.characters, 3000),
            timers: count(wanted.timers, 1000),
            sequences: count(wanted.sequences, 1000),
        }
    }
}
