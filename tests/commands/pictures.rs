//! Pictures of rooms and paths, and what `check` says of painted rooms.

use crate::common::command::{cicerone, code, json, text};
use crate::common::painted::png_from;
use crate::common::project::Project;

#[test]
fn pictures_are_drawn_of_rooms_and_paths() {
    for room in ["tavern", "kitchen", "street"] {
        let svg = text(&cicerone(&["draw", &format!("rooms/{room}.json")]).stdout);
        assert!(
            svg == std::fs::read_to_string(format!("rooms/{room}.svg")).unwrap(),
            "rooms/{room}.svg is stale: cicerone draw rooms/{room}.json -o rooms/{room}.svg"
        );
    }
    let drawn = ["path", "kitchen", "--from", "at_the_shelf", "--to", "3.2,4.85", "--raw", "--format", "svg"];
    assert!(
        text(&cicerone(&drawn).stdout) == std::fs::read_to_string("rooms/kitchen-path.svg").unwrap(),
        "rooms/kitchen-path.svg is stale: cicerone {} -o rooms/kitchen-path.svg",
        drawn.join(" ")
    );
    let ascii = text(
        &cicerone(&["path", "tavern", "--from", "player", "--to", "bar_left", "--format", "ascii"]).stdout,
    );
    assert!(ascii.contains('S') && ascii.contains('G') && ascii.matches('*').count() > 20, "{ascii}");
    let svg = cicerone(&["path", "tavern", "--from", "player", "--to", "bar_left", "--format", "svg"]);
    assert!(text(&svg.stdout).starts_with("<svg"));
}

/// As the book has it: to the fridge, from where the player is.
#[test]
fn a_path_begins_at_the_player_unless_told_otherwise() {
    let answer = |more: &[&str]| {
        let output = cicerone(&[&["path", "kitchen", "--to", "fridge", "--format", "json"], more].concat());
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        json(&output)
    };
    assert_eq!(answer(&[]), answer(&["--from", "player"]));
    assert_eq!(
        answer(&[])["waypoints"].as_array().unwrap().last().unwrap(),
        &serde_json::json!([1.2, 0.0, 2.7])
    );
    let empty = r#"{"areas": [{"name": "floor", "polygon": [[0, 0], [4, 0], [4, 4], [0, 4]]}]}"#;
    let project = Project::new(&[("rooms/empty.json", empty)]);
    let output = cicerone(&["path", project.path("rooms/empty.json").to_str().unwrap(), "--to", "1,1"]);
    assert_eq!(code(&output), 2);
    assert!(
        text(&output.stderr).contains("there is no player in room 'empty'; say --from X,Z"),
        "{output:?}"
    );
}

#[test]
fn a_raw_path_is_told_in_every_format() {
    let ask = |format: &str| {
        let args =
            ["path", "kitchen", "--from", "beside_the_bowl", "--to", "rug", "--raw", "--format", format];
        text(&cicerone(&args).stdout)
    };
    let told = ask("text");
    assert!(
        told.contains("raw path: 125 points")
            && told.contains("  1. 7.40, 4.40 to 1.75, 3.95: blocked at 5.36, 4.24"),
        "{told}"
    );
    let answer: serde_json::Value = serde_json::from_str(&ask("json")).unwrap();
    let tried = answer["shortening"].as_array().unwrap();
    assert_eq!(answer["raw"].as_array().unwrap().len(), 125);
    assert!(tried.iter().all(|line| line["clear"] == line["blocked_at"].is_null()), "{answer}");
    assert!(ask("ascii").contains("o raw way"));
    for words in [">raw path<", ">tried, not clear<", ">path<"] {
        assert!(ask("svg").contains(words), "no {words}");
    }
    let plain = cicerone(&["path", "kitchen", "--to", "rug", "--format", "json"]);
    assert!(json(&plain).get("raw").is_none() && json(&plain).get("shortening").is_none());
}

/// A nook behind a wall that is thinner than the nodes are apart.
#[test]
fn check_warns_of_pixels_that_no_node_sees() {
    let picture = "
        ..........
        ..........
        ..........
        ..........
        ..........
        #########.
        .........#
        ##########";
    let room = |rate: u32| {
        let json = format!(r#"{{"mask": "rooms/nook.png", "pixelsPerMetre": 2, "sampleRate": {rate}}}"#);
        let project = Project::new(&[("rooms/nook.json", &json)]);
        std::fs::write(project.path("rooms/nook.png"), png_from(picture)).unwrap();
        let file = project.path("rooms/nook.json");
        let output = cicerone(&["check", file.to_str().unwrap()]);
        let report = json_of(&["check", file.to_str().unwrap(), "--format", "json"]);
        (code(&output), text(&output.stdout) + &text(&output.stderr), report["warnings"].as_u64().unwrap())
    };
    let (code, told, warnings) = room(4);
    assert_eq!((code, warnings), (0, 1), "{told}");
    let words =
        "9 walkable pixels see no node: only a straight line leads there; they are one patch at (2.25, 3.25)";
    assert!(
        told.contains(words) && told.contains("sampleRate") && told.contains("0 errors, 1 warning"),
        "{told}"
    );
    let (code, told, warnings) = room(1);
    assert_eq!((code, warnings), (0, 0), "{told}");
}

fn json_of(args: &[&str]) -> serde_json::Value {
    json(&cicerone(args))
}
