//! Rules that hold for every character in every room.

use super::finding::FindingKind;
use super::rules::{Rules, Sighting};
use super::walks::Walks;
use crate::crowd::{Character, CharacterId, WalkEnd};
use crate::nav::{Disc, Outcome, Step};
use crate::plan::find_route;
use crate::surface::{SearchMemory, Surface};
use crate::world::{Event, EventKind, World};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};

/// Watches a room tick by tick. Pass it every event and every tick, or it will see walks that were never reported.
///
/// ```no_run
/// # use cicerone::runtime::{Options, Runtime};
/// use cicerone::scenario::monkey::Watch;
/// # let mut room = Runtime::open("rooms/tavern.json".as_ref(), Options::default())?;
/// let mut watch = Watch::new(room.world());
/// for _ in 0..600 {
///     room.drain_inbox();
///     let found = watch.look(room.world(), room.pending_events());
///     assert!(found.is_empty(), "{found:?}");
///     room.step();
/// }
/// # Ok::<(), cicerone::runtime::OpenError>(())
/// ```
#[derive(Debug)]
pub struct Watch {
    rules: Rules,
    walks: Walks,
    /// Characters outside the ground: each is reported once until it is back.
    outside: BTreeSet<CharacterId>,
    /// Overlapping pairs of standing characters, with the tick since when.
    overlaps: BTreeMap<(CharacterId, CharacterId), (u64, bool)>,
    /// Walks in a row that ended as blocked.
    blocked: BTreeMap<CharacterId, Blocked>,
    memory: SearchMemory,
}

#[derive(Debug)]
struct Blocked {
    times: u32,
    first_tick: u64,
    at: DVec2,
}

/// Checks for overlaps per second.
const LOOKS_A_SECOND: u64 = 2;

/// An overlap of less than this part of the smaller radius is harmless.
const SQUEEZE: f64 = 0.25;

impl Watch {
    /// A watch with the rules of this room.
    pub fn new(world: &World) -> Self {
        Self::with(Rules::of(&world.room().crowd))
    }

    /// A watch with other rules.
    pub fn with(rules: Rules) -> Self {
        Self {
            rules,
            walks: Walks::default(),
            outside: BTreeSet::new(),
            overlaps: BTreeMap::new(),
            blocked: BTreeMap::new(),
            memory: SearchMemory::default(),
        }
    }

    /// Checks a room once a tick; `events` are those since the last call.
    pub fn look(&mut self, world: &World, events: &[Event]) -> Vec<Sighting> {
        let mut found = Vec::new();
        self.walks.look(world, events, &self.rules, &mut found);
        self.look_at_places(world, &mut found);
        self.look_at_ends(world, events, &mut found);
        let every = (u64::from(world.room().ticks_per_second) / LOOKS_A_SECOND).max(1);
        if world.tick_number().is_multiple_of(every) && self.rules.overlap_s.is_finite() {
            self.look_at_overlaps(world, &mut found);
        }
        found
    }

    fn look_at_places(&mut self, world: &World, found: &mut Vec<Sighting>) {
        for character in world.characters() {
            let Some(words) = misplaced(world.ground_of(character), character) else {
                self.outside.remove(&character.id);
                continue;
            };
            if self.outside.insert(character.id) {
                found.push(Sighting::of(FindingKind::Outside, world, character.id, words));
            }
        }
    }

    /// Reports walks that end as blocked repeatedly although a path leads around all other characters.
    fn look_at_ends(&mut self, world: &World, events: &[Event], found: &mut Vec<Sighting>) {
        for event in events {
            let EventKind::WalkEnded { who, end, .. } = &event.kind else { continue };
            let Some(character) = world.character(*who) else { continue };
            if !matches!(end, WalkEnd::Blocked(_)) {
                if matches!(end, WalkEnd::Arrived | WalkEnd::Partial) {
                    self.blocked.remove(who);
                }
                continue;
            }
            let at = character.position;
            let fresh = Blocked { times: 0, first_tick: world.tick_number(), at: at.at };
            let blocked = self.blocked.entry(*who).or_insert(fresh);
            if blocked.at.distance(at.at) > 1.0 {
                *blocked = Blocked { times: 0, first_tick: world.tick_number(), at: at.at };
            }
            blocked.times += 1;
            let (times, ticks) = (blocked.times, world.tick_number() - blocked.first_tick);
            let long = times >= self.rules.blocked_times && ticks >= world.ticks_of(self.rules.blocked_s);
            if long && could_walk(world, character, &mut self.memory) {
                let words = format!(
                    "blocked {times} times in a row over {:.0} s without getting anywhere, though there is a way",
                    ticks as f64 * world.dt_s()
                );
                found.push(Sighting::of(FindingKind::Stuck, world, *who, &words));
                self.blocked.remove(who);
            }
        }
    }

