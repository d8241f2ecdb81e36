//! Following somebody: near, at rest, and never for good in anybody's way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod common;

use cicerone::crowd::{CharacterId, State, WalkEnd, WalkId};
use cicerone::room::Room;
use cicerone::world::{Applied, Command, CommandError, EventKind, Setting, World};
use common::crowd::{at, join, send, world};
use common::{area, empty_room, picture};
use glam::{DVec2, dvec2};
use proptest::prelude::*;

/// How much further away than asked for somebody may be before a follower sets out.
const SLACK_M: f64 = 0.3;

/// A room of rectangles `(x0, z0, x1, z1)`, walls kept at 0.3 m, so that 0.8 m of width let one person through.
fn rooms(rectangles: &[(f64, f64, f64, f64)]) -> Room {
    let mut room = empty_room();
    room.ground.cell_size_m = 0.2;
    room.ground.boundary_padding_m = 0.3;
    for (index, &(x0, z0, x1, z1)) in rectangles.iter().enumerate() {
        let corners = vec![dvec2(x0, z0), dvec2(x1, z0), dvec2(x1, z1), dvec2(x0, z1)];
        room.areas.push(area(&format!("part_{index}"), corners, true));
    }
    room
}

fn follow(world: &mut World, who: CharacterId, other: CharacterId, distance_m: f64) -> WalkId {
    match world.apply(Command::Follow { who, other, distance_m }).unwrap() {
        Applied::Walking(walk) => walk,
        other => panic!("{other:?}"),
    }
}

/// Runs for some seconds and tells how errands ended, in order; nobody talks.
fn run(world: &mut World, seconds: f64) -> Vec<(CharacterId, WalkId, WalkEnd)> {
    let mut ends = Vec::new();
    for _ in 0..(seconds * 60.0) as u64 {
        world.tick();
        for event in world.take_events() {
            match event.kind {
                EventKind::WalkEnded { who, walk, end, .. } => ends.push((who, walk, end)),
                EventKind::Talked { .. } => panic!("following is not talking"),
                _ => {}
            }
        }
    }
    ends
}

fn state(world: &World, who: CharacterId) -> State {
    world.character(who).unwrap().state()
}

fn apart_m(world: &World, one: CharacterId, other: CharacterId) -> f64 {
    at(world, one).distance(at(world, other))
}

fn tune(world: &mut World, who: CharacterId, setting: Setting) {
    world.apply(Command::Tune { who, setting }).unwrap();
}

/// Whether nobody moves by a single bit for some seconds, and everybody stands.
fn all_rest(world: &mut World, seconds: f64) -> Result<(), String> {
    let before: Vec<DVec2> = world.characters().iter().map(|c| c.position).collect();
    for tick in 0..(seconds * 60.0) as u64 {
        world.tick();
        for (c, was) in world.characters().iter().zip(&before) {
            if c.position != *was || c.state() != State::Stand || c.is_moving() {
                return Err(format!("{} moved from {was} to {} after {tick} ticks", c.name, c.position));
            }
        }
    }
    Ok(())
}

/// How far all walk together in some seconds.
fn way_walked_m(world: &mut World, seconds: f64) -> f64 {
    let mut walked_m = 0.0;
    for _ in 0..(seconds * 60.0) as u64 {
        let before: Vec<DVec2> = world.characters().iter().map(|c| c.position).collect();
        world.tick();
        walked_m +=
            world.characters().iter().zip(&before).map(|(c, was)| c.position.distance(*was)).sum::<f64>();
    }
    walked_m
}

/// Ann two metres from Bob in a hall of 20 by 10 metres.
fn two() -> (World, CharacterId, CharacterId) {
    let mut world = world(rooms(&[(0.0, 0.0, 20.0, 10.0)]));
    let (ann, bob) = (join(&mut world, "ann", dvec2(2.0, 5.0)), join(&mut world, "bob", dvec2(4.0, 5.0)));
    world.take_events();
    (world, ann, bob)
}

