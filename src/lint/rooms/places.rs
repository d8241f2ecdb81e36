//! Points that are not walkable.

use super::MAX_WARNINGS;
use crate::geometry::contains;
use crate::nav::{Place, Position};
use crate::problem::{Problem, length_text};
use crate::room::{JsonStep, Locator, Room};
use crate::surface::Surface;

/// Points that are off the ground even when every area is open, as many as are told, and how many more there are. A
/// walk to one ends beside it.
pub(super) fn off_the_ground(room: &Room, open: &Surface, locator: &Locator) -> (Vec<Problem>, usize) {
    let mut off = room.points.iter().map(|(name, place)| (name, *place, open.locate(*place)));
    let mut off = off.by_ref().filter(|(_, place, at)| !open.is_walkable(*at) || !open.is_at_a_floor(*place));
    let warn = |(name, wanted, at): (&String, Place, Position)| {
        let message = format!(
            "the point '{name}' lies {}, where no character can stand",
            why_off(room, open, wanted, at)
        );
        let hint = nearest(open, wanted, at);
        locator.problem(&[JsonStep::Key("points"), JsonStep::Key(name)], message, "not walkable", hint)
    };
    // Only for reported points: finding the nearest ground and the place in the file is expensive.
    let told = off.by_ref().take(MAX_WARNINGS).map(warn).collect();
    (told, off.count())
}

/// Why nobody can stand at a place.
fn why_off(room: &Room, open: &Surface, wanted: Place, at: Position) -> String {
    let obstacle = room.obstacles.iter().find(|obstacle| contains(&obstacle.polygon, at.at));
    let in_area = open.areas().any(|area| open.area_contains(area, at));
    match obstacle {
        _ if !open.is_at_a_floor(wanted) => storeys_off(open, wanted, at),
        Some(obstacle) => format!("inside obstacle '{}'", obstacle.name),
        None if in_area => "too close to an obstacle or the edge".into(),
        None if open.as_mesh().is_some() && room.areas.is_empty() => "beside the mesh".into(),
        None if room.mask.is_some() => "on a pixel that does not walk".into(),
        None => "outside every area".into(),
    }
}

fn nearest(open: &Surface, wanted: Place, at: Position) -> Option<String> {
    let near = open.place_of(open.nearest(at, f64::INFINITY)?);
    let far = length_text(near.distance_in_space(wanted));
    Some(format!(
        "the nearest walkable place is {}, {far} away; a walk ends at the one that this place sees",
        written(near)
    ))
}

/// Hotspots whose `walkTo` is off the ground, even when every area is open.
pub(super) fn hotspots_off_the_ground(room: &Room, open: &Surface, locator: &Locator) -> Vec<Problem> {
    let mut found = Vec::new();
    for (index, hotspot) in room.hotspots.iter().enumerate() {
        let own = hotspot.walk_to.filter(|_| hotspot.walk_to_point.is_none()); // points are told themselves
        let is_off = |wanted: Place| !open.is_at_a_floor(wanted) || !open.is_walkable(open.locate(wanted));
        let Some(wanted) = own.filter(|&wanted| is_off(wanted)) else { continue };
        if found.len() >= MAX_WARNINGS {
            break;
        }
        let at = open.locate(wanted);
        let off = why_off(room, open, wanted, at);
        let message =
            format!("the walkTo of hotspot '{}' lies {off}, where no character can stand", hotspot.name);
        let steps = [JsonStep::Key("hotspots"), JsonStep::Index(index), JsonStep::Key("walkTo")];
        found.push(locator.problem(&steps, message, "not walkable", nearest(open, wanted, at)));
    }
    found
}

/// How far a place is above or below its floor.
fn storeys_off(open: &Surface, wanted: Place, at: Position) -> String {
    let off_m = wanted.y_m.unwrap_or_default() - open.height_m(at);
    let side = if off_m > 0.0 { "above" } else { "below" };
    format!("{:.2} m {side} the nearest floor", off_m.abs())
}

fn written(place: Place) -> String {
    match place.y_m {
        Some(y_m) => format!("[{:.2}, {y_m:.2}, {:.2}]", place.at.x, place.at.y),
        None => format!("[{:.2}, {:.2}]", place.at.x, place.at.y),
    }
}
