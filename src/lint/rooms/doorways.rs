//! Doors that do not do what they say: closed ones that are narrower than their doorway, so that one walks past them, and
//! doors of a level through which no way leads.

use super::{MAX_AREAS, bounds, stand_in};
use crate::nav::{Disc, Outcome, Place, Position, Query};
use crate::plan::find_path;
use crate::problem::Problem;
use crate::room::{Area, JsonStep, Locator, Room};
use crate::surface::{SearchMemory, Surface};
use glam::DVec2;

/// How far from a door its two sides are looked at, in metres.
const ASIDE_M: [f64; 3] = [1.2, 0.9, 0.6];

/// A gap of at most so many metres beside a closed door is a slip. A wider one is a way of its own.
const GAP_M: f64 = 0.8;

/// Lengths of path that are not noticed, in metres.
const SLACK_M: f64 = 1.0;

/// Doors that are closed, and past which a narrow gap leads.
pub(super) fn with_a_gap(room: &Room, ground: &Surface, open: &Surface, locator: &Locator) -> Vec<Problem> {
    if room.tactics.is_some() || ground.has_heights() {
        return Vec::new();
    }
    let closed = room.areas.iter().enumerate().filter(|(_, area)| !area.available);
    let told = closed.take(MAX_AREAS).filter_map(|(index, area)| {
        let at = gap_beside(area, ground, open)?;
        let message = format!(
            "the closed door '{}' is narrower than its doorway: a gap near ({:.2}, {:.2}) leads past it",
            area.name, at.x, at.y
        );
        let steps = [JsonStep::Key("areas"), JsonStep::Index(index), JsonStep::Key("polygon")];
        let hint = "let its outline reach from wall to wall, and no open area cover its ends";
        Some(locator.problem(&steps, message, "too narrow", Some(hint.into())))
    });
    told.collect()
}

/// Where a way past a closed door slips through a gap beside it.
fn gap_beside(area: &Area, ground: &Surface, open: &Surface) -> Option<DVec2> {
    let (from, to) = sides(area, ground, open)?;
    let path = |query: Query| find_path(ground, query, &mut SearchMemory::default());
    let past = path(Query::new(from, to));
    let (min, max) = bounds(&area.polygon);
    let long_m = (max - min).max_element();
    if past.outcome != Outcome::Complete || past.length_m > from.distance(to) + 2.0 * (long_m + GAP_M) {
        return None;
    }
    // With discs in the gaps beside the door, that way is gone, or another one.
    let discs = rim(&area.polygon).map(|at| Disc { centre: ground.locate(at), radius_m: GAP_M });
    let discs: Vec<Disc> = discs.filter(|disc| !disc.holds(from) && !disc.holds(to)).collect();
    let round = path(Query::new(from, to).with_obstacles(discs));
    let is_other = round.step != crate::nav::Step::Avoiding
        || round.outcome != Outcome::Complete
        || round.length_m > past.length_m + 2.0 * GAP_M + SLACK_M;
    let near = |at: &DVec2| rim(&area.polygon).map(|rim| rim.distance(*at)).fold(f64::INFINITY, f64::min);
    let points = past.waypoints.iter().map(|waypoint| waypoint.at);
    is_other.then(|| points.min_by(|a, b| near(a).total_cmp(&near(b)))).flatten()
}

/// Two places beside a door, one on each side of it, that it joins when it is open and parts when it is closed.
fn sides(area: &Area, ground: &Surface, open: &Surface) -> Option<(DVec2, DVec2)> {
    let corners = || area.polygon.iter().zip(area.polygon.iter().cycle().skip(1));
    let (a, b) = corners()
        .max_by(|one, other| one.0.distance_squared(*one.1).total_cmp(&other.0.distance_squared(*other.1)))?;
    let across = (*b - *a).try_normalize()?.perp();
    let along = |at: &DVec2| at.dot(across);
    let low = area.polygon.iter().map(along).fold(f64::INFINITY, f64::min);
    let high = area.polygon.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
    let (min, max) = bounds(&area.polygon);
    let middle = min.midpoint(max);
    let at = |height: f64| middle + across * (height - middle.dot(across));
    ASIDE_M.into_iter().find_map(|aside_m| {
        let ends = (at(low - aside_m), at(high + aside_m));
        let stands = ground.is_walkable(ends.0) && ground.is_walkable(ends.1);
        let parts = stands && open.segment_clear(ends.0, ends.1) && !ground.segment_clear(ends.0, ends.1);
        parts.then_some(ends)
    })
}

