//! A reader of files that panics is an error of its file, wherever files are read. Builds with debug assertions have a
//! stand-in: a file that ends with [`STAND_IN`].
#![cfg(debug_assertions)]

use crate::common::command::text;
use crate::common::level_files::obj;
use crate::common::painted::png_from;
use crate::common::project::{HALL, Project};
use cicerone::runtime::{LiveReload, Reload, ReloadReport, Runtime, Saved};
use cicerone::serve::Server;
use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, Instant};

const STAND_IN: &str = "cicerone: the reader of this file panics";

const PAINTED: &str = r#"{ "mask": "rooms/mask.png", "pixelsPerMetre": 1, "characters": [{ "name": "ann", "at": [2.5, 1.5] }] }"#;

fn faulty(bytes: &[u8]) -> Vec<u8> {
    [bytes, STAND_IN.as_bytes()].concat()
}

fn png() -> Vec<u8> {
    png_from("........ ........ ........ ........")
}

/// Files of each kind with a stand-in behind them: the room to open, the file to blame, and its content.
fn faulty_files() -> Vec<(Project, &'static str)> {
    let painted = || Project::new(&[("rooms/hall.json", PAINTED)]);
    let level = |file: &str| {
        let room =
            format!(r#"{{ "geometry": "rooms/{file}", "characters": [{{ "name": "ann", "at": [1, 1] }}] }}"#);
        Project::new(&[("rooms/hall.json", &room)])
    };
    let write = |project: Project, file: &'static str, bytes: Vec<u8>| {
        std::fs::write(project.path(file), bytes).unwrap();
        (project, file)
    };
    let walls = obj(&[("floor", [[0.0, 0.0, -8.0], [320.0, 320.0, 0.0]])]);
    vec![
        write(painted(), "rooms/mask.png", faulty(&png())),
        write(level("walls.obj"), "rooms/walls.obj", faulty(format!("{walls}\n# ").as_bytes())),
        write(level("walls.glb"), "rooms/walls.glb", faulty(b"glTF")),
        write(level("walls.gltf"), "rooms/walls.gltf", faulty(b"{} ")),
        write(level("walls.json"), "rooms/walls.json", faulty(br#"{ "verts": [], "polys": [] } // "#)),
        write(
            Project::new(&[("rooms/hall.json", "")]),
            "rooms/hall.json",
            faulty(format!("{HALL} // ").as_bytes()),
        ),
    ]
}

/// Nothing but the file and the reason: no panic's own words, and no place in cicerone's source.
fn blames(said: &str, file: &str) {
    assert!(said.contains(file) && said.contains("its reader failed on it (on purpose)"), "{file}: {said}");
    assert!(!said.contains("panicked at") && !said.contains("src/"), "{file}: {said}");
}

#[test]
fn a_reader_that_panics_is_an_error_of_its_file_in_every_command() {
    for (project, file) in faulty_files() {
        for words in [
            &["check", "rooms/hall.json"][..],
            &["run", "--headless", "rooms/hall.json"],
            &["path", "rooms/hall.json", "--from", "1,1", "--to", "2,2"],
            &["draw", "rooms/hall.json"],
            &["serve", "rooms/hall.json", "--stdio"],
        ] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
            let output = command.current_dir(project.path("")).args(words).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{words:?} {file}: {output:?}");
            blames(&(text(&output.stderr) + &text(&output.stdout)), file);
        }
    }
}

#[test]
fn recordings_saves_and_declarations_too() {
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")]);
    let recording = [cicerone_recording(&project), b"x".to_vec()].concat();
    for (file, content, words) in [
        ("run.rec", recording, &["replay", "run.rec"][..]),
        ("end.save", b"{} // ".to_vec(), &["run", "--headless", "--restore", "end.save"]),
        ("scripts/game_api.json", b"{} // ".to_vec(), &["run", "--headless", "rooms/hall.json"]),
    ] {
        std::fs::write(project.path(file), faulty(&content)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        let output = command.current_dir(project.path("")).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{file}: {output:?}");
        blames(&(text(&output.stderr) + &text(&output.stdout)), file);
    }
}

fn cicerone_recording(project: &Project) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    command.current_dir(project.path("")).args(["run", "--headless", "rooms/hall.json", "--seconds", "1"]);
    assert!(command.args(["--record", "first.rec"]).output().unwrap().status.success());
    std::fs::read(project.path("first.rec")).unwrap()
}

/// Painted rooms are read on another thread.
#[test]
fn a_running_room_keeps_its_last_good_state_whatever_the_reader_does() {
    let project = Project::new(&[("rooms/hall.json", PAINTED)]);
    std::fs::write(project.path("rooms/mask.png"), png()).unwrap();
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, false);
    for (file, bad, good) in [
        ("rooms/mask.png", faulty(&png()), png_from("........ ........ ........ .......#")),
        (
            "rooms/hall.json",
            faulty(format!("{PAINTED} // ").as_bytes()),
            PAINTED.replace("2.5", "3.5").into(),
        ),
    ] {
        let hash = runtime.world().checksum();
        std::fs::write(project.path(file), bad).unwrap();
        let report = told(&mut live, &mut runtime);
        assert!(matches!(report, ReloadReport::Refused { .. }), "{report}");
        blames(&report.to_string(), file);
        assert_eq!(runtime.world().checksum(), hash);
        std::fs::write(project.path(file), good).unwrap();
        let report = told(&mut live, &mut runtime);
        assert!(matches!(report, ReloadReport::Reloaded { .. }), "{report}");
    }
}

/// The next report, without a step.
fn told(live: &mut LiveReload, runtime: &mut Runtime) -> ReloadReport {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        if let Some(report) = live.poll(runtime).pop() {
            return report;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("nothing was noticed");
}

#[test]
fn what_code_hands_over_is_guarded_too() {
    let project = Project::new(&[("rooms/hall.json", PAINTED)]);
    std::fs::write(project.path("rooms/mask.png"), png()).unwrap();
    let mut runtime = project.open();
    match runtime.replace_file("rooms/mask.png", faulty(&png())).unwrap() {
        Reload::Refused { problems, .. } => blames(&problems[0].to_string(), "rooms/mask.png"),
        other => panic!("{other:?}"),
    }
    let save = format!("{{}} // {STAND_IN}");
    blames(&Saved::read("end.save", &save).unwrap_err().to_string(), "end.save");

    let mut server = Server::new(runtime);
    let room = format!("{PAINTED} // {STAND_IN}");
    let order = json!({ "do": "replace", "file": "rooms/hall.json", "content": room });
    let reply: Value = serde_json::from_str(&server.answer(&order.to_string()).text).unwrap();
    blames(reply["error"].as_str().unwrap(), "rooms/hall.json");
    let order = json!({ "do": "restore", "save": save });
    let reply: Value = serde_json::from_str(&server.answer(&order.to_string()).text).unwrap();
    blames(reply["error"].as_str().unwrap(), "save");
    assert!(server.answer(r#"{ "do": "step" }"#).text.contains(r#""ok":true"#));
}
