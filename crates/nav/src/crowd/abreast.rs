//! Walking side by side: the places of companions round the character that they walk with. Twos and threes walk abreast
//! where there is room, and fall in behind at a door: Moussaïd et al., "The walking behaviour of pedestrian social groups
//! and its impact on crowd dynamics", 2010.

use super::Character;
use crate::nav::Position;
use crate::plan::Grounds;
use crate::surface::Surface;
use glam::DVec2;

/// Room between the bodies of companions, in metres.
const BESIDE_GAP_M: f64 = 0.25;

/// A companion heads for where its place will be after this time, in seconds. With less it swings from side to side, with
/// more it comes to its place late.
const AHEAD_S: f64 = 0.8;

/// A companion that is behind walks up to so many times as fast as it likes.
const HURRIES: f64 = 1.1;

/// So many rows walk behind a leader. More companions than these have places for follow the leader.
const MOST_ROWS: u32 = 20;

/// Up to so many companions of one leader swap places: the work grows with the third power.
const MOST_SWAPPING: usize = 16;

/// Companions swap places if it makes the sum of their squared distances to them less by this, in square metres.
const LEAST_GAIN_M2: f64 = 1e-6;

/// Squared distances to a place above this are one, in square metres.
const FAR_SQ: f64 = 9.0;

/// Where leaders and companions move slower than this, in m/s, they stand.
const STANDS_MPS: f64 = 0.1;

/// Nobody waits for a companion this near to its place, in metres.
const AT_PLACE_M: f64 = 0.3;

/// Beside a leader that stands, a companion this near to its place stands, too, in metres.
const RESTS_M: f64 = 0.45;

/// A companion keeps up with its leader from within this distance of its place, in metres.
const KEEPS_UP_M: f64 = 1.0;

/// A leader waits for companions up to this distance, in metres. It leaves others behind.
const WAITS_WITHIN_M: f64 = 8.0;

/// A leader loses this share of its speed for every metre that a companion is behind, and walks at this share at least.
const WAITS_PER_M: f64 = 0.25;
const WAITS_AT_LEAST: f64 = 0.5;

/// One ahead of a leader goes so far on along its path where it does not see its place, in metres.
const NEXT_BIT_M: f64 = 0.6;

/// How far ahead the direction of a path is looked at, in metres.
const DIRECTION_M: f64 = 1.0;

/// The distance between a leader and a companion at its side.
pub(crate) fn beside_m(one: &Character, other: &Character) -> f64 {
    one.collision_radius_m + other.collision_radius_m + BESIDE_GAP_M
}

/// What a companion should do now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Beside {
    /// Where it should go, from where it is.
    pub(crate) way: DVec2,
    /// How fast, in m/s.
    pub(crate) speed_mps: f64,
    /// Whether it is near its place, and the leader walks: then it gets on, whatever its path says.
    pub(crate) keeps_up: bool,
}

/// A place beside or behind a leader.
#[derive(Debug, Clone, Copy)]
struct Slot {
    row: u32,
    at: DVec2,
    soon: DVec2,
    /// Whether it is on the path of the leader.
    is_ahead: bool,
    /// The companion that has it.
    of: Option<usize>,
}

/// A leader, and the places of its companions. Buffers are kept from one leader to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct Abreast {
    places: Vec<Slot>,
    /// Whether the leader stands.
    stands: bool,
    /// How fast the leader walks, in m/s: as fast as its slowest companion, and slower while one of them is behind.
    pub(crate) speed_mps: f64,
}

