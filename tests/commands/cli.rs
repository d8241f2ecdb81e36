//! The command as users type it, without a terminal.

use crate::common::command::{cicerone, code, json, text};
use crate::common::project::{HALL, Project};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn the_vault_is_solved_the_same_way_every_time() {
    let run = || cicerone(&["run", "rooms/vault.json", "--headless", "--seconds", "60", "--format", "json"]);
    let (first, second) = (run(), run());
    assert_eq!(text(&first.stdout), text(&second.stdout));
    let report = json(&first);
    assert_eq!((report["tick"].as_u64(), report["script_errors"].as_u64()), (Some(3600), Some(0)));
    assert_eq!(report["hash"].as_str().unwrap().len(), 16);
    let thief = report["characters"].as_array().unwrap().iter().find(|c| c["name"] == "thief").unwrap();
    assert!(thief["x"].as_f64().unwrap() > 9.0, "the thief is in the vault: {thief}");
    assert!(report["events"]["area_changed"].as_u64().unwrap() >= 1);
    assert_eq!(report["walks"]["ended"], report["walks"]["arrived"]);
}

#[test]
fn the_tavern_gets_on_with_its_evening() {
    let report =
        json(&cicerone(&["run", "--headless", "--seconds", "300", "--format", "json", "--seed", "3"]));
    assert_eq!(report["script_errors"], 0);
    let walks = &report["walks"];
    assert!(walks["arrived"].as_u64().unwrap() > 50 && walks["ended"] == walks["arrived"], "{walks}");
    for key in ["tick", "time", "hash", "characters", "events", "walks", "reloads", "script_errors"] {
        assert!(report.get(key).is_some(), "{key}");
    }
    for key in ["name", "x", "y", "z", "heading", "state", "moving", "target"] {
        assert!(report["characters"][0].get(key).is_some(), "{key}");
    }
}

#[test]
fn a_click_from_the_command_line_moves_the_player() {
    let report =
        json(&cicerone(&["run", "--headless", "--seconds", "12", "--format", "json", "--click", "1:4,7.5"]));
    let player = &report["characters"][0];
    assert_eq!(player["name"], "player");
    let (x, z) = (player["x"].as_f64().unwrap(), player["z"].as_f64().unwrap());
    assert!((x - 4.0).abs() < 0.1 && (z - 7.5).abs() < 0.1, "{player}");
}

#[test]
fn a_path_is_complete_partial_or_none() {
    let ask = |more: &[&str]| {
        let args = ["path", "rooms/tavern.json", "--from", "6,9.5", "--format", "json"];
        cicerone(&[&args[..], more].concat())
    };
    let closed = ask(&["--to", "barrels"]);
    assert_eq!((code(&closed), json(&closed)["outcome"].as_str()), (1, Some("partial")));
    let open = ask(&["--to", "barrels", "--open", "cellar_door"]);
    let answer = json(&open);
    assert_eq!((code(&open), answer["outcome"].as_str()), (0, Some("complete")));
    assert!(answer["reason"].is_null());
    let waypoints = answer["waypoints"].as_array().unwrap();
    assert_eq!(waypoints.last().unwrap(), &serde_json::json!([12.5, 0.0, 2.0]));
    assert!(answer["length_m"].as_f64().unwrap() > 10.0 && answer["cost_cells"].as_f64().unwrap() > 40.0);
    assert!(answer["expansions"].as_u64().unwrap() > 0);
    let shut = ask(&["--to", "barrels", "--open", "cellar_door", "--close", "front_door"]);
    assert_eq!(json(&shut)["outcome"], "partial");
    let nowhere = ask(&["--to", "-50,-50"]);
    assert_eq!((code(&nowhere), json(&nowhere)["reason"].as_str()), (1, Some("goal_off_ground")));
    for bad in [
        &["--to", "barels"][..],
        &["--to", "1"],
        &["--to", "1,nan"],
        &["--to", "1,1", "--open", "celar_door"],
    ] {
        let output = ask(bad);
        assert_eq!(code(&output), 2, "{bad:?}: {}", text(&output.stderr));
    }
    assert!(text(&ask(&["--to", "barels"]).stderr).contains("did you mean 'barrels'?"));
}

