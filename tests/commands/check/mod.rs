//! `cicerone check` reads scripts and rooms: what it says of mistakes, and that it is silent where nothing is wrong.

mod rooms;
mod scripts;

use crate::common::project::Project;
use cicerone::lint::Survey;
use cicerone::problem::Source;
use std::path::Path;
use std::process::{Command, Output};

/// A hall with a door to a closed cellar, a tap, and people.
const ROOM: &str = r#"{
  "cellSize": 0.25, "agentRadius": 0.2, "objectPadding": 0.05,
  "areas": [
    { "name": "hall", "polygon": [[0, 0], [8, 0], [8, 6], [0, 6]] },
    { "name": "cellar_door", "polygon": [[8, 2], [8.5, 2], [8.5, 3.5], [8, 3.5]], "available": false },
    { "name": "cellar", "polygon": [[8.5, 1], [12, 1], [12, 5], [8.5, 5]] }
  ],
  "points": { "bar": [1, 1], "well": [6, 4.5], "barrels": [11, 3] },
  "hotspots": [
    { "name": "tap", "polygon": [[5.2, 0.7], [5.8, 0.7], [5.8, 1.3], [5.2, 1.3]], "walkTo": [5, 1.6], "cursor": "use" }
  ],
  "links": [{ "name": "jump", "from": [1, 5], "to": [9, 4], "kind": "ladder" }],
  "waypaths": [{ "name": "round", "points": [{ "at": "bar" }, { "at": [7, 1] }] }],
  "characters": [
    { "name": "guard", "at": "bar", "script": "scripts/guard.lua" },
    { "name": "ann", "at": [5, 1] },
    { "name": "player", "at": [2, 4], "player": true }
  ],
  "script": "scripts/room.lua"
}
"#;

fn project(files: &[(&str, &str)]) -> Project {
    let project =
        Project::new(&[("rooms/room.json", ROOM), ("scripts/greetings.lua", "return { hello = 'Hello!' }")]);
    files.iter().for_each(|(name, text)| project.write(name, text));
    project
}

/// What is said of one script of a project, a line each.
fn said_of(project: &Project, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(project.path(file)).unwrap();
    let place = cicerone::project::Project::at(&project.path(""));
    let survey = Survey::of(&place, &[file.to_owned()]);
    survey.check_script(&Source::new(file, text)).iter().map(ToString::to_string).collect()
}

fn check(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cicerone")).current_dir(folder).arg("check").args(args).output().unwrap()
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

#[test]
fn nothing_is_said_of_any_example() {
    let output = check(Path::new("."), &["--strict", "rooms", "scripts", "tests/scenarios"]);
    assert!(output.status.success(), "{}", words(&output));
    let new = tempfile::tempdir().unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_cicerone"))
        .arg("new")
        .arg(new.path().join("game"))
        .output()
        .unwrap();
    assert!(made.status.success());
    let output = check(&new.path().join("game"), &["--strict", "."]);
    assert!(output.status.success(), "{}", words(&output));
}

#[test]
fn warnings_alone_are_no_failure_unless_one_asks() {
    let odd = "local G = {}\nfunction G.on_enter(self, npc, area) return area == 'halll' end\nreturn G";
    let project = project(&[("scripts/guard.lua", odd), ("scripts/room.lua", "return {}")]);
    let folder = project.path("");
    let output = check(&folder, &["."]);
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    assert!(
        words(&output).contains("warning: no area 'halll' in room 'room', so this is never true"),
        "{}",
        words(&output)
    );
    assert!(
        words(&output).contains("did you mean 'hall'?")
            && words(&output).contains("--> scripts/guard.lua:2:53")
    );
    assert!(words(&output).contains("4 files, 0 errors, 1 warning"), "{}", words(&output));
    for strict in ["--strict", "--warnings-as-errors"] {
        assert_eq!(check(&folder, &[strict, "."]).status.code(), Some(2));
    }
    let output = check(&folder, &[".", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["errors"], &report["warnings"]), (&0.into(), &1.into()), "{report:#}");
    assert_eq!(report["problems"][0]["severity"], "warning");
}
