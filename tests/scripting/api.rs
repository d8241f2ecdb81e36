//! The API table: every entry is explained, every example runs, and what is made from the table is up to date.

use crate::common::project::Project;
use cicerone::runtime::{Input, Options, Runtime, RuntimeEvent};
use cicerone::script::api::{Entry, Kind, Object, entries, shapes};
use cicerone::script::reference;
use cicerone::script::{GameApi, Note};
use std::collections::BTreeSet;
use std::path::Path;

/// Where the examples live; the reference page describes it.
const ROOM: &str = r#"{
  "cellSize": 0.25, "agentRadius": 0.2, "objectPadding": 0.05,
  "areas": [
    { "name": "hall", "polygon": [[0, 0], [8, 0], [8, 6], [0, 6]] },
    { "name": "cellar_door", "polygon": [[8, 2], [8.5, 2], [8.5, 3.5], [8, 3.5]], "available": false },
    { "name": "cellar", "polygon": [[8.5, 1], [12, 1], [12, 5], [8.5, 5]] },
    { "name": "yard", "polygon": [[0, 7], [4, 7], [4, 9], [0, 9]] }
  ],
  "waypaths": [{ "name": "round", "kind": "loop", "tags": ["watch"], "points": [
    { "at": [3, 4], "handler": "salute" }, { "at": [5, 4], "crouch": true }, { "at": [5, 4.5] }, { "at": [3, 4.5] }
  ] }],
  "links": [{ "name": "jump", "from": [1, 5.5], "to": [1, 7.7], "kind": "jump" }],
  "points": { "bar": [1, 1], "well": [6, 4.5], "barrels": [11, 3] },
  "hotspots": [
    { "name": "tap", "polygon": [[5.2, 0.7], [5.8, 0.7], [5.8, 1.3], [5.2, 1.3]], "walkTo": [5, 1.6], "cursor": "use" }
  ],
  "depthBands": [{ "name": "back", "z": [0, 6], "scale": [0.5, 1] }],
  "characters": [
    { "name": "guard", "at": "bar", "tags": ["staff"], "script": "scripts/guard.lua" },
    { "name": "ann", "at": [5, 1] },
    { "name": "player", "at": [2, 4], "player": true }
  ],
  "tactics": { "brushes": [{ "box": [[0, 0, 0], [256, 288, 8]] }, { "box": [[224, 256, 8], [256, 288, 72]] }] },
  "script": "scripts/room.lua"
}
"#;

/// The game of the examples.
const GAME_API: &str = r#"{ "functions": [
  { "signature": "play_sound(name: string, volume?: number) -> channel: integer", "about": "Plays a sound." },
  { "signature": "npc:wave() -> ok: boolean", "about": "Waves." }
] }"#;

/// What the game of the example rooms gives to scripts.
fn game_of_the_examples() -> GameApi {
    let root = cicerone::project::Project::at(Path::new(env!("CARGO_MANIFEST_DIR")));
    GameApi::of_project(&root).unwrap()
}

fn project(guard: &str, room: &str) -> Project {
    Project::new(&[
        ("rooms/room.json", ROOM),
        ("scripts/guard.lua", guard),
        ("scripts/room.lua", room),
        ("scripts/driver.lua", DRIVER),
        ("scripts/greetings.lua", "return { hello = 'Hello!' }"),
        ("scripts/game_api.json", GAME_API),
    ])
}

fn open(project: &Project, scripts: &[&str]) -> Runtime {
    let scripts = scripts.iter().map(|script| (*script).to_owned()).collect();
    Runtime::open(&project.path("rooms/room.json"), Options::default().with_scripts(scripts)).unwrap()
}

/// Steps until a line says `until`, or for some seconds; what was logged, and what went wrong.
fn run(runtime: &mut Runtime, seconds: f64, until: &str) -> (bool, Vec<String>) {
    let (mut seen, mut errors) = (false, Vec::new());
    for _ in 0..(seconds * 60.0) as u64 {
        runtime.step();
        for event in runtime.take_events() {
            match event {
                RuntimeEvent::Note(Note::Log { text, .. }) => seen |= text == until,
                RuntimeEvent::Note(Note::Error(error)) => errors.push(error.to_string()),
                _ => {}
            }
        }
        if seen || !errors.is_empty() {
            break;
        }
    }
    (seen, errors)
}

