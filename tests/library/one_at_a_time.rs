//! Those who go one at a time, as the last resort of a jam: what else happens meanwhile, and who is not concerned.

use crate::mazes::Maze;
use cicerone::room::parse;
use cicerone::world::{CharacterId, Command, EventKind, Setting, World};
use glam::{DVec2, dvec2};
use serde_json::{Value, json};

/// Three in a dead end that only get on in an order, and what else is in the room.
fn dead_end(more: impl FnOnce(&mut Value)) -> (World, Vec<CharacterId>) {
    let maze = Maze::of(&["....", ".#.."], &[4, 0, 7], &[1, 4, 6]);
    let mut room = maze.room("mesh", "push");
    more(&mut room);
    walking(&maze, &room)
}

/// All who are in a maze walk to their goals.
fn walking(maze: &Maze, room: &Value) -> (World, Vec<CharacterId>) {
    let mut world = world_of(room);
    let ids: Vec<_> = (0..3).map(|i| id_of(&world, &format!("p{i}"))).collect();
    for (&who, goal) in ids.iter().zip(&maze.goals) {
        walk_to(&mut world, who, maze.middle_of(*goal).into());
    }
    (world, ids)
}

fn world_of(room: &Value) -> World {
    World::new(parse("rooms/maze.json", room.to_string().as_bytes()).unwrap().room, 1).unwrap()
}

fn id_of(world: &World, name: &str) -> CharacterId {
    world.character_named(name).unwrap().id
}

fn walk_to(world: &mut World, who: CharacterId, to: DVec2) {
    world.apply(Command::SetTarget { who, to: to.into() }).unwrap();
}

fn walk_until(world: &mut World, seconds: f64) {
    while world.time_s() < seconds {
        world.tick();
    }
}

fn goes_one_at_a_time(world: &World) -> bool {
    serde_json::to_string(&world.state()).unwrap().contains("rearrangements")
}

/// Ticks until an order has been found.
fn until_rearranged(world: &mut World) {
    while !goes_one_at_a_time(world) {
        world.tick();
        assert!(world.time_s() < 60.0, "no order was found");
    }
}

/// The ends of all walks, with the names of those who walked.
fn ends_of(world: &mut World) -> Vec<(String, String)> {
    let events = world.take_events();
    let ends = events.into_iter().filter_map(|event| match event.kind {
        EventKind::WalkEnded { who, end, .. } => Some((world.character(who)?.name.clone(), end.to_string())),
        _ => None,
    });
    ends.collect()
}

/// Others walk to and fro in a hall that is joined to the dead end, near it and a hundred metres away. None of them stands
/// still because of the jam, be it a player or not; and however many stand far away, an order is found.
#[test]
fn those_who_are_not_in_the_way_walk_on() {
    for (from_m, player, idle) in [(4.4, false, 0), (4.4, true, 0), (100.0, false, 0), (100.0, true, 6)] {
        let turns = [dvec2(from_m, 0.9), dvec2(from_m + 3.0, 0.9)];
        let maze = Maze::of(&["#.#", "...", ".#."], &[1, 8, 5], &[3, 5, 8]);
        let mut room = maze.room("grid", "steer");
        // The way into the hall is closed by one who cannot be moved.
        let hall = json!({ "name": "hall", "polygon": [[3.6, 0.4], [130, 0.4], [130, 2], [3.6, 2]] });
        let way = json!({ "name": "way", "polygon": [[2.4, 0.8], [3.6, 0.8], [3.6, 1.6], [2.4, 1.6]] });
        room["areas"].as_array_mut().unwrap().extend([hall, way]);
        let body =
            |name: &str, at: DVec2| json!({ "name": name, "at": at.to_array(), "collisionRadius": 0.3 });
        let mut post = body("post", dvec2(2.85, 1.2));
        post["pinned"] = true.into();
        let mut walker = body("walker", turns[0]);
        walker["player"] = player.into();
        let stands = |i: i32| body(&format!("s{i}"), dvec2(115.0 + 2.0 * f64::from(i), 1.2));
        room["characters"]
            .as_array_mut()
            .unwrap()
            .extend([post, walker].into_iter().chain((0..idle).map(stands)));

        let (mut world, _) = walking(&maze, &room);
        let walker = id_of(&world, "walker");
        let (mut turn, mut still, mut rearranged, mut ends) = (0, 0, false, Vec::new());
        while world.time_s() < 90.0 {
            let before = world.character(walker).unwrap().position;
            if !world.character(walker).unwrap().is_moving() {
                turn = 1 - turn;
                walk_to(&mut world, walker, turns[turn]);
            }
            world.tick();
            let moved = world.character(walker).unwrap().position != before;
            still = if moved { 0 } else { still + 1 };
            assert!(still < 30, "{from_m} m, player: {player}: stands at {:.1} s", world.time_s());
            rearranged |= goes_one_at_a_time(&world);
            ends.extend(ends_of(&mut world).into_iter().filter(|(name, _)| name != "walker"));
        }
        assert!(rearranged && ends.len() == 3, "{from_m} m, {idle} idle: {rearranged}, {ends:?}");
        assert!(ends.iter().all(|(_, end)| end == "arrived"), "{from_m} m, {idle} idle: {ends:?}");
    }
}

