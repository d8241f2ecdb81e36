//! Asking a character, or the room, what it knows and does: what is told, and that nothing changes by it.

use crate::common::project::{HALL, Project, logged, run};
use cicerone::runtime::{Input, Options, Runtime};
use cicerone::script::{Datum, Inspection, Row};
use cicerone::world::{CharacterId, Command};
use std::path::Path;

/// The hall, in which Ann and the room have these scripts.
fn hall(ann: &str, room: &str) -> Project {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/ann.lua","#);
    Project::new(&[("rooms/hall.json", &*hall), ("scripts/room.lua", room), ("scripts/ann.lua", ann)])
}

fn id(runtime: &Runtime, name: &str) -> CharacterId {
    runtime.world().character_named(name).unwrap().id
}

fn inspect(runtime: &Runtime, name: &str) -> Inspection {
    runtime.inspect(Some(id(runtime, name))).unwrap()
}

/// The rows of a section; none if there is no such section.
fn rows<'a>(inspection: &'a Inspection, title: &str) -> &'a [Row] {
    inspection.sections.iter().find(|section| section.title == title).map_or(&[], |section| &section.rows)
}

fn row<'a>(inspection: &'a Inspection, title: &str, label: &str) -> &'a Row {
    let found = rows(inspection, title).iter().find(|row| row.label == label);
    found.unwrap_or_else(|| panic!("no {label} in {title} of\n{inspection}"))
}

/// What a row says in words.
fn said(inspection: &Inspection, title: &str, label: &str) -> String {
    row(inspection, title, label).text.clone().unwrap_or_default()
}

fn line_of(inspection: &Inspection, title: &str, label: &str) -> u32 {
    row(inspection, title, label).place.as_ref().map_or(0, |(_, line)| *line)
}

const ANN: &str = "local A = {}
function A.on_spawn(self, npc)
  self.mood, self.friends, self.list = 'grim', { room:npc('bob') }, { 1, 2 }
  npc:add_tag('staff') npc:give('coin', 3)
  after(2, 'tea', { cups = 2 })
  every(5, function() end)
end
function A.run(self, npc)
  wait(1)
  npc:say('Off I go.')
  npc:walk_to('bar', { timeout = 30 })
  npc:walk_to(7, 1)
  all{
    function() wait(5) end,
    function() wait_until(function() return false end) end,
  }
end
function A.on_timer(self, npc) end
function A.on_message(self, npc) error('no') end
function A.on_arrived(self, npc) end
return A";

const ROOM: &str = "local R = {}
function R.on_load(room)
  room.state.visits = 7
  start(function() wait(100) end)
  after(50, 'closing')
end
function R.on_click(room) end
return R";

#[test]
fn a_character_tells_what_it_is() {
    let mut runtime = hall(ANN, ROOM).open();
    run(&mut runtime, 1.5);
    let ann = inspect(&runtime, "ann");
    assert_eq!(ann.name, "ann");
    let of = |label: &str| said(&ann, "character", label);
    assert_eq!((&*of("state"), &*of("area"), &*of("tags")), ("walks", "hall", "staff"));
    assert_eq!((&*of("radius"), &*of("priority"), &*of("script")), ("0.20 m", "0", "scripts/ann.lua"));
    assert!(of("speed").starts_with("1.40 m/s, now "), "{ann}");
    assert!(of("says").starts_with("for 1.") && ann.to_string().contains("\"Off I go.\""), "{ann}");
    assert_eq!(row(&ann, "character", "pockets").value.as_ref().unwrap().to_string(), "{coin = 3}");
    let shown = |label: &str| row(&ann, "self", label).value.as_ref().unwrap().to_string();
    assert_eq!((&*shown("mood"), &*shown("friends"), &*shown("list")), ("\"grim\"", "{npc:bob}", "{1, 2}"));
    runtime
        .apply(Command::Tune { who: id(&runtime, "bob"), setting: cicerone::world::Setting::Enabled(false) })
        .unwrap();
    let bob = inspect(&runtime, "bob");
    assert_eq!(said(&bob, "character", "state"), "disabled: it does not take part");
    assert!(["self", "handlers", "timers"].iter().all(|title| rows(&bob, title).is_empty()), "{bob}");
}