/// Makes everything happen that scripts can be told of.
const DRIVER: &str = "local Driver = {}
function Driver.run(room)
  local guard, player = room:npc('guard'), room:npc('player')
  wait(0.1)
  send(guard, 'alarm', { at = 'bar' })
  send(room, 'counted', 3)
  player:talk_to(guard)
  room:set_area_available('cellar_door', true)
  guard:walk_to('barrels')
  guard:walk_to('bar')
  guard:walk_to({ x = 2, z = 8 }) -- over the jump
  guard:walk_to('bar')
  guard:add_tag('watch')
  guard:walk_to({ x = 3, z = 4 })
  guard:walk_to({ x = 5, z = 4 }) -- along the round
  guard:use('well')
  room:click(4, 1)
  local tactics = room:tactics()
  tactics:place(guard, { x = 7, y = 8, level = 1 }, { side = 'guards' })
  tactics:end_turn()
  tactics:walk(guard, tactics:path_to(guard, { x = 6, y = 8, level = 0 })) -- and falls
  tactics:crouch(guard)
  tactics:remove(guard)
  guard:teleport('well')
  guard.walk_speed = 0
  guard:walk_to('bar') -- and gives up
  guard:despawn()
end
return Driver";

#[test]
fn every_example_of_a_function_runs() {
    let called = |entry: &&Entry| !matches!(entry.kind(), Kind::Event);
    let mut ran = 0;
    let of_specs = |entry: &&Entry| matches!(entry.object, Object::Spec | Object::Expectation);
    for entry in entries().filter(called).filter(|entry| !of_specs(entry)) {
        let body = reference::example(entry);
        let room = format!(
            "local S = {{}}\nfunction S.run(room)\nlocal npc, player = room:npc('guard'), room:npc('player')\n\
             {body}\nlog.info('THE END')\nend\nreturn S"
        );
        let project = project("return {}", &room);
        let (ended, errors) = run(&mut open(&project, &[]), 60.0, "THE END");
        assert!(ended && errors.is_empty(), "{}: {errors:?}\n{body}", entry.spoken());
        let name = entry.name;
        assert!(body.contains(name), "the example of {} does not use it:\n{body}", entry.spoken());
        ran += 1;
    }
    assert!(ran > 70, "this test must see the entries: {ran}");
}

#[test]
fn every_example_of_a_spec_passes() {
    let of_specs = |entry: &&Entry| matches!(entry.object, Object::Spec | Object::Expectation);
    let mut ran = 0;
    for entry in entries().filter(of_specs) {
        let body = reference::example(entry);
        assert!(body.contains(entry.name), "the example of {} does not use it:\n{body}", entry.spoken());
        // Those of `it` and its like are a file of their own; the others are what a test does.
        let is_file = ["describe", "it", "before_each", "after_each", "pending"].contains(&entry.name);
        let (load, names) = match body.contains("load_room(") {
            true => ("", ""),
            false => ("load_room('room')", "local npc, player = room:npc('guard'), room:npc('player')"),
        };
        let test = format!("it('works', function()\n{load}\n{names}\n{body}\nend)");
        let spec = if is_file { body.clone() } else { test };
        let project = project("return {}", "return {}");
        project.write("tests/scenarios/example_spec.lua", &spec);
        let report = crate::common::specs::run(&project);
        let words = cicerone::scenario::pretty(&report, Default::default());
        assert!(report.passed() && !report.results.is_empty(), "{}:\n{words}\n{spec}", entry.spoken());
        assert!(entry.name == "pending" || report.warnings.is_empty(), "{}: {words}", entry.spoken());
        ran += 1;
    }
    assert!(ran > 30, "this test must see the entries: {ran}");
}

