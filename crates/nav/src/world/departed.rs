//! Characters that left the room.

use super::World;
use crate::crowd::{Character, CharacterId};
use crate::room::Traits;
use serde::{Deserialize, Serialize};

/// What is still known of a character that left: events about it are read after it is gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Departed {
    /// Its name.
    pub name: String,
    /// The tick in which it left.
    pub tick: u64,
    /// Its tags, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether the player steered it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub player: bool,
}

/// The most characters that left and are remembered. Of more, the half that left first is forgotten.
pub const MAX_DEPARTED: usize = 20_000;

impl World {
    /// Remembers a character that leaves.
    pub(super) fn note_departed(&mut self, character: Character) {
        self.departed.insert(character.id, Departed::new(character, self.tick));
        if self.departed.len() > MAX_DEPARTED {
            let mut by_time: Vec<(u64, CharacterId)> =
                self.departed.iter().map(|(&who, departed)| (departed.tick, who)).collect();
            by_time.sort_unstable();
            by_time.truncate(MAX_DEPARTED / 2);
            by_time.iter().for_each(|(_, who)| drop(self.departed.remove(who)));
        }
    }
}

impl Departed {
    fn new(character: Character, tick: u64) -> Self {
        let Traits { tags, player, .. } = character.traits;
        Self { name: character.name, tick, tags, player }
    }
}
