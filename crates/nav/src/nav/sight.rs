//! Lines of vision past outlines. The tests are exact, without sampling: a line is cut where it meets an outline, and
//! each piece is tested by its middle.

use super::{HiddenBy, ObstacleId};
use crate::geometry::{HAIR_M, closest_on_segment, contains, meetings, sides_within};
use glam::DVec2;

/// Shorter pieces of a line are ignored.
const LEAST_PIECE_M: f64 = 10.0 * HAIR_M;

/// A stretch of a line, by its ends from 0 to 1.
pub(crate) type Stretch = (f64, f64);

/// The first place where a line runs through one of these obstacles, and the obstacle. One that holds an end of the
/// line hides nothing.
pub(crate) fn first_obstacle<'a>(
    obstacles: impl Iterator<Item = (ObstacleId, &'a [DVec2])>,
    from: DVec2,
    to: DVec2,
) -> Option<(f64, HiddenBy)> {
    let length_m = from.distance(to);
    let beside = (to - from).try_normalize()?.perp() * HAIR_M;
    let mut first: Option<(f64, HiddenBy)> = None;
    let mut cuts = Vec::new();
    for (obstacle, outline) in obstacles {
        if [from, to].into_iter().any(|end| contains(outline, end)) {
            continue;
        }
        cuts.clear();
        meetings(outline, from, to, &mut cuts);
        if cuts.is_empty() {
            continue;
        }
        cuts.sort_by(f64::total_cmp);
        let inside = cuts.windows(2).find(|pair| {
            let middle = from.lerp(to, (pair[0] + pair[1]) / 2.0);
            (pair[1] - pair[0]) * length_m > LEAST_PIECE_M && sides_within(outline, middle, beside) == 2
        });
        if let Some(pair) = inside.filter(|pair| first.is_none_or(|(at, _)| pair[0] < at)) {
            first = Some((pair[0], HiddenBy::Obstacle(obstacle)));
        }
    }
    first
}

/// The first place where a line leaves lit ground within some stretches of it, with the middle of the dark piece and a
/// short vector across the line. A stretch without length is dark as a whole or not at all.
pub(crate) fn first_dark<'a, Outlines: Iterator<Item = &'a [DVec2]>>(
    lit: impl Fn() -> Outlines,
    stretches: &[Stretch],
    from: DVec2,
    to: DVec2,
) -> Option<(f64, DVec2, DVec2)> {
    let length_m = from.distance(to);
    let beside = (to - from).try_normalize()?.perp() * HAIR_M;
    let mut cuts = Vec::new();
    for outline in lit() {
        meetings(outline, from, to, &mut cuts);
    }
    for &(begins, ends) in stretches {
        let mut pieces = vec![begins, ends];
        pieces.extend(cuts.iter().filter(|&&cut| begins < cut && cut < ends));
        pieces.sort_by(f64::total_cmp);
        for pair in pieces.windows(2) {
            let is_long = (pair[1] - pair[0]) * length_m > LEAST_PIECE_M;
            let middle = from.lerp(to, (pair[0] + pair[1]) / 2.0);
            if (is_long || begins == ends) && !lit().any(|outline| sides_within(outline, middle, beside) > 0)
            {
                return Some((pair[0], middle, beside));
            }
        }
    }
    None
}

/// The nearest point on the edges of some outlines, nearer than `reach_m`.
pub(crate) fn nearest_on<'a>(
    outlines: impl Iterator<Item = &'a [DVec2]>,
    place: DVec2,
    reach_m: f64,
) -> Option<DVec2> {
    let mut nearest: Option<(f64, DVec2)> = None;
    for outline in outlines {
        for (&a, &b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
            let point = closest_on_segment(place, a, b);
            let distance_m = point.distance(place);
            if nearest.is_none_or(|(least_m, _)| distance_m < least_m) {
                nearest = Some((distance_m, point));
            }
        }
    }
    nearest.filter(|(distance_m, _)| *distance_m < reach_m).map(|(_, point)| point)
}