#[test]
fn a_follower_comes_near_rests_and_goes_on_when_the_other_does() {
    for (distance_m, near_m) in [(1.35, 1.35), (3.0, 3.0), (0.0, 0.65)] {
        let (mut world, ann, bob) = two();
        let id = follow(&mut world, ann, bob, distance_m);
        for to in [dvec2(18.0, 5.0), dvec2(18.0, 8.0), dvec2(3.0, 2.0)] {
            send(&mut world, bob, to);
            let ends = run(&mut world, 20.0);
            assert_eq!(ends.len(), 1, "{ends:?}");
            assert_eq!((ends[0].0, &ends[0].2), (bob, &WalkEnd::Arrived));
            let apart_m = apart_m(&world, ann, bob);
            assert!(apart_m <= near_m + SLACK_M && apart_m > near_m - 0.05, "{apart_m} for {distance_m}");
            all_rest(&mut world, 30.0).unwrap();
        }
        let stop = Command::Stop { who: ann, walk: Some(id), end: WalkEnd::Cancelled };
        assert_eq!(world.apply(stop.clone()), Ok(Applied::Changed(true)));
        assert_eq!(world.apply(stop), Ok(Applied::Changed(false)));
        assert_eq!(run(&mut world, 1.0), [(ann, id, WalkEnd::Cancelled)]);
        send(&mut world, bob, dvec2(1.0, 1.0)); // away from her
        let before = at(&world, ann);
        run(&mut world, 5.0);
        assert_eq!(at(&world, ann), before, "it is over");
    }
}

#[test]
fn a_fast_follower_walks_along_without_stopping_and_going() {
    let (mut world, ann, bob) = two();
    tune(&mut world, ann, Setting::WalkSpeed(3.0));
    follow(&mut world, ann, bob, 1.35);
    send(&mut world, bob, dvec2(18.0, 5.0));
    run(&mut world, 2.0);
    for _ in 0..7 * 60 {
        run(&mut world, 1.0 / 60.0);
        assert_eq!(state(&world, ann), State::Walk);
        let apart_m = apart_m(&world, ann, bob);
        assert!((1.3..1.7).contains(&apart_m), "{apart_m}");
    }
}

#[test]
fn following_ends_once_whatever_ends_it() {
    type Deed = fn(CharacterId, CharacterId, WalkId) -> Command;
    let cases: [(&str, Deed, WalkEnd); 13] = [
        (
            "stop",
            |ann, _, _| Command::Stop { who: ann, walk: None, end: WalkEnd::Cancelled },
            WalkEnd::Cancelled,
        ),
        (
            "timeout",
            |ann, _, id| Command::Stop { who: ann, walk: Some(id), end: WalkEnd::Timeout },
            WalkEnd::Timeout,
        ),
        ("a walk", |ann, _, _| Command::SetTarget { who: ann, to: dvec2(1.0, 1.0) }, WalkEnd::Cancelled),
        ("a talk", |ann, bob, _| Command::TalkTo { who: ann, other: bob }, WalkEnd::Cancelled),
        ("a teleport", |ann, _, _| Command::Teleport { who: ann, to: dvec2(1.0, 1.0) }, WalkEnd::Cancelled),
        ("death", |who, _, _| Command::Tune { who, setting: Setting::Alive(false) }, WalkEnd::Cancelled),
        (
            "being disabled",
            |who, _, _| Command::Tune { who, setting: Setting::Enabled(false) },
            WalkEnd::Cancelled,
        ),
        ("leaving", |ann, _, _| Command::Despawn(ann), WalkEnd::Despawned),
        ("the other leaving", |_, bob, _| Command::Despawn(bob), WalkEnd::Cancelled),
        (
            "the other dying",
            |_, who, _| Command::Tune { who, setting: Setting::Alive(false) },
            WalkEnd::Cancelled,
        ),
        (
            "the other disabled",
            |_, who, _| Command::Tune { who, setting: Setting::Enabled(false) },
            WalkEnd::Cancelled,
        ),
        (
            "a changed room",
            |_, _, _| Command::ReplaceRoom(Box::new(rooms(&[(0., 0., 20., 9.)]))),
            WalkEnd::Cancelled,
        ),
        ("a turn", |ann, _, _| Command::Turn { who: ann, to: dvec2(1.0, 1.0) }, WalkEnd::Cancelled),
    ];
    for walking in [true, false] {
        for (what, deed, end) in &cases {
            let (mut world, ann, bob) = two();
            let id = follow(&mut world, ann, bob, 1.35);
            assert_eq!(run(&mut world, if walking { 0.2 } else { 5.0 }), []);
            assert_eq!(state(&world, ann), if walking { State::Walk } else { State::Stand });
            world.apply(deed(ann, bob, id)).unwrap();
            let ended: Vec<WalkEnd> = std::iter::repeat_with(|| {
                world.tick();
                world.take_events()
            })
            .take(600)
            .flatten()
            .filter_map(|event| match event.kind {
                EventKind::WalkEnded { walk, end, .. } if walk == id => Some(end),
                _ => None,
            })
            .collect();
            if ["a changed room", "a turn"].contains(what) {
                assert_eq!(ended, [], "{what} does not end it");
                assert!(world.character(ann).unwrap().following.is_some());
            } else {
                assert_eq!(ended, std::slice::from_ref(end), "{what}, walking: {walking}");
                assert!(world.character(ann).is_none_or(|ann| ann.following.is_none()));
                let last = world.character(ann).and_then(|ann| ann.last_walk.clone());
                assert!(last.is_none_or(|last| last.walk >= id), "{what}");
            }
        }
    }
}

