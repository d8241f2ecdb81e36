//! Shared goals: a walker that touches somebody who has arrived at its goal has arrived, too.
//!
//! Without this, the many who are sent to one place shove for it for ever: only one can stand there.

use super::{Character, LastWalk, Purpose, Walk, WalkEnd};

/// The part of a disc that a standing crowd fills. Tight packings of discs fill more: 0.45 makes crowds 5 % narrower, and
/// fifty people take 3 s longer to arrive.
const FILLED_SHARE: f64 = 0.4;

/// Bodies with a gap of less than this touch, in metres. Those that steer pass standing ones at about this distance; with
/// 0.1 m, fifty people take 9 s longer to arrive.
pub(crate) const GAP_M: f64 = 0.15;

/// Walkers farther than this from their goal have not arrived, whomever they touch, in metres. A thousand people fit round
/// a goal within this distance.
pub(crate) const CROWD_REACH_M: f64 = 20.0;

/// The bodies that have arrived at a goal and stand nearer to it than a walker.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ArrivedCrowd {
    squares_m2: f64,
    diameters_m: f64,
}

impl ArrivedCrowd {
    /// Adds a body.
    pub(crate) fn add(&mut self, radius_m: f64) {
        self.squares_m2 += radius_m * radius_m;
        self.diameters_m += 2.0 * radius_m + GAP_M;
    }

    /// Whether a walker that touches this crowd has arrived. The crowd must fill the disc round the goal up to the walker,
    /// so a crowd becomes round. One that does not get on, because of walls or because others are in the way, also
    /// arrives if the crowd would fill a line from the goal to it.
    pub(crate) fn reaches(&self, distance_m: f64, radius_m: f64, is_held_up: bool) -> bool {
        let round_m = (self.squares_m2 / FILLED_SHARE).sqrt();
        let ahead_m = distance_m - radius_m - GAP_M;
        ahead_m <= round_m || is_held_up && ahead_m <= self.diameters_m
    }
}

/// The walk of a character that may end by touch: on foot, to a place, and not to use or do anything there.
pub(crate) fn sharable_walk(walker: &Character, room_shares: bool) -> Option<&Walk> {
    let walk = walker.walk.as_ref()?;
    let is_plain = walk.purpose == Purpose::Errand
        && !walk.goal.exact
        && walk.goal.up_to.is_none()
        && walk.goal.to_use.is_none();
    let is_free = walker.following.is_none() && walker.on_waypath.is_none() && walker.crossing.is_none();
    (is_plain && is_free && walker.shares_goals.unwrap_or(room_shares)).then_some(walk)
}

/// The last walk of a character that still stands where it arrived, or got as near as possible.
pub(crate) fn arrival(stander: &Character) -> Option<&LastWalk> {
    let last = stander.last_walk.as_deref()?;
    let stands = !stander.is_moving() && stander.following.is_none() && stander.is_in_crowd();
    let is_there = matches!(last.end, WalkEnd::Arrived | WalkEnd::Partial);
    (stands && is_there && stander.last_errand == Some(last.walk)).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_becomes_round_unless_walls_forbid_it() {
        let crowd = |count: usize| {
            let mut crowd = ArrivedCrowd::default();
            (0..count).for_each(|_| crowd.add(0.3));
            crowd
        };
        for (count, distance_m, is_held_up, arrives) in [
            (0, 0.6, true, false), // touching nobody who has arrived
            (1, 0.6, false, true),
            (1, 1.2, false, false),
            (2, 1.2, false, false), // behind two in a line: there is room beside them
            (2, 1.2, true, true),   // in a corridor there is not
            (7, 1.3, false, true),
            (49, 3.2, false, true),
            (49, 6.0, false, false),
            (3, 6.0, true, false),
        ] {
            let reaches = crowd(count).reaches(distance_m, 0.3, is_held_up);
            assert_eq!(reaches, arrives, "{count} at {distance_m}, {is_held_up}");
        }
    }
}
