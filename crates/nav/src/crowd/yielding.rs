//! Yielding where two characters cannot pass each other: which one yields, where it waits, and for how long.

use super::path_alignment::{alignment, goes};
use super::waiting_place::{LINE_M, WaitingPlace};
use super::{Character, GiveWay, Pace, Rank, Walk};
use crate::geometry::distance_sq_to_segment;
use crate::nav::{Corridor, Position};
use crate::surface::Surface;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Clearance added to the sum of radii, so that a passing walker does not bump a waiting one. A yielding walker makes
/// progress if it comes nearer to its waiting place by more than this.
pub(super) const ELBOW_ROOM_M: f64 = 0.05;

/// Whether `walker` is the one of two stuck walkers that yields. If neither is the player, the right of way orders
/// them: a walker with the flow first, then one that is not about to pass the spot, then one against the flow. The
/// later one yields. Otherwise the walker of lower rank yields.
pub(crate) fn yields(walker: &Character, other: &Character, right: Option<&RightOfWay>) -> bool {
    match right.map(|right| (right.concerns(walker), right.concerns(other))) {
        Some((one, two)) if one != two && !walker.player && !other.player => one < two,
        _ => walker.rank() < other.rank(),
    }
}

/// Whether `other` walks against the path that a yielding character wants to take.
pub(crate) fn comes_against(way: &GiveWay, other: &Character) -> bool {
    goes(other, &way.wanted, -1.0)
}

/// The permitted direction of travel at a spot where characters cannot pass each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RightOfWay {
    /// The spot.
    pub at: Position,
    /// Path of the character granted priority. Characters in the same direction may pass.
    pub flow: Vec<DVec2>,
    /// Tick of granting, or of the last change of `flow`.
    pub since_tick: u64,
}

/// What a right of way means to a walker that steers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Passage {
    /// Nothing.
    #[default]
    Free,
    /// It goes with the flow, before the spot or behind it.
    With,
    /// It goes against the flow, and lets it pass: the direction in which it steps out of the way. Zero: it is in
    /// nobody's way.
    Against(DVec2),
    /// It goes against the flow, and there is no room to step aside near it.
    Trapped,
}

impl Passage {
    /// Whether it lets a flow pass.
    pub(crate) fn lets_pass(self) -> bool {
        matches!(self, Self::Against(_) | Self::Trapped)
    }
}

/// A right of way concerns walkers that steer up to this far from its spot, in metres.
pub(crate) const HOLDS_BACK_M: f64 = 4.0;

/// So far along a flow, in metres, walkers against it look for room beside it, in steps.
const ROOM_WITHIN_M: f64 = 2.25;
const ROOM_STEP_M: f64 = 0.75;

/// How far from its spot a right of way holds, in metres.
///
/// [`RightOfWay::concerns`] tests whole path segments, so a walker on a long segment can match although it is farther
/// away than this distance. Callers pass only walkers near the spot.
pub(crate) const RIGHT_OF_WAY_M: f64 = 3.0;

impl RightOfWay {
    /// The direction in which a walker is about to pass the spot: 1 with the flow, −1 against it. 0 if it is not
    /// about to pass, or yields, or goes neither way.
    pub(crate) fn concerns(&self, walker: &Character) -> i32 {
        let Some(walk) = walker.walk.as_ref().filter(|walk| walk.give_way.is_none()) else { return 0 };
        let clear_m = 2.0 * walker.collision_radius_m;
        let line = walk.corridor.line_ahead(walker.position, RIGHT_OF_WAY_M);
        if distance_sq_to_line(self.at.at, line) > clear_m * clear_m {
            return 0;
        }
        i32::from(goes(walker, &self.flow, 1.0)) - i32::from(goes(walker, &self.flow, -1.0))
    }

