//! `cicerone serve`: a room for another process.

use crate::common::command::{cicerone, code, text};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Served {
    process: Child,
    orders: Option<ChildStdin>,
    replies: BufReader<ChildStdout>,
    hello: Value,
}

impl Served {
    fn new(room: &str, args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["serve", room, "--stdio"]).args(args);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (orders, out) = (process.stdin.take(), process.stdout.take().unwrap());
        let mut served = Self { process, orders, replies: BufReader::new(out), hello: Value::Null };
        served.hello = served.next();
        served
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.replies.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn line(&mut self, line: &[u8]) -> Value {
        let orders = self.orders.as_mut().unwrap();
        orders.write_all(line).and_then(|()| orders.write_all(b"\n")).unwrap();
        self.next()
    }

    fn order(&mut self, order: Value) -> Value {
        self.line(order.to_string().as_bytes())
    }

    fn step(&mut self, ticks: u32) -> Value {
        self.order(json!({ "do": "step", "ticks": ticks }))
    }
}

fn events<'a>(told: &'a Value, name: &str) -> Vec<&'a Value> {
    told["events"].as_array().unwrap().iter().filter(|event| event["event"] == name).collect()
}

#[test]
fn a_served_room_runs_as_any_other() {
    let mut room = Served::new("tavern", &["--seed", "3"]);
    assert_eq!((&room.hello["protocol"], &room.hello["room"]), (&json!(1), &json!("tavern")));
    assert_eq!(room.hello["characters"][0]["name"], "player");
    assert_eq!(room.hello["points"]["bar_left"], json!([6.75, 1.5]));
    for _ in 0..10 {
        room.step(60);
    }
    let hash = room.step(0)["hash"].as_str().unwrap().to_owned();
    let plain =
        cicerone(&["run", "tavern", "--headless", "--seconds", "10", "--seed", "3", "--format", "json"]);
    assert!(text(&plain.stdout).contains(&hash), "{hash}");
    // The end of the input is the end of the room.
    drop(room.orders.take());
    assert!(room.process.wait().unwrap().success());
}

