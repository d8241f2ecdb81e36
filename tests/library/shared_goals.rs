//! Goals that many share: who touches somebody that has arrived has arrived. Rooms in pictures of cells of half a metre:
//! letters are characters, `G` is the goal, `#` is a wall.

use crate::common::crowd::{at, run, send, world};
use crate::common::{area, character, empty_room, trimmed};
use cicerone::room::{Avoidance, Room};
use cicerone::world::{CharacterId, Command, Setting, WalkEnd, World};
use glam::{DVec2, dvec2};

const CELL_M: f64 = 0.5;

/// The room of a picture, its characters in the order of their letters, and its goal.
pub(crate) fn room_of(map: &str) -> (Room, DVec2) {
    let mut room = empty_room();
    room.ground.cell_size_m = CELL_M;
    (room.ground.agent_radius_m, room.ground.object_padding_m) = (0.0, 0.0);
    let (mut goal, mut people) = (DVec2::ZERO, Vec::new());
    for (z, row) in trimmed(map).lines().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let corner = dvec2(x as f64, z as f64) * CELL_M;
            let middle = corner + 0.5 * CELL_M;
            match letter {
                '#' => continue,
                '.' => {}
                'G' => goal = middle,
                letter => people.push(character(&letter.to_string(), middle)),
            }
            let corners = [dvec2(0.0, 0.0), dvec2(CELL_M, 0.0), DVec2::splat(CELL_M), dvec2(0.0, CELL_M)];
            room.areas.push(area(&format!("{x} {z}"), corners.map(|c| corner + c).to_vec(), true));
        }
    }
    people.sort_by(|a, b| a.name.cmp(&b.name));
    room.characters = people;
    (room, goal)
}

/// The picture with the characters where they are now.
pub(crate) fn drawn(map: &str, world: &World) -> String {
    drawn_from(map, world, DVec2::ZERO)
}

/// The same with the corner of the cells moved by this, where places are on the border of two cells.
pub(crate) fn drawn_from(map: &str, world: &World, corner: DVec2) -> String {
    let map = trimmed(map);
    let mut rows: Vec<Vec<char>> = map
        .lines()
        .map(|row| row.chars().map(|letter| if letter == '#' { '#' } else { '.' }).collect())
        .collect();
    for character in world.characters() {
        let cell = (character.position.at - corner) / CELL_M;
        rows[cell.y as usize][cell.x as usize] = character.name.chars().next().unwrap();
    }
    rows.into_iter().map(|row| row.into_iter().collect::<String>() + "\n").collect()
}

pub(crate) fn ids(world: &World) -> Vec<CharacterId> {
    world.characters().iter().map(|character| character.id).collect()
}

/// Sends everybody to the goal, one after the other in the order of their letters. All must end as `end` after
/// `seconds`, where the second picture says.
fn check(avoidance: Avoidance, map: &str, seconds: f64, end: &WalkEnd, expected: &str) {
    let (mut room, goal) = room_of(map);
    room.crowd.avoidance = avoidance;
    let mut world = world(room);
    let all = ids(&world);
    all.iter().for_each(|&who| send(&mut world, who, goal));
    let mut ends = run(&mut world, seconds);
    ends.sort();
    let expected_ends: Vec<_> = all.iter().map(|&who| (who, end.clone())).collect();
    let picture = drawn(map, &world);
    assert_eq!(ends, expected_ends, "{avoidance:?}\n{picture}");
    assert_eq!(picture, trimmed(expected), "{avoidance:?}, got:\n{picture}");
}

#[test]
fn a_file_in_a_corridor_arrives_as_a_file() {
    let map = "####################
               d..c..b..a.........G
               ####################";
    check(
        Avoidance::Steer,
        map,
        20.0,
        &WalkEnd::Arrived,
        "####################
         ................dcba
         ####################",
    );
    // They stand to the left and to the right by turns, so two are in one column.
    check(
        Avoidance::Push,
        map,
        20.0,
        &WalkEnd::Arrived,
        "####################
         ................db.a
         ####################",
    );
}

