//! Separation: keeping characters apart.

use super::motion::{Among, Mover, PUSHED_MPS, keep_off};
use super::{AgentRow, Character, CharacterId, Footing, Neighbours, Pace, Purpose, Walk};
use crate::nav::Position;
use crate::plan::Grounds;
use crate::room::{Avoidance, CrowdSettings};
use crate::surface::Surface;
use glam::DVec2;

/// Buffers of the separation, reused from tick to tick.
#[derive(Debug, Clone, Default)]
pub(crate) struct Separation {
    bodies: Vec<Body>,
    neighbours: Neighbours,
    pairs: Vec<(u32, u32)>,
    /// Whether each body may have moved.
    touched: Vec<bool>,
}

/// Compact copy of a character's fields for the overlap test.
#[derive(Debug, Clone, Copy)]
struct Body {
    at: DVec2,
    /// The position when the buckets were rebuilt.
    bucketed_at: DVec2,
    radius_m: f64,
    /// Index in the list of characters.
    index: u32,
}

impl Separation {
    /// Resolves overlaps. Every iteration pushes each overlapping pair apart. The first case that applies decides:
    ///
    /// 1. Two walkers meet head-on: each takes half of the push, turned by 30 degrees.
    /// 2. One character has the firmer [`Footing`]: the other one takes the whole push. Two pinned ones stay. In rooms with
    ///    steering, a standing character is firmer than a walker.
    /// 3. One walker overtakes the other: it takes the whole push, turned sideways.
    /// 4. One walker queues behind the other: it takes the whole push.
    /// 5. Otherwise each takes half. If one cannot move, the other takes the whole push.
    ///
    /// Cases 1, 3 and 4 apply only if the push stays on walkable ground. No push leaves walkable ground. In rooms with
    /// steering, a push is limited in length, and leads into nobody.
    ///
    /// `bumped` receives (standing character, walker) pairs, sorted, one per standing character: the walker is on an
    /// errand or steered, and ran into the standing character, which should step aside. `rows` are the rows of
    /// `characters`.
    pub(crate) fn separate(
        &mut self,
        characters: &mut [Character],
        rows: &mut [AgentRow],
        ground: &Grounds,
        settings: &CrowdSettings,
        pace: &Pace,
        bumped: &mut Vec<(CharacterId, CharacterId)>,
    ) {
        let Self { bodies, neighbours, pairs, touched } = self;
        bumped.clear();
        bodies.clear();
        let active = (0..).zip(rows.iter()).filter(|(_, row)| row.active);
        bodies.extend(active.map(|(index, row)| Body {
            at: row.position.at,
            bucketed_at: row.position.at,
            radius_m: row.radius_m,
            index,
        }));
        let widest_m = bodies.iter().map(|body| body.radius_m).fold(0.0, f64::max);
        touched.clear();
        touched.resize(bodies.len(), true);
        let steer = settings.avoidance == Avoidance::Steer;
        let on = On { ground, steer, pace };
        let mut drifted = true;
        for _ in 0..settings.collision_iterations {
            if drifted {
                bodies.iter_mut().for_each(|body| body.bucketed_at = body.at);
                neighbours.rebuild(bodies.iter().map(|body| body.at), 2.0 * widest_m + PUSH_MARGIN_M);
            }
            // First iteration: pairs of all bodies. Later: only pairs with a moved body.
            neighbours.pairs(touched, pairs);
            touched.fill(false);
            for &(one, other) in &*pairs {
                let (one_body, other_body) = (bodies[one as usize], bodies[other as usize]);
                let Some(overlap_m) = overlap_m(&one_body, &other_body) else { continue };
                let (a, b) = (one_body.index as usize, other_body.index as usize);
                if !ground.floors_touch(characters[a].position, characters[b].position) {
                    continue;
                }
                let push = push_of(&characters[a], &characters[b], overlap_m);
                let going = (characters[a].going(), characters[b].going());
                let passing = side_step(going, push);
                if !passing.is_some_and(|push| push_both(characters, a, b, push, ground)) {
                    push_apart(characters, a, b, push, on);
                    part_coincident(characters, (a, b), push, on);
                }
                for (body, at) in [(one, characters[a].position.at), (other, characters[b].position.at)] {
                    bodies[body as usize].at = at;
                    neighbours.shift(body, at);
                    touched[body as usize] = true;
                }
                note_bump(characters, a, b, bumped);
                hold_up(characters, a, b);
            }
            let mut pushed = bodies.iter().zip(&*touched).filter(|(_, touched)| **touched).peekable();
            if pushed.peek().is_none() {
                break;
            }
            drifted = pushed.any(|(body, _)| {
                body.bucketed_at.distance_squared(body.at) > 0.25 * PUSH_MARGIN_M * PUSH_MARGIN_M
            });
        }
        if steer {
            self.hold_pushes_back(characters, rows, ground, PUSHED_MPS * pace.dt_s, widest_m);
        }
        for body in &self.bodies {
            let index = body.index as usize;
            rows[index].position = characters[index].position;
        }
        bumped.sort_unstable();
        bumped.dedup_by_key(|(stander, _)| *stander);
    }

