//! Comparison of two paths: the same way, opposed, or one behind the other.

use super::Character;
use glam::DVec2;

/// Paths are compared this far ahead, in steps of [`STEP_M`]. It is long enough for a door, and too short for detours
/// to matter.
const REACH_M: f64 = 3.9;
const STEP_M: f64 = 0.3;

/// Two paths on the stretch where they come closest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PathAlignment {
    /// Mean cosine of the angle between the two paths: 1 is the same way, −1 is head-on.
    pub(super) agreement: f64,
    /// How many samples farther the first walker is from the middle of the shared stretch than the second; positive
    /// means behind.
    pub(super) behind: i32,
}

/// Sample points of a path and its direction there, up to [`REACH_M`].
struct Steps {
    points: [(DVec2, DVec2); MOST_STEPS],
    count: usize,
}

const MOST_STEPS: usize = (REACH_M / STEP_M) as usize + 2;

impl Steps {
    /// Samples a path given by its corners.
    fn along(corners: impl IntoIterator<Item = DVec2>) -> Self {
        let mut steps = Self { points: [(DVec2::ZERO, DVec2::ZERO); MOST_STEPS], count: 0 };
        let mut corners = corners.into_iter();
        let Some(mut from) = corners.next() else { return steps };
        let (mut walked_m, mut next_m) = (0.0, 0.0);
        for to in corners {
            let (start, length_m) = (from, from.distance(to));
            from = to;
            let Some(along) = (to - start).try_normalize() else { continue };
            while next_m <= walked_m + length_m && next_m <= REACH_M && steps.count < MOST_STEPS {
                steps.points[steps.count] = (start + along * (next_m - walked_m), along);
                steps.count += 1;
                next_m += STEP_M;
            }
            walked_m += length_m;
            if walked_m > REACH_M {
                break;
            }
        }
        steps
    }

    /// Samples the path ahead of a walker; empty for a standing character.
    fn ahead_of(character: &Character) -> Self {
        if character.steering.is_some() {
            return Self::along(character.line_ahead(REACH_M));
        }
        let walk = character.walk.as_ref().filter(|walk| !walk.is_waiting());
        let ahead = walk.map_or(&[][..], |walk| walk.corridor.ahead());
        let start = walk.map(|_| character.position.at);
        Self::along(start.into_iter().chain(ahead.iter().map(|waypoint| waypoint.at)))
    }

    fn points(&self) -> &[(DVec2, DVec2)] {
        &self.points[..self.count]
    }
}

/// Compares the paths ahead of two walkers. Comparing current headings is not enough: two walkers that reach a door
/// from both sides have opposed headings until they turn into it.
pub(super) fn alignment(one: &[DVec2], other: &[DVec2]) -> Option<PathAlignment> {
    compare(&Steps::along(one.iter().copied()), &Steps::along(other.iter().copied()))
}

fn compare(one: &Steps, other: &Steps) -> Option<PathAlignment> {
    let mut pairs = [(0.0, 0.0, 0); MOST_STEPS];
    let mut count = 0;
    for (i, (p, along)) in one.points().iter().enumerate() {
        let mut nearest = (f64::INFINITY, 0);
        for (j, (q, _)) in other.points().iter().enumerate() {
            let distance_sq = p.distance_squared(*q);
            if distance_sq < nearest.0 {
                nearest = (distance_sq, j);
            }
        }
        let (distance_sq, j) = nearest;
        let (_, others) = other.points().get(j)?;
        pairs[count] = (distance_sq.sqrt(), along.dot(*others), i as i32 - j as i32);
        count += 1;
    }
    let pairs = &pairs[..count];
    // The whole shared stretch counts. In a single point, such as a corner reached from both sides, the directions
    // may be opposed.
    let least_m = pairs.iter().map(|pair| pair.0).fold(f64::INFINITY, f64::min);
    let shared = || pairs.iter().filter(|pair| pair.0 <= least_m + STEP_M);
    let most = shared().count();
    let agreement = shared().map(|pair| pair.1).sum::<f64>() / most as f64;
    let middle = shared().nth(most / 2)?;
    Some(PathAlignment { agreement, behind: middle.2 })
}

/// Whether a character walks the same way as a path (`sign` 1), or against it (`sign` −1).
pub(super) fn goes(character: &Character, way: &[DVec2], sign: f64) -> bool {
    let alignment = compare(&Steps::along(way.iter().copied()), &Steps::ahead_of(character));
    alignment.is_some_and(|alignment| alignment.agreement * sign > 0.2)
}

/// The path ahead of a walker: the polyline up to the first waypoint at or beyond [`REACH_M`], so it may be longer
/// than `REACH_M`. Empty for a standing character.
pub(crate) fn way_ahead(character: &Character) -> Vec<DVec2> {
    if character.is_standing() { Vec::new() } else { character.line_ahead(REACH_M).collect() }
}

/// Whether two walkers go roughly the same way. Then neither has to yield.
pub(crate) fn go_along(one: &Character, other: &Character) -> bool {
    compare(&Steps::ahead_of(one), &Steps::ahead_of(other)).is_some_and(|alignment| alignment.agreement > 0.0)
}

/// Whether two walkers go roughly the same way, and `walker` is behind `ahead`. Then `walker` queues. If both are
/// equally near to the shared stretch, the one of lower rank queues.
pub(crate) fn queues_behind(walker: &Character, ahead: &Character) -> bool {
    let Some(alignment) = compare(&Steps::ahead_of(walker), &Steps::ahead_of(ahead)) else { return false };
    let second = alignment.behind > 0 || alignment.behind == 0 && walker.own_rank() < ahead.own_rank();
    alignment.agreement > 0.0 && second
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
        let met = alignment(&above, &below).unwrap();
        assert!(met.agreement > 0.8 && met.behind < 0, "the one above is nearer to the door: {met:?}");
    }

    #[test]
    fn two_on_one_line_meet_head_on_or_follow() {
        let (east, west) = (line(&[(0.0, 0.0), (9.0, 0.0)]), line(&[(1.5, 0.0), (-9.0, 0.0)]));
        assert!(alignment(&east, &west).unwrap().agreement < -0.9);
        let ahead = line(&[(0.9, 0.0), (9.0, 0.0)]);
        let met = alignment(&east, &ahead).unwrap();
        assert!(met.agreement > 0.9 && met.behind == 3, "{met:?}");
    }
}
