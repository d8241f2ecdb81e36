//! Characters that left the room.

use crate::crowd::{Character, CharacterId};
use crate::room::Traits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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

/// What is kept of characters beside themselves.
#[derive(Debug, Clone, Default)]
pub(super) struct Register {
    /// Those that left: for events about them and stale handles.
    pub(super) departed: BTreeMap<CharacterId, Departed>,
    /// Numbers of the game's own.
    pub(super) user_data: BTreeMap<CharacterId, u64>,
}

impl Register {
    /// A character leaves in a tick.
    pub(super) fn note_departed(&mut self, character: Character, tick: u64) {
        self.user_data.remove(&character.id);
        let departed = &mut self.departed;
        departed.insert(character.id, Departed::new(character, tick));
        if departed.len() > MAX_DEPARTED {
            let mut by_time: Vec<(u64, CharacterId)> =
                departed.iter().map(|(&who, departed)| (departed.tick, who)).collect();
            by_time.sort_unstable();
            by_time.truncate(MAX_DEPARTED / 2);
            by_time.iter().for_each(|(_, who)| drop(departed.remove(who)));
        }
    }
}

impl Departed {
    fn new(character: Character, tick: u64) -> Self {
        let Traits { tags, player, .. } = character.traits;
        Self { name: character.name, tick, tags, player }
    }
}
