//! Areas that close on people, in the pictures of `shared_goals`: `|` is the door.

use crate::common::crowd::{at, run, send, world};
use crate::common::{character, in_sweeps, trimmed};
use crate::shared_goals::{drawn, ids, room_of};
use cicerone::room::{Avoidance, GroundKind, Room, WhenOccupied};
use cicerone::world::{CharacterId, Command, World};
use glam::{DVec2, dvec2};

const CLOSE: fn() -> Command = || Command::SetAreaAvailable { area: "door".into(), available: false };

/// The room of a picture whose cells with `|`, and those of the characters named in `inside`, are one area.
fn with_door(map: &str, inside: &str, rule: WhenOccupied, avoidance: Avoidance) -> World {
    let rows: Vec<String> = trimmed(map).lines().map(str::to_owned).collect();
    let mut corners: Option<(DVec2, DVec2)> = None;
    for (z, row) in rows.iter().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            if letter == '|' || inside.contains(letter) {
                let (min, max) =
                    (dvec2(x as f64, z as f64) * 0.5, dvec2(x as f64 + 1.0, z as f64 + 1.0) * 0.5);
                corners = corners.map_or(Some((min, max)), |(a, b)| Some((a.min(min), b.max(max))));
            }
        }
    }
    let (min, max) = corners.unwrap();
    let (mut room, _) = room_of(&map.replace('|', "#"));
    room.crowd.avoidance = avoidance;
    room.areas.retain(|area| {
        let middle = area.polygon.iter().sum::<DVec2>() / area.polygon.len() as f64;
        !(middle.cmpgt(min).all() && middle.cmplt(max).all())
    });
    let polygon = vec![min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)];
    let mut door = crate::common::area("door", polygon, true);
    door.when_occupied = rule;
    room.areas.push(door);
    world(room)
}

fn least_gap_m(world: &World) -> f64 {
    let all = world.characters();
    let gaps = all.iter().enumerate().flat_map(|(index, one)| {
        let others = all[..index].iter();
        others.map(|other| {
            one.position.at.distance(other.position.at) - one.collision_radius_m - other.collision_radius_m
        })
    });
    gaps.fold(f64::INFINITY, f64::min)
}

#[test]
fn those_who_are_evicted_get_places_of_their_own() {
    for avoidance in [Avoidance::Steer, Avoidance::Push] {
        // Four in the doorway, and one beside it where the nearest ground is.
        let map = "............
                   ............
                   ...eab......
                   ....cd......
                   ............
                   ............";
        let mut world = with_door(map, "abcd", WhenOccupied::Evict, avoidance);
        let before: Vec<DVec2> = world.characters().iter().map(|character| character.position.at).collect();
        world.apply(CLOSE()).unwrap();
        let picture = drawn(map, &world);
        assert!(least_gap_m(&world) > -1e-9, "nobody is put upon another\n{picture}");
        let ways = world.characters().iter().zip(&before).map(|(c, before)| c.position.at.distance(*before));
        let most_m = ways.fold(0.0, f64::max);
        assert!(most_m < 1.6, "{most_m} m\n{picture}");
        assert_eq!(at(&world, ids(&world)[4]), before[4], "e stands where it stood\n{picture}");
        let expected = "............
                        ....ab......
                        ...e........
                        ...c..d.....
                        ............
                        ............";
        assert_eq!(picture, trimmed(expected), "{avoidance:?}\n{picture}");
    }
}

/// `a` stands in the doorway and leaves after three seconds; `b` wants to pass it. Returns where `b` was farthest, the
/// picture then, and whether the door is closed at the end.
fn passes(rule: WhenOccupied, closes: bool, order: impl Fn(&mut World, CharacterId)) -> (f64, String, bool) {
    let map = "######...#####
               b.....a......G
               ######...#####";
    let mut world = with_door(map, "a", rule, Avoidance::Steer);
    let all = ids(&world);
    if closes {
        world.apply(CLOSE()).unwrap();
    }
    order(&mut world, all[1]);
    let mut farthest_m: f64 = 0.0;
    let mut picture = String::new();
    for tick in 0..600 {
        if tick == 180 {
            send(&mut world, all[0], dvec2(3.75, 0.25));
        }
        run(&mut world, 1.0 / 60.0);
        if tick == 179 {
            picture = drawn(map, &world);
        }
        farthest_m = farthest_m.max(at(&world, all[1]).x);
    }
    let door = world.area_named("door").unwrap();
    (farthest_m, picture, !world.ground().area_available(door))
}

#[test]
fn a_door_that_waits_to_close_lets_nobody_in() {
    let walks = |world: &mut World, who| send(world, who, dvec2(6.75, 0.75));
    let (farthest_m, picture, is_closed) = passes(WhenOccupied::Hold, true, walks);
    assert!(is_closed && farthest_m < 3.0, "it waits before the door: {farthest_m} m\n{picture}");
    // Without an order to close, it passes.
    let (farthest_m, _, is_closed) = passes(WhenOccupied::Hold, false, walks);
    assert!(!is_closed && farthest_m > 6.0, "{farthest_m} m");
    let steers = |world: &mut World, who| {
        world.apply(Command::Steer { who, direction: DVec2::X }).unwrap();
    };
    let (farthest_m, picture, is_closed) = passes(WhenOccupied::Hold, true, steers);
    assert!(is_closed && farthest_m <= 3.0, "a player stops there, too: {farthest_m} m\n{picture}");
}

