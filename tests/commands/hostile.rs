//! What the command says of files, names and folders that nobody meant to make: never too much, never raw, and always
//! why.

use crate::common::project::{HALL, Project};
use std::path::Path;
use std::process::{Command, Output};

fn cicerone(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cicerone")).current_dir(folder).args(args).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

fn hall() -> Project {
    let spec = "describe('hall', function() it('opens', function() load_room('rooms/hall.json') run_for(0.1) end) end)";
    Project::new(&[
        ("rooms/hall.json", HALL),
        ("scripts/room.lua", "return {}"),
        ("tests/scenarios/hall_spec.lua", spec),
    ])
}

#[test]
fn of_thousands_of_problems_the_first_are_shown() {
    let end = HALL.find("{ \"name\": \"ann\"").unwrap();
    // On a line each, and all on one with letters of two bytes.
    for (between, name) in [(",\n", "c"), (",", "ü")] {
        let person = |i: usize| format!("{{ \"name\": \"{name}{i}\", \"at\": [100, {i}] }}");
        let people: Vec<String> = (0..3000).map(person).collect();
        let room = format!("{}{}] }}", &HALL[..end], people.join(between));
        let project = Project::new(&[("rooms/hall.json", &room), ("scripts/room.lua", "return {}")]);
        let folder = project.path("");
        for command in ["check rooms/hall.json", "run hall --headless", "draw hall", "monkey hall --seeds 1"]
        {
            let words: Vec<&str> = command.split(' ').collect();
            let output = cicerone(&folder, &words);
            assert_eq!(output.status.code(), Some(2), "{command}");
            let said = said(&output);
            assert!(
                said.contains("… and 2800 more problems in rooms/hall.json"),
                "{command}: {}",
                said.len()
            );
            assert!(said.len() < 100_000, "{command}: {}", said.len());
        }
        let output = cicerone(&folder, &["check", "--format", "json", "rooms/hall.json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let problems = report["problems"].as_array().unwrap();
        assert_eq!((problems.len(), &report["errors"]), (3000, &3000.into()));
        // The last one is told where it is, and not every one how to mend it.
        let at = problems[2999]["span"]["start"].as_u64().unwrap() as usize;
        let line_start = room[..at].rfind('\n').map_or(0, |line| line + 1);
        assert_eq!(problems[2999]["column"], room[line_start..at].chars().count() + 1);
        assert!(problems[0]["hint"].is_string() && problems[2999]["hint"].is_null());
    }
}

#[test]
fn of_thousands_of_odd_points_the_first_are_warned_of() {
    let points: Vec<String> = (0..3000).map(|i| format!("\"p{i}\": [100, {i}]")).collect();
    let room = HALL.replace("\"bar\": [1, 1]", &points.join(",\n"));
    let project = Project::new(&[("rooms/hall.json", &room), ("scripts/room.lua", "return {}")]);
    let output = cicerone(&project.path(""), &["check", "rooms"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        said(&output).contains("warning: rooms/hall.json: 2900 more like these are not listed"),
        "{}",
        said(&output)
    );
}

#[test]
fn of_a_line_of_a_quarter_of_a_megabyte_a_window_is_shown() {
    let long = "x".repeat(250_000);
    let spec = format!("describe('a', function() it('b', function() expect('{long}').to_be('y') end) end)");
    let cases = [
        ("rooms/r.json", format!("{{\"areas\": [], \"{long}\": [1 2]}}")),
        ("rooms/k.json", format!("{{\"areas\": [{{\"name\": \"a\", \"polygon\": []}}], \"{long}\": 1}}")),
        ("rooms/w.json", format!("{{\"areas\": {long}}}")),
        ("rooms/g.txt", format!("cellSize 0.5\nminX 0\nminZ 0\ngridWidth 3\ngridDepth 1\n{long}\n")),
        ("rooms/h.txt", format!("cellSize {long}\n")),
        ("rooms/m.map", format!("type octile\nheight 1\nwidth 3\nmap\n{long}\n")),
        ("scripts/s.lua", format!("local a = '{long}' = 2")),
        ("scripts/t.lua", format!("local a = {long} {long}")),
        ("scripts/n.lua", format!("local a = 1 {long}:x()")),
        ("scripts/u.lua", format!("local a = '{long}\n")),
    ];
    for (file, text) in cases {
        let project = hall();
        project.write(file, &text);
        let output = cicerone(&project.path(""), &["check", file]);
        let said = said(&output);
        assert!(
            said.len() < 3_000,
            "{file}: {} bytes: {}",
            said.len(),
            said.chars().take(300).collect::<String>()
        );
        if file.starts_with("rooms") {
            let output = cicerone(&project.path(""), &["run", file, "--headless"]);
            assert_eq!(output.status.code(), Some(2), "{file}");
            assert!(output.stderr.len() < 3_000, "{file}: {} bytes", output.stderr.len());
        }
    }
    // An error while it runs, and a test that fails.
    let project = hall();
    project
        .write("scripts/room.lua", &format!("local R = {{}} function R.run() error('{long}') end return R"));
    project.write("tests/scenarios/hall_spec.lua", &spec);
    for args in [
        &["run", "hall", "--headless", "--seconds", "1"][..],
        &["test"],
        &["eval", "hall", &format!("'{}", &long[..100_000])],
    ] {
        let output = cicerone(&project.path(""), args);
        assert!(said(&output).len() < 6_000, "{}: {} bytes", args[0], said(&output).len());
        assert_ne!(output.status.code(), Some(0));
    }
}

/// Moves the cursor, in two ways; turns writing round; ends a line, and one of its own kind.
const RAW: &str = "x\nforged\u{1b}[2Jy\u{9b}2Kz\u{202e}v\u{2028}w";

#[test]
fn nothing_that_is_typed_or_read_steers_the_terminal() {
    let project = hall();
    let folder = project.path("");
    let room = format!("rooms/{RAW}.json");
    project.write(&room, &HALL.replace("\"ann\"", "\"a\\u001b[2Jnn\"").replace("[2, 1]", "[200, 1]"));
    project.write(&format!("scripts/{RAW}.lua"), "local = 1");
    project.write(
        &format!("tests/scenarios/{RAW}_spec.lua"),
        "describe('\\27[2J', function() it('\\27[2J', function() error('\\27[2J') end) end)",
    );
    let (lua, json) = (format!("{RAW}.lua"), format!("{RAW}.json"));
    let cases: &[&[&str]] = &[
        &[RAW],
        &["run", RAW, RAW],
        &["run", &format!("--{RAW}")],
        &["run", "hall", "--seconds", RAW],
        &["run", "--root", RAW],
        &["run", &json],
        &["run", &format!("no{RAW}")],
        &["run", &room, "--headless"],
        &["run", "hall", "--headless", "--script", &lua],
        &["run", "hall", "--headless", "--script", &format!("{RAW}=scripts/room.lua")],
        &["run", "hall", "--headless", "--click", &format!("1:{RAW}")],
        &["run", "hall", "--headless", "--record", &format!("{RAW}/x")],
        &["run", "--restore", RAW],
        &["check", "."],
        &["check", RAW],
        &["draw", RAW],
        &["draw", "hall", "-o", &format!("{RAW}/x")],
        &["path", "hall", "--to", RAW],
        &["path", "hall", "--to", "1,1", "--open", RAW],
        &["bake", "hall", "-o", RAW],
        &["monkey", RAW],
        &["bench", &format!("{RAW}.scen")],
        &["replay", RAW],
        &["test", RAW],
        &["test"],
        &["test", "--list"],
        &["test", "--filter", RAW],
        &["eval", "hall", &format!("print('{RAW}') return '{RAW}'")],
        &["eval", "hall", &format!("{RAW}()")],
        &["api", RAW],
        &["new", &format!("{RAW}/game")],
        &["new", &format!("{RAW}/game")],
    ];
    for args in cases {
        let said = said(&cicerone(&folder, args));
        assert!(!said.trim().is_empty(), "{args:?}");
        let raw = said.chars().find(|&c| c.is_control() && c != '\n' || "\u{202e}\u{2028}".contains(c));
        assert_eq!(raw, None, "{args:?}: {said:?}");
        // What a spec says is as many lines as it likes.
        let is_forged = said.lines().any(|line| line.trim_start().starts_with("forged"));
        assert!(!is_forged || args == &["test"], "{args:?}: {said}");
    }
    // Machines are given names as they are.
    let output = cicerone(&folder, &["check", "--format", "json", &room]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["problems"][0]["file"], room.as_str());
}

#[test]
fn rooms_are_found_from_every_folder_of_a_project() {
    let project = hall();
    project.write("rooms/old/x.txt", "");
    project.write("scripts/deep/er/x.lua", "return {}");
    for folder in ["", "rooms", "rooms/old", "scripts", "scripts/deep/er", "tests", "tests/scenarios"] {
        let folder = project.path(folder);
        for room in ["hall", "hall.json", "rooms/hall.json"] {
            for command in [
                "run ROOM --headless --seconds 0.1",
                "check ROOM",
                "draw ROOM",
                "path ROOM --from 1,1 --to 2,2",
                "bake ROOM",
                "eval ROOM 1",
                "bench ROOM --seconds 0 --random-queries 1 --rounds 1",
                "monkey ROOM --seeds 1 --seconds 1",
            ] {
                let words: Vec<&str> =
                    command.split(' ').map(|word| if word == "ROOM" { room } else { word }).collect();
                let output = cicerone(&folder, &words);
                assert!(output.status.code() < Some(2), "{}: {words:?}: {}", folder.display(), said(&output));
            }
        }
        for args in [
            &["test"][..],
            &["test", "tests/scenarios"],
            &["test", "tests/scenarios/hall_spec.lua"],
            &["check", "scripts"],
        ] {
            let output = cicerone(&folder, args);
            assert_eq!(output.status.code(), Some(0), "{}: {args:?}: {}", folder.display(), said(&output));
        }
        let with_script = ["run", "--headless", "--seconds", "0.1", "--script", "scripts/room.lua"];
        assert_eq!(cicerone(&folder, &with_script).status.code(), Some(0), "{}", folder.display());
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_told_from_what_is_not_there() {
    let project = hall();
    let folder = project.path("");
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, folder.join(name)).unwrap();
    std::fs::rename(folder.join("rooms"), folder.join("away")).unwrap();
    project.write("plain", "");
    link("circle", "circle");
    // `rooms` leads nowhere but to itself, or is a file.
    for (to, why) in [("rooms", "Too many levels of symbolic links"), ("plain", "Not a directory")] {
        link(to, "rooms");
        for args in [
            &["run", "hall", "--headless"][..],
            &["run", "--headless"],
            &["draw", "hall"],
            &["path", "hall", "--to", "1,1"],
            &["monkey", "hall"],
            &["eval", "hall", "1"],
        ] {
            let output = cicerone(&folder, args);
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            assert!(said(&output).contains(why), "{args:?}: {}", said(&output));
        }
        std::fs::remove_file(folder.join("rooms")).unwrap();
    }
    std::fs::rename(folder.join("away"), folder.join("rooms")).unwrap();
    for args in [
        &["run", "circle/hall.json", "--headless"][..],
        &["check", "circle"],
        &["check", "circle/hall.json"],
        &["test", "circle"],
        &["test", "circle/hall_spec.lua"],
        &["run", "hall", "--headless", "--script", "circle"],
        &["run", "hall", "--headless", "--root", "circle"],
        &["run", "--restore", "circle"],
        &["replay", "circle"],
    ] {
        let said = said(&cicerone(&folder, args));
        assert!(said.contains("Too many levels of symbolic links"), "{args:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_walk_goes_past_circles_and_pipes() {
    let project = hall();
    let folder = project.path("");
    std::os::unix::fs::symlink("..", folder.join("scripts/up")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("rooms/endless.json")).unwrap();
    let made = Command::new("mkfifo")
        .arg(folder.join("scripts/pipe.lua"))
        .arg(folder.join("rooms/pipe.txt"))
        .status();
    assert!(made.unwrap().success());
    let output = cicerone(&folder, &["check", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("3 files, 0 errors, 0 warnings"), "{}", said(&output));
    // What is named is not passed over.
    let output = cicerone(&folder, &["check", "scripts/pipe.lua", "rooms/pipe.txt"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[cfg(unix)]
#[test]
fn half_a_new_project_is_taken_away_again() {
    let place = tempfile::tempdir().unwrap();
    let make = |limit: &str| {
        let script = format!("trap '' XFSZ; {limit} exec \"$0\" new a/b/game");
        let shell = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_cicerone")])
            .current_dir(place.path())
            .output();
        shell.unwrap()
    };
    let names = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
    // No file may be longer than a few kilobytes: as on a disk that is full after some files.
    let output = make("ulimit -f 8;");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("cannot write a/b/game/"), "{}", said(&output));
    assert_eq!(names(place.path()), 0, "and what was made is gone");
    // A folder that was there before stays.
    std::fs::create_dir_all(place.path().join("a/b/game")).unwrap();
    assert_eq!(make("ulimit -f 8;").status.code(), Some(2));
    assert_eq!(names(&place.path().join("a/b/game")), 0);
    let output = make("");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}
