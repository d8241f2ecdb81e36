//! Free spots: places near a point where no body stands.

use crate::nav::Position;
use crate::surface::Surface;
use glam::DVec2;
use std::f64::consts::TAU;

/// Upper limit on the places that are tried for one spot: enough for a hundred metres.
const MOST_TRIED: usize = 4000;

/// Far out, rings and the places on them are this share of the distance apart.
const COARSENS: f64 = 1.0 / 12.0;

/// A body in the way: where it is, and the least distance between its centre and the spot.
pub(crate) type Taken = (Position, f64);

/// The first free place of rings round `wanted`: the point itself, then outwards by `step_m`, farther out in
/// larger steps, up to `reach_m`. It is
/// walkable, connected with `anchor` and on its storey, and keeps the least distance from all `taken`. `None`: there is no
/// such place within reach.
pub(crate) fn free_spot(
    ground: &Surface,
    anchor: Position,
    wanted: DVec2,
    (step_m, reach_m): (f64, f64),
    taken: &[Taken],
) -> Option<Position> {
    let y_m = ground.place_of(anchor).y_m;
    // A slope that leads straight there is no other storey, however high it rises.
    let is_on_storey = |spot: Position| {
        let walk = || ground.walk_straight(anchor, spot.at);
        ground.floors_touch(anchor, spot) || walk().is_some_and(|end| ground.floors_touch(end, spot))
    };
    let mut tried = 0;
    let (mut radius_m, mut step_m) = (0.0, step_m);
    while radius_m <= reach_m {
        let count = ((TAU * radius_m / step_m).ceil() as u32).max(1);
        for index in 0..count {
            tried += 1;
            if tried > MOST_TRIED {
                return None;
            }
            let (sin, cos) = libm::sincos(f64::from(index) / f64::from(count) * TAU);
            let at = wanted + DVec2::new(cos, sin) * radius_m;
            let collides = |(other, least_m): &Taken| other.at.distance_squared(at) < least_m * least_m;
            let in_the_way =
                |spot: Position| taken.iter().any(|body| collides(body) && ground.floors_touch(body.0, spot));
            let spot = ground.locate(crate::nav::Place { at, y_m });
            let is_ground = ground.is_walkable(spot) && ground.may_reach(anchor, spot);
            if is_ground && is_on_storey(spot) && !in_the_way(spot) {
                return Some(spot);
            }
        }
        step_m = step_m.max(COARSENS * radius_m);
        radius_m += step_m;
    }
    None
}
