//! What is said of scripts.

use super::{ROOM, check, project, said_of, words};
use cicerone::script::api::{Kind, Object, entries};
use cicerone::script::reference;

/// What is said of these lines in the guard's `run`.
fn said_of_run(lines: &str) -> Vec<String> {
    let text = format!("local Guard = {{}}\nfunction Guard.run(self, npc)\n{lines}\nend\nreturn Guard");
    said_of(&project(&[("scripts/guard.lua", &text), ("scripts/room.lua", "return {}")]), "scripts/guard.lua")
}

#[test]
fn mistakes_are_told_with_their_place_and_what_was_meant() {
    for (lines, expected) in [
        // Names.
        ("npc:walk_to('baar')", "3:13: no point or character 'baar' in room 'room'; did you mean 'bar'?"),
        ("npc:walk_to 'baar'", "3:13: no point or character 'baar'"),
        ("npc:walk_to('ghost')", "3:13: no point or character 'ghost' in room 'room'"),
        ("npc:set_target('wel')", "3:16: no point or character 'wel' in room 'room'; did you mean 'well'?"),
        ("set_target(npc, 'wel')", "3:17: no point or character 'wel'"),
        ("room:find_path(npc, 'wel')", "3:21: no point or character 'wel'"),
        ("room:find_path(1, 2, 'wel')", "3:22: no point or character 'wel'"),
        ("room:area('celar')", "3:11: no area 'celar' in room 'room'; did you mean 'cellar'?"),
        ("room:area('bar')", "3:11: no area 'bar' in room 'room'; there is a point of this name"),
        ("set_area_available('celar', true)", "3:20: no area 'celar'"),
        (
            "room:npcs{ area = 'hal', near = 'bar' }",
            "3:19: no area 'hal' in room 'room'; did you mean 'hall'?",
        ),
        ("room:npc('an'):say('x')", "3:10: no character 'an' in room 'room'; did you mean 'ann'?"),
        ("send('gard', 'x')", "3:6: no character 'gard'"),
        ("npc:use('tapp')", "3:9: no hotspot or point 'tapp' in room 'room'; did you mean 'tap'?"),
        ("room:hotspot('tapp')", "3:14: no hotspot 'tapp'"),
        ("room:set_hotspot('tapp', {})", "3:18: no hotspot 'tapp'"),
        ("room:link('jmup')", "3:11: warning: no link 'jmup' in room 'room'; did you mean 'jump'?"),
        ("room:waypath('rond')", "3:14: warning: no waypath 'rond' in room 'room'; did you mean 'round'?"),
        (
            "room:hotspot('tap').enabled = false",
            "3:21: warning: room:hotspot('tap') gives a copy: setting its 'enabled' changes nothing",
        ),
        (
            "local tap = room:hotspot('tap') tap.enabled = false",
            "3:37: warning: tap is a copy: setting its 'enabled' changes nothing",
        ),
        ("spawn{ at = 'baar' }", "3:13: no point or character 'baar'"),
        (
            "for i = 1, 3 do spawn{ name = 'rat_' .. i .. 'b', at = 'bar' } end npc:walk_to('mouse_1')",
            "3:80: no point or character 'mouse_1'",
        ),
        (
            "spawn{ at = 'bar', script = 'scripts/gard.lua' }",
            "3:29: there is no script 'scripts/gard.lua'; did you mean 'scripts/guard.lua'?",
        ),
        (
            "local d = room:area('hall') if d.name == 'hal' then end",
            "warning: no area 'hal' in room 'room', so this is never true; did you mean 'hall'?",
        ),
        (
            "if npc.id == 'gaurd' then end",
            "3:14: warning: no character 'gaurd' in room 'room', so this is never true; did you mean 'guard'?",
        ),
        // Methods, fields, options.
        ("npc:wlak_to('bar')", "3:5: a character has no 'wlak_to'; did you mean 'npc:walk_to'?"),
        (
            "npc.walk_to('bar')",
            "3:4: 'walk_to' is called with a dot, so it is not told whose it is; write npc:walk_to(…)",
        ),
        (
            "room.npc('ann')",
            "3:5: 'npc' is called with a dot, so it is not told whose it is; write room:npc(…)",
        ),
        ("npc:id()", "3:5: npc.id is a field; write npc.id without ()"),
        ("npc.walk_sped = 2", "3:5: a character has no 'walk_sped' to set; did you mean 'npc.walk_speed'?"),
        ("npc.id = 'x'", "3:5: npc.id cannot be set"),
        (
            "room:area('hall').availble = true",
            "3:19: an area has no 'availble' to set; did you mean 'area.available'?",
        ),
        (
            "for _, other in ipairs(room:npcs()) do other:sya('x') end",
            "a character has no 'sya'; did you mean 'npc:say'?",
        ),
        ("local a = room:npc('ann') a:despwan()", "a character has no 'despwan'"),
        ("npc:set_target('bar', function(who) who:sya('x') end)", "a character has no 'sya'"),
        (
            "self.friend:walk_too('bar')",
            "3:13: warning: nothing in this project has a method 'walk_too'; did you mean 'npc:walk_to'?",
        ),
        ("npc:walk_to('bar', { timout = 3 })", "3:22: options has no key 'timout'; did you mean 'timeout'?"),
        (
            "local w = npc:last_walk() return w and w.blockedby",
            "warning: w has no 'blockedby'; did you mean 'blocked_by'?",
        ),
        ("log:info('x')", "3:5: warning: log:info writes the log itself, too; write log.info(…) with a dot"),
        ("log.inof('x')", "3:5: the log has no 'inof'; did you mean 'log.info'?"),
        ("math.flor(2)", "3:6: math has no 'flor'; did you mean math.floor?"),
        // Names in variables that never change, and in options.
        ("local goal = 'baar' npc:walk_to(goal)", "3:33: no point or character 'baar' in room 'room'"),
        ("npc:wander{ area = 'hal' }", "3:20: no area 'hal' in room 'room'; did you mean 'hall'?"),
        ("npc:queue_at('bar', { tail = 'wel' })", "3:30: no point or character 'wel'"),
        ("room:random_point{ near = 'baar' }", "3:27: no point or character 'baar'"),
        ("room:spawn_once{ at = 'bar' }", "3:16: options must have the key 'name'"),
        ("spawn{ name = 'x' }", "3:6: options must have the key 'at'"),
        (
            "after(1, 'close')",
            "3:10: warning: nothing in this script is told of the timer 'close'; give it an on_timer",
        ),
        (
            "local ok, why = npc:walk_to('bar') if why == 'arived' then end",
            "warning: no walk ends as 'arived', so this is never true; did you mean 'arrived'?",
        ),
        (
            "local path, how = room:find_path(1, 1, 2, 2) if how.step == 'dynamic' then end",
            "warning: the step of a path is called 'avoiding' now",
        ),
        (
            "if npc:last_walk().reason == 'no path' then end",
            "warning: no walk ends as 'no path', so this is never true; did you mean 'no_path'?",
        ),
        (
            "direct({ npc, 'an' }, function() end)",
            "3:15: no character 'an' in room 'room'; did you mean 'ann'?",
        ),
        ("send({ 'gard' }, 'x')", "3:8: no character 'gard'"),
        ("room:queue('baar')", "3:12: no point or character 'baar'"),
        // Globals.
        ("wiat(3)", "3:1: undefined variable 'wiat'; did you mean 'wait'?"),
        ("os.time()", "3:1: undefined variable 'os'; there is no clock but room.time"),
        (
            "counter = 1",
            "3:1: 'counter' is assigned and not declared; write local counter = … where it begins",
        ),
        (
            "helper() local helper",
            "3:1: undefined variable 'helper'; the local 'helper' begins further down, in line 3",
        ),
        ("walk_to(npc, 'bar')", "3:1: undefined variable 'walk_to'; walk_to is a method: npc:walk_to(…)"),
        ("expect(npc)", "3:1: undefined variable 'expect'; it is there in spec files (NAME_spec.lua) alone"),
    ] {
        let said = said_of_run(lines);
        let expected =
            expected.strip_prefix("3:").map_or(expected.to_owned(), |rest| format!("guard.lua:3:{rest}"));
        let hit = said.len() == 1 && said[0].contains(&expected);
        assert!(hit, "{lines}: expected {expected}\n{said:#?}");
    }
}

