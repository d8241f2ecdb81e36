//! Scripts reloaded under the living: tables, timers, subscriptions, sequences, and modules that come, go and change
//! places.

use crate::common::project::{HALL, Project, problems, reload, run, walker_project};
use cicerone::runtime::{Reload, Runtime};

/// The hall without scripts but the room's own.
fn room_with(script: &str) -> Project {
    Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", script)])
}

fn done(reload: Reload) -> Vec<String> {
    match reload {
        Reload::Done { changes, .. } => changes,
        other => panic!("should have been taken over: {other:?}"),
    }
}

/// Saves a script in other words that mean the same, ten times, with some ticks between.
fn ten_reloads(project: &Project, runtime: &mut Runtime, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(project.path(file)).unwrap();
    let mut said = Vec::new();
    for i in 0..10 {
        project.write(file, &format!("{text} -- {i}"));
        done(reload(project, runtime, &[file]));
        said.extend(run(runtime, 0.05));
    }
    said
}

#[test]
fn all_who_require_a_module_hold_the_same_table_before_and_after() {
    let project = room_with(
        "local a, b, c = require 'a', require 'b', require 'c'
         local R = { seen = function() return a.shared.word, a.shared == b.shared and b.shared == c.shared end }
         function R.on_load(room) room.state.kept = a.shared end
         function R.on_update(room) if room.tick % 60 == 0 then
           log.info(room.state.kept.word, room.state.kept == a.shared, R.seen())
           for key in pairs(a.shared) do log.info(key) end
         end end
         return R",
    );
    for user in ["a", "b", "c"] {
        project.write(&format!("scripts/{user}.lua"), "return { shared = require 'shared' }");
    }
    project.write("scripts/shared.lua", "return { word = 'old', gone = true }");
    let mut runtime = project.open();
    let said = run(&mut runtime, 1.1);
    assert_eq!(said[0], "old true old true");
    for word in ["new", "newer"] {
        project.write("scripts/shared.lua", &format!("local S = {{}} S.word = '{word}' return S"));
        let changes = done(reload(&project, &mut runtime, &["scripts/shared.lua"]));
        let also = ["a", "b", "c", "room"].map(|name| format!("also scripts/{name}.lua"));
        assert_eq!(changes[..4], also, "every dependent is part of the transaction");
        assert_eq!(run(&mut runtime, 1.0), [format!("{word} true {word} true"), "word".into()]);
    }
}

#[test]
fn a_module_may_return_something_else_for_a_while() {
    let project = room_with(
        "local shared = require 'shared'
         local R = { on_load = function(room) room.state.kept = shared end }
         function R.on_update(room) if room.tick % 60 == 0 then
           log.info(type(shared), room.state.kept.word, shared == room.state.kept)
         end end
         return R",
    );
    project.write("scripts/shared.lua", "return { word = 'one' }");
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.0), ["table one true"]);
    project.write("scripts/shared.lua", "return function() end");
    done(reload(&project, &mut runtime, &["scripts/shared.lua"]));
    assert_eq!(run(&mut runtime, 1.0), ["function one false"]);
    project.write("scripts/shared.lua", "return { word = 'two' }");
    done(reload(&project, &mut runtime, &["scripts/shared.lua"]));
    assert_eq!(run(&mut runtime, 1.0), ["table two true"], "the table of old, with what is new");
    // What somebody follows must be a table.
    project.write("scripts/room.lua", "return function() end");
    let refused = problems(reload(&project, &mut runtime, &["scripts/room.lua"]));
    assert!(refused[0].starts_with("scripts/room.lua:1:") && refused[0].contains("must return a table"));
    assert_eq!(run(&mut runtime, 1.0), ["table two true"]);
    // A module may hand on another's table, and both go on as one.
    project.write("scripts/room.lua", "local R = require 'shared' return R");
    project.write(
        "scripts/shared.lua",
        "return { on_update = function(room) if room.tick % 60 == 0 then log.info('handed on') end end }",
    );
    for _ in 0..2 {
        done(reload(&project, &mut runtime, &["scripts/room.lua", "scripts/shared.lua"]));
        assert_eq!(run(&mut runtime, 1.0), ["handed on"]);
        let text = std::fs::read_to_string(project.path("scripts/shared.lua")).unwrap();
        project.write("scripts/shared.lua", &format!("{text} -- again"));
    }
}