#[test]
fn every_example_of_an_event_is_called() {
    for entry in entries().filter(|entry| entry.kind() == Kind::Event) {
        let (table, name) = match entry.object {
            Object::Behaviour => ("Guard", entry.name),
            Object::RoomScript => ("Script", entry.name),
            other => panic!("events of {other:?}?"),
        };
        let script = format!(
            "local {table} = {{}}\n{}\nlocal handler = {table}.{name}\n\
             function {table}.{name}(...) log.info('CALLED') return handler(...) end\nreturn {table}",
            reference::example(entry)
        );
        let of_room = entry.object == Object::RoomScript;
        let project = match of_room {
            true => project("return {}", &script),
            false => project(&script, "return {}"),
        };
        let mut runtime = open(&project, &["scripts/driver.lua"]);
        let file = if of_room { "scripts/room.lua" } else { "scripts/guard.lua" };
        let (called, errors) = if name == "on_reload" {
            runtime.step();
            project.write(file, &format!("{script}\n-- saved"));
            let _ = runtime.reload(&BTreeSet::from([project.path(file)]));
            run(&mut runtime, 1.0, "CALLED")
        } else {
            if name == "on_click" {
                runtime.send(Input::Click(glam::dvec2(3.0, 3.0).into()));
            }
            run(&mut runtime, 90.0, "CALLED")
        };
        assert!(called, "{} is not called: {errors:?}\n{script}", entry.spoken());
        // What it does then is well, too.
        let (_, errors) = run(&mut runtime, 5.0, "never");
        assert!(errors.is_empty(), "{}: {errors:?}\n{script}", entry.spoken());
    }
}

#[test]
fn everything_is_explained() {
    let mut seen = BTreeSet::new();
    for entry in entries() {
        let spoken = entry.spoken();
        assert!(seen.insert(spoken.clone()), "{spoken} is there twice");
        let about = entry.about();
        assert!(
            about.ends_with('.') && about.starts_with(|c: char| c.is_uppercase() || c == '`'),
            "{spoken}: {about}"
        );
        assert!(entry.summary().chars().count() <= 125, "{spoken}: {}", entry.summary());
        assert!(!reference::example(entry).trim().is_empty(), "{spoken} has no example");
        for param in entry.params {
            assert!(!param.about.is_empty() && !param.lua_type.is_empty(), "{spoken}: {}", param.name);
        }
        let value = matches!(entry.kind(), Kind::Field | Kind::Setting);
        for given in entry.returns {
            assert!(value || !given.about.is_empty(), "{spoken} returns {}", given.name);
        }
        // Nobody is sent from one name to another that is right as well.
        for alias in entry.also {
            let taken = entries().any(|other| other.object == entry.object && other.name == *alias);
            assert!(!taken, "{alias} is a name of its own and also leads to {spoken}");
        }
    }
    for shape in shapes() {
        assert!(shape.about.ends_with('.') && shape.fields.iter().all(|field| !field.about.is_empty()));
    }
}

/// What scripts find in the state is what the table has, and the other way round.
#[test]
fn nothing_is_there_that_the_table_does_not_know() {
    let project = project(
        "return {}",
        "local R = {}
         function R.on_load() for name in pairs(_G) do log.info(name) end for name in pairs(log) do log.info('log.' .. name) end end
         return R",
    );
    let mut runtime = open(&project, &[]);
    runtime.step();
    let found: BTreeSet<String> = crate::common::project::logged(&mut runtime).into_iter().collect();
    let plain = "assert error getmetatable ipairs next pairs pcall rawequal rawget rawlen rawset select setmetatable tonumber \
                 tostring type xpcall coroutine math string table utf8 _G room log";
    let plain: BTreeSet<String> = plain.split_whitespace().map(str::to_owned).collect();
    let ours = entries().filter(|entry| matches!(entry.object, Object::Global | Object::Log));
    let of_game = ["play_sound".to_owned()]; // of the examples' game
    let known: BTreeSet<String> = ours.map(Entry::spoken).chain(plain).chain(of_game).collect();
    assert_eq!(found, known);
    // Of objects: each name answers, or is a function.
    for (object, value) in [("npc", "room:npc('ann')"), ("room", "room"), ("area", "room:area('hall')")] {
        let reads: String = entries()
            .filter(|entry| entry.object.spoken() == object)
            .map(|entry| {
                let expected = match entry.kind() {
                    Kind::Function | Kind::Blocking => "== 'function'",
                    _ => "~= 'function'",
                };
                format!("assert(type(({value}).{}) {expected}, '{object}.{}')\n", entry.name, entry.name)
            })
            .collect();
        let script =
            format!("local R = {{}}\nfunction R.on_load(room)\n{reads}log.info('THE END')\nend\nreturn R");
        let project = self::project("return {}", &script);
        let (ended, errors) = run(&mut open(&project, &[]), 0.1, "THE END");
        assert!(ended, "{errors:?}");
    }
}