/// What Lua 5.5 does differently: it has globals, and tables end at a nil.
#[test]
fn lists_with_a_nil_and_globals_are_told() {
    let ends = "a nil among `...` may end this list for `#` and `table.unpack`";
    for (lines, expected) in [
        (
            "local t = { 1, nil, 3 }",
            vec!["3:16: a nil in a list may end it for `#` and `table.unpack`".to_owned()],
        ),
        ("local function f(...) local t = {...} return #t end", vec![format!("3:47: {ends}")]),
        (
            "local function f(...) return #{...}, table.unpack({...}) end",
            vec![format!("3:31: {ends}"), format!("3:51: {ends}")],
        ),
        ("local t = { a = nil, [2] = nil } t = { 1, 2, nil } t = { nil }", vec![]),
        ("local function f(...) local t = {...} return table.unpack(t, 1, select('#', ...)) end", vec![]),
        ("local function f(...) local t = table.pack(...) return t.n, #{ 1, ... } end", vec![]),
        ("local function f(...) local t = {...} t = {} return #t end", vec![]),
        (
            "local global = 1 local t = { global = global } local y = global\nprint(y, t.global * global)",
            vec![],
        ),
    ] {
        let said = said_of_run(lines);
        assert_eq!(said.len(), expected.len(), "{lines}: {said:?}");
        assert!(
            said.iter().zip(&expected).all(|(said, told)| said.contains(&told.replacen(
                ": ",
                ": warning: ",
                1
            ))),
            "{lines}: {said:?}"
        );
    }
    for lines in ["global x = 1", "global function f() end", "global <const> y = 1", "global *"] {
        let text = format!("{lines}\nreturn {{}}");
        let project = project(&[("scripts/guard.lua", "return {}"), ("scripts/room.lua", &text)]);
        let said = words(&check(&project.path(""), &["."]));
        assert!(said.contains("error: scripts have no globals") && said.contains("write `local`"), "{said}");
    }
}

