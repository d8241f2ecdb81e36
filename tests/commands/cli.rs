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
    let told = refusal("/world/characters/0/traits", serde_json::json!({ "priority": null }));
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

/// The page's link is printed when the page is asked for, and else there is no page at all.
#[cfg(feature = "page")]
#[test]
fn a_page_is_served_when_it_is_asked_for() {
    let said = |args: &[&str]| {
        let output = cicerone(&[&["run", "tavern", "--seconds", "0.5"], args].concat());
        assert_eq!(code(&output), 0, "{args:?}: {}", text(&output.stderr));
        text(&output.stdout) + &text(&output.stderr)
    };
    assert!(said(&["--view", "page"]).contains("http://127.0.0.1:"));
    assert!(said(&["--view", "page", "--port", "0", "--editor", "x://{path}"]).contains("http://127.0.0.1:"));
    for args in [&[][..], &["--view", "none"]] {
        let said = said(args);
        assert!(!said.contains("http://") && said.contains("comes in"), "{said}");
    }
    // A port that is taken, and options that do not go together.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = cicerone(&["run", "tavern", "--view", "page", "--port", &port]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("cannot listen"), "{}", text(&output.stderr));
    assert_eq!(code(&cicerone(&["run", "--headless", "--view", "page"])), 2);
}
