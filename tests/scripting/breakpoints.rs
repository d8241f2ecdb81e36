//! Breakpoints and steps, as a debugger sees them.

use crate::common::project::Project;
use cicerone::runtime::{Options, Runtime};
use cicerone::script::{Datum, Debugger, Resume, Stopped};
use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

/// Answers stops as planned, and keeps them.
struct Planned {
    answers: VecDeque<Resume>,
    seen: Arc<Mutex<Vec<Stopped>>>,
}

impl Debugger for Planned {
    fn stopped(&mut self, at: &Stopped) -> Resume {
        self.seen.lock().unwrap().push(at.clone());
        self.answers.pop_front().unwrap_or(Resume::Continue)
    }
}

const ANN: &str = "local Ann = {}
local greeting = 'hello'
local function double(n)
  local twice = n * 2
  return twice
end
function Ann:run(npc)
  local n = 1
  n = double(n)
  npc:walk_to('there')
  log.info(greeting .. ' ' .. n)
end
return Ann
";

fn stops(script: &str, breakpoints: &[(&str, u32)], answers: &[Resume], ticks: u32) -> Vec<Stopped> {
    let project = project(script);
    let mut runtime = Runtime::open(&project.path("rooms/hall.json"), Options::default()).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let answers = answers.iter().copied().collect();
    runtime.set_debugger(Some(Box::new(Planned { answers, seen: seen.clone() })));
    runtime.set_breakpoints(breakpoints.iter().map(|(file, line)| ((*file).to_owned(), *line)).collect());
    (0..ticks).for_each(|_| runtime.step());
    assert_eq!(runtime.script_errors().count(), 0, "{:?}", runtime.script_errors().next());
    seen.lock().unwrap().clone()
}

fn project(script: &str) -> Project {
    let room = r#"{ "areas": [{ "name": "hall", "polygon": [[0, 0], [8, 0], [8, 5], [0, 5]] }],
        "points": { "there": [3, 1] },
        "characters": [{ "name": "ann", "at": [1, 1], "script": "scripts/ann.lua" }] }"#;
    let project = Project::new(&[]);
    project.write("rooms/hall.json", room);
    project.write("scripts/ann.lua", script);
    project
}

fn lines(stops: &[Stopped]) -> Vec<u32> {
    stops.iter().map(|stop| stop.stack[0].line).collect()
}

fn value<'a>(stop: &'a Stopped, frame: usize, name: &str) -> Option<&'a Datum> {
    stop.stack[frame].variables.iter().find(|(other, _)| other == name).map(|(_, value)| value)
}

#[test]
fn a_script_stops_and_shows_its_calls_and_variables() {
    let stops = stops(ANN, &[("scripts/ann.lua", 5)], &[], 300);
    assert_eq!(lines(&stops), [5]);
    let stop = &stops[0];
    assert_eq!((stop.who.as_str(), stop.stack.len()), ("ann", 2));
    assert_eq!((stop.stack[0].function.as_str(), stop.stack[1].line), ("double", 9));
    assert_eq!(stop.stack[1].function, "run", "no Lua has called it, but its table has its name");
    assert_eq!(value(stop, 0, "twice"), Some(&Datum::Integer(2)));
    assert_eq!(value(stop, 1, "n"), Some(&Datum::Integer(1)));
    assert_eq!(value(stop, 1, "greeting"), Some(&Datum::Text("hello".into())), "a variable of the file");
    assert_eq!(value(stop, 1, "npc").map(ToString::to_string).as_deref(), Some("npc:ann"));
}

#[test]
fn steps_go_over_into_and_out() {
    let at = [("scripts/ann.lua", 8)];
    use Resume::{StepInto, StepOut, StepOver};
    // Over the call, and over the walk, which takes more than a second of the game.
    assert_eq!(lines(&stops(ANN, &at, &[StepOver; 9], 300)), [8, 9, 10, 11, 12]);
    assert_eq!(lines(&stops(ANN, &at, &[StepOver, StepInto, StepOut, StepOver], 10)), [8, 9, 4, 10]);
    assert_eq!(lines(&stops(ANN, &at, &[StepOver, StepInto, StepInto, StepInto], 10)), [8, 9, 4, 5, 10]);
}

#[test]
fn a_step_ends_with_its_call() {
    let script = "local Ann = {}
function Ann:on_update(npc)
  self.ticks = (self.ticks or 0) + 1
end
return Ann
";
    // The next call of the handler is another one: it goes on to the end.
    let stops = stops(script, &[("scripts/ann.lua", 3)], &[Resume::StepOver, Resume::StepOver], 3);
    assert_eq!(lines(&stops), [3, 4, 3, 3]);
}

#[test]
fn coroutines_of_scripts_stop_too() {
    let script = "local Ann = {}
function Ann:run(npc)
  local co = coroutine.create(function(a)
    local b = a + 1
    coroutine.yield(b)
    self.done = b
  end)
  coroutine.resume(co, 41)
  wait(0.1)
  coroutine.resume(co)
end
return Ann
";
    let stops = stops(script, &[("scripts/ann.lua", 4), ("scripts/ann.lua", 6)], &[], 60);
    assert_eq!(lines(&stops), [4, 6]);
    assert_eq!(value(&stops[1], 0, "b"), Some(&Datum::Integer(42)));
}