    /// Shortens every push to `most_m`, and to what leads into nobody. `rows` are the positions before the pushes. One
    /// body after the other moves, so that no two are pushed into one place.
    fn hold_pushes_back(
        &mut self,
        characters: &mut [Character],
        rows: &[AgentRow],
        ground: &Grounds,
        most_m: f64,
        widest_m: f64,
    ) {
        let Self { bodies, neighbours, .. } = self;
        bodies.iter_mut().for_each(|body| body.at = rows[body.index as usize].position.at);
        neighbours.rebuild(bodies.iter().map(|body| body.at), 2.0 * widest_m + PUSH_MARGIN_M);
        for place in 0..bodies.len() {
            let Body { index, radius_m, .. } = bodies[place];
            let from = rows[index as usize].position;
            let character = &mut characters[index as usize];
            let ground = ground.of(character.class);
            let by = (character.position.at - from.at).clamp_length_max(most_m);
            if by == DVec2::ZERO {
                continue;
            }
            let mover = Mover { index: place as u32, from, radius_m };
            let body = |other: u32| {
                let Body { at, radius_m, index, .. } = bodies[other as usize];
                Some((Position { at, ..rows[index as usize].position }, radius_m))
            };
            let among = Among { neighbours, widest_m, moved_m: most_m };
            let (by, _) = keep_off(mover, by, among, body, ground);
            // Along a wall it must lead into nobody, either.
            let along_wall = || {
                let slid = ground.slide(from, by)?;
                let by = slid.at - from.at;
                (keep_off(mover, by, among, body, ground).0 == by).then_some(slid)
            };
            let pushed = ground.push_straight(from, from.at + by).or_else(along_wall);
            character.position = pushed.unwrap_or(from);
            bodies[place].at = character.position.at;
            neighbours.shift(place as u32, character.position.at);
        }
    }
}

/// Extra bucket size, for bodies that moved since the last rebuild of the buckets.
const PUSH_MARGIN_M: f64 = 0.25;

/// Smaller overlaps are rounding errors and do not count.
const TOUCH_M: f64 = 1e-9;

/// The overlap of two bodies. `None` if they do not touch.
fn overlap_m(a: &Body, b: &Body) -> Option<f64> {
    let clear_m = a.radius_m + b.radius_m;
    let apart_sq = a.at.distance_squared(b.at);
    // No square root is needed for bodies far apart.
    if apart_sq > clear_m * clear_m {
        return None;
    }
    let overlap_m = clear_m - apart_sq.sqrt();
    (overlap_m > TOUCH_M).then_some(overlap_m)
}

/// The displacement of `a` that would clear it of `b`.
fn push_of(a: &Character, b: &Character, overlap_m: f64) -> DVec2 {
    let apart = a.position.at - b.position.at;
    let distance = apart.length();
    let direction = if distance > TOUCH_M { apart / distance } else { any_direction(a.id, b.id) };
    direction * overlap_m
}

/// The direction of the push between two coincident bodies. The angle is an id-based integer times the golden angle.
fn any_direction(a: CharacterId, b: CharacterId) -> DVec2 {
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    let (sin, cos) = libm::sincos(f64::from(a.0.wrapping_mul(7).wrapping_add(b.0)) * GOLDEN_ANGLE);
    DVec2::new(cos, sin)
}

