//! Areas that were meant to touch and do not.

use super::{MAX_AREAS, are_joined, bounds, stand_in};
use crate::geometry::{closest_on_segment, contains};
use crate::problem::{Problem, length_text};
use crate::room::{Area, JsonStep, Locator, Room};
use crate::surface::Surface;
use glam::DVec2;

/// A gap this narrow is a mistake even where a path leads around it, in metres. The thinnest walls are wider.
const HAIR_M: f64 = 0.05;

/// Areas nearer than this touch, within rounding error, in metres.
const TOUCHING_M: f64 = 1e-9;

/// Upper limit on the pairs of edges that are measured.
const MAX_WORK: usize = 20_000_000;

/// The closest approach of two areas.
struct Gap {
    /// The end points, on the first and on the second area.
    ends: (DVec2, DVec2),
    width_m: f64,
    /// The length of the stretch with the same distance.
    length_m: f64,
}

/// Pairs of areas with less than a body's width between them that no way joins, or a hair's width that no way crosses.
pub(super) fn nearly_touching(room: &Room, open: &Surface, locator: &Locator) -> Vec<Problem> {
    let body_m = 2.0 * room.ground.agent_radius_m;
    let areas: Vec<(usize, &Area)> =
        room.areas.iter().enumerate().filter(|(_, area)| area.painted.is_none()).take(MAX_AREAS).collect();
    let mut found = Vec::new();
    let mut work = 0;
    for (at, &(second_index, second)) in areas.iter().enumerate() {
        for &(_, first) in areas.iter().take(at) {
            work += first.polygon.len() * second.polygon.len();
            if work > MAX_WORK {
                return found;
            }
            let gap = gap(&first.polygon, &second.polygon, body_m).filter(|gap| gap.width_m > TOUCHING_M);
            let Some(gap) = gap else { continue };
            // A third area that touches both is a door in a wall.
            let meets = |one: &Area, other: &Area| {
                gap_or_none(&one.polygon, &other.polygon).is_some_and(|gap| gap.width_m <= TOUCHING_M)
            };
            let is_between = |&&(_, third): &&(usize, &Area)| {
                third.name != first.name
                    && third.name != second.name
                    && meets(third, first)
                    && meets(third, second)
            };
            if gap.width_m > HAIR_M && areas.iter().find(is_between).is_some() {
                continue;
            }
            let joined = joined(room, open, (first, second), &gap);
            if joined == Joined::Across || joined == Joined::Elsewhere && gap.width_m > HAIR_M {
                continue;
            }
            let middle = gap.ends.0.midpoint(gap.ends.1);
            let (names, width) = ((&first.name, &second.name), length_text(gap.width_m));
            let message = format!(
                "areas '{}' and '{}' nearly touch: {width} lie between them near [{:.2}, {:.2}]",
                names.0, names.1, middle.x, middle.y
            );
            let steps = [JsonStep::Key("areas"), JsonStep::Index(second_index), JsonStep::Key("polygon")];
            let hint = "to join them, let them share an edge or overlap, or put an area between them";
            let problem =
                locator.problem(&steps, message, format!("{width} from '{}'", names.0), Some(hint.into()));
            found.push(match joined {
                Joined::Nowhere => problem.with_note(format!(
                    "that is less than the width of a body ({}), and no way leads from one to the other",
                    length_text(body_m)
                )),
                _ => problem,
            });
        }
    }
    found
}

#[derive(PartialEq, Eq)]
enum Joined {
    Nowhere,
    Elsewhere,
    /// A straight line crosses the gap: the cells do not show it.
    Across,
}

