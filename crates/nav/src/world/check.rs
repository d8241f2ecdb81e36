//! Checks of a state that comes from a file, so that the world can rely on it.

use super::actors::{check_actor, check_sides};
use super::checksum::{Sink, pour};
use super::classes::walker_class;
use super::command_error::MAX_SPEECH_BYTES;
use super::interrupt::MAX_SET_ASIDE;
use super::inventory::check_item;
use super::limits::{check_point, check_tags};
use super::links::check_link;
use super::simulated_state::{RestoreError, Snapshot};
use super::steering::is_steering;
use super::waypaths::check_waypath;
use super::{CommandError, Departed, MAX_CHARACTERS, MAX_KINDS, MAX_OF_ONE_KIND, World, check_place};
use crate::crowd::{Character, CharacterId, SetAside, Walk, WalkGoal};
use crate::plan::{PlannerState, QueueState};
use crate::room::{MAX_COORDINATE_M, MAX_LINKS, MAX_NAME_BYTES, MAX_WAYPATHS, MAX_WAYPOINTS, SPEED_FACTORS};
use glam::DVec2;
use std::collections::BTreeSet;

/// Twice the largest room in the shortest tick, in m/s.
const MOST_MPS: f64 = 2.0 * MAX_COORDINATE_M * 1000.0;

/// Above the ticks and counts of any run: nine quadrillion. Beyond it, sums would overflow.
const MOST: u64 = 1 << 53;

/// Above any count of ticks within one walk.
const MOST_IN_A_WALK: u32 = 1 << 30;

/// Above the number of ids given in any run; beyond it, ids would run out.
const MOST_IDS: u32 = 1 << 31;

/// The greatest length or sum of lengths in a world, in metres.
const LONGEST_M: f64 = 1e12;

/// Checks a state against the world it is restored into, whose areas are as the state says already.
pub(super) fn snapshot(snapshot: &Snapshot<'_>, world: &World) -> Result<(), RestoreError> {
    all(snapshot, world).map_err(RestoreError::new)
}

fn all(snapshot: &Snapshot<'_>, world: &World) -> Result<(), String> {
    let mut good = AllGood(true);
    pour(snapshot, &mut good);
    require(good.0, &format!("a number in it is not finite, or beyond {LONGEST_M:e}"))?;
    let young = snapshot.tick <= MOST && snapshot.next_walk <= MOST && snapshot.next_character <= MOST_IDS;
    require(young, "it claims to be older than any run can be")?;
    for (name, change) in snapshot.hotspots.iter() {
        let is_there = world.room().hotspot_named(name).is_some();
        require(is_there, &CommandError::NoSuchHotspot(name.clone(), None).to_string())?;
        change.check().map_err(|error| error.to_string())?;
    }
    let characters = &snapshot.characters[..];
    require(characters.len() <= MAX_CHARACTERS, &CommandError::Full(MAX_CHARACTERS).to_string())?;
    require(characters.is_sorted_by(|a, b| a.id < b.id), "its characters are not in order of id")?;
    let mut names = BTreeSet::new();
    for character in characters {
        let name = &character.name;
        require(names.insert(name), &CommandError::NameTaken(name.clone()).to_string())?;
        one(character, snapshot, world).map_err(|why| format!("character '{name}': {why}"))?;
    }
    check_sides(&snapshot.sides, snapshot.turn.as_ref(), characters)?;
    links(snapshot)?;
    waypaths(snapshot)?;
    queue(&snapshot.queue, characters, world.ground().avoids_singly())?;
    let knows = |who: &CharacterId| characters.binary_search_by_key(who, |character| character.id).ok();
    let replans = snapshot.replans.keys().all(|who| {
        let walk = knows(who).and_then(|index| characters[index].walk.as_ref());
        walk.is_some_and(|walk| walk.path_request.is_none())
    });
    require(replans, "a character is to replan that has no walk, or is planning already")?;
    for (who, areas) in &snapshot.inside {
        require(knows(who).is_some(), "a character is inside an area, but not in the room")?;
        if let Some(name) = areas.iter().find(|name| world.ground().area_named(name).is_none()) {
            return Err(world.no_such_area(name.to_string()).to_string());
        }
        let once: BTreeSet<_> = areas.iter().collect();
        require(once.len() == areas.len(), "a character is inside an area twice")?;
    }
    let departed = |(who, departed): (&CharacterId, &Departed)| {
        knows(who).is_none() && who.0 < snapshot.next_character && departed.tick <= snapshot.tick
    };
    require(
        snapshot.departed.iter().all(departed),
        "a character that left is still here, was never here, or leaves later",
    )?;
    for right in snapshot.rights_of_way.iter() {
        require(right.since_tick <= snapshot.tick, "a right of way begins later than now")?;
        near(right.flow.iter().copied().chain([right.at.at]))?;
    }
    snapshot.rearrangements.iter().try_for_each(|one| {
        require(
            one.is_sound(snapshot.tick),
            "a move of some who are in each other's way begins later than now",
        )?;
        near(one.places().map(|place| place.at))
    })?;
    Ok(())
}

