//! A little life in a room that was read: paths, walks, doors, saving in between.

use super::{check_problems, check_words};
use cicerone::draw::Picture;
use cicerone::lint::check_ground;
use cicerone::nav::{Outcome, Path, Place, Query};
use cicerone::plan::find_path;
use cicerone::room::{Parsed, Room};
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{Command, World, WorldState, check_hotspots, check_starts};

const MAX_CELLS: f64 = 40_000.0;
const MAX_PEOPLE: usize = 30;
const MAX_CORNERS: usize = 2_000;
const TICKS: u64 = 24;

/// Whether a room is small enough to be entered here.
pub fn is_small(room: &Room) -> bool {
    let (min, max) = room.bounds();
    let cells = (max - min) / room.ground.cell_size_m;
    let corners = room.areas.iter().map(|area| area.polygon.len());
    let corners = corners.chain(room.obstacles.iter().map(|obstacle| obstacle.polygon.len()));
    cells.x * cells.y <= MAX_CELLS
        && room.characters.len() <= MAX_PEOPLE
        && corners.sum::<usize>() <= MAX_CORNERS
}

/// Looks for what is odd about a room, lives in it twice, and holds the two lives against each other.
pub fn enter(parsed: &Parsed) {
    let Parsed { room, locator } = parsed;
    if !is_small(room) {
        return;
    }
    if let Ok(ground) = Surface::new(room) {
        let warnings = check_ground(room, &ground, locator);
        assert!(warnings.iter().all(|warning| !warning.is_error()), "{warnings:?}");
        if !warnings.is_empty() {
            check_problems(&warnings, Some(locator.source()));
        }
    }
    assert_eq!(live(room), live(room), "two runs of one room differ");
}

/// Lives in a room for a moment. What came of it, as a hash.
fn live(room: &Room) -> u64 {
    let mut world = match World::new(room.clone(), 7) {
        Ok(world) => world,
        Err(error) => {
            check_words(&error.to_string());
            return 0;
        }
    };
    for start in check_starts(room, world.ground()) {
        check_words(&start.message);
    }
    for (_, message, _) in check_hotspots(room, world.ground()) {
        check_words(&message);
    }
    let places = places(room, &world);
    find_paths(world.ground(), &places);
    let mut hash = 0u64;
    for tick in 0..TICKS {
        act(&mut world, &places, tick);
        world.tick();
        world.take_events();
        hash = hash.rotate_left(5) ^ world.checksum();
    }
    let lines = Picture::of_world(&world).to_text(60).lines().count();
    assert!((1..5_000).contains(&lines), "a picture of {lines} lines");
    hash
}

/// Up to eight places worth going to: points, the middles of areas, where people are, and one far off.
fn places(room: &Room, world: &World) -> Vec<Place> {
    let ground = world.ground();
    let mut places: Vec<Place> = room.points.values().copied().take(3).collect();
    places.extend(ground.areas().take(2).map(|area| ground.place_of(ground.area_middle(area))));
    places.extend(world.characters().iter().map(|character| ground.place_of(character.position)).take(2));
    places.push((room.bounds().1 + 3.0).into());
    places
}

fn find_paths(ground: &Surface, places: &[Place]) {
    let (mut warm, mut asked) = (SearchMemory::default(), 0);
    for (index, &from) in places.iter().enumerate() {
        for &to in &places[index + 1..] {
            let query = Query::new(from, to).with_snap_m(2.0);
            let path = find_path(ground, query.clone(), &mut warm);
            check_path(ground, &query, &path);
            if asked < 3 {
                let cold = find_path(ground, query, &mut SearchMemory::default());
                assert_eq!(path, cold, "what was searched before changes a path");
            }
            asked += 1;
        }
    }
}

fn check_path(ground: &Surface, query: &Query, path: &Path) {
    let numbers = [path.cost_cells, path.length_m, path.missed_by_m];
    assert!(numbers.iter().all(|number| number.is_finite() && *number >= 0.0), "{path:?}");
    let mut at = None;
    if ground.is_walkable(query.from) {
        at = Some(ground.locate(query.from));
    }
    for &to in &path.waypoints {
        assert!(ground.is_walkable(to), "{to} of {path:?} is no ground");
        if let Some(from) = at {
            assert!(ground.segment_clear(from, to), "from {from} to {to} is not clear in {path:?}");
        }
        at = Some(to);
    }
    match path.outcome {
        Outcome::None => assert!(path.waypoints.is_empty() && path.reason.is_some(), "{path:?}"),
        Outcome::Partial => assert!(path.reason.is_some(), "{path:?}"),
        Outcome::Complete => assert_eq!(path.reason, None),
    }
}

/// What happens before a tick.
fn act(world: &mut World, places: &[Place], tick: u64) {
    let people: Vec<_> = world.characters().iter().map(|character| character.id).collect();
    match tick {
        0 => {
            for (&who, &to) in people.iter().zip(places.iter().rev().cycle()) {
                told(world, Command::SetTarget { who, to });
            }
        }
        4 => {
            let areas: Vec<String> =
                world.room().areas.iter().take(4).map(|area| area.name.clone()).collect();
            for (index, area) in areas.into_iter().enumerate() {
                told(world, Command::SetAreaAvailable { area, available: index % 2 == 0 });
            }
        }
        8 => places.iter().take(2).for_each(|&place| told(world, Command::Click(place))),
        12 => {
            for pair in people.windows(2) {
                told(world, Command::Follow { who: pair[0], other: pair[1], distance_m: 1.0 });
            }
        }
        16 => {
            let text = serde_json::to_string(&world.state()).unwrap();
            let state: WorldState = serde_json::from_str(&text).unwrap();
            let twin = World::restore(world.room().clone(), &state)
                .unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(twin.checksum(), world.checksum(), "what is saved is another world");
            *world = twin;
        }
        20 => {
            let room = Box::new(world.room().clone());
            told(world, Command::ReplaceRoom(room));
        }
        _ => {}
    }
}

fn told(world: &mut World, command: Command) {
    if let Err(error) = world.apply(command) {
        check_words(&error.to_string());
    }
}