#[test]
fn every_order_is_carried_out() {
    let mut room = Served::new("courtyard", &[]);
    let cat = room.order(json!({ "id": "a", "do": "spawn", "name": "cat", "at": "player", "tags": ["pet"] }));
    assert_eq!((&cat["id"], &cat["ok"]), (&json!("a"), &json!(true)), "{cat}");
    let told = room.step(1);
    let known =
        told["characters"].as_array().unwrap().iter().find(|one| one["id"] == cat["character"]).unwrap();
    assert_eq!((&known["name"], &known["tags"]), (&json!("cat"), &json!(["pet"])));
    let orders = [
        json!({ "do": "push", "who": "cat", "by": [0.2, 0.1] }),
        json!({ "do": "walk", "who": "cat", "to": "player", "exact": true }),
        json!({ "do": "follow", "who": cat["character"], "other": "player", "distance": 2 }),
        json!({ "do": "talkTo", "who": "cat", "other": "player" }),
        json!({ "do": "turn", "who": "cat", "to": [1, 2] }),
        json!({ "do": "stop", "who": "cat" }),
        json!({ "do": "teleport", "who": "cat", "to": "player" }),
        json!({ "do": "say", "who": "cat", "text": "Meow" }),
        json!({ "do": "steer", "who": "cat", "direction": [1, 0] }),
        json!({ "do": "steer", "direction": [0, 1] }),
        json!({ "do": "click", "at": "player" }),
        json!({ "do": "advance", "seconds": 0.1 }),
        json!({ "do": "look" }),
        json!({ "do": "lua", "line": "return 1, 'two'" }),
        json!({ "do": "path", "from": "cat", "to": "player" }),
    ];
    for order in orders {
        let reply = room.order(order.clone());
        assert_eq!(reply["ok"], true, "{order}: {reply}");
    }
    let mut room = Served::new("tavern", &[]);
    assert_eq!(
        room.order(json!({ "do": "setArea", "area": "cellar_door", "available": true }))["changed"],
        true
    );
    let told = room.step(1);
    assert_eq!(events(&told, "area_changed")[0]["available"], true);
    let mut lane = Served::new("lane", &[]);
    let orders = [
        json!({ "do": "setWaypath", "waypath": "pavement", "available": false }),
        json!({ "do": "setHotspot", "hotspot": "ditch", "enabled": false, "cursor": "look" }),
        json!({ "do": "setHotspot", "hotspot": "ditch", "at": [6, 6], "walkTo": "player" }),
    ];
    for order in orders {
        let changed = [0, 1].map(|_| lane.order(order.clone())["changed"].clone());
        assert_eq!(changed, [true, false], "{order}");
    }
    let known = json!({ "do": "lua", "line": "local h = room:hotspot('ditch') return h.enabled, h.cursor" });
    assert_eq!(lane.order(known)["values"], json!([false, "look"]));
    let path = room.order(json!({ "do": "path", "from": "player", "to": "barrels" }));
    assert_eq!(path["complete"], true, "{path}");
    assert!(path["points"].as_array().unwrap().len() > 1 && path["length"].as_f64().unwrap() > 5.0);
    // A line of Lua that waits is answered with a later step.
    assert_eq!(room.order(json!({ "do": "lua", "line": "wait(0.2) return room.name" }))["waiting"], true);
    assert_eq!(room.step(30)["answers"], json!([{ "values": ["tavern"] }]));
    // Back in time, with the same future.
    let save = room.order(json!({ "do": "save" }))["save"].as_str().unwrap().to_owned();
    let futures = [0, 1].map(|_| {
        assert_eq!(room.order(json!({ "do": "restore", "save": save.as_str() }))["ok"], true);
        room.step(120)["hash"].clone()
    });
    assert_eq!(futures[0], futures[1]);
    let script = "return { run = function(room) room:npc('player'):say('new') end }";
    let reply =
        room.order(json!({ "do": "replace", "file": "scripts/tavern/tavern.lua", "content": script }));
    assert_eq!(reply["ok"], true, "{reply}");
    let told = room.step(2);
    assert_eq!(events(&told, "said")[0]["text"], "player: “new”");
    assert_eq!(room.order(json!({ "do": "despawn", "who": "player" }))["ok"], true);
    assert_eq!(room.step(1)["gone"], json!([0]));
    assert_eq!(room.order(json!({ "do": "quit" }))["ok"], true);
    assert!(room.process.wait().unwrap().success());
}

#[test]
fn the_other_process_is_the_game() {
    let mut room = Served::new("gatehouse", &["--game"]);
    room.order(json!({ "do": "click", "at": "keeper" }));
    let mut dialog = None;
    for _ in 0..300 {
        let told = room.step(2);
        dialog = events(&told, "called").first().map(|&call| call.clone());
        if dialog.is_some() {
            break;
        }
    }
    let dialog = dialog.unwrap();
    assert_eq!((&dialog["function"], &dialog["waits"]), (&json!("start_dialog"), &json!(true)));
    assert_eq!(dialog["arguments"], json!([1, "toll"]));
    assert!(events(&room.step(600), "called").is_empty(), "the script waits for the game");
    let wrong = room.order(json!({ "do": "finish", "call": dialog["call"], "results": [5] }));
    assert_eq!(wrong["error"], "the game returned 5 for answer: string");
    let reply = room.order(json!({ "do": "finish", "call": dialog["call"], "results": ["leave"] }));
    assert_eq!(reply["ok"], true, "{reply}");
    assert!(events(&room.step(2), "said")[0]["text"].as_str().unwrap().contains("Then good day"));
}