#[test]
fn a_walk_and_the_last_one_are_told() {
    let mut runtime = hall(ANN, ROOM).open();
    run(&mut runtime, 1.3);
    let ann = inspect(&runtime, "ann");
    assert_eq!(said(&ann, "walk", "to"), "bar");
    assert!(said(&ann, "walk", "left").ends_with(" m") && said(&ann, "walk", "since").starts_with("0."));
    assert_eq!(rows(&ann, "last walk"), []);
    run(&mut runtime, 1.2);
    let ann = inspect(&runtime, "ann");
    let of = |label: &str| said(&ann, "last walk", label);
    assert_eq!(
        (&*of("end"), &*of("to"), &*of("ended")),
        ("arrived", "bar", "0.05 m from where it was to go")
    );
    assert_eq!(said(&ann, "walk", "to"), "(7.00, 1.00)");
    runtime.send(Input::Console("room:npc('ann'):stop()".into()));
    runtime.step();
    let ann = inspect(&runtime, "ann");
    assert_eq!(said(&ann, "last walk", "end"), "cancelled: called off by the console at console:1");
    // Behind the closed door.
    runtime.send(Input::Console("room:npc('bob'):set_target(11, 2)".into()));
    run(&mut runtime, 0.1);
    let bob = inspect(&runtime, "bob");
    assert!(row(&bob, "walk", "partial").is_bad, "{bob}");
    run(&mut runtime, 5.0);
    let bob = inspect(&runtime, "bob");
    assert!(
        said(&bob, "last walk", "end").starts_with("partial: there is no way to the goal itself"),
        "{bob}"
    );
    assert!(row(&bob, "last walk", "end").is_bad);
}

#[test]
fn sequences_timers_and_messages_are_told() {
    let mut runtime = hall(ANN, ROOM).open();
    run(&mut runtime, 0.5);
    let ann = inspect(&runtime, "ann");
    assert_eq!(said(&ann, "sequences", "run"), "waits until 1.0 s, 0.5 s left; began in line 8");
    assert_eq!(line_of(&ann, "sequences", "run"), 9);
    assert_eq!(said(&ann, "timers", "tea"), "due in 1.5 s");
    assert_eq!(row(&ann, "timers", "tea").value.as_ref().unwrap().to_string(), "{cups = 2}");
    assert_eq!(said(&ann, "timers", "a function"), "due in 4.5 s, every 5.0 s");
    assert_eq!(line_of(&ann, "timers", "a function"), 6);
    run(&mut runtime, 0.8);
    let ann = inspect(&runtime, "ann");
    assert_eq!(
        said(&ann, "sequences", "run"),
        "waits for the end of its walk to bar, 29.7 s at most; began in line 8"
    );
    assert_eq!(line_of(&ann, "sequences", "run"), 11);
    runtime.send(Input::Console("send('ann', 'supper', { dish = 'stew' }) send(room, 'counted')".into()));
    runtime.drain_inbox();
    let (ann, room) = (inspect(&runtime, "ann"), runtime.inspect(None).unwrap());
    assert_eq!(said(&ann, "messages", "supper"), "from the room");
    assert_eq!(row(&ann, "messages", "supper").value.as_ref().unwrap().to_string(), "{dish = \"stew\"}");
    assert_eq!(said(&room, "messages", "counted"), "from the room");
    run(&mut runtime, 7.0);
    let ann = inspect(&runtime, "ann");
    assert!(rows(&ann, "messages").is_empty());
    assert!(said(&ann, "sequences", "run").starts_with("waits for 2 branches"), "{ann}");
    assert!(said(&ann, "sequences", "branch 1 of run").starts_with("waits until "), "{ann}");
    assert!(said(&ann, "sequences", "branch 2 of run").starts_with("goes on, or looks again"), "{ann}");
    let lines = ["run", "branch 1 of run", "branch 2 of run"].map(|label| line_of(&ann, "sequences", label));
    assert_eq!(lines, [13, 14, 15]);
}

