//! One follower, and how following begins and ends.

use crate::following::*;

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
    type Order = fn(CharacterId, CharacterId, WalkId) -> Command;
    let cases: [(&str, Order, WalkEnd); 13] = [
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
        (
            "a walk",
            |ann, _, _| Command::SetTarget { who: ann, to: dvec2(1.0, 1.0).into() },
            WalkEnd::Cancelled,
        ),
        ("a talk", |ann, bob, _| Command::TalkTo { who: ann, other: bob }, WalkEnd::Cancelled),
        (
            "a teleport",
            |ann, _, _| Command::Teleport { who: ann, to: dvec2(1.0, 1.0).into() },
            WalkEnd::Cancelled,
        ),
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
        ("a turn", |ann, _, _| Command::Turn { who: ann, to: dvec2(1.0, 1.0).into() }, WalkEnd::Cancelled),
    ];
    for walking in [true, false] {
        for (what, order, end) in &cases {
            let (mut world, ann, bob) = two();
            let id = follow(&mut world, ann, bob, 1.35);
            assert_eq!(run(&mut world, if walking { 0.2 } else { 5.0 }), []);
            assert_eq!(state(&world, ann), if walking { State::Walk } else { State::Stand });
            world.apply(order(ann, bob, id)).unwrap();
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
        world
            .apply(Command::Turn { who: ann, to: (dvec2(2.0, if leaves { 1.0 } else { 9.0 })).into() })
            .unwrap();
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
    #![proptest_config(ProptestConfig { cases: 100, ..crate::common::thousand() })]

    /// In any room, with any followers: they come to rest, and no following ends.
    #[test]
    fn followers_come_to_rest(
        room in crate::common::any_room(),
        starts in prop::collection::vec(crate::common::any_point(), 2..8),
        pairs in prop::collection::vec((0usize..8, 0usize..8, prop::sample::select(vec![0.0, 1.35, 4.0])), 1..8),
    ) {
        let mut world = world(room);
        let mut people = Vec::new();
        for at in starts {
            let spec = Box::new(crate::common::character(&format!("p{}", people.len()), at));
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
        // A follower that is shut out by others tries again now and then, each time for ten seconds at most.
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
    assert_eq!(refusal(ann, 1.0), "a character cannot walk up to itself or follow itself");
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