/// One whose speed becomes nothing holds up nobody for long, and one that is put elsewhere does not walk from there.
#[test]
fn an_order_ends_with_one_that_cannot_keep_it() {
    for i in 0..3 {
        let (mut world, ids) = dead_end(|_| {});
        until_rearranged(&mut world);
        let since_s = world.time_s();
        for &who in &ids[i..] {
            world.apply(Command::Tune { who, setting: Setting::WalkSpeed(0.0) }).unwrap();
        }
        while goes_one_at_a_time(&world) {
            world.tick();
            assert!(world.time_s() < since_s + 12.0, "p{i} and those after it stand");
        }

        let (mut world, ids) = dead_end(|room| {
            let polygon = [[9, 0], [10, 0], [10, 1], [9, 1]];
            room["areas"].as_array_mut().unwrap().push(json!({ "name": "elsewhere", "polygon": polygon }));
        });
        until_rearranged(&mut world);
        let away = dvec2(9.5, 0.5);
        world.apply(Command::Teleport { who: ids[i], to: away.into() }).unwrap();
        let since_s = world.time_s();
        walk_until(&mut world, since_s + 40.0);
        assert!(!goes_one_at_a_time(&world), "p{i} is away");
        let at = world.character(ids[i]).unwrap().position.at;
        assert!(at.distance(away) < 1.0, "p{i} walked through a wall to {at}");
    }
}

/// The places of an order are no closer for a body as small as a grain: a tick does not get dear.
#[test]
fn a_grain_among_them_costs_nothing() {
    let mut all = Vec::new();
    for radius_m in [0.1, 1e-3, 1e-6] {
        let (mut world, _) = dead_end(|room| {
            let grain = json!({ "name": "grain", "at": [1.2, 0.65], "collisionRadius": radius_m });
            room["characters"].as_array_mut().unwrap().push(grain);
        });
        walk_until(&mut world, 9.0);
        let start = std::time::Instant::now();
        walk_until(&mut world, 30.0);
        all.push(start.elapsed().as_secs_f64());
    }
    assert!(all[2] < 10.0 * all[0], "{all:?}");
}

/// Whoever leaves the room, or goes elsewhere, while they go one at a time: the others do not wait for it for ever.
#[test]
fn nobody_waits_for_one_that_is_gone() {
    let moments = (0..3).flat_map(|i| (10..22).map(move |at_s| (i, f64::from(at_s))));
    for (leaver, at_s, goes) in moments.flat_map(|(i, at_s)| [(i, at_s, true), (i, at_s, false)]) {
        let (mut world, ids) = dead_end(|_| {});
        walk_until(&mut world, at_s);
        let who = ids[leaver];
        let command = match goes {
            true => Command::Despawn(who),
            false => Command::Interrupt(who),
        };
        world.apply(command).unwrap();
        walk_until(&mut world, at_s + 90.0);
        let walking: Vec<_> = world.characters().iter().filter(|c| c.is_moving()).map(|c| &c.name).collect();
        assert!(walking.is_empty(), "p{leaver}, {at_s} s, goes: {goes}: {walking:?}");
    }
}

/// Those who cannot be moved are walls, and among hundreds of them no order is looked for.
#[test]
fn one_in_a_lane_is_blocked_however_many_stand_about() {
    for count in [0, 60, 300] {
        let person = |name: String, x: f64, z: f64, radius_m: f64| json!({ "name": name, "at": [x, z], "pinned": true, "collisionRadius": radius_m });
        let at = |i: i32| (0.3 + 0.3 * f64::from(i % 20), 3.3 + 0.3 * f64::from(i / 20));
        let standing = |i| person(format!("s{i}"), at(i).0, at(i).1, 0.1);
        let mut people: Vec<Value> = (0..count).map(standing).collect();
        people.push(person("in_the_lane".into(), -2.0, 6.3, 0.2));
        people.push(json!({ "name": "w", "at": [-5, 6.3], "collisionRadius": 0.2 }));
        let areas = json!([
            { "name": "hall", "polygon": [[0, 3], [14, 3], [14, 12], [0, 12]] },
            { "name": "lane", "polygon": [[-6, 6], [0, 6], [0, 6.6], [-6, 6.6]] },
        ]);
        let room = json!({ "agentRadius": 0.2, "areas": areas, "characters": people });
        let mut world = world_of(&room);
        let who = id_of(&world, "w");
        walk_to(&mut world, who, dvec2(-0.8, 6.3));
        (0..5_400).for_each(|_| world.tick());
        let end = ends_of(&mut world).pop().map(|(_, end)| end);
        assert_eq!(end.as_deref(), Some("blocked by in_the_lane"), "{count} stand about");
    }
}

