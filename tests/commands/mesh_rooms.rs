//! Rooms with a mesh: the example rooms with another ground, and rooms that give their polygons.

use crate::common::command::{code, text};
use crate::common::project::Project;
use std::path::Path;
use std::process::{Command, Output};

/// The example rooms that are made of areas.
const ROOMS: [&str; 6] = ["corridor", "doorway", "market", "stage", "tavern", "vault"];

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let there = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &there),
            false => drop(std::fs::copy(entry.path(), there).unwrap()),
        }
    }
}

fn inside(project: &Project, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    command.current_dir(project.path("")).args(args).output().unwrap()
}

/// All specs of the example rooms hold on meshes too. Recordings are of another ground, so they are made again; then
/// every run is the same.
#[test]
fn the_example_rooms_behave_alike_on_meshes() {
    let project = Project::new(&[]);
    for folder in ["rooms", "scripts", "tests/scenarios"] {
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &project.path(folder));
    }
    for room in ROOMS {
        let file = format!("rooms/{room}.json");
        let json = std::fs::read_to_string(project.path(&file)).unwrap();
        project.write(&file, &json.replacen('{', "{\"ground\": \"mesh\",", 1));
    }
    let output = inside(&project, &["test"]);
    let words = text(&output.stdout);
    let failed: Vec<&str> = words.lines().filter(|line| line.trim_start().starts_with("expected ")).collect();
    assert!(failed.len() >= 5, "{words}");
    assert!(failed.iter().all(|expected| expected.contains("to match recording")), "{failed:?}");
    assert_eq!(code(&inside(&project, &["test", "--update"])), 0);
    let again = inside(&project, &["test"]);
    assert_eq!(code(&again), 0, "{}{}", text(&again.stdout), text(&again.stderr));
    let check = inside(&project, &["check", "--warnings-as-errors", "."]);
    assert_eq!(code(&check), 0, "{}{}", text(&check.stdout), text(&check.stderr));
}

/// A hall, a stair to a gallery above it, and a gate on the gallery.
const HOUSE: &str = r#"{"mesh": {"polygons": [
    [[0,0,0], [6,0,0], [6,0,4], [0,0,4]],
    [[6,0,1], [10,3,1], [10,3,2], [6,0,2]],
    [[10,3,0], [11,3,0], [11,3,4], [10,3,4]],
    [[0,3,0], [10,3,0], [10,3,1], [0,3,1]]
]},
"areas": [{"name": "gate", "polygon": [[4,-1],[5,-1],[5,2],[4,2]], "y": [2, 4]}],
"points": {"bed": [0.5, 3, 0.5], "below": [0.5, 0, 0.5]},
"characters": [{"name": "ann", "at": [0.5, 0, 3.5], "script": "scripts/ann.lua"}]}"#;

const ANN: &str = r#"return { run = function(self, npc)
    assert(npc:walk_to("bed"))
    log.info("at", npc.x, npc.y, npc.z)
    room:area("gate").available = false
    local ok, why = npc:walk_to("below")
    log.info("then", ok, why, npc.y)
end }"#;

#[test]
fn a_room_of_polygons_is_walked_from_storey_to_storey() {
    let project = Project::new(&[("rooms/house.json", HOUSE), ("scripts/ann.lua", ANN)]);
    let run = inside(&project, &["run", "house", "--headless", "--seconds", "40"]);
    let words = text(&run.stdout) + &text(&run.stderr);
    assert_eq!(code(&run), 0, "{words}");
    assert!(words.contains("at 0.5") && words.contains(" 3.0 0.5"), "{words}");
    assert!(words.contains("then false partial 3.0"), "the gate holds her on the gallery: {words}");
    let path =
        |to: &str| text(&inside(&project, &["path", "house", "--from", "0.5,0,0.5", "--to", to]).stdout);
    assert!(path("0.5,3,0.5").contains("0.50, 3.00, 0.50"), "{}", path("0.5,3,0.5"));
    assert_eq!(path("0.5,3,0.5"), path("0.5,0.5"), "without a height the highest floor is meant");
    let closed =
        ["path", "house", "--from", "0.5,0,0.5", "--to", "0.5,3,0.5", "--explain", "--close", "gate"];
    let why = inside(&project, &closed);
    assert!((text(&why.stdout) + &text(&why.stderr)).contains("gate"), "{}", text(&why.stdout));
}

#[test]
fn faults_of_polygons_keep_the_room_from_running() {
    let concave =
        HOUSE.replace("[[6,0,1], [10,3,1], [10,3,2], [6,0,2]]", "[[6,0,1], [10,3,1], [7,1,1.1], [6,0,2]]");
    let project = Project::new(&[("rooms/house.json", &concave), ("scripts/ann.lua", ANN)]);
    let check = inside(&project, &["check", "."]);
    let words = text(&check.stdout) + &text(&check.stderr);
    assert_eq!(code(&check), 2, "{words}");
    assert!(words.contains("rooms/house.json:3:5") && words.contains("polygon 1 is not convex"), "{words}");
}
