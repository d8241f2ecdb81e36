//! The state of the simulation in one number.

use super::World;
use super::snapshot::Snapshot;
use super::state_hasher::{Sink, StateHasher, pour};
use std::borrow::Cow;

impl World {
    /// The hash of the simulation between two ticks: ground, doors, characters with their walks and random streams,
    /// searches under way. Runs that differ in any of it differ in their hash from that tick on. It covers everything
    /// that [`World::state`] saves, except events not taken yet. It does not cover the room's settings.
    pub fn checksum(&self) -> u64 {
        let mut hash = StateHasher::new();
        self.ground.for_each_state_word(|word| hash.word(word));
        pour(&Snapshot { events: Cow::Borrowed(&[]), ..self.snapshot() }, &mut hash);
        hash.finish()
    }
}
