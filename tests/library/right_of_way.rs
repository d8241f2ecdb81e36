//! Right of way: followers before the one they follow, ladders with a small landing, a player in a doorway, a crowd before a
//! door. Widths and seeds are swept: single scenes hide what only some widths do.

use crate::common::in_sweeps;
use cicerone::nav::Place;
use cicerone::room::parse;
use cicerone::world::{Character, Command, Event, EventKind, World};
use glam::{DVec2, dvec2};
use serde_json::{Value, json};

pub(crate) const RADIUS_M: f64 = 0.3;

/// A world of a room file.
fn world_of(room: &Value, seed: u64) -> World {
    let parsed = parse("rooms/way.json", room.to_string().as_bytes());
    World::new(parsed.unwrap_or_else(|report| panic!("{report:?}\n{room}")).room, seed).unwrap()
}

pub(crate) fn rectangle(name: &str, min: [f64; 2], max: [f64; 2]) -> Value {
    json!({ "name": name, "polygon": [min, [max[0], min[1]], max, [min[0], max[1]]] })
}

/// A room of a kind of ground, for bodies of [`RADIUS_M`].
pub(crate) fn room(ground: &str, avoidance: &str, areas: Vec<Value>, characters: Vec<Value>) -> Value {
    let mut room = json!({
        "agentRadius": RADIUS_M, "boundaryPadding": RADIUS_M, "crowd": { "avoidance": avoidance },
        "areas": areas, "characters": characters,
    });
    match ground {
        "mesh" => room["ground"] = "mesh".into(),
        _ => room["cellSize"] = 0.05.into(),
    }
    room
}

pub(crate) fn send(world: &mut World, who: &str, to: DVec2) {
    let who = world.character_named(who).unwrap().id;
    world.apply(Command::SetTarget { who, to: to.into() }).unwrap();
}

/// Runs until so many walks have ended: how, and when.
pub(crate) fn ends(world: &mut World, walks: usize, most_s: f64) -> Vec<(String, String, f64)> {
    let mut ends = Vec::new();
    while ends.len() < walks && world.time_s() < most_s {
        world.tick();
        for event in world.take_events() {
            if let EventKind::WalkEnded { who, end, .. } = event.kind {
                ends.push((world.name_of(who).to_owned(), end.to_string(), world.time_s()));
            }
        }
    }
    ends
}

/// Numbers between 0 and 1 from a seed.
pub(crate) fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Companions in a blind lane go out before the player, however often it turns round.
#[test]
fn followers_go_before_the_one_they_follow() {
    let (mut turns, mut slowest, mut failed) = (0, 0.0, Vec::new());
    // The longer lanes are longer than `giveWayReach`.
    let lengths: &[f64] = in_sweeps(&[4.0, 8.0, 14.0, 18.0], &[8.0, 18.0]);
    let widths: &[f64] = in_sweeps(&[1.1, 1.17, 1.4, 1.75, 2.1], &[1.17, 1.75]);
    for (followers, beside) in (1..=in_sweeps(4, 3)).flat_map(|count| [(count, false), (count, true)]) {
        for (ground, avoidance) in [("grid", "steer"), ("mesh", "steer"), ("grid", "push"), ("mesh", "push")]
        {
            for (&length_m, &bodies) in lengths.iter().flat_map(|m| widths.iter().map(move |w| (m, w))) {
                for seed in 1..=in_sweeps(3, 1) {
                    let told = format!(
                        "{followers} on a {ground}, {avoidance}, beside: {beside}, {bodies} bodies, {length_m} m, seed {seed}"
                    );
                    let mut world =
                        before_a_blind_lane(followers, beside, ground, avoidance, [length_m, bodies], seed);
                    for round in 0..4 {
                        let to = [dvec2(3.0 + length_m, 4.0), dvec2(1.0, 1.0)][round % 2];
                        send(&mut world, "player", to);
                        let begun_s = world.time_s();
                        let ends = ends(&mut world, 1, begun_s + 90.0);
                        turns += 1;
                        slowest = f64::max(slowest, world.time_s() - begun_s);
                        if !ends.iter().any(|(_, end, _)| end == "arrived") {
                            failed.push(format!("{told}, round {round}: {ends:?}"));
                        }
                        (0..180).for_each(|_| world.tick());
                    }
                }
            }
        }
    }
    println!("{} of {turns} turns fail, the slowest took {slowest:.0} s: {failed:#?}", failed.len());
    // One in a thousand, where four stand round the player at the mouth of the lane.
    assert!(failed.len() * 500 <= turns, "{} of {turns}", failed.len());
}

