//! Limits of what commands and saved states may contain.

use super::CommandError;
use super::command_error::MAX_TAGS;
use crate::nav::Place;
use crate::room::{CharacterSpec, MAX_COORDINATE_M, MAX_NAME_BYTES};
use glam::DVec2;

pub(super) fn check_tags(tags: &[String]) -> Result<(), CommandError> {
    let good = tags.len() <= MAX_TAGS && tags.iter().all(|tag| (1..=MAX_NAME_BYTES).contains(&tag.len()));
    if good { Ok(()) } else { Err(CommandError::BadTags) }
}

pub(super) fn check_spec(spec: &CharacterSpec) -> Result<(), CommandError> {
    if spec.name.is_empty() || spec.name.len() > MAX_NAME_BYTES {
        return Err(CommandError::BadName);
    }
    check_tags(&spec.tags)?;
    spec.traits.check().map_err(CommandError::BadNumber)?;
    finite("heading", spec.heading_rad).map(drop)
}

pub(super) fn finite(name: &str, value: f64) -> Result<f64, CommandError> {
    value
        .is_finite()
        .then_some(value)
        .ok_or_else(|| CommandError::BadNumber(format!("{name} must be a finite number, not {value}")))
}

/// Whether a place can be one at all.
///
/// # Errors
/// [`CommandError::BadNumber`] unless it is finite and within [`MAX_COORDINATE_M`].
pub fn check_place(place: impl Into<Place>) -> Result<(), CommandError> {
    let Place { at, y_m } = place.into();
    check_point(at)?;
    match y_m {
        Some(y) if !y.is_finite() || y.abs() > MAX_COORDINATE_M => Err(CommandError::BadNumber(format!(
            "a height must be finite and within {MAX_COORDINATE_M:.0} m, not {}",
            shown(y)
        ))),
        _ => Ok(()),
    }
}

/// [`check_place`] for a point of the plane.
pub(super) fn check_point(point: DVec2) -> Result<(), CommandError> {
    if point.is_finite() && point.abs().max_element() <= MAX_COORDINATE_M {
        return Ok(());
    }
    let message = format!(
        "a position must be finite and within {MAX_COORDINATE_M:.0} m, not ({}, {})",
        shown(point.x),
        shown(point.y)
    );
    Err(CommandError::BadNumber(message))
}

/// A readable number: one with hundreds of digits as a power of ten.
fn shown(number: f64) -> String {
    if number.abs() < 1e12 { number.to_string() } else { format!("{number:e}") }
}
