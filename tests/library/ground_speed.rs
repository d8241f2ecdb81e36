//! The speed of areas: mud and roads.

use crate::common::crowd::{at, join, send, tick, world};
use crate::common::{area, empty_room};
use cicerone::room::{Area, Avoidance, GroundKind, Room};
use cicerone::world::{Command, WalkEnd, World};
use glam::{DVec2, dvec2};

/// A hall of 20 by 6 metres, on the ground of a kind.
fn hall(kind: GroundKind, others: Vec<Area>) -> Room {
    let mut room = empty_room();
    room.ground.kind = kind;
    room.areas.push(strip("hall", [0.0, 20.0], None));
    room.areas.extend(others);
    room
}

/// From wall to wall, between two x.
fn strip(name: &str, [from, to]: [f64; 2], speed: Option<f64>) -> Area {
    let corners = [(from, 0.), (to, 0.), (to, 6.), (from, 6.)].map(DVec2::from).to_vec();
    with!(area(name, corners, true), speed = speed)
}

/// How many seconds somebody takes from x = 2 to x = 18.
fn seconds(world: &mut World) -> f64 {
    let ann = join(world, "ann", dvec2(2.0, 3.0));
    send(world, ann, dvec2(18.0, 3.0));
    let began = world.time_s();
    for _ in 0..400 * u64::from(world.room().ticks_per_second) {
        match tick(world).first() {
            Some((_, WalkEnd::Arrived)) => return world.time_s() - began,
            Some(other) => panic!("{other:?}"),
            None => {}
        }
    }
    panic!("still at {}", at(world, ann))
}

/// By hand: each metre takes 1 / (speed × factor) seconds.
#[test]
fn a_way_takes_as_long_as_its_ground_says() {
    let mut worst = [0.0_f64; 2];
    for kind in [GroundKind::Grid, GroundKind::Mesh] {
        for avoidance in [Avoidance::Steer, Avoidance::Push] {
            for rate in [20, 60, 144] {
                let run = |factor: Option<f64>| {
                    let mut room = hall(kind, vec![strip("mud", [6.0, 14.0], factor)]);
                    (room.crowd.avoidance, room.ticks_per_second) = (avoidance, rate);
                    seconds(&mut world(room))
                };
                let plain = run(None);
                assert_eq!(plain, run(Some(1.0)));
                for factor in [0.05, 0.25, 0.5, 0.8, 1.25, 2.0] {
                    let expected = plain + 8.0 / 1.4 * (1.0 / factor - 1.0);
                    // One step at each border, and the time to speed up.
                    let off = (run(Some(factor)) - expected).abs();
                    let slack = 2.0 / f64::from(rate) / factor.min(1.0) + 0.2 * factor.max(1.0);
                    assert!(off <= slack, "{kind:?} {avoidance:?} {rate} {factor}: {off} s off");
                    let place = usize::from(avoidance == Avoidance::Push);
                    worst[place] = worst[place].max(off);
                }
            }
        }
    }
    println!("at most {:.2} s off where they steer, {:.2} s where they push", worst[0], worst[1]);
}

/// The speed of the ground under a character that stands at x = 10.
fn under_foot(others: Vec<Area>) -> f64 {
    let mut world = world(hall(GroundKind::Grid, others));
    let ann = join(&mut world, "ann", dvec2(10.0, 3.0));
    world.tick();
    world.character(ann).unwrap().ground_speed
}

#[test]
fn of_areas_that_overlap_the_last_open_one_with_a_speed_counts() {
    let mud = || strip("mud", [6.0, 14.0], Some(0.5));
    let road = || strip("road", [8.0, 12.0], Some(1.5));
    assert_eq!(under_foot(vec![]), 1.0);
    assert_eq!(under_foot(vec![mud(), road()]), 1.5);
    assert_eq!(under_foot(vec![road(), mud()]), 0.5);
    assert_eq!(under_foot(vec![mud(), strip("shade", [0.0, 20.0], None)]), 0.5);
    assert_eq!(under_foot(vec![mud(), with!(road(), available = false)]), 0.5);
    assert_eq!(under_foot(vec![mud(), strip("boards", [9.0, 11.0], Some(1.0))]), 1.0);
}

#[test]
fn whoever_stands_there_is_told_when_the_ground_changes() {
    let room = hall(GroundKind::Grid, vec![strip("mud", [6.0, 14.0], Some(0.5))]);
    let mut world = world(room.clone());
    let ann = join(&mut world, "ann", dvec2(10.0, 3.0));
    let mut after = |command: Command| {
        world.apply(command).unwrap();
        world.tick();
        world.character(ann).unwrap().ground_speed
    };
    let switch = |available| Command::SetAreaAvailable { area: "mud".into(), available };
    assert_eq!([after(switch(false)), after(switch(true))], [1.0, 0.5]);
    let dry = hall(GroundKind::Grid, vec![strip("mud", [6.0, 14.0], None)]);
    assert_eq!(after(Command::ReplaceRoom(Box::new(dry))), 1.0);
    assert_eq!(after(Command::ReplaceRoom(Box::new(room))), 0.5);
    assert_eq!(after(Command::Teleport { who: ann, to: dvec2(3.0, 3.0).into() }), 1.0);
    assert_eq!(after(Command::Steer { who: ann, direction: dvec2(1.0, 0.0) }), 1.0);
}

#[test]
fn a_steered_character_wades_too() {
    let mut world = world(hall(GroundKind::Grid, vec![strip("mud", [6.0, 14.0], Some(0.5))]));
    let ann = join(&mut world, "ann", dvec2(10.0, 3.0));
    world.tick();
    world.apply(Command::Steer { who: ann, direction: dvec2(1.0, 0.0) }).unwrap();
    (0..60).for_each(|_| world.tick());
    assert!((at(&world, ann).x - 10.7).abs() < 1e-9, "half of 1.4 m: {}", at(&world, ann));
}

/// A room that is restored in any tick of a way through mud lives the same life.
#[test]
fn who_wades_is_saved_wading() {
    let room = hall(GroundKind::Mesh, vec![strip("mud", [3.0, 5.0], Some(0.3))]);
    let mut world = world(room.clone());
    let ann = join(&mut world, "ann", dvec2(2.0, 3.0));
    send(&mut world, ann, dvec2(7.0, 3.0));
    let mut waded = 0;
    for now in 0..500 {
        let text = serde_json::to_string(&world.state()).unwrap();
        let mut twin = World::restore(room.clone(), &serde_json::from_str(&text).unwrap()).unwrap();
        world.tick();
        twin.tick();
        assert_eq!(twin.checksum(), world.checksum(), "tick {now}");
        waded += u32::from(world.character(ann).unwrap().ground_speed == 0.3);
    }
    assert!(waded > 200, "{waded}");
}

#[test]
fn factors_out_of_range_are_refused() {
    for speed in [0.0, -1.0, 0.049, 10.1, f64::NAN, f64::INFINITY] {
        let room = hall(GroundKind::Grid, vec![strip("mud", [6.0, 14.0], Some(speed))]);
        let problem = World::new(room, 1).unwrap_err().to_string();
        assert!(problem.contains("speed") && !problem.contains("unknown"), "{speed}: {problem}");
    }
}
