//! Warnings about valid rooms: places that are not walkable, areas that miss each other by a hair, doors too narrow
//! for the cells or for a body, doors that close nothing, goals out of reach, hotspots that cannot be clicked on, storeys that are too low.

mod bodies;
mod doors;
mod doorways;
mod gaps;
mod goals;
mod hotspots;
mod ladders;
mod needless;
mod painted;
mod places;
mod storeys;

use crate::nav::Position;
use crate::problem::Problem;
use crate::room::{Area, Locator, Room};
use crate::surface::Surface;
use glam::DVec2;

/// Upper limit on the warnings of one room.
const MAX_WARNINGS: usize = 100;

/// Upper limit on the areas that are compared with each other.
const MAX_AREAS: usize = 64;

/// What is odd about a room, as warnings in order of place. `ground` is the room's own.
pub fn check(room: &Room, ground: &Surface, locator: &Locator) -> Vec<Problem> {
    let open = ground.with_all_open();
    let thinnest = room.characters.iter().filter_map(|character| character.radius_m).reduce(f64::min);
    let thin = thinnest.filter(|radius_m| *radius_m < room.ground.agent_radius_m);
    let thin = thin.and_then(|radius_m| open.for_radius(radius_m));
    // Where somebody can stand.
    let places = thin.as_ref().unwrap_or(&open);
    let (mut found, mut left_out) = places::off_the_ground(room, places, locator);
    found.extend(gaps::nearly_touching(room, &open, locator));
    found.extend(doors::too_narrow(room, &open, locator));
    found.extend(bodies::too_wide(room, &open, locator));
    found.extend(needless::doors_over_open_ground(room, ground, locator));
    found.extend(doorways::with_a_gap(room, ground, &open, locator));
    found.extend(doorways::with_a_leaf(room, &open, locator));
    found.extend(needless::no_ground(room, &open, locator));
    // One of which is told already why keeps to that.
    let mut no_place = needless::no_place_to_stand(room, &open, locator);
    no_place.retain(|problem| found.iter().all(|other| other.span.start != problem.span.start));
    found.extend(no_place);
    found.extend(goals::out_of_reach(room, &open, locator));
    found.extend(ladders::facing_away(room, locator));
    found.extend(hotspots::covered(room, locator));
    found.extend(places::hotspots_off_the_ground(room, places, locator));
    found.extend(storeys::too_low(room, locator));
    found.sort_by_key(|problem| problem.span.start);
    left_out += found.len().saturating_sub(MAX_WARNINGS);
    found.truncate(MAX_WARNINGS);
    if left_out > 0 {
        let problem = locator.problem(&[], format!("{left_out} more like these are not listed"), "", None);
        found.push(problem.without_line());
    }
    found.extend(painted::odd(room, &open, locator));
    found.into_iter().map(Problem::as_warning).collect()
}

/// The rectangle around an outline.
fn bounds(outline: &[DVec2]) -> (DVec2, DVec2) {
    outline.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(min, max), corner| {
        (min.min(*corner), max.max(*corner))
    })
}

/// Points spread evenly over the rectangle around an outline, row by row.
fn spread(outline: &[DVec2], along: u32) -> impl Iterator<Item = DVec2> {
    let (min, max) = bounds(outline);
    let share = move |i: u32| (f64::from(i) + 0.5) / f64::from(along);
    let point = move |z: u32, x: u32| min + (max - min) * DVec2::new(share(x), share(z));
    (0..along).flat_map(move |z| (0..along).map(move |x| point(z, x)))
}

/// A place in an area where one can stand, near its middle.
fn stand_in(area: &Area, ground: &Surface) -> Option<Position> {
    const ALONG: u32 = 24;
    let id = ground.area_named(&area.name)?;
    let (min, max) = bounds(&area.polygon);
    let middle = min.midpoint(max);
    let good = |place: &Position| ground.area_contains(id, *place) && ground.is_walkable(*place);
    let places = spread(&area.polygon, ALONG).map(|place| ground.locate(place)).filter(good);
    places.min_by(|a, b| a.at.distance_squared(middle).total_cmp(&b.at.distance_squared(middle)))
}

/// Whether a way may lead from one place to another.
fn are_joined(ground: &Surface, from: Position, to: Position) -> bool {
    ground.may_reach(from, to)
}
