//! Rooms by their names, rooms that are grids, and rooms that are not there.

use crate::common::command::{cicerone, code, json, text};
use crate::common::project::{HALL, Project};
use std::path::Path;
use std::process::Command;

#[test]
fn a_room_is_baked_and_the_grid_is_a_room() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let grid = at("tavern.txt");
    assert_eq!(code(&cicerone(&["bake", "tavern", "--open", "cellar_door", "-o", &grid])), 0);
    let baked = std::fs::read(&grid).unwrap();
    assert!(text(&baked).starts_with("cellSize 0.25\nagentRadius 0.25\n"), "{}", text(&baked[..200]));
    assert_eq!(cicerone(&["bake", &grid]).stdout, baked, "baking it again changes nothing");
    let ask = |room: &[&str]| {
        let query = ["--from", "6,9.5", "--to", "12.5,2", "--format", "json"];
        json(&cicerone(&[&["path"], room, &query].concat()))
    };
    assert_eq!(ask(&[&grid]), ask(&["tavern", "--open", "cellar_door"]));
    assert_eq!(code(&cicerone(&["check", &grid])), 0);
    assert!(text(&cicerone(&["draw", &grid]).stdout).contains("walkable ground"));
    let over = cicerone(&["bake", "tavern", "-o", &at("tavern.json")]);
    assert_eq!(code(&over), 2, "never over a room of another kind");
    assert!(text(&over.stderr).contains("tavern.txt"), "{}", text(&over.stderr));
    assert_eq!(code(&cicerone(&["bake", "tavern", "-o", &at("no/such/folder.txt")])), 2);
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["tavern.txt"], "nothing is left beside it");
}

#[test]
fn only_a_mesh_is_baked_as_json() {
    let output = cicerone(&["bake", "tavern", "--format", "json"]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("made of cells, which are baked as text"), "{output:?}");
    let over = cicerone(&["bake", "tavern", "--format", "json", "-o", "rooms/tavern.json"]);
    assert_eq!(code(&over), 2);
    assert!(text(&over.stderr).contains("is the room itself"), "{}", text(&over.stderr));
}

#[test]
fn a_room_without_storeys_is_its_storey_1() {
    let draw = |more: &[&str]| cicerone(&[&["draw", "tavern"], more].concat());
    assert_eq!(draw(&["--storey", "1"]).stdout, draw(&[]).stdout);
    let second = draw(&["--storey", "2"]);
    assert_eq!(code(&second), 2);
    assert!(text(&second.stderr).contains("--storey 2: this room has one storey"), "{second:?}");
    let path = ["path", "tavern", "--to", "bar_left", "--format", "ascii", "--storey", "2"];
    assert_eq!(code(&cicerone(&path)), 2);
}

#[test]
fn a_map_is_run_with_a_script() {
    let map = "type octile\nheight 3\nwidth 8\nmap\n........\n.@@@@@@.\n........\n";
    let script = "return { on_load = function(room)
        local ann = spawn { at = { 0.5, 0.5 }, name = 'ann' }
        ann:set_target(3.5, 1.25)
    end }";
    let project = Project::new(&[("rooms/ring.map", map), ("scripts/ann.lua", script)]);
    let (room, script) = (project.path("rooms/ring.map"), project.path("scripts/ann.lua"));
    let run = |more: &[&str]| {
        let (room, script) = (room.to_str().unwrap(), script.to_str().unwrap());
        let args = ["run", room, "--script", script, "--headless", "--seconds", "12", "--format", "json"];
        cicerone(&[&args[..], more].concat())
    };
    let report = json(&run(&["--cell-size", "0.5"]));
    assert_eq!(
        (report["script_errors"].as_u64(), report["walks"]["arrived"].as_u64()),
        (Some(0), Some(1)),
        "{report}"
    );
    let ann = &report["characters"][0];
    let at = glam::DVec2::new(ann["x"].as_f64().unwrap(), ann["z"].as_f64().unwrap());
    assert!(at.distance(glam::dvec2(3.5, 1.25)) <= 0.05, "{ann}");
    assert_eq!(code(&run(&["--cell-size", "0"])), 2);
    let tavern = cicerone(&["run", "--headless", "--cell-size", "0.5"]);
    assert_eq!(code(&tavern), 2);
    assert!(
        text(&tavern.stderr).contains("rooms/tavern.json says its own cell size"),
        "{}",
        text(&tavern.stderr)
    );
}

