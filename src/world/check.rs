//! What must hold in a state that comes from a file, so that nothing in the world needs to doubt it.

use super::bits::{Sink, pour};
use super::state::{Parts, RestoreError};
use super::{CommandError, MAX_CHARACTERS, MAX_OF_ONE_THING, MAX_THINGS, World, check_point};
use crate::crowd::{Character, CharacterId, Walk};
use crate::room::MAX_NAME_BYTES;
use std::collections::BTreeSet;

/// No run lasts so many ticks, or counts so far: nine quadrillion. Beyond it, sums would run over.
const MOST: u64 = 1 << 53;

/// No count of ticks within one walk is so high.
const MOST_IN_A_WALK: u32 = 1 << 30;

/// No length or sum of lengths in a world is greater, in metres.
const LONGEST_M: f64 = 1e12;

/// Checks a state against the world it is to be put into, whose areas are as the state says already.
pub(super) fn parts(parts: &Parts<'_>, world: &World) -> Result<(), RestoreError> {
    numbers(parts)?;
    let numbers_fit = parts.tick <= MOST && parts.next_walk <= MOST;
    ensure(numbers_fit, || "it claims to be older than any run can be".into())?;
    let characters = &parts.characters[..];
    ensure(characters.len() <= MAX_CHARACTERS, || CommandError::Full(MAX_CHARACTERS).to_string())?;
    ensure(characters.is_sorted_by(|a, b| a.id < b.id), || "its characters are not in order of id".into())?;
    let mut names = BTreeSet::new();
    for character in characters {
        let id_fits = character.id.0 < parts.next_character;
        ensure(id_fits, || format!("character '{}' has an id that was never given", character.name))?;
        ensure(names.insert(&character.name), || {
            CommandError::NameTaken(character.name.clone()).to_string()
        })?;
        one(character, parts, world)
            .map_err(|why| RestoreError(format!("character '{}': {why}", character.name)))?;
    }
    let queue: Vec<CharacterId> =
        parts.queue.active.iter().map(|(who, _)| *who).chain(parts.queue.waiting.iter().copied()).collect();
    let waiting: BTreeSet<CharacterId> = queue.iter().copied().collect();
    let planning = characters.iter().filter(|c| c.walk.as_ref().is_some_and(|walk| walk.planning));
    let planning: BTreeSet<CharacterId> = planning.map(|character| character.id).collect();
    let agree = waiting == planning && waiting.len() == queue.len();
    ensure(agree, || "those who wait for a path are not those in the queue".into())?;
    for (_, planner) in &parts.queue.active {
        let small = planner.spent <= MOST && planner.restarts <= MOST_IN_A_WALK;
        let near = check_point(planner.query.from).and(check_point(planner.query.to));
        ensure(small && near.is_ok(), || "a search has no end".into())?;
    }
    let known = |name: &str| world.ground().area_named(name).is_some();
    let areas = parts.inside.values().flatten().find(|name| !known(name));
    ensure(areas.is_none(), || {
        world.no_such_area(areas.map(ToString::to_string).unwrap_or_default()).to_string()
    })?;
    let past = parts.departed.values().all(|(_, tick)| *tick <= parts.tick)
        && parts.rights_of_way.iter().all(|right| right.since_tick <= parts.tick);
    ensure(past, || "something in it happened later than now".into())
}

fn one(character: &Character, parts: &Parts<'_>, world: &World) -> Result<(), String> {
    let name_fits = (1..=MAX_NAME_BYTES).contains(&character.name.len());
    let free = !world.room().points.contains_key(&character.name);
    require(name_fits && free, "a name has 1 to 200 bytes and is no point's")?;
    check_point(character.position).map_err(|error| error.to_string())?;
    let at = character.position;
    require(world.ground().is_walkable(at), &CommandError::NotWalkable(at).to_string())?;
    let sizes = [character.walk_speed_mps, character.rotation_speed_radps, character.collision_radius_m];
    require(sizes.iter().all(|&size| size >= 0.0), "a speed or a radius is below 0")?;
    require(character.collision_radius_m > 0.0, "its collision radius is not above 0")?;
    let things = character.things.len() <= MAX_THINGS
        && character.things.values().all(|count| (1..=MAX_OF_ONE_THING).contains(count));
    require(things, "it carries more than anybody can")?;
    super::command::check_tags(&character.tags).map_err(|error| error.to_string())?;
    if let Some(walk) = &character.walk {
        check_walk(walk, parts)?;
    }
    if let Some(following) = &character.following {
        let fits = following.began_tick <= parts.tick
            && following.rests_from_tick <= parts.tick
            && following.in_vain <= MOST_IN_A_WALK;
        require(fits && following.near_m >= 0.0, "it follows somebody since later than now")?;
    }
    let last = character.last_walk.as_ref().is_none_or(|last| last.ended_tick <= parts.tick);
    require(last, "its last walk ended later than now")
}

fn check_walk(walk: &Walk, parts: &Parts<'_>) -> Result<(), String> {
    require(walk.next <= walk.waypoints.len(), "its next waypoint is not on its path")?;
    require(walk.began_tick <= parts.tick, "its walk began later than now")?;
    require(walk.id.0 <= parts.next_walk, "its walk has a number that was never given")?;
    let mut points = walk.waypoints.iter().chain([&walk.requested]);
    require(points.all(|&point| check_point(point).is_ok()), "its path leads out of the world")?;
    let way = walk.give_way.as_ref();
    let counts = [
        walk.idle_ticks,
        walk.lent_rank.map_or(0, |(_, ticks)| ticks),
        way.map_or(0, |way| way.ticks),
        way.map_or(0, |way| way.ticks_in_all),
    ];
    require(counts.iter().all(|&count| count <= MOST_IN_A_WALK), "its walk lasts longer than any can")?;
    require(walk.around_movers_until_tick <= MOST, "its walk lasts longer than any can")
}

/// Every number is finite and none is absurdly large.
fn numbers(parts: &Parts<'_>) -> Result<(), RestoreError> {
    struct AllGood(bool);
    impl Sink for AllGood {
        fn word(&mut self, _: u64) {}

        fn number(&mut self, number: f64) {
            self.0 &= number.abs() <= LONGEST_M;
        }
    }
    let mut good = AllGood(true);
    pour(parts, &mut good);
    ensure(good.0, || format!("a number in it is not finite, or beyond {LONGEST_M:e}"))
}

fn ensure(good: bool, why: impl FnOnce() -> String) -> Result<(), RestoreError> {
    if good { Ok(()) } else { Err(RestoreError(why())) }
}

fn require(good: bool, why: &str) -> Result<(), String> {
    if good { Ok(()) } else { Err(why.to_owned()) }
}
