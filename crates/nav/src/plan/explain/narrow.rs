//! The gap at the bottleneck of the widest path.

use crate::nav::{Wall, WallOf};
use glam::DVec2;

/// A gap between two sides that is too narrow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gap {
    /// The owners of the two sides.
    pub(super) between: [WallOf; 2],
    /// The distance between the sides, in metres.
    pub(super) width_m: f64,
    /// A gap wider than this is passable wherever the grid cells fall. In metres.
    pub(super) needed_m: f64,
}

/// The gap at a bottleneck. `None` if the bottleneck is not simply two sides too close to each other.
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
    // `at` is the centre of a cell, and not exactly between the two sides. Neighbouring edges of the same two owners
    // may be closer to each other.
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
    // A strip contains a connected cell chain if it is wider than a cell's projection across the strip.
    let needed_m = near.keep_off_m + far.keep_off_m + (along.x + along.y) * cell_size_m;
    (width_m <= needed_m).then_some(Gap {
        between: [near.of.min(far.of), near.of.max(far.of)],
        width_m,
        needed_m,
    })
}

/// The shortest vector from one wall to another, if the two do not cross.
fn between(one: &Wall, other: &Wall) -> DVec2 {
    let ((a, b), (c, d)) = (one.part.ends(), other.part.ends());
    let there = [a, b].map(|end| other.part.closest(end) - end);
    let back = [c, d].map(|end| end - one.part.closest(end));
    let shorter = |x: DVec2, y: DVec2| if y.length_squared() < x.length_squared() { y } else { x };
    there.into_iter().chain(back).fold(DVec2::INFINITY, shorter)
}