impl Abreast {
    /// Gives each of the companions a place: two beside the leader, the others in rows of three behind, and where there is
    /// no room at the side, one behind the other. Those who are in a leader's way there walk ahead of it.
    pub(crate) fn arrange<'a>(
        &mut self,
        leader: &Character,
        companions: impl ExactSizeIterator<Item = &'a Character> + Clone,
        ground: &Grounds,
    ) {
        let heading = || {
            let (sin, cos) = libm::sincos(leader.heading_rad);
            DVec2::new(cos, sin)
        };
        let facing = leader.going().unwrap_or_else(heading);
        let speed_mps = leader.velocity_mps().length();
        let ahead_m = speed_mps * AHEAD_S;
        let (soon, later) = (leader.point_ahead(ahead_m), leader.point_ahead(ahead_m + DIRECTION_M));
        let facing_soon = (later - soon).try_normalize().unwrap_or(facing);
        self.stands = speed_mps < STANDS_MPS;
        self.speed_mps = leader.speed_mps();
        let widest_m = companions.clone().map(|companion| beside_m(leader, companion)).fold(0.0, f64::max);
        self.places.clear();
        let place_of = |row: u32, side: f64| {
            let offset = |facing: DVec2| (facing.perp() * side - facing * f64::from(row)) * widest_m;
            let at = leader.position.at + offset(facing);
            let place = Slot { row, at, soon: soon + offset(facing_soon), is_ahead: false, of: None };
            let is_free = match side == 0.0 {
                true => row > 0, // there the leader walks
                false => has_room(leader, soon, &place, ground.of(leader.class)),
            };
            is_free.then_some(place)
        };
        self.places.extend([-1.0, 1.0].into_iter().filter_map(|side| place_of(0, side)));
        if self.places.is_empty() && leader.is_moving() {
            let in_the_way = companions.clone().filter(|companion| {
                let offset = companion.position.at - leader.position.at;
                let reach_m = widest_m * (companions.len() + 1) as f64;
                offset.dot(facing) > 0.0
                    && offset.perp_dot(facing).abs() < widest_m
                    && offset.length() < reach_m
            });
            for index in 1..=in_the_way.count() {
                let beyond_m = widest_m * index as f64;
                let (at, soon) = (leader.point_ahead(beyond_m), leader.point_ahead(ahead_m + beyond_m));
                self.places.push(Slot { row: 0, at, soon, is_ahead: true, of: None });
            }
        }
        for row in 1..=MOST_ROWS {
            if self.places.len() >= companions.len() {
                break;
            }
            self.places.extend([0.0, -1.0, 1.0].into_iter().filter_map(|side| place_of(row, side)));
        }
        self.places.iter_mut().zip(0..companions.len()).for_each(|(place, index)| place.of = Some(index));
        if companions.len() <= MOST_SWAPPING {
            self.swap(companions);
        }
    }

    /// Swaps places as long as the sum of the squared distances to them gets less. A place in the last row may stay free.
    fn swap<'a>(&mut self, companions: impl ExactSizeIterator<Item = &'a Character> + Clone) {
        let off = |of: Option<usize>, place: &Slot| {
            let companion = of.and_then(|index| companions.clone().nth(index));
            let off_sq = companion.map_or(0.0, |companion| companion.position.at.distance_squared(place.at));
            off_sq.min(FAR_SQ) // one that is far off changes nothing for the others
        };
        for _ in 0..companions.len() {
            let mut is_better = false;
            for first in 0..self.places.len() {
                for second in first + 1..self.places.len() {
                    let [one, other] = [self.places[first], self.places[second]];
                    if one.row != other.row && (one.of.is_none() || other.of.is_none()) {
                        continue;
                    }
                    let now = off(one.of, &one) + off(other.of, &other);
                    if off(other.of, &one) + off(one.of, &other) + LEAST_GAIN_M2 < now {
                        (self.places[first].of, self.places[second].of) = (other.of, one.of);
                        is_better = true;
                    }
                }
            }
            if !is_better {
                break;
            }
        }
    }

    /// What a companion should do, and how near the leader it should be, in metres. `None`: it is there and may stand, or
    /// does not see its place, and goes along its path to the leader. The leader waits for it.
    pub(crate) fn join(
        &mut self,
        index: usize,
        companion: &Character,
        leader: &Character,
        ground: &Grounds,
    ) -> (Option<Beside>, f64) {
        let here = companion.position;
        let is_its = |place: &&Slot| place.of == Some(index);
        // Without swaps, places are in the order of companions.
        let place = self.places.get(index).filter(is_its).or_else(|| self.places.iter().find(is_its));
        let Some(&Slot { at, soon, is_ahead, .. }) = place else { return (None, 0.0) };
        let off_m = here.at.distance(at);
        if off_m < WAITS_WITHIN_M {
            let behind_m = (off_m - AT_PLACE_M).max(0.0);
            let least_mps = WAITS_AT_LEAST * leader.speed_mps();
            let waits_mps = (1.0 - WAITS_PER_M * behind_m) * leader.speed_mps();
            self.speed_mps = self.speed_mps.min(companion.speed_mps().min(waits_mps).max(least_mps));
        }
        let from_leader_m = leader.position.at.distance(at);
        if self.stands && off_m < RESTS_M && !is_ahead {
            return (None, from_leader_m.max(leader.position.distance(here)));
        }
        // Round a corner, the next bit of the leader's path may be in sight.
        let next = is_ahead.then(|| leader.point_ahead(leader.position.distance(here) + NEXT_BIT_M));
        let to = [soon, at].into_iter().chain(next);
        let to = to.into_iter().find(|to| ground.of(companion.class).walk_straight(here, *to).is_some());
        let beside = |to: DVec2| {
            let way = to - here.at;
            let speed_mps = (way.length() / AHEAD_S).min(HURRIES * companion.speed_mps());
            Beside { way, speed_mps, keeps_up: !self.stands && off_m < KEEPS_UP_M }
        };
        (to.map(beside), from_leader_m)
    }
}

/// Whether the ground is free from the leader to a place at its side, and from there on.
fn has_room(leader: &Character, lead_soon: DVec2, place: &Slot, ground: &Surface) -> bool {
    let straight = |from: Position, to: DVec2| ground.walk_straight(from, to);
    let Some(at) = straight(leader.position, place.at) else { return false };
    let lead_soon = straight(leader.position, lead_soon);
    straight(at, place.soon).is_some() && lead_soon.is_none_or(|lead| straight(lead, place.soon).is_some())
}
