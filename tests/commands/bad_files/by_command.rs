//! Those that need a file system, through the command.

use crate::bad_files::{HALL, hall};
use crate::common::project::Project;
use std::process::Command;

/// Runs the command in a project; gives its exit code and what it complains of.
fn cicerone(project: &Project, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    let output = command.current_dir(project.path("")).args(args).output().unwrap();
    let words =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    (output.status.code().unwrap(), words)
}

/// Every command that takes a room refuses this one, and says all of it.
#[track_caller]
fn refused(project: &Project, room: &str, expected: &[&str]) {
    let query = ["--from", "1,1", "--to", "2,2"];
    for args in [
        &["run", room, "--headless", "--seconds", "1"][..],
        &["check", room],
        &["draw", room],
        &["bake", room],
        &[&["path", room][..], &query].concat(),
    ] {
        let (code, words) = cicerone(project, args);
        assert_eq!(code, 2, "{args:?}: {words}");
        for piece in expected {
            assert!(words.contains(piece), "{args:?}: expected {piece} in\n{words}");
        }
        assert!(!words.contains("panicked"), "{words}");
    }
}

/// A project with this room and a script `scripts/guard.lua`.
fn project(room: &str) -> Project {
    Project::new(&[("rooms/r.json", room), ("scripts/guard.lua", "return {}")])
}

