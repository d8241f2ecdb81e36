//! What a page is told, and what it can do.

use crate::client::Served;
use serde_json::json;

#[test]
fn a_page_is_told_the_room_and_everybody() {
    let mut served = Served::room("tavern.json");
    let mut page = served.page();
    let hello = page.told(&mut served, "hello");
    assert_eq!((&hello["room"], &hello["file"]), (&json!("tavern"), &json!("rooms/tavern.json")));
    let scene = page.told(&mut served, "scene");
    assert_eq!(scene["areas"].as_array().unwrap().len(), 7);
    let cellar =
        scene["areas"].as_array().unwrap().iter().find(|area| area["name"] == "cellar_door").unwrap();
    assert_eq!((&cellar["open"], &cellar["movable"]), (&json!(false), &json!(true)));
    assert!(scene["storeys"][0]["svg"].as_str().unwrap().starts_with("<svg"));
    let people = page.told(&mut served, "people");
    let player = &people["people"][0];
    assert_eq!((&player["name"], &player["player"]), (&json!("player"), &json!(true)));

    let frame = page.binary(&mut served, 1);
    let count = frame[5] as usize;
    assert_eq!(count, served.runtime.world().characters().len());
    assert_eq!(frame.len(), 6 + count * 6);
    let world = served.runtime.world();
    let at = world.characters()[0].position.at;
    let (x, z) = (f32::from_bits(frame[6 + count]), f32::from_bits(frame[6 + 2 * count]));
    assert!((f64::from(x) - at.x).abs() < 0.5 && (f64::from(z) - at.y).abs() < 0.5, "{x} {z} {at}");
}