#[test]
fn a_group_in_the_open_arrives_round_the_goal() {
    check(
        Avoidance::Steer,
        "..................
         ab................
         cd................
         ef...........G....
         gh................
         ..................
         ..................",
        15.0,
        &WalkEnd::Arrived,
        "..................
         .........e........
         .............g.a..
         ...........b.d....
         ............f.....
         ............c.....
         ..........h.......",
    );
}

#[test]
fn people_as_near_as_they_get_end_together_too() {
    check(
        Avoidance::Steer,
        "...........#####
         a..........#####
         b..........##G##
         c..........#####
         ...........#####",
        15.0,
        &WalkEnd::Partial,
        "...........#####
         .........a.#####
         ........c.b##.##
         ...........#####
         ...........#####",
    );
}

/// `b` has arrived at the goal. `a` sets out for it by this order.
fn arrives_beside(
    map: &str,
    order: impl Fn(CharacterId, CharacterId, DVec2) -> Command,
) -> (World, Option<f64>) {
    let (mut room, goal) = room_of(map);
    room.points.insert("goal".into(), goal.into());
    let mut world = world(room);
    let [a, b] = ids(&world)[..] else { panic!("two people") };
    send(&mut world, b, goal);
    assert_eq!(run(&mut world, 10.0), [(b, WalkEnd::Arrived)]);
    world.apply(order(a, b, goal)).unwrap();
    let ends = run(&mut world, 20.0);
    let has_arrived = ends.contains(&(a, WalkEnd::Arrived));
    let apart_m = at(&world, a).distance(goal);
    (world, has_arrived.then_some(apart_m))
}

const HALL: &str = "..............
                    a.......b.G...
                    ..............";

#[test]
fn some_walks_must_get_to_the_very_place() {
    let beside = 0.6..0.8;
    let there = 0.0..0.1;
    let walk = |who, _, to: DVec2| Command::SetTarget { who, to: to.into() };
    let exact = |who, _, to: DVec2| Command::SetExactTarget { who, to: to.into(), look_at: None };
    let to_use = |who, _, _| Command::Use { who, object: "goal".into() };
    assert!(beside.contains(&arrives_beside(HALL, walk).1.unwrap()));
    assert!(there.contains(&arrives_beside(HALL, exact).1.unwrap()));
    assert!(there.contains(&arrives_beside(HALL, to_use).1.unwrap()));
    // Talking distance is farther than a touch.
    let talk = |who, other, _| Command::TalkTo { who, other };
    assert!((1.2..1.4).contains(&arrives_beside(HALL, talk).1.unwrap()));
    // A goal that is another place is not shared.
    let near = |who, _, to: DVec2| Command::SetTarget { who, to: (to + dvec2(0.3, 0.0)).into() };
    assert!((0.2..0.4).contains(&arrives_beside(HALL, near).1.unwrap()));
}

#[test]
fn rooms_and_characters_may_forbid_it() {
    for (room_shares, own, is_shared) in
        [(true, None, true), (false, None, false), (true, Some(false), false), (false, Some(true), true)]
    {
        let (mut room, goal) = room_of(HALL);
        room.crowd.shares_goals = room_shares;
        let mut world = world(room);
        let all = ids(&world);
        world.apply(Command::Tune { who: all[0], setting: Setting::SharesGoals(own) }).unwrap();
        send(&mut world, all[1], goal);
        run(&mut world, 3.0);
        send(&mut world, all[0], goal);
        run(&mut world, 10.0);
        let apart_m = at(&world, all[0]).distance(goal);
        assert_eq!(apart_m > 0.5, is_shared, "{room_shares} {own:?}: {apart_m} m");
    }
}