#[test]
fn whoever_rests_may_turn_and_setting_out_calls_the_turn_off() {
    let (mut world, ann, bob) = two();
    follow(&mut world, ann, bob, 3.0);
    run(&mut world, 1.0);
    for (leaves, wanted) in [(false, "Arrived"), (true, "Cancelled")] {
        tune(&mut world, ann, Setting::RotationSpeed(0.5));
        world.apply(Command::Turn { who: ann, to: dvec2(2.0, if leaves { 1.0 } else { 9.0 }) }).unwrap();
        if leaves {
            send(&mut world, bob, dvec2(18.0, 5.0));
        }
        let turned: Vec<String> = std::iter::repeat_with(|| {
            world.tick();
            world.take_events()
        })
        .take(600)
        .flatten()
        .filter_map(|event| match event.kind {
            EventKind::Turned { who, end, .. } if who == ann => Some(format!("{end:?}")),
            _ => None,
        })
        .collect();
        assert_eq!(turned, [wanted], "leaves: {leaves}");
    }
}

#[test]
fn the_same_company_again_goes_on_at_the_new_distance() {
    let (mut world, ann, bob) = two();
    let id = follow(&mut world, ann, bob, 1.0);
    run(&mut world, 4.0);
    assert_eq!(follow(&mut world, ann, bob, 5.0), id);
    send(&mut world, bob, dvec2(18.0, 5.0));
    run(&mut world, 20.0);
    assert!((4.9..5.3).contains(&apart_m(&world, ann, bob)), "{}", apart_m(&world, ann, bob));
    let carl = join(&mut world, "carl", dvec2(2.0, 2.0));
    assert_ne!(follow(&mut world, ann, carl, 5.0), id);
    assert_eq!(run(&mut world, 1.0), [(ann, id, WalkEnd::Cancelled)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..common::thousand() })]

    /// Whoever follows whom, in whatever room: they come to rest, and nobody's following ends.
    #[test]
    fn followers_come_to_rest(
        room in common::any_room(),
        starts in prop::collection::vec(common::any_point(), 2..8),
        pairs in prop::collection::vec((0usize..8, 0usize..8, prop::sample::select(vec![0.0, 1.35, 4.0])), 1..8),
    ) {
        let mut world = world(room);
        let mut people = Vec::new();
        for at in starts {
            let spec = Box::new(common::character(&format!("p{}", people.len()), at));
            if let Ok(Applied::Spawned(id)) = world.apply(Command::Spawn(spec)) {
                people.push(id);
            }
        }
        for (who, other, distance_m) in pairs {
            if let (Some(&who), Some(&other)) = (people.get(who), people.get(other)) {
                let _ = world.apply(Command::Follow { who, other, distance_m });
            }
        }
        world.take_events();
        prop_assert_eq!(run(&mut world, 240.0), []);
        let mut walking_ticks = 0;
        for _ in 0..3600 {
            world.tick();
            walking_ticks += world.characters().iter().filter(|c| c.errand().is_some()).count();
        }
        // Whoever is shut out by others tries again now and then, each time for ten seconds at most.
        prop_assert!(walking_ticks <= 1300, "they walk for {walking_ticks} ticks of a minute: {:?}", world.characters());
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let (mut world, ann, bob) = two();
    let before = world.checksum();
    let mut refusal = |other, distance_m| {
        world.apply(Command::Follow { who: ann, other, distance_m }).unwrap_err().to_string()
    };
    assert_eq!(refusal(ann, 1.0), "nobody can walk up to themselves or follow themselves");
    assert_eq!(refusal(bob, -0.1), "distance must be from 0 to 1000 m, not -0.1");
    assert_eq!(refusal(bob, 1000.5), "distance must be from 0 to 1000 m, not 1000.5");
    assert_eq!(refusal(bob, f64::NAN), "distance must be from 0 to 1000 m, not NaN");
    assert_eq!(world.checksum(), before);
    world.apply(Command::Despawn(bob)).unwrap();
    let gone = world.apply(Command::Follow { who: ann, other: bob, distance_m: 1.0 });
    assert_eq!(gone, Err(CommandError::Gone(bob)));
    let carl = join(&mut world, "carl", dvec2(2.0, 2.0));
    tune(&mut world, ann, Setting::Alive(false));
    world.take_events();
    let id = follow(&mut world, ann, carl, 1.0);
    assert_eq!(run(&mut world, 1.0), [(ann, id, WalkEnd::Cancelled)], "the dead follow nobody");
}