#[test]
fn handlers_are_told_with_their_failures() {
    let ann = "local Base = {} Base.__index = Base
        function Base.on_enter(self, npc) end
        local A = setmetatable({}, Base)
        function A.on_message(self, npc) error('no') end
        A.on_talk = 5
        return A";
    let by_function =
        "local A = setmetatable({}, { __index = function(_, name) log.info('asked', name) end })
        function A.on_timer() end
        return A";
    let mut runtime = hall(ann, "return {}").open();
    run(&mut runtime, 0.1);
    let shown = inspect(&runtime, "ann");
    assert_eq!(
        (&*said(&shown, "handlers", "on_enter"), line_of(&shown, "handlers", "on_enter")),
        ("inherited", 2)
    );
    assert_eq!(line_of(&shown, "handlers", "on_message"), 4);
    assert!(row(&shown, "handlers", "on_talk").is_bad);
    let mut send = |count: usize| {
        for _ in 0..count {
            runtime.send(Input::Console("send('ann', 'x')".into()));
            run(&mut runtime, 0.1);
        }
        inspect(&runtime, "ann")
    };
    let shown = send(3);
    assert_eq!(said(&shown, "handlers", "on_message"), "3 errors in a row");
    let shown = send(7);
    let off = row(&shown, "handlers", "on_message");
    let text = off.text.clone().unwrap();
    assert!(
        text.starts_with("off since tick ") && text.ends_with("scripts/ann.lua:4: no (10 errors in a row)"),
        "{text}"
    );
    assert!(off.is_bad && shown.to_string().contains("\n! on_message"), "{shown}");
    let mut runtime = hall(by_function, "return {}").open();
    run(&mut runtime, 0.1);
    let told = logged(&mut runtime).len();
    let shown = inspect(&runtime, "ann");
    assert_eq!(line_of(&shown, "handlers", "on_timer"), 2);
    assert_eq!(line_of(&shown, "handlers", "others"), 1);
    assert_eq!(logged(&mut runtime).len(), 0, "nothing ran; before: {told}");
}

#[test]
fn the_room_tells_its_state() {
    let mut runtime = hall(ANN, ROOM).open();
    run(&mut runtime, 1.0);
    let room = runtime.inspect(None).unwrap();
    assert_eq!((&*room.name, &*said(&room, "room", "name")), ("hall", "hall"));
    assert_eq!((&*said(&room, "room", "tick"), &*said(&room, "room", "time")), ("60", "1.00 s"));
    assert_eq!(said(&room, "room", "closed areas"), "door");
    assert_eq!(row(&room, "state", "visits").value, Some(Datum::Integer(7)));
    assert_eq!(line_of(&room, "handlers of scripts/room.lua", "on_click"), 7);
    assert_eq!(said(&room, "timers", "closing"), "due in 49.0 s");
    let sequence = &rows(&room, "sequences")[0];
    assert!(sequence.label.starts_with("started ") && sequence.place == Some(("scripts/room.lua".into(), 4)));
    let json = room.to_json();
    assert_eq!(json["sections"][0]["rows"][0], serde_json::json!({ "label": "name", "text": "hall" }));
    let ann = inspect(&runtime, "ann").to_json();
    let all = ann["sections"].as_array().unwrap();
    let handlers = all.iter().find(|section| section["title"] == "handlers").unwrap();
    assert_eq!(
        handlers["rows"][0],
        serde_json::json!({ "label": "run", "file": "scripts/ann.lua", "line": 8 })
    );
}

#[test]
fn those_who_wait_for_others_say_for_whom() {
    let mut runtime = hall("return {}", "return {}").open();
    let lines = [
        "room:npc('ann'):follow(room:npc('bob'), 1)",
        "room:npc('bob').walk_speed = 0 room:npc('bob'):set_target('bar')",
        "room:npc('ann'):direct(function() wait(1) end)",
    ];
    let send = |runtime: &mut Runtime, line: &str| {
        runtime.send(Input::Console(line.into()));
        runtime.drain_inbox();
        run(runtime, 0.1)
    };
    send(&mut runtime, lines[0]);
    let ann = inspect(&runtime, "ann");
    assert!(
        said(&ann, "walk", "follows").starts_with("bob, ") && said(&ann, "walk", "to") == "up to bob",
        "{ann}"
    );
    send(&mut runtime, lines[1]);
    assert_eq!(said(&inspect(&runtime, "bob"), "walk", "waits"), "its walking speed is zero");
    send(&mut runtime, lines[2]);
    let ann = inspect(&runtime, "ann");
    assert_eq!(said(&ann, "walk", "scene"), "directed by the console", "{ann}");
    assert!(said(&ann, "walk", "set aside").starts_with("following bob, "), "{ann}");
}

