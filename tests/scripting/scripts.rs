//! What scripts can do. Each test is a small project in a temporary folder.

use crate::common::project::{HALL, Project};
use cicerone::runtime::{Input, Runtime, RuntimeEvent};
use cicerone::script::Note;
use glam::dvec2;

/// Runs a room script for some seconds of game time; returns what it logged and the errors it raised.
pub(crate) fn run(script: &str, seconds: f64) -> (Vec<String>, Vec<String>) {
    let project = Project::new(&[
        ("rooms/hall.json", HALL),
        ("scripts/room.lua", script),
        ("scripts/npc.lua", "return {}"),
    ]);
    let mut runtime = project.open();
    run_on(&mut runtime, seconds)
}

pub(crate) fn run_on(runtime: &mut Runtime, seconds: f64) -> (Vec<String>, Vec<String>) {
    for _ in 0..(seconds * 60.0) as u64 {
        runtime.step();
    }
    let (mut logged, mut errors) = (Vec::new(), Vec::new());
    for event in runtime.take_events() {
        match event {
            RuntimeEvent::Note(Note::Log { text, .. }) => logged.push(text),
            RuntimeEvent::Note(Note::Error(error)) => errors.push(error.to_string()),
            _ => {}
        }
    }
    (logged, errors)
}

/// Runs `body` as the room's `on_load` and compares what it logs; errors fail.
pub(crate) fn check(body: &str, expected: &[&str]) {
    let (logged, errors) =
        run(&format!("local R = {{}}\nfunction R.on_load(room)\n{body}\nend\nreturn R"), 12.0);
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(logged, expected);
}

/// Runs `body` as the room's `on_load`, which must fail with an error that contains `expected`, at line 3.
pub(crate) fn fails(body: &str, expected: &str) {
    let (_, errors) = run(&format!("local R = {{}}\nfunction R.on_load(room)\n{body}\nend\nreturn R"), 0.1);
    let [error] = &errors[..] else { panic!("one error expected, not {errors:?}") };
    assert!(error.contains(expected), "{error}");
    assert!(error.starts_with("scripts/room.lua:3: "), "{error}");
    assert!(error.contains("on_load of the room"), "{error}");
}

#[test]
fn positions_come_in_all_their_forms() {
    check(
        "local ann, bob = room:npc('ann'), room:npc('bob')
         ann:teleport(4, 2)           log.info(ann.x, ann.z)
         ann:teleport({x = 5, z = 1}) log.info(ann:pos().x, ann:pos().z)
         ann:teleport('bar')          log.info(ann.x, ann.z)
         ann:teleport(bob)            log.info(ann.x == bob.x)
         log.info(ann:distance_to(bob), ann:distance_to(1, 1))",
        &["4.0 2.0", "5.0 1.0", "1.0 1.0", "true", "0.0 5.385165"],
    );
}

#[test]
fn globals_and_methods_do_the_same() {
    check(
        "local ann, bob = room:npc('ann'), room:npc('bob')
         set_target(ann, 'bar', function(npc, reason) log.info(npc.id, reason) end)
         bob:set_target(7, 3, function(npc, reason) log.info(npc.id, reason) end)
         on_arrived(bob, function(npc, reason) log.info('also', npc.id, reason) end)
         log.info(set_area_available('door', true), room:set_area_available('door', true), room:is_area_available('door'))
         log.info(is_walkable(1, 1), room:is_walkable(100, 1))",
        &["true false true", "true false", "ann arrived", "bob arrived", "also bob arrived"],
    );
}

#[test]
fn a_sequence_waits_for_walks_and_time() {
    check(
        "start(function()
           local ann = room:npc('ann')
           log.info('off', room.tick)
           local ok, why = ann:walk_to('bar')
           log.info(ok, why, ann:distance_to('bar') < 0.06)
           wait(0.5)
           log.info('there', room.time < 3)
           ok, why = ann:walk_to(12, 2)
           log.info(ok, why)
         end)",
        &["off 0", "true arrived true", "there true", "false partial"],
    );
}

#[test]
fn a_walk_may_time_out_or_be_called_off() {
    check(
        "start(function() log.info(room:npc('ann'):walk_to(7, 3, {timeout = 0.5})) end)
         start(function() log.info(room:npc('bob'):walk_to('bar')) end)
         after(0.2, function() room:npc('bob'):stop() end)",
        &["false cancelled", "false timeout"],
    );
}

