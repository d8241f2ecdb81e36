//! `cicerone tactics`: tables, paths and traces of a tactical level.

use crate::common::command::{cicerone, code, json, text};
use crate::common::project::Project;

#[test]
fn tables_and_paths_of_the_example_room() {
    let ask =
        |more: &[&str]| json(&cicerone(&[&["tactics", "crash_site", "--format", "json"], more].concat()));
    let reach = ask(&["--from", "16,16,8", "--budget", "4"]);
    let places = reach["reach"].as_array().unwrap();
    let tu_of = |cell: [u32; 3], stance: &str| {
        let is_it = |at: &&serde_json::Value| at["cell"] == serde_json::json!(cell) && at["stance"] == stance;
        places.iter().find(is_it).map(|at| at["tu"].as_u64().unwrap())
    };
    assert_eq!(tu_of([0, 0, 0], "stand"), Some(0));
    assert_eq!(tu_of([2, 0, 0], "stand"), Some(4));
    assert_eq!(tu_of([1, 1, 0], "stand"), Some(3));
    assert_eq!(tu_of([0, 0, 0], "crouch"), Some(3));
    assert_eq!(tu_of([3, 0, 0], "stand"), None, "six TU, and there are four");
    assert!(reach["path"].is_null());

    // Over the ladder to the roof; down from the window, and crouched through the duct.
    let roof = ask(&["--from", "16,16,8", "--to", "336,80,136"]);
    assert_eq!(roof["path"]["tu"], 31);
    let kinds = |answer: &serde_json::Value| -> Vec<String> {
        let moves = answer["path"]["moves"].as_array().unwrap().iter();
        let mut kinds: Vec<String> = moves.map(|step| step["move"].as_str().unwrap().to_owned()).collect();
        kinds.dedup();
        kinds
    };
    assert_eq!(kinds(&roof), ["walk", "climb_up", "walk"]);
    let window = ask(&["--from", "272,240,72", "--to", "272,272,8"]);
    assert_eq!(kinds(&window), ["crouch", "walk", "fall"]);
    assert_eq!((&window["path"]["tu"], &window["path"]["stance"]), (&6.into(), &"crouch".into()));
    let duct = ask(&["--from", "368,208,8", "--to", "432,208,8"]);
    assert_eq!((kinds(&duct), &duct["path"]["tu"]), (vec!["crouch".into(), "walk".into()], &9.into()));

    // The door is shut, and too narrow for a big one. A flier comes to the window.
    let hall = ["--from", "16,16,8", "--to", "208,208,8"];
    let shut =
        cicerone(&[&["tactics", "crash_site"], &hall[..], &["--size", "2", "--open", "door"]].concat());
    assert_eq!((code(&shut), text(&shut.stdout)), (1, "out of reach\n".into()));
    assert_eq!(code(&cicerone(&[&["tactics", "crash_site"], &hall[..], &["--open", "door"]].concat())), 0);
    let shut = ask(&hall[..4]);
    assert_eq!(
        (&shut["path"]["tu"], kinds(&shut).len()),
        (&58.into(), 5),
        "through the duct: {}",
        shut["path"]
    );
    let flier = ask(&["--from", "272,304,8", "--to", "272,272,200", "--fly"]);
    assert!(kinds(&flier).contains(&"fly_up".to_owned()), "{}", flier["path"]);
}