#[test]
fn breakpoints_can_be_set_while_sequences_wait() {
    let project = project(ANN);
    let mut runtime = Runtime::open(&project.path("rooms/hall.json"), Options::default()).unwrap();
    (0..10).for_each(|_| runtime.step()); // the walk has begun
    let seen = Arc::new(Mutex::new(Vec::new()));
    runtime.set_debugger(Some(Box::new(Planned { answers: VecDeque::new(), seen: seen.clone() })));
    runtime.set_breakpoints(BTreeSet::from([("scripts/ann.lua".to_owned(), 11)]));
    (0..300).for_each(|_| runtime.step());
    assert_eq!(lines(&seen.lock().unwrap()), [11]);
}

/// Stopping costs a script nothing, and a run whose debugger only looks on is the same as one without.
#[test]
fn a_stop_changes_nothing() {
    let hash = |breakpoints: &[(&str, u32)]| {
        let project = project(ANN);
        let mut runtime = Runtime::open(&project.path("rooms/hall.json"), Options::default()).unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        runtime.set_debugger(Some(Box::new(Planned { answers: VecDeque::new(), seen: seen.clone() })));
        runtime.set_breakpoints(breakpoints.iter().map(|(file, line)| ((*file).to_owned(), *line)).collect());
        (0..300).for_each(|_| runtime.step());
        let count = seen.lock().unwrap().len();
        (runtime.world().checksum(), runtime.script_usage().0, count)
    };
    let (plain, used, none) = hash(&[]);
    let (stopped, used_too, some) =
        hash(&[("scripts/ann.lua", 4), ("scripts/ann.lua", 11), ("scripts/other.lua", 1)]);
    assert_eq!((none, some), (0, 2));
    assert_eq!((plain, used), (stopped, used_too));
}

/// After a reload, a script's functions hold another table than all others; it is shown as what it stands for.
#[test]
fn a_scripts_own_table_is_shown_after_a_reload() {
    let script = |words: &str| {
        format!(
            "local Ann = {{ mood = '{words}' }}\nfunction Ann:run(npc)\n  while true do\n    wait(0.5)\n    \
             Ann.mood = Ann.mood .. '!'\n  end\nend\nreturn Ann\n"
        )
    };
    let project = project(&script("calm"));
    let mut runtime = Runtime::open(&project.path("rooms/hall.json"), Options::default()).unwrap();
    project.write("scripts/ann.lua", &script("glad"));
    let _ = runtime.reload(&BTreeSet::from([project.path("scripts/ann.lua")]));
    let seen = Arc::new(Mutex::new(Vec::new()));
    runtime.set_debugger(Some(Box::new(Planned { answers: VecDeque::new(), seen: seen.clone() })));
    runtime.set_breakpoints(BTreeSet::from([("scripts/ann.lua".to_owned(), 5)]));
    (0..60).for_each(|_| runtime.step());
    let seen = seen.lock().unwrap();
    let table = value(&seen[0], 0, "Ann").unwrap();
    let Datum::Table(table) = table else { panic!("{table:?}") };
    let mood = table.fields.iter().find(|(name, _)| *name == Datum::Text("mood".into()));
    assert_eq!(mood.map(|(_, mood)| mood), Some(&Datum::Text("glad".into())));
}

#[test]
fn tables_that_hold_themselves_and_long_texts_are_shown_in_part() {
    let script = "local Ann = {}
function Ann:run(npc)
  local t = { deep = {} }
  t.deep.again = t
  local long = ('x'):rep(200000)
  local bad = setmetatable({}, { __tostring = function() error('asked') end, __index = function() error('asked') end })
  self.t, self.long, self.bad = t, #long, bad
end
return Ann
";
    let stops = stops(script, &[("scripts/ann.lua", 7)], &[], 2);
    let shown = value(&stops[0], 0, "long").unwrap().to_string();
    assert!(shown.len() < 100_000, "{}", shown.len());
    assert!(value(&stops[0], 0, "t").is_some() && value(&stops[0], 0, "bad").is_some());
}

/// A debugger that fails does not take the room with it.
#[test]
fn a_panic_of_the_debugger_is_no_stop() {
    struct Panics(Arc<Mutex<u32>>);
    impl Debugger for Panics {
        fn stopped(&mut self, _: &Stopped) -> Resume {
            *self.0.lock().unwrap() += 1;
            panic!("the debugger is broken")
        }
    }
    let calls = Arc::new(Mutex::new(0));
    let project = project(ANN);
    let mut runtime = Runtime::open(&project.path("rooms/hall.json"), Options::default()).unwrap();
    runtime.set_debugger(Some(Box::new(Panics(calls.clone()))));
    runtime.set_breakpoints(BTreeSet::from([("scripts/ann.lua".to_owned(), 4)]));
    (0..300).for_each(|_| runtime.step());
    assert_eq!(runtime.script_errors().count(), 0);
    assert_eq!(*calls.lock().unwrap(), 1);
}