#[test]
fn nothing_is_said_where_nothing_is_certain() {
    for lines in [
        "npc:walk_to(self.post) npc:walk_to('bar') npc:walk_to('ann') npc:walk_to(1, 2) npc:walk_to{ x = 1, z = 2, y = 0 }",
        "npc:turn_to('tap') npc:walk_to('hall')", // a hotspot with a walkTo, and an area
        "pcall(function() npc:walk_to('nowhere') end)",
        "pcall(function() undefined() npc:nothing() end)",
        "npc.walk_to(npc, 'bar') local f = npc.walk_to f(npc, 'bar')",
        "local other = npc other = { id = 1 } other:anything() other.id = 2",
        "self.bag = { walk_tu = 1 } self.bag:walk_tu()",
        "local s = 'x' s:upper() ('x'):rep(3)",
        "spawn{ name = 'rat', at = 'bar' } room:npc('rat'):say('x') npc:walk_to('rat')",
        "for i = 1, 3 do spawn{ name = 'rat_' .. i, at = 'bar' } end npc:walk_to('rat_2')",
        "for i = 1, 3 do spawn{ name = 'rat_' .. i .. 'b', at = 'bar' } end npc:walk_to('rat_2b')",
        "local name = self.name spawn{ name = name, at = 'bar' } npc:walk_to('somebody')",
        "spawn{ at = 'bar' } npc:walk_to('npc_1')",
        "room:find_npc('nobody_yet')",
        // What is asked for first, or meant for another room.
        "if room:find_npc('bob') then room:npc('bob'):say('x') npc:walk_to('bob') end",
        "if room.name == 'other' then npc:walk_to('other_point') room:area('attic') end",
        "local goal = 'baar' goal = 'bar' npc:walk_to(goal)",
        "local name = 'ghost' if room:find_npc(name) then room:npc(name):say('boo') end",
        "local where = 'attic' if room.name == where then room:npc('lurker'):say('x') end",
        "local ok, why = npc:walk_to('bar') if why == 'timeout' or why ~= 'no_path' then end",
        "local spec = { at = 'bar' } spec.name = 'x' spawn(spec) for _, who in ipairs({ 'a' }) do spawn{ name = who, at = 'bar' } end",
        "after(1, function() end) self.timer = every(2, self.tick)",
        "if room:hotspot('tap').cursor == 'use' then end room.state.anything.at.all()",
        "send(room, 'opened') send('guard', 'x') npc:on_arrived(function(who, reason) who:say(reason) end)",
        "local _ENV = { print = print } undefined_thing()",
        "---@diagnostic disable-next-line: undefined-global\nundefined_thing()",
        "npc:walk_to('nowhere') ---@diagnostic disable-line",
        "local function later() return self.x end later()",
        "room:npc('ann'):talk_to(npc) local x = npc.x + room.time",
    ] {
        assert_eq!(said_of_run(lines), Vec::<String>::new(), "{lines}");
    }
}