/// The push turned by 30 degrees if two walkers meet head-on, otherwise `None`. With a straight push they would
/// oscillate on one line. With the turned push, each sidesteps to the same side, so they pass. `a_going` and
/// `b_going` are directions.
fn side_step((a_going, b_going): (Option<DVec2>, Option<DVec2>), push: DVec2) -> Option<DVec2> {
    const COS: f64 = 0.866_025_403_784_438_6;
    const SIN: f64 = 0.5;
    let along = push.try_normalize()?;
    let head_on = |going: DVec2, other: DVec2| going.dot(other) > 0.9;
    let meet = head_on(a_going?, -along) && head_on(b_going?, along);
    meet.then(|| push * COS + push.perp() * SIN)
}

/// Pushes each character by half, if both pushes stay on walkable ground.
fn push_both(characters: &mut [Character], a: usize, b: usize, push: DVec2, ground: &Grounds) -> bool {
    let half = push * 0.5;
    let pushed =
        |who: &Character, by: DVec2| ground.of(who.class).push_straight(who.position, who.position.at + by);
    let Some(pushed_a) = pushed(&characters[a], half) else { return false };
    let Some(pushed_b) = pushed(&characters[b], -half) else { return false };
    characters[a].position = pushed_a;
    characters[b].position = pushed_b;
    true
}

/// What pushes depend on.
#[derive(Clone, Copy)]
struct On<'a> {
    ground: &'a Grounds,
    /// Whether the room's characters steer.
    steer: bool,
    pace: &'a Pace,
}

/// How firmly a character stands against pushes of another one. In rooms with steering, walkers push nobody that stands
/// and could step aside, unless they step aside for others themselves. Otherwise a second stander would stop the first
/// one, and with it all behind.
fn footing_of(character: &Character, other: &Character, steer: bool) -> (Footing, bool) {
    let steps_aside = other.walk.as_ref().is_some_and(|walk| walk.purpose == Purpose::StepAside);
    let can_walk = character.walk_speed_mps > 0.0;
    (character.footing(), steer && !character.is_moving() && can_walk && !steps_aside)
}

fn push_apart(characters: &mut [Character], a: usize, b: usize, push: DVec2, on: On<'_>) {
    let On { ground, steer, pace } = on;
    let (from_a, from_b) = (characters[a].position, characters[b].position);
    let [ground_a, ground_b] = [a, b].map(|index| ground.of(characters[index].class));
    let go = |ground: &Surface, from: Position, by: DVec2| ground.push_straight(from, from.at + by);
    let (firm_a, firm_b) = (
        footing_of(&characters[a], &characters[b], steer),
        footing_of(&characters[b], &characters[a], steer),
    );
    if firm_a != firm_b {
        let (loose, from, push) = if firm_a < firm_b { (a, from_a, push) } else { (b, from_b, -push) };
        if let Some(pushed) = slide(ground.of(characters[loose].class), from, push) {
            characters[loose].position = pushed;
        }
        return;
    }
    if firm_a.0 == Footing::Pinned {
        return;
    }
    let half = push * 0.5;
    // A queuing walker yields to the walker ahead. If both shared every push, they would block each other at a corner
    // for ever. A follower yields to a follower that already occupies its slot. Otherwise they would swap places for
    // ever. They would also push the followed character away.
    let queues = |me: usize, ahead: usize| {
        let (me, ahead) = (&characters[me], &characters[ahead]);
        let behind = me.walk.as_ref().is_some_and(|walk| walk.held_up.queues_behind == Some(ahead.id));
        behind || in_its_place(characters, me, ahead)
    };
    let (a_queues, b_queues) = (queues(a, b), queues(b, a));
    for (fast, slow, from, push) in [(a, b, from_a, push), (b, a, from_b, -push)] {
        let ground = ground.of(characters[fast].class);
        let round = pass_by(&characters[fast], &characters[slow], push, pace);
        if let Some(pushed) = round.and_then(|round| slide(ground, from, round).or(slide(ground, from, push)))
        {
            characters[fast].position = pushed;
            return;
        }
    }
    if a_queues != b_queues {
        let (queuer, from, push) = if a_queues { (a, from_a, push) } else { (b, from_b, -push) };
        if let Some(pushed) = slide(ground.of(characters[queuer].class), from, push) {
            characters[queuer].position = pushed;
            return;
        }
    }
    let (at_a, at_b) = match (go(ground_a, from_a, half), go(ground_b, from_b, -half)) {
        (Some(at_a), Some(at_b)) => (at_a, at_b),
        (Some(at_a), None) => (go(ground_a, from_a, push).unwrap_or(at_a), from_b),
        (None, Some(at_b)) => (from_a, go(ground_b, from_b, -push).unwrap_or(at_b)),
        (None, None) => {
            let or_stays = |ground, from, push| slide(ground, from, push).unwrap_or(from);
            (or_stays(ground_a, from_a, half), or_stays(ground_b, from_b, -half))
        }
    };
    characters[a].position = at_a;
    characters[b].position = at_b;
}