#[test]
fn timers_outlive_ten_reloads_and_are_not_doubled() {
    let project = room_with(
        "after(0.6, function() log.info('once') end)
         every(1, function() log.info('beat') end)
         local R = {}
         function R.on_load()
           after(0.8, function() log.info('handler once') end)
           every(0.9, function() log.info('handler beat') end)
         end
         return R",
    );
    let mut runtime = project.open();
    let mut said = run(&mut runtime, 0.1);
    said.extend(ten_reloads(&project, &mut runtime, "scripts/room.lua"));
    said.extend(run(&mut runtime, 1.0));
    said.sort();
    assert_eq!(said, ["beat", "handler beat", "handler once", "once"]);
}

#[test]
fn a_timer_of_run_goes_with_it() {
    let project = room_with(
        "local R = {} function R.run() every(0.5, function() log.info('tick') end) wait(100) end return R",
    );
    let mut runtime = project.open();
    run(&mut runtime, 0.1);
    assert_eq!(ten_reloads(&project, &mut runtime, "scripts/room.lua"), Vec::<String>::new());
    assert_eq!(run(&mut runtime, 1.1), ["tick", "tick"]);
}

#[test]
fn subscriptions_belong_to_their_file() {
    let ask = "on_arrived(room:npc('ann'), function(npc, why) log.info(npc.id, why) end)\n";
    let walk = "local R = {} function R.run(room) room:npc('ann'):walk_to(3, 1) room:npc('ann'):walk_to(2, 1) wait(100) end return R";
    let project = room_with(&format!("{ask}{walk}"));
    let mut runtime = project.open();
    assert_eq!(ten_reloads(&project, &mut runtime, "scripts/room.lua"), Vec::<String>::new());
    assert_eq!(run(&mut runtime, 4.0), ["ann arrived", "ann arrived"]);
    // A file that subscribes no longer is told no longer; one that is refused has changed nothing.
    project.write(
        "scripts/room.lua",
        "on_arrived(room:npc('ann'), function() log.info('never') end) error 'no'",
    );
    problems(reload(&project, &mut runtime, &["scripts/room.lua"]));
    runtime.send(go(&runtime, "ann", (3.0, 1.0)));
    assert_eq!(run(&mut runtime, 2.0), ["ann arrived"]);
    project.write("scripts/room.lua", "return {}");
    done(reload(&project, &mut runtime, &["scripts/room.lua"]));
    runtime.send(go(&runtime, "ann", (2.0, 1.0)));
    assert_eq!(run(&mut runtime, 2.0), Vec::<String>::new());
}

fn go(runtime: &Runtime, name: &str, (x, z): (f64, f64)) -> cicerone::runtime::Input {
    let who = runtime.world().character_named(name).unwrap().id;
    let to = glam::dvec2(x, z);
    cicerone::runtime::Input::Do(cicerone::world::Command::SetTarget { who, to: to.into() })
}

#[test]
fn one_shots_finish_on_old_code_and_those_of_the_file_itself_begin_again() {
    let project = room_with(
        "start(function() while true do wait(1) log.info('loop') end end)
         local R = { word = 'old' }
         function R.on_load() start(function() local word = 'old' wait(1.5) log.info(word, 'finishes') end) end
         return R",
    );
    let mut runtime = project.open();
    run(&mut runtime, 0.1);
    let text = std::fs::read_to_string(project.path("scripts/room.lua")).unwrap();
    project.write("scripts/room.lua", &text.replace("'old'", "'new'"));
    done(reload(&project, &mut runtime, &["scripts/room.lua"]));
    assert_eq!(
        run(&mut runtime, 0.0),
        ["1 sequence(s) begun by start in scripts/room.lua finish on the old code"]
    );
    let mut said = run(&mut runtime, 2.5);
    said.sort();
    assert_eq!(said, ["loop", "loop", "old finishes"], "the file's own loop is not doubled");
}

