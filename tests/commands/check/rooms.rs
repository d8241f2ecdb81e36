//! What is said of rooms.

use super::{check, project, words};
use crate::common::project::Project;

/// What is said of a room, a line each.
fn said_of(room: &str) -> Vec<String> {
    let project = Project::new(&[("rooms/r.json", room)]);
    let output = check(&project.path(""), &["rooms", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["errors"], 0, "{report:#}");
    let problems = report["problems"].as_array().unwrap().iter();
    problems.map(|p| format!("{}:{}: {}", p["line"], p["column"], p["message"].as_str().unwrap())).collect()
}

/// A hall at the left of a den, with something between them, and more.
fn two_halls(from_x: f64, between: &str, more: &str) -> String {
    format!(
        r#"{{ "cellSize": 0.25, "agentRadius": 0.25, "objectPadding": 0, "boundaryPadding": 0.2,
"areas": [
{{ "name": "hall", "polygon": [[0, 0], [4, 0], [4, 4], [0, 4]] }},
{between}
{{ "name": "den", "polygon": [[{from_x}, 0], [8, 0], [8, 4], [{from_x}, 4]] }}]
{more} }}"#
    )
}

#[test]
fn areas_that_nearly_touch() {
    let told = "5:29: areas 'hall' and 'den' nearly touch";
    let said = said_of(&two_halls(4.02, "", ""));
    assert!(
        said.len() == 1
            && said[0].starts_with(told)
            && said[0].contains("0.02 m lie between them near [4.01, 2.00]"),
        "{said:?}"
    );
    assert!(said_of(&two_halls(4.3, "", ""))[0].starts_with(told));
    // They touch, they are a body's width apart, or there is a door in the wall between them.
    assert!(said_of(&two_halls(4.0, "", "")).is_empty());
    assert!(said_of(&two_halls(4.5, "", "")).is_empty());
    let door = r#"{ "name": "door", "polygon": [[4, 1], [4.2, 1], [4.2, 3], [4, 3]], "available": false },"#;
    assert_eq!(said_of(&two_halls(4.2, door, "")), Vec::<String>::new());
}

#[test]
fn points_off_the_ground() {
    let more = r#", "obstacles": [{ "name": "well", "polygon": [[1, 1], [2, 1], [2, 2], [1, 2]] }],
"points": { "deep": [1.5, 1.5], "far": [9, 9], "good": [3, 3] }"#;
    assert_eq!(
        said_of(&two_halls(4.0, "", more)),
        [
            "7:21: the point 'deep' lies inside obstacle 'well', where no character can stand",
            "7:40: the point 'far' lies outside every area, where no character can stand",
        ]
    );
    let closed = two_halls(4.0, "", r#", "points": { "a": [6, 2] }"#)
        .replace("4]] }]", "4]], \"available\": false }]");
    assert_eq!(said_of(&closed), Vec::<String>::new(), "a closed area can be opened");
}

/// The band in which one can walk through the door is 0.15 m wide: no centre of a cell of 0.5 m lies in it.
#[test]
fn cells_too_coarse_for_a_door() {
    let door = r#"{ "name": "door", "polygon": [[4, 1.5], [4.3, 1.5], [4.3, 1.95], [4, 1.95]] },"#;
    let room = |cell: &str| {
        let room = two_halls(4.3, door, "")
            .replace("0.25, \"agentRadius\": 0.25", &format!("{cell}, \"agentRadius\": 0.2"));
        room.replace("\"boundaryPadding\": 0.2", "\"boundaryPadding\": 0.15")
    };
    let said = said_of(&room("0.5"));
    assert!(
        said.len() == 1
            && said[0].starts_with(
                "4:30: cells of 0.5 m are too coarse: no way leads through 'door' from 'hall' to 'den'"
            ),
        "{said:?}"
    );
    assert_eq!(said_of(&room("0.05")), Vec::<String>::new());
}

#[test]
fn hotspots_that_another_covers() {
    let hotspot = |name: &str, size: f64| {
        format!(r#"{{ "name": "{name}", "polygon": [[0, 0], [{size}, 0], [{size}, {size}], [0, {size}]] }}"#)
    };
    let room = |first: (&str, f64), second: (&str, f64)| {
        let more =
            format!(", \"hotspots\": [\n{},\n{}]", hotspot(first.0, first.1), hotspot(second.0, second.1));
        said_of(&two_halls(4.0, "", &more))
    };
    assert_eq!(
        room(("table", 3.0), ("cup", 1.0)),
        ["8:11: 'cup' cannot be pointed at: 'table' lies over all of it"]
    );
    assert_eq!(room(("cup", 1.0), ("table", 3.0)), Vec::<String>::new());
}

#[test]
fn hotspots_above_each_other_do_not_cover_each_other() {
    let room = |height: f64| {
        said_of(&format!(
            r#"{{"mesh": {{"polygons": [[[0,0,0], [8,0,0], [8,0,4], [0,0,4]], [[0,3,0], [4,3,0], [4,3,4], [0,3,4]]]}},
            "hotspots": [
              {{"name": "oven", "polygon": [[0,0], [3,0], [3,3], [0,3]], "walkTo": [2, 0, 2]}},
              {{"name": "window", "polygon": [[0,0], [3,0], [3,3], [0,3]], "walkTo": [2, {height}, 2]}}]}}"#
        ))
    };
    assert_eq!(room(3.0), Vec::<String>::new());
    let [covered] = &room(0.0)[..] else { panic!("{:?}", room(0.0)) };
    assert!(covered.contains("'window' cannot be pointed at: 'oven' lies over all of it"), "{covered}");
}

#[test]
fn scripts_in_the_wrong_place() {
    let guard = "local G = {}\nfunction G.on_talk(self, npc, other) end\nreturn G";
    let room = "local R = {}\nfunction R.on_load(room) end\nreturn R";
    let project = project(&[
        ("scripts/guard.lua", room),
        ("scripts/room.lua", guard),
        ("lost.lua", "return {}"),
        ("found.lua", "return {}"),
        ("scripts/user.lua", "return { found = require 'found' }"),
    ]);
    let said = words(&check(&project.path(""), &["."]));
    for expected in [
        "warning: 'guard' follows 'scripts/guard.lua', which is a room's script (at characters[0].script)",
        "warning: the room follows 'scripts/room.lua', which is a character's script (at script)",
        "--> lost.lua:1:1",
        "no room and no script names this file, and it is not in scripts/",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
    assert!(!said.contains("found.lua:"), "{said}");
}
