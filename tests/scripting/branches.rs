//! Sequences side by side, and messages between scripts.

use crate::common::project::{HALL, Project, logged, reload, run};
use cicerone::runtime::{Reload, Runtime};

/// The hall, with `body` as the room's `run`.
fn project(body: &str) -> Project {
    let room = format!(
        "local R = {{}}\nfunction R.run(room)\nlocal ann, bob = room:npc('ann'), room:npc('bob')\n{body}\nend\nreturn R"
    );
    Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", &room)])
}

/// What is logged within some seconds, errors included.
fn said(body: &str, seconds: f64) -> Vec<String> {
    run(&mut project(body).open(), seconds)
}

fn errors(runtime: &Runtime) -> Vec<String> {
    runtime.script_errors().map(ToString::to_string).collect()
}

#[test]
fn all_waits_for_the_last_and_says_what_failed_first_in_the_list() {
    let lines = said(
        "log.info(all{})
         local tick = room.tick
         log.info(all{ function() end, function() return 7, 'words' end })
         log.info('in the same tick', room.tick - tick)
         log.info(all{ function() wait(0.5) return false, 'late' end, function() return false, 'soon' end, function() wait(1) end })
         log.info('ticks', room.tick - tick)
         log.info(all{ function() return false end })",
        2.0,
    );
    assert_eq!(
        lines,
        ["true done", "true done", "in the same tick 0", "false late", "ticks 60", "false failed"]
    );
}

#[test]
fn race_ends_with_the_first_and_calls_the_others_off() {
    let lines = said(
        "log.info(race{ function() return ann:walk_to(7, 3) end, function() wait(0.5) return true, 'enough' end })
         log.info(ann:is_moving(), ann:last_walk().reason)
         log.info(race{ function() return false, 'no' end, function() log.info('never') end })
         log.info(race{
           function() return all{ function() wait(0.2) end, function() wait(9) log.info('never') end } end,
           function() return race{ function() wait(0.1) end, function() wait(9) log.info('never') end } end,
         })
         wait(10)",
        12.0,
    );
    assert_eq!(lines, ["true enough 2", "false cancelled", "false no 1", "true done 2"]);
}

#[test]
fn an_error_in_a_branch_ends_the_whole_sequence_once() {
    let project = project(
        "start(function() while true do wait(0.5) log.info('beside') end end)
         pcall(all, {
           function() bob:walk_to(1, 3) log.info('never') end,
           function() wait(0.2) local t = nil t.x = 1 end,
         })
         log.info('never either')",
    );
    let mut runtime = project.open();
    let lines = run(&mut runtime, 1.2);
    let found = errors(&runtime);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("scripts/room.lua:7: attempt to index a nil value (local 't')"), "{found:?}");
    let others: Vec<&String> = lines.iter().filter(|line| !line.contains("attempt to index")).collect();
    assert_eq!(others, ["beside", "beside"]);
    assert!(!runtime.world().character_named("bob").unwrap().is_moving(), "its walks end with it");
}

#[test]
fn branches_end_with_what_they_belong_to() {
    // Called off by number.
    let lines = said(
        "local id = start(function() all{ function() ann:walk_to(7, 3) log.info('never') end, function() wait(1) log.info('never') end } end)
         wait(0.5)
         log.info(cancel(id), ann:is_moving(), cancel(id))
         wait(2)",
        3.0,
    );
    assert_eq!(lines, ["true false false"]);
    // Gone with their character.
    let walker = "local W = {}
        function W.run(self, npc) all{ function() wait(1) log.info('never') end, function() wait(2) log.info('never') end } end
        return W";
    let project = project(
        "spawn{ at = 'bar', name = 'tom', script = 'scripts/tom.lua' } wait(0.5) room:npc('tom'):despawn() wait(3)",
    );
    project.write("scripts/tom.lua", walker);
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 4.0), Vec::<String>::new());
    assert_eq!(errors(&runtime), Vec::<String>::new());
}

#[test]
fn a_reload_in_the_middle_leaves_no_branch_behind() {
    let body = |words: &str| {
        format!(
            "all{{ function() wait(1) log.info('{words} one') end, function() wait(2) log.info('{words} two') end }} log.info('{words} over')"
        )
    };
    let project = project(&body("old"));
    let mut runtime = project.open();
    run(&mut runtime, 0.5);
    let text = std::fs::read_to_string(project.path("scripts/room.lua")).unwrap().replace("old", "new");
    project.write("scripts/room.lua", &text);
    assert!(matches!(reload(&project, &mut runtime, &["scripts/room.lua"]), Reload::Done { .. }));
    assert_eq!(run(&mut runtime, 3.0), ["new one", "new two", "new over"]);
}

