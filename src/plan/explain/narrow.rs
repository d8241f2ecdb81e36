//! The two sides of a narrow place.

use crate::nav::{Wall, WallOf};
use glam::DVec2;

/// The two sides of a pinch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gap {
    /// The owners of the two sides.
    pub(super) between: [WallOf; 2],
    /// The distance between the sides, in metres.
    pub(super) width_m: f64,
    /// At any greater width there is a path, wherever the cells happen to lie.
    pub(super) needed_m: f64,
}

/// The gap that makes a pinch narrow. `None` if the cause is not simply two sides too near to each other.
pub(super) fn gap_at(at: DVec2, walls: &[Wall], cell_size_m: f64) -> Option<Gap> {
    let near = *walls
        .iter()
        .filter(|wall| wall.keep_off_m > 0.0)
        .min_by(|a, b| (a.distance(at) / a.keep_off_m).total_cmp(&(b.distance(at) / b.keep_off_m)))?;
    let a = near.part.closest(at);
    let opposite = |wall: &&Wall| {
        let b = wall.part.closest(at);
        if wall.of == near.of { (a - at).dot(b - at) < 0.0 } else { (b - a).dot(at - a) > 0.0 }
    };
    let slack = |wall: &Wall| wall.distance(at) - wall.keep_off_m;
    let far = *walls.iter().filter(opposite).min_by(|a, b| slack(a).total_cmp(&slack(b)))?;
    // The cell is not exactly between the walls: neighbouring edges of the same two owners may be nearer to each
    // other.
    let beside = |wall: &Wall, one: &Wall| {
        *wall == *one
            || near.of != far.of && wall.of == one.of && wall.distance(at) <= one.distance(at) + cell_size_m
    };
    let ours = walls.iter().filter(|wall| beside(wall, &near));
    let theirs = || walls.iter().filter(|wall| beside(wall, &far)).filter(opposite);
    let pairs = ours.flat_map(|one| theirs().map(move |other| between(one, other)));
    let across = pairs.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
    let along = across.try_normalize()?.abs();
    let width_m = across.length();
    // A strip holds a chain of cells, wherever they lie, if it is as wide as a cell seen along the strip.
    let needed_m = near.keep_off_m + far.keep_off_m + (along.x + along.y) * cell_size_m;
    (width_m <= needed_m).then_some(Gap {
        between: [near.of.min(far.of), near.of.max(far.of)],
        width_m,
        needed_m,
    })
}

/// The shortest connection from one wall to another that does not cross it.
fn between(one: &Wall, other: &Wall) -> DVec2 {
    let ((a, b), (c, d)) = (one.part.ends(), other.part.ends());
    let there = [a, b].map(|end| other.part.closest(end) - end);
    let back = [c, d].map(|end| end - one.part.closest(end));
    let shorter = |x: DVec2, y: DVec2| if y.length_squared() < x.length_squared() { y } else { x };
    there.into_iter().chain(back).fold(DVec2::INFINITY, shorter)
}