#[test]
fn levels_are_drawn_with_reach_and_ways() {
    let ask = |args: &[&str]| {
        let output = cicerone(args);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let map = ask(&["tactics", "crash_site", "--from", "16,16,8", "--to", "336,80,136", "--format", "ascii"]);
    for part in [
        "level 0\n",
        "level 2\n",
        " A 0 * 2 * 4",
        "~ door (closed)",
        "L lurker (aliens, 30 of 30 TU, crouched)",
    ] {
        assert!(map.contains(part), "{part}: {map}");
    }
    let lowest = ask(&["tactics", "crash_site", "--actor", "lurker", "--format", "ascii", "--level", "0"]);
    assert!(!lowest.contains("level 1") && lowest.contains("L 0   3:  6:  9"), "crouched: {lowest}");
    let all = ask(&["draw", "crash_site", "--reach", "ann"]);
    let one = ask(&["draw", "crash_site", "--reach", "ann", "--level", "2"]);
    assert!(all.contains(">level 1<") && all.contains("in reach, with its TU"), "{all}");
    assert!(one.contains(">level 2<") && !one.contains(">level 1<"), "{one}");
    let json = json(&cicerone(&["tactics", "crash_site", "--actor", "brute", "--format", "json"]));
    let start = &json["reach"].as_array().unwrap().iter().find(|at| at["tu"] == 0).unwrap()["cell"];
    assert_eq!(start, &serde_json::json!([12, 8, 0]));
}

#[test]
fn traces_are_printed_in_quants() {
    let trace = json(&cicerone(&["tactics", "crash_site", "--trace", "--format", "json"]));
    assert_eq!(trace["size"], serde_json::json!([14, 10, 8]));
    let cells = trace["cells"].as_array().unwrap();
    let first = &cells[0];
    assert_eq!((&first["floor"], &first["ceiling"]), (&2.into(), &128.into()));
    assert_eq!(first["openings"], serde_json::json!([126, 0, 126, 0, 126, 0, 0, 0]));
}

#[test]
fn mistakes_are_told() {
    let ask = |args: &[&str]| {
        let output = cicerone(&[&["tactics"], args].concat());
        (code(&output), text(&output.stderr))
    };
    let (code, why) = ask(&["tavern", "--from", "1,1,1"]);
    assert!(code == 2 && why.contains("no tactical level"), "{why}");
    let (code, why) = ask(&["crash_site", "--from", "9000,1,1"]);
    assert!(code == 2 && why.contains("--from (9000, 1, 1) lies outside the level"), "{why}");
    let (code, why) = ask(&["crash_site", "--from", "16,16,8", "--open", "dor"]);
    assert!(code == 2 && why.contains("did you mean 'door'?"), "{why}");
    let (code, why) = ask(&["crash_site", "--from", "16,16"]);
    assert!(code == 2 && why.contains("three numbers in units"), "{why}");
    let (code, why) = ask(&["crash_site", "--from", "16,16,8", "--budget", "70000"]);
    assert!(code == 2 && why.contains("70000"), "{why}");
    for (args, words) in [
        (vec!["tactics", "crash_site", "--actor", "an"], "no actor 'an' in this room; did you mean 'ann'?"),
        (vec!["draw", "tavern", "--reach", "ann"], "this room has no tactical level"),
        (vec!["draw", "crash_site", "--level", "5"], "this room has floors on levels 0 to 2"),
        (vec!["draw", "tavern", "--level", "0"], "this room has no tactical level"),
        (vec!["tactics", "crash_site", "--trace", "--format", "svg"], "--trace prints numbers"),
    ] {
        let output = cicerone(&args);
        let why = text(&output.stderr);
        assert!(self::code(&output) == 2 && why.contains(words), "{args:?}: {why}");
    }
    let post = r#"{"tactics": {"brushes": [{"box": [[0, 0, 0], [64, 64, 512]]}, {"box": [[64, 0, 0], [128, 64, 8]]}]}}"#;
    let project = Project::new(&[("rooms/post.json", post)]);
    let (code, why) = ask(&[project.path("rooms/post.json").to_str().unwrap(), "--from", "16,16,8"]);
    assert!(
        code == 2 && why.contains("there is no room for an actor of 1 × 1 cells at cell 0, 0 on level 0"),
        "{why}"
    );
}

#[test]
fn faulty_brushes_are_reported_with_their_numbers() {
    let room = r#"{"tactics": {"stepUp": 20, "brushes": [
        {"box": [[0, 0, 0], [256, 256, 0]]},
        {"box": [[96, 0, 8], [90, 160, 72]]},
        {"points": [[0, 0, 0], [64, 0, 0], [0, 64, 0], [0, 0, 64], [8, 8, 8]]},
        {"planes": [[0, 0, 1, 8], [1, 0, 0, 64], [-1, 0, 0, 0], [0, 1, 0, 90], [0, -1, 0, 0]]},
        {"box": [[0, 0, 500], [64, 64, 513]]},
        {"box": [[0, 0, 0], [1, 1, 1]], "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]},
        {"ladder": "west"},
        {"box": [[0, 0, 0], [64, 64, 8]], "ladder": "west", "clip": true}
    ], "crouchingHeight": 60}}"#;
    let project = Project::new(&[("rooms/bad.json", room)]);
    let output = cicerone(&["check", project.path("rooms/bad.json").to_str().unwrap()]);
    let told = text(&output.stderr);
    for (line, words) in [
        (2, "brush 1: it is flat"),
        (3, "brush 2: it is inside out"),
        (4, "brush 3: it is not convex"),
        (5, "brush 4: its planes do not enclose a volume"),
        (6, "brush 5: it lies outside the largest level"),
        (7, "brush 6: it has more than one shape"),
        (8, "brush 7: it has no shape"),
        (9, "brush 8: a ladder is no solid"),
        (10, "an actor that crouches (60) is higher than one that stands (44)"),
    ] {
        assert!(told.contains(words) && told.contains(&format!("bad.json:{line}:")), "{words}: {told}");
    }
    assert_eq!(code(&output), 2);
}
