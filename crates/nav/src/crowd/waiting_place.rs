//! Where a character that yields waits: the nearest place off the path of the one that comes.

use super::path_alignment::{goes, way_ahead};
use super::yielding::{ELBOW_ROOM_M, distance_sq_to_line, nearest_on_line};
use super::{Character, CharacterId, Footing};
use crate::nav::{Disc, Position};
use crate::room::CrowdSettings;
use crate::surface::{SearchMemory, Surface};
use glam::DVec2;

/// How far ahead the waiting place must stay clear of the other walker's path, in metres. Whole segments count: up to
/// the first waypoint at or beyond this distance.
pub(super) const LINE_M: f64 = 40.0;

/// Walkers within this distance of the prioritised walker, and in the same direction, are its fellow walkers.
const FELLOWS_M: f64 = 5.0;

/// Bodies may be this much nearer to each other than where they touch, in metres.
const TOUCH_M: f64 = 0.01;

/// Where two are wedged at a corner, a way begins within the reach of the other body, in shares of their distance.
const WEDGED_SHARE: f64 = 0.9;

/// The same before the mouth of a niche: the one that yields slips in as the other one comes on.
const BESIDE_SHARE: f64 = 0.7;

/// A niche is taken if the way there is this share of the way back.
const NEARER_BESIDE: f64 = 0.5;

/// A place off another character's path, and the path to it.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitingPlace {
    /// Waypoints to the waiting place. The last one is the waiting place itself.
    pub way: Vec<Position>,
    /// The release point: the point of the other's path nearest to the waiting place.
    pub mouth: DVec2,
    /// Those on the way who must make way first, the farthest first.
    pub in_the_way: Vec<CharacterId>,
    /// Whether those who stand on the way are pushed on before the character: off its way, too.
    pub pushes: bool,
    /// The length of the way, in metres.
    pub way_m: f64,
}

impl WaitingPlace {
    /// How far the character and those on its way walk in all, at least, in metres.
    pub(crate) fn walked_m(&self) -> f64 {
        self.way_m * (1 + self.in_the_way.len()) as f64
    }
}

/// The radius within which other characters affect the search for a waiting place, in metres.
pub(crate) fn waiting_place_concerns_m(settings: &CrowdSettings) -> f64 {
    settings.give_way_reach_m + FELLOWS_M
}

/// Those who matter to a character that looks for a waiting place.
struct Around<'a> {
    who: &'a Character,
    /// The path ahead of the one that comes, and how near to it both touch.
    line: Vec<DVec2>,
    touching_m: f64,
    /// Where it must not wait, either: a way by which the one that comes backs out. It may be empty.
    also_off: &'a [DVec2],
    /// The one that comes, and those that go its way.
    coming: Vec<&'a Character>,
    /// The paths of those that go its way, with the distance to keep from them. They are kept if possible.
    lines: Vec<(Vec<DVec2>, f64)>,
    standing: Vec<&'a Character>,
    /// Those of them who can be pushed on.
    pushable: Vec<&'a Character>,
    /// Those who can make way themselves, because they yield to nobody that comes yet.
    may_move: Vec<&'a Character>,
    /// Where others are about to wait, with the distance to keep.
    taken: Vec<(DVec2, f64)>,
}

/// What a search for a waiting place heeds.
#[derive(Clone, Copy, PartialEq)]
struct Heeds {
    /// Whether the place must be off the paths of all that come, or of the one that it yields to.
    fellows: bool,
    /// How near to those that come the way begins, and so how near it leads past them.
    coming: Coming,
    /// Whether others on the way make way, too.
    others_move: bool,
    /// Whether those who stand on the way make way, too, even where the place is taken by one of them: a file moves on.
    pushes: bool,
}

/// How near a way may come to those that come.
#[derive(Clone, Copy, PartialEq)]
enum Coming {
    /// Not past them.
    Barred,
    /// Into a niche beside both.
    Beside,
    /// Round the corner at which both are wedged.
    Wedged,
    /// It squeezes past, as in a dead end.
    Squeezed,
    /// The same, and from the place it touches them.
    Touched,
    /// Through them: they back out first.
    Through,
}

