//! A character in a room file.

use super::table::each_trait;
use super::{CharacterSpec, Traits};
use crate::geometry::Place;
use crate::room::file::{At, AvoidanceFile, PatienceFile, PlaceFile};
use crate::room::numbers::whole_number;
use crate::room::{ActorSpec, Avoidance, Patience};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// The form of a trait in files.
trait InFile: Sized {
    type File;

    fn read(file: Option<Self::File>, default: Self) -> Self;

    /// `None` if a file need not say it.
    fn write(&self, default: &Self) -> Option<Self::File>;
}

macro_rules! plain {
    ($($type:ty as $file:ty),*) => {
        $(impl InFile for $type {
            type File = $file;

            fn read(file: Option<$file>, default: Self) -> Self {
                file.map_or(default, Into::into)
            }

            fn write(&self, default: &Self) -> Option<$file> {
                (self != default).then(|| self.clone().into())
            }
        })*
    };
}
plain!(bool as bool, i32 as Whole, f64 as f64, Vec<String> as Vec<String>);

macro_rules! as_the_room_says {
    ($($type:ty as $file:ty),*) => {
        $(impl InFile for Option<$type> {
            type File = $file;

            fn read(file: Option<$file>, _: Self) -> Self {
                file.map(Into::into)
            }

            fn write(&self, _: &Self) -> Option<$file> {
                self.map(Into::into)
            }
        })*
    };
}
as_the_room_says!(bool as bool, Avoidance as AvoidanceFile, Patience as PatienceFile);

/// A whole number, also if written `3.0`.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) struct Whole(i32);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        whole_number(from).map(Self)
    }
}

impl From<Whole> for i32 {
    fn from(Whole(number): Whole) -> Self {
        number
    }
}

impl From<i32> for Whole {
    fn from(number: i32) -> Self {
        Self(number)
    }
}

macro_rules! file {
    ($($Setting:ident $name:ident = $field:ident: $type:ty, $key:literal, $lua:literal, $default:expr, $limits:ident,
        $about:literal $(, also[$($also:literal),*] example $example:literal)?;)*) => {
        /// A character in the room.
        #[derive(Debug, Clone, Serialize, Deserialize)]
        #[cfg_attr(test, derive(JsonSchema))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        #[cfg_attr(test, schemars(title = "character", rename = "character", transform = form::of_traits))]
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
                let default = Traits { collision_radius_m: radius_m, ..Traits::default() };
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
                let default = Traits { collision_radius_m: radius_m, ..Traits::default() };
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
        mod form {
            use crate::room::character::traits::*;
            use crate::room::{Avoidance, Patience};
            use schemars::Schema;
            use serde_json::{Value, json};

            pub(super) fn of_traits(schema: &mut Schema) {
                let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
                $(
                    let default: $type = $default;
                    limit(&mut properties[$key], $limits, json!(default));
                )*
                // Without it, the room has one.
                properties["collisionRadius"].as_object_mut().map(|radius| radius.remove("default"));
            }

            fn limit(property: &mut Value, limits: Limits, default: Value) {
                let Some(form) = property.as_object_mut() else { return };
                form.remove("default");
                if !default.is_null() {
                    form.insert("default".into(), default);
                }
                // A key that may be left out may not be null.
                if let Some([of, null]) = form.get("type").and_then(|of| of.as_array()?.as_array())
                    && null == "null"
                {
                    let of = of.clone();
                    form.insert("type".into(), of);
                }
                if let Some(Value::Array(forms)) = form.get("anyOf") {
                    let one = forms.iter().find(|form| form["type"] != "null").and_then(Value::as_object);
                    let one = one.cloned().unwrap_or_default();
                    form.remove("anyOf");
                    for (key, value) in one {
                        form.entry(key).or_insert(value);
                    }
                }
                let whole = form.get("type") == Some(&json!("integer"));
                let number = |number: f64| if whole { json!(number as i64) } else { json!(number) };
                if limits.least.is_finite() {
                    let key = if limits.or_least { "minimum" } else { "exclusiveMinimum" };
                    form.insert(key.into(), number(limits.least));
                    form.insert("maximum".into(), number(limits.most));
                }
            }
        }
    };
}

each_trait!(file);