#[test]
fn everyone_is_told_in_order_of_id_and_runs_afresh_where_they_stand() {
    let tell = "local B = {}
        function B.on_spawn(self, npc) self.count = 0 end
        function B.run(self, npc) self.count = self.count + 1 log.info(npc.id, self.count) wait(100) end
        function B.on_reload(self, npc) log.info('reload', npc.id) end
        return B";
    let room = HALL
        .replace(r#""ann","#, r#""ann", "script": "scripts/one.lua","#)
        .replace(r#""bob","#, r#""bob", "script": "scripts/two.lua","#)
        .replace("\"script\": \"scripts/room.lua\"", "\"name\": \"hall\"");
    let files = [("rooms/hall.json", room.as_str()), ("scripts/one.lua", tell), ("scripts/two.lua", tell)];
    let project = Project::new(&files);
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 0.1), ["ann 1", "bob 1"]);
    let start = runtime.world().character_named("bob").unwrap().position;
    // Ann is told first although it is Bob's script that the room changes, and his start that is elsewhere now.
    project.write("rooms/hall.json", &room.replace("two.lua", "three.lua").replace("[6, 3]", "[7, 3]"));
    project.write("scripts/three.lua", tell);
    project.write("scripts/one.lua", &format!("{tell} -- saved"));
    let files = ["rooms/hall.json", "scripts/one.lua", "scripts/three.lua"];
    let changes = done(reload(&project, &mut runtime, &files));
    let words = ["bob: script", "bob: start (from the next run on)", "also scripts/three.lua"];
    assert_eq!(changes[..3], words);
    assert_eq!(changes[3..], ["no longer scripts/two.lua", "2 restarted"]);
    assert_eq!(run(&mut runtime, 0.1), ["reload ann", "reload bob", "ann 2", "bob 2"]);
    assert_eq!(runtime.world().character_named("bob").unwrap().position, start, "nobody is teleported");
}

#[test]
fn a_refused_file_leaves_no_table_changed() {
    let room = "local data = require 'data'
        local R = {}
        function R.on_load(room) room.state.deep = { { n = 1 } } room.state.same = room.state.deep[1] end
        function R.on_update(room) if room.tick % 60 == 0 then
          log.info(data.list[1].n, #data.list, data.list.missing, getmetatable(data.list).name,
                   room.state.deep[1].n, room.state.same == room.state.deep[1], room.state.extra)
        end end
        return R";
    let project = room_with(room);
    project.write("scripts/data.lua", "return { list = setmetatable({ { n = 1 } }, { name = 'plain' }) }");
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.0), ["1 1 nil plain 1 true nil"]);
    let before = runtime.world().checksum();
    let deeds = "local data = require 'data'
        data.list[1].n = 2 data.list[2] = {} data.list.missing = 'x' getmetatable(data.list).name = 'other'
        setmetatable(data.list, nil)
        room.state.deep[1].n = 2 room.state.same = nil room.state.extra = data
        error 'no'";
    project.write("scripts/room.lua", deeds);
    problems(reload(&project, &mut runtime, &["scripts/room.lua"]));
    assert_eq!(runtime.world().checksum(), before);
    assert_eq!(run(&mut runtime, 1.0), ["1 1 nil plain 1 true nil"]);
}

#[test]
fn a_file_that_says_what_runs_does_nothing() {
    let project = walker_project();
    let mut runtime = project.open();
    run(&mut runtime, 10.0);
    let text = std::fs::read_to_string(project.path("scripts/walker.lua")).unwrap();
    for again in [text.clone(), format!("\u{feff}{text}")] {
        project.write("scripts/walker.lua", &again);
        assert_eq!(reload(&project, &mut runtime, &["scripts/walker.lua"]), Reload::Unchanged);
    }
    // The same room in other words, too.
    let room = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    project.write("rooms/hall.json", &room.replace("\"cellSize\": 0.25", "\"cellSize\":   0.250"));
    assert_eq!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Unchanged);
    assert_eq!((run(&mut runtime, 0.1), runtime.tally().reloads), (Vec::new(), 0));
    // Of two files that were saved, only the other is told of.
    project.write("scripts/room.lua", "return { on_update = false or nil }");
    let changed = reload(&project, &mut runtime, &["scripts/room.lua", "scripts/walker.lua"]);
    let Reload::Done { files, tick: 606, .. } = changed else { panic!("{changed:?}") };
    assert_eq!(files, ["scripts/room.lua"]);
}