#[test]
fn two_who_follow_each_other_meet_and_rest() {
    let mut world = world(rooms(&[(0.0, 0.0, 20.0, 10.0)]));
    let (ann, bob) = (join(&mut world, "ann", dvec2(2.0, 2.0)), join(&mut world, "bob", dvec2(18.0, 8.0)));
    follow(&mut world, ann, bob, 1.35);
    follow(&mut world, bob, ann, 1.35);
    assert_eq!(run(&mut world, 12.0), []);
    assert!(apart_m(&world, ann, bob) <= 1.35 + SLACK_M);
    all_rest(&mut world, 30.0).unwrap();
}

#[test]
fn a_chain_of_ten_goes_where_the_first_goes_and_rests() {
    let mut world = world(rooms(&[(0.0, 0.0, 20.0, 10.0), (20.0, 4.6, 26.0, 5.4), (26.0, 0.0, 46.0, 10.0)]));
    let people: Vec<CharacterId> = (0..11)
        .map(|i| {
            join(&mut world, &format!("p{i}"), dvec2(1.0 + 1.5 * f64::from(i % 6), 3.0 + f64::from(i / 6)))
        })
        .collect();
    for pair in people.windows(2) {
        follow(&mut world, pair[1], pair[0], 1.0);
    }
    for to in [dvec2(44.0, 5.0), dvec2(2.0, 2.0)] {
        send(&mut world, people[0], to);
        let ends = run(&mut world, 120.0);
        assert_eq!(ends.len(), 1, "{ends:?}");
        assert_eq!(ends[0].2, WalkEnd::Arrived);
        for pair in people.windows(2) {
            let apart_m = apart_m(&world, pair[0], pair[1]);
            assert!(apart_m <= 1.0 + SLACK_M, "{apart_m} m between {pair:?}");
        }
        all_rest(&mut world, 60.0).unwrap();
    }
}

