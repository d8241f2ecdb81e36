//! Followers among others: circles, chains, crowds, doors and corridors.

use crate::following::*;
use cicerone::nav::Position;

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
            let furthest = world
                .characters()
                .iter()
                .map(|c| c.position.distance(Position::on_ground(to)))
                .fold(0.0, f64::max);
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
        assert_eq!(character.following.as_ref().map(|following| following.id), Some(id));
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
        (join(&mut world, "ann", points["S"].at), join(&mut world, "bob", points["S"].at + dvec2(1.0, 0.0)));
    let id = follow(&mut world, ann, bob, 1.35);
    tune(&mut world, ann, Setting::WalkSpeed(0.7));
    send(&mut world, bob, points["G"].at);
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
    assert_eq!(world.character(ann).unwrap().following.as_ref().map(|following| following.id), Some(id));
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
    let (ann, bob) = (join(&mut world, "ann", points["B"].at), join(&mut world, "bob", points["S"].at));
    follow(&mut world, ann, bob, 1.0);
    run(&mut world, 100.0); // by now she would wait for long before she tries again by herself
    assert!(at(&world, ann).distance(points["A"].at) < 0.6, "{}", at(&world, ann));
    send(&mut world, bob, points["T"].at);
    run(&mut world, 15.0);
    assert!(at(&world, ann).distance(points["B"].at) < 0.6, "{}", at(&world, ann));
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
    assert_eq!(world.character(ann).unwrap().following.as_ref().map(|following| following.id), Some(id));
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