fn joined(room: &Room, open: &Surface, (first, second): (&Area, &Area), gap: &Gap) -> Joined {
    let cell_m = room.ground.cell_size_m;
    let towards = (gap.ends.1 - gap.ends.0) / gap.width_m;
    let inside = |area: &Area, end: DVec2, inward: DVec2| {
        let id = open.area_named(&area.name)?;
        let steps = (1..=12).map(|step| end + inward * cell_m * 0.5 * f64::from(step));
        let steps = steps.into_iter().map(|place| open.locate(place));
        steps.into_iter().find(|place| open.is_walkable(*place) && open.area_contains(id, *place))
    };
    let from = inside(first, gap.ends.0, -towards).or_else(|| stand_in(first, open));
    let to = inside(second, gap.ends.1, towards).or_else(|| stand_in(second, open));
    match (from, to) {
        (Some(from), Some(to)) if open.segment_clear(from, to) => Joined::Across,
        (Some(from), Some(to)) if are_joined(open, from, to) => Joined::Elsewhere,
        (Some(_), Some(_)) => Joined::Nowhere,
        // One of them has no place to stand, so nothing is known.
        _ => Joined::Elsewhere,
    }
}

/// [`gap`], for areas that may touch.
fn gap_or_none(first: &[DVec2], second: &[DVec2]) -> Option<Gap> {
    gap(first, second, 2.0 * TOUCHING_M)
}

/// The closest approach of two outlines, if it is less than `limit`; a width of zero if they meet.
fn gap(first: &[DVec2], second: &[DVec2], limit: f64) -> Option<Gap> {
    let ((first_min, first_max), (second_min, second_max)) = (bounds(first), bounds(second));
    let apart = (second_min - first_max).max(first_min - second_max).max(DVec2::ZERO).length();
    let inside =
        |outline: &[DVec2], other: &[DVec2]| outline.first().is_some_and(|corner| contains(other, *corner));
    if apart >= limit {
        return None;
    }
    let meeting = |at: DVec2| Some(Gap { ends: (at, at), width_m: 0.0, length_m: 0.0 });
    if inside(first, second) || inside(second, first) {
        return meeting(first.first().copied()?);
    }
    let mut nearest: Option<Gap> = None;
    for (a, b) in edges(first) {
        for (c, d) in edges(second) {
            if cross(a, b, c, d) {
                return meeting(a);
            }
            let found = gap_of_edges((a, b), (c, d));
            let is_nearer = nearest.as_ref().is_none_or(|nearest| {
                let less = found.width_m - nearest.width_m;
                less < -TOUCHING_M || less <= TOUCHING_M && found.length_m > nearest.length_m
            });
            if is_nearer {
                nearest = Some(found);
            }
        }
    }
    nearest.filter(|gap| gap.width_m < limit)
}

/// For two segments that do not cross, the closest approach is at an end of one. Parallel segments have the same
/// distance along a whole stretch; then its middle is given.
fn gap_of_edges((a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)) -> Gap {
    let candidates = [
        (a, closest_on_segment(a, c, d)),
        (b, closest_on_segment(b, c, d)),
        (closest_on_segment(c, a, b), c),
        (closest_on_segment(d, a, b), d),
    ];
    let width_m = candidates.iter().map(|(p, q)| p.distance(*q)).fold(f64::INFINITY, f64::min);
    let near = candidates.iter().filter(|(p, q)| p.distance(*q) <= width_m + TOUCHING_M);
    let mut best = Gap { ends: candidates[0], width_m, length_m: -1.0 };
    for one in near.clone() {
        for other in near.clone() {
            let length_m = one.0.distance(other.0);
            if length_m > best.length_m {
                best = Gap { ends: (one.0.midpoint(other.0), one.1.midpoint(other.1)), width_m, length_m };
            }
        }
    }
    best
}

fn edges(outline: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    outline.iter().zip(outline.iter().cycle().skip(1)).map(|(a, b)| (*a, *b))
}

/// Whether two segments cross or touch.
fn cross(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let side = |from: DVec2, to: DVec2, of: DVec2| (to - from).perp_dot(of - from);
    let opposite = |one: f64, other: f64| one * other < 0.0;
    opposite(side(a, b, c), side(a, b, d)) && opposite(side(c, d, a), side(c, d, b))
}
