//! Actors of tactical levels in room files.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an actor holds itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
#[non_exhaustive]
pub enum Stance {
    /// Upright.
    #[default]
    Stand,
    /// Lower, and slower.
    Crouch,
}

/// Makes a character an actor of the room's tactical level: it stands on cells and moves in turns. Its cell is the one
/// under its start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "actor", rename = "actor"))]
#[non_exhaustive]
pub struct ActorSpec {
    /// The level of its cell, from 0 at the bottom.
    #[serde(default)]
    #[cfg_attr(test, schemars(range(max = 7)))]
    pub level: u32,
    /// Its side in cells: 1, or 2 for one of 2 × 2 cells, which starts where the four meet.
    #[serde(default = "default::size")]
    #[cfg_attr(test, schemars(range(min = 1, max = 2)))]
    pub size: u32,
    /// How it holds itself at the start.
    #[serde(default)]
    pub stance: Stance,
    /// Whether it flies.
    #[serde(default, skip_serializing_if = "crate::room::file::is_false")]
    pub flies: bool,
    /// The time units (TU) that it has for a turn.
    #[serde(default = "default::budget")]
    #[cfg_attr(test, schemars(range(max = 65_535)))]
    pub budget: u16,
    /// The side that it is on. The actors of a side move in the same turn.
    #[serde(default = "default::side")]
    pub side: String,
}

impl ActorSpec {
    /// The time units of an actor whose file gives none.
    pub const DEFAULT_BUDGET_TU: u16 = 50;

    /// The side of an actor whose file gives none.
    pub const DEFAULT_SIDE: &str = "neutral";

    /// An actor on a side, on the lowest level, with the defaults of a file.
    pub fn on_side(side: impl Into<String>) -> Self {
        Self {
            level: 0,
            size: 1,
            stance: Stance::Stand,
            flies: false,
            budget: Self::DEFAULT_BUDGET_TU,
            side: side.into(),
        }
    }
}

impl Stance {
    /// Its name in data and scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Crouch => "crouch",
        }
    }
}

mod default {
    pub(super) fn size() -> u32 {
        1
    }
    pub(super) fn budget() -> u16 {
        super::ActorSpec::DEFAULT_BUDGET_TU
    }
    pub(super) fn side() -> String {
        super::ActorSpec::DEFAULT_SIDE.to_owned()
    }
}
