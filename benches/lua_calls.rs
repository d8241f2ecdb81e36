//! What it costs to call a script, and what it costs a script to call the host; what a reload takes, and what a
//! scripted character holds.

use crate::lua_rooms::{ROOM, WALKER, open, step_ns};
use crate::runner::{Entry, Options, Report, Table, median, timed};
use cicerone::room::ScriptLimits;
use cicerone::runtime::{Options as RuntimeOptions, Reload};
use std::collections::BTreeSet;

const CROWDS: [usize; 2] = [1_000, 10_000];

pub fn run(options: &Options, report: &mut Report) {
    report.table(&handlers(options));
    report.note("more: beside the same room whose script has no handler; steps in turn");
    report.table(&host_calls(options));
    report.note("a loop in a room script, without limits, less the same loop with nothing in it");
    report.table(&reloads(options));
    report.note(
        "Runtime::reload after a save: reading, compiling, running, taking over; nobody has a sequence",
    );
    report.table(&memory());
    report.note("what Lua holds, garbage included, less what it holds for a room without anybody");
}

/// What `on_update` does, once for each character and tick.
const HANDLERS: &[(&str, &str)] = &[
    ("empty", ""),
    ("reads npc.x", "local x = npc.x"),
    ("calls npc:is_moving()", "local moving = npc:is_moving()"),
    ("writes self", "self.count = (self.count or 0) + 1"),
    ("loops 100 times", "for i = 1, 100 do end"),
];

fn handlers(options: &Options) -> Table {
    let mut table = Table::new(
        "on_update of every character",
        &["handler", "characters", "median_more_ms/tick", "ns/call"],
    );
    for characters in CROWDS {
        let folder = tempfile::tempdir().unwrap();
        let mut without = open(
            &folder.path().join("without"),
            characters,
            &[(WALKER, "return {}")],
            RuntimeOptions::default(),
        );
        for &(name, body) in HANDLERS {
            let script = format!("local W = {{}}\nfunction W.on_update(self, npc, dt) {body} end\nreturn W");
            let files = [(WALKER, script.as_str())];
            let mut with = open(&folder.path().join(name), characters, &files, RuntimeOptions::default());
            let more = || step_ns(&mut with) - step_ns(&mut without);
            let more = after_warming_up(more, options.pick(40, 200));
            assert_eq!(with.tally().script_errors, 0);
            table.row(vec![
                name.into(),
                characters.into(),
                Entry::Real(more / 1e6, 3),
                Entry::Real(more / characters as f64, 0),
            ]);
        }
    }
    table
}

/// Statements; `npc` is a character, `f` a function that does nothing.
const HOST_CALLS: &[(&str, &str)] = &[
    ("npc.x", "local x = npc.x"),
    ("npc.id", "local id = npc.id"),
    ("npc:is_moving()", "npc:is_moving()"),
    ("npc:pos()", "npc:pos()"),
    ("npc:distance_to(1, 1)", "npc:distance_to(1, 1)"),
    ("npc:set_target(5, 5)", "npc:set_target(5, 5)"),
    ("room.tick", "local tick = room.tick"),
    ("room:npc('c0')", "room:npc('c0')"),
    ("random()", "random()"),
    ("math.floor(1.5)", "math.floor(1.5)"),
    ("f()", "f()"),
    ("pcall(f)", "pcall(f)"),
    ("pcall(error, 'x')", "pcall(error, 'x')"),
];

