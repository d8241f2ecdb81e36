//! Valid, unusual and invalid rooms, as their authors would write them.

use proptest::prelude::*;

use super::*;

/// A room that uses every key.
const SAMPLE: &str = r#"{
  "$schema": ".room.schema.json",
  "name": "The Tavern",
  "cellSize": 0.25, "agentRadius": 0.3, "objectPadding": 0.1, "boundaryPadding": 0.05, "floorY": -1.5,
  "areas": [
    { "name": "hall", "polygon": [[0, 0], [10, 0], [10, 8], [0, 8]] },
    { "name": "cellar_door", "polygon": [[10, 3], [11, 3], [11, 5], [10, 5]], "available": false, "whenOccupied": "hold" }
  ],
  "obstacles": [
    { "name": "bar", "polygon": [[1, 1], [4, 1], [4, 2], [1, 2]] },
    { "polygon": [[6, 6], [7, 6], [7, 7]] }
  ],
  "points": { "gate": [0.5, 4], "to do \"ü\"": [5, 5] },
  "goals": ["to do \"ü\""],
  "characters": [
    { "name": "hero", "at": "gate", "player": true, "heading": 1.57 },
    { "name": "keeper", "at": [2, 3], "script": "scripts/keeper.lua", "walkSpeed": 1.1, "rotationSpeed": 6,
      "collisionRadius": 0.4, "tags": ["staff", "slow"], "alive": true, "enabled": false }
  ],
  "script": "scripts/tavern.lua",
  "crowd": { "snapDistance": 4, "collisionIterations": 5.0 },
  "ticksPerSecond": 30
}"#;

const HALL: &str = r#"{"areas": [{"name": "hall", "polygon": [[0,0],[4,0],[4,4],[0,4]]}]"#;

/// A valid room with `more` on its second line.
fn hall(more: &str) -> String {
    format!("{HALL},\n{more}}}")
}

fn good(text: &str) -> Room {
    match parse("rooms/tavern.json", text.as_bytes()) {
        Ok(parsed) => parsed.room,
        Err(report) => panic!("refused:\n{report}\n{text}"),
    }
}

/// The messages for a bad file called `r`.
fn refused(bytes: &[u8]) -> String {
    match parse("r", bytes) {
        Ok(_) => panic!("accepted: {}", String::from_utf8_lossy(bytes)),
        Err(report) => report.to_string(),
    }
}

#[test]
fn everything_a_room_can_say() {
    let room = good(SAMPLE);
    assert_eq!(room.name, "The Tavern");
    assert_eq!(room.ground.cell_size_m, 0.25);
    assert_eq!(room.ground.floor_y_m, -1.5);
    assert_eq!(room.areas[1].when_occupied, WhenOccupied::Hold);
    assert!(room.areas[0].available && !room.areas[1].available);
    assert_eq!(room.obstacles[1].name, "obstacle_2");
    assert_eq!(room.goals, ["to do \"ü\""]);
    assert_eq!(room.characters[0].at, DVec2::new(0.5, 4.0).into());
    assert_eq!(room.characters[0].at_point.as_deref(), Some("gate"));
    assert_eq!(room.characters[0].collision_radius_m, 0.3);
    assert_eq!(room.characters[1].tags, ["staff", "slow"]);
    assert_eq!(room.crowd.snap_distance_m, 4.0);
    assert_eq!(room.crowd.collision_iterations, 5);
    assert_eq!(room.crowd.talk_distance_m, CrowdSettings::default().talk_distance_m);
    assert_eq!(room.bounds(), (DVec2::splat(-0.9), DVec2::new(11.9, 8.9)));
}

#[test]
fn a_seed_nav_file_is_a_room() {
    let room = good(
        r#"{"cellSize": 0.4, "areas": [{"name": "main_room", "polygon": [[0,0],[9,0],[9,9]]}],
        "obstacles": [{"polygon": [[1,1],[2,1],[2,2]]}, {"name": "obstacle_1", "polygon": [[3,1],[4,1],[4,2]]}]}"#,
    );
    assert_eq!(room.name, "tavern");
    assert_eq!(room.ground, GroundSettings::default());
    assert_eq!(room.crowd, CrowdSettings::default());
    assert_eq!(room.ticks_per_second, 60);
    // The default name of the first obstacle is taken.
    assert_eq!(room.obstacles[0].name, "obstacle_3");
}