/// A hall with a player and those who follow it, and a lane that leads nowhere.
fn before_a_blind_lane(
    followers: usize,
    beside: bool,
    ground: &str,
    avoidance: &str,
    [length_m, bodies]: [f64; 2],
    seed: u64,
) -> World {
    let half_m = bodies * RADIUS_M;
    let areas = vec![
        rectangle("hall", [0.0, 0.0], [4.0, 8.0]),
        rectangle("dead_end", [4.0, 4.0 - half_m], [4.0 + length_m, 4.0 + half_m]),
    ];
    let mut number = numbers(seed);
    let mut people = vec![json!({ "name": "player", "at": [2.5, 3.5 + number()], "player": true })];
    people.extend(
        (0..followers).map(|i| json!({ "name": format!("f{i}"), "at": [1.0 + 0.4 * number(), 3 + i] })),
    );
    people.iter_mut().for_each(|person| person["collisionRadius"] = RADIUS_M.into());
    let mut world = world_of(&room(ground, avoidance, areas, people), seed);
    let player = world.character_named("player").unwrap().id;
    for i in 0..followers {
        let who = world.character_named(&format!("f{i}")).unwrap().id;
        let command = match beside {
            true => Command::WalkBeside { who, other: player },
            false => Command::Follow { who, other: player, distance_m: 1.2 },
        };
        world.apply(command).unwrap();
    }
    world
}