#[test]
fn no_code_of_scripts_runs() {
    let ann = "local function told() log.info('ran') return 'ran' end
        local odd = { __index = told, __pairs = told, __len = told, __tostring = told, __eq = told, __close = told,
          __metatable = 'hidden', __name = 'Odd', __call = told, __newindex = told }
        local A = {}
        function A.on_spawn(self) self.odd = setmetatable({ 1, inner = 'seen' }, odd) setmetatable(self, odd) end
        return A";
    let mut runtime = hall(ann, "return {}").open();
    run(&mut runtime, 0.1);
    let shown = inspect(&runtime, "ann");
    assert_eq!(row(&shown, "self", "odd").value.as_ref().unwrap().to_string(), "{1, inner = \"seen\"}");
    shown.to_json();
    runtime.send(Input::Console("room:npc('ann'):inspect()".into()));
    assert_eq!(run(&mut runtime, 0.1), Vec::<String>::new());
}

#[test]
fn huge_and_cyclic_tables_are_cut() {
    let ann = "local A = {}
        function A.on_spawn(self)
          self.me = self
          self.ring = { name = 'ring' } self.ring.ring = self.ring
          self.long = {} for i = 1, 5000 do self.long[i] = i end
          self.text = ('x'):rep(10000)
          local deep = self for i = 1, 50 do deep.deeper = {} deep = deep.deeper end
          for i = 1, 300 do self['key' .. i] = { [{}] = i, { i } } end
          self['two\\nlines'], self['\\27[2J'] = 1, 2
        end
        return A";
    let mut runtime = hall(ann, "return {}").open();
    run(&mut runtime, 0.1);
    let shown = inspect(&runtime, "ann");
    assert_eq!(rows(&shown, "self").len(), 101);
    let text = shown.to_string();
    assert!(text.len() < 12_500, "{text}");
    assert!(!text.contains("\x1b") && !text.contains("0x"), "{text}");
    let lua = "local s = room:npc('ann'):inspect() return #s < 13000";
    runtime.send(Input::Console(lua.into()));
    runtime.drain_inbox();
    assert_eq!(runtime.take_answers()[0].to_string(), "true");

    let ann = "local A = {}
        function A.on_spawn(self, npc)
          self.me = self
          self.ring = { name = 'ring' } self.ring.ring = self.ring
          self['two\\nlines'], self['\\27[2J'] = 'a\\nb', 2
          self.long = {} for i = 1, 5000 do self.long[i] = 'number ' .. i end
          npc:add_tag('a\\nb')
          send(npc, 'x\\n\\27y') after(9, 'z\\n!')
        end
        return A";
    let mut runtime = hall(ann, "return {}").open();
    runtime.step();
    let shown = inspect(&runtime, "ann");
    let value = |label: &str| row(&shown, "self", label).value.as_ref().unwrap().to_string();
    assert_eq!(value("me"), "a table around this one");
    assert_eq!(value("ring"), "{name = \"ring\", ring = a table around this one}");
    assert_eq!(said(&shown, "self", "long"), "a part of it");
    assert_eq!(value("[\"two\\nlines\"]"), "\"a\\nb\"");
    let text = shown.to_string();
    assert!(text.lines().all(|line| line.chars().all(|letter| !letter.is_control())), "{text}");
    let sections = text.lines().filter(|line| !line.is_empty() && !line.starts_with([' ', '!'])).count();
    assert_eq!(sections, shown.sections.len() + 1, "{text}");
}

#[test]
fn from_lua_the_running_line_is_that_of_the_call() {
    let ann = "local A = {}
        function A.run(self, npc)
          wait(0.1)
          log.info(npc:inspect())
          wait(9)
        end
        function A.on_message(self, npc) log.info(npc:inspect()) end
        return A";
    let mut runtime = hall(ann, "return {}").open();
    let told = run(&mut runtime, 0.3);
    assert!(told[0].contains("run  scripts/ann.lua:4  runs now; began in line 2"), "{told:?}");
    runtime.send(Input::Console("send('ann', 'x') send('ann', 'y') send('ann', 'z')".into()));
    let told = run(&mut runtime, 0.1);
    assert!(told[0].contains("run  scripts/ann.lua:5  waits until 9.1 s"), "{told:?}");
    let waiting = |text: &str| text.matches("from the room").count();
    assert_eq!(told.iter().map(|text| waiting(text)).collect::<Vec<_>>(), [2, 1, 0], "{told:?}");
    // In a coroutine within the sequence.
    let ann = "local A = {}
        function A.run(self, npc)
          coroutine.wrap(function()
            log.info(npc:inspect())
          end)()
        end
        return A";
    let told = run(&mut hall(ann, "return {}").open(), 0.1);
    assert!(
        told[0].contains("run  scripts/ann.lua:5  runs now")
            || told[0].contains("run  scripts/ann.lua:3  runs now"),
        "{told:?}"
    );
}

