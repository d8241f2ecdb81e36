//! What scripts may use up, who pays, and what becomes of those who use up more.

use crate::common::project::{HALL, Project};
use cicerone::room::ScriptLimits;
use cicerone::runtime::{Options, Runtime, RuntimeEvent};
use cicerone::script::{Note, ScriptError};
use std::time::Duration;

fn open(room: &str, script: &str, limits: ScriptLimits) -> (Project, Runtime) {
    let project = Project::new(&[("rooms/hall.json", room), ("scripts/room.lua", script)]);
    let runtime = project.open_with(Options::default().with_limits(limits));
    (project, runtime)
}

/// Runs for so many ticks; what was logged and what went wrong.
fn run(runtime: &mut Runtime, ticks: usize) -> (Vec<String>, Vec<ScriptError>) {
    (0..ticks).for_each(|_| runtime.step());
    let (mut logged, mut errors) = (Vec::new(), Vec::new());
    for event in runtime.take_events() {
        match event {
            RuntimeEvent::Note(Note::Log { text, .. }) => logged.push(text),
            RuntimeEvent::Note(Note::Error(error)) => errors.push(error),
            _ => {}
        }
    }
    (logged, errors)
}

/// A room script that counts to two hundred thousand and says so.
const COUNTS: &str = "return { on_load = function() for i = 1, 200000 do end log.info('counted') end }";