#[test]
fn ten_round_one_come_to_rest_even_where_there_is_no_room_for_ten() {
    for distance_m in [1.35, 0.0] {
        let mut world = world(rooms(&[(0.0, 0.0, 20.0, 10.0)]));
        let bob = join(&mut world, "bob", dvec2(4.0, 5.0));
        for i in 0..10 {
            let ann = join(&mut world, &format!("p{i}"), dvec2(1.0 + f64::from(i), 2.0));
            follow(&mut world, ann, bob, distance_m);
        }
        for to in [dvec2(16.0, 5.0), dvec2(19.5, 0.5)] {
            send(&mut world, bob, to);
            let ends = run(&mut world, 200.0);
            assert_eq!(ends.len(), 1, "{ends:?}");
            assert!(at(&world, bob).distance(to) <= 0.1, "they carry him off: {}", at(&world, bob));
            let furthest = world.characters().iter().map(|c| c.position.distance(to)).fold(0.0, f64::max);
            assert!(furthest <= 3.2, "{furthest} m away, distance {distance_m}");
            // Some find no room and try again, after a pause that doubles each time.
            let walked_m = way_walked_m(&mut world, 60.0);
            assert!(walked_m <= 0.5, "all of them together walk {walked_m} m in a minute");
        }
    }
}

#[test]
fn a_follower_makes_way_for_one_who_turns_round_in_a_corridor() {
    // A corridor for one, with rooms at both ends: Bob goes to its far end with Ann behind him, and comes back.
    for distance_m in [0.0, 1.35] {
        let mut world = world(rooms(&[(0.0, 0.0, 4.0, 4.0), (4.0, 1.6, 14.0, 2.4)]));
        let (bob, ann) = (join(&mut world, "bob", dvec2(3.0, 2.0)), join(&mut world, "ann", dvec2(1.0, 2.0)));
        let id = follow(&mut world, ann, bob, distance_m);
        send(&mut world, bob, dvec2(13.4, 2.0));
        run(&mut world, 15.0);
        assert!(at(&world, ann).x > 11.0, "she is behind him, in the corridor: {}", at(&world, ann));
        send(&mut world, bob, dvec2(1.0, 1.0));
        let ends = run(&mut world, 60.0);
        assert_eq!(ends.iter().map(|end| (end.0, &end.2)).collect::<Vec<_>>(), [(bob, &WalkEnd::Arrived)]);
        assert!(apart_m(&world, ann, bob) <= distance_m.max(0.65) + SLACK_M);
        let character = world.character(ann).unwrap();
        assert_eq!(character.following.map(|following| following.id), Some(id));
        all_rest(&mut world, 30.0).unwrap();
    }
}

#[test]
fn a_door_between_two_is_waited_for() {
    let room = picture(
        "S . . / . . G
         . . . # . . .",
    );
    let points = room.points.clone();
    let mut world = world(room);
    let (ann, bob) =
        (join(&mut world, "ann", points["S"]), join(&mut world, "bob", points["S"] + dvec2(1.0, 0.0)));
    let id = follow(&mut world, ann, bob, 1.35);
    tune(&mut world, ann, Setting::WalkSpeed(0.7));
    send(&mut world, bob, points["G"]);
    run(&mut world, 2.6);
    let door = |available| Command::SetAreaAvailable { area: "door".into(), available };
    assert_eq!(world.apply(door(false)), Ok(Applied::Changed(true)));
    let ends = run(&mut world, 120.0);
    assert_eq!(ends.len(), 1, "only Bob's walk ends: {ends:?}");
    assert!((2.0..3.0).contains(&at(&world, ann).x), "as near as she can: {}", at(&world, ann));
    assert!(at(&world, bob).x > 6.0);
    assert_eq!(state(&world, ann), State::Stand);
    world.apply(door(true)).unwrap();
    assert_eq!(run(&mut world, 10.0), []);
    assert!(apart_m(&world, ann, bob) <= 1.35 + SLACK_M);
    assert_eq!(world.character(ann).unwrap().following.map(|following| following.id), Some(id));
    all_rest(&mut world, 10.0).unwrap();
}

