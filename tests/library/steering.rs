//! Steering: direct control of a character, as by a player's stick.

use crate::common::crowd::{at, join, send, world};
use crate::common::{area, empty_room, picture};
use cicerone::world::{
    Applied, CharacterId, Command, CommandError, EventKind, Setting, State, WalkEnd, World,
};
use glam::{DVec2, dvec2};

fn steer(world: &mut World, who: CharacterId, x: f64, z: f64) -> Applied {
    world.apply(Command::Steer { who, direction: dvec2(x, z) }).unwrap()
}

fn run(world: &mut World, seconds: f64) -> Vec<EventKind> {
    (0..(seconds * 60.0).round() as u64).for_each(|_| world.tick());
    world.take_events().into_iter().map(|event| event.kind).collect()
}

fn ends(events: &[EventKind]) -> Vec<WalkEnd> {
    let end = |event: &EventKind| match event {
        EventKind::WalkEnded { end, .. } | EventKind::Turned { end, .. } => Some(end.clone()),
        _ => None,
    };
    events.iter().filter_map(end).collect()
}

/// Ann alone in a hall of ten by ten metres; walls are 0.7 m from its edge.
fn ann_alone() -> (World, CharacterId) {
    let mut room = empty_room();
    room.areas.push(area("hall", vec![dvec2(0., 0.), dvec2(10., 0.), dvec2(10., 10.), dvec2(0., 10.)], true));
    room.areas.push(area("east", vec![dvec2(6., 0.), dvec2(10., 0.), dvec2(10., 10.), dvec2(6., 10.)], true));
    let mut world = world(room);
    let ann = join(&mut world, "ann", dvec2(5.0, 5.0));
    run(&mut world, 0.1);
    (world, ann)
}

#[test]
fn a_steered_character_goes_on_until_it_is_stopped() {
    let (mut world, ann) = ann_alone();
    assert_eq!(steer(&mut world, ann, 1.0, 0.0), Applied::Changed(true));
    assert_eq!(steer(&mut world, ann, 5.0, 0.0), Applied::Changed(false), "a longer direction counts as 1");
    let events = run(&mut world, 1.0);
    assert!(at(&world, ann).distance(dvec2(6.4, 5.0)) < 1e-9, "1.4 m in a second: {}", at(&world, ann));
    assert!(matches!(&events[..], [EventKind::Entered(_, area)] if area == "east"), "{events:?}");
    let character = world.character(ann).unwrap();
    assert!(character.is_moving() && character.state() == State::Walk && character.target().is_none());
    steer(&mut world, ann, 0.0, -0.5);
    assert!(run(&mut world, 1.0).is_empty());
    assert!(at(&world, ann).distance(dvec2(6.4, 4.3)) < 1e-9, "half as fast: {}", at(&world, ann));
    assert!((world.character(ann).unwrap().heading_rad + std::f64::consts::FRAC_PI_2).abs() < 1e-9);
    steer(&mut world, ann, 0.0, 0.0);
    assert!(run(&mut world, 1.0).is_empty() && at(&world, ann).distance(dvec2(6.4, 4.3)) < 1e-9);
    assert!(!world.character(ann).unwrap().is_moving());
}

/// The turn to the left takes a while, at 8 radians a second.
#[test]
fn a_steered_character_turns_at_its_rotation_speed() {
    let (mut world, ann) = ann_alone();
    steer(&mut world, ann, -1.0, 0.1);
    run(&mut world, 0.2);
    let heading = world.character(ann).unwrap().heading_rad;
    assert!((heading - 1.6).abs() < 1e-9, "{heading}");
}

#[test]
fn the_latest_order_counts() {
    type Order = fn(CharacterId) -> Command;
    let others: [(&str, Order, usize); 8] = [
        ("a walk", |who| Command::SetTarget { who, to: dvec2(1.0, 1.0).into() }, 0),
        ("a stop", |who| Command::Stop { who, walk: None, end: WalkEnd::Cancelled }, 0),
        ("a teleport", |who| Command::Teleport { who, to: dvec2(2.0, 2.0).into() }, 0),
        ("death", |who| Command::Tune { who, setting: Setting::Alive(false) }, 0),
        ("a scene", Command::Interrupt, 0),
        ("following", |who| Command::Follow { who, other: CharacterId(1), distance_m: 1.0 }, 0),
        ("no direction", |who| Command::Steer { who, direction: DVec2::ZERO }, 0),
        ("a turn, which ends at once", |who| Command::Turn { who, to: dvec2(1.0, 1.0).into() }, 1),
    ];
    for (what, order, cancelled) in others {
        let (mut world, ann) = ann_alone();
        join(&mut world, "bob", dvec2(8.0, 8.0));
        steer(&mut world, ann, 0.0, 1.0);
        run(&mut world, 0.5);
        world.apply(order(ann)).unwrap();
        let steered = world.character(ann).unwrap().steering.is_some();
        assert_eq!(steered, cancelled == 1, "{what}");
        assert_eq!(ends(&run(&mut world, 0.1)).len(), cancelled, "{what}");
    }
    // The other way round: what was going on ends as cancelled, once; no direction leaves it alone.
    let tasks: [(&str, Order); 3] = [
        ("a walk", |who| Command::SetTarget { who, to: dvec2(1.0, 1.0).into() }),
        ("following", |who| Command::Follow { who, other: CharacterId(1), distance_m: 1.0 }),
        ("a turn", |who| Command::Turn { who, to: dvec2(1.0, 5.0).into() }),
    ];
    for (what, task) in tasks {
        let (mut world, ann) = ann_alone();
        join(&mut world, "bob", dvec2(8.0, 8.0));
        world.apply(task(ann)).unwrap();
        run(&mut world, 0.1);
        assert_eq!(steer(&mut world, ann, 0.0, 0.0), Applied::Changed(false), "{what}");
        assert_eq!(ends(&run(&mut world, 0.1)), [], "{what}");
        steer(&mut world, ann, 0.0, 1.0);
        assert_eq!(ends(&run(&mut world, 3.0)), [WalkEnd::Cancelled], "{what}");
    }
}

