//! The limits of a room's scripts, as far as its file gives them.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// What the room's scripts may use up. What is left out has a default that honest scripts do not come near.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[cfg_attr(test, schemars(title = "script limits", rename = "limits"))]
#[non_exhaustive]
pub struct ScriptLimits {
    /// Lua instructions in one call of a handler, or one stretch of a sequence between two waits. 1,000,000 by
    /// default: about ten milliseconds.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64", range(min = 1000, max = 9.0e15)))]
    pub instructions_per_call: Option<u64>,
    /// Lua instructions of one character, or one room script, in one step. What is due beyond them waits for the next
    /// step. 2,000,000 by default.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64", range(min = 1000, max = 9.0e15)))]
    pub instructions_per_tick: Option<u64>,
    /// Lua instructions of all scripts together in one step. If there is more to do, they take turns over several
    /// steps, in a fixed order. 4,000,000 by default.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64", range(min = 1000, max = 9.0e15)))]
    pub instructions_per_tick_of_all: Option<u64>,
    /// Lua instructions while a file is loaded or reloaded. 6,000,000 by default.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64", range(min = 1000, max = 9.0e15)))]
    pub instructions_per_load: Option<u64>,
    /// Memory of all scripts together, in megabytes. 128 by default.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64", range(min = 1, max = 1.0e6)))]
    pub memory_mb: Option<u64>,
    /// Memory of one character's script, or of one room script, in megabytes. 32 by default.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64", range(min = 1, max = 1.0e6)))]
    pub memory_per_script_mb: Option<u64>,
    /// Characters in the room beyond which scripts can spawn no more. 3,000 by default.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64", range(min = 0, max = 1.0e6)))]
    pub characters: Option<u64>,
    /// Timers of one character, or of one room script, at a time. 1,000 by default.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64", range(min = 0, max = 1.0e6)))]
    pub timers: Option<u64>,
    /// Sequences of one character, or of one room script, at a time. 1,000 by default.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u64", range(min = 0, max = 1.0e6)))]
    pub sequences: Option<u64>,
}

impl ScriptLimits {
    /// No limits at all, to let a script run to its end.
    pub const UNLIMITED: Self = Self {
        instructions_per_call: Some(u64::MAX),
        instructions_per_tick: Some(u64::MAX),
        instructions_per_tick_of_all: Some(u64::MAX),
        instructions_per_load: Some(u64::MAX),
        memory_mb: Some(u64::MAX),
        memory_per_script_mb: Some(u64::MAX),
        characters: Some(u64::MAX),
        timers: Some(u64::MAX),
        sequences: Some(u64::MAX),
    };
}

impl ScriptLimits {
    /// Whether no limit is given.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// These limits; where one is absent, that of `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            instructions_per_call: self.instructions_per_call.or(other.instructions_per_call),
            instructions_per_tick: self.instructions_per_tick.or(other.instructions_per_tick),
            instructions_per_tick_of_all: self
                .instructions_per_tick_of_all
                .or(other.instructions_per_tick_of_all),
            instructions_per_load: self.instructions_per_load.or(other.instructions_per_load),
            memory_mb: self.memory_mb.or(other.memory_mb),
            memory_per_script_mb: self.memory_per_script_mb.or(other.memory_per_script_mb),
            characters: self.characters.or(other.characters),
            timers: self.timers.or(other.timers),
            sequences: self.sequences.or(other.sequences),
        }
    }
}

/// A whole number, also if written `3.0` or `2e6`, which JSON Schema calls whole too.
fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let number = f64::deserialize(from)?;
    let inside = number.fract() == 0.0 && (0.0..=9.0e15).contains(&number);
    // The range was checked in the line above, so the cast loses nothing.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = number as u64;
    if inside {
        Ok(Some(whole))
    } else {
        Err(serde::de::Error::custom("expected a whole number, zero or more"))
    }
}