    /// What it means to a walker near the spot.
    pub(crate) fn passage(&self, walker: &Character, ground: &Surface) -> Passage {
        let Some(walk) = walker.walk.as_ref().filter(|walk| walk.give_way.is_none()) else {
            return Passage::Free;
        };
        if goes(walker, &self.flow, 1.0) {
            return Passage::With;
        }
        let clear_m = 2.0 * walker.collision_radius_m + 2.0 * ELBOW_ROOM_M;
        let line = walk.corridor.line_ahead(walker.position, HOLDS_BACK_M);
        let passes_it = distance_sq_to_line(self.at.at, line) <= clear_m * clear_m;
        if walker.player || !passes_it || !goes(walker, &self.flow, -1.0) {
            return Passage::Free;
        }
        let here = walker.position;
        let nearest = nearest_on_line(here.at, &self.flow);
        if here.at.distance_squared(nearest) > clear_m * clear_m {
            return Passage::Against(DVec2::ZERO);
        }
        // The nearest place beside the flow, on its own side first: there, or farther along, as behind a door.
        let along = segments(self.flow.iter().copied()).min_by(|one, other| {
            let off = |(from, to): &(DVec2, DVec2)| distance_sq_to_segment(here.at, *from, *to);
            off(one).total_cmp(&off(other))
        });
        let along = along.map_or(DVec2::ZERO, |(from, to)| (to - from).normalize_or_zero());
        let side = if along.perp_dot(here.at - nearest) < 0.0 { -along.perp() } else { along.perp() };
        let steps = (0..).map(|step| f64::from(step) * ROOM_STEP_M).take_while(|at_m| *at_m <= ROOM_WITHIN_M);
        let places = steps.flat_map(|at_m| [side, -side].map(|side| nearest + along * at_m + side * clear_m));
        let is_free = |place: &DVec2| ground.walk_straight(here, *place).is_some();
        match places.into_iter().find(is_free) {
            Some(place) => Passage::Against((place - here.at).normalize_or_zero()),
            None => Passage::Trapped,
        }
    }

    /// Whether the path that a yielding character wants goes against the flow.
    pub(crate) fn holds_back(&self, way: &GiveWay) -> bool {
        alignment(&self.flow, &way.wanted).is_some_and(|alignment| alignment.agreement < -0.2)
    }
}

/// The state of a yielding walker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Yielding {
    /// Still yielding: on its way to the waiting place, or waiting there.
    GoesOn,
    /// Without progress towards the waiting place. Its blocker should give way, too.
    Held,
    /// The prioritised walker has passed, or a limit is exceeded. The yielding walker continues its own walk.
    Over,
}

/// Total yielding limit, as a multiple of the limit for one waiting place. It ends the yielding of a walker that is
/// sent from waiting place to waiting place.
const MOST_PATIENCE: u32 = 6;

/// Interval at which a yielding walker without progress asks its blocker to move.
pub(super) const ASKS_FOR_ROOM_EVERY_S: f64 = 0.5;

/// Two who come to one door from both sides, and who have held each other up for this long, stand in an arch that does not
/// break by itself, in seconds.
pub(super) const ARCH_STANDS_S: f64 = 8.0;

/// Updates a yielding walker once a tick. `passed` is whether the characters it yields to have passed.
pub(crate) fn watch_yielding(way: &mut GiveWay, left_m: f64, passed: bool, pace: &Pace) -> Yielding {
    let patience = pace.turn;
    if passed {
        return Yielding::Over;
    }
    if !way.waiting && left_m < way.least_left_m - ELBOW_ROOM_M {
        (way.least_left_m, way.ticks) = (left_m, 0);
    }
    way.ticks += 1;
    way.ticks_in_all += 1;
    if way.ticks > patience || way.ticks_in_all > patience.saturating_mul(MOST_PATIENCE) {
        Yielding::Over
    } else if !way.waiting && way.ticks.is_multiple_of(pace.asks_for_room_every) {
        Yielding::Held
    } else {
        Yielding::GoesOn
    }
}

/// How far ahead an oncoming walker counts, in metres.
///
/// [`is_oncoming`] tests whole path segments, so a walker on a long segment can match although it is farther away than
/// this distance. The caller passes only walkers near the release point.
pub(crate) const ONCOMING_M: f64 = 3.0;