/// Two want to pass each other in a blind lane, which nobody can: they are told so, and no order leads through one of them.
/// A player among them is not held.
#[test]
fn where_nobody_can_pass_it_is_told_in_time() {
    for (ground, avoidance) in [("grid", "push"), ("grid", "steer"), ("mesh", "push"), ("mesh", "steer")] {
        for (cells, player) in [(4, false), (6, false), (6, true), (10, false)] {
            let lane = ".".repeat(cells);
            let maze = Maze::of(&[&lane], &[0, cells - 1], &[cells - 1, 0]);
            let mut room = maze.room(ground, avoidance);
            room["characters"][1]["player"] = player.into();
            let mut world = world_of(&room);
            for (who, goal) in ["p0", "p1"].into_iter().zip(&maze.goals) {
                let who = id_of(&world, who);
                walk_to(&mut world, who, maze.middle_of(*goal).into());
            }
            let mut ends = Vec::new();
            while world.time_s() < 100.0 && ends.is_empty() {
                world.tick();
                ends.extend(ends_of(&mut world));
                assert!(!goes_one_at_a_time(&world), "{ground}, {avoidance}: {cells} cells: an order");
            }
            let told = format!("{ground}, {avoidance}, {cells} cells, player: {player}: {ends:?}");
            assert!(ends.iter().all(|(_, end)| end.starts_with("blocked")) && !ends.is_empty(), "{told}");
            println!("{told} at {:.1} s", world.time_s());
        }
    }
}

/// One who never gives up gets on even if for a long time there was no order.
#[test]
fn patient_ones_get_on_once_there_is_an_order() {
    for (ground, avoidance) in [("grid", "push"), ("mesh", "steer")] {
        let maze = Maze::of(&[".#.", ".#.", "..."], &[2, 7, 3], &[6, 5, 8]);
        let mut room = maze.room(ground, avoidance);
        room["crowd"]["patience"] = "never".into();
        let stop = json!({ "name": "stop", "at": maze.middle_of(5), "pinned": true, "collisionRadius": 0.3 });
        room["characters"].as_array_mut().unwrap().push(stop);
        let (mut world, _) = walking(&maze, &room);
        walk_until(&mut world, 90.0);
        let stop = id_of(&world, "stop");
        world.apply(Command::Despawn(stop)).unwrap();
        walk_until(&mut world, 250.0);
        let ends = ends_of(&mut world);
        assert!(
            ends.len() == 3 && ends.iter().all(|(_, end)| end == "arrived"),
            "{ground}, {avoidance}: {ends:?}"
        );
    }
}

/// People who stand behind a wall are in nobody's way, however near they are.
#[test]
fn those_behind_a_wall_are_not_in_the_way() {
    for ground in ["grid", "mesh"] {
        for idle in [2, 4, 8] {
            let maze = Maze::of(&["....", ".#.."], &[4, 0, 7], &[1, 4, 6]);
            let mut room = maze.room(ground, "push");
            let rect = |name: &str, [x, z]: [f64; 2], [to_x, to_z]: [f64; 2]| json!({ "name": name, "polygon": [[x, z], [to_x, z], [to_x, to_z], [x, to_z]] });
            // One comes there by a long way round, in which somebody stands.
            let more = [
                rect("hall", [0.0, 1.75], [3.2, 4.5]),
                rect("east", [3.2, 0.0], [30.0, 0.8]),
                rect("turn", [30.0, 0.0], [31.0, 4.5]),
                rect("back", [3.2, 3.7], [30.0, 4.5]),
            ];
            room["areas"].as_array_mut().unwrap().extend(more);
            let stands = |name: String, at: [f64; 2], pinned: bool| json!({ "name": name, "at": at, "pinned": pinned, "collisionRadius": 0.3 });
            let people = room["characters"].as_array_mut().unwrap();
            people.push(stands("post".into(), [3.6, 0.4], true));
            people.extend((0..idle).map(|i| {
                stands(format!("s{i}"), [0.4 + 0.7 * f64::from(i % 4), 2.2 + 0.7 * f64::from(i / 4)], false)
            }));
            let (mut world, _) = walking(&maze, &room);
            walk_until(&mut world, 60.0);
            let ends = ends_of(&mut world);
            assert!(
                ends.len() == 3 && ends.iter().all(|(_, end)| end == "arrived"),
                "{ground}, {idle}: {ends:?}"
            );
        }
    }
}
