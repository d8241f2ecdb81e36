//! Things with optional fields in commands: in binary recordings, which cannot leave fields out, they are JSON text.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(super) fn serialize<T: Serialize, S: Serializer>(thing: &T, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return thing.serialize(serializer);
    }
    serde_json::to_string(thing).map_err(S::Error::custom)?.serialize(serializer)
}

pub(super) fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    if deserializer.is_human_readable() {
        return T::deserialize(deserializer);
    }
    serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}