fn host_calls(options: &Options) -> Table {
    const CALLS: usize = 5_000;
    let mut table = Table::new("one call of a script", &["call", "characters", "ns/call"]);
    for characters in CROWDS {
        for &(name, statement) in HOST_CALLS {
            let script = format!(
                "local R, npc = {{}}, nil
                 local function f() end
                 function R.on_load(room) npc = room:npc('c0') end
                 function R.on_update(room)
                   if room.tick % 2 == 0 then for i = 1, {CALLS} do {statement} end else for i = 1, {CALLS} do end end
                 end
                 return R"
            );
            let folder = tempfile::tempdir().unwrap();
            let files = [(WALKER, "return {}"), (ROOM, script.as_str())];
            let unlimited = RuntimeOptions::default().with_limits(ScriptLimits::UNLIMITED);
            let mut runtime = open(folder.path(), characters, &files, unlimited);
            // The tick after a new target plans the walk there: the world's work, not the script's.
            let more = || {
                let busy = step_ns(&mut runtime);
                busy - step_ns(&mut runtime)
            };
            let more = after_warming_up(more, options.pick(10, 40));
            assert_eq!(runtime.tally().script_errors, 0, "{name}");
            table.row(vec![name.into(), characters.into(), Entry::Real(more / CALLS as f64, 0)]);
        }
    }
    table
}

/// The median of so many rounds, a few after the first.
fn after_warming_up(mut round: impl FnMut() -> f64, rounds: usize) -> f64 {
    (0..5).for_each(|_| {
        round();
    });
    median(&(0..rounds).map(|_| round()).collect::<Vec<_>>())
}

fn reloads(options: &Options) -> Table {
    let mut table = Table::new("a reload", &["modules", "characters", "median_us"]);
    for characters in CROWDS {
        let folder = tempfile::tempdir().unwrap();
        // What everybody follows, and what that requires.
        let texts = |round: usize| {
            [
                (
                    WALKER,
                    format!(
                        "local H = require 'helper'\nlocal W = {{}} -- {round}\nfunction W.on_update(self, npc) H.help(self) end\nreturn W"
                    ),
                ),
                (
                    "scripts/helper.lua",
                    format!(
                        "local H = {{}} -- {round}\nfunction H.help(self) self.n = (self.n or 0) + 1 end\nreturn H"
                    ),
                ),
            ]
        };
        let first = texts(0);
        let files: Vec<(&str, &str)> = first.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let mut runtime = open(folder.path(), characters, &files, RuntimeOptions::default());
        runtime.step();
        let root = folder.path().canonicalize().unwrap();
        let mut round = 0;
        for modules in [1, 2] {
            let reload = || {
                round += 1;
                let saved = &texts(round)[..modules];
                saved.iter().for_each(|(name, text)| std::fs::write(root.join(name), text).unwrap());
                let changed: BTreeSet<_> = saved.iter().map(|(name, _)| root.join(name)).collect();
                let (took, reload) = timed(|| runtime.reload(&changed));
                assert!(matches!(reload, Reload::Done { .. }), "{reload:?}");
                runtime.step();
                took.as_secs_f64() * 1e6
            };
            let took = after_warming_up(reload, options.pick(10, 40));
            table.row(vec![modules.into(), characters.into(), Entry::Real(took, 0)]);
        }
    }
    table
}

/// What everybody does.
const LIVES: &[(&str, &str)] = &[
    ("nothing", "return {}"),
    ("on_update", "return { on_update = function(self, npc) self.n = 1 end }"),
    ("a timer", "return { on_spawn = function(self, npc) every(1, function() self.n = 1 end) end }"),
    ("a sequence", "return { run = function(self, npc) while true do wait(1) end end }"),
];

fn memory() -> Table {
    let mut table =
        Table::new("what a scripted character holds", &["script", "characters", "bytes/character"]);
    let held = |characters: usize, script: &str| {
        let folder = tempfile::tempdir().unwrap();
        let mut runtime = open(folder.path(), characters, &[(WALKER, script)], RuntimeOptions::default());
        (0..120).for_each(|_| {
            step_ns(&mut runtime);
        });
        runtime.script_usage().1 as f64
    };
    for &(name, script) in LIVES {
        for characters in CROWDS {
            let more = held(characters, script) - held(1, script);
            table.row(vec![name.into(), characters.into(), Entry::Real(more / (characters - 1) as f64, 0)]);
        }
    }
    table
}