#[test]
fn a_circle_is_refused_and_opened_again() {
    let project = room_with(
        "local a = require 'a' return { on_update = function(room) if room.tick % 60 == 0 then log.info(a.b.word) end end }",
    );
    project.write("scripts/a.lua", "return { b = require 'b' }");
    project.write("scripts/b.lua", "return { word = 'old' }");
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.0), ["old"]);
    project.write("scripts/b.lua", "local a = require 'a' return { word = 'new' }");
    let refused = problems(reload(&project, &mut runtime, &["scripts/b.lua"]));
    let round = "scripts/a.lua → scripts/b.lua → scripts/a.lua";
    assert!(refused.len() == 1 && refused[0].contains(round), "{refused:?}");
    assert!(refused[0].starts_with("scripts/b.lua:1:"), "{refused:?}");
    assert_eq!(run(&mut runtime, 1.0), ["old"]);
    project.write("scripts/b.lua", "return { word = 'new' }");
    done(reload(&project, &mut runtime, &["scripts/b.lua"]));
    assert_eq!(run(&mut runtime, 1.0), ["new"]);
}

#[test]
fn a_renamed_module_is_a_change_like_any_other() {
    let user = |name: &str| {
        format!(
            "local lines = require '{name}' return {{ on_update = function(room) if room.tick % 60 == 0 then log.info(lines.word) end end }}"
        )
    };
    let project = room_with(&user("lines"));
    project
        .write("scripts/lines.lua", "every(0.5, function() log.info('lines') end) return { word = 'old' }");
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.0), ["old", "lines"]);
    std::fs::rename(project.path("scripts/lines.lua"), project.path("scripts/words.lua")).unwrap();
    let refused = problems(reload(&project, &mut runtime, &["scripts/lines.lua"]));
    assert!(refused[0].contains("scripts/lines.lua") && refused[0].contains("the file is gone"));
    project.write("scripts/room.lua", &user("words"));
    project.write("scripts/words.lua", "return { word = 'new' }");
    let changes = done(reload(&project, &mut runtime, &["scripts/lines.lua", "scripts/room.lua"]));
    assert_eq!(changes, ["no longer scripts/lines.lua", "1 restarted"]);
    assert_eq!(run(&mut runtime, 1.0), ["new"], "the timer of the old module went with it");
    assert!(!runtime.files().contains(&project.path("scripts/lines.lua")));
    // And back: what the old module was is loaded again, into the same table.
    project
        .write("scripts/lines.lua", "every(0.5, function() log.info('lines') end) return { word = 'back' }");
    project.write("scripts/room.lua", &user("lines"));
    done(reload(&project, &mut runtime, &["scripts/room.lua"]));
    assert_eq!(run(&mut runtime, 0.9), ["back", "lines"]);
    // Deleted while it is needed, and again as it was.
    let text = std::fs::read_to_string(project.path("scripts/lines.lua")).unwrap();
    std::fs::remove_file(project.path("scripts/lines.lua")).unwrap();
    problems(reload(&project, &mut runtime, &["scripts/lines.lua"]));
    project.write("scripts/lines.lua", &text);
    assert_eq!(reload(&project, &mut runtime, &["scripts/lines.lua"]), Reload::Unchanged);
}

#[test]
fn what_requires_a_changed_file_runs_its_good_code_whatever_lies_on_disk() {
    let room = "local shared = require 'shared' return { on_update = function(room) if room.tick % 60 == 0 then log.info(shared.word) end end }";
    let project = room_with(room);
    project.write("scripts/shared.lua", "return { word = 'old' }");
    let mut runtime = project.open();
    project.write("scripts/room.lua", "return {{");
    problems(reload(&project, &mut runtime, &["scripts/room.lua"]));
    project.write("scripts/shared.lua", "return { word = 'new' }");
    done(reload(&project, &mut runtime, &["scripts/shared.lua"]));
    assert_eq!(run(&mut runtime, 1.0), ["new"]);
}

#[test]
fn any_reload_arms_what_failed() {
    let project = room_with(
        "return { on_update = function(room) if room.tick % 60 == 0 then log.info(room:point('well').x) end end }",
    );
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 2.0).len(), 1, "failed, told once, off");
    project.write("rooms/hall.json", &HALL.replace("\"bar\": [1, 1]", "\"bar\": [1, 1], \"well\": [5, 1]"));
    assert_eq!(done(reload(&project, &mut runtime, &["rooms/hall.json"])), ["+point well"]);
    assert_eq!(run(&mut runtime, 1.0), ["5.0"]);
}

#[test]
fn what_on_reload_sets_up_is_set_up_once() {
    let project = room_with(
        "local R = {}
         function R.on_reload(room) every(0.5, function() log.info('beat', room.tick % 30 == 0 or room.tick) end) end
         return R",
    );
    let mut runtime = project.open();
    ten_reloads(&project, &mut runtime, "scripts/room.lua");
    assert_eq!(run(&mut runtime, 2.0).len(), 4);
}

