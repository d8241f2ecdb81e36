//! Walking side by side.

use crate::following::*;

/// Two halls with a door of a metre between them, and a corridor behind.
fn halls() -> Room {
    rooms(&[(0.0, 0.0, 20.0, 10.0), (20.0, 4.5, 20.4, 5.5), (20.4, 0.0, 40.0, 10.0), (40.0, 4.5, 60.0, 5.5)])
}

fn walk_beside(world: &mut World, who: CharacterId, other: CharacterId) {
    world.apply(Command::WalkBeside { who, other }).unwrap();
}

/// How far a companion is before its leader, and to its left, by where the leader looks.
fn off(world: &World, leader: CharacterId, companion: CharacterId) -> (f64, f64) {
    let character = world.character(leader).unwrap();
    let facing = DVec2::new(libm::cos(character.heading_rad), libm::sin(character.heading_rad));
    let offset = at(world, companion) - at(world, leader);
    (offset.dot(facing), facing.perp_dot(offset))
}

fn is_abreast(world: &World, leader: CharacterId, companion: CharacterId) -> bool {
    let (along_m, side_m) = off(world, leader, companion);
    along_m.abs() < 0.35 && (0.7..1.2).contains(&side_m.abs())
}

/// Three in the first hall, the second and third beside the first.
fn three(room: Room) -> (World, [CharacterId; 3]) {
    let mut world = world(room);
    let ids =
        [("ann", 5.0), ("bob", 4.0), ("cleo", 6.0)].map(|(name, z)| join(&mut world, name, dvec2(2.0, z)));
    walk_beside(&mut world, ids[1], ids[0]);
    walk_beside(&mut world, ids[2], ids[0]);
    (world, ids)
}

#[test]
fn three_walk_abreast_and_part_at_a_door() {
    let (mut world, [ann, bob, cleo]) = three(halls());
    send(&mut world, ann, dvec2(38.0, 5.0));
    let (mut abreast, mut walked, mut in_file) = (0, 0, 0);
    while world.character(ann).unwrap().is_moving() {
        run(&mut world, 1.0 / 60.0);
        let both = is_abreast(&world, ann, bob) && is_abreast(&world, ann, cleo);
        let x = at(&world, ann).x;
        let far_from_door = (4.0..17.0).contains(&x) || (26.0..37.0).contains(&x);
        walked += usize::from(far_from_door);
        abreast += usize::from(far_from_door && both);
        let behind = [bob, cleo].map(|who| off(&world, ann, who).0);
        in_file += usize::from(behind[0] < -0.5 && behind[1] < -0.5 && (behind[0] - behind[1]).abs() > 0.5);
    }
    assert!(abreast * 10 > walked * 9, "{abreast} of {walked} ticks abreast");
    assert!(in_file > 60, "in file for {in_file} ticks");
    run(&mut world, 2.0);
    for who in [bob, cleo] {
        assert!(apart_m(&world, ann, who) < 1.4, "{}", apart_m(&world, ann, who));
    }
    all_rest(&mut world, 10.0).unwrap();
}

#[test]
fn in_a_narrow_corridor_they_go_in_file_and_nobody_is_lost() {
    let (mut world, [ann, bob, cleo]) = three(halls());
    send(&mut world, ann, dvec2(58.0, 5.0));
    assert_eq!(run(&mut world, 60.0).len(), 1);
    assert!(at(&world, ann).distance(dvec2(58.0, 5.0)) < 0.1);
    let (near, far) = (apart_m(&world, ann, bob), apart_m(&world, ann, cleo));
    assert!(near.min(far) < 1.3 && near.max(far) < 2.5, "{near} {far}");
    all_rest(&mut world, 10.0).unwrap();
}

#[test]
fn the_leader_walks_as_fast_as_its_companions_and_a_player_as_it_likes() {
    for player in [false, true] {
        let mut world = world(rooms(&[(0.0, 0.0, 60.0, 10.0)]));
        let mut spec = crate::common::character("ann", dvec2(2.0, 5.0));
        (spec.player, spec.walk_speed_mps) = (player, 1.4);
        let Applied::Spawned(ann) = world.apply(Command::Spawn(Box::new(spec))).unwrap() else { panic!() };
        let bob = join(&mut world, "bob", dvec2(2.0, 4.0));
        tune(&mut world, bob, Setting::WalkSpeed(0.9));
        walk_beside(&mut world, bob, ann);
        send(&mut world, ann, dvec2(58.0, 5.0));
        run(&mut world, 15.0);
        let (speed, along_m) =
            (world.character(ann).unwrap().velocity_mps().length(), off(&world, ann, bob).0);
        match player {
            false => assert!((speed - 0.9).abs() < 0.02 && along_m.abs() < 0.35, "{speed} m/s, {along_m}"),
            true => assert!(speed > 1.39 && along_m < -3.0, "{speed} m/s, {along_m}"),
        }
    }
}