#[test]
fn what_is_no_order_is_refused_and_nothing_is_lost() {
    let mut room = Served::new("tavern", &[]);
    let hash = room.hello["hash"].clone();
    for (line, expected) in [
        (&b"x"[..], "this is no JSON object"),
        (b"[1]", "this is no JSON object"),
        (b"\xff\xfe", "this is no JSON object"),
        (b"{}", "missing field `do`"),
        (br#"{"do": "stepp"}"#, "unknown variant `stepp`"),
        (br#"{"do": "step", "tick": 1}"#, "unknown field `tick`"),
        (br#"{"do": "step", "ticks": 1000000}"#, "ticks must be 36000 at most"),
        (br#"{"do": "step", "ticks": -1}"#, "invalid value"),
        (br#"{"do": "walk", "who": "plaer", "to": [1, 1]}"#, "did you mean 'player'?"),
        (br#"{"do": "walk", "who": 99, "to": [1, 1]}"#, "there is no character 99"),
        (br#"{"do": "walk", "who": "player", "to": "bar_lft"}"#, "did you mean 'bar_left'?"),
        (br#"{"do": "walk", "who": "player", "to": [1]}"#, "a place is its name"),
        (br#"{"do": "walk", "who": "player", "to": [1e300, 1]}"#, "must be"),
        (br#"{"do": "teleport", "who": "player", "to": [-50, 1]}"#, "not walkable"),
        (br#"{"do": "setArea", "area": "celar", "available": true}"#, "did you mean 'cellar'?"),
        (br#"{"do": "follow", "who": "player", "other": "ada", "distance": -1}"#, "distance must be"),
        (br#"{"do": "push", "who": "player", "by": [1e9, 0]}"#, "dx must be"),
        (br#"{"do": "replace", "file": "../x.lua", "content": ""}"#, "out of the project"),
        (br#"{"do": "replace", "file": "rooms/tavern.json", "content": "{"}"#, "rooms/tavern.json:1:"),
        (br#"{"do": "restore", "save": "{}"}"#, ""),
        (br#"{"do": "finish", "call": 7}"#, "no script waits for call 7"),
        (br#"{"do": "lua", "line": "room:npc('x')"}"#, "no character 'x'"),
        (br#"{"do": "spawn", "name": "ada", "at": [1, 1]}"#, "ada"),
        (
            br#"{"do": "spawn", "name": "eve", "at": [1, 1], "script": "../x.lua"}"#,
            "leads out of the project",
        ),
        (
            br#"{"do": "spawn", "name": "eve", "at": [1, 1], "script": "/etc/passwd"}"#,
            "leads out of the project",
        ),
        (
            br#"{"do": "spawn", "name": "eve", "at": [1, 1], "script": "scripts/tavern/tavrn.lua"}"#,
            "did you mean",
        ),
        (br#"{"do": "advance", "seconds": -1}"#, "seconds must be from 0 to"),
        (br#"{"do": "advance", "seconds": 1e308}"#, "not 1e308"),
        (br#"{"do": "advance", "seconds": 1e400}"#, "out of range"),
        (br#"{"do": "step", "ticks": 1e308}"#, "expected u32"),
        (br#"{"do": "say", "who": "player", "text": "", "seconds": -1e308}"#, "not -1e308"),
        (br#"{"do": "push", "who": "player", "by": [1e308, 0]}"#, "not 1e308"),
        (br#"{"do": "lua", "line": "wait(1e308)"}"#, "not 1e308"),
        (br#"{"do": "restore", "save": "{}", "file": "x"}"#, "`file`"),
        (br#"{"do": "restore"}"#, "`save`"),
        (br#"{"do": "restore", "file": "nowhere.save"}"#, "there is no such file"),
        (br#"{"do": "save", "file": "/nowhere/at/all.save"}"#, "/nowhere/at/all.save: "),
    ] {
        let reply = room.line(line);
        let error = reply["error"].as_str().unwrap_or_else(|| panic!("{}: {reply}", text(line)));
        assert!(error.contains(expected), "{}: {error}", text(line));
        assert!(error.len() < 2_000, "{}: {error}", text(line));
    }
    assert_eq!(room.step(0)["hash"], hash);
    let output = cicerone(&["serve", "tavern"]);
    assert!(code(&output) == 2 && text(&output.stderr).contains("--stdio"), "{}", text(&output.stderr));
    let output = cicerone(&["serve", "tavrn", "--stdio"]);
    assert!(code(&output) == 2 && text(&output.stderr).contains("tavern"), "{}", text(&output.stderr));
}

/// What is saved is taken back, however large it is; only a file is large enough for all.
#[test]
fn a_large_save_goes_into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noon.save");
    let mut room = Served::new("tavern", &["--no-limits"]);
    let fill = "for i = 1, 70 do room.state[i] = string.rep('x', 250000) end";
    assert_eq!(room.order(json!({ "do": "lua", "line": fill }))["ok"], true);
    let error = room.order(json!({ "do": "save" }))["error"].as_str().unwrap().to_owned();
    assert!(
        error.contains("the save has 17 MiB, and a line may have 16") && error.contains("\"file\""),
        "{error}"
    );
    assert_eq!(room.order(json!({ "do": "save", "file": file })), json!({ "ok": true }));
    let future = room.step(60)["hash"].clone();
    let other = folder.path().join("other.save");
    std::fs::write(&other, "{}").unwrap();
    let refused = room.order(json!({ "do": "restore", "file": other }));
    assert!(refused["error"].as_str().unwrap().contains("other.save:1:1: not a saved room"), "{refused}");
    assert_eq!(room.order(json!({ "do": "restore", "file": file }))["room"], "tavern");
    assert_eq!(room.step(60)["hash"], future);
    // A save that just fits a line fits the line that takes it back, too.
    assert_eq!(
        room.order(json!({ "do": "lua", "line": "for i = 67, 70 do room.state[i] = nil end" }))["ok"],
        true
    );
    let save = room.order(json!({ "do": "save" }))["save"].as_str().unwrap().to_owned();
    assert!(save.len() > 16_400_000);
    assert_eq!(room.order(json!({ "do": "restore", "save": save }))["ok"], true);
}

#[test]
fn a_stream_may_begin_with_a_byte_order_mark() {
    let mut room = Served::new("tavern", &[]);
    assert_eq!(room.line(b"\xef\xbb\xbf{\"do\": \"step\"}")["tick"], 1);
}

#[test]
fn a_refused_file_is_an_event_too() {
    let mut room = Served::new("tavern", &[]);
    let file = "scripts/tavern/tavern.lua";
    let reply = room.order(json!({ "do": "replace", "file": file, "content": "return {" }));
    assert!(reply["error"].as_str().unwrap().contains(file), "{reply}");
    let told = room.step(1);
    let refused = events(&told, "reload_refused");
    assert_eq!((refused.len(), &refused[0]["files"]), (1, &json!([file])), "{told}");
    assert!(refused[0]["text"].as_str().unwrap().contains("the last good version runs on"), "{told}");
}

/// What a program in Python says, or `None` if there is no Python here.
fn python(program: &str) -> Option<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    let program = format!("{root}/examples/python/{program}");
    let run = Command::new("python3").args([&program, env!("CARGO_BIN_EXE_cicerone"), root]).output();
    let Ok(output) = run else {
        println!("there is no python3 here: {program} is not run");
        return None;
    };
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    Some(said)
}

#[test]
fn ten_tasks_in_python_are_done() {
    let Some(said) = python("tasks.py") else { return };
    assert!(said.contains("all ten tasks are done"), "{said}");
}

#[test]
fn the_client_in_python_plays_the_gatehouse() {
    let Some(said) = python("cicerone_client.py") else { return };
    for line in
        ["start_dialog(keeper, \"toll\")", "take_coins(3)", "gate opens", "after 3600 ticks the hash is"]
    {
        assert!(said.contains(line), "{line}:\n{said}");
    }
}
