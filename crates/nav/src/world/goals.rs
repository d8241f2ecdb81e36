//! Goals off the ground: on which side of a wall a walk ends that is sent into an obstacle.
//!
//! The nearest place may lie behind a wall, in the next room. A click on a counter means the side from which the counter is
//! seen. Where nothing is known of the place itself, as in the black of a mask, the shorter way decides.

use crate::nav::{Outcome, Path, Position, Query};
use crate::plan::{LinkNet, find_route_within};
use crate::surface::{SearchMemory, Surface};
use std::cell::Cell;

/// So many places are looked at for one that the goal sees.
const MOST_LOOKS: u32 = 2_000;

/// A place that is farther from the goal by one metre is better if the way to it is shorter by this much, in metres.
const WAY_PER_MISS: f64 = 10.0;

/// Places beyond the nearest one by more than this are no other side of a thin wall, in metres.
const BESIDE_M: f64 = 2.0;

/// Work of a search for the way to one side.
const MOST_WORK: u64 = 2_000;

/// Moves the goal of a query that lies off the ground to the place where the walk is to end, if that is not the nearest
/// one. The query remembers what was asked for. False: the own side of the goal has no ground within reach.
pub(super) fn move_to_own_side(
    ground: &Surface,
    net: &LinkNet,
    query: &mut Query,
    memory: &mut SearchMemory,
) -> bool {
    let to = ground.locate(query.to);
    if ground.is_walkable(to) || !ground.is_at_a_floor(query.to) || ground.closed_area_over(to).is_some() {
        return true;
    }
    let Some(nearest) = ground.nearest(to, query.snap_m) else { return false };
    let knows_its_side = ground.is_lit(to);
    let moved = match knows_its_side {
        true if ground.hidden_by(to, nearest).is_none() => return true,
        true => nearest_seen(ground, to, query.snap_m),
        false => place_with_shorter_way(ground, net, query, (to, nearest), memory),
    };
    if let Some(moved) = moved {
        query.asked = Some(std::mem::replace(&mut query.to, ground.place_of(moved)));
    }
    moved.is_some() || !knows_its_side
}

/// The nearest place that is seen from the goal. The obstacle round the goal hides nothing.
fn nearest_seen(ground: &Surface, to: Position, reach_m: f64) -> Option<Position> {
    let step_m = (1.5 * ground.node_step_m()).max(0.01);
    let looks = Cell::new(0);
    ground.nearest_where(to, reach_m, |place| {
        if looks.get() > MOST_LOOKS || !ground.floors_touch(to, place) {
            return false;
        }
        // The first ground on any line from the goal has none before it. That is quicker to tell than what is seen.
        let before = place.at + (to.at - place.at).normalize_or_zero() * step_m;
        if ground.walk_straight(place, before).is_some() {
            return false;
        }
        looks.set(looks.get() + 1);
        ground.hidden_by(to, place).is_none()
    })
}

/// A place on another side than the nearest one, if the way to it is so much shorter that it is meant.
fn place_with_shorter_way(
    ground: &Surface,
    net: &LinkNet,
    query: &Query,
    (to, nearest): (Position, Position),
    memory: &mut SearchMemory,
) -> Option<Position> {
    let from = ground.anchor(ground.locate(query.from), query.snap_m)?.at;
    let is_straight = |from: Position, to: Position| ground.walk_straight(from, to.at).is_some();
    if is_straight(from, nearest) {
        return None;
    }
    let miss_m = |place: Position| ground.missed_m(query.to, place);
    let (looks, reach_m) = (Cell::new(0), query.snap_m.min(miss_m(nearest) + BESIDE_M));
    let other = ground.nearest_where(to, reach_m, |place| {
        looks.set(looks.get() + 1);
        looks.get() <= MOST_LOOKS && ground.floors_touch(nearest, place) && !is_straight(nearest, place)
    })?;
    // None: it takes too long to tell.
    let mut way_m = |place: Position| {
        let query = Query { to: ground.place_of(place), obstacles: Vec::new(), ..query.clone() };
        let path: Path = find_route_within(ground, net, query, memory, MOST_WORK)?;
        Some(if path.outcome == Outcome::Complete { path.length_m } else { f64::INFINITY })
    };
    let other_m = way_m(other).filter(|other_m| other_m.is_finite())?;
    let most_m = other_m + WAY_PER_MISS * (miss_m(other) - miss_m(nearest));
    (way_m(nearest)? > most_m).then_some(other)
}