/// Whether `other` walks against the path that a yielding character wants, and is about to pass the release point.
pub(crate) fn is_oncoming(way: &GiveWay, clear_m: f64, other: &Character) -> bool {
    let Some(walk) = other.walk.as_ref().filter(|walk| walk.give_way.is_none()) else { return false };
    comes_against(way, other)
        && distance_sq_to_line(way.mouth, walk.corridor.line_ahead(other.position, ONCOMING_M))
            < clear_m * clear_m
}

/// Whether the remaining path of `other` is at least `clear_m` away from the release point `mouth`. Only the next
/// [`LINE_M`] of the path are tested.
pub(crate) fn has_passed(mouth: DVec2, clear_m: f64, other: &Character) -> bool {
    if !other.is_active() {
        return true;
    }
    let Some(walk) = &other.walk else {
        // Nobody knows where a steered character will go: it passes as long as it is near and comes nearer.
        let line = other.line_ahead(LINE_M);
        return other.steering.is_none() || distance_sq_to_line(mouth, line) >= clear_m * clear_m;
    };
    if walk.path_request.is_some() && walk.corridor.ahead().is_empty() {
        return false;
    }
    distance_sq_to_line(mouth, walk.corridor.line_ahead(other.position, LINE_M)) >= clear_m * clear_m
}

/// How long a lent rank lasts after the lender stopped queuing.
///
/// This is priority inheritance along a queue. The time gets shorter with each hop, so inheritance in a cycle dies
/// out.
pub(super) const LENT_S: f64 = 0.5;

/// How much one hop shortens [`LENT_S`]. Given in seconds rather than ticks, so that a lent rank travels equally far
/// at every tick rate from 60 per second up.
pub(super) const PASSING_ON_S: f64 = 1.0 / 60.0;

/// The rank that a queuing walker lends to the walker ahead, and its duration in ticks.
pub(crate) fn rank_to_lend(behind: &Character, pace: &Pace) -> (Rank, u32) {
    let rank = behind.rank();
    let lent = behind.walk.as_ref().and_then(|walk| walk.lent_rank);
    let passed_on = |(_, ticks): (Rank, u32)| ticks.saturating_sub(pace.passing_on);
    let ticks = lent.filter(|(lent, _)| *lent == rank).map_or(pace.lent, passed_on);
    (rank, ticks)
}

/// The segments of a polyline. A single point is one of no length.
fn segments(line: impl IntoIterator<Item = DVec2>) -> impl Iterator<Item = (DVec2, DVec2)> {
    let mut line = line.into_iter();
    let first = line.next();
    let mut from = first;
    let second = line.next().or(first);
    second.into_iter().chain(line).filter_map(move |to| Some((from.replace(to)?, to)))
}

pub(crate) fn distance_sq_to_line(p: DVec2, line: impl IntoIterator<Item = DVec2>) -> f64 {
    segments(line).map(|(a, b)| distance_sq_to_segment(p, a, b)).fold(f64::INFINITY, f64::min)
}

pub(super) fn nearest_on_line(p: DVec2, line: &[DVec2]) -> DVec2 {
    let on = segments(line.iter().copied()).map(|(a, b)| crate::geometry::closest_on_segment(p, a, b));
    on.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p))).unwrap_or(p)
}

impl Walk {
    /// Replaces the path by the path to a waiting place. After yielding, the walk needs a new path to its goal.
    pub fn give_way(
        &mut self,
        waiting_place: WaitingPlace,
        position: Position,
        wanted: Vec<DVec2>,
        other: &Character,
    ) {
        self.corridor = Corridor::new(waiting_place.way);
        self.path_request = None;
        self.avoids.circles.clear();
        let least_left_m = self.corridor.left_m(position);
        let ticks_in_all = self.give_way.as_ref().map_or(0, |way| way.ticks_in_all);
        self.give_way = Some(Box::new(GiveWay {
            to: other.id,
            rank: other.rank(),
            mouth: waiting_place.mouth,
            wanted,
            ticks_in_all,
            ticks: 0,
            least_left_m,
            waiting: false,
        }));
    }
}