/// A link is entered only with room at its far end: nobody is put down on somebody, and nobody waits for ever.
#[test]
fn a_landing_between_two_ladders_never_fills_up() {
    let sizes = [(0.6, 2), (0.9, 3), (1.2, 5), (2.0, 5)];
    let seeds = in_sweeps(1..=8, 1..=2);
    for (seed, (side_m, each)) in seeds.flat_map(|seed| sizes.map(|size| (f64::from(seed), size))) {
        let (low, high) = (4.0 - side_m / 2.0, 4.0 + side_m / 2.0);
        let (near, far) = (9.0, 9.0 + side_m);
        let polygon = |min: [f64; 2], max: [f64; 2], y: f64| {
            json!([[min[0], y, min[1]], [max[0], y, min[1]], [max[0], y, max[1]], [min[0], y, max[1]]])
        };
        let person =
            |name: String, at: [f64; 3]| json!({ "name": name, "at": at, "collisionRadius": RADIUS_M });
        // Other starts for each seed, side by side.
        let across = |i: usize| 1.5 + 0.8 * i as f64 + (seed * 0.37 + i as f64 * 0.61).fract() * 0.15;
        let along = |i: usize| (seed * 0.73 + i as f64 * 0.29).fract();
        let up = (0..each).map(|i| person(format!("u{i}"), [across(i), 0.0, 5.5 + along(i)]));
        let down = (0..each).map(|i| person(format!("d{i}"), [across(i), 6.0, 14.0 + along(i)]));
        let room = json!({
            "agentRadius": RADIUS_M,
            "mesh": { "polygons": [
                polygon([0.0, 0.0], [8.0, 8.0], 0.0),
                polygon([low, near], [high, far], 3.0),
                polygon([0.0, 12.0], [8.0, 20.0], 6.0),
            ] },
            "links": [
                { "name": "lower", "from": [4, 0, 7.5], "to": [4, 3, near + 0.1], "kind": "ladder", "capacity": 1 },
                { "name": "upper", "from": [4, 3, far - 0.1], "to": [4, 6, 12.5], "kind": "ladder", "capacity": 1 },
            ],
            "characters": up.chain(down).collect::<Vec<_>>(),
        });
        let mut world = world_of(&room, 1);
        let people: Vec<_> = world.characters().iter().map(|c| (c.id, c.name.clone())).collect();
        for (who, name) in people {
            let (y, z) = if name.starts_with('u') { (6.0, 19.0) } else { (0.0, 1.0) };
            let x = 1.0 + 1.2 * name[1..].parse::<f64>().unwrap();
            let to = Place { at: dvec2(x, z), y_m: Some(y) };
            world.apply(Command::SetTarget { who, to }).unwrap();
        }
        let (mut arrived, mut least_m) = (0, f64::INFINITY);
        // One that is saved before every tick lives the same life.
        let mut twin = (seed == 1.0).then(|| world.clone());
        while world.time_s() < 240.0 && arrived < 2 * each {
            world.tick();
            if let Some(saved) = &mut twin {
                *saved = World::restore(saved.room().clone(), &saved.state()).unwrap();
                saved.tick();
                assert_eq!(saved.checksum(), world.checksum(), "{side_m} m, at {:.2} s", world.time_s());
            }
            let on_ground = || world.characters().iter().filter(|c| c.crossing.is_none());
            for one in on_ground() {
                let level_m = |c: &Character| world.ground().height_m(c.position);
                let others = on_ground().filter(|other| other.id < one.id && level_m(other) == level_m(one));
                least_m = others.map(|c| c.position.distance(one.position)).fold(least_m, f64::min);
            }
            for event in world.take_events() {
                if let EventKind::WalkEnded { end, .. } = event.kind {
                    assert_eq!(end.to_string(), "arrived", "a landing of {side_m} m, {each} each");
                    arrived += 1;
                }
            }
        }
        let told = format!(
            "{side_m} m, seed {seed}: {arrived} arrived, {:.0} s, least {least_m:.2} m",
            world.time_s()
        );
        println!("{told}");
        assert_eq!(arrived, 2 * each, "{told}");
        assert!(least_m > 2.0 * RADIUS_M - 0.05, "{told}");
    }
}

/// A player who stands in a doorway, and others before it.
fn player_in_a_door(ground: &str, avoidance: &str, width_m: f64, others: Vec<Value>) -> Value {
    let areas = vec![
        rectangle("hall", [0.0, 0.0], [10.0, 10.0]),
        rectangle("door", [10.0, 5.0 - width_m / 2.0], [10.4, 5.0 + width_m / 2.0]),
        rectangle("yard", [10.4, 0.0], [22.0, 10.0]),
    ];
    let mut people =
        vec![json!({ "name": "player", "at": [10.2, 5], "player": true, "collisionRadius": RADIUS_M })];
    people.extend(others);
    room(ground, avoidance, areas, people)
}

/// Ann behind a player who stands in a doorway, with more keys of ann and of the crowd.
fn behind_a_player(ground: &str, avoidance: &str, width_m: f64, [ann, crowd]: [Value; 2]) -> World {
    let add = |to: &mut Value, keys: Value| {
        to.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    };
    let mut keys = json!({ "name": "ann", "at": [7, 3], "collisionRadius": RADIUS_M });
    add(&mut keys, ann);
    let mut room = player_in_a_door(ground, avoidance, width_m, vec![keys]);
    add(&mut room["crowd"], crowd);
    let mut world = world_of(&room, 1);
    send(&mut world, "ann", dvec2(18.0, 3.0));
    world
}