impl Heeds {
    const fn new(fellows: bool, coming: Coming, others_move: bool) -> Self {
        Self { fellows, coming, others_move, pushes: false }
    }

    const fn pushing(self) -> Self {
        Self { pushes: true, ..self }
    }

    /// For one under way.
    const UNDER_WAY: [Self; 2] =
        [Self::new(true, Coming::Barred, false), Self::new(false, Coming::Barred, false)];
    const BESIDE: Self = Self::new(false, Coming::Beside, false);
    const THROUGH_OTHERS: [Self; 2] =
        [Self::new(false, Coming::Barred, true), Self::new(false, Coming::Wedged, true)];

    /// As in a lane with no place beside it: all go on before the one that comes.
    const PUSHED: [Self; 2] =
        [Self::new(false, Coming::Barred, true).pushing(), Self::new(false, Coming::Wedged, true).pushing()];

    /// Past those that come: for one under way as a last resort, as the way may be too narrow.
    const SQUEEZED: [Self; 3] = [
        Self::new(true, Coming::Squeezed, false),
        Self::new(false, Coming::Squeezed, false),
        Self::new(false, Coming::Touched, false),
    ];
    const THROUGH: [Self; 2] =
        [Self::new(true, Coming::Through, false), Self::new(false, Coming::Through, false)];
}