#[test]
fn one_that_left_tells_when() {
    let mut runtime = hall(ANN, ROOM).open();
    run(&mut runtime, 1.0);
    let ann = id(&runtime, "ann");
    runtime.send(Input::Console("a = room:npc('ann') a:despawn()".into()));
    run(&mut runtime, 0.5);
    let shown = runtime.inspect(Some(ann)).unwrap();
    assert_eq!(shown.name, "ann");
    assert!(said(&shown, "character", "left").ends_with(", in tick 60"), "{shown}");
    assert_eq!((shown.sections.len(), &*said(&shown, "character", "tags")), (1, "staff"));
    assert_eq!(runtime.inspect(Some(CharacterId(999))), None);
    runtime.send(Input::Console("a:inspect()".into()));
    runtime.drain_inbox();
    let answer = runtime.take_answers().pop().unwrap().to_string();
    assert!(answer.starts_with("ann\n\ncharacter\n  left  0.5 s ago"), "{answer}");
}

/// Runs a room for a minute; with `looking`, everybody is inspected after every step.
fn minute(room: &str, looking: bool) -> Vec<(u64, (u64, usize))> {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms").join(room);
    let mut runtime = Runtime::open(&room, Options::default().with_seed(7)).unwrap();
    let mut seen = Vec::new();
    for tick in 0..3600 {
        runtime.step();
        runtime.take_events();
        if looking {
            let all: Vec<CharacterId> = runtime.world().characters().iter().map(|c| c.id).collect();
            let everybody = all.into_iter().map(Some).chain([None]);
            let bytes: usize = everybody.map(|who| runtime.inspect(who).unwrap().to_string().len()).sum();
            assert!(bytes > 200, "tick {tick}");
        }
        seen.push((runtime.world().checksum(), runtime.script_usage()));
    }
    seen
}

#[test]
fn looking_changes_nothing() {
    for room in ["tavern.json", "market.json"] {
        // The bytes of Lua, too: looking allocates nothing there, as addresses decide the order of tables.
        let (unseen, seen) = (minute(room, false), minute(room, true));
        let first = unseen.iter().zip(&seen).position(|(one, other)| one != other);
        assert_eq!(first, None, "{room}");
    }
}

#[test]
fn a_saved_room_is_the_same_after_a_look() {
    let mut runtime = hall(ANN, ROOM).open();
    run(&mut runtime, 2.0);
    let saved = |runtime: &Runtime| runtime.save().unwrap().to_json().unwrap();
    let (before, state) = (saved(&runtime), runtime.room_state());
    for who in [None, Some(id(&runtime, "ann")), Some(id(&runtime, "bob"))] {
        let shown = runtime.inspect(who).unwrap();
        assert_eq!(shown.to_string(), runtime.inspect(who).unwrap().to_string());
    }
    assert_eq!((saved(&runtime), runtime.room_state()), (before, state));
}

/// A script pays for what it looks at.
#[test]
fn looking_is_charged() {
    let cost = |self_: &str| {
        let ann = format!("local A = {{}} function A.on_spawn(self) {self_} end return A");
        let mut runtime = hall(&ann, "return {}").open();
        run(&mut runtime, 0.1);
        let before = runtime.script_usage().0;
        runtime.send(Input::Console("room:npc('ann'):inspect()".into()));
        runtime.drain_inbox();
        runtime.script_usage().0 - before
    };
    let (small, large) = (cost(""), cost("for i = 1, 90 do self['k' .. i] = { i, i, i, i } end"));
    assert!(small > 2000 && large > small + 90 * 5 * 50, "{small} {large}");
}