/// A player in a doorway: the one behind stands and waits, and is told after ten seconds.
#[test]
fn one_who_waits_behind_a_player_stands_still() {
    for ground in ["grid", "mesh"] {
        for avoidance in ["steer", "push"] {
            for width_m in [0.9, 1.0, 1.2, 1.4] {
                let mut world = behind_a_player(ground, avoidance, width_m, [json!({}), json!({})]);
                let told = format!("a door of {width_m} m on {ground}, {avoidance}");
                let (mut end, mut walked_m) = (None, 0.0);
                while end.is_none() && world.time_s() < 60.0 {
                    let before = world.character_named("ann").unwrap().position;
                    world.tick();
                    if world.time_s() > 6.0 {
                        walked_m += world.character_named("ann").unwrap().position.distance(before);
                    }
                    let ended = |event: Event| match event.kind {
                        EventKind::WalkEnded { end, .. } => Some(end.to_string()),
                        _ => None,
                    };
                    end = world.take_events().into_iter().find_map(ended);
                }
                assert_eq!(end.as_deref(), Some("blocked by player"), "{told}");
                assert!(world.time_s() < 20.0, "{told}: {:.1} s", world.time_s());
                assert!(walked_m < 5.0, "{told}: to and fro for {walked_m:.1} m");
            }
        }
    }
}

/// Those in a jam that a player holds up give up, however much they move up and change places. Most are told of the player,
/// the others of somebody who gave up before them and stands there still.
#[test]
fn fifteen_behind_a_player_give_up_soon() {
    let rates = in_sweeps(&[20, 60, 144][..], &[20][..]);
    for (ground, avoidance) in [("grid", "steer"), ("grid", "push"), ("mesh", "steer"), ("mesh", "push")] {
        for width_m in [0.9, 1.2, 1.4] {
            for (&rate, seed) in rates.iter().flat_map(|rate| (1..=5).map(move |seed| (rate, seed))) {
                let mut number = numbers(seed);
                let mut near = |at: f64, i: usize| at + 1.3 * i as f64 + 0.3 * number();
                let walker = |i: usize| json!({ "name": format!("w{i}"), "at": [near(2.0, i / 5), near(2.0, i % 5)], "collisionRadius": RADIUS_M });
                let mut room = player_in_a_door(ground, avoidance, width_m, (0..15).map(walker).collect());
                room["ticksPerSecond"] = rate.into();
                let mut world = world_of(&room, seed);
                for i in 0..15 {
                    let to = dvec2(13.0 + (i / 5) as f64, 2.0 + 1.2 * (i % 5) as f64);
                    send(&mut world, &format!("w{i}"), to);
                }
                let ends = ends(&mut world, 15, 100.0);
                let told =
                    format!("a door of {width_m} m on {ground}, {avoidance}, {rate}, seed {seed}: {ends:?}");
                assert_eq!(ends.len(), 15, "{told}");
                // At 20 ticks, long steps lead pushers past the player on a mesh.
                let blocked = ends.iter().filter(|(_, end, _)| end.starts_with("blocked")).count();
                let squeezed = if (ground, avoidance, rate) == ("mesh", "push", 20) { 15 } else { 0 };
                assert!(blocked + squeezed >= 15, "{told}");
                let named = ends.iter().filter(|(_, end, _)| end == "blocked by player").count();
                assert!(named * 3 >= blocked * 2, "{named} are told of the player: {told}");
            }
        }
    }
}