#[test]
fn a_follower_behind_a_door_keeps_level_with_the_other() {
    let room = picture(
        "S . . . . T
         # # # # # |
         A . . . . B",
    );
    let points = room.points.clone();
    let mut world = world(room);
    let (ann, bob) = (join(&mut world, "ann", points["B"]), join(&mut world, "bob", points["S"]));
    follow(&mut world, ann, bob, 1.0);
    run(&mut world, 100.0); // by now she would wait for long before she tries again by herself
    assert!(at(&world, ann).distance(points["A"]) < 0.6, "{}", at(&world, ann));
    send(&mut world, bob, points["T"]);
    run(&mut world, 15.0);
    assert!(at(&world, ann).distance(points["B"]) < 0.6, "{}", at(&world, ann));
}

#[test]
fn others_pass_a_resting_follower_who_comes_back() {
    let mut world = world(rooms(&[(0.0, 0.0, 10.0, 0.8), (4.0, 0.0, 6.0, 3.0)]));
    let (bob, ann) = (join(&mut world, "bob", dvec2(5.0, 2.4)), join(&mut world, "ann", dvec2(5.0, 0.5)));
    let carl = join(&mut world, "carl", dvec2(0.5, 0.4));
    tune(&mut world, bob, Setting::Player(true));
    let id = follow(&mut world, ann, bob, 2.0);
    send(&mut world, carl, dvec2(9.5, 0.4));
    let mut stepped_aside = false;
    let mut ends = Vec::new();
    for _ in 0..20 * 60 {
        ends.extend(run(&mut world, 1.0 / 60.0));
        stepped_aside |= at(&world, ann).distance(dvec2(5.0, 0.5)) > 0.3;
    }
    assert!(stepped_aside);
    assert_eq!(ends.iter().map(|end| (end.0, &end.2)).collect::<Vec<_>>(), [(carl, &WalkEnd::Arrived)]);
    assert!(apart_m(&world, ann, bob) <= 2.0 + SLACK_M);
    assert_eq!(world.character(ann).unwrap().following.map(|following| following.id), Some(id));
}

#[test]
fn talking_to_the_one_it_follows_is_a_walk_of_its_own() {
    let (mut world, ann, bob) = two();
    let id = follow(&mut world, ann, bob, 0.0);
    run(&mut world, 0.2);
    let talk = world.apply(Command::TalkTo { who: ann, other: bob }).unwrap();
    assert_ne!(talk, Applied::Walking(id));
    let mut talked = 0;
    for _ in 0..300 {
        world.tick();
        talked +=
            world.take_events().iter().filter(|event| matches!(event.kind, EventKind::Talked { .. })).count();
    }
    assert_eq!(talked, 1);
}

#[test]
fn following_counts_in_the_checksum() {
    let (mut world, ann, bob) = two();
    let before = world.checksum();
    follow(&mut world, ann, bob, 1.0);
    let near = world.checksum();
    assert_ne!(near, before);
    follow(&mut world, ann, bob, 1.5);
    assert_ne!(world.checksum(), near);
}

#[test]
fn one_who_cannot_walk_is_passed_by_those_who_follow_the_same() {
    let mut world = world(rooms(&[(0.0, 0.0, 6.0, 4.0), (6.0, 1.4, 8.0, 2.6), (8.0, 0.0, 14.0, 4.0)]));
    let (bob, ann) = (join(&mut world, "bob", dvec2(13.0, 2.0)), join(&mut world, "ann", dvec2(1.0, 2.0)));
    let stone = join(&mut world, "stone", dvec2(7.0, 2.2));
    tune(&mut world, stone, Setting::WalkSpeed(0.0));
    follow(&mut world, stone, bob, 1.35);
    assert_eq!(run(&mut world, 15.0), []);
    assert_eq!(state(&world, stone), State::Stand, "it does not set out");
    follow(&mut world, ann, bob, 1.35);
    assert_eq!(run(&mut world, 30.0), []);
    assert!(apart_m(&world, ann, bob) <= 1.35 + SLACK_M, "{}", at(&world, ann));
    tune(&mut world, stone, Setting::WalkSpeed(1.4));
    run(&mut world, 10.0);
    assert!(apart_m(&world, stone, bob) <= 1.35 + SLACK_M, "{}", at(&world, stone));
}