#[test]
fn branches_without_end_are_held_to_their_budget() {
    let project = project("while true do all{ function() end } end");
    let mut runtime = project.open();
    let lines = run(&mut runtime, 0.5);
    assert!(lines.iter().all(|line| line.contains("has more to do than")), "{lines:?}");
    let instructions = runtime.script_usage().0;
    assert!(instructions < 30 * 2_100_000, "{instructions}");
}

#[test]
fn wait_until_asks_every_tick_and_gives_up_in_time() {
    let lines = said(
        "local asked = 0
         log.info(wait_until(function() asked = asked + 1 return asked == 4 end), asked)
         local tick = room.tick
         log.info(wait_until(function() return false end, 0.5), room.tick - tick)
         log.info(pcall(wait_until, 5))",
        2.0,
    );
    assert_eq!(lines[..2], ["true 4", "false 30"].map(str::to_owned), "{lines:?}");
    assert!(lines[2].contains("wait_until: condition must be a function, not 5"), "{lines:?}");
}

#[test]
fn messages_come_in_the_next_tick_in_the_order_they_were_sent() {
    let listener = "local L = {}
        function L.on_message(self, npc, message, data, from)
          log.info(room.tick, npc.id, message, type(data) == 'table' and data.n or data, from)
          if message == 'ping' then send(from, 'pong', data) end
        end
        return L";
    let hall = HALL
        .replace(r#""name": "ann","#, r#""name": "ann", "script": "scripts/listener.lua","#)
        .replace(r#""name": "bob","#, r#""name": "bob", "script": "scripts/listener.lua","#);
    let room = "local R = {}
        function R.on_load(room)
          local gone = spawn{ at = 'bar', name = 'gone', script = 'scripts/listener.lua' }
          send(gone, 'too late') gone:despawn()
          send({ room:npc('bob'), 'ann' }, 'all', { n = 1 })
          send('ann', 'second')
          send(room, 'self', 3)
          log.info(pcall(send, 'anm', 'x'))
          log.info(pcall(send, room:npc('ann'), nil))
        end
        function R.on_message(room, message, data, from) log.info(room.tick, 'room', message, data, from) end
        return R";
    let project = Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/listener.lua", listener),
        ("scripts/room.lua", room),
    ]);
    let mut runtime = project.open();
    let lines = run(&mut runtime, 0.2);
    assert!(lines[0].contains("send: no character 'anm' in room 'hall'; did you mean 'ann'?"), "{lines:?}");
    assert!(lines[1].contains("send: message must be a string"), "{lines:?}");
    let rest: Vec<&str> = lines[2..].iter().map(String::as_str).collect();
    assert_eq!(rest, ["1 bob all 1 nil", "1 ann all 1 nil", "1 ann second nil nil", "1 room self 3 nil"]);
}

#[test]
fn answers_to_messages_come_a_tick_later_and_name_who_sent_them() {
    let talker = "local T = {}
        function T.on_spawn(self, npc) if npc.id == 'ann' then send('bob', 'ping', 1) end end
        function T.on_message(self, npc, message, n, from)
          log.info(room.tick, npc.id, message, n, from.id)
          if n < 3 then send(from, 'ping', n + 1) end
        end
        return T";
    let hall = HALL
        .replace(r#""name": "ann","#, r#""name": "ann", "script": "scripts/talker.lua","#)
        .replace(r#""name": "bob","#, r#""name": "bob", "script": "scripts/talker.lua","#);
    let project = Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/talker.lua", talker),
        ("scripts/room.lua", "return {}"),
    ]);
    assert_eq!(run(&mut project.open(), 0.2), ["1 bob ping 1 ann", "2 ann ping 2 bob", "3 bob ping 3 ann"]);
}

#[test]
fn a_refused_load_has_sent_nothing() {
    let project = project("wait(9)");
    let mut runtime = project.open();
    run(&mut runtime, 0.2);
    project.write("scripts/room.lua", "send(room, 'too early')\nlocal R = {}\nfunction R.on_message() log.info('heard') end\nerror('no')\nreturn R");
    assert!(matches!(reload(&project, &mut runtime, &["scripts/room.lua"]), Reload::Refused { .. }));
    let text = "local R = {}\nfunction R.on_message() log.info('heard') end\nreturn R";
    project.write("scripts/room.lua", text);
    assert!(matches!(reload(&project, &mut runtime, &["scripts/room.lua"]), Reload::Done { .. }));
    runtime.step();
    assert_eq!(logged(&mut runtime), Vec::<String>::new());
}

