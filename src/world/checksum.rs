//! The state of the simulation in one number.

use super::World;
use super::bits::{Hasher, Sink, pour};
use super::parts::Parts;
use std::borrow::Cow;

impl World {
    /// The hash of the simulation between two ticks: ground, doors, characters with their walks and random streams, searches
    /// under way. Runs that differ in any of it differ in their hash from that tick on. Everything that [`World::state`] saves
    /// is in it, but for events that nobody has taken yet; the room's settings are not.
    pub fn checksum(&self) -> u64 {
        let mut hash = Hasher::new();
        self.ground.words().iter().for_each(|&word| hash.word(word));
        pour(&Parts { events: Cow::Borrowed(&[]), ..self.parts() }, &mut hash);
        hash.finish()
    }
}
