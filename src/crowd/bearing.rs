//! How two ways bear on each other: the same way, against each other, one behind the other.

use super::Character;
use glam::DVec2;

/// Ways are compared this far ahead, in steps of [`STEP_M`]: enough to see through a door, too short for detours to matter.
const REACH_M: f64 = 3.9;
const STEP_M: f64 = 0.3;

/// Two ways on the stretch where they come closest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bearing {
    /// Cosine of the angle between them there, on average: 1 the same way, −1 head-on.
    pub(super) agreement: f64,
    /// How many steps the first has to go more than the second to where the stretch ends.
    pub(super) behind: i32,
}

/// Compares what is ahead of two walkers. Directions alone would mislead: two who reach a door from both sides go against each
/// other until they turn into it.
pub(super) fn bearing(one: &[DVec2], other: &[DVec2]) -> Option<Bearing> {
    let (one, other) = (steps(one), steps(other));
    let nearest = |(i, (p, along)): (usize, &(DVec2, DVec2))| {
        let distances = other.iter().enumerate().map(|(j, (q, _))| (p.distance_squared(*q), j));
        let (distance_sq, j) = distances.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((distance_sq.sqrt(), along.dot(other[j].1), i as i32 - j as i32))
    };
    let pairs: Vec<(f64, f64, i32)> = one.iter().enumerate().filter_map(nearest).collect();
    // The stretch they share decides: two who reach a corner from both sides still go against each other in that one point.
    let least_m = pairs.iter().map(|pair| pair.0).fold(f64::INFINITY, f64::min);
    let shared: Vec<_> = pairs.iter().filter(|pair| pair.0 <= least_m + STEP_M).collect();
    let agreement = shared.iter().map(|pair| pair.1).sum::<f64>() / shared.len() as f64;
    let middle = shared.get(shared.len() / 2)?;
    Some(Bearing { agreement, behind: middle.2 })
}

/// Points along a line with the direction it has there.
fn steps(line: &[DVec2]) -> Vec<(DVec2, DVec2)> {
    let mut points = Vec::with_capacity((REACH_M / STEP_M) as usize + 1);
    let mut walked_m = 0.0;
    let mut next_m = 0.0;
    for pair in line.windows(2) {
        let length_m = pair[0].distance(pair[1]);
        let Some(along) = (pair[1] - pair[0]).try_normalize() else { continue };
        while next_m <= walked_m + length_m && next_m <= REACH_M {
            points.push((pair[0] + along * (next_m - walked_m), along));
            next_m += STEP_M;
        }
        walked_m += length_m;
    }
    points
}

/// What is ahead of a walker, as far as bearings look; nothing for those who stand.
pub fn way_ahead(character: &Character) -> Vec<DVec2> {
    let walk = character.walk.as_ref().filter(|walk| !walk.is_waiting());
    walk.map(|walk| walk.line_ahead(character.position, REACH_M)).unwrap_or_default()
}

/// Whether two walkers go much the same way: there is nothing to make way for.
pub fn go_along(one: &Character, other: &Character) -> bool {
    bearing(&way_ahead(one), &way_ahead(other)).is_some_and(|bearing| bearing.agreement > 0.0)
}

/// Whether two walkers go much the same way, the first behind the second: then it waits its turn. Of two that come from both
/// sides and are equally near, the one of higher rank goes first.
pub fn queues_behind(walker: &Character, ahead: &Character) -> bool {
    let Some(bearing) = bearing(&way_ahead(walker), &way_ahead(ahead)) else { return false };
    let second = bearing.behind > 0 || bearing.behind == 0 && walker.own_rank() < ahead.own_rank();
    bearing.agreement > 0.0 && second
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(f64, f64)]) -> Vec<DVec2> {
        points.iter().map(|&p| p.into()).collect()
    }

    #[test]
    fn two_who_turn_into_one_door_from_both_sides_go_along() {
        let above = line(&[(0.0, -1.0), (0.0, 0.0), (3.0, 0.0)]);
        let below = line(&[(0.0, 1.4), (0.0, 0.0), (3.0, 0.0)]);
        let met = bearing(&above, &below).unwrap();
        assert!(met.agreement > 0.8 && met.behind < 0, "the one above is nearer to the door: {met:?}");
    }

    #[test]
    fn two_on_one_line_meet_head_on_or_follow() {
        let (east, west) = (line(&[(0.0, 0.0), (9.0, 0.0)]), line(&[(1.5, 0.0), (-9.0, 0.0)]));
        assert!(bearing(&east, &west).unwrap().agreement < -0.9);
        let ahead = line(&[(0.9, 0.0), (9.0, 0.0)]);
        let met = bearing(&east, &ahead).unwrap();
        assert!(met.agreement > 0.9 && met.behind == 3, "{met:?}");
    }
}