#[test]
fn bad_directions_are_refused_and_the_dead_are_not_steered() {
    let (mut world, ann) = ann_alone();
    for (x, z, name) in [(f64::NAN, 0.0, "dx"), (0.0, f64::INFINITY, "dz")] {
        let error = world.apply(Command::Steer { who: ann, direction: dvec2(x, z) }).unwrap_err();
        assert!(matches!(&error, CommandError::BadNumber(what) if what.starts_with(name)), "{error}");
    }
    let nobody = CharacterId(9);
    let error = world.apply(Command::Steer { who: nobody, direction: DVec2::X }).unwrap_err();
    assert_eq!(error, CommandError::Gone(nobody));
    world.apply(Command::Tune { who: ann, setting: Setting::Alive(false) }).unwrap();
    assert_eq!(steer(&mut world, ann, 1.0, 0.0), Applied::Changed(false));
    let before = at(&world, ann);
    run(&mut world, 1.0);
    assert_eq!(at(&world, ann), before);
}

/// Whatever the direction, and at corners, where a step may be a little longer, a steered character slides along the walls of a crooked room and is never in one.
#[test]
fn a_steered_character_slides_along_walls() {
    let room = || picture(". . . . . #\n. # . . . #\n. # # . # #\n. . . . . .");
    let mut far_m: f64 = 0.0;
    for step in 0..48 {
        let mut world = world(room());
        let ann = join(&mut world, "ann", dvec2(3.5, 1.5));
        let (z, x) = libm::sincos(f64::from(step) * std::f64::consts::TAU / 48.0);
        steer(&mut world, ann, x, z);
        let mut before = at(&world, ann);
        for tick in 0..3600 {
            world.tick();
            let now = at(&world, ann);
            assert!(world.ground().is_walkable(now), "step {step}, tick {tick}: {now}");
            assert!(now.distance(before) <= 1.5 * 1.4 / 60.0, "step {step}, tick {tick}: {before} to {now}");
            before = now;
        }
        far_m = far_m.max(before.distance(dvec2(3.5, 1.5)));
        // It ends where it can go no farther in its direction.
        let (left, to) = (at(&world, ann), dvec2(x, z) * 0.02);
        let end = world.ground().move_along(left, left + to).unwrap();
        assert!(end.distance(left) < 1e-3 || far_m < 1.0, "step {step}: {left} to {end}");
    }
    assert!(far_m > 3.0, "{far_m}");
}

#[test]
fn a_steered_character_is_no_obstacle_and_standing_ones_make_way() {
    let (mut world, ann) = ann_alone();
    let bob = join(&mut world, "bob", dvec2(7.0, 5.0));
    steer(&mut world, ann, 1.0, 0.0);
    let events = run(&mut world, 6.0);
    assert!(at(&world, ann).x > 9.0, "she walked through to the wall: {}", at(&world, ann));
    assert!(at(&world, bob).distance(dvec2(7.0, 5.0)) > 0.5, "he stepped aside: {}", at(&world, bob));
    assert_eq!(ends(&events), []);
    assert!(at(&world, ann).distance(at(&world, bob)) > 0.85);
    // Walkers and a steered character that meet push each other past.
    let (mut world, ann) = ann_alone();
    let bob = join(&mut world, "bob", dvec2(9.0, 5.0));
    send(&mut world, bob, dvec2(1.0, 5.0));
    steer(&mut world, ann, 1.0, 0.0);
    assert_eq!(ends(&run(&mut world, 9.0)), [WalkEnd::Arrived]);
    assert!(at(&world, ann).x > 9.0);
}

#[test]
fn steering_is_part_of_the_state() {
    let (mut one, ann) = ann_alone();
    let (other, _) = ann_alone();
    assert_eq!(one.checksum(), other.checksum());
    steer(&mut one, ann, 0.3, 1.0);
    assert_ne!(one.checksum(), other.checksum());
    let saved = serde_json::to_string(&one.state()).unwrap();
    let state = serde_json::from_str(&saved).unwrap();
    let mut restored = World::restore(one.room().clone(), &state).unwrap();
    for tick in 0..120 {
        one.tick();
        restored.tick();
        assert_eq!(one.checksum(), restored.checksum(), "tick {tick}");
    }
    assert!(at(&restored, ann).y > 6.0);
    let long = saved.replace("\"steering\":[", "\"steering\":[3");
    assert!(World::restore(one.room().clone(), &serde_json::from_str(&long).unwrap()).is_err());
}
