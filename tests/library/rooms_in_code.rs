//! Rooms that are made in code, without a file: what a file may not say, they may not either.

use cicerone::glam::{DVec2, dvec2};
use cicerone::nav::Place;
use cicerone::room::{Area, Avoidance, Obstacle, Room};
use cicerone::world::{Applied, Command, MAX_DEPARTED, World};

fn square(x: f64, z: f64, edge: f64) -> Vec<DVec2> {
    vec![dvec2(x, z), dvec2(x + edge, z), dvec2(x + edge, z + edge), dvec2(x, z + edge)]
}

fn obstacle(name: &str, polygon: Vec<DVec2>) -> Obstacle {
    Obstacle { name: name.into(), polygon, see_through: false }
}

/// A hall with Ann in it, and a changed part.
fn hall(change: impl FnOnce(&mut Room)) -> Room {
    let mut room = Room::default();
    room.areas = vec![Area::new("hall", square(0.0, 0.0, 8.0))];
    room.ground.agent_radius_m = 0.4;
    room.characters = vec![room.character_at(Place::new(2.0, 2.0)).with_name("ann")];
    room.points.insert("bar".into(), Place::new(1.0, 1.0));
    change(&mut room);
    room
}

#[test]
fn a_room_made_in_code_runs_as_the_same_from_a_file() {
    let room = hall(|_| ());
    assert_eq!(room.check(), Ok(()));
    let text = room.to_json().unwrap().to_string();
    let read = cicerone::room::parse("hall.json", text.as_bytes()).unwrap().room;
    let mut worlds = [World::new(room, 7).unwrap(), World::new(read, 7).unwrap()];
    for world in &mut worlds {
        let ann = world.character_named("ann").unwrap();
        assert_eq!(ann.collision_radius_m, 0.4, "as wide as the room says");
        let who = ann.id;
        world.apply(Command::SetTarget { who, to: Place::new(6.0, 6.0) }).unwrap();
        (0..600).for_each(|_| world.tick());
    }
    assert_eq!(worlds[0].checksum(), worlds[1].checksum());
}

/// A setting that is left out of a file is its default, and no other one.
#[test]
fn a_room_of_people_who_push_is_one_from_a_file_too() {
    for avoidance in [Avoidance::Push, Avoidance::Steer] {
        let text = hall(|room| room.crowd.avoidance = avoidance).to_json().unwrap().to_string();
        let read = cicerone::room::parse("hall.json", text.as_bytes()).unwrap().room;
        assert_eq!(read.crowd.avoidance, avoidance, "{text}");
    }
}

#[test]
fn what_a_file_may_not_say_is_refused_with_its_path() {
    type Change = fn(&mut Room);
    let cases: [(Change, &str); 34] = [
        (|room| room.areas[0].polygon[1].x = f64::NAN, "areas[0].polygon[1]"),
        (|room| room.areas[0].polygon[1].x = f64::INFINITY, "areas[0].polygon[1]"),
        (|room| room.areas[0].polygon[1].x = 1e9, "areas[0].polygon[1]"),
        (|room| room.areas[0].polygon.truncate(2), "areas[0].polygon"),
        (|room| room.areas[0].polygon.clear(), "missing key 'polygon'"),
        (|room| room.areas[0].polygon.swap(1, 2), "crosses itself"),
        (|room| room.areas[0].polygon = vec![DVec2::ZERO; 4], "3 different corners"),
        (|room| room.areas[0].polygon = (0..4).map(|x| dvec2(f64::from(x), 0.0)).collect(), "on one line"),
        (|room| room.areas[0].name = String::new(), "areas[0].name"),
        (|room| room.areas[0].name = "x".repeat(500), "areas[0].name"),
        (|room| room.areas.clear(), "areas"),
        (|room| room.areas.push(Area::new("hall", square(0.0, 0.0, 1.0))), "a second area named 'hall'"),
        (|room| room.obstacles = vec![obstacle("o", square(0.0, 0.0, f64::NAN))], "obstacles[0]"),
        (
            |room| room.obstacles = vec![obstacle("o", square(0.0, 0.0, 1.0)); 2],
            "a second obstacle named 'o'",
        ),
        (|room| room.ticks_per_second = 0, "ticksPerSecond"),
        (|room| room.ticks_per_second = 1_000_000, "ticksPerSecond"),
        (|room| room.ground.cell_size_m = 0.0, "cellSize"),
        (|room| room.ground.cell_size_m = -1.0, "cellSize"),
        (|room| room.ground.cell_size_m = f64::NAN, "cellSize"),
        (|room| room.ground.cell_size_m = 1e-6, "too large for its cells"),
        (|room| room.ground.agent_radius_m = -0.1, "agentRadius"),
        (|room| room.ground.agent_radius_m = f64::INFINITY, "agentRadius"),
        (|room| room.ground.object_padding_m = f64::NAN, "objectPadding"),
        (|room| room.characters[0].name = String::new(), "characters[0].name"),
        (|room| room.characters.push(room.characters[0].clone()), "a second character named 'ann'"),
        (|room| room.characters[0].name = "bar".into(), "has the name of a point"),
        (|room| room.characters[0].at.at.x = f64::NAN, "characters[0].at"),
        (|room| room.characters[0].walk_speed_mps = -1.0, "walkSpeed"),
        (|room| room.characters[0].walk_speed_mps = f64::NAN, "walkSpeed"),
        (|room| room.characters[0].collision_radius_m = 0.0, "collisionRadius"),
        (
            |room| {
                let mut bob = room.characters[0].clone().with_name("bob");
                bob.player = true;
                room.characters[0].player = true;
                room.characters.push(bob);
            },
            "a second player",
        ),
        (
            |room| {
                room.points.insert("well".into(), Place::new(f64::NAN, 0.0));
            },
            "points.well",
        ),
        (|room| room.goals = vec!["nowhere".into()], "unknown point 'nowhere'"),
        (|room| room.crowd.replan_cooldown_s = f64::NAN, "crowd."),
    ];
    for (number, (change, expected)) in cases.into_iter().enumerate() {
        let room = hall(change);
        let report = room.check().expect_err(expected).to_string();
        assert!(report.contains(expected), "case {number}: {report}");
        let error = World::new(room, 7).expect_err(expected).to_string();
        assert!(error.contains(expected), "case {number}: {error}");
    }
}