fn one(character: &Character, snapshot: &Snapshot<'_>, world: &World) -> Result<(), String> {
    require(character.id.0 < snapshot.next_character, "its id was never given")?;
    let name_fits = (1..=MAX_NAME_BYTES).contains(&character.name.len());
    let free = !world.room().points.contains_key(&character.name);
    require(name_fits && free, "a name has 1 to 200 bytes and is no point's")?;
    let at = character.position;
    near([at, character.counted.position, character.post].map(|position| position.at))?;
    require(
        !walker_class(world.room(), &character.traits).is_own() || world.ground().is_walkable(at),
        &CommandError::NotWalkable(world.ground().place_of(at)).to_string(),
    )?;
    character.traits.check()?;
    let headings = [character.heading_rad, character.post_heading_rad];
    let once = headings.iter().all(|heading| heading.abs() <= std::f64::consts::PI);
    require(once, "it looks round more than once")?;
    let things = character.inventory.len() <= MAX_KINDS
        && character.inventory.values().all(|count| (1..=MAX_OF_ONE_KIND).contains(count));
    require(things, "it carries more than a character can, or none of an item")?;
    character.inventory.keys().try_for_each(|thing| said(check_item(thing)))?;
    said(check_tags(&character.tags))?;
    require(character.tags.is_sorted_by(|a, b| a < b), "its tags are not in order")?;
    let speech = character.speech.as_ref().is_none_or(|speech| speech.text.len() <= MAX_SPEECH_BYTES);
    require(speech, "it says more than a character can")?;
    let given = |walk: u64| require(walk <= snapshot.next_walk, "a walk has a number that was never given");
    let past = |tick: u64| require(tick <= snapshot.tick, "something in it happened later than now");
    if let Some(walk) = &character.walk {
        given(walk.id.0)?;
        past(walk.began_tick)?;
        check_walk(walk)?;
    }
    character.last_errand.iter().try_for_each(|walk| given(walk.0))?;
    if let Some(crossing) = &character.crossing {
        near([crossing.from.at, crossing.to.at])?;
        let sensible = crossing.way.link.0 < snapshot.next_link && crossing.began_tick.unsigned_abs() <= MOST;
        require(sensible && character.is_active(), "it crosses a link that never was, or is not active")?;
    }
    let is_factor = |speed: f64| (SPEED_FACTORS[0]..=SPEED_FACTORS[1]).contains(&speed);
    if let Some(on) = &character.on_waypath {
        let sensible = on.waypath.0 < snapshot.next_waypath && is_factor(on.speed);
        require(sensible, "it walks along a waypath that never was, or at no speed")?;
    }
    if let Some(following) = &character.following {
        given(following.id.0)?;
        past(following.began_tick.max(following.rests_from_tick))?;
        near([following.other_at.at])?;
        let fits = following.near_m >= 0.0 && following.in_vain <= MOST_IN_A_WALK;
        require(fits, "the state of its following is out of range")?;
    }
    require(
        is_factor(character.ground_speed),
        "the ground that it stands on makes it faster or slower than any area can",
    )?;
    if let Some(turn) = &character.turn {
        given(turn.id.0)?;
        said(check_place(turn.to))?;
    }
    if let Some(motion) = &character.motion {
        let is_possible = [motion.velocity_mps, motion.smooth_mps]
            .iter()
            .all(|velocity| velocity.abs().max_element() <= MOST_MPS);
        require(is_possible, "it moves faster than through the largest room in a tick")?;
        let ticks = motion.pushes_ticks.max(motion.in_the_way_ticks);
        require(
            ticks <= MOST_IN_A_WALK,
            "it has pushed or stood in the way for longer than a walk may last",
        )?;
    }
    if let Some(steering) = character.steering {
        require(is_steering(steering), "it is steered with a length that is not above 0 and at most 1")?;
        let idle = character.walk.is_none() && character.following.is_none() && character.turn.is_none();
        require(
            idle && character.is_active(),
            "it is steered, but walks, follows or turns, or is not active",
        )?;
    }
    require(character.set_aside.len() <= MAX_SET_ASIDE, "it has put more aside than a character can")?;
    for SetAside { since_tick, walk, following, turn, last_errand } in &character.set_aside {
        past(*since_tick)?;
        last_errand.iter().try_for_each(|walk| given(walk.0))?;
        if let Some(walk) = walk {
            given(walk.id.0)?;
            // The time of the interruption is added on resuming.
            require(walk.began_tick <= *since_tick, "a walk was put aside before it began")?;
            check_goal(&walk.goal)?;
        }
        if let Some(following) = following {
            given(following.id.0)?;
            require(following.began_tick <= *since_tick, "a walk was put aside before it began")?;
            near([following.other_at.at])?;
            require(following.near_m >= 0.0, "the state of its following is out of range")?;
        }
        if let Some(turn) = turn {
            given(turn.id.0)?;
            said(check_place(turn.to))?;
        }
    }
    check_actor(character, world.tactics(), (snapshot.tick, snapshot.next_walk))?;
    if let Some(last) = &character.last_walk {
        given(last.walk.0)?;
        past(last.ended_tick.max(last.ticks))?;
        said(check_place(last.requested))?;
        near([last.reached.at])?;
    }
    Ok(())
}

