//! More to do than all scripts together may do in a tick: they take turns.

use crate::common::project::{HALL, Project};
use cicerone::room::ScriptLimits;
use cicerone::runtime::{Options, Runtime, RuntimeEvent};
use cicerone::script::Note;

const CROWD: usize = 100;

/// A hall with a hundred characters of one behaviour.
fn crowd(behaviour: &str) -> Project {
    let people: Vec<String> = (0..CROWD)
        .map(|n| {
            let at = [0.3 + 0.5 * (n % 10) as f64, 0.3 + 0.35 * (n / 10) as f64];
            format!(r#"{{ "name": "p{n:02}", "at": [{}, {}], "collisionRadius": 0.05, "script": "scripts/one.lua" }}"#, at[0], at[1])
        })
        .collect();
    let (head, rest) = HALL.split_once(r#"{ "name": "ann""#).unwrap();
    let (_, tail) = rest.split_once("[6, 3] }").unwrap();
    let room = format!("{head}{}{tail}", people.join(",\n"));
    Project::new(&[
        ("rooms/hall.json", &room),
        ("scripts/room.lua", "return {}"),
        ("scripts/one.lua", behaviour),
    ])
}

/// What each tick used, and what was logged.
fn steps(runtime: &mut Runtime, ticks: usize) -> (Vec<u64>, Vec<String>) {
    let (mut used, mut logged) = (Vec::new(), Vec::new());
    for _ in 0..ticks {
        let before = runtime.script_usage().0;
        runtime.step();
        used.push(runtime.script_usage().0 - before);
        for event in runtime.take_events() {
            match event {
                RuntimeEvent::Note(Note::Log { text, .. }) => logged.push(text),
                RuntimeEvent::Note(Note::Error(error)) => panic!("{error}"),
                _ => {}
            }
        }
    }
    (used, logged)
}

/// A piece of work of about 190,000 instructions; `in_all` for each tick is one million here.
const WORK: &str = "local function work() for i = 1, 95000 do local x = i end end\n";

fn limits() -> Options {
    let limits = with!(
        ScriptLimits::default(),
        instructions_per_call = Some(500_000),
        instructions_per_tick = Some(500_000),
        instructions_per_tick_of_all = Some(1_000_000)
    );
    Options::default().with_limits(limits)
}

#[test]
fn everybody_comes_to_its_turn_and_no_tick_takes_longer() {
    let told =
        "all scripts together have more to do than the 1000000 instructions of a tick; they take turns";
    for (what, behaviour) in [
        ("updates", "return { on_update = function(self, npc) work() log.info(npc.name) end }"),
        (
            "timers",
            "return { on_spawn = function(self, npc) every(0, function() work() log.info(npc.name) end) end }",
        ),
        (
            "sequences",
            "return { run = function(self, npc) while true do work() log.info(npc.name) wait(0) end end }",
        ),
        (
            "messages",
            "return { on_spawn = function(self, npc) send(npc, 'go') end, on_message = function(self, npc) work() log.info(npc.name) send(npc, 'go') end }",
        ),
        ("events", "return { on_spawn = function(self, npc) work() log.info(npc.name) end }"),
    ] {
        let mut runtime = crowd(&format!("{WORK}{behaviour}")).open_with(limits());
        let ticks = 300;
        let (used, mut logged) = steps(&mut runtime, ticks);
        assert_eq!(logged.iter().filter(|text| *text == told).count(), 1, "{what}");
        logged.retain(|text| text != told);
        assert!(used.iter().all(|&used| used < 1_000_000 + 500_000), "{what}: {:?}", used.iter().max());
        let turns = |name: &String| logged.iter().filter(|other| *other == name).count();
        let turns: Vec<usize> = (0..CROWD).map(|n| turns(&format!("p{n:02}"))).collect();
        let (least, most) = (turns.iter().min().unwrap(), turns.iter().max().unwrap());
        assert!(*least >= 1 && most - least <= 2, "{what}: {turns:?}");
        let (crowded, now) = runtime.crowded_ticks();
        assert!(crowded > 20 && now == (what != "events"), "{what}: {crowded}");
    }
}

#[test]
fn turns_are_the_same_in_every_run_and_after_a_save() {
    let behaviour = format!(
        "{WORK}return {{ on_update = function(self, npc) work() log.info(npc.name) end, on_message = function(self, npc) work() log.info('letter', npc.name) end, on_enter = function(self, npc) send(npc, 'in') end }}"
    );
    let project = crowd(&behaviour);
    let (mut one, mut other) = (project.open_with(limits()), project.open_with(limits()));
    assert_eq!(steps(&mut one, 80), steps(&mut other, 80));
    let saved = one.save().unwrap();
    let files = cicerone::project::Project::at(&project.path(""));
    let mut restored = Runtime::restore(files, &saved, limits()).unwrap();
    let told = |(used, mut logged): (Vec<u64>, Vec<String>)| {
        logged.retain(|text| !text.contains("take turns"));
        (used, logged)
    };

    let ((used, logged), (used_too, logged_too)) =
        (told(steps(&mut restored, 80)), told(steps(&mut one, 80)));
    assert_eq!(logged, logged_too);
    assert_eq!(used, used_too);
}

#[test]
fn five_hoarders_do_not_cost_a_worker_its_job() {
    let hoarder = "return { on_update = function(self) self.kept = self.kept or {} for i = 1, 20 do self.kept[#self.kept + 1] = ('x'):rep(100000) .. #self.kept end end }";
    let worker = "return { on_update = function(self) self.done = (self.done or 0) + 1 local t = {} for i = 1, 300 do t[i] = { ('y'):rep(100) .. i } end if self.done % 50 == 0 then log.info('done', self.done) end end }";
    let mut people: Vec<String> = (0..5)
        .map(|n| format!(r#"{{ "name": "h{n}", "at": [{}, 1], "script": "scripts/hoarder.lua" }}"#, n + 1))
        .collect();
    people.push(r#"{ "name": "worker", "at": [6, 3], "script": "scripts/worker.lua" }"#.into());
    let (head, rest) = HALL.split_once(r#"{ "name": "ann""#).unwrap();
    let (_, tail) = rest.split_once("[6, 3] }").unwrap();
    let room = format!("{head}{}{tail}", people.join(",\n"));
    let project = Project::new(&[
        ("rooms/hall.json", &room),
        ("scripts/room.lua", "return {}"),
        ("scripts/hoarder.lua", hoarder),
        ("scripts/worker.lua", worker),
    ]);
    let mut runtime = project.open_with(Options::default());
    let (mut done, mut named) = (0, Vec::new());
    for _ in 0..200 {
        runtime.step();
        for event in runtime.take_events() {
            match event {
                RuntimeEvent::Note(Note::Log { text, .. }) => done += usize::from(text.starts_with("done")),
                RuntimeEvent::Note(Note::Error(error)) => named.push((error.who, error.message)),
                _ => {}
            }
        }
    }
    // All take turns while five make garbage as fast as they may.
    assert!(done >= 3, "the worker has worked in nearly every tick: {named:?}");
    assert!(!named.is_empty() && named.iter().all(|(who, _)| who.starts_with('h')), "{named:?}");
    assert!(named.iter().any(|(_, message)| message.contains("this one much of it")), "{named:?}");
}
