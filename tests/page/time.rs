//! Other moments, other futures, breakpoints, and edits of the room's file, as a page asks for them.

use crate::client::{Page, Served};
use cicerone::runtime::{LiveReload, Options, ReloadReport, Runtime};
use serde_json::{Value, json};
use std::path::PathBuf;

const ANN: &str = "return { run = function(self, npc)
  self.n = 0
  while true do
    self.n = self.n + 1
    npc:walk_to(self.n % 2 == 0 and 'left' or 'right')
  end
end }
";

const HALL: &str = r#"{
  "areas": [{ "name": "hall", "polygon": [[0, 0], [8, 0], [8, 5], [0, 5]] }],
  "obstacles": [{ "name": "table", "polygon": [[3.00, 2.00], [5.00, 2.00], [5.00, 3.00], [3.00, 3.00]] }], // a table
  "points": { "left": [1, 1], "right": [3, 1] },
  "characters": [{ "name": "ann", "at": [1, 1], "script": "scripts/ann.lua" }, { "name": "player", "at": [7, 4], "player": true }]
}
"#;

struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir_all(project.path("rooms")).unwrap();
        std::fs::create_dir_all(project.path("scripts")).unwrap();
        project.write("rooms/hall.json", HALL);
        project.write("scripts/ann.lua", ANN);
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn served(&self) -> Served {
        let mut runtime = Runtime::open(&self.path("rooms/hall.json"), Options::default()).unwrap();
        runtime.keep_journal(Options::default());
        Served::of(runtime)
    }
}

fn run(served: &mut Served, ticks: u64) {
    let began = std::time::Instant::now();
    while served.runtime.world().tick_number() < ticks {
        assert!(began.elapsed() < crate::client::PATIENCE, "the room does not go on");
        served.turn();
    }
}

/// The next message about the past that passes.
fn past(page: &mut Page, served: &mut Served, passes: impl Fn(&Value) -> bool) -> Value {
    loop {
        let told = page.told(served, "past");
        if passes(&told) {
            return told;
        }
    }
}

#[test]
fn any_moment_can_be_looked_at_exactly() {
    let project = Project::new();
    let mut served = project.served();
    let mut page = served.page();
    page.told(&mut served, "scene");
    let ann = served.runtime.world().character_named("ann").unwrap().id;
    page.order(&mut served, json!({ "do": "look", "who": ann.0, "paths": "selected", "cells": false }));
    run(&mut served, 400);
    let now = served.runtime.world().checksum();
    page.order(&mut served, json!({ "do": "goTo", "tick": 100, "exact": true }));
    let told = past(&mut page, &mut served, |told| told["exact"] == true);
    assert_eq!((&told["tick"], &told["first"]), (&json!(100), &json!(0)), "{told}");
    page.wait_for(&mut served, |message| match message {
        tungstenite::Message::Binary(bytes) if bytes[0] == 1 => {
            let tick = f64::from_le_bytes(bytes[8..16].try_into().unwrap());
            (tick == 100.0 && bytes[4] == 3).then_some(())
        }
        _ => None,
    });
    let inspected = page.wait_for(&mut served, |message| {
        let value: Value = serde_json::from_str(message.to_text().ok()?).ok()?;
        (value["kind"] == "inspect" && value["name"] == "ann" && value.to_string().contains("\"n\""))
            .then_some(value)
    });
    assert!(inspected.to_string().contains("scripts/ann.lua"), "{inspected}");
    // The room waits, and what would change it is refused.
    let answer = page.order(&mut served, json!({ "do": "click", "at": [2, 2] }));
    assert!(answer["error"].as_str().unwrap().contains("the past"), "{answer}");
    assert_eq!(served.runtime.world().checksum(), now);
    page.order(&mut served, json!({ "do": "goLive" }));
    past(&mut page, &mut served, |told| told["tick"].is_null());
    run(&mut served, 420);
}