#[test]
fn a_touch_through_a_wall_is_none() {
    // `b` arrives at the goal. `a` passes it on the other side of the wall, or where the wall is not.
    let walls = "..............
                 a.............
                 #############.
                 ........G....b";
    for (map, goes_round) in [(walls.to_owned(), true), (walls.replace('#', "."), false)] {
        let (mut room, goal) = room_of(&map);
        room.characters.iter_mut().for_each(|spec| spec.collision_radius_m = 0.5);
        let mut world = world(room);
        let all = ids(&world);
        send(&mut world, all[1], goal);
        run(&mut world, 5.0);
        send(&mut world, all[0], goal);
        assert_eq!(run(&mut world, 20.0), [(all[0], WalkEnd::Arrived)]);
        let picture = drawn(&map, &world);
        assert_eq!(at(&world, all[0]).y > 1.5, goes_round, "\n{picture}");
        assert!((0.9..1.2).contains(&at(&world, all[0]).distance(goal)), "\n{picture}");
    }
}

#[test]
fn one_who_has_gone_elsewhere_or_has_another_errand_gives_no_arrival() {
    // `b` arrives, and is taken to the way of `a`; or it has gone there by itself.
    for by_itself in [false, true] {
        let (room, goal) = room_of(HALL);
        let mut world = world(room);
        let all = ids(&world);
        send(&mut world, all[1], goal);
        run(&mut world, 3.0);
        let beside = goal - dvec2(2.0, 0.0);
        if by_itself {
            send(&mut world, all[1], beside);
        } else {
            world.apply(Command::Teleport { who: all[1], to: beside.into() }).unwrap();
        }
        run(&mut world, 3.0);
        send(&mut world, all[0], goal);
        assert_eq!(run(&mut world, 10.0).last(), Some(&(all[0], WalkEnd::Arrived)));
        assert!(at(&world, all[0]).distance(goal) < 0.1, "{by_itself}");
    }
}

#[test]
fn a_shared_arrival_is_a_post() {
    let (mut room, goal) = room_of(HALL);
    room.characters[0].returns_to_post = true;
    let mut world = world(room);
    let all = ids(&world);
    send(&mut world, all[1], goal);
    run(&mut world, 3.0);
    send(&mut world, all[0], goal);
    run(&mut world, 10.0);
    let there = at(&world, all[0]);
    assert!(there.distance(goal) > 0.5);
    assert_eq!(world.character(all[0]).unwrap().post.at, there);
}

#[test]
fn an_interrupted_walk_remains_exact_and_so_does_a_saved_one() {
    let (room, goal) = room_of(HALL);
    let mut world = world(room.clone());
    let all = ids(&world);
    send(&mut world, all[1], goal);
    run(&mut world, 3.0);
    world.apply(Command::SetExactTarget { who: all[0], to: goal.into(), look_at: None }).unwrap();
    world.apply(Command::Interrupt(all[0])).unwrap();
    let mut world = World::restore(room, &world.state()).unwrap();
    world.apply(Command::Resume { who: all[0], level: 0 }).unwrap();
    run(&mut world, 10.0);
    assert!(at(&world, all[0]).distance(goal) < 0.1);
}

#[test]
fn who_stands_at_an_exact_place_comes_back_to_it() {
    for is_exact in [true, false] {
        let (room, _) = room_of(
            "..............
             ......a.......
             b.............
             ..............",
        );
        let mut world = world(room);
        let [a, b] = ids(&world)[..] else { panic!("two people") };
        let place = dvec2(3.75, 1.25);
        let order = match is_exact {
            true => Command::SetExactTarget { who: a, to: place.into(), look_at: None },
            false => Command::SetTarget { who: a, to: place.into() },
        };
        world.apply(order).unwrap();
        run(&mut world, 2.0);
        // Somebody pushes right through.
        world.apply(Command::Steer { who: b, direction: DVec2::X }).unwrap();
        run(&mut world, 3.0);
        assert!(at(&world, a).distance(place) > 0.3, "it steps aside");
        run(&mut world, 5.0);
        assert_eq!(at(&world, a).distance(place) < 0.1, is_exact, "{}", at(&world, a));
    }
}
