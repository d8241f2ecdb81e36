//! Steering: direct control of a character, as by a player's stick.

use super::{Applied, CommandError, World};
use crate::crowd::{CharacterId, WalkEnd};
use glam::DVec2;

impl World {
    /// Steers a character in a direction until it is changed. Its walk, its following and its turn end as cancelled.
    /// Zero ends the steering, and leaves all else: a stick at rest is no order.
    pub(super) fn steer(&mut self, who: CharacterId, direction: DVec2) -> Result<Applied, CommandError> {
        let steering = steering_of(direction)?;
        let character = self.present(who)?;
        let steering = steering.filter(|_| character.is_active());
        if steering == character.steering {
            return Ok(Applied::Changed(false));
        }
        if steering.is_none() {
            return Ok(Applied::Changed(self.end_steering(who)));
        }
        if character.steering.is_none() {
            self.call_off(who, WalkEnd::Cancelled);
            self.drop_walk(who); // a step aside
        }
        let character = self.present(who)?;
        (character.steering, character.on_waypath) = (steering, None);
        Ok(Applied::Changed(true))
    }

    /// Ends a character's steering. It stands, and where it stands is its post.
    pub(super) fn end_steering(&mut self, who: CharacterId) -> bool {
        let steering = self.characters.get_mut(who).and_then(|character| character.steering.take());
        if steering.is_some() {
            self.post_here(who);
        }
        steering.is_some()
    }
}

/// A direction as a share of the walking speed, at most 1; `None` if it is zero.
fn steering_of(direction: DVec2) -> Result<Option<DVec2>, CommandError> {
    if !direction.is_finite() {
        let (name, value) = if direction.x.is_finite() { ("dz", direction.y) } else { ("dx", direction.x) };
        return Err(CommandError::BadNumber(format!("{name} must be a finite number, not {value}")));
    }
    // The square of a huge number is none.
    let direction = direction / direction.abs().max_element().max(1.0);
    let direction = direction / direction.length().max(1.0);
    Ok(Some(direction).filter(|direction| direction.length() > 0.0))
}

/// Whether a saved direction is one that [`steering_of`] returns.
pub(super) fn is_steering(direction: DVec2) -> bool {
    let length = direction.length();
    length > 0.0 && length <= 1.0 + 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    #[test]
    fn directions_are_at_most_one_long() {
        let huge = 1e200;
        for (given, expected) in [
            ((0.3, -0.4), Some((0.3, -0.4))),
            ((3.0, 4.0), Some((0.6, 0.8))),
            ((1.0, 1.0), Some((0.5_f64.sqrt(), 0.5_f64.sqrt()))),
            ((-huge, 0.0), Some((-1.0, 0.0))),
            ((0.0, -0.0), None),
            ((1e-200, 0.0), None),
        ] {
            let steering = steering_of(given.into()).unwrap();
            assert_eq!(steering.is_some(), expected.is_some(), "{given:?}");
            if let (Some(steering), Some(expected)) = (steering, expected) {
                assert!(steering.distance(expected.into()) < 1e-12 && is_steering(steering), "{given:?}");
            }
        }
        for bad in [dvec2(f64::NAN, 0.0), dvec2(0.0, f64::INFINITY)] {
            assert!(matches!(steering_of(bad), Err(CommandError::BadNumber(_))), "{bad}");
        }
    }
}
