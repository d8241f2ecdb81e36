//! What becomes of the mistakes of scripts. Each test is a small project in a temporary folder.

use crate::common::project::{HALL, Project};
use crate::scripts::{check, fails, run, run_on};
use cicerone::room::ScriptLimits;
use cicerone::runtime::Options;

#[test]
fn mistakes_name_their_line_and_the_mend() {
    fails("room:npc('anna')", "no character 'anna' in room 'hall'; did you mean 'ann'?");
    fails(
        "room:npc('ann'):set_target('baar')",
        "no point, character or area 'baar' in room 'hall'; did you mean 'bar'?",
    );
    fails("set_area_available('dor', true)", "no area 'dor' in this room; did you mean 'door'?");
    fails("room:npc('ann'):set_target(0/0, 1)", "must be finite");
    fails("room:npc('ann'):set_target(1/0, 1)", "must be finite");
    fails("room:npc('ann'):set_target(1e7, 1)", "within 1000000 m");
    fails(
        "room:npc('ann'):set_target(nil)",
        "place must be a position (x, z or {x=, z=}, a point's or an area's name, or a character), not nil",
    );
    fails("room:npc('ann'):set_target(1)", "two numbers; after x comes nil");
    fails("room:npc('ann'):walk_to('bar')", "npc:walk_to: only a sequence can wait");
    fails("wait(1)", "wait: only a sequence can wait");
    fails("coroutine.wrap(function() wait(1) end)()", "only a sequence can wait");
    fails("room:npc('ann'):sett_target('bar')", "did you mean npc:set_target(…)?");
    fails("room:npc('ann').mood = 'glad'", "belongs in self.mood");
    fails("room:npc('ann').walk_speed = -1", "walk_speed must be from 0 to 1000, not -1");
    fails("local a = room:npc('ann') a:despawn() a:stop()", "'ann' left the room at tick 0");
    fails("local a = room:npc('ann') a:despawn() log.info(a.x)", "'ann' left the room at tick 0");
    fails("counter = 1", "assignment to undeclared variable 'counter'");
    fails("log.info(romm)", "undefined variable 'romm'; did you mean 'room'?");
    fails("room.mood = 1", "belongs in room.state.mood");
    fails("spawn{at = 'bar', name = 'ann'}", "there is already a 'ann'");
    fails("spawn{at = 'bar', walkspeed = 2}", "did you mean 'walk_speed'?");
    fails("spawn{at = 'bar', script = 'scripts/nobody.lua'}", "there is no such file");
    fails("require 'scripts.hlper'", "cannot require 'scripts.hlper'");
    fails("require '../../etc/passwd'", "leads out of the project");
    fails("room:npc('ann'):teleport(50, 50)", "is not walkable");
    fails("after(-1, function() end)", "seconds must be zero or more");
    fails("after(1)", "action must be a function, not nil");
    fails("set_area_available('door', 'yes')", "available must be true or false, not the string \"yes\"");
    fails("room:npc('ann'):has_tag(nil)", "npc:has_tag: tag must be a string, not nil");
    fails("log.info(random(1.5, 3))", "random: m must be a whole number, not 1.5");
    fails("spawn{at = 'bar', tags = 'visitor'}", "spawn: tags must be a list of strings");
    fails("room:npc('ann').walk_speed = 'fast'", "npc.walk_speed must be a number, not the string");
    fails("log.info(room:find_path(1e300, 0, 0, 0))", "within 1000000 m");
    fails("spawn{at = 'bar', heading = 0/0}", "heading must be a finite number");
    fails("spawn{at = 'bar', name = ''}", "a name has 1 to 200 bytes");
    fails("wait = 2", "'wait' belongs to all scripts; write `local wait`");
    fails("_G.room = nil", "'room' belongs to all scripts");
    fails("local a = room:npc('ann') a:despawn() a:walk_to('bar')", "only a sequence can wait");
    fails("error('my own words')", "my own words");
    fails("local t = nil; t.x = 1", "attempt to index a nil value");
    fails("load('x = 1')()", "undefined variable 'load'");
    fails("io.open('x')", "undefined variable 'io'");
}