    fn look_at_overlaps(&mut self, world: &World, found: &mut Vec<Sighting>) {
        let standers: Vec<&Character> =
            world.characters().iter().filter(|c| c.is_in_crowd() && c.walk.is_none()).collect();
        let mut seen = BTreeMap::new();
        for (index, a) in standers.iter().enumerate() {
            for b in &standers[index + 1..] {
                let squeezed =
                    overlap_m(world, a, b) <= SQUEEZE * a.collision_radius_m.min(b.collision_radius_m);
                // Without room to move apart, the characters can only wait.
                if squeezed || ![a, b].iter().any(|who| has_room(world, who)) {
                    continue;
                }
                let known = self.overlaps.get(&(a.id, b.id));
                let (since, mut told) = known.copied().unwrap_or((world.tick_number(), false));
                let long = world.tick_number() - since > world.ticks_of(self.rules.overlap_s);
                if long && !told {
                    told = true;
                    let words = format!(
                        "has stood {:.2} m deep in {} for {:.0} s with room beside",
                        overlap_m(world, a, b),
                        b.name,
                        (world.tick_number() - since) as f64 * world.dt_s()
                    );
                    found.push(Sighting::of(FindingKind::Overlap, world, a.id, &words));
                }
                seen.insert((a.id, b.id), (since, told));
            }
        }
        self.overlaps = seen;
    }
}

/// Why a character cannot be where it is; `None` if it can.
fn misplaced(ground: &Surface, who: &Character) -> Option<&'static str> {
    if !who.position.at.is_finite() {
        return Some("its position is no number");
    }
    (!ground.is_walkable(who.position)).then_some("it is where no character can stand")
}

fn overlap_m(world: &World, a: &Character, b: &Character) -> f64 {
    if !world.ground().floors_touch(a.position, b.position) {
        return f64::NEG_INFINITY;
    }
    a.collision_radius_m + b.collision_radius_m - a.position.distance(b.position)
}

/// Whether the character could step clear of all others, straight to a place within a metre.
fn has_room(world: &World, who: &Character) -> bool {
    const DIRECTIONS: u32 = 16;
    let near: Vec<&Character> = world
        .characters()
        .iter()
        .filter(|c| c.is_in_crowd() && c.id != who.id && overlap_m(world, c, who) > -1.0)
        .collect();
    (1..=4).any(|quarter| {
        (0..DIRECTIONS).any(|direction| {
            let (sin, cos) =
                libm::sincos(std::f64::consts::TAU * f64::from(direction) / f64::from(DIRECTIONS));
            let at = who.position.at + DVec2::new(cos, sin) * (0.25 * f64::from(quarter));
            let clear = |other: &&Character| {
                other.position.at.distance(at) >= other.collision_radius_m + who.collision_radius_m
            };
            world.ground_of(who).walk_straight(who.position, at).is_some() && near.iter().all(clear)
        })
    })
}

/// Whether a path leads around all others to the character's last target, and the target is free.
fn could_walk(world: &World, who: &Character, memory: &mut SearchMemory) -> bool {
    let Some(last) = who.last_walk.as_ref().filter(|_| who.walk_speed_mps > 0.1) else { return false };
    let others = world.characters().iter().filter(|c| c.is_in_crowd() && c.id != who.id);
    let obstacles: Vec<Disc> = others
        .map(|c| Disc { centre: c.position, radius_m: c.collision_radius_m + who.collision_radius_m })
        .collect();
    let wanted = world.ground().locate(last.requested);
    let covers = |disc: &Disc| disc.holds(wanted.at) && world.ground().floors_touch(disc.centre, wanted);
    if obstacles.iter().any(covers) {
        return false;
    }
    let Some(query) = world.query_of(who.id, last.requested) else { return false };
    let path =
        find_route(world.ground_of(who), world.links_in(who.class), query.with_obstacles(obstacles), memory);
    path.outcome == Outcome::Complete && path.step == Step::Avoiding
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::nav::Position;
    use crate::room::CharacterSpec;

    #[test]
    fn what_is_no_place_to_stand() {
        let text = br#"{"areas": [{"name": "hall", "polygon": [[0,0],[9,0],[9,9],[0,9]]}],
            "obstacles": [{"name": "well", "polygon": [[4,4],[5,4],[5,5]]}]}"#;
        let room = crate::room::parse("r.json", text).unwrap().room;
        let ground = Surface::new(&room).unwrap();
        let misplaced = |x: f64, z: f64| {
            let position = Position::on_ground(DVec2::new(x, z));
            let who = Character::new(CharacterId(0), &CharacterSpec::at(DVec2::ZERO), position, 0);
            misplaced(&ground, &who)
        };
        assert_eq!(misplaced(2.0, 2.0), None);
        assert_eq!(misplaced(4.8, 4.2), Some("it is where no character can stand"));
        assert_eq!(misplaced(f64::NAN, 2.0), Some("its position is no number"));
    }
}