#[test]
fn one_who_passes_beside_a_closing_door_goes_on() {
    let map = "####...####
               ####.a.####
               b.........G";
    let mut world = with_door(map, "a", WhenOccupied::Hold, Avoidance::Steer);
    let all = ids(&world);
    world.apply(CLOSE()).unwrap();
    send(&mut world, all[1], dvec2(5.25, 1.25));
    run(&mut world, 6.0);
    assert!(at(&world, all[1]).x > 5.0, "\n{}", drawn(map, &world));
    assert!(world.is_closing(world.area_named("door").unwrap()), "a stands in it");
}

/// Twelve people in a hall, who want into a train of the same width behind a door of two metres.
fn hall_and_train(kind: GroundKind, depth_m: f64) -> World {
    let rectangle = |name: &str, min: DVec2, max: DVec2| {
        crate::common::area(name, vec![min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)], true)
    };
    let mut room = Room::default();
    (room.ground.kind, room.ground.boundary_padding_m, room.ground.agent_radius_m) = (kind, 0.25, 0.25);
    let mut door = rectangle("door", dvec2(4.0, 6.0), dvec2(6.0, 6.0 + depth_m));
    door.when_occupied = WhenOccupied::Hold;
    let train = rectangle("train", dvec2(0.0, 6.0 + depth_m), dvec2(10.0, 9.0 + depth_m));
    room.areas = vec![rectangle("hall", DVec2::ZERO, dvec2(10.0, 6.0)), door, train];
    room.characters = (0..12)
        .map(|index| {
            character(&format!("p{index}"), dvec2(1.5 + f64::from(index % 6), 2.0 + f64::from(index / 6)))
        })
        .collect();
    world(room)
}

#[test]
fn a_door_however_thin_closes_on_a_crowd_that_presses_in() {
    for kind in [GroundKind::Grid, GroundKind::Mesh] {
        let starts_s: Vec<f64> =
            (20..=50).step_by(in_sweeps(1, 10)).map(|tenths| f64::from(tenths) / 10.0).collect();
        let depths_m = [0.1, 0.2, 0.4, 0.8, 1.6];
        for (depth_m, after_s) in depths_m.into_iter().flat_map(|m| starts_s.iter().map(move |&s| (m, s))) {
            let mut world = hall_and_train(kind, depth_m);
            for (index, who) in (0..).zip(ids(&world)) {
                send(&mut world, who, dvec2(0.8 * f64::from(index) + 0.6, 8.0 + depth_m));
            }
            run(&mut world, after_s);
            world.apply(CLOSE()).unwrap();
            let door = world.area_named("door").unwrap();
            let is_walking =
                |world: &World| world.characters().iter().any(|character| character.walk.is_some());
            while is_walking(&world) && world.time_s() < after_s + 60.0 {
                run(&mut world, 1.0);
            }
            assert!(!world.ground().area_available(door), "{kind:?}, {depth_m} m, after {after_s} s: open");
            assert!(!is_walking(&world), "{kind:?}, {depth_m} m, after {after_s} s: still on their way");
        }
    }
}

/// Two doors of a wall, one closed while the other is open. Whoever walks to and fro between them for long is told of the one
/// that is closed in the end.
#[test]
fn doors_that_change_by_turns_are_named() {
    use crate::right_of_way::{ends, rectangle, room};
    for ground in ["grid", "mesh"] {
        let areas = vec![
            rectangle("hall", [0.0, 0.0], [20.0, 5.0]),
            rectangle("left", [1.0, 5.0], [2.5, 5.5]),
            rectangle("right", [17.5, 5.0], [19.0, 5.5]),
            rectangle("yard", [0.0, 5.5], [20.0, 10.0]),
        ];
        let ann = serde_json::json!({ "name": "ann", "at": [10, 2], "collisionRadius": 0.3 });
        let room = room(ground, "steer", areas, vec![ann]);
        let parsed = cicerone::room::parse("rooms/doors.json", room.to_string().as_bytes()).unwrap();
        let mut world = world(parsed.room);
        crate::right_of_way::send(&mut world, "ann", dvec2(10.0, 8.0));
        let mut is_left = true;
        let mut ended = Vec::new();
        while ended.is_empty() && world.time_s() < 300.0 {
            for (door, available) in [("left", is_left), ("right", !is_left)] {
                world.apply(Command::SetAreaAvailable { area: door.into(), available }).unwrap();
            }
            is_left = !is_left;
            let until_s = world.time_s() + 4.0;
            ended = ends(&mut world, 1, until_s);
        }
        let [(_, end, _)] = &ended[..] else { panic!("{ground}: {ended:?}") };
        let closed = if is_left { "left" } else { "right" };
        assert_eq!(end, &format!("blocked by {closed}"), "{ground}");
    }
}