#[test]
fn an_area_is_a_place_and_a_mask_says_its_colours() {
    let ask = |args: &[&str]| cicerone(&[&["path", "--format", "json"], args].concat());
    let snug = ask(&["rooms/tavern.json", "--from", "porch", "--to", "snug"]);
    let end = json(&snug)["waypoints"].as_array().unwrap().last().unwrap().clone();
    let (x, z) = (end[0].as_f64().unwrap(), end[2].as_f64().unwrap());
    assert_eq!(code(&snug), 0);
    assert!((10.5..11.0).contains(&x) && (6.5..10.0).contains(&z), "just behind the archway: {end}");
    assert_eq!(
        code(&ask(&["rooms/tavern.json", "--from", "porch", "--to", "cellar"])),
        1,
        "its door is closed"
    );
    let colours = &json(&ask(&["rooms/kitchen.json", "--from", "rug", "--to", "-9,1", "--mask"]))["mask"];
    assert_eq!(colours[0], serde_json::json!({ "red": 0, "green": 0, "blue": 255, "alpha": 255 }));
    assert!(colours[1].is_null(), "{colours}");
}

#[test]
fn path_explains_what_is_in_the_way() {
    let ask =
        |more: &[&str]| cicerone(&[&["path", "tavern", "--from", "player", "--explain"], more].concat());
    let closed = ask(&["--to", "barrels"]);
    assert_eq!(code(&closed), 1, "as without");
    let line = "the area 'cellar_door' is closed; the nearest point that can be reached is (9.75, 2.25)\n";
    assert!(text(&closed.stdout).ends_with(line), "{}", text(&closed.stdout));
    let closed = json(&ask(&["--to", "barrels", "--format", "json"]));
    assert_eq!(
        (&closed["blocked_by"], &closed["exact"]),
        (&serde_json::json!(["cellar_door"]), &true.into())
    );
    assert_eq!(closed["nearest"], serde_json::json!([9.75, 0.0, 2.25]));
    assert_eq!(closed["nearest"], *closed["waypoints"].as_array().unwrap().last().unwrap());
    assert!(closed["gap_m"].is_null() && closed["needed_m"].is_null());
    let open = json(&ask(&["--to", "barrels", "--open", "cellar_door", "--format", "json"]));
    assert_eq!((&open["blocked_by"], &open["exact"]), (&serde_json::json!([]), &true.into()));
    assert_eq!(open["nearest"], serde_json::json!([12.5, 0.0, 2.0]));
    let near = json(&ask(&["--to", "13.9,0.6", "--format", "json"]));
    assert_eq!(near["blocked_by"], serde_json::json!(["cellar_door", "barrel_1"]));
    assert!(near["gap_m"].as_f64().unwrap() < near["needed_m"].as_f64().unwrap(), "{near}");
    let without =
        json(&cicerone(&["path", "tavern", "--from", "player", "--to", "barrels", "--format", "json"]));
    assert!(without.get("blocked_by").is_none());
}

#[test]
fn every_waypoint_has_the_height_of_the_floor() {
    let hall = HALL.replace("\"areas\"", "\"floorY\": 1.5, \"areas\"");
    let project = Project::new(&[("rooms/hall.json", &hall), ("scripts/room.lua", "return {}")]);
    let room = project.path("rooms/hall.json");
    let output =
        cicerone(&["path", room.to_str().unwrap(), "--from", "1,1", "--to", "7,3", "--format", "json"]);
    let answer = json(&output);
    let waypoints = answer["waypoints"].as_array().unwrap();
    assert!(!waypoints.is_empty() && waypoints.iter().all(|point| point[1] == 1.5), "{answer}");
}

