//! Changes of one property of a character.

use crate::room::fields::*;
use crate::room::table::each_trait;
use crate::room::{Avoidance, CharacterField, CharacterSpec, Patience, Traits};
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! settings {
    ($($Setting:ident $name:ident = $field:ident: $type:ty, $key:literal, $lua:literal, $default:expr, $limits:expr,
        $about:literal $(, also[$($also:literal),*] example $example:literal)?;)*) => {
        /// A property of a character that may change while the world runs.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum Setting {
            $(#[doc = $about] $Setting($type),)*
            /// Its heading, in radians.
            Heading(f64),
            /// Its behaviour script.
            Behaviour(Option<String>),
        }

        impl Setting {
            /// The value of a field of a file. `None` for its place on the tactical level.
            pub(in crate::world) fn of(field: CharacterField, spec: &CharacterSpec) -> Option<Self> {
                match field {
                    $(CharacterField::$Setting => Some(Self::$Setting(spec.$field.clone())),)*
                    CharacterField::Script => Some(Self::Behaviour(spec.script.clone())),
                    CharacterField::Actor => None,
                }
            }

            /// Changes a trait, unless the value is none.
            pub(in crate::world) fn set(self, traits: &mut Traits) -> Result<(), String> {
                match self {
                    $(Self::$Setting(value) => {
                        check(stringify!($name), &value, $limits)?;
                        traits.$field = value;
                    })*
                    Self::Heading(_) | Self::Behaviour(_) => {}
                }
                Ok(())
            }
        }

        impl fmt::Display for Setting {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (name, value) = match self {
                    $(Self::$Setting(value) => (stringify!($name), value.as_text()),)*
                    Self::Heading(value) => return write!(f, "heading = {value:.3}"),
                    Self::Behaviour(script) => ("script", Some(script.clone().unwrap_or("none".into()))),
                };
                match value {
                    Some(value) => write!(f, "{name} = {value}"),
                    None => write!(f, "{name} as the room has it"),
                }
            }
        }
    };
}

each_trait!(settings);