#[test]
fn nothing_is_said_of_the_examples_of_the_reference() {
    for entry in entries() {
        let body = reference::example(entry);
        let is_file = ["describe", "it", "before_each", "after_each", "pending"].contains(&entry.name);
        let names = "local npc, player = room:npc('guard'), room:npc('player')";
        let load = if body.contains("load_room(") { "" } else { "load_room('room')" };
        let (file, text) = match entry.object {
            Object::Behaviour => ("scripts/guard.lua", format!("local Guard = {{}}\n{body}\nreturn Guard")),
            Object::RoomScript => ("scripts/room.lua", format!("local Script = {{}}\n{body}\nreturn Script")),
            Object::Spec | Object::Expectation if is_file => ("tests/scenarios/x_spec.lua", body.clone()),
            Object::Spec | Object::Expectation => (
                "tests/scenarios/x_spec.lua",
                format!("it('works', function()\n{load}\n{names}\n{body}\nend)"),
            ),
            _ => (
                "scripts/room.lua",
                format!("local S = {{}}\nfunction S.run(room)\n{names}\n{body}\nend\nreturn S"),
            ),
        };
        let game = r#"{ "functions": [{ "signature": "play_sound(name: string, volume?: number)" },
            { "signature": "npc:wave()" }] }"#;
        let project = project(&[
            ("scripts/guard.lua", "return {}"),
            ("scripts/room.lua", "return {}"),
            ("scripts/game_api.json", game),
            (file, &text),
        ]);
        let said = said_of(&project, file);
        assert!(said.is_empty(), "{}: {said:#?}\n{text}", entry.spoken());
        assert!(entry.kind() != Kind::Event || text.contains(entry.name));
    }
}

#[test]
fn handlers_are_given_what_the_table_says() {
    let room = "local R = {}
function R.on_enter(room, npc, area)
  npc:sya('x')
  if area == 'celar' then end
end
function R.on_use(npc, object) end
R.on_click = function(room, place, hotspot) return hotspot.nmae == 'tap' end
return R";
    let project = project(&[("scripts/guard.lua", "return {}"), ("scripts/room.lua", room)]);
    let said = said_of(&project, "scripts/room.lua");
    let expected = [
        "scripts/room.lua:3:7: a character has no 'sya'",
        "scripts/room.lua:4:14: warning: no area 'celar' in room 'room', so this is never true",
        "scripts/room.lua:6:19: warning: on_use is called with (room, npc, object), so 'npc' is room here",
        "scripts/room.lua:7:60: warning: hotspot has no 'nmae'; did you mean 'name'?",
    ];
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.starts_with(expected), "{said}\n{expected}");
    }
}

/// A name is looked for in every room that uses a script, directly or through another.
#[test]
fn names_are_those_of_the_rooms_that_use_a_script() {
    let other = ROOM.replace("\"well\"", "\"spring\"").replace("\"guard\"", "\"sentry\"");
    let guard = "local Places = require 'places'
local G = {}
function G.run(self, npc) npc:walk_to('well') npc:walk_to(Places.first()) npc:walk_to('wel') end
return G";
    let places = "local Places = {}\nfunction Places.first() return room:point('spring') or room:point('sprig') end\nreturn Places";
    let project = project(&[
        ("rooms/other.json", &other),
        ("scripts/guard.lua", guard),
        ("scripts/places.lua", places),
        ("scripts/room.lua", "return {}"),
        (
            "scripts/unused.lua",
            "local U = {}\nfunction U.run(self, npc) npc:walk_to('spring') npc:walk_to('barel') npc:walk_to('barrls') end\nreturn U",
        ),
    ]);
    let said = said_of(&project, "scripts/guard.lua");
    assert_eq!(said.len(), 2, "{said:#?}");
    assert!(said[0].contains("3:39: warning: no point or character 'well' in room 'other'"), "{said:#?}");
    assert!(
        said[1].contains("no point or character 'wel' in rooms 'other' and 'room'; did you mean"),
        "{said:#?}"
    );
    let said = said_of(&project, "scripts/places.lua");
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(said[0].contains("'sprig' in rooms 'other' and 'room'; did you mean 'spring'?"), "{said:#?}");
    let said = said_of(&project, "scripts/unused.lua");
    assert!(
        said.len() == 2
            && said[1].contains("warning: no point or character 'barrls' in any room of the project"),
        "{said:#?}"
    );
}

