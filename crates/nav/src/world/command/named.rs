//! Values that grow by new keys, in recordings. Their binary form has no names: there, such a value is a piece of JSON, so
//! that one from before a key was known still reads.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<T: Serialize, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    if to.is_human_readable() {
        return value.serialize(to);
    }
    serde_json::to_string(value).map_err(S::Error::custom)?.serialize(to)
}

pub(super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    if from.is_human_readable() {
        return T::deserialize(from);
    }
    serde_json::from_str(&String::deserialize(from)?).map_err(D::Error::custom)
}
