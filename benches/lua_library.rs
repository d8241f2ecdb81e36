//! What the sandbox costs: the same Lua in a room script, with limits and without, and in a plain Lua state that
//! counts nothing and guards nothing. Everything runs in turn, so that all three have the same weather.

use crate::lua_rooms::{ROOM, open, step_ns};
use crate::runner::{Entry, Options, Report, Table, median, timed};
use cicerone::room::ScriptLimits;
use cicerone::runtime::{Options as RuntimeOptions, Runtime};
use mlua::{Function, Lua};

/// What comes before, and what is measured.
const TASKS: &[(&str, &str, &str)] = &[
    ("loop", "", "local n = 0 for i = 1, 100000 do n = n + i end"),
    ("fib(18)", "local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end", "fib(18)"),
    ("fields", "local t = { x = 1 }", "for i = 1, 50000 do t.x = t.x + 1 end"),
    ("garbage tables", "", "for i = 1, 5000 do local t = { x = i, y = i } end"),
    ("joining strings", "", "for i = 1, 2000 do local s = 'a' .. i .. 'b' end"),
    ("pcall", "local function f() end", "for i = 1, 5000 do pcall(f) end"),
    ("pcall of an error", "", "for i = 1, 500 do pcall(error, 'x') end"),
    (
        "find, plain",
        "local s = ('lorem ipsum '):rep(20) .. 'dolor'",
        "for i = 1, 1000 do s:find('dolor', 1, true) end",
    ),
    (
        "find, pattern",
        "local s = ('lorem ipsum '):rep(20) .. 'dolor 42'",
        "for i = 1, 200 do s:find('%d+') end",
    ),
    ("find, short", "local s = 'guard_17'", "for i = 1, 2000 do s:find('_') end"),
    ("match, captures", "local s = 'key = value'", "for i = 1, 1000 do s:match('^(%w+)%s*=%s*(%w+)$') end"),
    ("gsub, string", "local s = ('word '):rep(100)", "for i = 1, 20 do s:gsub('%w+', '<%0>') end"),
    (
        "gsub, function",
        "local s, f = ('word '):rep(100), function(w) return w end",
        "for i = 1, 20 do s:gsub('%w+', f) end",
    ),
    ("gmatch", "local s = ('word '):rep(100)", "for i = 1, 20 do for w in s:gmatch('%a+') do end end"),
    ("sort 50", SHUFFLED, "for i = 1, 20 do table.sort(shuffled(50)) end"),
    ("sort 50 by function", SHUFFLED, "for i = 1, 20 do table.sort(shuffled(50), less) end"),
    ("sort 1000", SHUFFLED, "table.sort(shuffled(1000))"),
    ("sort 1000 by function", SHUFFLED, "table.sort(shuffled(1000), less)"),
    (
        "insert and remove",
        "",
        "local t = {} for i = 1, 3000 do table.insert(t, i) end for i = 1, 3000 do table.remove(t) end",
    ),
    (
        "concat",
        "local t = {} for i = 1, 100 do t[i] = 'word' end",
        "for i = 1, 200 do table.concat(t, ' ') end",
    ),
    (
        "pairs",
        "local t = {} for i = 1, 100 do t['k' .. i] = i end",
        "for i = 1, 50 do for k, v in pairs(t) do end end",
    ),
    (
        "ipairs",
        "local t = {} for i = 1, 100 do t[i] = i end",
        "for i = 1, 50 do for k, v in ipairs(t) do end end",
    ),
    ("format", "", "for i = 1, 1000 do ('%d %s'):format(i, 'x') end"),
    ("tostring", "", "for i = 1, 2000 do tostring(i) end"),
    ("making coroutines", "", "for i = 1, 500 do coroutine.wrap(function() end)() end"),
    (
        "yielding",
        "local yield = coroutine.yield",
        "local f = coroutine.wrap(function() while true do yield() end end) for i = 1, 2000 do f() end",
    ),
    ("math.floor", "", "for i = 1, 5000 do math.floor(i / 3) end"),
    ("math.sin", "", "for i = 1, 2000 do math.sin(i) end"),
];

/// Numbers in no order: a fresh list each time, and each time the same.
const SHUFFLED: &str = "local function less(a, b) return a < b end
local function shuffled(n) local t = {} for i = 1, n do t[i] = i * 7919 % 10007 end return t end";

pub fn run(options: &Options, report: &mut Report) {
    let headings = &["task", "plain_us", "unlimited_us", "limited_us", "limited/plain", "limited/unlimited"];
    let mut table = Table::new("the same Lua, in a plain state and in the sandbox (medians)", headings);
    for &(name, before, task) in TASKS {
        table.row(measure(name, before, task, options.pick(30, 150)));
    }
    report.table(&table);
    report.note("plain: mlua with all of Lua's own libraries; no hook, no allocator of ours");
    report.note("unlimited: the sandbox without limits, in which everything is counted all the same");
}

fn measure(name: &str, before: &str, task: &str, rounds: usize) -> Vec<Entry> {
    let lua = Lua::new();
    let plain: Function = lua.load(format!("{before}\nreturn function() {task} end")).eval().unwrap();
    // Every other tick there is nothing to do: what that takes is the world's.
    let script = format!(
        "local R = {{}}\n{before}\nfunction R.on_update(room) if room.tick % 2 == 0 then {task} end end\nreturn R"
    );
    let folder = tempfile::tempdir().unwrap();
    let open = |name: &str, options: RuntimeOptions| {
        let mut runtime = open(&folder.path().join(name), 1, &[(ROOM, &script)], options);
        if runtime.world().tick_number() % 2 == 1 {
            runtime.step();
        }
        runtime
    };
    let mut unlimited = open("unlimited", RuntimeOptions::default().with_limits(ScriptLimits::UNLIMITED));
    let mut limited = open("limited", RuntimeOptions::default());
    let (mut plain_us, mut unlimited_us, mut limited_us) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds + 5 {
        let took = [
            timed(|| plain.call::<()>(()).unwrap()).0.as_secs_f64() * 1e6,
            task_us(&mut unlimited),
            task_us(&mut limited),
        ];
        if round >= 5 {
            plain_us.push(took[0]);
            unlimited_us.push(took[1]);
            limited_us.push(took[2]);
        }
    }
    for runtime in [&unlimited, &limited] {
        assert_eq!(runtime.tally().script_errors, 0, "{name}");
    }
    let (plain, unlimited, limited) = (median(&plain_us), median(&unlimited_us), median(&limited_us));
    vec![
        name.into(),
        Entry::Real(plain, 1),
        Entry::Real(unlimited, 1),
        Entry::Real(limited, 1),
        Entry::Real(limited / plain, 2),
        Entry::Real(limited / unlimited, 2),
    ]
}

fn task_us(runtime: &mut Runtime) -> f64 {
    let busy = step_ns(runtime);
    (busy - step_ns(runtime)) / 1e3
}
