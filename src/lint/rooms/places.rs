//! Points that are not walkable.

use super::MAX_WARNINGS;
use crate::geometry::contains;
use crate::nav::Position;
use crate::problem::Problem;
use crate::room::{JsonStep, Locator, Room};
use crate::surface::Surface;

/// Points that are off the ground even when every area is open, as many as are told, and how many more there are. A
/// walk to one ends beside it.
pub(super) fn off_the_ground(room: &Room, open: &Surface, locator: &Locator) -> (Vec<Problem>, usize) {
    let mut off = room.points.iter().map(|(name, place)| (name, open.locate(*place)));
    let mut off = off.by_ref().filter(|(_, at)| !open.is_walkable(*at));
    let warn = |(name, at): (&String, Position)| {
        let obstacle = room.obstacles.iter().find(|obstacle| contains(&obstacle.polygon, at.at));
        let in_area = open.areas().any(|area| open.area_contains(area, at));
        let place = match obstacle {
            Some(obstacle) => format!("inside obstacle '{}'", obstacle.name),
            None if in_area => "too close to an obstacle or the edge".into(),
            None if room.mask.is_some() => "on a pixel that does not walk".into(),
            None => "outside every area".into(),
        };
        let nearest = open.nearest(at, f64::INFINITY);
        let hint = nearest.map(|near| {
            let far = near.distance(at);
            format!(
                "the nearest walkable place is [{:.2}, {:.2}], {far:.2} m away; walks end there",
                near.at.x, near.at.y
            )
        });
        let message = format!("the point '{name}' lies {place}, where no character can stand");
        locator.problem(&[JsonStep::Key("points"), JsonStep::Key(name)], message, "not walkable", hint)
    };
    // Only for reported points: finding the nearest ground and the place in the file is expensive.
    let told = off.by_ref().take(MAX_WARNINGS).map(warn).collect();
    (told, off.count())
}
