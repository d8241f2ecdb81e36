//! A running room, saved in the middle of everything and brought back.

use crate::common::project::{HALL, Project};
use cicerone::nav::Position;
use cicerone::project::Project as Folder;
use cicerone::runtime::{Input, OpenError, Options, Runtime, RuntimeEvent, Saved};
use cicerone::script::Note;
use cicerone::world::{Command, WalkId};
use glam::DVec2;

pub(super) const QUIET: &str = "return {}";

/// The hall with a script for Ann.
pub(super) fn hall(room_script: &str, ann: &str) -> Project {
    let room = HALL.replace(r#""ann", "at": [2, 1]"#, r#""ann", "at": [2, 1], "script": "scripts/ann.lua""#);
    Project::new(&[("rooms/hall.json", &room), ("scripts/room.lua", room_script), ("scripts/ann.lua", ann)])
}

/// Through the file's text, as a game would.
pub(super) fn saved(runtime: &Runtime) -> Saved {
    let text = runtime.save().unwrap().to_json().unwrap();
    Saved::read("game.save", &text).unwrap()
}

pub(super) fn restore(project: &Project, saved: &Saved) -> Result<Runtime, OpenError> {
    let folder = Folder::containing(&project.path("rooms/hall.json"));
    Runtime::restore(folder, saved, Options::default())
}

pub(super) fn steps(runtime: &mut Runtime, count: usize) {
    (0..count).for_each(|_| runtime.step());
}

/// What scripts logged and what went wrong.
pub(super) fn told(runtime: &mut Runtime) -> Vec<String> {
    let happened = runtime.take_events().into_iter();
    let notes = happened.filter_map(|event| match event {
        RuntimeEvent::Note(Note::Log { text, .. }) => Some(text),
        RuntimeEvent::Note(Note::Error(error)) => Some(format!("error: {error}")),
        _ => None,
    });
    notes.collect()
}

fn walk_of(runtime: &Runtime, name: &str) -> Option<WalkId> {
    runtime.world().character_named(name).and_then(|character| character.walk.as_ref().map(|walk| walk.id))
}

#[test]
fn data_comes_back_as_it_was() {
    let ann = r#"
        local A = {}
        function A.on_spawn(self, npc)
          local shared = { 1, 2, 3 }
          self.whole, self.fraction, self.least, self.zero = 7, 7.0, math.mininteger, -0.0
          self.huge, self.none = math.huge, 0 / 0
          self.bytes = "\0\xff\xfe"
          self.text = "Grüße\n"
          self.list = { 10, 20, { deep = true } }
          self.one, self.two = shared, shared
          self.circle = {}
          self.circle.itself = self.circle
          self.me, self.friend, self.door, self.place = npc, room:npc("bob"), room:area("door"), room
          self[1.5], self[false] = "half", "no"
          self.left = spawn({ name = "guest", at = { x = 5, z = 2 } })
          self.left:despawn()
          room.state.count = 3
        end
        function A.on_reload(self, npc)
          local function same(what, got, wanted)
            if got ~= wanted or math.type(got) ~= math.type(wanted) then log.error(what .. " is " .. tostring(got)) end
          end
          same("whole", self.whole, 7) same("fraction", self.fraction, 7.0) same("least", self.least, math.mininteger)
          same("zero", 1 / self.zero, -math.huge) same("huge", self.huge, math.huge)
          same("none", self.none ~= self.none, true)
          same("bytes", self.bytes, "\0\xff\xfe") same("text", self.text, "Grüße\n")
          same("deep", self.list[3].deep, true) same("length", #self.list, 3)
          same("shared", self.one, self.two) same("third", self.one[3], 3)
          same("circle", self.circle.itself, self.circle)
          same("me", self.me, npc) same("friend", self.friend, room:npc("bob"))
          same("door", self.door, room:area("door")) same("room", self.place, room)
          same("half", self[1.5], "half") same("no", self[false], "no")
          same("left", self.left.valid, false)
          same("state", room.state.count, 3)
          log.info("looked")
        end
        return A"#;
    let project = hall(QUIET, ann);
    let mut runtime = project.open();
    steps(&mut runtime, 5);
    assert_eq!(told(&mut runtime), [""; 0]);
    let mut again = restore(&project, &saved(&runtime)).unwrap();
    assert_eq!(told(&mut again), ["looked"]);
    assert_eq!(again.world().checksum(), runtime.world().checksum());
}

#[test]
fn what_is_no_data_is_named_by_the_keys_that_lead_to_it() {
    let ann = r#"
        local A = {}
        function A.on_spawn(self, npc)
          self.plan = { steps = { "go", function() end } }
          self["odd key"] = coroutine.create(function() end)
          self.thing = setmetatable({}, { __index = {} })
          room.state[print] = 1
        end
        return A"#;
    let project = hall(QUIET, ann);
    let mut runtime = project.open();
    steps(&mut runtime, 2);
    let error = runtime.save().unwrap_err();
    let mut refused = error.obstacles();
    refused.sort();
    assert_eq!(
        refused,
        [
            "a key of room.state is a function; only data can be saved: set it in on_reload, or keep it outside of self",
            "ann's self.plan.steps[2] is a function; only data can be saved: set it in on_reload, or keep it outside of self",
            "ann's self.thing has a metatable; keep plain tables, and set it in on_reload",
            "ann's self[\"odd key\"] is a thread; only data can be saved: set it in on_reload, or keep it outside of self",
        ]
    );
}

#[test]
fn walks_go_on_and_run_begins_afresh() {
    let ann = r#"
        local A = {}
        function A.run(self, npc)
          self.begun = (self.begun or 0) + 1
          log.info("begun " .. self.begun)
          local ok, why = npc:walk_to(7, 3.5)
          log.info("there " .. why)
        end
        return A"#;
    let project = hall(QUIET, ann);
    let mut runtime = project.open();
    steps(&mut runtime, 60);
    let walk = walk_of(&runtime, "ann").unwrap();
    let mut again = restore(&project, &saved(&runtime)).unwrap();
    assert_eq!(walk_of(&again, "ann"), Some(walk), "the walk under way is the same one");
    assert_eq!(again.world().tick_number(), 60);
    (0..600).for_each(|_| {
        runtime.step();
        again.step();
    });
    assert_eq!(told(&mut again), ["begun 2", "there arrived"]);
    let at = |runtime: &Runtime| runtime.world().character_named("ann").unwrap().position;
    assert_eq!(at(&again), at(&runtime));
}

#[test]
fn what_was_on_its_way_to_scripts_arrives() {
    let room = r#"
        local R = {}
        function R.on_click(room, at) log.info("click") return true end
        function R.on_message(room, message, data, from) log.info(message .. " " .. data.n .. " from " .. from.id) end
        return R"#;
    let ann = r#"
        local A = {}
        function A.on_update(self, npc)
          if room.tick == 3 then send(room, "hello", { n = 5 }) end
        end
        function A.on_arrived(self, npc) log.info("arrived") end
        return A"#;
    let project = hall(room, ann);
    let mut runtime = project.open();
    steps(&mut runtime, 3);
    // Its end is an event of the step in which it is given, told in the next one.
    let who = runtime.world().character_named("ann").unwrap().id;
    let here = runtime.world().character_named("ann").unwrap().position;
    runtime.send(Input::Do(Command::SetTarget { who, to: here.at.into() }));
    runtime.step();
    let mut again = restore(&project, &saved(&runtime)).unwrap();
    told(&mut again);
    again.step();
    let mut lines = told(&mut again);
    lines.sort();
    runtime.take_events();
    runtime.step();
    let mut wanted = told(&mut runtime);
    wanted.sort();
    assert_eq!(lines, wanted);
    assert_eq!(lines, ["arrived", "hello 5 from ann"]);
}

#[test]
fn what_is_not_saved_is_said() {
    let room = r#"
        local R = {}
        after(9, function() end)                       -- set again when the file is loaded
        function R.on_load(room)
          after(2, function() log.info("never") end)
          every(5, function() end)
          start(function() wait(100) end)
          room:npc("bob"):on_arrived(function() end)
          room:npc("bob"):set_target(7, 1, function() end)
        end
        function R.run(room) after(3, function() end) wait(50) end
        return R"#;
    let project = hall(room, QUIET);
    let mut runtime = project.open();
    steps(&mut runtime, 60);
    let saved = saved(&runtime);
    assert_eq!(
        saved.unsaved,
        [
            "a sequence of the room that began at scripts/room.lua:7",
            "a timer of the room for scripts/room.lua:5, due in 1.00 s",
            "a repeating timer of the room for scripts/room.lua:6, due in 4.00 s",
            "what on_arrived of bob was to call",
            "1 functions to be called at the end of a walk",
        ]
    );
    let mut again = restore(&project, &saved).unwrap();
    let lines = told(&mut again);
    assert!(lines.iter().any(|line| line.starts_with("not saved: a timer")), "{lines:?}");
    steps(&mut again, 300);
    assert_eq!(told(&mut again), [""; 0]);
}

#[test]
fn an_edited_room_is_put_under_the_saved_one() {
    let ann = r#"
        local A = {}
        function A.on_spawn(self, npc) self.here = true end
        function A.on_reload(self, npc) log.info("remembers " .. tostring(self.here)) end
        return A"#;
    let project = hall(QUIET, ann);
    let mut runtime = project.open();
    let who = runtime.world().character_named("ann").unwrap().id;
    let open = Command::SetAreaAvailable { area: "door".into(), available: true };
    runtime.send(Input::Do(open));
    runtime.send(Input::Do(Command::Teleport { who, to: DVec2::new(2.0, 2.0).into() }));
    steps(&mut runtime, 30);
    let saved = saved(&runtime);
    let room = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let edited = room
        .replace(r#""name": "mat",  "polygon""#, r#""name": "rug",  "polygon""#)
        .replace(r#"{ "name": "bob", "at": [6, 3] }"#, r#"{ "name": "cid", "at": [6, 3] }"#)
        .replace(r#""points""#, r#""obstacles": [{ "name": "table", "polygon": [[1.5, 1.5], [2.5, 1.5], [2.5, 2.5], [1.5, 2.5]] }], "points""#);
    project.write("rooms/hall.json", &edited);
    let mut again = restore(&project, &saved).unwrap();
    assert_eq!(
        told(&mut again),
        ["remembers true", "changed since it was saved: +cid, -bob, +area rug, -area mat, +obstacle table"]
    );
    let world = again.world();
    assert!(world.area_named("rug").is_some() && world.area_named("mat").is_none());
    let door = world.area_named("door").unwrap();
    assert!(world.ground().area_available(door), "doors stay as the game left them");
    assert!(world.character_named("bob").is_none() && world.character_named("cid").is_some());
    let ann = world.character_named("ann").unwrap();
    assert!(world.ground().is_walkable(ann.position), "nobody stands in the new table");
    assert!(ann.position.distance(Position::on_ground(DVec2::new(2.0, 2.0))) > 0.5);

    project.write("rooms/hall.json", "{ broken");
    let mut as_it_was = restore(&project, &saved).unwrap();
    assert!(as_it_was.world().character_named("bob").is_some());
    let lines = told(&mut as_it_was);
    let warning =
        lines.iter().find(|line| line.starts_with("the room goes on as it was saved: rooms/hall.json:1"));
    assert!(warning.is_some(), "{lines:?}");
    std::fs::remove_file(project.path("rooms/hall.json")).unwrap();
    steps(&mut as_it_was, 10);
    assert!(restore(&project, &saved).is_ok());
}

/// Saving and restoring again and again changes nothing for a world whose scripts only react.
#[test]
fn again_and_again() {
    let ann = r#"
        local A = {}
        function A.on_arrived(self, npc)
          self.turns = (self.turns or 0) + 1
          npc:set_target(self.turns % 2 == 0 and 7 or 1, 2 + random())
        end
        function A.on_spawn(self, npc) npc:set_target(7, 3) end
        return A"#;
    let project = hall(QUIET, ann);
    let mut runtime = project.open();
    let mut again = project.open();
    for tick in 1..=900 {
        runtime.step();
        again.step();
        if tick % 7 == 0 {
            again = restore(&project, &saved(&again)).unwrap();
        }
        assert_eq!(again.world().checksum(), runtime.world().checksum(), "tick {tick}");
    }
    assert!(runtime.tally().walks["arrived"] > 1);
}

#[test]
fn what_is_no_saved_room_is_refused_with_its_place() {
    let project = hall(QUIET, QUIET);
    let mut runtime = project.open();
    steps(&mut runtime, 3);
    let text = runtime.save().unwrap().to_json().unwrap();
    let read = |text: &str| Saved::read("game.save", text).map_err(|error| error.to_string());
    let not_ours = "game.save:1:1: not a saved room; `cicerone run ROOM --save FILE` makes one";
    assert_eq!(read("").unwrap_err(), not_ours);
    assert_eq!(read("{}").unwrap_err(), not_ours);
    assert_eq!(read(HALL).unwrap_err(), not_ours);
    let later = text.replacen("\"version\":8", "\"version\":9", 1);
    assert_eq!(
        read(&later).unwrap_err(),
        "game.save:1:1: saved in form 9; this cicerone reads form 8, and cannot convert it: save again"
    );
    let odd = text.replacen("\"tick\":3", "\"tick\":\"three\"", 1);
    let message = read(&odd).unwrap_err();
    assert!(message.contains("invalid type: string \"three\", expected u64"), "{message}");
    for end in 0..text.len() {
        assert!(read(&text[..end]).is_err());
    }
}

/// Whatever one leaf of the file says, it is refused, or the room runs.
#[test]
fn odd_numbers_and_words_are_refused_or_harmless() {
    let ann =
        "local A = {} function A.run(self, npc) self.plan = { 1, npc } npc:walk_to(7, 3.5) end return A";
    let project = hall(QUIET, ann);
    let mut runtime = project.open();
    steps(&mut runtime, 40);
    let whole: serde_json::Value = serde_json::from_str(&runtime.save().unwrap().to_json().unwrap()).unwrap();
    let mut places = Vec::new();
    leaves(&whole, &mut String::new(), &mut places);
    assert!(places.len() > 100, "{}", places.len());
    let odd = [r#"null"#, "-1", "1e308", "18446744073709551615", "4294967295", r#""""#, "true", "[]", "0.5"];
    let (mut refused, mut ran) = (0, 0);
    for (index, place) in places.iter().enumerate() {
        let mut broken = whole.clone();
        *broken.pointer_mut(place).unwrap() = serde_json::from_str(odd[index % odd.len()]).unwrap();
        let outcome =
            Saved::read("game.save", &broken.to_string()).and_then(|saved| restore(&project, &saved));
        match outcome {
            Err(_) => refused += 1,
            Ok(mut runtime) => {
                steps(&mut runtime, 100);
                ran += 1;
            }
        }
    }
    assert!(refused > 40 && ran > 10, "{refused} refused, {ran} ran");
}

fn leaves(value: &serde_json::Value, path: &mut String, places: &mut Vec<String>) {
    let mut within = |key: String, value: &serde_json::Value| {
        let length = path.len();
        path.push_str(&format!("/{}", key.replace('~', "~0").replace('/', "~1")));
        leaves(value, path, places);
        path.truncate(length);
    };
    match value {
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| within(key.clone(), value))
        }
        serde_json::Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, value)| within(index.to_string(), value));
        }
        _ => places.push(path.clone()),
    }
}

/// A game goes back to a moment as often as somebody likes, and each time the same comes of it.
#[test]
fn going_back() {
    let ann = r#"
        local A = {}
        function A.run(self, npc)
          self.rounds = self.rounds or 0
          while true do npc:walk_to(7, 1 + random()) npc:walk_to(1, 1) self.rounds = self.rounds + 1 end
        end
        return A"#;
    let project = hall(QUIET, ann);
    let mut runtime = project.open();
    steps(&mut runtime, 100);
    let saved = saved(&runtime);
    let mut hashes = Vec::new();
    for _ in 0..3 {
        runtime.go_back_to(&saved).unwrap();
        assert_eq!(runtime.world().tick_number(), 100);
        steps(&mut runtime, 700);
        hashes.push(runtime.world().checksum());
    }
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[1], hashes[2]);
}