#[test]
fn timers_fire_when_due_in_the_order_they_were_set() {
    check(
        "after(0.5, function() log.info('b', room.tick) end)
         after(0.25, function() log.info('a', room.tick) end)
         after(0.5, function() log.info('c', room.tick) end)
         after(0, function() log.info('next tick', room.tick) end)
         local n, beat = 0
         beat = every(1, function() n = n + 1 log.info('beat', n) if n == 2 then cancel(beat) end end)",
        &["next tick 1", "a 15", "b 30", "c 30", "beat 1", "beat 2"],
    );
}

#[test]
fn paths_are_found_and_reasons_given() {
    check(
        "local points, length = room:find_path('bar', {x = 7, z = 1})
         log.info(#points, points[#points].x, length)
         log.info(find_path('bar', 12, 2))
         log.info(room:line_of_sight('bar', 7, 1), room:nearest(-3, 1).x > 0)",
        &[
            "1 7.0 6.0",
            "nil no way leads there {missed_by = 4.126894, snapped_to = {x = 7.875, z = 2.125}, step = \"nearest\", x = 12.0, z = 2.0}",
            "true true",
        ],
    );
}

#[test]
fn characters_come_and_go() {
    check(
        "local cat = spawn{at = 'bar', name = 'cat', walk_speed = 2, tags = {'pet'}, script = 'scripts/npc.lua'}
         log.info(cat, cat.walk_speed, cat:has_tag('pet'), #room:npcs(), #room:npcs('pet'))
         log.info(cat == room:npc('cat'), spawn{at = {x = 3, z = 3}}.id)
         cat:despawn()
         log.info(cat.valid, cat.id, #room:npcs())",
        &["npc:cat 2.0 true 3 1", "true npc_1", "false cat 3"],
    );
}

#[test]
fn handlers_get_self_and_events_in_order() {
    let npc = "local N = {}
        function N.on_spawn(self, npc) self.n = 1 log.info('spawn', npc.id) npc:set_target(7, 1) end
        function N.on_enter(self, npc, area) log.info('enter', area) end
        function N.on_leave(self, npc, area) log.info('leave', area) end
        function N.on_arrived(self, npc, reason) self.n = self.n + 1 log.info('arrived', reason, self.n) end
        function N.on_walk_ended(self, npc, reason) log.info('ended', reason) end
        function N.on_update(self, npc, dt) self.t = (self.t or 0) + dt end
        function N.on_despawn(self, npc) log.info('bye', npc.id, self.t > 4) end
        return N";
    let room = "local R = {}
        function R.on_load(room) room.state.spots = 0 end
        function R.on_enter(room, npc, area) room.state.spots = room.state.spots + 1 end
        function R.on_area_changed(room, area, available) log.info(area, available, room.state.spots) end
        function R.run(room) wait(4.5) set_area_available('door', true) room:npc('ann'):despawn() end
        return R";
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/npc.lua","#);
    let project =
        Project::new(&[("rooms/hall.json", &hall), ("scripts/npc.lua", npc), ("scripts/room.lua", room)]);
    let (logged, errors) = run_on(&mut project.open(), 5.0);
    assert_eq!(errors, Vec::<String>::new());
    let expected = [
        "spawn ann",
        "enter hall",
        "enter mat",
        "leave mat",
        "arrived arrived 2",
        "ended arrived",
        "door true 3",
        "leave hall",
        "bye ann true",
    ];
    assert_eq!(logged, expected);
}

#[test]
fn a_click_moves_the_player_unless_the_room_takes_it() {
    let script = "local R = {} function R.on_click(room, where) log.info(where.x, where.z) return where.x < 2 end return R";
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "player": true,"#);
    let project = Project::new(&[("rooms/hall.json", &hall), ("scripts/room.lua", script)]);
    let mut runtime = project.open();
    runtime.send(Input::Click(dvec2(1.0, 2.0).into()));
    runtime.step();
    assert!(!runtime.world().character_named("ann").unwrap().is_moving(), "taken");
    runtime.send(Input::Click(dvec2(3.0, 2.0).into()));
    runtime.step();
    assert_eq!(runtime.world().character_named("ann").unwrap().target(), Some(dvec2(3.0, 2.0).into()));
}

#[test]
fn log_lines_show_what_is_in_tables_and_no_digits_that_nobody_reads() {
    check(
        "log.info({ x = 1 }, 'a b', nil, true, { 'a', { 2.5 } })
         print('sum', 0.1 + 0.2, 1 / 3, 2^53 + 0.0, math.maxinteger, 1e300, -0.0004)
         log.info(room:npc('ann'), setmetatable({}, { __tostring = function() return 'own words' end }))
         local t = {} for i = 1, 10000 do t[i] = i end
         log.info(t)
         local circle = {} circle[1] = circle
         log.info(circle)",
        &[
            "{x = 1} a b nil true {\"a\", {2.5}}",
            "sum\t0.3\t0.333333\t9.007199254740992e15\t9223372036854775807\t1e300\t-4e-4",
            "npc:ann own words",
            &format!("{{{}, …}}", (1..=40).map(|i| i.to_string()).collect::<Vec<_>>().join(", ")),
            "{{{…}}}",
        ],
    );
}

#[test]
fn one_who_leaves_in_the_middle_of_things_is_gone() {
    let npc = "local N = {}
        function N.run(self, npc) wait(0.1) npc:despawn() log.info('last words', npc.valid) wait(1) log.info('never') end
        function N.on_update(self, npc) if room.tick > 4 then log.info(npc.x) end end
        function N.on_despawn(self, npc) log.info('gone', npc.id) end
        N.on_leave = 5
        return N";
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/npc.lua","#);
    let project = Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/npc.lua", npc),
        ("scripts/room.lua", "return {}"),
    ]);
    let (logged, errors) = run_on(&mut project.open(), 2.0);
    assert_eq!(logged, ["2.0", "last words false", "gone ann"].map(String::from));
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].starts_with("scripts/npc.lua:1: on_leave must be a function, not integer"),
        "{errors:?}"
    );
}