/// Deep in one another, as many as may be, on a stack as small as threads have: no end of them may need a deep stack.
#[test]
fn a_thousand_branches_deep_is_not_too_deep() {
    let ends = ["error('deep')", "wait(600)"];
    for end in ends {
        let body = format!(
            "local depth = 0
             local function deeper()
               depth = depth + 1
               if depth == 900 then {end} end
               all{{ deeper }}
             end
             local id = start(deeper)
             wait(2)
             log.info(depth, cancel(id))"
        );
        let small = std::thread::Builder::new().stack_size(512 * 1024);
        let lines = small.spawn(move || run(&mut project(&body).open(), 3.0)).unwrap().join().unwrap();
        let last = lines.last().unwrap();
        assert_eq!(last, if end.starts_with("error") { "900 false" } else { "900 true" }, "{lines:?}");
    }
}

#[test]
fn branches_cannot_be_called_off_by_guessing() {
    let lines = said(
        "local id = start(function() all{ function() wait(0.2) end, function() wait(0.3) end } log.info('over') end)
         wait(0.1)
         log.info(cancel(id + 1), cancel(id + 2), cancel(id + 3))
         wait(1)",
        2.0,
    );
    assert_eq!(lines, ["false false false", "over"]);
}

#[test]
fn a_sequence_that_calls_itself_off_ends_at_its_next_wait() {
    let lines = said(
        "local id
         id = start(function() all{ function() log.info(cancel(id)) wait(0.1) log.info('never') end } log.info('never') end)
         wait(1)",
        2.0,
    );
    assert_eq!(lines, ["true"]);
}

#[test]
fn nobody_waits_inside_of_a_library_function() {
    let lines = said(
        "log.info(pcall(function() local _ = ('a'):gsub('a', function() wait(3) end) end))
         log.info(pcall(function() local _ = ('a'):gsub('a', function() all{ function() wait(0.2) end } end) end))
         local tick = room.tick
         coroutine.yield()
         log.info(room.tick - tick)
         wait(0.5)
         log.info(room.tick - tick)",
        2.0,
    );
    assert!(
        lines[0].contains("wait: nothing can wait inside of a function that a library calls"),
        "{lines:?}"
    );
    assert!(lines[1].contains("all: nothing can wait inside"), "{lines:?}");
    assert_eq!(lines[2..], ["1", "31"]);
}

#[test]
fn a_hole_in_a_list_is_told() {
    let lines = said(
        "log.info(pcall(all, { function() end, nil, function() end }))
         log.info(pcall(all, { nil, function() end }))
         log.info(pcall(send, { [2] = 'ann' }, 'x'))
         log.info(pcall(send, { 'ann', nil, 'bob' }, 'x'))",
        0.2,
    );
    assert!(lines[0].contains("all: branches[2] must be a function, not nil"), "{lines:?}");
    assert!(lines[1].contains("all: branches[1] must be a function, not nil"), "{lines:?}");
    assert!(lines[2].contains("send: to[1] must be a character or its name, not nil"), "{lines:?}");
    assert!(lines[3].contains("send: to[2] must be a character or its name, not nil"), "{lines:?}");
}

#[test]
fn all_walks_of_a_branch_are_called_off() {
    let lines = said(
        "race{
           function() ann:set_target(7, 3) bob:set_target(1, 3) wait(9) end,
           function() wait(0.5) end,
         }
         log.info(ann:is_moving(), bob:is_moving())",
        1.0,
    );
    assert_eq!(lines, ["false false"]);
}

#[test]
fn who_left_is_the_same_one_in_a_message_and_is_not_kept() {
    let hall = HALL.replace(r#""name": "bob","#, r#""name": "bob", "script": "scripts/bob.lua","#);
    let project = Project::new(&[
        ("rooms/hall.json", &hall),
        (
            "scripts/bob.lua",
            "return { on_message = function(self, npc, message, data, from) log.info(from == data, from.valid, from.id) end }",
        ),
        (
            "scripts/tom.lua",
            "return { on_spawn = function(self, npc) send('bob', 'bye', npc) npc:despawn() end }",
        ),
        (
            "scripts/room.lua",
            "return { on_load = function() spawn{ at = 'bar', name = 'tom', script = 'scripts/tom.lua' } end }",
        ),
    ]);
    assert_eq!(run(&mut project.open(), 0.5), ["true false tom"]);
}
