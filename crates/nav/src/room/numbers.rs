//! Whole numbers in room files.

use serde::{Deserialize, Deserializer};

/// A whole number, also if written `3.0` or `2e4`, which JSON Schema calls whole too.
pub(super) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let whole = whole_number(from)?;
    u32::try_from(whole).map_err(|_| serde::de::Error::custom("expected a whole number, zero or more"))
}

/// [`whole`], for a list.
pub(super) fn wholes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
    let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number);
    let numbers = Vec::<f64>::deserialize(from)?;
    match numbers.iter().all(is_whole) {
        // The range was checked in the line above, so the cast loses nothing.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        true => Ok(numbers.into_iter().map(|number| number as u32).collect()),
        false => Err(serde::de::Error::custom("expected whole numbers, zero or more")),
    }
}

/// [`whole`], for an optional key.
pub(super) fn some_whole<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    whole(from).map(Some)
}

/// [`whole`], negative numbers included.
pub(super) fn whole_number<'de, D: Deserializer<'de>>(from: D) -> Result<i32, D::Error> {
    let number = f64::deserialize(from)?;
    let inside = number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX);
    // The range was checked in the line above, so the cast loses nothing.
    #[allow(clippy::cast_possible_truncation)]
    let whole = number as i32;
    if inside { Ok(whole) } else { Err(serde::de::Error::custom("expected a whole number")) }
}