/// Whether a character may try to get past those that come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Past<'a> {
    Never,
    /// Never, and it waits off the way of the one that pushes it.
    Pushed(&'a [DVec2]),
    /// Only where it found nothing else, and neither did the other one.
    LastResort,
    /// The one that comes backs out by a way, and lets it through: it waits off that way, too.
    Through(&'a [DVec2]),
}

/// The free place nearest to `who`, by walking distance, that is off the path of `other`. The path to it leads past none of
/// those that come, and round standing characters. If there is no such path, it leads through those who can make way first.
///
/// `near` must contain all characters within [`waiting_place_concerns_m`] of `who`. It may contain others.
pub(crate) fn find_waiting_place(
    who: &Character,
    other: &Character,
    near: &[&Character],
    ground: &Surface,
    settings: &CrowdSettings,
    memory: &mut SearchMemory,
    past: Past<'_>,
) -> Option<WaitingPlace> {
    let also_off = if let Past::Through(back) | Past::Pushed(back) = past { back } else { &[] };
    let around = Around { also_off, ..Around::of(who, other, near, settings) };
    let mut find = |heeds: Heeds| {
        let discs = around.discs(heeds, settings);
        let is_place = |place: Position| around.is_place(place.at, heeds);
        let way = ground.find_nearest(who.position, &discs, settings.give_way_reach_m, memory, is_place);
        way.map(|way| (way, heeds))
    };
    let is_under_way = who.errand().is_some() || who.following.is_some();
    let (way, heeds) = match past {
        Past::Never | Past::Pushed(_) => {
            let back = Heeds::UNDER_WAY.iter().find_map(|&heeds| find(heeds));
            let length_m = |way: &[Position]| length_m(who.position, way);
            let back_m = back.as_ref().map_or(f64::INFINITY, |(way, _)| length_m(way));
            let is_nearer = |(way, _): &(Vec<Position>, Heeds)| length_m(way) < NEARER_BESIDE * back_m;
            let beside = if is_under_way { find(Heeds::BESIDE).filter(is_nearer) } else { None };
            let through_others = |find| Heeds::THROUGH_OTHERS.iter().filter(|_| is_under_way).find_map(find);
            let place = beside.or(back).or_else(|| through_others(|&heeds| find(heeds)));
            place.or_else(|| Heeds::PUSHED.iter().find_map(|&heeds| find(heeds)))?
        }
        Past::Through(_) => Heeds::THROUGH.iter().find_map(|&heeds| find(heeds))?,
        Past::LastResort => Heeds::SQUEEZED.iter().find_map(|&heeds| find(heeds))?,
    };
    let place = way.last().copied().unwrap_or(who.position);
    let way = if way.is_empty() { vec![place] } else { way };
    let in_the_way = if heeds.others_move { around.in_the_way(&way, heeds) } else { Vec::new() };
    let way_m = length_m(who.position, &way);
    let (mouth, pushes) = (nearest_on_line(place.at, &around.line), heeds.pushes);
    Some(WaitingPlace { mouth, way, in_the_way, pushes, way_m })
}

fn length_m(from: Position, way: &[Position]) -> f64 {
    let corners = std::iter::once(&from).chain(way);
    corners.zip(way).map(|(from, to)| from.distance(*to)).sum()
}

/// Whether a walker goes away from a character.
fn goes_away_from(walker: &Character, who: &Character) -> bool {
    let to = walker.walk.as_ref().and_then(|walk| walk.corridor.toward());
    let here = walker.position.at;
    to.is_some_and(|to| (here - who.position.at).dot(to.at - here) > 0.0)
}

impl<'a> Around<'a> {
    fn of(
        who: &'a Character,
        other: &'a Character,
        near: &[&'a Character],
        settings: &CrowdSettings,
    ) -> Self {
        let line: Vec<DVec2> = match &other.walk {
            Some(walk) => walk.corridor.line_ahead(other.position, LINE_M).collect(),
            None => other.line_ahead(LINE_M).collect(),
        };
        let theirs = way_ahead(other);
        let others = || near.iter().copied().filter(|c| c.is_active() && c.id != who.id && c.id != other.id);
        let yields = |c: &Character| c.walk.as_ref().is_some_and(|walk| walk.give_way.is_some());
        let is_fellow = |c: &&Character| {
            let is_near = c.position.distance(other.position) <= FELLOWS_M;
            is_near && c.walk.is_some() && !yields(c) && goes(c, &theirs, 1.0) && !goes_away_from(c, who)
        };
        let fellows: Vec<&Character> = others().filter(is_fellow).collect();
        let line_of = |c: &&Character| {
            let line = c.walk.as_ref()?.corridor.line_ahead(c.position, LINE_M);
            Some((line.collect(), c.collision_radius_m + who.collision_radius_m))
        };
        let near_m = settings.give_way_reach_m + who.collision_radius_m;
        let is_within = |c: &&Character| c.position.distance(who.position) <= near_m + c.collision_radius_m;
        let standing: Vec<&Character> = others().filter(|c| c.is_standing()).filter(is_within).collect();
        let can_move = |c: &&Character| {
            !c.player && c.footing() != Footing::Pinned && c.steering.is_none() && c.walk_speed_mps > 0.0
        };
        // One that stands for itself is asked to step aside, and not sent away for others.
        let may_move =
            |c: &&Character| can_move(c) && (c.walk.is_some() || c.following.is_some()) && !yields(c);
        let is_fellow = |c: &&Character| fellows.iter().any(|fellow| fellow.id == c.id);
        let place_of = |c: &Character| {
            let walk = c.walk.as_ref().filter(|walk| walk.give_way.is_some())?;
            let clear_m = c.collision_radius_m + who.collision_radius_m;
            Some((walk.corridor.ahead().last().copied().unwrap_or(c.position).at, clear_m))
        };
        Self {
            who,
            line,
            touching_m: who.collision_radius_m + other.collision_radius_m,
            also_off: &[],
            lines: fellows.iter().filter_map(line_of).collect(),
            pushable: standing.iter().copied().filter(can_move).collect(),
            standing,
            may_move: others().filter(is_within).filter(may_move).filter(|c| !is_fellow(c)).collect(),
            taken: others().filter_map(place_of).collect(),
            coming: std::iter::once(other).chain(fellows).collect(),
        }
    }

    /// Whether somebody makes way.
    fn moves(&self, who: &Character, heeds: Heeds) -> bool {
        let is_one = |c: &&Character| c.id == who.id;
        heeds.others_move && self.may_move.iter().any(is_one)
            || heeds.pushes && self.pushable.iter().any(is_one)
    }

    /// What the way must go round.
    fn discs(&self, heeds: Heeds, settings: &CrowdSettings) -> Vec<Disc> {
        let who = self.who;
        let fraction = settings.dynamic_obstacle_radius_fraction;
        let firm_m = |c: &Character| c.collision_radius_m + who.collision_radius_m;
        let around_standing = |c: &&Character| {
            let loose_m = c.collision_radius_m * fraction;
            let radius_m = if c.footing() == Footing::Loose { loose_m } else { loose_m.max(firm_m(c)) };
            Disc { centre: c.position, radius_m }
        };
        let around_coming = |c: &&Character| {
            let apart_m = c.position.distance(who.position);
            let begins_m = match heeds.coming {
                Coming::Barred => apart_m - TOUCH_M,
                Coming::Beside => BESIDE_SHARE * apart_m,
                Coming::Wedged => WEDGED_SHARE * apart_m,
                Coming::Squeezed | Coming::Touched | Coming::Through => c.collision_radius_m * fraction,
            };
            Disc { centre: c.position, radius_m: firm_m(c).min(begins_m) }
        };
        let stays = |c: &&&Character| !self.moves(c, heeds);
        let standing = self.standing.iter().filter(stays).map(around_standing);
        let coming = self.coming.iter().filter(|_| heeds.coming != Coming::Through).map(around_coming);
        standing.chain(coming).collect()
    }

    fn is_place(&self, place: DVec2, heeds: Heeds) -> bool {
        let is_off = |line: &[DVec2], clear_m: f64| {
            distance_sq_to_line(place, line.iter().copied()) >= clear_m * clear_m
        };
        let who = self.who;
        let is_beside =
            |c: &&Character| c.position.at.distance(place) >= c.collision_radius_m + who.collision_radius_m;
        let clear_m = self.touching_m + if heeds.coming == Coming::Touched { -TOUCH_M } else { ELBOW_ROOM_M };
        // A niche is before the one that comes: a place behind it would lead past it.
        let is_before = heeds.coming != Coming::Beside || self.is_before(place);
        is_off(&self.line, clear_m)
            && is_off(self.also_off, clear_m)
            && is_before
            && (!heeds.fellows || self.lines.iter().all(|(line, clear_m)| is_off(line, *clear_m)))
            && self.standing.iter().filter(|c| !heeds.pushes || !self.moves(c, heeds)).all(is_beside)
            && self.taken.iter().all(|(at, clear_m)| at.distance(place) >= *clear_m)
    }

    /// Whether a place is before the one that comes, by its direction.
    fn is_before(&self, place: DVec2) -> bool {
        matches!(self.line[..], [here, next, ..] if (place - here).dot(next - here) > 0.0)
    }

    /// Those who can make way and are on the way, the farthest first.
    fn in_the_way(&self, way: &[Position], heeds: Heeds) -> Vec<CharacterId> {
        let here = self.who.position.at;
        let line = || std::iter::once(here).chain(way.iter().map(|at| at.at));
        let touches = |c: &&&Character| {
            let touch_m = c.collision_radius_m + self.who.collision_radius_m - TOUCH_M;
            distance_sq_to_line(c.position.at, line()) < touch_m * touch_m
        };
        let pushable =
            self.pushable.iter().filter(|c| heeds.pushes && self.may_move.iter().all(|o| o.id != c.id));
        let mut found: Vec<&Character> =
            self.may_move.iter().chain(pushable).filter(touches).copied().collect();
        let off_sq = |c: &Character| c.position.at.distance_squared(here);
        found.sort_by(|one, other| off_sq(other).total_cmp(&off_sq(one)).then(one.id.cmp(&other.id)));
        found.into_iter().map(|c| c.id).collect()
    }
}
