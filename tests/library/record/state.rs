//! The state of a world as data: every part of it counts, and no part of it can do harm.

use crate::common::character;
use crate::record::actions::{Dice, act};
use crate::record::house;
use cicerone::world::{Applied, Command, World, WorldState};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A step from a value to one inside of it.
type Path = Vec<String>;

/// Every value that holds no others, by where it is.
fn leaves(value: &Value, path: &mut Path, found: &mut Vec<Path>) {
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, inner)| (name.clone(), inner)).collect(),
        Value::Array(list) => list.iter().enumerate().map(|(i, inner)| (i.to_string(), inner)).collect(),
        _ => Vec::new(),
    };
    if inside.is_empty() {
        found.push(path.clone());
    }
    for (step, inner) in inside {
        path.push(step);
        leaves(inner, path, found);
        path.pop();
    }
}

fn at<'a>(value: &'a mut Value, path: &[String]) -> &'a mut Value {
    path.iter().fold(value, |value, step| match value {
        Value::Array(list) => &mut list[step.parse::<usize>().unwrap()],
        other => &mut other[step.as_str()],
    })
}

/// Where a value is, without which of several it is.
fn kind(path: &[String]) -> String {
    let names_of_maps = ["areas", "inside", "replans", "departed", "inventory"];
    let mut parent = "";
    let mut words = Vec::new();
    for step in path {
        let one_of_many = step.parse::<usize>().is_ok() || names_of_maps.contains(&parent);
        words.push(if one_of_many { "*" } else { step });
        parent = step;
    }
    words.join(".")
}

/// States of a lively house, with an example of every kind of value that comes up in a minute.
fn states() -> BTreeMap<String, (Path, World)> {
    let mut room = house();
    room.crowd.search_budget_expansions = 20;
    let (mut dice, mut done) = (Dice(11), BTreeSet::new());
    let mut world = World::new(room, 1).unwrap();
    let mut kinds = BTreeMap::new();
    for tick in 0..4000 {
        if tick < 1500 {
            act(&mut world, &mut dice, &mut done);
        } else if tick % 900 == 600 {
            meet(&mut world);
        }
        let mut found = Vec::new();
        leaves(&serde_json::to_value(world.state()).unwrap(), &mut Vec::new(), &mut found);
        for path in found {
            kinds.entry(kind(&path)).or_insert_with(|| (path, world.clone()));
        }
        world.tick();
    }
    kinds
}

/// A calm house, and four people who have to pass each other where only one can.
fn meet(world: &mut World) {
    world.apply(Command::ReplaceRoom(Box::new(house()))).unwrap();
    for area in house().areas {
        let available = area.name != "door";
        world.apply(Command::SetAreaAvailable { area: area.name, available }).unwrap();
    }
    for guest in world.characters().to_vec() {
        world.apply(Command::Despawn(guest.id)).unwrap();
    }
    for (name, from, to) in [("one", "A", "B"), ("two", "A", "B"), ("three", "B", "A"), ("four", "B", "C")] {
        let spec = with!(character(name, world.point(from).unwrap().at), collision_radius_m = 0.55);
        let Applied::Spawned(who) = world.apply(Command::Spawn(Box::new(spec))).unwrap() else {
            panic!("{name}")
        };
        world.apply(Command::SetTarget { who, to: world.point(to).unwrap() }).unwrap();
    }
}

const ODD: [&str; 12] = [
    "null",
    "true",
    "-1",
    "-0.5",
    "1e308",
    "18446744073709551615",
    "4294967295",
    "9007199254740993",
    "\"\"",
    "\"nobody\"",
    "[]",
    "{\"Blocked\": 3}",
];

#[test]
fn every_value_counts_and_none_does_harm() {
    let states = states();
    let kinds: Vec<&str> = states.keys().map(String::as_str).collect();
    for part in [
        "walk.give_way.rank",
        "rightsOfWay.*.flow",
        "queue.active.*.*.query.obstacles.*.centre",
        "replans.*",
        "departed.*",
        "following.in_vain",
        "turn.to",
        "speech.text",
        "inventory.*",
        "last_walk.end",
        "walk.lent_rank",
        "queue.waiting.*",
    ] {
        assert!(kinds.iter().any(|kind| kind.contains(part)), "no {part} in {kinds:#?}");
    }
    let (mut refused, mut lived) = (0, 0);
    for (kind, (path, world)) in &states {
        let good = serde_json::to_value(world.state()).unwrap();
        let mut odd: Vec<Value> = ODD.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        // And a little away from what it is, which is the hardest to notice.
        match at(&mut good.clone(), path) {
            Value::Number(number) if number.is_f64() => odd.push(json!(number.as_f64().unwrap() + 1e-9)),
            Value::Number(number) => odd.extend(number.as_u64().map(|number| json!(number ^ 1))),
            Value::Bool(yes) => odd.push(json!(!*yes)),
            Value::String(text) => odd.push(json!(format!("{text}2"))),
            _ => {}
        }
        for value in odd {
            let mut bad = good.clone();
            *at(&mut bad, path) = value.clone();
            let Ok(state) = serde_json::from_str::<WorldState>(&bad.to_string()) else {
                refused += 1;
                continue;
            };
            let mut again = match World::restore(world.room().clone(), &state) {
                Ok(again) => again,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                    continue;
                }
            };
            // What is told to scripts and people, and changes nothing.
            let told = kind.starts_with("events.") || kind.starts_with("pathStats.");
            if again.state() != world.state() && !told {
                assert_ne!(again.checksum(), world.checksum(), "{kind} = {value} is not in the hash");
            } else if !told {
                assert_eq!(again.checksum(), world.checksum(), "{kind} = {value}");
                let same = at(&mut good.clone(), path).clone();
                let is_zero = |value: &Value| value.as_f64() == Some(0.0);
                // A search that is said to be farther than it can be is over.
                let is_over = kind.ends_with(".expanded");
                assert!(
                    same == value || is_over || is_zero(&same) && is_zero(&value),
                    "{kind} = {value} is lost: it was {same}"
                );
            }
            for _ in 0..200 {
                again.tick();
            }
            lived += 1;
        }
    }
    println!("{} kinds of values, {refused} refused, {lived} lived on", states.len());
    assert!(refused > 500 && lived > 100, "{refused} refused, {lived} lived on");
}

#[test]
fn what_does_not_fit_the_room_is_refused() {
    let world = World::new(house(), 1).unwrap();
    let mut other = house();
    other.areas.retain(|area| area.name != "door");
    let refused = World::restore(other, &world.state()).expect_err("the door is gone").to_string();
    assert!(refused.contains("door"), "{refused}");
    let mut narrow = house();
    narrow.areas.remove(0);
    let refused = World::restore(narrow, &world.state()).expect_err("Ann stands on nothing").to_string();
    assert!(!refused.is_empty());
}
