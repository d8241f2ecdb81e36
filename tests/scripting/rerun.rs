//! A run that is made again from its journal is the same at every moment, scripts included.

use crate::common::project::{HALL, Project};
use crate::common::specs;
use cicerone::record::Recording;
use cicerone::runtime::{Input, Journal, Options, Rerun, Runtime};
use cicerone::scenario::Settings;
use cicerone::world::Command;
use glam::DVec2;
use std::collections::BTreeSet;
use std::path::Path;

/// Runs a room, with `act` before each step; then again to some of its moments, in a thread of its own.
fn is_the_same_again(
    mut runtime: Runtime,
    options: Options,
    ticks: u64,
    mut act: impl FnMut(u64, &mut Runtime),
) {
    runtime.keep_journal(options);
    let mut states = Vec::new();
    for tick in 0..ticks {
        states.push((runtime.world().checksum(), runtime.script_usage().0));
        act(tick, &mut runtime);
        runtime.step();
    }
    let journal = runtime.journal().unwrap().clone();
    assert_eq!(journal.broken(), None);
    let again = std::thread::spawn(move || {
        let mut rerun = Rerun::new(journal).unwrap();
        for (tick, before) in states.iter().enumerate() {
            let room = rerun.runtime();
            let now = (room.world().checksum(), room.script_usage().0);
            assert_eq!(now, *before, "before tick {tick}");
            rerun.step();
        }
        rerun.runtime().world().checksum()
    });
    assert_eq!(again.join().unwrap(), runtime.world().checksum());
}

fn example(name: &str) -> (Runtime, Options) {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms").join(name);
    let options = Options::default().with_seed(5);
    (Runtime::open(&room, options.clone()).unwrap(), options)
}

#[test]
fn example_rooms_run_again_as_they_ran() {
    for (room, ticks) in [
        ("tavern.json", 1500),
        ("gatehouse.json", 900),
        ("kitchen.json", 900),
        ("lighthouse.json", 600),
        ("crash_site.json", 600),
        ("market.json", 200),
    ] {
        let (runtime, options) = example(room);
        is_the_same_again(runtime, options, ticks, |_, _| {});
    }
}

#[test]
fn clicks_commands_and_lines_of_lua_are_in_the_journal() {
    let (runtime, options) = example("tavern.json");
    is_the_same_again(runtime, options, 900, |tick, runtime| {
        let at = DVec2::new(1.0 + (tick % 9) as f64, 2.0);
        match tick % 120 {
            5 => runtime.send(Input::Click(at.into())),
            20 => {
                // In a room that stands still, lines run at once, and others come after them.
                runtime.send(Input::Console(
                    "x = (x or 0) + room:random(6); room:npc('player'):say(tostring(x))".into(),
                ));
                runtime.drain_inbox();
                runtime.send(Input::Console("room:npc('player'):walk_to('bar_left')".into()));
            }
            40 => {
                let open = tick % 240 == 40;
                let door = Command::SetAreaAvailable { area: "cellar_door".into(), available: open };
                runtime.apply(door).unwrap();
            }
            60 => runtime.send(Input::CallOffLines),
            80 => runtime.send(Input::Steer(DVec2::new(0.5, -0.5))),
            90 => runtime.send(Input::Steer(DVec2::ZERO)),
            _ => {}
        }
    });
}

#[test]
fn reloads_are_in_the_journal() {
    let room = HALL.replace(r#""at": [2, 1] }"#, r#""at": [2, 1], "script": "scripts/ann.lua" }"#);
    let ann = |what: &str| {
        format!("return {{ run = function(self, npc) self.n = (self.n or 0) + 1 npc:{what} end }}")
    };
    let project = Project::new(&[
        ("rooms/hall.json", &room),
        ("scripts/room.lua", "return {}"),
        ("scripts/ann.lua", &ann("walk_to('bar')")),
    ]);
    let runtime = project.open();
    is_the_same_again(runtime, Options::default(), 300, |tick, runtime| {
        let mut save = |file: &str, text: &str| {
            project.write(file, text);
            let reload = runtime.reload(&BTreeSet::from([project.path(file)]));
            format!("{reload:?}")
        };
        match tick {
            30 => assert!(save("scripts/ann.lua", &ann("walk_to('bob')")).starts_with("Done")),
            60 => assert!(save("rooms/hall.json", &room.replace("[1, 1] }", "[7, 3] }")).starts_with("Done")),
            90 => assert!(save("scripts/ann.lua", "this is no Lua").starts_with("Refused")),
            120 => assert!(save("scripts/ann.lua", &ann("say('hello')")).starts_with("Done")),
            // A script that is read only now.
            150 => {
                project.write("scripts/cat.lua", &ann("walk_to('bar')"));
                runtime.send(Input::Console(
                    "spawn{ name = 'cat', at = { x = 5, z = 2 }, script = 'scripts/cat.lua' }".into(),
                ));
            }
            180 => assert!(save("scripts/cat.lua", &ann("walk_to('ann')")).starts_with("Done")),
            _ => {}
        }
    });
}

/// What is on the disk now does not count.
#[test]
fn the_files_of_then_are_read() {
    let project =
        Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "room.state.n = 1 return {}")]);
    let mut runtime = project.open();
    runtime.keep_journal(Options::default());
    (0..10).for_each(|_| runtime.step());
    let journal = runtime.journal().unwrap().clone();
    project.write("scripts/room.lua", "room.state.n = 2 return {}");
    project.write("rooms/hall.json", "broken");
    let mut rerun = Rerun::new(journal).unwrap();
    rerun.step();
    assert_eq!(rerun.runtime().room_state().to_string(), "{n = 1}");
}