#[test]
fn pages_and_stubs_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let luarc = include_str!("../../src/cli/template/luarc.json").to_owned();
    let made = [
        ("scripts/REFERENCE.md", reference::markdown()),
        ("scripts/types/cicerone.lua", reference::stubs()),
        ("scripts/types/game.lua", reference::stubs_of_game(&game_of_the_examples())),
        (".luarc.json", luarc),
    ];
    for (file, text) in made {
        if std::env::var_os("CICERONE_RENEW").is_some() {
            std::fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            std::fs::write(root.join(file), &text).unwrap();
        }
        let committed = std::fs::read_to_string(root.join(file)).unwrap_or_default().replace('\r', "");
        assert!(
            committed == text,
            "{file} is stale; CICERONE_RENEW=1 cargo test --test scripting api, and commit it"
        );
    }
    for entry in entries() {
        let (page, stubs) = (reference::markdown(), reference::stubs());
        assert!(
            page.contains(&format!("### `{}`", entry.signature())),
            "{} is not on the page",
            entry.spoken()
        );
        let stub = match (entry.object, entry.kind()) {
            (_, Kind::Field | Kind::Setting | Kind::Event) => format!("---@field {}", entry.name),
            (Object::Spec, _) if matches!(entry.name, "describe" | "it") => {
                format!("\n{} = {{}}", entry.name)
            }
            (Object::Global | Object::Log | Object::Spec, _) => format!("function {}(", entry.spoken()),
            _ => format!(":{}(", entry.name),
        };
        // Servers know this one themselves, and which file it means.
        assert!(entry.name == "require" || stubs.contains(&stub), "{} has no stub", entry.spoken());
        let found = reference::find(&entry.spoken()).unwrap();
        assert!(found.iter().any(|other| std::ptr::eq(*other, entry)), "{}", entry.spoken());
        assert!(reference::page(entry).contains(&entry.signature()));
    }
}

#[test]
fn what_waits_says_where_it_may() {
    let explained = |name: &str| reference::explain(name).unwrap();
    for name in ["run_for", "run_until", "load_room"] {
        assert!(explained(name).contains("waits: in tests only, that is in it(…)"), "{}", explained(name));
    }
    assert!(explained("npc:walk_to").contains("waits: in sequences only"), "{}", explained("npc:walk_to"));
}

#[test]
fn a_name_is_found_by_what_others_call_it() {
    let meant = |name: &str| reference::find(name).unwrap_err().meant.unwrap_or_default();
    assert_eq!(meant("npc:walkto"), "npc:walk_to");
    assert_eq!(meant("sleep"), "wait");
    assert_eq!(meant("move_to"), "npc:walk_to");
    assert_eq!(meant("on_arive"), "npc:on_arrived");
    assert_eq!(meant("OnTriggerEnter"), "Behaviour.on_enter");
    assert_eq!(meant("xyzzy_plugh"), "");
    let found =
        |name: &str| reference::find(name).unwrap().into_iter().map(Entry::spoken).collect::<Vec<_>>();
    assert_eq!(found("walk_to"), ["npc:walk_to"]);
    assert_eq!(found("npc.walk_to()"), ["npc:walk_to"]);
    assert_eq!(found("set_target"), ["npc:set_target", "set_target"]);
}