/// A pinned clerk in the only door holds a jam up like a player does.
#[test]
fn those_behind_a_pinned_character_give_up_too() {
    for (ground, avoidance) in [("grid", "steer"), ("grid", "push"), ("mesh", "steer"), ("mesh", "push")] {
        let walker = |i: usize| {
            let at = [2.0 + 1.3 * (i / 3) as f64, 3.0 + 1.3 * (i % 3) as f64];
            json!({ "name": format!("w{i}"), "at": at, "collisionRadius": RADIUS_M })
        };
        let mut room = player_in_a_door(ground, avoidance, 1.0, (0..9).map(walker).collect());
        let clerk = &mut room["characters"][0];
        (clerk["player"], clerk["pinned"]) = (false.into(), true.into());
        let mut world = world_of(&room, 1);
        (0..9).for_each(|i| send(&mut world, &format!("w{i}"), dvec2(13.0 + i as f64, 5.0)));
        let ends = ends(&mut world, 9, 60.0);
        let told = format!("{ground}, {avoidance}: {ends:?}");
        assert_eq!(ends.len(), 9, "{told}");
        assert!(ends.iter().all(|(_, end, _)| end.starts_with("blocked")), "{told}");
    }
}

/// The key of a character counts more than that of the room, and "never" outlasts everything, also the effort of a walk.
#[test]
fn patience_says_when_a_walk_ends_as_blocked() {
    let cases = [
        (json!({}), json!({ "patience": 3 }), Some(3.0)),
        (json!({ "patience": 20 }), json!({ "patience": 3 }), Some(20.0)),
        (json!({ "patience": 5 }), json!({ "patience": "never" }), Some(5.0)),
        (json!({ "patience": "never" }), json!({}), None),
        (json!({}), json!({ "patience": "never" }), None),
    ];
    for (ann, crowd, patience_s) in cases {
        for avoidance in ["steer", "push"] {
            let told = format!("{ann}, {crowd}, {avoidance}");
            let mut world = behind_a_player("mesh", avoidance, 1.0, [ann.clone(), crowd.clone()]);
            let end = ends(&mut world, 1, 600.0);
            match patience_s {
                Some(patience_s) => {
                    let [(_, end, at_s)] = &end[..] else { panic!("{told}: {end:?}") };
                    assert_eq!(end, "blocked by player", "{told}");
                    assert!((patience_s..patience_s + 6.0).contains(at_s), "{told}: {at_s:.1} s");
                }
                None => {
                    assert!(end.is_empty(), "{told}: {end:?}");
                    send(&mut world, "player", dvec2(12.0, 8.0));
                    let end = ends(&mut world, 2, 660.0);
                    assert!(
                        end.iter().any(|(who, end, _)| who == "ann" && end == "arrived"),
                        "{told}: {end:?}"
                    );
                }
            }
        }
    }
}

/// How long a fast walker takes behind a slow one in a corridor, in times of one who walks alone.
fn times_behind(ground: &str, width_m: f64, [slow_mps, fast_mps]: [f64; 2], seed: u64) -> f64 {
    let mut number = numbers(seed);
    let mut z = || 5.0 + (number() - 0.5) * (width_m - 2.1 * RADIUS_M);
    let person = |name: &str, x: f64, z: f64, walk_speed: f64| json!({ "name": name, "at": [x, z], "collisionRadius": RADIUS_M, "walkSpeed": walk_speed });
    let people = vec![person("slow", 3.0, z(), slow_mps), person("fast", 1.0, z(), fast_mps)];
    let areas = vec![rectangle("corridor", [0.0, 5.0 - width_m / 2.0], [30.0, 5.0 + width_m / 2.0])];
    let mut world = world_of(&room(ground, "steer", areas, people), seed);
    send(&mut world, "slow", dvec2(29.0, 5.0));
    send(&mut world, "fast", dvec2(28.0, z()));
    let ends = ends(&mut world, 1, 100.0);
    let told = format!("{slow_mps} and {fast_mps} m/s in {width_m} m of {ground}, seed {seed}: {ends:?}");
    assert!(matches!(&ends[..], [(who, end, _)] if who == "fast" && end == "arrived"), "{told}");
    world.time_s() * fast_mps / 27.0
}

