//! Right of way on links: two ladders for one with a small landing between them.

use crate::common::in_sweeps;
use cicerone::nav::Place;
use cicerone::room::parse;
use cicerone::world::{Character, Command, EventKind, World};
use glam::dvec2;
use serde_json::json;

const RADIUS_M: f64 = 0.3;

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
        let mut world =
            World::new(parse("rooms/way.json", room.to_string().as_bytes()).unwrap().room, 1).unwrap();
        let people: Vec<_> = world.characters().iter().map(|c| (c.id, c.name.clone())).collect();
        for (who, name) in people {
            let (y, z) = if name.starts_with('u') { (6.0, 19.0) } else { (0.0, 1.0) };
            let x = 1.0 + 1.2 * name[1..].parse::<f64>().unwrap();
            let to = Place { at: dvec2(x, z), y_m: Some(y) };
            world.apply(Command::SetTarget { who, to }).unwrap();
        }
        let (mut arrived, mut least_m, mut deep_ticks) = (0, f64::INFINITY, 0);
        while world.time_s() < 240.0 && arrived < 2 * each {
            world.tick();
            let on_ground = || world.characters().iter().filter(|c| c.crossing.is_none());
            let mut now_m = f64::INFINITY;
            for one in on_ground() {
                let level_m = |c: &Character| world.ground().height_m(c.position);
                let others = on_ground().filter(|other| other.id < one.id && level_m(other) == level_m(one));
                now_m = others.map(|c| c.position.distance(one.position)).fold(now_m, f64::min);
            }
            least_m = least_m.min(now_m);
            deep_ticks += u64::from(now_m < RADIUS_M);
            for event in world.take_events() {
                if let EventKind::WalkEnded { end, .. } = event.kind {
                    assert_eq!(end.to_string(), "arrived", "a landing of {side_m} m, {each} each");
                    arrived += 1;
                }
            }
        }
        let told = format!(
            "{side_m} m, seed {seed}: {arrived} arrived, {:.0} s, least {least_m:.2} m, deep {deep_ticks} ticks",
            world.time_s()
        );
        println!("{told}");
        assert_eq!(arrived, 2 * each, "{told}");
        // One who comes off a ladder onto another one parts from it at once.
        assert!(deep_ticks < 60, "{told}");
    }
}