/// A recording is shown as a running room: the same in every tick, without its scripts, and any moment again.
#[test]
fn a_recording_is_a_room_that_does_the_same_again() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.rec");
    let (mut runtime, _) = example("tavern.json");
    runtime.record(Box::new(std::fs::File::create(&file).unwrap())).unwrap();
    let mut hashes = Vec::new();
    for tick in 0..600 {
        if tick == 100 {
            runtime.send(Input::Click(DVec2::new(2.5, 7.5).into()));
        }
        runtime.step();
        hashes.push(runtime.world().checksum());
    }
    runtime.stop_recording().unwrap();
    let recording = cicerone::record::Recording::read(&std::fs::read(&file).unwrap()).unwrap();
    let mut film = Runtime::of_recording(recording.into()).unwrap();
    film.keep_journal(Options::default());
    assert_eq!(film.last_tick(), 600);
    for hash in &hashes[..300] {
        film.step();
        assert_eq!(film.world().checksum(), *hash);
    }
    assert!(!film.is_at_end());
    let mut rerun = Rerun::new(film.journal().unwrap().clone()).unwrap();
    (0..600).for_each(|_| assert!(rerun.step()));
    assert_eq!(rerun.runtime().world().checksum(), hashes[599]);
    assert!(rerun.runtime().is_at_end());
}

/// A test's run is the recorded one again, with its scripts, up to what runs after it.
#[test]
fn tests_of_specs_run_again_as_they_ran() {
    let spec = r#"
describe("the hall", function()
  before_each(function() load_room("hall", { seed = 3 }) end)
  after_each(function() room:npc("ann"):walk_to({ x = 2, z = 3 }) run_for(1) end)
  it("is crossed too slowly", function()
    room:npc("ann"):walk_to("bar")
    run_for(0.5)
    reload("scripts/ann.lua", "return { run = function(self, npc) self.n = 7 npc:walk_to('bob') end }")
    expect(room:npc("ann")):to_arrive_within(1)
  end)
  it("is too slow for its time", { timeout = 2 }, function() while true do run_for(0.2) end end)
end)"#;
    let project = specs::hall(spec);
    let room = HALL.replace(r#""at": [2, 1] }"#, r#""at": [2, 1], "script": "scripts/ann.lua" }"#);
    project.write("rooms/hall.json", &room);
    project.write("scripts/ann.lua", "return { run = function(self) self.n = 1 end }");
    let report = specs::run_with(&project, with!(Settings::default(), jobs = 1, artifacts = true));
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let files = cicerone::project::Project::at(&project.path(""));
    let journals: Vec<(Journal, &Vec<u8>)> = report
        .results
        .iter()
        .map(|result| {
            let journal = Journal::of_spec(&files, &result.file, &result.case, &result.files);
            (journal, result.recording.as_ref().expect("it has failed"))
        })
        .collect();
    assert_eq!(journals.len(), 2);
    // What is on the disk now does not count.
    for file in ["rooms/hall.json", "scripts/ann.lua", "tests/scenarios/a_spec.lua"] {
        std::fs::remove_file(project.path(file)).unwrap();
    }
    for (number, (journal, recording)) in journals.into_iter().enumerate() {
        let recording = std::sync::Arc::new(Recording::read(recording).unwrap());
        let mut film = Runtime::of_recording(recording.clone()).unwrap();
        let mut rerun = Rerun::new(journal).unwrap();
        film.step();
        assert_eq!(rerun.tick(), 1);
        let mut own = Vec::new();
        while rerun.tick() < recording.last_tick() {
            let tick = rerun.tick();
            assert_eq!(rerun.runtime().world().checksum(), film.world().checksum(), "at tick {tick}");
            assert!(rerun.step(), "it ends at {tick}");
            film.step();
            let ann = rerun.runtime().world().character_named("ann").unwrap().id;
            own.push(rerun.runtime().inspect(Some(ann)).unwrap().to_string());
        }
        assert!(!rerun.step(), "nothing comes after its end");
        assert_eq!(rerun.runtime().world().checksum(), film.world().checksum());
        let (first, last) = (&own[0], &own[own.len() - 1]);
        assert!(first.contains("\n  n  1\n"), "{first}");
        assert!(last.contains(["\n  n  7\n", "\n  n  1\n"][number]), "{last}");
    }
}