#[test]
fn one_file_is_one_module_however_it_is_named() {
    let project = room_with(
        "local R = {}
         function R.on_load() log.info(require('./lib') == require('lib'), require('scripts//lib') == require('scripts/lib.lua'), require('lib') == require('scripts/lib')) end
         return R",
    );
    project.write("scripts/lib.lua", "return {}");
    assert_eq!(run(&mut project.open(), 0.1), ["true true true"]);
}

#[test]
fn memory_that_is_short_leaves_no_half_reload() {
    // Version 1 is nearly all there is room for; version 2 is refused, and version 1 must be whole again.
    let lib = |version: u32, count: u32| {
        format!("local L = {{ version = {version} }} for i = 1, {count} do L[i] = i * 1.5 end return L")
    };
    let project = room_with(
        "local lib = require 'lib'
         assert(lib.version == 1, 'no other version')
         return { on_update = function(room) if room.tick % 10 == 0 then log.info(lib.version, #lib) end end }",
    );
    project.write(
        "rooms/hall.json",
        &HALL.replacen('{', r#"{ "limits": { "memoryMb": 4, "memoryPerScriptMb": 4 },"#, 1),
    );
    project.write("scripts/lib.lua", &lib(1, 150_000));
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 0.2)[0], "1 150000");
    project.write("scripts/lib.lua", &lib(2, 10));
    assert!(matches!(reload(&project, &mut runtime, &["scripts/lib.lua"]), Reload::Refused { .. }));
    assert_eq!(run(&mut runtime, 0.2)[0], "1 150000");
}

#[test]
fn it_is_known_which_handlers_are_switched_off_and_why() {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/ann.lua","#);
    let hall = hall.replace(r#"{ "name": "bob","#, r#"{ "name": "bob", "script": "scripts/bob.lua","#);
    let project = Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/room.lua", "local R = {} function R.on_update() while true do end end return R"),
        ("scripts/ann.lua", "local A = {} function A.on_update() while true do end end return A"),
        (
            "scripts/bob.lua",
            "local B = {} function B.run() all{function() wait(0.1) error('no') end} end return B",
        ),
    ]);
    let mut room = project.open();
    assert_eq!(room.switched_off_handlers(), []);
    run(&mut room, 0.5);
    let off: Vec<String> = room
        .switched_off_handlers()
        .iter()
        .map(|off| format!("{} {} {}", off.who, off.event, off.why.split(" (").next().unwrap()))
        .collect();
    let endless = "ran too long without a pause";
    assert_eq!(
        off,
        [
            format!("the room on_update scripts/room.lua:1: {endless}"),
            format!("ann on_update scripts/ann.lua:1: {endless}"),
            "bob run scripts/bob.lua:1: no".to_owned(),
        ]
    );
    // A save of another file switches handlers on again; a `run` begins again with its own file.
    project.write("scripts/ann.lua", "return {}");
    let _ = reload(&project, &mut room, &["scripts/ann.lua"]);
    let off: Vec<_> = room.switched_off_handlers().into_iter().map(|off| (off.who, off.event)).collect();
    assert_eq!(off, [("bob".to_owned(), "run".to_owned())]);
    project.write("scripts/bob.lua", "return {}");
    let _ = reload(&project, &mut room, &["scripts/bob.lua"]);
    assert!(room.switched_off_handlers().iter().all(|off| off.who == "the room"));
}

/// A file that is required in a call, and is not there yet or has an error, is waited for: once it is good, the script
/// that asked for it begins again.
#[test]
fn a_file_that_a_call_asked_for_too_early_is_waited_for() {
    let project = room_with(
        "return { run = function(self, room)
           local words = require('words')
           log.info(words.hello)
         end }",
    );
    let mut runtime = project.open();
    let said = run(&mut runtime, 0.5);
    assert!(said.iter().any(|line| line.contains("cannot require 'words'")), "{said:?}");
    project.write("scripts/words.lua", "return { hello = 'too");
    assert!(matches!(reload(&project, &mut runtime, &["scripts/words.lua"]), Reload::Refused { .. }));
    project.write("scripts/words.lua", "return { hello = 'at last' }");
    done(reload(&project, &mut runtime, &["scripts/words.lua"]));
    let said = run(&mut runtime, 0.5);
    assert!(said.iter().any(|line| line.contains("at last")), "{said:?}");
}