#[test]
fn odd_but_valid() {
    let plain = good(&format!("{HALL}}}"));
    for odd in [
        format!("\u{feff}{HALL}}}"),
        format!("{HALL}}}\r\n\r\n").replace(", ", ",\r\n\t"),
        format!("{HALL}}}").replace("[0,0]", "[-0,-0.0e5],[0,0],[0,0]"),
        format!("{HALL}}}").replace("[0,4]]", "[0,4],[0,0]]"),
        format!("{HALL}}}").replace("hall", "h\\u0061ll").replace("areas", "\\u0061reas"),
        hall(r#""name": null, "script": null, "crowd": {}, "points": {}"#),
    ] {
        assert_eq!(good(&odd), plain, "{odd}");
    }
    let mut other_way = plain.areas[0].polygon.clone();
    other_way.reverse();
    let room = good(&format!("{HALL}}}").replace("[0,0],[4,0],[4,4],[0,4]", "[0,4],[4,4],[4,0],[0,0]"));
    assert_eq!(room.areas[0].polygon, other_way);
    assert_eq!(parse("./a.b/.room", hall("\"points\":{}").as_bytes()).unwrap().room.name, ".room");
}

#[test]
fn places_may_have_a_height() {
    let more = r#""points": {"loft": [1, 2.5, 3], "floor": [1, 3]},
        "characters": [{"name": "ann", "at": [1, -1, 2]}]"#;
    let room = good(&hall(more));
    assert_eq!(room.points["loft"], Place { at: DVec2::new(1.0, 3.0), y_m: Some(2.5) });
    assert_eq!(room.points["floor"], DVec2::new(1.0, 3.0).into());
    assert_eq!(room.characters[0].at, Place { at: DVec2::new(1.0, 2.0), y_m: Some(-1.0) });
    assert_eq!(good(&room.to_json().unwrap().to_string()), room);
}

#[test]
fn what_the_schema_refuses() {
    for (more, expected) in [
        (r#""celSize": 1"#, "2:1: unknown key 'celSize' in the room (celSize); did you mean 'cellSize'?"),
        (r#""cellSize": 0"#, "2:13: cellSize must be greater than 0, found 0 (cellSize)"),
        (r#""agentRadius": -1"#, "2:16: agentRadius must be greater than 0, found -1 (agentRadius)"),
        (
            r#""cellSize": "0.5""#,
            "2:13: expected a number, found a string (cellSize); write 0.5 without quotes",
        ),
        (
            r#""cellSize": null"#,
            "2:13: expected a number, found null (cellSize); leave the key out to get its default",
        ),
        (r#""floorY": 1e400"#, "2:11: this number is too large to be held"),
        (r#""floorY": 1e308"#, "2:11: floorY must be at most 1000000, found 1e308 (floorY)"),
        (r#""name": "\ud800""#, r"2:10: half a character: one \u escape of a pair is missing"),
        (
            r#""points": {"b": [1, 1], "b": [1, 1]}"#,
            "2:25: the key 'b' stands twice (points.b); the first is at 2:12; keep one of them",
        ),
        (r#""points": {"b": [1]}"#, "2:17: expected a place [x, z], found a list of 1 (points.b)"),
        (r#""points": {"b": [1, 2, 3, 4]}"#, "2:17: expected a place [x, z], found a list of 4 (points.b)"),
        (r#""points": {"b c": "x"}"#, r#"2:19: expected a place [x, z], found a string (points["b c"])"#),
        (
            r#""points": {"b": [1, 2e6]}"#,
            "2:21: a coordinate must be at most 1000000, found 2e6 (points.b[1])",
        ),
        (r#""obstacles": {}"#, "2:14: expected a list, found an object (obstacles); a list is written […]"),
        (r#""obstacles": [{}]"#, "2:15: missing key 'polygon' in an obstacle (obstacles[0])"),
        (
            r#""obstacles": [{"polgon": [[0,0],[1,0],[1,1]]}]"#,
            "2:16: unknown key 'polgon' in an obstacle (obstacles[0].polgon); did you mean 'polygon'?",
        ),
        (
            r#""obstacles": [{"polygon": [[0,0],[1,0]]}]"#,
            "2:27: polygon needs at least 3 entries, found 2 (obstacles[0].polygon)",
        ),
        (
            r#""characters": [{"name": "a", "at": true}]"#,
            "2:36: expected a point's name or a place [x, z], found true (characters[0].at)",
        ),
        (
            r#""characters": [{"name": "a", "at": [1, 1], "alive": 0}]"#,
            "2:53: expected true or false, found a number (characters[0].alive); write false",
        ),
        (
            r#""characters": [{"name": "a", "at": [1, 1], "walkSpeed": -1}]"#,
            "2:57: walkSpeed must be at least 0, found -1 (characters[0].walkSpeed)",
        ),
        (
            r#""characters": [7]"#,
            r#"2:16: expected a character, found a number (characters[0]); a character is written {"name": …}"#,
        ),
        (
            r#""ticksPerSecond": 60.5"#,
            "2:19: ticksPerSecond must be a whole number, found 60.5 (ticksPerSecond)",
        ),
        (
            r#""crowd": {"snap_distance": 1}"#,
            "2:11: unknown key 'snap_distance' in the crowd settings (crowd.snap_distance); \
             did you mean 'snapDistance'?",
        ),
        (r#""crowd": []"#, "2:10: expected an object, found a list (crowd)"),
    ] {
        assert_eq!(refused(hall(more).as_bytes()), format!("r:{expected}"), "{more}");
    }
    assert_eq!(refused(b"[]"), "r:1:1: expected an object, found a list; a room is written {\"areas\": […]}");
    assert_eq!(refused(b"{}"), "r:1:1: missing key 'areas' in the room");
    assert_eq!(refused(b"{\"areas\": []}"), "r:1:11: areas needs at least 1 entry, found 0 (areas)");
    assert_eq!(
        refused(
            format!("{HALL}}}").replace("\"polygon\"", "\"whenOccupied\": \"hol\", \"polygon\"").as_bytes()
        ),
        "r:1:45: expected 'evict' or 'hold', found 'hol' (areas[0].whenOccupied); did you mean 'hold'?"
    );
}

#[test]
fn what_makes_no_sense() {
    let twice = r#"{"name": "guest", "at": [1, 1], "player": true}"#;
    for (more, expected) in [
        (
            r#""points": {"bar": [1, 1]}, "characters": [{"name": "a", "at": "baar"}]"#,
            "2:63: unknown point 'baar' (characters[0].at); did you mean 'bar'?",
        ),
        (
            r#""characters": [{"name": "a", "at": "bar"}]"#,
            "2:36: unknown point 'bar' (characters[0].at); the room has no points; give a place [x, z], \
             or name one under 'points'",
        ),
        (
            r#""points": {"bar": [1, 1]}, "goals": ["baar"]"#,
            "2:38: unknown point 'baar' (goals[0]); did you mean 'bar'?",
        ),
        (
            r#""goals": ["bar"]"#,
            "2:11: unknown point 'bar' (goals[0]); a goal is the name of a point, and the room has none",
        ),
        (
            r#""points": {"bar": [1, 1]}, "goals": ["hall"]"#,
            "2:38: unknown point 'hall' (goals[0]); it is an area; goals are points",
        ),
        (
            r#""points": {"bar": [1, 1]}, "goals": ["bar", "bar"]"#,
            "2:45: the goal 'bar' stands twice (goals[1]); the first is at 2:38",
        ),
        (
            r#""points": {"bar": [1, 1]}, "characters": [{"name": "bar", "at": [1, 1]}]"#,
            "2:52: the character 'bar' has the name of a point (characters[0].name); \
             rename this one or the point at 2:12",
        ),
        (
            &format!("\"characters\": [{twice},\n{twice}]"),
            "3:10: a second character named 'guest' (characters[1].name); rename this one or the character at 2:25\n\
             r:3:43: a second player (characters[1].player); 'guest' is the player already (line 2)",
        ),
        (r#""points": {"": [1, 1]}"#, "2:12: the name of this point is empty (points[\"\"])"),
        (
            r#""obstacles": [{"name": " ", "polygon": [[0,0],[1,0],[1,1]]}]"#,
            "2:24: the name of this obstacle is empty (obstacles[0].name)",
        ),
        (
            r#""obstacles": [{"polygon": [[0,0],[1,0],[0,0]]}]"#,
            "2:27: a polygon needs 3 different corners, found 2 (obstacles[0].polygon); is a corner missing?",
        ),
        (
            r#""obstacles": [{"polygon": [[0,0],[1,1],[2,2]]}]"#,
            "2:27: all corners of this polygon lie on one line (obstacles[0].polygon); it has no inside",
        ),
        (
            r#""obstacles": [{"polygon": [[0,0],[3,0],[3,3],[3,0]]}]"#,
            "2:27: this polygon has no inside: its area is zero (obstacles[0].polygon); \
             it goes there and back the same way",
        ),
        (
            r#""obstacles": [{"polygon": [[0,0],[4,4],[4,0],[0,3]]}]"#,
            "2:40: this polygon crosses itself: edge [0, 0]-[4, 4] meets edge [4, 0]-[0, 3] \
             (obstacles[0].polygon[2]); are two corners in the wrong order?",
        ),
        (
            r#""script": "../x.lua""#,
            "2:11: the path of the script leaves the project (script); \
             paths start at the project's folder: scripts/guard.lua",
        ),
        (
            r#""script": "/etc/passwd""#,
            "2:11: the path of the script is absolute (script); paths start at the project's folder: scripts/guard.lua",
        ),
        (
            r#""script": "scripts\\a.lua""#,
            "2:11: the path of the script holds a backslash (script); write / between folders, on every system",
        ),
        (
            r#""cellSize": 1e-7"#,
            "2:13: the room is too large for its cells: 54 million x 54 million of them, at most 64 million in all \
             (cellSize); is a coordinate wrong? otherwise write \"cellSize\": 0.1",
        ),
    ] {
        assert_eq!(refused(hall(more).as_bytes()), format!("r:{expected}"), "{more}");
    }
    let vast = format!("{HALL}}}").replace("[4,4]", "[1e6,1e6]");
    assert_eq!(
        refused(vast.as_bytes()),
        "r:1:11: the room is too large for its cells: 2.5 million x 2.5 million of them, at most 64 million in all \
         (areas); is a coordinate wrong? otherwise write \"cellSize\": 137.6"
    );
    assert!(good(&hall(r#""script": "scripts/../scripts/./a.lua""#)).script.is_some());
}

#[test]
fn all_problems_come_at_once_and_in_order() {
    let report = refused(
        br#"{
  "cellSize": -1,
  "areas": [
    { "name": "hall", "polygon": [[0,0],[4,4],[4,0],[0,3]], "availabel": true },
    { "name": "hall", "polygon": [[0,0],[1,0],[1e999,1]] }
  ],
  "characters": [ { "name": "a", "at": "gate" } ]
}"#,
    );
    let places: Vec<&str> = report.lines().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(places, ["r:2:15", "r:4:47", "r:4:61", "r:5:15", "r:5:48", "r:7:40"], "{report}");
}

#[test]
fn later_problems_find_their_place() {
    let parsed = parse("rooms/tavern.json", SAMPLE.as_bytes()).unwrap();
    let steps = [JsonStep::Key("characters"), JsonStep::Index(1), JsonStep::Key("script")];
    let hint = Some("did you mean 'scripts/barkeep.lua'?".to_owned());
    let problem = parsed.locator.problem(&steps, "no such script", "no file", hint);
    assert_eq!(&SAMPLE[problem.span.clone()], "\"scripts/keeper.lua\"");
    assert_eq!(
        problem.to_string(),
        "rooms/tavern.json:17:49: no such script (characters[1].script); did you mean 'scripts/barkeep.lua'?"
    );
    // A default has no place of its own; its owner has.
    let absent =
        parsed.locator.span(&[JsonStep::Key("characters"), JsonStep::Index(0), JsonStep::Key("walkSpeed")]);
    assert!(SAMPLE[absent].starts_with("{ \"name\": \"hero\""));
    assert_eq!(parsed.locator.span(&[JsonStep::Index(3)]), 0..SAMPLE.len());
    let point =
        parsed.locator.problem(&[JsonStep::Key("points"), JsonStep::Key("to do \"ü\"")], "m", "", None);
    assert_eq!((&SAMPLE[point.span.clone()], point.path.as_str()), ("[5, 5]", r#"points["to do \"ü\""]"#));
}

#[test]
fn a_sample_cut_off_anywhere_is_refused() {
    for end in 0..SAMPLE.len() {
        let report = refused(&SAMPLE.as_bytes()[..end]);
        assert_eq!(report.lines().count(), 1, "cut at {end}: {report}");
    }
}

#[test]
fn no_flipped_byte_makes_it_fall() {
    for at in 0..SAMPLE.len() {
        for flip in [0x01, 0x02, 0x04, 0x10, 0x20, 0x80, 0xff] {
            let mut bytes = SAMPLE.as_bytes().to_vec();
            bytes[at] ^= flip;
            if let Err(report) = parse("r", &bytes) {
                assert!(!report.problems.is_empty() && report.problems.iter().all(|found| found.line >= 1));
            }
        }
    }
}

#[test]
fn floods_end() {
    let corners = |count: usize| {
        let list: Vec<String> = (0..count).map(|k| format!("[{k},{}]", (k * k) % 1013)).collect();
        hall(&format!("\"obstacles\": [{{\"polygon\": [{}]}}]", list.join(",")))
    };
    let report = refused(corners(1_000_000).as_bytes());
    assert_eq!(
        report,
        "r:2:27: polygon may have at most 100000 entries, found 1000000 (obstacles[0].polygon)"
    );
    let Err(report) =
        parse("r", hall(&format!("\"tags\": 1, \"obstacles\": [{}1]", "1,".repeat(50_000))).as_bytes())
    else {
        panic!("accepted")
    };
    assert_eq!(report.problems.len(), MAX_PROBLEMS);
}

#[test]
fn the_file_of_the_schema_is_that_of_the_types() {
    let derived = serde_json::to_string_pretty(&super::check::derived_schema()).unwrap() + "\n";
    // For editors, and for this crate, which may be built without the files beside it.
    for file in ["../../rooms/.room.schema.json", "src/room/room.schema.json"] {
        if std::env::var_os("CICERONE_RENEW").is_some() {
            std::fs::write(file, &derived).unwrap();
            continue;
        }
        let written = std::fs::read_to_string(file).unwrap();
        let command = "CICERONE_RENEW=1 cargo test -p cicerone-nav schema";
        assert!(written == derived, "{file} is stale; {command}, and commit it");
    }
}

#[test]
fn the_schema_is_whole() {
    let schema = schema();
    assert_eq!(schema["title"], "cicerone room");
    assert!(schema["$schema"].as_str().is_some_and(|url| url.contains("2020-12")));
    assert_eq!(schema["properties"]["cellSize"]["default"], 0.4);
    assert_eq!(schema["$defs"]["area"]["properties"]["whenOccupied"]["default"], "evict");
    assert_eq!(schema["$defs"]["place"]["items"]["maximum"], 1e6);
    // Every key that a designer may write has a description for editors.
    let owners =
        [&schema, &schema["$defs"]["area"], &schema["$defs"]["character"], &schema["$defs"]["crowd"]];
    for owner in owners {
        for (key, property) in owner["properties"].as_object().unwrap() {
            let words = property["description"].as_str().unwrap_or("");
            assert!(words.len() > 15 && !words.contains('\n'), "{key}: {words}");
        }
    }
}

#[test]
fn comments_and_trailing_commas_change_nothing() {
    let commented = SAMPLE
        .replace(" }\n", ", } // a comment, with a \" and a [\n")
        .replace("],", "/* ä\n ] */ , ], // end\n")
        .replace("\"at\":", "\"at\" /* { */ :");
    assert_eq!(good(&commented), good(SAMPLE));
    assert_eq!(good(&format!("\u{feff}// a room\n{SAMPLE}// end")), good(SAMPLE));
    // Slashes in a name are not a comment.
    let room = good(&hall("\"points\": { \"a//b\": [1, 1], \"/*\": [2, 1] }"));
    assert_eq!(room.points.keys().collect::<Vec<_>>(), ["/*", "a//b"]);
}

#[test]
fn written_out_and_read_again() {
    let room = good(SAMPLE);
    assert_eq!(good(&room.to_json().unwrap().to_string()), room);
}

proptest! {
    #[test]
    fn any_text_is_answered(text in "[\\[\\]{}\",:/*0-9a-z\\\\ é\n.-]{0,60}") {
        let _ = parse("r", text.as_bytes());
    }

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let _ = parse("r", &bytes);
    }

    /// Pieces of the sample in another order: mostly JSON, rarely a room.
    #[test]
    fn shuffled_rooms_are_answered(from in 0..1200_usize, to in 0..1200_usize, length in 1..80_usize) {
        let mut characters: Vec<char> = SAMPLE.chars().collect();
        let end = (from + length).min(characters.len());
        let piece: Vec<char> = characters.drain(from.min(end)..end).collect();
        let to = to.min(characters.len());
        characters.splice(to..to, piece);
        let _ = parse("r", characters.iter().collect::<String>().as_bytes());
    }

    /// Convex outlines are accepted in either winding, and survive being written out.
    #[test]
    fn round_rooms_survive(count in 3..40_usize, radius in 0.01..500.0_f64, x in -1e4..1e4_f64, back in any::<bool>()) {
        let mut corners: Vec<String> = (0..count).map(|k| {
            let angle = std::f64::consts::TAU * k as f64 / count as f64;
            format!("[{}, {}]", x + radius * libm::cos(angle), radius * libm::sin(angle))
        }).collect();
        if back { corners.reverse(); }
        let text = format!(r#"{{"areas": [{{"name": "a", "polygon": [{}]}}]}}"#, corners.join(", "));
        let room = good(&text);
        prop_assert_eq!(room.areas[0].polygon.len(), count);
        prop_assert_eq!(good(&room.to_json().unwrap().to_string()), room);
    }
}