#[test]
fn a_crowd_that_walks_with_one_goes_in_rows_of_three() {
    let mut world = world(rooms(&[(0.0, 0.0, 60.0, 12.0)]));
    let ann = join(&mut world, "ann", dvec2(8.0, 6.0));
    let others: Vec<CharacterId> = (0..8)
        .map(|i| {
            join(&mut world, &format!("p{i}"), dvec2(2.0 + f64::from(i % 4), 4.0 + 3.0 * f64::from(i / 4)))
        })
        .collect();
    others.iter().for_each(|&who| walk_beside(&mut world, who, ann));
    send(&mut world, ann, dvec2(58.0, 6.0));
    run(&mut world, 22.0);
    let mut rows: Vec<(i64, i64)> = others
        .iter()
        .map(|&who| off(&world, ann, who))
        .map(|(along, side)| ((along / 0.85).round() as i64, (side / 0.85).round() as i64))
        .collect();
    rows.sort_unstable();
    let expected = vec![(-2, -1), (-2, 0), (-2, 1), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1)];
    assert_eq!(rows, expected);
}

#[test]
fn one_that_pushes_follows_and_two_that_walk_with_each_other_rest() {
    let mut world = world(rooms(&[(0.0, 0.0, 60.0, 10.0)]));
    let (ann, bob) = (join(&mut world, "ann", dvec2(2.0, 5.0)), join(&mut world, "bob", dvec2(2.0, 4.0)));
    tune(&mut world, bob, Setting::Avoidance(Some(cicerone::room::Avoidance::Push)));
    walk_beside(&mut world, bob, ann);
    send(&mut world, ann, dvec2(50.0, 5.0));
    run(&mut world, 20.0);
    assert!(off(&world, ann, bob).0 < -0.6, "{:?}", off(&world, ann, bob));
    tune(&mut world, bob, Setting::Avoidance(None));
    walk_beside(&mut world, ann, bob);
    run(&mut world, 20.0);
    assert!(apart_m(&world, ann, bob) < 1.3);
    all_rest(&mut world, 10.0).unwrap();
}

#[test]
fn a_saved_walk_side_by_side_goes_on() {
    let (mut world, [ann, ..]) = three(halls());
    send(&mut world, ann, dvec2(38.0, 5.0));
    run(&mut world, 9.0);
    let mut restored = World::restore(halls(), &world.state()).unwrap();
    for tick in 0..600 {
        assert_eq!(restored.checksum(), world.checksum(), "{tick} ticks later");
        world.tick();
        restored.tick();
    }
}

#[test]
fn a_leader_that_turns_round_in_a_corridor_has_its_companions_walk_ahead() {
    // At the end of the corridor, the companions stand between the leader and its way back.
    for (width_m, companions) in [(0.8, 1), (0.8, 2), (0.8, 3), (1.2, 2), (1.2, 3)] {
        let told = format!("{companions} in {width_m} m");
        let (low, high) = (5.0 - 0.5 * width_m, 5.0 + 0.5 * width_m);
        let mut world = world(rooms(&[(0.0, 0.0, 20.0, 10.0), (20.0, low, 40.0, high)]));
        let ann = join(&mut world, "ann", dvec2(10.0, 5.0));
        for index in 0..companions {
            let who = join(&mut world, &format!("p{index}"), dvec2(9.0 - f64::from(index), 5.0));
            walk_beside(&mut world, who, ann);
        }
        send(&mut world, ann, dvec2(36.0, 5.0));
        assert_eq!(run(&mut world, 30.0)[0].2, WalkEnd::Arrived, "{told}");
        send(&mut world, ann, dvec2(5.0, 5.0));
        let ends = run(&mut world, 35.0);
        assert_eq!(ends.first().map(|end| &end.2), Some(&WalkEnd::Arrived), "{told}");
        assert!(world.characters().iter().all(|c| apart_m(&world, ann, c.id) < 2.6), "{told}");
        all_rest(&mut world, 10.0).unwrap();
    }
}

#[test]
fn one_that_is_left_behind_keeps_nobody_from_walking_abreast() {
    for left_behind in [1, 2] {
        let (mut world, ids) = three(rooms(&[(0.0, 0.0, 60.0, 30.0)]));
        let (ann, other) = (ids[0], ids[3 - left_behind]);
        tune(&mut world, ids[left_behind], Setting::WalkSpeed(0.01));
        send(&mut world, ann, dvec2(25.0, 5.0));
        run(&mut world, 40.0);
        send(&mut world, ann, dvec2(25.0, 28.0));
        run(&mut world, 3.0);
        // Whatever side the far one is on, the near one keeps its own.
        let side_m = off(&world, ann, other).1;
        for tick in 0..8 * 60 {
            run(&mut world, 1.0 / 60.0);
            let (along_m, now_m) = off(&world, ann, other);
            assert!(along_m.abs() < 0.5 && now_m * side_m > 0.0, "{left_behind}, {tick}: {along_m}, {now_m}");
        }
        assert!(apart_m(&world, ann, ids[left_behind]) > 8.0);
    }
}
