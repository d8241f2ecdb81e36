//! Yielding where two characters cannot pass each other: which one, where to, and for how long.

use super::path_alignment::{alignment, goes, way_ahead};
use super::{Character, Footing, GiveWay, Pace, Rank, Walk};
use crate::geometry::distance_sq_to_segment;
use crate::nav::{Corridor, Disc, Position};
use crate::room::CrowdSettings;
use crate::surface::{SearchMemory, Surface};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A little more than touching, so that passing a waiting character does not bump it.
const ELBOW_ROOM_M: f64 = 0.05;

/// How far along a walker's path room is made. A search looks only a few body widths past its reach.
const LINE_M: f64 = 40.0;

/// A walker this near to the character given way to, and going along with it, belongs to the same company.
pub(crate) const COMPANY_M: f64 = 5.0;

/// Whether `walker` is the one of two stuck walkers that gives way. A right of way at the place decides, if exactly one of them goes
/// with it and neither is the player; else the lower rank.
pub(crate) fn yields(walker: &Character, other: &Character, right: Option<&RightOfWay>) -> bool {
    match right.map(|right| (right.concerns(walker), right.concerns(other))) {
        Some((one, two)) if one != two && !walker.player && !other.player => one < two,
        _ => walker.rank() < other.rank(),
    }
}

/// A place off another character's path, and how to get there.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingPlace {
    /// Waypoints to the place, itself included; at least one.
    pub way: Vec<Position>,
    /// The point of the other's path nearest to the place.
    pub mouth: DVec2,
}

/// How far away other characters can matter for a waiting place, in metres.
pub(crate) fn waiting_place_concerns_m(settings: &CrowdSettings) -> f64 {
    settings.give_way_reach_m + COMPANY_M
}

/// The free place nearest to `who`, by walking distance, that is off the path of `other`. The path there leads past
/// neither `other` nor standing characters. `near` are the characters at most [`waiting_place_concerns_m`] away, and perhaps
/// others.
pub(crate) fn find_waiting_place(
    who: &Character,
    other: &Character,
    near: &[&Character],
    ground: &Surface,
    settings: &CrowdSettings,
    memory: &mut SearchMemory,
) -> Option<WaitingPlace> {
    let line = match &other.walk {
        Some(walk) => walk.corridor.line_ahead(other.position, LINE_M),
        None => vec![other.position.at],
    };
    let theirs = way_ahead(other);
    // Walkers that go along with `other`: no path leads past them, and the place should be off their paths, too.
    let company: Vec<&Character> = near
        .iter()
        .copied()
        .filter(|c| c.is_active() && c.id != who.id && c.id != other.id)
        .filter(|c| c.position.distance(other.position) <= COMPANY_M)
        .filter(|c| c.walk.as_ref().is_some_and(|walk| walk.give_way.is_none()) && goes(c, &theirs, 1.0))
        .collect();
    let lines: Vec<(Vec<DVec2>, f64)> = company
        .iter()
        .filter_map(|c| {
            let line = c.walk.as_ref()?.corridor.line_ahead(c.position, LINE_M);
            Some((line, c.collision_radius_m + who.collision_radius_m))
        })
        .collect();
    let near_m = settings.give_way_reach_m + who.collision_radius_m;
    let standing: Vec<&Character> = near
        .iter()
        .copied()
        .filter(|c| c.is_active() && c.id != who.id && c.id != other.id && c.is_standing())
        .filter(|c| c.position.distance(who.position) <= near_m + c.collision_radius_m)
        .collect();
    let fraction = settings.dynamic_obstacle_radius_fraction;
    let disc = |c: &&Character| {
        let (loose_m, firm_m) =
            (c.collision_radius_m * fraction, c.collision_radius_m + who.collision_radius_m);
        let radius_m = if c.footing() == Footing::Loose { loose_m } else { loose_m.max(firm_m) };
        Disc { centre: c.position, radius_m }
    };
    let discs: Vec<Disc> = standing.iter().chain([&other]).chain(&company).map(disc).collect();
    let clear_m = who.collision_radius_m + other.collision_radius_m + ELBOW_ROOM_M;
    let is_waiting_place = |place: DVec2, company: bool| {
        distance_sq_to_line(place, &line) >= clear_m * clear_m
            && (!company
                || lines.iter().all(|(line, clear_m)| distance_sq_to_line(place, line) >= clear_m * clear_m))
            && standing
                .iter()
                .all(|c| c.position.at.distance(place) >= c.collision_radius_m + who.collision_radius_m)
    };
    let mut find = |company| {
        let reach_m = settings.give_way_reach_m;
        ground
            .find_nearest(who.position, &discs, reach_m, memory, |place| is_waiting_place(place.at, company))
    };
    let way = find(true).or_else(|| find(false))?;
    let place = way.last().copied().unwrap_or(who.position);
    let way = if way.is_empty() { vec![place] } else { way };
    Some(WaitingPlace { way, mouth: nearest_on_line(place.at, &line) })
}

/// Whether `other` comes against the path that a yielding character wants to take.
pub(crate) fn comes_against(way: &GiveWay, other: &Character) -> bool {
    goes(other, &way.wanted, -1.0)
}