/// Points on an outline, near to each other.
fn rim(outline: &[DVec2]) -> impl Iterator<Item = DVec2> + '_ {
    const APART_M: f64 = 0.25;
    const MOST: f64 = 64.0;
    outline.iter().zip(outline.iter().cycle().skip(1)).flat_map(|(a, b)| {
        let count = (a.distance(*b) / APART_M).ceil().clamp(1.0, MOST) as u32;
        (0..count).map(move |i| a.lerp(*b, f64::from(i) / f64::from(count)))
    })
}

/// The largest area that may be a door, in metres.
const DOOR_M: f64 = 4.0;

/// Places whose heights differ by more are on two storeys, in metres.
const STEP_M: f64 = 1.0;

/// Where the ends of a door are looked for, from the outside in: shares of half its length.
const SHARES: [f64; 5] = [0.98, 0.9, 0.8, 0.65, 0.5];

/// Where they are looked for then, in metres from its outline.
const BESIDE_M: [f64; 4] = [0.15, 0.3, 0.5, 0.8];

/// Doors of a level with a leaf that is modelled, too: the ground is parted there, open or closed.
pub(super) fn with_a_leaf(room: &Room, open: &Surface, locator: &Locator) -> Vec<Problem> {
    if open.as_mesh().is_none() {
        return Vec::new();
    }
    let told = room.areas.iter().enumerate().take(MAX_AREAS).filter_map(|(index, area)| {
        let (from, to) = parted(area, open)?;
        let query = Query::new(open.place_of(from), open.place_of(to));
        let way = find_path(open, query, &mut SearchMemory::default());
        let straight_m = from.at.distance(to.at);
        // A jump or a ladder leads over what parts it.
        let is_end = |place: &Place| [from, to].iter().any(|end| end.at.distance(place.at) < DOOR_M);
        if room.links.iter().any(|link| is_end(&link.from) && is_end(&link.to)) {
            return None;
        }
        if way.outcome == Outcome::Complete && way.length_m < straight_m + 2.0 * DOOR_M {
            return None; // round something that stands there
        }
        let message = format!(
            "no way leads through the area '{}', open or closed: the ground is parted there",
            area.name
        );
        let hint = "if the door's leaf is in the level, leave it out: the area closes and opens the ground";
        let steps = [JsonStep::Key("areas"), JsonStep::Index(index)];
        Some(locator.problem(&steps, message, "no way through", Some(hint.into())))
    });
    told.collect()
}

/// Two places of a small area, on either side of something that is not walkable.
fn parted(area: &Area, open: &Surface) -> Option<(Position, Position)> {
    let (min, max) = bounds(&area.polygon);
    if (max - min).max_element() > DOOR_M {
        return None;
    }
    let y_m = open.place_of(stand_in(area, open)?).y_m;
    let stands = |at: DVec2| {
        let place = open.locate(Place { at, y_m });
        open.is_walkable(place).then_some(place)
    };
    let centre = min.midpoint(max);
    [DVec2::X, DVec2::Y].into_iter().find_map(|along| {
        let half = (max - min).dot(along) / 2.0;
        // The ground ends before a leaf: it may begin beside the area.
        let offsets = || {
            let within = SHARES.iter().map(|share| share * half);
            within.chain(BESIDE_M.iter().map(|beside_m| half + beside_m))
        };
        let end = |side: f64| offsets().find_map(|off_m| stands(centre + along * (side * off_m)));
        let ends = [-1.0, 1.0].map(end);
        let [Some(from), Some(to)] = ends else { return None };
        let steps_m = (open.height_m(from) - open.height_m(to)).abs();
        (steps_m < STEP_M && !open.segment_clear(from, to)).then_some((from, to))
    })
}
