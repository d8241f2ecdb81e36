//! Places of cicerone and vectors of Bevy. Both have x to the right, y up and z towards the viewer, in metres.
//! cicerone counts in `f64` and with another version of glam, so numbers are copied one by one.

use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use cicerone::nav::Place;
use cicerone::world::Pose;
use std::f32::consts::FRAC_PI_2;

/// The place of a point in the room, with its height: the floor nearest to it is meant.
pub fn place_of(point: Vec3) -> Place {
    Place::new(f64::from(point.x), f64::from(point.z)).with_height(f64::from(point.y))
}

/// The point of a place. A place without a height, as in a flat room, is at height 0.
pub fn point_of(place: Place) -> Vec3 {
    Vec3::new(place.at.x as f32, place.y_m.unwrap_or(0.0) as f32, place.at.y as f32)
}

/// The rotation of a character with this heading: `Transform::forward`, the negative z axis of its model, is where it
/// looks. A heading of 0 is along x, a quarter turn along z.
pub fn rotation_of(heading_rad: f64) -> Quat {
    Quat::from_rotation_y(-(heading_rad as f32) - FRAC_PI_2)
}

/// The place and the rotation of a character, unscaled.
pub fn transform_of(pose: Pose) -> Transform {
    Transform::from_translation(point_of(pose.place)).with_rotation(rotation_of(pose.heading_rad))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forward_is_where_a_character_looks() {
        for (heading_rad, looks) in [(0.0, Vec3::X), (1.0, Vec3::new(1f32.cos(), 0.0, 1f32.sin()))] {
            let pose = Pose { place: Place::new(2.0, 3.0), heading_rad };
            let forward = transform_of(pose).forward();
            assert!(forward.distance(looks) < 1e-6, "{forward:?}");
        }
        let upstairs = Place::new(2.0, 3.0).with_height(4.5);
        assert_eq!(
            (point_of(upstairs), place_of(Vec3::new(2.0, 4.5, 3.0))),
            (Vec3::new(2.0, 4.5, 3.0), upstairs)
        );
    }
}
