//! A character of a room.

pub(super) mod file;
pub(crate) mod table;
pub(crate) mod traits;

use super::ActorSpec;
use crate::geometry::Place;
use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};
pub(crate) use traits::TRAITS;
pub use traits::Traits;

/// A character as the file describes it. Its traits are its own fields: `spec.walk_speed_mps`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CharacterSpec {
    /// Its name, unique among characters and points.
    pub name: String,
    /// The start, metres.
    pub at: Place,
    /// The name of the point it starts at, if the file gives one.
    pub at_point: Option<String>,
    /// Its script, relative to the project root.
    pub script: Option<String>,
    /// The direction it faces at the start, radians.
    pub heading_rad: f64,
    /// What else it has.
    pub traits: Traits,
    /// What it is on the room's tactical level, if it plays there. Not part of commands: see
    /// `Command::PlaceActor`.
    #[serde(skip)]
    pub actor: Option<ActorSpec>,
}

impl Deref for CharacterSpec {
    type Target = Traits;

    fn deref(&self) -> &Traits {
        &self.traits
    }
}

impl DerefMut for CharacterSpec {
    fn deref_mut(&mut self) -> &mut Traits {
        &mut self.traits
    }
}

impl CharacterSpec {
    /// An unnamed character at a place, with the defaults of a file that says nothing of the room's radius; else see
    /// [`Room::character_at`](super::Room::character_at).
    pub fn at(at: impl Into<Place>) -> Self {
        Self {
            name: String::new(),
            at: at.into(),
            at_point: None,
            script: None,
            heading_rad: 0.0,
            traits: Traits::default(),
            actor: None,
        }
    }

    /// The same character with a name.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// The same character with a script, from the project's root.
    #[must_use]
    pub fn with_script(self, script: impl Into<String>) -> Self {
        Self { script: Some(script.into()), ..self }
    }

    /// The same character with these tags.
    #[must_use]
    pub fn with_tags(mut self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.tags = tags.into_iter().map(Into::into).collect();
        self
    }

    /// The same character with other traits.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Traits)) -> Self {
        change(&mut self.traits);
        self
    }
}