fn links(snapshot: &Snapshot<'_>) -> Result<(), String> {
    let all = &snapshot.links;
    let in_order = all.is_sorted_by(|a, b| a.id < b.id);
    let given = all.iter().all(|state| state.id.0 < snapshot.next_link);
    require(in_order && given && all.len() <= MAX_LINKS, "its links are not in order of id, or too many")?;
    let names: BTreeSet<&str> = all.iter().map(|state| state.link.name.as_str()).collect();
    require(names.len() == all.len(), "two links have the same name")?;
    all.iter().try_for_each(|state| said(check_link(&state.link)))?;
    let knows =
        |who: CharacterId| snapshot.characters.binary_search_by_key(&who, |character| character.id).is_ok();
    let in_line = all.iter().flat_map(|state| &state.line);
    require(in_line.map(|place| place.who).all(knows), "a character that is not in the room waits in line")
}

fn waypaths(snapshot: &Snapshot<'_>) -> Result<(), String> {
    let all = &snapshot.waypaths;
    let in_order = all.is_sorted_by(|a, b| a.id < b.id);
    let points: usize = all.iter().map(|state| state.waypath.points.len()).sum();
    let few = all.len() <= MAX_WAYPATHS && points <= MAX_WAYPOINTS;
    let given = all.iter().all(|state| {
        let jumps = u64::from(state.first_jump.0) + state.waypath.pieces() as u64;
        state.id.0 < snapshot.next_waypath && jumps <= u64::from(snapshot.next_link)
    });
    require(in_order && given && few, "its waypaths are not in order of id, or too many")?;
    let names: BTreeSet<&str> = all.iter().map(|state| state.waypath.name.as_str()).collect();
    require(names.len() == all.len(), "two waypaths have the same name")?;
    all.iter().try_for_each(|state| said(check_waypath(&state.waypath)))
}