#[test]
fn rooms_that_do_not_fit_their_ground_or_files() {
    for (more, expected) in [
        (
            r#""characters": [{"name": "a", "at": [9, 9]}]"#,
            &["rooms/r.json:2:37", "outside every area", "nearest walkable point is"][..],
        ),
        (
            r#""characters": [{"name": "a", "at": [1, 1], "script": "scripts/gard.lua"}]"#,
            &["rooms/r.json:2:55", "script 'scripts/gard.lua': there is no such file"],
        ),
        (r#""script": "scripts""#, &["rooms/r.json:2:12", "script 'scripts': it is not a regular file"]),
        (
            r#""script": "../../etc/passwd""#,
            &["rooms/r.json:2:12", "the path of the script leaves the project"],
        ),
    ] {
        refused(&project(&hall(&format!(" {more}"))), "rooms/r.json", expected);
    }
}

/// There is ground, and something stands on it: the room runs, and everybody says so.
#[test]
fn a_start_that_is_covered_is_a_warning() {
    let well = r#" "characters": [{"name": "a", "at": [2, 2]}], "obstacles": [{"name": "well", "polygon": [[1.5,1.5],[2.5,1.5],[2.5,2.5],[1.5,2.5]]}]"#;
    let project = project(&hall(well));
    for args in [
        &["run", "r", "--headless", "--seconds", "1"][..],
        &["check", "rooms"],
        &["draw", "r"],
        &["path", "r", "--from", "0.5,0.5", "--to", "3.5,3.5"],
    ] {
        let (code, words) = cicerone(&project, args);
        assert_eq!(code, 0, "{args:?}: {words}");
        for piece in [
            "rooms/r.json:2:37",
            "'a' starts inside obstacle 'well', where no character can stand",
            "the nearest walkable point is [",
            "]; it starts there",
        ] {
            assert!(words.contains(piece), "{args:?}: expected {piece} in\n{words}");
        }
    }
    let (_, words) = cicerone(&project, &["check", "rooms"]);
    assert!(words.contains("0 errors, 1 warning"), "{words}");
    let (_, at) = cicerone(&project, &["eval", "r", "room:is_walkable(room:npc('a'))"]);
    assert!(at.contains("true"), "{at}");
    let lake = well.replace("[[1.5,1.5],[2.5,1.5],[2.5,2.5],[1.5,2.5]]", "[[-9,-9],[99,-9],[99,99],[-9,99]]");
    let (_, words) = cicerone(&self::project(&hall(&lake)), &["run", "r", "--headless", "--seconds", "1"]);
    assert!(words.contains("the room has no ground; it is left out"), "{words}");
}

#[test]
fn what_is_no_file() {
    let project = project(&format!("{HALL}}}"));
    for name in ["rooms/folder.json", "rooms/folder.txt", "rooms/folder.map"] {
        std::fs::create_dir(project.path(name)).unwrap();
        let (code, words) = cicerone(&project, &["path", name, "--from", "1,1", "--to", "2,2"]);
        assert!(code == 2 && words.contains("not a regular file"), "{words}");
        let (code, _) = cicerone(&project, &["run", name, "--headless"]);
        assert_eq!(code, 2);
    }
    for name in ["rooms/none.json", "rooms/none.txt", "rooms/none.map", "none"] {
        refused(&project, name, &["there is no such file"]);
    }
    let (code, words) = cicerone(&project, &["bake", "r", "-o", "rooms/folder.txt"]);
    assert_eq!(code, 2, "{words}");
}

#[cfg(unix)]
#[test]
fn pipes_and_links() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.lua"), "return {}").unwrap();
    let project = project(&hall(r#""script": "scripts/out.lua""#));
    for name in ["pipe.json", "pipe.txt", "pipe.map"] {
        let pipe = project.path("rooms").join(name);
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        refused(&project, &format!("rooms/{name}"), &["not a regular file"]);
    }
    for (one, other) in [("a.txt", "b.txt"), ("b.txt", "a.txt"), ("self.json", "self.json")] {
        symlink(other, project.path("rooms").join(one)).unwrap();
    }
    for name in ["rooms/a.txt", "rooms/self.json"] {
        refused(&project, name, &["it cannot be read", "symbolic links"]);
    }
    symlink(outside.path().join("secret.lua"), project.path("scripts/out.lua")).unwrap();
    refused(&project, "rooms/r.json", &["rooms/r.json:2:11", "the path leads out of the project"]);
    std::fs::remove_file(project.path("scripts/out.lua")).unwrap();
    symlink("out.lua", project.path("scripts/out.lua")).unwrap();
    refused(&project, "rooms/r.json", &["rooms/r.json:2:11", "scripts/out.lua"]);
    // A folder that links to itself is not walked for ever.
    symlink(".", project.path("rooms/again")).unwrap();
    let (code, words) = cicerone(&project, &["check", "."]);
    assert_eq!(code, 2, "{words}");
}

#[test]
fn scripts_that_cannot_be_loaded() {
    for (name, script, expected) in [
        (
            "a circle",
            "local B = require 'other' return B",
            "files require each other in a circle: scripts/guard.lua → scripts/other.lua → scripts/guard.lua",
        ),
        ("cut off", "return {", "scripts/guard.lua:1"),
        ("nothing there", "return require 'nobody'", "nobody"),
        ("out of the project", "return require '../../etc/passwd'", "passwd"),
    ] {
        let project = project(&hall(r#""script": "scripts/guard.lua""#));
        project.write("scripts/guard.lua", script);
        project.write("scripts/other.lua", "local G = require 'guard' return G");
        let (code, words) = cicerone(&project, &["check", "scripts/guard.lua"]);
        assert!(code == 2 && words.contains(expected), "{name}: {words}");
        // A running room says so too, runs on without it, and fails in the end.
        let (code, words) = cicerone(&project, &["run", "r", "--headless", "--seconds", "1"]);
        assert!(code == 1 && words.contains(expected), "{name}: {words}");
    }
}

#[test]
fn bad_grids_are_shown_with_their_lines() {
    let project = project(&format!("{HALL}}}"));
    project.write("rooms/bad.txt", "minX 0\nminZ 0\ngridWidth 3\ngridDepth 2\n110\n1x1\n");
    refused(
        &project,
        "rooms/bad.txt",
        &[" --> rooms/bad.txt:6:2", "6 | 1x1", "'x' is no cell: expected 1 or 0"],
    );
    project.write("rooms/worse.map", "type tile\nheight 1\nwidth 2\nmap\n..\n");
    refused(&project, "rooms/worse.map", &[" --> rooms/worse.map:1:6", "only octile ones"]);
}

#[test]
fn a_script_that_is_no_text_is_refused() {
    let project = project(&hall(r#""script": "scripts/guard.lua""#));
    for (bytes, expected) in [
        (&b"return '\xff'"[..], "it is not UTF-8"),
        (b"\xff\xfer\0e\0", "it is not UTF-8"),
        (b"\x1bLua", "guard.lua"),
    ] {
        std::fs::write(project.path("scripts/guard.lua"), bytes).unwrap();
        let (code, words) = cicerone(&project, &["check", "scripts/guard.lua"]);
        assert!(code == 2 && words.contains(expected), "{bytes:?}: {words}");
    }
}
