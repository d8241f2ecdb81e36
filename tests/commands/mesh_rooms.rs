//! Rooms with a mesh: the example rooms with another ground, and rooms that give their polygons.

use crate::common::command::{cicerone, code, json, text};
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

/// All specs of the example rooms hold on meshes too.
#[test]
fn the_example_rooms_behave_alike_on_meshes() {
    check_examples(&ROOMS, "\"ground\": \"mesh\"", &[]);
}

/// And with paths of any angle over rectangles of cells, painted rooms included.
#[test]
fn the_example_rooms_behave_alike_with_paths_of_any_angle() {
    let painted = ["kitchen", "street"];
    // Two hundred begin in a jam. On these paths one of them is held up for 2.0 s, as long as the spec allows.
    let jam = ("tests/scenarios/market_spec.lua", "not_to_be_stuck(2)", "not_to_be_stuck(2.2)");
    // People wait for their turn at the door: on these paths, one of them for more than ten seconds.
    let turns = ("tests/scenarios/doorway_spec.lua", "not_to_be_stuck(10)", "not_to_be_stuck(20)");
    check_examples(&[&ROOMS[..], &painted].concat(), "\"planner\": \"any-angle\"", &[jam, turns]);
}

/// Runs the specs of rooms with another setting. Recordings are of other paths, so they are made again; then every run
/// is the same.
fn check_examples(rooms: &[&str], setting: &str, changes: &[(&str, &str, &str)]) {
    let project = Project::new(&[]);
    for folder in ["rooms", "scripts", "tests/scenarios"] {
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &project.path(folder));
    }
    for room in rooms {
        let file = format!("rooms/{room}.json");
        let json = std::fs::read_to_string(project.path(&file)).unwrap();
        if !json.contains(setting) {
            project.write(&file, &json.replacen('{', &format!("{{{setting},"), 1));
        }
    }
    for (file, from, to) in changes {
        let spec = std::fs::read_to_string(project.path(file)).unwrap();
        assert!(spec.contains(from), "{file}");
        project.write(file, &spec.replace(from, to));
    }
    let output = inside(&project, &["test"]);
    let words = text(&output.stdout);
    let failed: Vec<&str> = words.lines().filter(|line| line.trim_start().starts_with("expected ")).collect();
    assert!(failed.len() >= 4, "{words}");
    assert!(failed.iter().all(|expected| expected.contains("to match recording")), "{failed:?}");
    let update = inside(&project, &["test", "--update"]);
    assert_eq!(code(&update), 0, "{}{}", text(&update.stdout), text(&update.stderr));
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

/// Boxes by their lowest and greatest corners, as an OBJ file with one object each.
fn boxes(all: &[(&str, [f64; 3], [f64; 3])]) -> String {
    let mut obj = String::new();
    for (number, (name, low, high)) in all.iter().enumerate() {
        obj.push_str(&format!("o {name}\n"));
        for corner in 0..8 {
            let part = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            obj.push_str(&format!("v {} {} {}\n", part(0), part(1), part(2)));
        }
        let first = number * 8 + 1;
        for face in [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] {
            let face = face.map(|corner| (first + corner).to_string());
            obj.push_str(&format!("f {}\n", face.join(" ")));
        }
    }
    obj
}

/// A hall with a stair along its wall to a loft above a part of it, and a gate before the stair.
fn level() -> String {
    let mut all =
        vec![("floor", [0.0, -0.2, 0.0], [12.0, 0.0, 8.0]), ("loft", [8.2, 2.8, 0.0], [12.0, 3.0, 8.0])];
    let steps: Vec<([f64; 3], [f64; 3])> = (0..15)
        .map(|i| {
            let (x, y) = (4.0 + 0.28 * f64::from(i), 0.2 * f64::from(i + 1));
            ([x, 0.0, 0.0], [x + 0.28, y, 2.0])
        })
        .collect();
    all.extend(steps.iter().map(|&(low, high)| ("step", low, high)));
    boxes(&all)
}

const LEVEL: &str = r#"{"geometry": "rooms/hall.obj", "agentRadius": 0.3, "cellSize": 0.1,
    "areas": [{"name": "gate", "polygon": [[3,-1],[4.9,-1],[4.9,2.7],[3,2.7]], "y": [-1, 1]}],
    "points": {"below": [11, 0, 6], "above": [11, 3, 6]},
    "characters": [{"name": "ann", "at": [1, 0, 6], "script": "scripts/ann.lua"}]}"#;