#[test]
fn the_room_says_what_scripts_may_use_and_the_options_go_before_it() {
    let room = HALL.replacen('{', r#"{ "limits": { "instructionsPerCall": 100000 },"#, 1);
    let more = with!(ScriptLimits::default(), instructions_per_call = Some(1_000_000));
    for (room, limits, fits) in [
        (HALL, ScriptLimits::default(), true),
        (&room, ScriptLimits::default(), false),
        (&room, more, true),
        (&room, ScriptLimits::UNLIMITED, true),
    ] {
        let (_project, mut runtime) = open(room, COUNTS, limits);
        let (logged, errors) = run(&mut runtime, 1);
        assert_eq!(logged == ["counted"], fits);
        assert_eq!(errors.is_empty(), fits, "{errors:?}");
        if let Some(error) = errors.first() {
            assert!(error.message.contains("(100000 instructions)"), "{error}");
        }
    }
}

#[test]
fn new_limits_are_live_with_the_room_that_says_them() {
    let script = "return { on_update = function() for i = 1, 200000 do end log.info('counted') end }";
    let (project, mut runtime) = open(HALL, script, ScriptLimits::default());
    assert_eq!(run(&mut runtime, 2).0.len(), 2);
    project.write(
        "rooms/hall.json",
        &HALL.replacen('{', r#"{ "limits": { "instructionsPerCall": 100000 },"#, 1),
    );
    let _ = runtime.reload(&[project.path("rooms/hall.json")].into());
    let (logged, errors) = run(&mut runtime, 2);
    assert!(logged.iter().all(|line| line != "counted"), "{logged:?}");
    assert_eq!(errors.len(), 1, "once, and then it is off");
}

#[test]
fn fuel_is_counted_alike_whatever_ran_before() {
    // How far a loop comes is the same in the first call and in the hundredth, and whatever somebody else does.
    let script = "local far = {}
        return { on_update = function(room)
          if room.tick % 2 == 0 then for i = 1, 777 * room.tick do end end
          far[#far + 1] = 0
          start(function() local n = #far while true do far[n] = far[n] + 1 end end)
          if room.tick == 9 then for n = 1, 8 do log.info(far[n]) end end
        end }";
    let (_project, mut runtime) = open(HALL, script, ScriptLimits::default());
    let (logged, _) = run(&mut runtime, 12);
    assert_eq!(logged.len(), 8);
    let first: f64 = logged[0].parse().unwrap();
    assert!(first > 100_000.0);
    // The same code that ran out in this very tick gets less in it; here it is once a tick, so it never does. Which
    // instructions are looked at differs from tick to tick, and with them the last one.
    let near = |far: &String| (far.parse::<f64>().unwrap() / first - 1.0).abs() < 0.002;
    assert!(logged.iter().all(near), "{logged:?}");
}

#[test]
fn a_hundred_with_the_same_endless_loop_hold_up_no_tick_for_long() {
    let looper = "return { on_update = function() while true do end end }";
    let script = "return { on_load = function()
        for i = 1, 100 do spawn{ at = {1 + (i % 10) * 0.4, 1 + (i // 10) * 0.2}, script = 'scripts/looper.lua' } end
      end }";
    let files = [("rooms/hall.json", HALL), ("scripts/room.lua", script), ("scripts/looper.lua", looper)];
    let project = Project::new(&files);
    let mut runtime = project.open();
    let mut errors = Vec::new();
    for tick in 0..30 {
        let before = runtime.script_usage().0;
        errors.extend(run(&mut runtime, 1).1);
        let spent = runtime.script_usage().0 - before;
        assert!(spent < 2_000_000, "{spent} instructions in tick {tick}");
    }
    assert_eq!(runtime.tally().script_errors, 100, "each is stopped in its turn");
    assert!(errors.iter().all(|error| error.file == "scripts/looper.lua" && error.line == 1), "{errors:?}");
    let told = runtime.script_errors().map(|error| error.count).sum::<u64>();
    assert_eq!(told, 100, "and counted");
}

#[test]
fn who_shares_a_script_with_those_who_loop_is_not_stopped() {
    let script = "return { on_load = function()
        for i = 1, 30 do spawn{ name = 'p' .. i, at = {1 + (i % 10) * 0.4, 1 + (i // 10) * 0.2}, script = 'scripts/mixed.lua' } end
      end }";
    let mixed = "local all = 0
        return { on_update = function(self, npc)
          if tonumber(npc.id:match('%d+')) % 2 == 0 then while true do end end
          for i = 1, 2000 do end
          self.beats = (self.beats or 0) + 1
          if self.beats == 20 then all = all + 1 log.info('well', all) end
        end }";
    let files = [("rooms/hall.json", HALL), ("scripts/room.lua", script), ("scripts/mixed.lua", mixed)];
    let project = Project::new(&files);
    let mut runtime = project.open();
    let (logged, errors) = run(&mut runtime, 60);
    assert_eq!(logged.last().map(String::as_str), Some("well 15"), "{errors:?}");
    assert_eq!(runtime.tally().script_errors, 15);
}

#[test]
fn what_events_cause_cannot_grow_without_bound() {
    for script in [
        "return { on_load = function() room:click(1, 1) end, on_click = function() for i = 1, 15 do room:click(1, 1) end end }",
        "return { on_area_changed = function(room, name, open) for i = 1, 4 do set_area_available('door', not open) set_area_available('door', open) end end,
           on_load = function() set_area_available('door', true) end }",
    ] {
        let (_project, mut runtime) = open(HALL, script, ScriptLimits::default());
        let (_, errors) = run(&mut runtime, 20);
        let refused = ["as many as they may", "no commands until then"];
        let is_refused = |error: &ScriptError| refused.iter().any(|words| error.message.contains(words));
        assert!(errors.iter().any(is_refused), "{errors:?}");
    }
}

#[test]
fn what_does_not_fit_into_a_tick_waits_for_the_next() {
    // Twelve timers of a quarter of a million instructions each: a tick has two million, and timers get half of them.
    let script = "local n = 0
        return {
          on_load = function() for i = 1, 12 do after(0, function() for j = 1, 250000 do end n = n + 1 end) end end,
          on_update = function() log.info(n) end,
        }";
    let (_project, mut runtime) = open(HALL, script, ScriptLimits::default());
    let (logged, errors) = run(&mut runtime, 12);
    assert!(errors.is_empty(), "{errors:?}");
    let counts: Vec<u32> = logged.iter().filter_map(|line| line.parse().ok()).collect();
    assert_eq!(counts.last(), Some(&12), "all fire in the end: {counts:?}");
    assert!(counts.windows(2).all(|pair| pair[1] - pair[0] <= 5), "{counts:?}");
    assert_eq!(counts.len(), 12, "on_update is never starved");
    assert_eq!(logged.iter().filter(|line| line.contains("wait for the next")).count(), 1, "told once");
}

#[test]
fn a_hoarder_fills_its_own_share_and_nobody_elses() {
    let hoarder = "return { on_update = function(self)
        self.kept = self.kept or {}
        for i = 1, 20 do self.kept[#self.kept + 1] = ('x'):rep(50000) .. #self.kept end
      end }";
    let saver = "return { on_update = function(self)
        self.kept = self.kept or {}
        if #self.kept < 100 then self.kept[#self.kept + 1] = ('y'):rep(50000) .. #self.kept end
        self.beats = (self.beats or 0) + 1
        if self.beats == 200 then log.info('all well') end
      end }";
    let room = HALL
        .replace(r#""at": [2, 1] }"#, r#""at": [2, 1], "script": "scripts/hoarder.lua" }"#)
        .replace(r#""at": [6, 3] }"#, r#""at": [6, 3], "script": "scripts/saver.lua" }"#);
    let files = [
        ("rooms/hall.json", room.as_str()),
        ("scripts/room.lua", "return {}"),
        ("scripts/hoarder.lua", hoarder),
        ("scripts/saver.lua", saver),
    ];
    let project = Project::new(&files);
    let limits = with!(ScriptLimits::default(), memory_per_script_mb = Some(8), memory_mb = Some(24));
    let mut runtime = project.open_with(Options::default().with_limits(limits));
    let (logged, errors) = run(&mut runtime, 220);
    assert_eq!(logged, ["all well"], "{errors:?}");
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert!(error.message.contains("this script holds all it may"), "{error}");
    assert_eq!((error.file.as_str(), error.who.as_str()), ("scripts/hoarder.lua", "ann"));
    assert!((1..=3).contains(&error.line), "the loop, or the handler it is in: {error}");
    assert!(runtime.script_usage().1 < 20 << 20);
    // Mended, it can let go of what it kept.
    project.write("scripts/hoarder.lua", "return { on_reload = function(self) self.kept = nil end }");
    let _ = runtime.reload(&[project.path("scripts/hoarder.lua")].into());
    assert!(run(&mut runtime, 60).1.is_empty());
}

#[test]
fn a_sequence_that_dies_takes_its_walk_along() {
    let script = "return { on_load = function()
        local ann, bob = room:npc('ann'), room:npc('bob')
        start(function() ann:set_target('bar') wait(0.1) error('no more') end)
        start(function() bob:set_target('bar') wait(0.1) end)
      end }";
    let (_project, mut runtime) = open(HALL, script, ScriptLimits::default());
    let (_, errors) = run(&mut runtime, 30);
    assert_eq!(errors.len(), 1);
    let is_moving = |name| runtime.world().character_named(name).unwrap().is_moving();
    assert!(!is_moving("ann") && is_moving("bob"));
    assert_eq!(runtime.tally().walks.get("cancelled"), Some(&1));
}

#[test]
fn an_error_comes_with_the_script_lines_it_came_through() {
    let util = "local U = {}\nfunction U.halve(x)\n  return x.half\nend\nreturn U";
    let script = "local util = require 'util'\nlocal function deeper()\n  util.halve(nil)\nend\nreturn { on_load = function()\n  deeper()\nend, run = function()\n  wait(0.1)\n  deeper()\nend }";
    let files = [("rooms/hall.json", HALL), ("scripts/room.lua", script), ("scripts/util.lua", util)];
    let project = Project::new(&files);
    let mut runtime = project.open();
    let (_, errors) = run(&mut runtime, 20);
    // The same place twice is one error, counted.
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!((error.file.as_str(), error.line), ("scripts/util.lua", 3));
    let places: Vec<&str> = error.traceback.iter().map(|frame| frame.split(": in").next().unwrap()).collect();
    assert_eq!(places, ["scripts/util.lua:3", "scripts/room.lua:3", "scripts/room.lua:6"]);
    assert_eq!(runtime.script_errors().map(|error| error.count).collect::<Vec<_>>(), [2]);
}

#[test]
fn whoever_is_born_by_a_dozen_is_counted() {
    let script = "return { on_load = function() while true do spawn{ at = 'bar' } end end }";
    let limits = with!(ScriptLimits::default(), characters = Some(7));
    let (_project, mut runtime) = open(HALL, script, limits);
    let (_, errors) = run(&mut runtime, 2);
    assert!(errors[0].message.contains("there are 7 characters already"), "{errors:?}");
    assert_eq!(runtime.world().characters().len(), 7);
}

#[test]
fn the_watchdog_stops_what_has_no_limits() {
    let script = "return { on_update = function() if room.tick == 2 then\nwhile true do end\nend end }";
    let (_project, mut runtime) = open(HALL, script, ScriptLimits::UNLIMITED);
    let _watchdog = runtime.watchdog(Duration::from_millis(50), Some(Duration::from_millis(100)));
    let (_, errors) = run(&mut runtime, 5);
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert!(error.message.contains("held the game up"), "{error}");
    assert_eq!((error.file.as_str(), error.line), ("scripts/room.lua", 2));
}

#[test]
fn a_path_dearer_than_a_call_is_given_up_and_says_so() {
    let room = HALL.replace(r#""cellSize": 0.25"#, r#""cellSize": 0.05"#);
    let script = "return { on_load = function(room)
        local points = room:find_path(1, 1, 7, 3)
        log.info(#points)
        set_area_available('door', true)
        room:find_path_to_nearest(1, 1, 12.5, 3.5)
      end }";
    let limits = with!(ScriptLimits::default(), instructions_per_call = Some(2_500));
    let (_project, mut runtime) = open(&room, script, limits);
    let (logged, errors) = run(&mut runtime, 1);
    assert_eq!(logged, ["1"], "straight on");
    assert!(errors[0].message.contains("npc:walk_to"), "{errors:?}");
    assert_eq!(errors[0].line, 5);
}

/// Asking why a walk failed is searching, and searching is paid for, also where it is given up.
#[test]
fn asking_how_a_walk_went_is_paid_for() {
    let room = r#"{
      "cellSize": 0.25, "agentRadius": 0.3,
      "areas": [
        { "name": "field", "polygon": [[0, 0], [200, 0], [200, 200], [0, 200]] },
        { "name": "gate", "polygon": [[200, 90], [201, 90], [201, 110], [200, 110]], "available": false },
        { "name": "yard", "polygon": [[201, 50], [250, 50], [250, 150], [201, 150]] }
      ],
      "characters": [{ "name": "ann", "at": [198, 100] }],
      "script": "scripts/room.lua"
    }"#;
    let used = |times: u32| {
        let script = format!(
            "local R = {{}}
             function R.run(room)
               local ann = room:npc('ann')
               log.info(ann:walk_to(240, 100))
               for i = 1, {times} do local walk = ann:last_walk() wait(0) end
             end
             return R"
        );
        let (_project, mut runtime) = open(room, &script, ScriptLimits::default());
        let (logged, errors) = run(&mut runtime, 360);
        assert_eq!((logged, errors), (vec!["false partial".to_owned()], Vec::new()));
        runtime.script_usage().0
    };
    let (none, some) = (used(0), used(10));
    // The field has 640,000 places; a look at each run of them is the least it takes.
    assert!(some > none + 10 * 10_000, "{none} {some}");
}
