//! Making way where two cannot pass each other: who does, where to, and for how long.

use super::{Character, GiveWay, Walk};
use crate::geometry::distance_sq_to_segment;
use crate::path::{SearchMemory, find_nearest};
use crate::room::CrowdSettings;
use crate::space::{Disc, Ground};
use glam::DVec2;

/// A little more than touching, so that passing somebody who waits is not bumping into them.
const ELBOW_ROOM_M: f64 = 0.05;

/// How far along its way somebody is made room for; a search does not look further than a few people's widths past its reach.
const LINE_M: f64 = 40.0;

/// A place off somebody's way, and how to get there.
#[derive(Debug, Clone, PartialEq)]
pub struct Refuge {
    /// Waypoints to the place, itself included; at least one.
    pub way: Vec<DVec2>,
    /// The point of the other's way that is nearest to the place.
    pub mouth: DVec2,
}

/// The free place nearest to `who`, as one walks, that is off the way of `other`. Leads past nobody: neither past `other` nor
/// past those who stand.
pub fn find_refuge(
    who: &Character,
    other: &Character,
    characters: &[Character],
    ground: &Ground,
    settings: &CrowdSettings,
    memory: &mut SearchMemory,
) -> Option<Refuge> {
    let line = match &other.walk {
        Some(walk) => walk.line_ahead(other.position, LINE_M),
        None => vec![other.position],
    };
    let near_m = settings.give_way_reach_m + who.collision_radius_m;
    let standing: Vec<&Character> = characters
        .iter()
        .filter(|c| c.is_active() && c.id != who.id && c.id != other.id && c.is_standing())
        .filter(|c| c.position.distance(who.position) <= near_m + c.collision_radius_m)
        .collect();
    let fraction = settings.dynamic_obstacle_radius_fraction;
    let disc = |c: &&Character| Disc { centre: c.position, radius_m: c.collision_radius_m * fraction };
    let discs: Vec<Disc> = standing.iter().chain([&other]).map(disc).collect();
    let clear_m = who.collision_radius_m + other.collision_radius_m + ELBOW_ROOM_M;
    let is_refuge = |place: DVec2| {
        distance_sq_to_line(place, &line) >= clear_m * clear_m
            && standing
                .iter()
                .all(|c| c.position.distance(place) >= c.collision_radius_m + who.collision_radius_m)
    };
    let overlay = ground.overlay(&discs);
    let way = find_nearest(ground, who.position, &overlay, settings.give_way_reach_m, memory, is_refuge)?;
    let place = *way.last()?;
    Some(Refuge { way, mouth: nearest_on_line(place, &line) })
}

/// What a walker does about making way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Courtesy {
    /// Still on its way to the place, or still waiting there.
    GoesOn,
    /// Somebody is in the way to the place; they should make way, too.
    Held,
    /// The other has passed, or it took too long: back to its own walk.
    Over,
}

/// Looks once a tick at somebody who makes way. `other` is the one they do it for, if it is still there; `half_second` and
/// `patience` are in ticks.
pub fn watch_courtesy(
    way: &mut GiveWay,
    left_m: f64,
    clear_m: f64,
    other: Option<&Character>,
    half_second: u32,
    patience: u32,
) -> Courtesy {
    if has_passed(way.mouth, clear_m, other) {
        return Courtesy::Over;
    }
    if !way.waiting && left_m < way.least_left_m - ELBOW_ROOM_M {
        (way.least_left_m, way.ticks) = (left_m, 0);
    }
    way.ticks += 1;
    if way.ticks > patience {
        Courtesy::Over
    } else if !way.waiting && way.ticks.is_multiple_of(half_second.max(1)) {
        Courtesy::Held
    } else {
        Courtesy::GoesOn
    }
}

/// Whether nothing of what is left of somebody's way comes near a point any more.
fn has_passed(mouth: DVec2, clear_m: f64, other: Option<&Character>) -> bool {
    let Some(other) = other.filter(|other| other.is_active()) else { return true };
    let Some(walk) = &other.walk else { return true };
    if walk.planning && walk.ahead().is_empty() {
        return false;
    }
    distance_sq_to_line(mouth, &walk.line_ahead(other.position, LINE_M)) >= clear_m * clear_m
}

/// Whether two walkers go the same way, the first behind the second: then it waits its turn, and nobody makes way.
pub fn queues_behind(walker: &Character, ahead: &Character) -> bool {
    match (walker.going(), ahead.going()) {
        (Some(mine), Some(theirs)) => {
            mine.dot(theirs) > 0.5 && mine.dot(ahead.position - walker.position) > 0.0
        }
        _ => false,
    }
}

fn segments(line: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    let point = (line.len() == 1).then(|| (line[0], line[0]));
    point.into_iter().chain(line.windows(2).map(|pair| (pair[0], pair[1])))
}

fn distance_sq_to_line(p: DVec2, line: &[DVec2]) -> f64 {
    segments(line).map(|(a, b)| distance_sq_to_segment(p, a, b)).fold(f64::INFINITY, f64::min)
}

fn nearest_on_line(p: DVec2, line: &[DVec2]) -> DVec2 {
    let on = segments(line).map(|(a, b)| crate::geometry::closest_on_segment(p, a, b));
    on.min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p))).unwrap_or(p)
}

impl Walk {
    /// Leaves the path for a refuge. What is left of the path is forgotten: by the time it goes on, it needs a new one.
    pub fn give_way(&mut self, refuge: Refuge, position: DVec2, other: &Character) {
        self.waypoints = refuge.way;
        self.next = 0;
        self.planning = false;
        let least_left_m = self.left_m(position);
        self.give_way = Some(GiveWay {
            to: other.id,
            rank: other.rank(),
            mouth: refuge.mouth,
            ticks: 0,
            least_left_m,
            waiting: false,
        });
    }
}