#[test]
fn modules_are_shared_and_circles_are_named() {
    let room = "local util = require 'util'\nlocal again = require 'scripts/util.lua'\nlog.info(util.name, util == again)\nreturn {}";
    let files = [
        ("rooms/hall.json", HALL),
        ("scripts/room.lua", room),
        ("scripts/util.lua", "return { name = 'util' }"),
    ];
    let (logged, errors) = run_on(&mut Project::new(&files).open(), 0.1);
    assert_eq!((logged, errors), (vec!["util true".to_owned()], vec![]));

    let files = [
        ("rooms/hall.json", HALL),
        ("scripts/room.lua", "local a = require 'a' return {}"),
        ("scripts/a.lua", "local b = require 'b' return {}"),
        ("scripts/b.lua", "local a = require 'a' return {}"),
    ];
    let (_, errors) = run_on(&mut Project::new(&files).open(), 0.1);
    let round = "scripts/a.lua → scripts/b.lua → scripts/a.lua";
    assert!(
        errors.iter().any(|error| error.contains(round) && error.starts_with("scripts/b.lua:1:")),
        "{errors:?}"
    );
}

#[test]
fn runs_draw_the_same_numbers() {
    let script = "local R = {} function R.on_load(room)
        local t = {} for _, k in ipairs{'a', 'b', 'c', 'dd', 'eee', 'f1', 'g'} do t[k] = true end
        local order = {} for k in pairs(t) do order[#order + 1] = k end
        log.info(table.concat(order, ' '), random(), random(6), math.random(10, 20), math.sin(1)) end return R";
    let outputs: Vec<_> = (0..3).map(|_| run(script, 0.1)).collect();
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[1], outputs[2]);
    assert!(outputs[0].1.is_empty(), "{:?}", outputs[0].1);
}

