//! A character of a room.

use super::{ActorSpec, Avoidance, GroundSettings, Patience};
use crate::geometry::Place;
use serde::{Deserialize, Serialize};

/// A character as the file describes it.
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
    /// Whether the player controls it.
    pub player: bool,
    /// Of two stuck characters, the one with the lower priority gives way.
    pub priority: i32,
    /// Whether it stays in place while it stands: it is not pushed aside, and all others plan around it.
    pub pinned: bool,
    /// Whether it walks back to where it stood after it was pushed away.
    pub returns_to_post: bool,
    /// How it avoids others. `None`: as the room says. Not part of commands: see `Setting::Avoidance`.
    #[serde(skip)]
    pub avoidance: Option<Avoidance>,
    /// How long it stays without progress. `None`: as the room says. Not part of commands: see `Setting::Patience`.
    #[serde(skip)]
    pub patience: Option<Patience>,
    /// Metres per second.
    pub walk_speed_mps: f64,
    /// Radians per second.
    pub rotation_speed_radps: f64,
    /// Half its width among other characters, metres; by default the room's agent radius.
    pub collision_radius_m: f64,
    /// Free words by which scripts find characters.
    pub tags: Vec<String>,
    /// Dead characters neither walk nor block.
    pub alive: bool,
    /// Disabled characters neither walk nor block.
    pub enabled: bool,
    /// The direction it faces at the start, radians.
    pub heading_rad: f64,
    /// What it is on the room's tactical level, if it plays there. Not part of commands: see
    /// `Command::PlaceActor`.
    #[serde(skip)]
    pub actor: Option<ActorSpec>,
}

impl CharacterSpec {
    /// Default walking speed, metres per second.
    pub const DEFAULT_WALK_SPEED_MPS: f64 = 1.4;
    /// Default turning speed, radians per second.
    pub const DEFAULT_ROTATION_SPEED_RADPS: f64 = 8.0;

    /// An unnamed character at a place, with the defaults of a file that says nothing of the room's radius; else see
    /// [`Room::character_at`](super::Room::character_at).
    pub fn at(at: impl Into<Place>) -> Self {
        Self {
            name: String::new(),
            at: at.into(),
            at_point: None,
            script: None,
            player: false,
            priority: 0,
            pinned: false,
            returns_to_post: false,
            avoidance: None,
            patience: None,
            walk_speed_mps: Self::DEFAULT_WALK_SPEED_MPS,
            rotation_speed_radps: Self::DEFAULT_ROTATION_SPEED_RADPS,
            collision_radius_m: GroundSettings::default().agent_radius_m,
            tags: Vec::new(),
            alive: true,
            enabled: true,
            heading_rad: 0.0,
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
    pub fn with_tags(self, tags: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { tags: tags.into_iter().map(Into::into).collect(), ..self }
    }
}