#[test]
fn grids_have_names_and_are_checked() {
    let grid = "minX 0\nminZ 0\ngridWidth 2\ngridDepth 1\n11\n";
    let project = Project::new(&[
        ("rooms/yard.txt", grid),
        ("rooms/deep/cave.map", "type octile\nheight 1\nwidth 2\nmap\n.x\n"),
        ("notes.txt", "these are no cells"),
        ("rooms/both.json", HALL),
        ("rooms/both.txt", grid),
        ("scripts/room.lua", "return {}"),
    ]);
    let inside = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        command.current_dir(project.path("")).args(args).output().unwrap()
    };
    let path = |name: &str| inside(&["path", name, "--from", "0.1,0.1", "--to", "0.7,0.2"]);
    assert_eq!(code(&path("yard")), 0, "{}", text(&path("yard").stderr));
    assert!(text(&inside(&["draw", "both"]).stdout).contains("den"), "a room of polygons comes first");
    for folder in [".", "rooms"] {
        let output = inside(&["check", folder, "--format", "json"]);
        let report = json(&output);
        let problems = report["problems"].as_array().unwrap();
        assert_eq!((code(&output), problems.len()), (2, 1), "{report:#}");
        assert_eq!(
            (problems[0]["file"].as_str(), problems[0]["line"].as_u64()),
            (Some("rooms/deep/cave.map"), Some(5))
        );
    }
}

/// The command in some folder, for those that look where they are.
fn cicerone_in(folder: &Path, args: &[&str]) -> (i32, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cicerone"));
    let output = command.current_dir(folder).args(args).output().unwrap();
    (code(&output), text(&output.stdout) + &text(&output.stderr))
}

/// Every command that takes a room, with what else it needs.
fn commands_with(room: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["run", room, "--headless", "--seconds", "0.1"],
        vec!["eval", room, "1"],
        vec!["path", room, "--from", "1,1", "--to", "2,1"],
        vec!["draw", room],
        vec!["bake", room],
        vec!["bench", room, "--seconds", "0.1", "--random-queries", "1", "--crowd", "1", "--rounds", "1"],
        vec!["monkey", room, "--seeds", "1", "--seconds", "0.1"],
    ]
}

#[test]
fn a_room_is_found_by_its_name_from_anywhere_in_the_project_and_with_root() {
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")]);
    // Folders of the same name do not hide it.
    for folder in ["hall", "scripts/deep/hall"] {
        std::fs::create_dir_all(project.path(folder)).unwrap();
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let (root, deep) = (project.path(""), project.path("scripts/deep"));
    for args in commands_with("hall").into_iter().chain(commands_with("rooms/hall.json")) {
        for (folder, more) in [(&root, vec![]), (&deep, vec![])] {
            let (code, words) = cicerone_in(folder, &[args.clone(), more].concat());
            assert_eq!(code, 0, "{args:?} in {folder:?}: {words}");
        }
        let with_root = [args.clone(), vec!["--root", root.to_str().unwrap()]].concat();
        let (code, words) = cicerone_in(elsewhere.path(), &with_root);
        assert_eq!(code, 0, "{with_root:?}: {words}");
    }
}

#[test]
fn a_room_that_is_not_there_is_told_with_what_was_meant() {
    let project = Project::new(&[("rooms/hall.json", HALL), ("rooms/yard.json", HALL)]);
    std::fs::create_dir_all(project.path("den")).unwrap();
    for (room, expected) in [
        ("hal", "no room 'hal': there is no such file in rooms/; did you mean 'hall'?"),
        ("rooms/yrad.json", "no file 'rooms/yrad.json': there is no such file; did you mean 'yard'?"),
        ("kitchen", "no room 'kitchen': there is no such file in rooms/; there are hall, yard"),
        ("den", "no room 'den': this is a folder; there are hall, yard"),
    ] {
        for args in commands_with(room) {
            let (code, words) = cicerone_in(&project.path(""), &args);
            assert!(code == 2 && words.contains(expected), "{args:?}: {words}");
        }
    }
}

#[test]
fn run_takes_the_only_room_or_the_one_that_the_project_names() {
    let project = Project::new(&[("scripts/room.lua", "return {}")]);
    let run = || cicerone_in(&project.path("scripts"), &["run", "--headless", "--seconds", "0.1"]);
    let (code, words) = run();
    assert!(code == 2 && words.contains("there is no room in") && words.contains("cicerone new"), "{words}");
    project.write("rooms/hall.json", HALL);
    assert_eq!(run().0, 0, "{}", run().1);
    project.write("rooms/yard.json", &HALL.replace("\"ann\"", "\"yara\""));
    let (code, words) = run();
    assert!(code == 2 && words.contains("cicerone run hall\n  cicerone run yard"), "{words}");
    assert!(
        words.contains(r#".cicerone.json in the project's root may name one: { "room": "hall" }"#),
        "{words}"
    );
    project.write(".cicerone.json", "{ // the first\n  \"room\": \"yard\",\n}");
    let (code, words) = run();
    assert!(code == 0 && words.contains("yara"), "{words}");
    for (text, expected) in [
        ("{\n  \"room\": \"yrad\" }", [".cicerone.json:2:11", "no room 'yrad'", "did you mean 'yard'?"]),
        ("{\n  \"rom\": \"yard\" }", [".cicerone.json:2:3", "unknown field `rom`", "expected `room`"]),
    ] {
        project.write(".cicerone.json", text);
        let (code, words) = run();
        assert!(code == 2 && expected.iter().all(|piece| words.contains(piece)), "{words}");
    }
}