#[test]
fn a_saved_script_shows_another_future() {
    let project = Project::new();
    let mut served = project.served();
    let mut page = served.page();
    let scene = page.told(&mut served, "scene");
    run(&mut served, 300);
    page.order(&mut served, json!({ "do": "goTo", "tick": 60, "exact": true }));
    past(&mut page, &mut served, |told| told["exact"] == true);
    project.write("scripts/ann.lua", &ANN.replace("'right'", "'player'"));
    let done = |message: &tungstenite::Message| {
        let value: Value = serde_json::from_str(message.to_text().ok()?).ok()?;
        (value["kind"] == "whatIf" && value["computing"].is_null()).then_some(value)
    };
    let told = page.wait_for(&mut served, done);
    assert_eq!(told["files"], json!(["scripts/ann.lua"]));
    assert_eq!(told["from"], 60);
    let differences = told["differences"].as_array().unwrap();
    let ticks: Vec<u64> = differences.iter().map(|one| one["tick"].as_u64().unwrap()).collect();
    assert!(ticks.len() > 1 && ticks.is_sorted() && (60..300).contains(&ticks[0]), "{told}");
    assert!(differences.iter().all(|one| one["before"] != one["now"]), "{told}");
    assert_eq!((&told["errors"], &told["scene"]), (&json!([]), &Value::Null));
    let ways: Vec<&str> =
        told["tracks"].as_array().unwrap().iter().map(|track| track["name"].as_str().unwrap()).collect();
    assert_eq!(ways, ["ann"]);
    // A page that comes later is told, too.
    let mut other = served.page();
    let told_later = other.wait_for(&mut served, done);
    assert_eq!((&told_later["from"], &told_later["tracks"]), (&told["from"], &told["tracks"]));
    // Later moments of the same future are compared with it, not with another one.
    page.order(&mut served, json!({ "do": "goTo", "tick": 90, "exact": true }));
    past(&mut page, &mut served, |told| told["exact"] == true && told["tick"] == 90);
    let began = std::time::Instant::now();
    while began.elapsed().as_millis() < 1200 {
        served.turn(); // long enough to look at the files a few times; the next message is about the mistake
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // A mistake is told with its place.
    project.write("scripts/ann.lua", "return {");
    let told = page.wait_for(&mut served, done);
    assert_eq!(
        (&told["problems"][0]["file"], &told["problems"][0]["line"]),
        (&json!("scripts/ann.lua"), &json!(1))
    );
    // So is an error that only the new script has.
    project.write("scripts/ann.lua", &ANN.replace("'left'", "nothing.here"));
    let told = page.wait_for(&mut served, done);
    let error = &told["errors"][0];
    assert_eq!(
        (&error["file"], &error["line"], &error["who"]),
        (&json!("scripts/ann.lua"), &json!(5), &json!("ann"))
    );
    project.write("scripts/ann.lua", ANN);
    let told = page.wait_for(&mut served, done);
    assert_eq!(told["files"], json!([]));
    // A room counts, too.
    project.write("rooms/hall.json", &HALL.replace("[3, 1]", "[2, 3]"));
    let told = page.wait_for(&mut served, done);
    assert_eq!(told["files"], json!(["rooms/hall.json"]));
    assert!(!told["tracks"].as_array().unwrap().is_empty());
    assert_ne!(told["scene"]["storeys"][0]["svg"], scene["storeys"][0]["svg"], "it is drawn as it would be");
}

#[test]
fn without_a_journal_frames_are_all_there_is() {
    let project = Project::new();
    let runtime = Runtime::open(&project.path("rooms/hall.json"), Options::default()).unwrap();
    let mut served = Served::of(runtime);
    let mut page = served.page();
    page.told(&mut served, "scene");
    run(&mut served, 100);
    page.order(&mut served, json!({ "do": "goTo", "tick": 50, "exact": true }));
    let told = past(&mut page, &mut served, |told| told["tick"] == 50);
    assert_eq!(told["why"], "no journal of this room is kept");
    assert_eq!(told["exact"], false);
}

/// The room waits on its own thread, so the page is on another.
#[test]
fn a_script_stops_and_is_let_go_on_by_the_page() {
    let project = Project::new();
    let mut served = project.served();
    let mut page = served.page();
    page.told(&mut served, "scene");
    let set = json!({ "do": "setBreakpoints", "breakpoints": [{ "file": "scripts/ann.lua", "line": 4 }] });
    page.order(&mut served, set);
    page.socket.get_mut().set_read_timeout(None).unwrap();
    let thread = std::thread::spawn(move || {
        let next = |page: &mut Page, wanted: &dyn Fn(&Value) -> bool| loop {
            let message = page.socket.read().unwrap();
            let value: Value = match message.to_text().ok().map(serde_json::from_str) {
                Some(Ok(value)) => value,
                _ => continue,
            };
            if wanted(&value) {
                return value;
            }
        };
        let stopped = next(&mut page, &|value| value["kind"] == "stopped");
        let id = page.send(json!({ "do": "click", "at": [1, 1] }));
        let refused = next(&mut page, &|value| value["id"] == id);
        page.send(json!({ "do": "goOn", "how": "over" }));
        let stepped = next(&mut page, &|value| value["kind"] == "stopped" && !value["stack"][0].is_null());
        page.send(json!({ "do": "setBreakpoints", "breakpoints": [] }));
        page.send(json!({ "do": "goOn" }));
        let went_on = next(&mut page, &|value| value["kind"] == "stopped" && value["stack"][0].is_null());
        (stopped, refused, stepped, went_on, page)
    });
    while !thread.is_finished() {
        served.turn();
    }
    let (stopped, refused, stepped, _, _page) = thread.join().unwrap();
    let top = &stopped["stack"][0];
    assert_eq!((&stopped["who"], &top["line"]), (&json!("ann"), &json!(4)));
    assert!(top["lines"].to_string().contains("self.n = self.n + 1"), "{top}");
    assert!(top["variables"].as_array().unwrap().iter().any(|one| one["name"] == "npc"), "{top}");
    assert!(refused["error"].as_str().unwrap().contains("breakpoint"), "{refused}");
    assert_eq!(stepped["stack"][0]["line"], 5);
    let tick = served.runtime.world().tick_number();
    run(&mut served, tick + 200); // no breakpoint is left
}

#[test]
fn breakpoints_stay_with_their_lines_when_a_script_is_saved() {
    let project = Project::new();
    let mut served = project.served();
    let mut page = served.page();
    let told = |line: u32| json!([{ "file": "scripts/ann.lua", "line": line }]);
    page.order(&mut served, json!({ "do": "pause" }));
    page.order(&mut served, json!({ "do": "setBreakpoints", "breakpoints": told(5) }));
    let mut live = LiveReload::new(&served.runtime, true);
    let mut save = |served: &mut Served, text: &str| {
        project.write("scripts/ann.lua", text);
        let began = std::time::Instant::now();
        loop {
            assert!(began.elapsed() < crate::client::PATIENCE, "the save is not noticed");
            let reports = live.poll(&mut served.runtime);
            for report in &reports {
                served.inspector.tell_reload(&served.runtime, report, live.refused());
            }
            if reports.iter().any(|report| !matches!(report, ReloadReport::Warned { .. })) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    let mut now_at = |served: &mut Served, line: u32| {
        page.wait_for(served, |message| {
            let value: Value = serde_json::from_str(message.to_text().ok()?).ok()?;
            (value["breakpoints"] == told(line)).then_some(())
        });
    };
    now_at(&mut served, 5);
    save(&mut served, &ANN.replace("  while", "  -- to and fro\n\n  while"));
    now_at(&mut served, 7);
    // A refused file changes nothing; what mends it counts from the version before.
    save(&mut served, "return {");
    save(&mut served, &ANN.replace("  while", "  -- to and fro\n  while"));
    now_at(&mut served, 6);
    save(&mut served, ANN);
    now_at(&mut served, 5);
}

/// A page that is closed while a script has stopped does not keep the room waiting.
#[test]
fn a_room_that_nobody_looks_at_goes_on() {
    let project = Project::new();
    let mut served = project.served();
    let mut page = served.page();
    page.told(&mut served, "scene");
    let set = json!({ "do": "setBreakpoints", "breakpoints": [{ "file": "scripts/ann.lua", "line": 4 }] });
    page.order(&mut served, set);
    drop(page);
    run(&mut served, 300);
}

#[test]
fn a_part_of_the_room_is_moved_in_its_file() {
    let project = Project::new();
    let mut served = project.served();
    let mut page = served.page();
    page.told(&mut served, "scene");
    let moved = |by: f64| json!([[3.0 + by, 2.0], [5.0 + by, 2.0], [5.0 + by, 3.0], [3.0 + by, 3.0]]);
    let edit = json!({ "do": "edit", "part": "obstacle", "name": "table", "polygon": moved(0.5) });
    let answer = page.order(&mut served, edit);
    assert_eq!(answer["ok"], true, "{answer}");
    let expected = HALL.replace(
        "[3.00, 2.00], [5.00, 2.00], [5.00, 3.00], [3.00, 3.00]",
        "[3.50, 2.00], [5.50, 2.00], [5.50, 3.00], [3.50, 3.00]",
    );
    assert_eq!(project.read("rooms/hall.json"), expected);
    assert_eq!(served.runtime.world().room().obstacles[0].polygon[0].x, 3.5, "it is live at once");
    page.order(&mut served, json!({ "do": "undo" }));
    assert_eq!(project.read("rooms/hall.json"), HALL);
    page.order(&mut served, json!({ "do": "redo" }));
    assert_eq!(project.read("rooms/hall.json"), expected);
    // What would be no room is not written, and the room goes on.
    let bow = json!([[3, 2], [5, 3], [5, 2], [3, 3]]);
    let answer =
        page.order(&mut served, json!({ "do": "edit", "part": "obstacle", "name": "table", "polygon": bow }));
    assert!(answer["error"].as_str().unwrap().contains("nothing is written"), "{answer}");
    assert_eq!(project.read("rooms/hall.json"), expected);
    // An editor's changes are not overwritten.
    project.write("rooms/hall.json", &expected.replace("// a table", "// the table"));
    let answer = page.order(&mut served, json!({ "do": "undo" }));
    assert!(answer["error"].as_str().unwrap().contains("was changed since"), "{answer}");
    let answer =
        page.order(&mut served, json!({ "do": "edit", "part": "point", "name": "attic", "at": [1, 1] }));
    assert_eq!(answer["error"], "the room's file has no point 'attic'");
}

#[test]
fn what_characters_look_at_is_told_of_those_whose_views_are_shown() {
    let project = Project::new();
    let looks = "return { on_update = function(self, npc)
      npc.heading = 0
      npc:can_see('player', { fov = math.rad(90), range = 3 })
      npc:can_see('right', { fov = math.rad(90), range = 3 })
    end }";
    project.write("scripts/ann.lua", looks);
    let mut served = project.served();
    let mut page = served.page();
    page.told(&mut served, "scene");
    let mut views_of = |who: Option<u32>, views: &str| {
        let look = json!({ "do": "look", "who": who, "paths": "selected", "views": views, "cells": false });
        assert_eq!(page.order(&mut served, look)["ok"], true);
        page.told(&mut served, "views"); // may be one of before
        page.told(&mut served, "views")["views"].clone()
    };
    let views = views_of(Some(0), "selected");
    let view = json!({ "id": 0, "fov": 90_f64.to_radians(), "range": 3.0, "seen": true, "at": [3.0, 1.0], "storey": 0 });
    assert_eq!(views, json!([view]), "the look that sees something counts");
    assert_eq!(views_of(None, "all"), json!([view]));
    assert_eq!(views_of(Some(1), "selected"), json!([]));
    assert_eq!(views_of(Some(0), "none"), json!([]));
}
