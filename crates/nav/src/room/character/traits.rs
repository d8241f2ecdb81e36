//! The traits of a character, as rooms, worlds and commands know them.

use super::table::each_trait;
use crate::room::fields::*;
use crate::room::{Avoidance, GroundSettings, Patience};
use serde::{Deserialize, Serialize};

macro_rules! traits {
    ($($Setting:ident $name:ident = $field:ident: $type:ty, $key:literal, $lua:literal, $default:expr, $limits:ident,
        $about:literal $(, also[$($also:literal),*] example $example:literal)?;)*) => {
        /// What a character has, apart from its name and its place. Speeds are in metres and radians a second, the radius is
        /// in metres.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Traits {
            $(
                #[doc = $about]
                #[serde(skip_serializing_if = "FieldValue::is_left_out")]
                pub $field: $type,
            )*
        }

        impl Default for Traits {
            fn default() -> Self {
                let defaults = Self { $($field: $default,)* };
                Self { collision_radius_m: GroundSettings::default().agent_radius_m, ..defaults }
            }
        }

        impl Traits {
            /// What is wrong with them, if something is.
            pub(crate) fn check(&self) -> Result<(), String> {
                $(check(stringify!($name), &self.$field, $limits)?;)*
                Ok(())
            }
        }
    };
}

each_trait!(traits);