fn check_walk(walk: &Walk) -> Result<(), String> {
    require(walk.corridor.is_sound(), "its next waypoint is not on its path")?;
    check_goal(&walk.goal)?;
    near(walk.corridor.all_waypoints().map(|waypoint| waypoint.at))?;
    near(walk.avoids.circles.iter().map(|&(centre, _)| centre))?;
    let lent = walk.lent_rank.map_or(0, |(_, ticks)| ticks);
    let mut counts = vec![walk.progress.idle_ticks, lent];
    if let Some(way) = &walk.give_way {
        near(way.wanted.iter().copied().chain([way.mouth]))?;
        counts.extend([way.ticks, way.ticks_in_all]);
    }
    let until_tick = walk.avoids.movers_until_tick.max(walk.avoids.jams_until_tick);
    let short = counts.iter().all(|&count| count <= MOST_IN_A_WALK) && until_tick <= MOST;
    require(short, "its walk lasts longer than any can")
}

fn check_goal(goal: &WalkGoal) -> Result<(), String> {
    goal.look_at.iter().chain([&goal.place]).try_for_each(|&at| said(check_place(at)))
}

fn queue(queue: &QueueState<CharacterId>, characters: &[Character], singly: bool) -> Result<(), String> {
    let active = queue.active.iter().map(|(who, _)| *who);
    let owners: Vec<CharacterId> = active.chain(queue.waiting.iter().copied()).collect();
    let waiting: BTreeSet<CharacterId> = owners.iter().copied().collect();
    let planning =
        characters.iter().filter(|c| c.walk.as_ref().is_some_and(|walk| walk.path_request.is_some()));
    let planning: BTreeSet<CharacterId> = planning.map(|character| character.id).collect();
    let agree = waiting == planning && waiting.len() == owners.len();
    require(agree, "those who wait for a path are not those in the queue")?;
    require(queue.is_sound(), "more paths are looked for at a time than can be")?;
    for (_, PlannerState { query, avoided, through, restarts, spent, .. }) in &queue.active {
        require(*spent <= MOST && *restarts <= MOST_IN_A_WALK, "a search has no end")?;
        let discs = &query.obstacles;
        near(discs.iter().map(|disc| disc.centre.at))?;
        [query.from, query.to].into_iter().try_for_each(|end| said(check_place(end)))?;
        let sizes = discs.iter().all(|disc| (0.0..=MAX_COORDINATE_M * 100.0).contains(&disc.radius_m));
        let sensible = sizes && query.snap_m >= 0.0 && discs.len() <= MAX_CHARACTERS;
        let known = avoided.iter().all(|&place| (place as usize) < discs.len());
        let once = avoided.windows(2).all(|pair| pair[0] < pair[1]);
        let all = avoided.is_empty() || avoided.len() == discs.len() || singly;
        let agree = all && (!through || avoided.is_empty());
        require(sensible && known && once && agree, "a search goes round what cannot be")?;
    }
    Ok(())
}

/// Whether every number is finite and none is absurdly large.
struct AllGood(bool);

impl Sink for AllGood {
    fn word(&mut self, _: u64) {}

    fn number(&mut self, number: f64) {
        self.0 &= number.abs() <= LONGEST_M;
    }
}

fn near(points: impl IntoIterator<Item = DVec2>) -> Result<(), String> {
    points.into_iter().try_for_each(|point| said(check_point(point)))
}

fn said(outcome: Result<(), CommandError>) -> Result<(), String> {
    outcome.map_err(|error| error.to_string())
}

fn require(good: bool, why: &str) -> Result<(), String> {
    if good { Ok(()) } else { Err(why.to_owned()) }
}
