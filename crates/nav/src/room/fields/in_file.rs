//! The form of a setting in files.

use crate::room::numbers::whole_number;
use crate::room::{Avoidance, Patience};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// A setting that a file may leave out.
pub(in crate::room) trait InFile: Sized {
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
plain!(bool as bool, i32 as Whole, u32 as Whole, f64 as f64, Vec<String> as Vec<String>, Avoidance as Avoidance);

macro_rules! may_be_none {
    ($($type:ty),*) => {
        $(impl InFile for Option<$type> {
            type File = $type;

            fn read(file: Option<$type>, _: Self) -> Self {
                file
            }

            fn write(&self, _: &Self) -> Option<$type> {
                *self
            }
        })*
    };
}
may_be_none!(bool, f64, Avoidance, Patience);

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

impl From<Whole> for u32 {
    fn from(Whole(number): Whole) -> Self {
        Self::try_from(number).unwrap_or_default() // the schema has refused it
    }
}

impl From<u32> for Whole {
    fn from(number: u32) -> Self {
        Self(i32::try_from(number).unwrap_or(i32::MAX))
    }
}

/// What the schema says of a setting beyond its type.
#[cfg(test)]
pub(in crate::room) mod form {
    use crate::room::fields::Limits;
    use schemars::Schema;
    use serde::Serialize;
    use serde_json::{Map, Value, json};

    fn property<'a>(schema: &'a mut Schema, key: &str) -> &'a mut Map<String, Value> {
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        properties.and_then(|all| all.get_mut(key)).and_then(Value::as_object_mut).unwrap()
    }

    pub(in crate::room) fn without_default(schema: &mut Schema, key: &str) {
        property(schema, key).remove("default");
    }

    /// Its default and its limits. A key that may be left out may not be null.
    pub(in crate::room) fn of(schema: &mut Schema, key: &str, limits: Limits, default: &impl Serialize) {
        let form = property(schema, key);
        form.remove("default");
        let default = json!(default);
        if !default.is_null() {
            form.insert("default".into(), default);
        }
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