#[test]
fn a_click_of_the_page_walks_the_player_and_its_path_is_told() {
    let mut served = Served::room("tavern.json");
    let mut page = served.page();
    page.told(&mut served, "scene");
    let player = served.runtime.world().player().unwrap().id;
    let answer = page
        .order(&mut served, json!({ "do": "look", "who": player.0, "paths": "selected", "cells": false }));
    assert_eq!(answer["ok"], true, "{answer}");
    let answer = page.order(&mut served, json!({ "do": "click", "at": [2.5, 4.0] }));
    assert_eq!(answer["ok"], true, "{answer}");
    loop {
        let paths = page.binary(&mut served, 2);
        if paths[1] > 0 {
            assert_eq!(paths[2], player.0);
            break;
        }
    }
    let arrived = page.wait_for(&mut served, |message| {
        let text = message.to_text().ok()?;
        text.contains("player: arrived").then(|| text.to_owned())
    });
    assert!(arrived.contains(&format!(r#""who":[{}]"#, player.0)), "{arrived}");
}

/// On a mesh, the polygons of a path are told with their storeys.
#[test]
fn the_corridor_of_the_looked_at_character_is_told() {
    let mut served = Served::room("lighthouse.json");
    let mut page = served.page();
    page.told(&mut served, "scene");
    let player = served.runtime.world().player().unwrap().id;
    page.order(&mut served, json!({ "do": "look", "who": player.0, "paths": "selected", "cells": false }));
    let answer = page.order(&mut served, json!({ "do": "walk", "who": player.0, "to": "lamp" }));
    assert_eq!(answer["ok"], true, "{answer}");
    let corridor = |message: &tungstenite::Message| {
        let value: serde_json::Value = serde_json::from_str(message.to_text().ok()?).ok()?;
        let polygons = value["corridor"].as_array().filter(|_| value["kind"] == "inspect")?.clone();
        (polygons.len() > 3).then_some(polygons)
    };
    let polygons = page.wait_for(&mut served, corridor);
    let corners = |polygon: &serde_json::Value| -> Vec<[f64; 2]> {
        serde_json::from_value(polygon["polygon"].clone()).unwrap()
    };
    let storeys: Vec<u64> = polygons.iter().map(|polygon| polygon["storey"].as_u64().unwrap()).collect();
    assert!(storeys.contains(&0) && storeys.iter().any(|&storey| storey > 0), "{storeys:?}");
    // Each polygon touches the next one: an end of the shared edge is a corner of one of them.
    for pair in polygons.windows(2) {
        let [one, other] = [corners(&pair[0]), corners(&pair[1])];
        let near = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]) < 0.01;
        assert!(one.iter().any(|a| other.iter().any(|b| near(a, b))), "{one:?} {other:?}");
    }
    // It gets shorter on the way.
    let most = polygons.len();
    page.wait_for(&mut served, |message| corridor(message).filter(|polygons| polygons.len() < most));
}

#[test]
fn time_stands_still_goes_on_and_is_stepped() {
    let mut served = Served::room("doorway.json");
    let mut page = served.page();
    page.order(&mut served, json!({ "do": "pause" }));
    let tick = served.runtime.world().tick_number();
    page.order(&mut served, json!({ "do": "setSpeed", "speed": 2 }));
    assert_eq!(served.runtime.world().tick_number(), tick);
    page.order(&mut served, json!({ "do": "stepOnce", "ticks": 3 }));
    page.told(&mut served, "state");
    assert_eq!(served.runtime.world().tick_number(), tick + 3);
    page.order(&mut served, json!({ "do": "resume" }));
    page.told(&mut served, "state");
    for _ in 0..10 {
        served.turn();
    }
    assert!(served.runtime.world().tick_number() > tick + 3);
}

#[test]
fn a_page_asks_and_evaluates() {
    let mut served = Served::room("tavern.json");
    let mut page = served.page();
    page.told(&mut served, "scene");
    let answer = page.order(&mut served, json!({ "do": "lua", "line": "1 + 1" }));
    assert_eq!(answer["values"], json!([2]), "{answer}");
    let answer = page.order(&mut served, json!({ "do": "complete", "text": "room:np", "cursor": 7 }));
    assert!(answer["candidates"].as_array().unwrap().iter().any(|one| one["text"] == "npc("), "{answer}");
    assert_eq!(answer["from"], 5);
    let answer = page.order(&mut served, json!({ "do": "probe", "from": [1, 1], "to": [3, 2.5] }));
    assert_eq!(answer["complete"], true, "{answer}");
    assert!(answer["length"].as_f64().unwrap() > 1.0 && answer["cost"].as_f64().unwrap() > 1.0);
    let answer = page.order(&mut served, json!({ "do": "probe", "from": [1, 1], "to": [13, 2] }));
    assert!(answer["text"].as_str().unwrap().contains("cellar_door"), "{answer}");
    let answer =
        page.order(&mut served, json!({ "do": "setArea", "area": "cellar_door", "available": true }));
    assert_eq!(answer["ok"], true, "{answer}");
    page.wait_for(&mut served, |message| {
        let value: serde_json::Value = serde_json::from_str(message.to_text().ok()?).ok()?;
        let areas = value["areas"].as_array()?;
        areas.iter().any(|area| area["name"] == "cellar_door" && area["open"] == true).then_some(())
    });
}

#[test]
fn what_is_no_order_is_answered() {
    let mut served = Served::room("doorway.json");
    let mut page = served.page();
    page.told(&mut served, "hello");
    for (order, why) in [
        (json!({ "do": "fly" }), "unknown variant `fly`"),
        (json!({ "do": "step" }), "the page has no such order"),
        (json!({ "do": "restore", "save": "" }), "the page has no such order"),
        (json!({ "do": "restore", "file": "a.save" }), "the page has no such order"),
        (json!({ "do": "save", "file": "a.save" }), "the page has no such order"),
        (
            json!({ "do": "spawn", "name": "cat", "at": [1, 1], "script": "../cat.lua" }),
            "leads out of the project",
        ),
        (json!({ "do": "spawn", "name": "cat", "at": [1, 1], "script": "scripts/cat.lua" }), "no such file"),
        (json!({ "do": "say", "who": 0, "text": "", "seconds": 1e308 }), "not 1e308"),
        (json!({ "do": "setSpeed", "speed": "fast" }), "invalid type"),
        (json!({ "do": "pause", "now": true }), "unknown field `now`"),
        (json!({ "do": "walk", "who": "nobody", "to": [1, 1] }), "there is no character 'nobody'"),
        (json!({}), "missing field `do`"),
        (json!({ "do": "click", "at": [1e300, 0] }), ""),
    ] {
        let answer = page.order(&mut served, order.clone());
        let told = answer["error"].as_str().unwrap_or_default();
        assert!(
            told.contains(why) && (!why.is_empty() || answer["ok"] == true || !told.is_empty()),
            "{order}: {answer}"
        );
    }
    page.socket.send(tungstenite::Message::from("[")).unwrap();
    page.wait_for(&mut served, |message| {
        message.to_text().ok()?.contains("this is no JSON object").then_some(())
    });
}
