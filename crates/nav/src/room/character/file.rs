//! A character in a room file.

use super::table::each_trait;
use super::{CharacterSpec, Traits};
use crate::geometry::Place;
use crate::room::fields::in_file::*;
#[cfg(test)]
use crate::room::fields::*;
use crate::room::file::{At, PlaceFile};
use crate::room::{ActorSpec, Avoidance, Patience};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! file {
    ($($Setting:ident $name:ident = $field:ident: $type:ty, $key:literal, $lua:literal, $default:expr, $limits:expr,
        $about:literal $(, also[$($also:literal),*] example $example:literal)?;)*) => {
        /// A character in the room.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[cfg_attr(test, derive(JsonSchema))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[cfg_attr(test, schemars(title = "character", rename = "character", transform = form_of_traits))]
        pub(in crate::room) struct CharacterFile {
            /// The character's name: scripts and messages use it. No two characters may have the same, nor a character and
            /// a point.
            pub name: String,
            /// Where the character starts: the name of a point, or [x, z].
            pub at: At,
            /// The Lua script with the character's behaviour, relative to the project: "scripts/guard.lua".
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub script: Option<String>,
            $(
                #[doc = $about]
                #[serde(rename = $key, default, skip_serializing_if = "Option::is_none")]
                $name: Option<<$type as InFile>::File>,
            )*
            /// The direction the character faces at the start, in radians.
            #[serde(default)]
            pub heading: f64,
            /// Makes the character an actor of the room's tactical level.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[cfg_attr(test, schemars(with = "ActorSpec"))]
            pub actor: Option<ActorSpec>,
        }

        impl CharacterFile {
            /// The character in a room whose walkers have a radius in metres, at the place of its start.
            pub(in crate::room) fn spec(&self, radius_m: f64, (at, at_point): (Place, Option<String>)) -> CharacterSpec {
                let collision_radius_m = self.radius.unwrap_or(radius_m);
                let default = Traits { collision_radius_m, ..Traits::default() };
                CharacterSpec {
                    name: self.name.clone(),
                    at,
                    at_point,
                    script: self.script.clone(),
                    heading_rad: self.heading + 0.0,
                    traits: Traits { $($field: InFile::read(self.$name.clone(), default.$field),)* },
                    actor: self.actor.clone(),
                }
            }

            pub(in crate::room) fn of(spec: &CharacterSpec, radius_m: f64) -> Self {
                let collision_radius_m = spec.traits.radius_m.unwrap_or(radius_m);
                let default = Traits { collision_radius_m, ..Traits::default() };
                Self {
                    name: spec.name.clone(),
                    at: spec.at_point.clone().map_or_else(|| At::Position(PlaceFile(spec.at)), At::Point),
                    script: spec.script.clone(),
                    $($name: InFile::write(&spec.traits.$field, &default.$field),)*
                    heading: spec.heading_rad,
                    actor: spec.actor.clone(),
                }
            }
        }

        /// What the schema says of traits beyond their types.
        #[cfg(test)]
        fn form_of_traits(schema: &mut schemars::Schema) {
            $(
                let default: $type = $default;
                form::of(schema, $key, $limits, &default);
            )*
            // Without it, the room has one.
            form::without_default(schema, "collisionRadius");
        }
    };
}

each_trait!(file);
