//! A house of two storeys on the command line: baked, asked for paths, drawn.

use crate::common::command::{cicerone, code, json, text};
use crate::common::project::Project;
use serde_json::{Value, json};

/// A hall, stairs up to a landing, and a loft above the hall, half of it closed.
const HOUSE: &str = r#"{
    "ground": "mesh",
    "mesh": { "polygons": [
        [[0, 0, 0], [6, 0, 0], [6, 0, 6], [0, 0, 6]],
        [[6, 0, 4], [10, 3.1, 4], [10, 3.1, 6], [6, 0, 6]],
        [[10, 3.1, 0], [12, 3.1, 0], [12, 3.1, 6], [10, 3.1, 6]],
        [[0, 3.1, 0], [6, 3.1, 0], [6, 3.1, 4], [0, 3.1, 4]],
        [[6, 3.1, 0], [10, 3.1, 0], [10, 3.1, 4], [6, 3.1, 4]]
    ] },
    "areas": [{ "name": "attic", "polygons": [3], "available": false }],
    "points": { "bed": [7.5, 3.1, 1.5] },
    "characters": [{ "name": "Ada", "at": [1.5, 0, 4.5], "player": true }]
}"#;

/// The command with the house in the place of `ROOM`.
fn run(words: &[&str]) -> std::process::Output {
    let project = Project::new(&[("rooms/house.json", HOUSE)]);
    let house = project.path("rooms/house.json");
    let house = house.to_str().unwrap();
    let words: Vec<&str> = words.iter().map(|&word| if word == "ROOM" { house } else { word }).collect();
    cicerone(&words)
}

#[test]
fn a_house_is_baked_as_json() {
    let output = run(&["bake", "ROOM", "--format", "json", "--open", "attic"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let baked = json(&output);
    assert_eq!(
        baked["polygons"][3],
        json!({
            "number": 3, "areas": ["attic"], "open": true,
            "corners": [[0.0, 3.1, 0.0], [6.0, 3.1, 0.0], [6.0, 3.1, 4.0], [0.0, 3.1, 4.0]]
        })
    );
    let portals = baked["portals"].as_array().unwrap();
    let pairs: Vec<(&Value, &Value)> =
        portals.iter().map(|portal| (&portal["from"], &portal["to"])).collect();
    assert_eq!(json!(pairs), json!([[0, 1], [1, 2], [2, 4], [3, 4]]));
    assert!(portals.iter().all(|portal| portal["bothWays"] == json!(true)));
    assert_eq!(portals[1]["ends"], json!([[10.0, 3.1, 4.0], [10.0, 3.1, 6.0]]));
    let closed = json(&run(&["bake", "ROOM", "--format", "json"]));
    assert_eq!(closed["polygons"][3]["open"], json!(false));
    let output = run(&["bake", "ROOM"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("is a mesh: bake it with --format json"), "{output:?}");
}

#[test]
fn a_path_upstairs_has_its_polygons_and_heights() {
    let query = ["path", "ROOM", "--from", "1,0,3.5", "--to", "1,3.1,3.5", "--open", "attic"];
    let answer = json(&run(&[&query[..], &["--format", "json"]].concat()));
    assert_eq!(answer["polygons"], json!([0, 1, 2, 4, 3]));
    assert_eq!(answer["waypoints"], json!([[6.0, 0.0, 4.0], [10.0, 3.1, 4.0], [1.0, 3.1, 3.5]]));
    let drawn = text(&run(&[&query[..], &["--format", "ascii"]].concat()).stdout);
    let (below, above) = drawn.split_once("storey 2 (y 3.1 m)").unwrap();
    assert!(below.starts_with("storey 1 (y 0.0 to 3.1 m)\n"), "{drawn}");
    assert!(below.contains('S') && !below.contains('G') && above.contains('G'), "{drawn}");
    assert!(below.matches('*').count() > 10 && above.matches('*').count() > 10, "{drawn}");
    let on_grid = json(&cicerone(&["path", "tavern", "--to", "bar_left", "--format", "json"]));
    assert_eq!(on_grid.get("polygons"), None);
}

#[test]
fn a_house_is_drawn_storey_by_storey() {
    let both = text(&run(&["draw", "ROOM"]).stdout);
    assert!(both.contains(">storey 1 (y 0.0 to 3.1 m)<") && both.contains(">storey 2 (y 3.1 m)<"));
    let upstairs = text(&run(&["draw", "ROOM", "--storey", "2"]).stdout);
    assert!(upstairs.contains(">bed<") && !upstairs.contains(">Ada<") && !upstairs.contains(">storey 1 ("));
    let attic = run(&["draw", "ROOM", "--storey", "3"]);
    assert_eq!(code(&attic), 2);
    assert!(text(&attic.stderr).contains("--storey 3: this room has 2 storeys, 1 to 2"), "{attic:?}");
}