#[test]
fn pcall_hands_over_plain_words() {
    check(
        "local ok, problem = pcall(set_target, room:npc('ann'), 'baar')
         log.info(ok, problem)
         log.info(pcall(function() error({code = 7}) end))
         log.info(xpcall(function() room:npc('x') end, function(problem) return '<' .. problem .. '>' end))
         log.info(pcall(function() return 1, nil, 3 end))",
        &[
            "false scripts/room.lua:3: set_target: no point, character or area 'baar' in room 'hall'; did you mean 'bar'?",
            "false {code = 7}",
            "false <scripts/room.lua:6: room:npc: no character 'x' in room 'hall'; room:find_npc gives nil instead of an error>",
            "true 1 nil 3",
        ],
    );
}

#[test]
fn one_mistake_stops_nobody_else() {
    let bad = "local B = {} function B.on_update(self, npc) self.t.x = 1 end return B";
    let good = "local G = {} function G.on_update(self, npc) self.n = (self.n or 0) + 1 if self.n == 60 then log.info('fine') end end return G";
    let hall = HALL
        .replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/bad.lua","#)
        .replace(r#"{ "name": "bob","#, r#"{ "name": "bob", "script": "scripts/good.lua","#);
    let files = [
        ("rooms/hall.json", &*hall),
        ("scripts/bad.lua", bad),
        ("scripts/good.lua", good),
        ("scripts/room.lua", "return {}"),
    ];
    let mut runtime = Project::new(&files).open();
    let (logged, errors) = run_on(&mut runtime, 2.0);
    assert_eq!(
        logged,
        ["on_update of ann is switched off until the next reload: 10 errors in a row", "fine"]
    );
    let expected = "scripts/bad.lua:1: attempt to index a nil value (field 't'); nothing is in 't'; is it set before this line, and spelt so? (on_update of ann, tick 0)";
    assert_eq!(errors, [expected], "told once");
    assert_eq!(runtime.tally().script_errors, 10, "the handler is off until a reload mends it");
}

#[test]
fn endless_loops_and_hoarders_are_stopped() {
    let limits = with!(ScriptLimits::default(), memory_mb = Some(3));
    let options = Options::default().with_limits(limits);
    for (body, expected) in [
        ("while true do end", "endless loop"),
        ("while true do pcall(function() while true do end end) end", "endless loop"),
        (
            "while true do xpcall(function() while true do end end, function() while true do end end) end",
            "endless loop",
        ),
        (
            "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
            "endless loop",
        ),
        ("while true do log.debug(('x'):rep(4000)) end", "endless loop"),
        ("for i = 1, 1e9 do after(9, print) end", "as many as it may"),
        // Out of memory, or of what the collections cost before that.
        ("local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end", "; does a"),
    ] {
        for wrapped in [body.to_owned(), format!("start(function() {body} end)")] {
            let script = format!(
                "local R = {{}}\nfunction R.on_load(room)\n{wrapped}\nend\nfunction R.on_update() log.info('alive') end\nreturn R"
            );
            let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", &script)]);
            let mut runtime = project.open_with(options.clone());
            let (logged, errors) = run_on(&mut runtime, 0.1);
            assert!(errors.len() == 1 && errors[0].contains(expected), "{errors:?}");
            assert!(errors[0].starts_with("scripts/room.lua:"), "{errors:?}");
            assert!(logged.iter().filter(|line| *line == "alive").count() >= 5, "the rest goes on");
        }
    }
}

#[test]
fn sequences_and_timers_cannot_multiply_for_ever() {
    for body in [
        "local function f() wait(0) start(f) start(f) end start(f)",
        "local function f() after(0, f) after(0, f) end f()",
    ] {
        let (_, errors) = run(&format!("{body} return {{}}"), 1.0);
        assert!(errors.len() == 1 && errors[0].contains("as many as it may"), "{errors:?}");
    }
    let (_, errors) = run("return { on_load = function() error({}) end }", 0.1);
    assert!(errors[0].contains("an error that is a table"), "{errors:?}");
}