#[test]
fn specs_are_read_with_the_room_they_load() {
    let spec = "describe('the hall', function()
  it('is there', function()
    load_room('rom')
    expect(room:npc('nobody')):to_be_nil()
  end)
  it('has a bar', function()
    load_room('room')
    local guard = room:npc('gaurd')
    guard:set_target('bar')
    expect(guard):to_arive_within(5)
    expect(guard):not_to_be_in('hal')
    expect(function() guard:walk_to('nowhere') end):to_fail()
    click('tapp')
  end)
end)";
    let project = project(&[
        ("scripts/guard.lua", "return {}"),
        ("scripts/room.lua", "return {}"),
        ("tests/scenarios/a_spec.lua", spec),
    ]);
    let said = said_of(&project, "tests/scenarios/a_spec.lua");
    let expected = [
        "3:15: there is no room 'rom'; did you mean 'room'?",
        "8:28: no character 'gaurd' in room 'room'; did you mean 'guard'?",
        "10:19: an expectation has no 'to_arive_within'; did you mean 'expect(x):to_arrive_within'?",
        "11:32: no area 'hal' in room 'room'; did you mean 'hall'?",
        "13:11: no hotspot, point or character 'tapp' in room 'room'; did you mean 'tap'?",
    ];
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.ends_with(expected), "{said}\n{expected}");
    }
}

#[test]
fn a_part_for_another_room_is_held_against_that_room() {
    let attic = ROOM
        .replace("\"well\": [6, 4.5]", "\"ladder\": [6, 4.5]")
        .replace("\"name\": \"ann\"", "\"name\": \"eve\"");
    let guard = "local G = {}
function G.run(self, npc)
  if room.name == 'attic' then npc:walk_to('ladder') else npc:walk_to('well') end
  npc:walk_to('laddder')
end
return G";
    let project = project(&[
        ("rooms/attic.json", &attic),
        ("scripts/guard.lua", guard),
        ("scripts/room.lua", "return {}"),
    ]);
    let said = said_of(&project, "scripts/guard.lua");
    assert!(said.len() == 1 && said[0].contains("guard.lua:4:15"), "{said:#?}");
}

#[test]
fn a_timer_by_name_needs_a_script_that_is_told() {
    let copied = "for k, v in pairs(require('greetings')) do G[k] = v end";
    let handler = "function G.on_timer(self, npc, name) end";
    let inherited = "setmetatable(G, { __index = require('greetings') })";
    for (handler, told) in [("", 1), (handler, 0), (copied, 0), (inherited, 0)] {
        let guard =
            format!("local G = {{}}\n{handler}\nfunction G.run(self, npc) after(1, 'close') end\nreturn G");
        let project = project(&[("scripts/guard.lua", &guard), ("scripts/room.lua", "return {}")]);
        assert_eq!(said_of(&project, "scripts/guard.lua").len(), told);
    }
}

#[test]
fn a_folder_stands_for_its_rooms_and_not_for_any_json() {
    let project = project(&[
        ("scripts/guard.lua", "return {}"),
        ("scripts/room.lua", "return {}"),
        ("package.json", r#"{ "name": "game", "version": "1.0.0" }"#),
        ("tools/settings.json", "{ \"broken\": "),
        ("levels/cave.json", r#"{ "areas": [{ "name": "cave", "poligon": [[0, 0], [4, 0], [4, 4]] }] }"#),
    ]);
    let told = words(&check(&project.path(""), &["."]));
    assert!(
        told.contains("levels/cave.json:1:") && !told.contains("package") && !told.contains("settings"),
        "{told}"
    );
    let told = words(&check(&project.path(""), &["package.json"]));
    assert!(told.contains("package.json:1:"), "whoever names a file means it: {told}");
}
