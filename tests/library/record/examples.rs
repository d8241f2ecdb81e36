//! The example rooms with their scripts, and rooms that are saved while they run.

use crate::common::in_sweeps;
use crate::common::project::{HALL, Project, WALKER, reload, walker_project};
use crate::record::same;
use cicerone::record::{Buffer, Recording};
use cicerone::runtime::{Input, Options, Reload, Runtime};
use glam::dvec2;
use std::path::Path;

fn open(room: &str, seed: u64) -> Runtime {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms").join(room);
    Runtime::open(&file, Options::default().with_seed(seed)).unwrap()
}

fn recorded(runtime: &mut Runtime, ticks: u64, mut act: impl FnMut(&mut Runtime)) -> Recording {
    let buffer = Buffer::default();
    runtime.record(Box::new(buffer.clone())).unwrap();
    for _ in 0..ticks {
        act(runtime);
        runtime.step();
    }
    runtime.stop_recording().unwrap();
    let recording = same(&buffer.bytes());
    assert_eq!(recording.hash_at(recording.last_tick()), Some(runtime.world().checksum()));
    recording
}

fn example_rooms() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms");
    let names =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut rooms: Vec<String> =
        names.filter(|name| name.ends_with(".json") && !name.starts_with('.')).collect();
    rooms.sort();
    assert!(rooms.len() >= 6, "{rooms:?}");
    rooms
}

#[test]
fn every_example_room_replays_from_its_beginning() {
    for room in example_rooms() {
        let seeds = if room == "market.json" { in_sweeps(1, 0) } else { in_sweeps(3, 1) };
        for seed in 0..seeds {
            let mut runtime = open(&room, seed);
            let click = |runtime: &mut Runtime| {
                if runtime.world().tick_number().is_multiple_of(150) {
                    runtime.send(Input::Click(dvec2(3.0, 3.0).into()));
                }
            };
            let recording = recorded(&mut runtime, 20 * 60, click);
            assert_eq!((recording.start.tick, recording.last_tick(), recording.start.seed), (0, 1200, seed));
            assert!(recording.commands() >= 8, "{room}: {}", recording.commands());
        }
    }
}

#[test]
fn every_example_room_replays_from_the_middle() {
    for room in example_rooms() {
        let mut runtime = open(&room, 5);
        (0..500).for_each(|_| runtime.step());
        let ticks = if room == "market.json" { 200 } else { 600 };
        let recording = recorded(&mut runtime, ticks, |_| {});
        assert_eq!((recording.start.tick, recording.last_tick()), (500, 500 + ticks));
    }
}

#[test]
fn reloads_replay_and_are_listed() {
    let project = walker_project();
    let hall = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let saves: [(u64, &str, String); 7] = [
        (30, "rooms/hall.json", hall.replace("\"available\": false", "\"available\": true")),
        (60, "scripts/walker.lua", WALKER.replace("pause = 1.0", "pause = 0.2")),
        (
            90,
            "rooms/hall.json",
            hall.replace("\"points\"", "\"obstacles\": [{\"polygon\": [[4,1],[5,1],[5,2]]}], \"points\""),
        ),
        (
            120,
            "rooms/hall.json",
            hall.replace(
                "{ \"name\": \"bob\"",
                "{ \"name\": \"eve\", \"at\": [1, 3] },\n    { \"name\": \"bob\"",
            ),
        ),
        (150, "rooms/hall.json", hall.replace("[6, 3]", "[6, 3], \"walkSpeed\": 0.5, \"tags\": [\"slow\"]")),
        (180, "scripts/room.lua", "return { on_update = function(room, dt) random() end }".into()),
        (
            210,
            "rooms/hall.json",
            HALL.replace("[[8, 1], [9, 1], [9, 3], [8, 3]]", "[[8, 0], [9, 0], [9, 3], [8, 3]]"),
        ),
    ];
    let mut runtime = project.open();
    let recording = recorded(&mut runtime, 300, |runtime| {
        let tick = runtime.world().tick_number();
        for (_, file, text) in saves.iter().filter(|save| save.0 == tick) {
            project.write(file, text);
            assert!(matches!(reload(&project, runtime, &[file]), Reload::Done { .. }), "{file} at {tick}");
        }
        // A file that says what it said, and one that is wrong, change nothing.
        if tick == 240 {
            let _ = reload(&project, runtime, &["scripts/room.lua"]);
            project.write("scripts/room.lua", "return {");
            assert!(matches!(reload(&project, runtime, &["scripts/room.lua"]), Reload::Refused { .. }));
        }
    });
    let listed: Vec<(u64, &str, &str)> = recording.reloads().collect();
    let expected: Vec<(u64, &str, &str)> =
        saves.iter().map(|(tick, file, text)| (tick + 1, *file, text.as_str())).collect();
    assert_eq!(listed, expected);
}

#[test]
fn a_runtime_that_begins_to_record_anew_ends_the_first_recording() {
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")]);
    let mut runtime = project.open();
    let first = Buffer::default();
    runtime.record(Box::new(first.clone())).unwrap();
    (0..40).for_each(|_| runtime.step());
    runtime.send(Input::Console("room:npc('ann'):set_target(7, 3)".into()));
    runtime.drain_inbox();
    let second = recorded(&mut runtime, 100, |_| {});
    assert_eq!((second.start.tick, second.commands()), (40, 0));
    assert_eq!(Recording::read(&first.bytes()).unwrap().last_tick(), 40);
}