#[test]
fn the_schema_beside_the_rooms_is_the_one_the_command_prints() {
    let printed = text(&cicerone(&["schema"]).stdout);
    assert_eq!(
        printed,
        std::fs::read_to_string("rooms/.room.schema.json").unwrap(),
        "cicerone schema > rooms/.room.schema.json"
    );
    let check = cicerone(&["check", "rooms", "scripts"]);
    assert_eq!(code(&check), 0, "{}", text(&check.stderr));
    for room in ["rooms/tavern.json", "rooms/vault.json"] {
        assert!(std::fs::read_to_string(room).unwrap().contains(r#""$schema": ".room.schema.json""#));
    }
}

#[test]
fn check_tells_all_problems_of_all_files() {
    let project = Project::new(&[
        ("rooms/hall.json", &HALL.replace("cellSize", "cellSise").replace("[6, 3]", "[60, 3]")),
        ("rooms/other.json", HALL),
        ("scripts/room.lua", "local R = {}\nfunction R.on_load(room\nreturn R"),
        ("scripts/fine.lua", "return {}"),
        ("scripts/stray.lua", "counter = 1\nreturn {}"),
    ]);
    let folder = project.path("");
    let output = cicerone(&["check", folder.to_str().unwrap(), "--format", "json"]);
    assert_eq!(code(&output), 2);
    let report = json(&output);
    let place = |p: &Value| format!("{}:{}:{}", p["file"].as_str().unwrap(), p["line"], p["column"]);
    let places: Vec<String> = report["problems"].as_array().unwrap().iter().map(place).collect();
    assert_eq!(
        places,
        ["rooms/hall.json:2:3", "scripts/room.lua:3:1", "scripts/stray.lua:1:1"],
        "{report:#}"
    );
    let words = text(&cicerone(&["check", folder.to_str().unwrap()]).stderr);
    assert!(
        words.contains("cellSise") && words.contains("^^^^") && words.contains("did you mean 'cellSize'?"),
        "{words}"
    );
    assert_eq!(code(&cicerone(&["check", "no-such-folder"])), 2);
}

#[test]
fn only_a_bad_room_or_a_missing_script_stops_a_run() {
    let run = |project: &Project| {
        cicerone(&[
            "run",
            project.path("rooms/hall.json").to_str().unwrap(),
            "--headless",
            "--seconds",
            "1",
            "--format",
            "json",
        ])
    };
    let broken_script = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {{")]);
    let output = run(&broken_script);
    assert_eq!((code(&output), json(&output)["script_errors"].as_u64()), (1, Some(1)));
    assert!(text(&output.stderr).contains("scripts/room.lua:1"), "{}", text(&output.stderr));

    let missing_script = Project::new(&[("rooms/hall.json", HALL)]);
    let output = run(&missing_script);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("rooms/hall.json:14:13"), "{}", text(&output.stderr));

    let bad_room = Project::new(&[("rooms/hall.json", &HALL[..100]), ("scripts/room.lua", "return {}")]);
    assert_eq!(code(&run(&bad_room)), 2);
    assert_eq!(code(&cicerone(&["run", "nowhere.json", "--headless"])), 2);
    assert_eq!(code(&cicerone(&["run", "--headless", "--script", "nowhere.lua"])), 2);
    assert_eq!(code(&cicerone(&["run", "--no-such-option"])), 2);
}

#[test]
fn a_script_from_anywhere_may_be_added() {
    let extra = tempfile::tempdir().unwrap();
    let script = extra.path().join("extra.lua");
    std::fs::write(&script, "return { on_load = function() log.warn('extra is here') end }").unwrap();
    let output = cicerone(&["run", "--headless", "--seconds", "1", "--script", script.to_str().unwrap()]);
    assert_eq!(code(&output), 0);
    assert!(text(&output.stderr).contains("extra is here"), "{}", text(&output.stderr));
}

#[test]
fn script_errors_fail_a_headless_run_unless_they_are_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("bad.lua");
    std::fs::write(&script, "return { on_load = function() local x = nil + 1 end }").unwrap();
    let (script, save) = (script.to_str().unwrap(), folder.path().join("room.save"));
    let args = ["run", "vault", "--headless", "--seconds", "0.1", "--script", script];
    let output = cicerone(&[&args[..], &["--save", save.to_str().unwrap()]].concat());
    assert_eq!(code(&output), 1, "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("script errors: 1"), "the result is printed all the same");
    assert!(save.exists(), "and the room is saved");
    assert_eq!(code(&cicerone(&[&args[..], &["--allow-errors"]].concat())), 0);
    assert_eq!(code(&cicerone(&["run", "vault", "--headless", "--seconds", "0.1"])), 0);
}

#[test]
fn every_command_heeds_the_log_level() {
    let path = ["path", "vault", "--from", "player", "--to", "player"];
    let some: [&[&str]; 4] = [
        &["check", "rooms/vault.json"],
        &path,
        &["eval", "vault", "1"],
        &["run", "vault", "--headless", "--seconds", "0.1"],
    ];
    for args in some {
        let with = |level: &str| {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cicerone"));
            let output =
                command.args(args).env("RUST_LOG", level).current_dir(env!("CARGO_MANIFEST_DIR")).output();
            text(&output.unwrap().stderr).to_owned()
        };
        let debug = with("debug");
        assert!(
            debug.contains("DEBUG cicerone::project] read ") && debug.contains("vault.json"),
            "{args:?}: {debug}"
        );
        assert!(!with("error").contains("DEBUG"), "{args:?}");
    }
}

#[test]
fn a_new_project_runs_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("my-game");
    assert_eq!(code(&cicerone(&["new", game.to_str().unwrap()])), 0);
    let room = game.join("rooms/hall.json");
    let output =
        cicerone(&["run", room.to_str().unwrap(), "--headless", "--seconds", "60", "--format", "json"]);
    assert_eq!(
        (code(&output), json(&output)["script_errors"].as_u64()),
        (0, Some(0)),
        "{}",
        text(&output.stderr)
    );
    assert!(json(&output)["walks"]["arrived"].as_u64().unwrap() > 0);
    assert_eq!(code(&cicerone(&["check", game.to_str().unwrap()])), 0);
    let tests = cicerone(&["--root", game.to_str().unwrap(), "test"]);
    assert_eq!(code(&tests), 0, "{}", text(&tests.stdout));
    assert!(text(&tests.stdout).contains("3 passed"), "{}", text(&tests.stdout));
    assert_eq!(
        code(&cicerone(&["new", game.to_str().unwrap()])),
        2,
        "never into a folder that holds something"
    );
}

#[test]
fn what_is_wrong_with_a_save_is_said_of_the_save() {
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")]);
    let at = |name: &str| project.path(name).to_str().unwrap().to_owned();
    let save = at("game.save");
    let saving = ["run", &at("rooms/hall.json"), "--headless", "--seconds", "1", "--save", &save];
    assert_eq!(code(&cicerone(&saving)), 0);
    let whole: Value = serde_json::from_str(&std::fs::read_to_string(&save).unwrap()).unwrap();
    let refusal = |place: &str, value: Value| {
        let mut broken = whole.clone();
        *broken.pointer_mut(place).unwrap() = value;
        std::fs::write(&save, broken.to_string()).unwrap();
        let output = cicerone(&["run", "--restore", &save, "--headless", "--seconds", "1"]);
        assert_eq!(code(&output), 2, "{}", text(&output.stdout));
        text(&output.stderr)
    };
    let told = refusal("/world/characters/0/priority", Value::Null);
    assert!(told.contains("game.save"), "{told}");
    let told = refusal("/world/characters", Value::Array(Vec::new()));
    assert!(told.contains("game.save") && told.contains("the saved world makes no sense"), "{told}");
    assert!(!told.contains("hall.json"), "{told}");
    let told = refusal("/memories/state", Value::Array(Vec::new()));
    assert!(told.contains("this is nothing that scripts can keep") && !told.contains("Kept"), "{told}");
}

#[test]
fn without_a_terminal_events_and_reloads_are_lines() {
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")]);
    let room = project.path("rooms/hall.json");
    let mut child = Command::new(env!("CARGO_BIN_EXE_cicerone"))
        .args([Path::new("run"), &room])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.next().as_deref(), Some("ann comes in"));
    project.write("scripts/room.lua", "return { on_reload = function() log.info('new code') end }");
    let line = lines.by_ref().find(|line| line.contains("reloaded")).unwrap();
    assert!(line.starts_with("tick ") && line.contains(": reloaded scripts/room.lua in "), "{line}");
    assert!(line.ends_with(" ms: 1 restarted"), "{line}");
    assert!(lines.next().unwrap().ends_with("new code"));
    project.write("rooms/hall.json", &HALL.replace("\"areas\"", "\"areas"));
    let line = lines.by_ref().find(|line| line.starts_with("refused")).unwrap();
    assert!(line.contains("rooms/hall.json"), "{line}");
    assert!(lines.next().unwrap().trim_start().starts_with("rooms/hall.json:3:"));
    child.kill().unwrap();
    child.wait().unwrap();
}

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

#[test]
fn a_path_avoids_what_is_in_the_way() {
    let ask = |more: &[&str]| {
        let args = ["path", "rooms/tavern.json", "--from", "6,9.5", "--format", "json"];
        cicerone(&[&args[..], more].concat())
    };
    let length = |output: &std::process::Output| json(output)["length_m"].as_f64().unwrap();
    let to = ["--to", "3,7.5"];
    let free = ask(&to);
    assert_eq!(json(&free)["step"], "avoiding");
    assert!(json(&free)["snapped_from"].is_null(), "it begins where it was to");
    let round = ask(&[&to[..], &["--avoid", "4.5,7.5,0.6", "--avoid", "4.5,8.2,0.3"]].concat());
    assert_eq!((code(&round), json(&round)["step"].as_str()), (0, Some("avoiding")));
    assert!(length(&round) > length(&free) + 0.05, "{} {}", length(&round), length(&free));
    let through = ask(&[&to[..], &["--avoid", "6,8.7,3"]].concat());
    assert_eq!((code(&through), json(&through)["step"].as_str()), (0, Some("ignoring")));
    assert_eq!(length(&through), length(&free));
    assert_eq!(json(&ask(&["--to", "barrels"]))["step"], "nearest");
    let far = json(&ask(&["--to", "-50,-50"]));
    assert_eq!((far["step"].as_str(), far["reason"].as_str()), (Some("nearest"), Some("goal_off_ground")));
    assert_eq!(far["to"], serde_json::json!([-50.0, 0.0, -50.0]));
    assert!(far["missed_by_m"].as_f64().unwrap() > 60.0 && far["snapped_to"][0].as_f64().unwrap() > 0.0);
    assert!(
        json(&cicerone(&["path", "tavern", "--from", "-50,-50", "--to", "bar_left", "--format", "json"]))["step"]
            .is_null()
    );
    let words = |more: &[&str]| {
        let args = ["path", "tavern", "--from", "6,9.5", "--to", "3,7.5", "--avoid", "6,8.7,3"];
        text(&cicerone(&[&args[..], more].concat()).stdout)
    };
    assert!(words(&[]).contains("step: ignoring"), "{}", words(&[]));
    assert!(words(&["--format", "ascii"]).contains("% in the way"));
    assert!(words(&["--format", "svg"]).contains(r#"<circle class="avoided""#));
    for bad in ["1,2", "1,2,0", "1,2,x"] {
        assert_eq!(code(&ask(&[&to[..], &["--avoid", bad]].concat())), 2, "{bad}");
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
