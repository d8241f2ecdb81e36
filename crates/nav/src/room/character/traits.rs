//! The traits of a character, as rooms, worlds and commands know them.

use super::table::each_trait;
use crate::room::fields::*;
use crate::room::{Avoidance, GroundSettings, Patience};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

/// The name of [`Traits`] in serialised form. Checksums mark its fields by their names, as any of them may be left out.
pub(crate) const TRAITS: &str = "Traits";

macro_rules! traits {
    ($($Setting:ident $name:ident = $field:ident: $type:ty, $key:literal, $lua:literal, $default:expr, $limits:expr,
        $about:literal $(, also[$($also:literal),*] example $example:literal)?;)*) => {
        /// What a character has, apart from its name and its place. Speeds are in metres and radians a second, the radius is
        /// in metres.
        #[derive(Debug, Clone, PartialEq, Deserialize)]
        #[serde(default)]
        pub struct Traits {
            $(
                #[doc = $about]
                pub $field: $type,
            )*
        }

        /// Only what is not as by default. So a new trait changes no save and no checksum of characters without it.
        impl Serialize for Traits {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let default = Self::default();
                let count = [$(self.$field != default.$field),*].into_iter().filter(|differs| *differs).count();
                let mut fields = serializer.serialize_struct(TRAITS, count)?;
                $(if self.$field != default.$field {
                    fields.serialize_field(stringify!($field), &self.$field)?;
                })*
                fields.end()
            }
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