/// The direction of travel at a spot where characters cannot pass each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RightOfWay {
    /// The spot, in metres.
    pub at: DVec2,
    /// The path of the character that got it: characters that go along with it may pass.
    pub flow: Vec<DVec2>,
    /// The tick from which it holds.
    pub since_tick: u64,
}

/// How far from its spot a right of way is respected.
pub(crate) const RIGHT_OF_WAY_M: f64 = 3.0;

impl RightOfWay {
    /// Whether a walker is about to pass the spot: 1 with the flow, −1 against it, 0 if neither.
    pub(crate) fn concerns(&self, walker: &Character) -> i32 {
        let Some(walk) = walker.walk.as_ref().filter(|walk| walk.give_way.is_none()) else { return 0 };
        let clear_m = 2.0 * walker.collision_radius_m;
        let line = walk.corridor.line_ahead(walker.position, RIGHT_OF_WAY_M);
        if distance_sq_to_line(self.at, &line) > clear_m * clear_m {
            return 0;
        }
        i32::from(goes(walker, &self.flow, 1.0)) - i32::from(goes(walker, &self.flow, -1.0))
    }

    /// Whether a yielding character wants to pass the spot against the flow.
    pub(crate) fn holds_back(&self, way: &GiveWay) -> bool {
        alignment(&self.flow, &way.wanted).is_some_and(|alignment| alignment.agreement < -0.2)
    }
}

/// What a yielding walker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Yielding {
    /// Still on its way to the place, or still waiting there.
    GoesOn,
    /// A character blocks the path to the place; it should give way, too.
    Held,
    /// The other has passed, or it took too long: back to its own walk.
    Over,
}

/// A walker sent from waiting place to waiting place stops yielding after this many times the patience for one place.
const MOST_PATIENCE: u32 = 6;

/// A yielding walker that comes no nearer to the place asks for room this often.
pub(super) const ASKS_FOR_ROOM_EVERY_S: f64 = 0.5;

/// Checks a yielding walker once a tick; `passed` is whether the characters it yields to have passed.
pub(crate) fn watch_yielding(way: &mut GiveWay, left_m: f64, passed: bool, pace: &Pace) -> Yielding {
    let patience = pace.gives_up_after;
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

/// How far ahead an oncoming walker is seen.
pub(crate) const ONCOMING_M: f64 = 3.0;

/// Whether `other` comes against the direction that a yielding character wants, and is about to pass.
pub(crate) fn is_oncoming(way: &GiveWay, clear_m: f64, other: &Character) -> bool {
    let Some(walk) = other.walk.as_ref().filter(|walk| walk.give_way.is_none()) else { return false };
    comes_against(way, other)
        && distance_sq_to_line(way.mouth, &walk.corridor.line_ahead(other.position, ONCOMING_M))
            < clear_m * clear_m
}

/// Whether the remaining path of `other` no longer comes near a point.
pub(crate) fn has_passed(mouth: DVec2, clear_m: f64, other: &Character) -> bool {
    if !other.is_active() {
        return true;
    }
    let Some(walk) = &other.walk else { return true };
    if walk.planning && walk.corridor.ahead().is_empty() {
        return false;
    }
    distance_sq_to_line(mouth, &walk.corridor.line_ahead(other.position, LINE_M)) >= clear_m * clear_m
}

/// How long a rank stays lent when the lender is gone. Passing it on shortens the loan, so that it cannot go round.
pub(super) const LENT_S: f64 = 0.5;

/// How much passing on shortens the loan. A rank reaches as far down a queue in short steps as in long ones.
pub(super) const PASSING_ON_S: f64 = 1.0 / 60.0;

/// What a queuing character lends to the one ahead: its rank, and for how long.
pub(crate) fn rank_to_lend(behind: &Character, pace: &Pace) -> (Rank, u32) {
    let rank = behind.rank();
    let lent = behind.walk.as_ref().and_then(|walk| walk.lent_rank);
    let passed_on = |(_, ticks): (Rank, u32)| ticks.saturating_sub(pace.passing_on);
    let ticks = lent.filter(|(lent, _)| *lent == rank).map_or(pace.lent, passed_on);
    (rank, ticks)
}

fn segments(line: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    let point = (line.len() == 1).then(|| (line[0], line[0]));
    point.into_iter().chain(line.windows(2).map(|pair| (pair[0], pair[1])))
}

pub(super) fn distance_sq_to_line(p: DVec2, line: &[DVec2]) -> f64 {
    segments(line).map(|(a, b)| distance_sq_to_segment(p, a, b)).fold(f64::INFINITY, f64::min)
}

fn nearest_on_line(p: DVec2, line: &[DVec2]) -> DVec2 {
    let on = segments(line).map(|(a, b)| crate::geometry::closest_on_segment(p, a, b));
    on.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p))).unwrap_or(p)
}

impl Walk {
    /// Leaves the path for a waiting place. The rest of the path is dropped: going on later needs a new one.
    pub fn give_way(
        &mut self,
        waiting_place: WaitingPlace,
        position: Position,
        wanted: Vec<DVec2>,
        other: &Character,
    ) {
        self.corridor = Corridor::new(waiting_place.way);
        self.planning = false;
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