/// Where two fit beside each other, the slow one keeps aside, wherever both walk at first.
#[test]
fn the_slow_keep_aside_for_the_fast_behind_them() {
    let speeds = in_sweeps(&[[0.5, 1.6], [0.8, 1.6], [1.0, 1.4], [0.5, 0.8]][..], &[[0.5, 1.6]][..]);
    for ground in ["grid", "mesh"] {
        for width_m in [1.25, 1.3, 1.4, 1.5, 1.7, 2.0] {
            for &speeds in speeds {
                for seed in 1..=5 {
                    let times = times_behind(ground, width_m, speeds, seed);
                    assert!(times < 1.05, "{speeds:?} in {width_m} m of {ground}, seed {seed}: {times:.2}");
                }
            }
        }
        // Two do not fit: nobody tries.
        let times = times_behind(ground, 1.1, [0.8, 1.6], 1);
        assert!((1.8..2.0).contains(&times), "{ground}: {times:.2}");
    }
}

/// The share of those waiting before a door who stand on its one side, while 80 people leave by it.
fn share_on_one_side(ground: &str, width_m: f64, seed: u64, mirrored: bool) -> f64 {
    let areas = vec![
        rectangle("hall", [0.0, 0.0], [10.0, 8.0]),
        rectangle("door", [10.0, 4.0 - width_m / 2.0], [10.5, 4.0 + width_m / 2.0]),
        rectangle("yard", [10.5, 0.0], [30.0, 8.0]),
    ];
    let mut number = numbers(seed);
    let person = |i: usize| {
        let x = 1.0 + 0.8 * (i % 10) as f64 + 0.2 * number();
        let z = 0.8 + 0.8 * (i / 10) as f64 + 0.2 * number();
        let at = [x, if mirrored { 8.0 - z } else { z }];
        json!({ "name": format!("p{i}"), "at": at, "collisionRadius": 0.25 })
    };
    let mut room = room(ground, "steer", areas, (0..80).map(person).collect());
    (room["agentRadius"], room["boundaryPadding"]) = (0.25.into(), 0.25.into());
    let mut world = world_of(&room, 1);
    (0..80).for_each(|i| send(&mut world, &format!("p{i}"), dvec2(28.0, 4.0)));
    let mut sides = [0, 0];
    for tick in 0..1500 {
        world.tick();
        if tick > 300 && tick % 30 == 0 {
            let waiting = world.characters().iter().filter(|c| c.position.at.x < 10.0);
            waiting.for_each(|c| sides[usize::from(c.position.at.y > 4.0)] += 1);
        }
    }
    f64::from(sides[0]) / f64::from(sides[0] + sides[1])
}

/// Nobody comes the other way: those who wait before a door stand on both sides of it. A single run is chaotic, so it is the
/// mean over starts and their mirror images that keeps to no hand.
#[test]
fn a_crowd_before_a_door_keeps_to_no_hand() {
    let widths_m = in_sweeps(&[0.8, 0.9, 1.0, 1.2][..], &[1.0][..]);
    let starts = in_sweeps(6, 2);
    // Fewer runs say less.
    let around = |off: f64| {
        let off = off * (6.0 / starts as f64).sqrt();
        0.5 - off..=0.5 + off
    };
    let mut means = Vec::new();
    for (ground, width_m) in
        ["grid", "mesh"].iter().flat_map(|ground| widths_m.iter().map(move |m| (ground, *m)))
    {
        let runs = (1..=starts).flat_map(|seed| [(seed, false), (seed, true)]);
        let shares: Vec<f64> =
            runs.map(|(seed, mirrored)| share_on_one_side(ground, width_m, seed, mirrored)).collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        println!("{ground}, {width_m} m: {mean:.3} of {shares:.2?}");
        assert!(around(0.08).contains(&mean), "{ground}, {width_m} m: {mean:.2} on one side: {shares:.2?}");
        assert!(
            shares.iter().all(|share| (0.25..=0.75).contains(share)),
            "{ground}, {width_m} m: {shares:.2?}"
        );
        means.push(mean);
    }
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    assert!(around(0.05).contains(&mean), "{mean:.2} on one side: {means:.2?}");
}