/// A running room may not become what none may be made of.
#[test]
fn a_room_is_not_replaced_by_a_bad_one() {
    let mut world = World::new(hall(|_| ()), 7).unwrap();
    let before = world.checksum();
    let bad = hall(|room| room.areas[0].polygon[1].x = f64::NAN);
    let refused = world.apply(Command::ReplaceRoom(Box::new(bad))).unwrap_err();
    assert!(refused.to_string().contains("areas[0].polygon[1]"), "{refused}");
    assert_eq!(world.checksum(), before);
    let good = hall(|room| room.obstacles = vec![obstacle("table", square(4.0, 4.0, 1.0))]);
    world.apply(Command::ReplaceRoom(Box::new(good))).unwrap();
    assert_eq!(world.room().obstacles.len(), 1);
}

/// What is remembered of characters that left has a bound, and the latest are kept.
#[test]
fn a_room_that_many_leave_forgets_the_first() {
    let mut world = World::new(hall(|_| ()), 7).unwrap();
    let mut ids = Vec::new();
    for index in 0..MAX_DEPARTED + 5_000 {
        let guest = world.room().character_at(Place::new(4.0, 4.0)).with_name(format!("guest {index}"));
        let Applied::Spawned(id) = world.apply(Command::Spawn(Box::new(guest))).unwrap() else { panic!() };
        world.apply(Command::Despawn(id)).unwrap();
        world.take_events();
        ids.push(id);
    }
    let known = ids.iter().filter(|id| world.departed(**id).is_some()).count();
    assert!((MAX_DEPARTED / 2..=MAX_DEPARTED).contains(&known), "{known}");
    assert_eq!(world.name_of(ids[ids.len() - 1]), format!("guest {}", ids.len() - 1));
    assert_eq!(world.name_of(ids[0]), "nobody");
    // A save of it comes back.
    let text = serde_json::to_string(&world.state()).unwrap();
    let back = World::restore(world.room().clone(), &serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(back.checksum(), world.checksum());
}

/// A copy of a world is a snapshot: another thread asks it for paths while the game goes on.
#[test]
fn paths_are_found_in_other_threads_on_a_snapshot() {
    let mut world =
        World::new(hall(|room| room.obstacles = vec![obstacle("table", square(2.0, 2.5, 3.0))]), 7).unwrap();
    let (from, to) = (Place::new(1.0, 4.0), Place::new(7.0, 4.0));
    let expected = world.find_path(from, to);
    let snapshot = world.clone();
    let finder =
        std::thread::spawn(move || (0..50).map(|_| snapshot.find_path(from, to)).collect::<Vec<_>>());
    // Meanwhile the table goes.
    world.apply(Command::ReplaceRoom(Box::new(hall(|_| ())))).unwrap();
    (0..60).for_each(|_| world.tick());
    assert!(finder.join().unwrap().iter().all(|path| *path == expected));
    assert!(world.find_path(from, to).length_m < expected.length_m);
}