/// Pushes two bodies that are still at one point in other directions. In a corner, walls stop most of them.
fn part_coincident(characters: &mut [Character], (a, b): (usize, usize), push: DVec2, on: On<'_>) {
    const EIGHTH_OF_A_TURN: DVec2 = DVec2::splat(std::f64::consts::FRAC_1_SQRT_2);
    let mut push = push;
    for _ in 1..8 {
        if characters[a].position.at.distance_squared(characters[b].position.at) > TOUCH_M * TOUCH_M {
            return;
        }
        push = EIGHTH_OF_A_TURN.rotate(push);
        push_apart(characters, a, b, push, on);
    }
}

/// Idle time after which a walker counts as blocked. A blocked walker is not overtaken.
pub(super) const GETS_ON_S: f64 = 1.0;

/// Whether `fast` catches up with a slower walker that makes progress. Then `fast` passes instead of queuing.
pub(crate) fn overtakes(fast: &Character, slow: &Character, pace: &Pace) -> bool {
    let gets_on =
        |walk: &Walk| walk.held_up.queues_behind.is_none() && walk.progress.idle_ticks < pace.gets_on;
    let freely = slow.walk.as_ref().is_some_and(gets_on);
    let (Some(mine), Some(theirs)) = (fast.going(), slow.going()) else { return false };
    let ahead = mine.dot(slow.position.at - fast.position.at) > 0.0;
    freely && ahead && mine.dot(theirs) > 0.7 && fast.speed_mps() > 1.2 * slow.speed_mps()
}

/// The push of an overtaker: mostly lateral, to the side where it already is. The slower walker is not moved.
fn pass_by(fast: &Character, slow: &Character, push: DVec2, pace: &Pace) -> Option<DVec2> {
    if !overtakes(fast, slow, pace) {
        return None;
    }
    let going = fast.going()?;
    let side = if going.perp_dot(push) >= 0.0 { going.perp() } else { -going.perp() };
    Some(push * 0.5 + side * (push.length() * 0.866_025_403_784_438_6))
}

/// The position after a push that walls may stop. `None` if there is no way to slide along them.
fn slide(ground: &Surface, from: Position, push: DVec2) -> Option<Position> {
    ground.push_straight(from, from.at + push).or_else(|| ground.slide(from, push))
}

/// Records a standing character that blocks an errand or a steered character. Other walkers displace none: otherwise
/// standing characters would displace each other endlessly in a cramped corner.
fn note_bump(characters: &[Character], a: usize, b: usize, bumped: &mut Vec<(CharacterId, CharacterId)>) {
    let (a, b) = (&characters[a], &characters[b]);
    for (walker, stander) in [(a, b), (b, a)] {
        let errand = walker.errand();
        if errand.is_none() && walker.steering.is_none() {
            continue;
        }
        let may_be_sent =
            stander.footing() == Footing::Loose && !stander.player && stander.walk_speed_mps > 0.0;
        let meets = errand.is_some_and(|errand| errand.goal.up_to == Some(stander.id))
            || in_its_place(characters, walker, stander);
        if !stander.is_moving() && may_be_sent && !meets {
            bumped.push((stander.id, walker.id));
        }
    }
}

/// Whether both follow one character, and `stander` occupies `walker`'s slot near that character.
fn in_its_place(characters: &[Character], walker: &Character, stander: &Character) -> bool {
    let (Some(following), Some(_)) = (&walker.following, walker.errand()) else { return false };
    let other = characters.binary_search_by_key(&following.who, |character| character.id);
    other.is_ok_and(|other| following.is_taken_by(stander, walker, &characters[other]))
}

fn hold_up(characters: &mut [Character], a: usize, b: usize) {
    for (me, other) in [(a, b), (b, a)] {
        let towards = characters[other].position.at - characters[me].position.at;
        // A push from behind does not block the walker.
        let ahead = characters[me].going().is_some_and(|going| going.dot(towards) > 0.0);
        let id = characters[other].id;
        if let Some(walk) = &mut characters[me].walk
            && (ahead || walk.held_up.by.is_none())
        {
            walk.held_up.by = Some(id);
        }
    }
}