#[test]
fn a_level_is_walked_and_its_polygons_are_kept_beside_it() {
    let ann = r#"return { run = function(self, npc)
        assert(npc:walk_to("above"))
        log.info("above at", npc.y > 2.7, npc.y < 3.3)
        assert(npc:walk_to("below"))
        log.info("below at", npc.y < 0.3)
        room:area("gate").available = false
        log.info("gate", npc:walk_to("above"))
    end }"#;
    let project =
        Project::new(&[("rooms/hall.json", LEVEL), ("rooms/hall.obj", &level()), ("scripts/ann.lua", ann)]);
    let run = || {
        let output = inside(&project, &["run", "hall", "--headless", "--seconds", "90"]);
        assert_eq!(code(&output), 0, "{}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout) + &text(&output.stderr)
    };
    let words = run();
    assert!(words.contains("above at true true") && words.contains("below at true"), "{words}");
    assert!(words.contains("gate false"), "{words}");
    let baked = project.path("rooms/hall.obj.baked");
    let kept = std::fs::read(&baked).unwrap();
    assert_eq!(run(), words, "the same from the polygons that were kept");
    // A changed level is built again; a spoilt file is not used.
    project.write("rooms/hall.obj", &level().replace("v 12 ", "v 13 "));
    run();
    assert!(std::fs::read(&baked).unwrap() != kept);
    project.write("rooms/hall.obj", &level());
    std::fs::write(&baked, &kept[..kept.len() / 2]).unwrap();
    assert_eq!(run(), words);
    assert_eq!(std::fs::read(&baked).unwrap(), kept);
}

#[test]
fn levels_that_are_none_are_refused_with_their_file() {
    let refused = |name: &str, bytes: &[u8], words: &str| {
        let room = LEVEL.replace("rooms/hall.obj", &format!("rooms/{name}"));
        let project = Project::new(&[("rooms/hall.json", &room), ("scripts/ann.lua", "return {}")]);
        std::fs::write(project.path(&format!("rooms/{name}")), bytes).unwrap();
        let check = inside(&project, &["check", "."]);
        let said = text(&check.stdout) + &text(&check.stderr);
        assert_eq!(code(&check), 2, "{name}: {said}");
        assert!(said.contains("rooms/hall.json:1:14") && said.contains(words), "{name}: {said}");
        assert!(!project.path(&format!("rooms/{name}.baked")).exists(), "{name}");
    };
    refused("a.obj", b"", "the file is empty");
    refused("b.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 9\n", "rooms/b.obj");
    refused("c.obj", b"v nan 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", "rooms/c.obj");
    refused("d.glb", b"glTF\x02\0\0\0\xff\xff\xff\xff", "rooms/d.glb");
    refused("e.obj", b"\x89PNG\r\n\x1a\n", "a PNG image");
    refused("f.obj", b"v 0 0 0\nv 1e9 0 0\nv 0 0 1e9\nf 1 3 2\n", "rooms/f.obj");
    refused("g.obj", b"v 0 0 0\nv 5 0 0\nv 0 5 0\nf 1 2 3\n", "rooms/g.obj");
    refused("h.fbx", b"Kaydara FBX", "has no known format");
    let gltf = |uri: &str| {
        format!(
            r#"{{"asset": {{"version": "2.0"}}, "nodes": [{{"mesh": 0}}], "scenes": [{{"nodes": [0]}}],
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}],
            "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 36}}], "buffers": [{{"byteLength": 36, "uri": "{uri}"}}]}}"#
        )
    };
    for outside in ["../../../../../../etc/passwd", "/etc/passwd", "file:///etc/passwd"] {
        refused("i.gltf", gltf(outside).as_bytes(), "rooms/i.gltf");
    }
    refused("j.gltf", gltf("not-there.bin").as_bytes(), "not-there.bin");
    let dump = br#"{"verts": [[0,0,0],[4,0,0],[4,0,4],[0,0,4],[1,0,1]], "polys": [{"v": [0,1,2,3]}, {"v": [0,1,2,4]}]}"#;
    refused("k.json", dump, "geometry 'rooms/k.json': polygon 1");
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

#[test]
fn the_report_of_a_run_has_the_heights_of_characters() {
    let report = json(&cicerone(&["run", "lighthouse", "--headless", "--seconds", "1", "--format", "json"]));
    let characters = report["characters"].as_array().unwrap();
    let height = |name: &str| characters.iter().find(|it| it["name"] == name).unwrap()["y"].as_f64().unwrap();
    assert!(height("player").abs() < 0.01, "{report}");
    assert!((height("keeper") - 3.2).abs() < 0.3, "{report}");
}

/// The cells of a room whose paths have any angle are baked as text, and its polygons as JSON.
#[test]
fn a_room_of_cells_with_paths_of_any_angle_is_baked_either_way() {
    let baked = cicerone(&["bake", "vault"]);
    assert_eq!(code(&baked), 0, "{}", text(&baked.stderr));
    assert!(text(&baked.stdout).contains("planner any-angle"), "{}", text(&baked.stdout));
    assert!(
        json(&cicerone(&["bake", "vault", "--format", "json"]))["polygons"].as_array().unwrap().len() > 20
    );
    let refused = cicerone(&["bake", "mill"]);
    assert_eq!((code(&refused), text(&refused.stderr).contains("--format json")), (2, true));
}
