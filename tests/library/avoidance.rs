//! Avoidance of single characters, and how fast they really move.

use crate::common::crowd::{join, run, send, world};
use crate::common::{area, character, empty_room};
use crate::following::rooms;
use cicerone::room::{Avoidance, WhenOccupied};
use cicerone::world::{Applied, CharacterId, Command, Formation, FormationKind, LogEntry, Setting, World};
use glam::{DVec2, dvec2};

fn hall() -> cicerone::room::Room {
    rooms(&[(0.0, 0.0, 30.0, 10.0)])
}

fn pushes(world: &mut World, name: &str, at: DVec2) -> CharacterId {
    let mut spec = character(name, at);
    spec.avoidance = Some(Avoidance::Push);
    match world.apply(Command::Spawn(Box::new(spec))).unwrap() {
        Applied::Spawned(who) => who,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_room_may_steer_where_everybody_pushes() {
    let mut world = world(hall());
    assert_eq!(world.room().crowd.avoidance, Avoidance::Steer);
    let ann = pushes(&mut world, "ann", dvec2(2.0, 5.0));
    let bob = pushes(&mut world, "bob", dvec2(20.0, 5.0));
    send(&mut world, ann, dvec2(20.0, 5.0));
    world.apply(Command::Steer { who: bob, direction: DVec2::NEG_X }).unwrap();
    run(&mut world, 1.0);
    let cleo = pushes(&mut world, "cleo", dvec2(4.0, 2.0));
    send(&mut world, cleo, dvec2(20.0, 5.0));
    run(&mut world, 2.0);
    let mut restored = World::restore(hall(), &world.state()).unwrap();
    for tick in 0..600 {
        assert_eq!(restored.checksum(), world.checksum(), "{tick} ticks later");
        world.tick();
        restored.tick();
    }
    assert!(world.character(ann).unwrap().position.at.distance(dvec2(20.0, 5.0)) < 1.0);
}

#[test]
fn the_avoidance_of_a_spawned_character_counts_and_is_recorded() {
    let mut world = world(hall());
    world.keep_command_log(true);
    let ann = pushes(&mut world, "ann", dvec2(2.0, 5.0));
    assert_eq!(world.character(ann).unwrap().avoidance, Some(Avoidance::Push));
    let log = world.take_command_log();
    let is_told = |entry: &LogEntry| matches!(entry, LogEntry::Did(Command::Spawn(spec)) if spec.avoidance == Some(Avoidance::Push));
    assert!(log.iter().any(is_told), "{log:?}");
}

#[test]
fn one_that_jumps_moves_as_fast_as_it_jumps() {
    let mut world = world(hall());
    let ann = join(&mut world, "ann", dvec2(2.0, 5.0));
    run(&mut world, 0.5);
    let to = dvec2(10.0, 5.0).into();
    world.apply(Command::Jump { who: ann, to, velocity_mps: Some(4.0), time_s: None }).unwrap();
    let mut most_mps = 0.0_f64;
    for tick in 0..200 {
        world.tick();
        let velocity = world.character(ann).unwrap().velocity_mps();
        most_mps = most_mps.max(velocity.length());
        assert!(velocity.length() < 4.1, "{velocity} after {tick} ticks");
    }
    assert!(most_mps > 3.5, "{most_mps}");
    assert_eq!(world.character(ann).unwrap().velocity_mps(), DVec2::ZERO, "it stands again");
}

#[test]
fn those_far_inside_an_area_that_closes_get_places_of_their_own() {
    let mut room = hall();
    let corners = vec![dvec2(0.0, 0.0), dvec2(20.0, 0.0), dvec2(20.0, 10.0), dvec2(0.0, 10.0)];
    room.areas = vec![area("west", corners, true)];
    room.areas[0].when_occupied = WhenOccupied::Evict;
    let corners = vec![dvec2(20.0, 0.0), dvec2(30.0, 0.0), dvec2(30.0, 10.0), dvec2(20.0, 10.0)];
    room.areas.push(area("east", corners, true));
    let mut world = world(room);
    for index in 0..30 {
        let at = dvec2(2.0 + 0.7 * f64::from(index % 10), 4.0 + 0.7 * f64::from(index / 10));
        join(&mut world, &format!("p{index}"), at);
    }
    world.apply(Command::SetAreaAvailable { area: "west".into(), available: false }).unwrap();
    for (index, one) in world.characters().iter().enumerate() {
        assert!(one.position.at.x > 20.0 && one.position.at.x < 25.0, "{} at {}", one.name, one.position.at);
        for other in &world.characters()[..index] {
            let apart_m = one.position.at.distance(other.position.at);
            assert!(apart_m > 0.59, "{} and {}: {apart_m} m", one.name, other.name);
        }
    }
}

#[test]
fn places_of_a_formation_may_move_seven_metres() {
    let mut room = empty_room();
    room.ground.cell_size_m = 0.2;
    for (name, x) in [("west", 0.0), ("east", 20.0)] {
        let corners = vec![dvec2(x, 0.0), dvec2(x + 4.0, 0.0), dvec2(x + 4.0, 10.0), dvec2(x, 10.0)];
        room.areas.push(area(name, corners, true));
    }
    room.areas.push(area(
        "way",
        vec![dvec2(4.0, 9.0), dvec2(20.0, 9.0), dvec2(20.0, 10.0), dvec2(4.0, 10.0)],
        true,
    ));
    let mut world = world(room);
    let who: Vec<CharacterId> =
        (0..3).map(|i| join(&mut world, &format!("p{i}"), dvec2(1.0, 2.0 + f64::from(i)))).collect();
    // A line along z would fit. Along x, its ends are seven metres off all ground.
    let formation = Formation {
        kind: FormationKind::Line,
        at: dvec2(2.0, 2.0).into(),
        spacing_m: Some(8.0),
        radius_m: None,
        facing: Some(DVec2::Y),
    };
    let places = world.formation_places(&who, &formation).unwrap();
    assert!(places.iter().all(|place| place.has_room), "{places:?}");
}

#[test]
fn nobody_walks_through_a_door_that_waits_to_close_in_large_steps() {
    let mut room = rooms(&[(0.0, 0.0, 10.0, 6.0), (10.0, 2.0, 11.0, 4.0), (11.0, 0.0, 20.0, 6.0)]);
    room.ticks_per_second = 4;
    room.areas[1].when_occupied = WhenOccupied::Hold;
    let mut world = world(room);
    let stays = join(&mut world, "stays", dvec2(10.5, 3.3));
    world.apply(Command::SetAreaAvailable { area: "part_1".into(), available: false }).unwrap();
    for index in 0..4 {
        let who = join(&mut world, &format!("p{index}"), dvec2(1.0 + f64::from(index), 2.0));
        send(&mut world, who, dvec2(18.0, 3.0));
    }
    for _ in 0..60 {
        world.tick();
        let inside = world.characters().iter().filter(|c| c.id != stays && c.position.at.x > 9.9);
        assert_eq!(inside.count(), 0);
    }
}

#[test]
fn quick_characters_arrive() {
    for mps in [20.0, 150.0, 1000.0] {
        let mut world = world(hall());
        let ann = join(&mut world, "ann", dvec2(2.0, 5.0));
        world.apply(Command::Tune { who: ann, setting: Setting::WalkSpeed(mps) }).unwrap();
        send(&mut world, ann, dvec2(28.0, 5.0));
        let ends = run(&mut world, 30.0);
        assert_eq!(ends, [(ann, cicerone::world::WalkEnd::Arrived)], "{mps} m/s");
    }
}

#[test]
fn events_that_nobody_takes_are_bounded() {
    let mut world = world(hall());
    let clicks = cicerone::world::MAX_EVENTS + 10;
    for _ in 0..clicks {
        world.apply(Command::Click(dvec2(1.0, 1.0).into())).unwrap();
    }
    let kept = world.take_events().len();
    assert!((clicks / 2..=cicerone::world::MAX_EVENTS).contains(&kept), "{kept}");
}

#[test]
fn those_who_come_in_where_there_is_no_ground_get_places_of_their_own() {
    let mut world = world(hall());
    for index in 0..20 {
        join(&mut world, &format!("p{index}"), dvec2(-0.5, 5.0));
    }
    for (index, one) in world.characters().iter().enumerate() {
        for other in &world.characters()[..index] {
            let apart_m = one.position.at.distance(other.position.at);
            assert!(apart_m > 0.59, "{} and {}: {apart_m} m", one.name, other.name);
        }
        assert!(one.position.at.x < 3.0, "{} at {}", one.name, one.position.at);
    }
}