#[test]
fn nobody_comes_in_twice_in_an_example_that_goes_back() {
    let rooms = concat!(env!("CARGO_MANIFEST_DIR"), "/rooms");
    for name in ["tavern", "vault", "corridor", "doorway", "market", "mill", "kitchen", "street"] {
        let room = std::path::Path::new(rooms).join(format!("{name}.json"));
        let mut runtime = Runtime::open(&room, Options::default()).unwrap();
        let names = |runtime: &Runtime| -> Vec<String> {
            runtime.world().characters().iter().map(|character| character.name.clone()).collect()
        };
        steps(&mut runtime, 60);
        let (saved, before) = (saved(&runtime), names(&runtime));
        for _ in 0..2 {
            steps(&mut runtime, 20);
            runtime.go_back_to(&saved).unwrap();
        }
        steps(&mut runtime, 20);
        assert_eq!(names(&runtime), before, "{name}");
        assert_eq!(runtime.tally().script_errors, 0, "{name}");
    }
}

/// No save has the picture behind a painted room: it comes from its file.
#[test]
fn a_painted_room_has_its_background_again() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms/kitchen.json");
    let mut room = Runtime::open(&file, Options::default()).unwrap();
    steps(&mut room, 30);
    let back = Runtime::restore(Folder::containing(&file), &saved(&room), Options::default()).unwrap();
    assert!(back.world().room().background.is_some());
    assert_eq!(back.world().room().background, room.world().room().background);
}

/// The game's own numbers of characters stay when a room goes back in time.
#[test]
fn user_data_stays_with_characters() {
    let project = hall(QUIET, QUIET);
    let mut room = project.open();
    let [ann, bob] = ["ann", "bob"].map(|name| room.world().character_named(name).unwrap().id);
    assert!(room.set_user_data(ann, 7) && room.set_user_data(bob, 8));
    let before = saved(&room);
    let hash = room.world().checksum();
    room.apply(Command::Despawn(bob)).unwrap();
    assert_eq!(room.world().user_data(bob), 0);
    assert!(!room.set_user_data(bob, 9));
    room.go_back_to(&before).unwrap();
    assert_eq!((room.world().user_data(ann), room.world().user_data(bob)), (7, 0));
    assert_eq!(room.world().checksum(), hash, "it is no part of the run");
}