#[test]
fn somebody_walks_up_to_somebody_and_they_are_told() {
    let with_script = HALL.replace("[6, 3] }", "[6, 3], \"script\": \"scripts/npc.lua\" }");
    let project = Project::new(&[
        ("rooms/hall.json", &with_script),
        (
            "scripts/room.lua",
            "return { run = function(room)
               local ann, bob = room:npc('ann'), room:npc('bob')
               local ok, reason = ann:talk_to(bob, { timeout = 20 })
               log.info(ok, reason, ann:distance_to(bob) <= 1.36)
               log.info(ann:talk_to(bob, { timeout = 20 }))
               log.info(pcall(ann.talk_to, ann, ann))
             end }",
        ),
        (
            "scripts/npc.lua",
            "return { on_talk = function(self, npc, other)
               self.talks = (self.talks or 0) + 1
               log.info(npc.id .. ' hears ' .. other.id, self.talks)
             end }",
        ),
    ]);
    let mut runtime = project.open();
    let (logged, errors) = run_on(&mut runtime, 30.0);
    assert_eq!(errors, Vec::<String>::new());
    let [first, told, second, told_again, oneself] = &logged[..] else { panic!("{logged:?}") };
    let mut talks = [first.as_str(), told.as_str(), second.as_str(), told_again.as_str()];
    talks.sort_unstable();
    assert_eq!(talks, ["bob hears ann 1", "bob hears ann 2", "true arrived", "true arrived true"]);
    assert!(
        oneself.starts_with("false") && oneself.contains("a character cannot walk up to itself"),
        "{oneself}"
    );
}

#[test]
fn the_player_walks_up_to_whoever_is_clicked() {
    let with_player = HALL
        .replace("[2, 1] }", "[2, 1], \"player\": true }")
        .replace("[6, 3] }", "[6, 3], \"script\": \"scripts/npc.lua\" }");
    let project = Project::new(&[
        ("rooms/hall.json", &with_player),
        ("scripts/room.lua", "return {}"),
        ("scripts/npc.lua", "return { on_talk = function(self, npc, other) log.info(npc.id, other.id) end }"),
    ]);
    let mut runtime = project.open();
    assert!(runtime.world().character_named("ann").is_some_and(|ann| ann.player), "the sample has ann");
    let at = runtime.world().character_named("bob").unwrap().position;
    runtime.send(Input::Click((at.at + dvec2(0.1, 0.1)).into()));
    let (logged, _) = run_on(&mut runtime, 20.0);
    assert_eq!(logged, ["bob ann"]);
}

#[test]
fn a_path_as_a_character_would_walk_it() {
    check(
        "local ann, bob = room:npc('ann'), room:npc('bob')
         bob:teleport(4, 2)
         local points, length, step = room:find_path_to_nearest({x = 2, z = 2}, {x = 6, z = 2}, ann)
         log.info(#points > 1, length > 4, step)
         local _, straight, same = room:find_path_to_nearest({x = 2, z = 2}, {x = 6, z = 2}, bob)
         log.info(straight, same)
         local _, _, partial = room:find_path_to_nearest(ann, {x = 11, z = 2})
         log.info(partial, room:find_path(ann, {x = 11, z = 2}))",
        &[
            "true true avoiding",
            "4.0 avoiding",
            "nearest nil no way leads there {missed_by = 3.127499, snapped_to = {x = 7.875, z = 2.125}, step = \"nearest\", x = 11.0, z = 2.0}",
        ],
    );
}

#[test]
fn priority_is_a_whole_number_and_stopping_has_two_names() {
    check(
        "local ann = room:npc('ann')
         ann.priority = 7.0  log.info(ann.priority)
         log.info(spawn{ at = 'bar', priority = -3 }.priority)
         ann:set_target(7, 3)  log.info(ann:stop_in_place(), ann:stop(), ann:is_moving())",
        &["7", "-3", "true false false"],
    );
    fails("room:npc('ann').priority = 1.5", "npc.priority must be a whole number, not 1.5");
    fails("room:npc('ann').priority = 2000", "priority must be a whole number from -1000 to 1000, not 2000");
    fails("room:npc('ann'):talk_to(room:npc('bob'))", "talk_to");
}

#[test]
fn arrivals_are_told_once_with_their_reason() {
    check(
        "local ann = room:npc('ann')
         ann:set_target(5, 1, function() log.info('never: replaced') end)
         ann:set_target(5.1, 1, function(npc, reason)
           log.info(reason)
           npc:set_target(11, 2, function(_, again) log.info(again) end) -- behind the closed door
         end)",
        &["arrived", "partial"],
    );
}

#[test]
fn a_handler_that_cannot_wait_does_not_keep_others_from_waiting() {
    check(
        "start(function() wait_until(function() return room.time > 1 end) log.info('done') end)
         every(0.2, function() room:npc('ann'):say('hm', 1) end)",
        &["done"],
    );
}
