//! Errors in handlers: what goes on, what is switched off, and what events about somebody who left can still ask.

use crate::common::project::{HALL, Project};
use cicerone::runtime::{Reload, Runtime, RuntimeEvent};
use cicerone::script::{Note, SwitchedOff};

/// A project whose room script is `room`, with Ann following `npc`.
fn project(room: &str, npc: &str) -> Project {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/npc.lua","#);
    Project::new(&[("rooms/hall.json", &*hall), ("scripts/room.lua", room), ("scripts/npc.lua", npc)])
}

/// What is logged, warnings of the host's included, and the errors that are told.
fn run(runtime: &mut Runtime, ticks: u32) -> (Vec<String>, Vec<String>) {
    (0..ticks).for_each(|_| runtime.step());
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

#[test]
fn an_error_about_one_character_leaves_the_room_s_handler_to_the_others() {
    let room = "local R = {}
        function R.on_message(room, message, data) log.info(data.who, data.wish.words) end
        function R.on_load(room)
          for i = 1, 5 do send(room, 'wish', { who = 'a' .. i, wish = i ~= 2 and i ~= 4 and { words = i } or nil }) end
        end
        return R";
    let mut runtime = project(room, "return {}").open();
    let (logged, errors) = run(&mut runtime, 5);
    assert_eq!(logged, ["a1 1", "a3 3", "a5 5"], "the handler stays armed");
    assert_eq!(errors.len(), 1, "told once: {errors:?}");
    assert_eq!(runtime.tally().script_errors, 2, "and counted");
    assert!(runtime.switched_off_handlers().is_empty());
}

#[test]
fn ten_errors_in_a_row_switch_a_handler_off_until_a_reload() {
    let npc = "local N = {}
        function N.on_update(self, npc) if room.tick ~= 6 then local x = nil + 1 end end
        return N";
    let project = project("return {}", npc);
    let mut runtime = project.open();
    let (_, errors) = run(&mut runtime, 16);
    assert_eq!((errors.len(), runtime.tally().script_errors), (1, 15), "six, a success, and nine");
    assert!(runtime.switched_off_handlers().is_empty());
    let (logged, _) = run(&mut runtime, 10);
    assert_eq!(runtime.tally().script_errors, 16, "the tenth was the last");
    assert_eq!(logged, ["on_update of ann is switched off until the next reload: 10 errors in a row"]);
    let [SwitchedOff { character, who, file, event, why, tick, .. }] = &runtime.switched_off_handlers()[..]
    else {
        panic!("one is off")
    };
    assert_eq!(*character, runtime.world().character_named("ann").map(|ann| ann.id));
    assert_eq!((&**who, &**file, &**event, *tick), ("ann", "scripts/npc.lua", "on_update", 16));
    assert!(why.starts_with("scripts/npc.lua:2: attempt to perform arithmetic on a nil value"), "{why}");
    assert!(why.ends_with("(10 errors in a row)"), "{why}");
    project.write("scripts/npc.lua", "return { on_update = function() end }");
    let reloaded = runtime.reload(&[project.path("scripts/npc.lua")].into());
    assert!(matches!(reloaded, Reload::Done { .. }));
    assert!(runtime.switched_off_handlers().is_empty());
}

#[test]
fn fuel_and_memory_switch_a_handler_off_at_once() {
    let room = "local R = {}
        function R.on_update(room) while true do end end
        function R.on_load(room) log.info(#room:switched_off_handlers()) end
        function R.run(room)
          wait(0.1)
          for _, h in ipairs(room:switched_off_handlers()) do log.info(h.who, h.event, h.file) end
          nothing.at.all()
        end
        return R";
    let npc =
        "return { on_spawn = function(self) self.s = {} while true do self.s[#self.s + 1] = {} end end }";
    let limits = r#"{ "limits": { "memoryPerScriptMb": 2 },"#;
    let hall = HALL.replacen('{', limits, 1);
    let project = project(room, npc);
    let hall = hall.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/npc.lua","#);
    project.write("rooms/hall.json", &hall);
    let mut runtime = project.open();
    let (logged, errors) = run(&mut runtime, 20);
    assert_eq!(errors.len(), 3, "{errors:?}");
    let said: Vec<&str> =
        logged.iter().map(String::as_str).filter(|line| !line.contains("switched off")).collect();
    assert_eq!(said, ["0", "the room on_update scripts/room.lua", "ann on_spawn scripts/npc.lua"]);
    let off: Vec<_> = runtime.switched_off_handlers().into_iter().map(|off| (off.who, off.event)).collect();
    let expected = [("the room", "on_update"), ("the room", "run"), ("ann", "on_spawn")];
    assert_eq!(off, expected.map(|(who, event)| (who.to_owned(), event.to_owned())));
    assert_eq!(runtime.tally().script_errors, 3);
}

#[test]
fn what_is_called_again_and_again_is_called_after_an_error_too() {
    let room = "local R = {}
        function R.on_load(room)
          local n, always = 0, 0
          every(0.1, function() n = n + 1 if n == 2 then error('once') end if n == 4 then log.info('fourth') end end)
          every(0.1, function() always = always + 1 error('always') end)
          after(3, function() log.info('tried', always) end)
          local ann = room:npc('ann')
          ann:on_arrived(function(npc, reason) if not ann.heard then ann.no.such = 1 end end)
          ann:set_target(ann)
        end
        return R";
    let mut runtime = project(room, "return {}").open();
    let (logged, errors) = run(&mut runtime, 200);
    assert_eq!(logged, ["fourth", "tried 10"]);
    assert_eq!(errors.len(), 3, "{errors:?}");
}

#[test]
fn events_about_those_who_left_can_ask_who_it_was() {
    let room = "local R = {}
        function R.on_load(room)
          local guest = spawn{ at = room:npc('ann'), name = 'tom', tags = { 'guest', 'tall' }, script = 'scripts/npc.lua' }
          after(0.1, function() guest:despawn() end)
        end
        function R.on_leave(room, npc, area)
          log.info('leave', area, npc.id, npc.name, npc.valid, npc:has_tag('guest'), npc:has_tag('x'), table.concat(npc:tags(), '+'), npc.player)
          log.info(pcall(function() return npc.x end))
        end
        function R.on_message(room, message, data, from) log.info(message, from.id, from.valid, from:has_tag('tall')) end
        return R";
    let npc = "local N = {}
        function N.on_despawn(self, npc) log.info('despawn', npc.name, npc:has_tag('guest')) send(room, 'bye') end
        return N";
    let hall = HALL.to_owned();
    let project =
        Project::new(&[("rooms/hall.json", &*hall), ("scripts/room.lua", room), ("scripts/npc.lua", npc)]);
    let mut runtime = project.open();
    (0..9).for_each(|_| runtime.step());
    // What is known of somebody who left is in a saved room, too.
    let saved = runtime.save().unwrap().to_json().unwrap();
    assert!(saved.contains(r#""tags":["guest","tall"]"#), "{saved}");
    let (logged, errors) = run(&mut runtime, 20);
    assert_eq!(errors, Vec::<String>::new());
    let left = "scripts/room.lua:8: 'tom' left the room at tick 6; ask npc.valid before using a kept handle";
    let expected = [
        "leave hall tom tom false true false guest+tall false".to_owned(),
        format!("false {left}"),
        "despawn tom true".to_owned(),
        "bye tom false true".to_owned(),
    ];
    assert_eq!(logged, expected);
}
