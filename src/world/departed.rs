//! Characters that left the room.

use crate::crowd::Character;
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

impl Departed {
    pub(super) fn new(character: Character, tick: u64) -> Self {
        let Character { name, tags, player, .. } = character;
        Self { name, tick, tags, player }
    }
}
