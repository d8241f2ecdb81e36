//! The same room, seed and inputs give the same bits: in one process and in several, today and after every change of
//! the code that was not meant to change them. Shown elsewhere:
//! - replay against run, and through a save before every tick: `record::every_example_room_replays_from_its_beginning`,
//!   `record::a_run_its_replay_and_its_replay_through_saves_are_the_same`;
//! - twenty processes with their memory laid out differently, `pairs`, sorting, `tostring`, no keys that are
//!   addresses: `sandbox::every_process_says_the_same`; no clock, no platform:
//!   `sandbox::what_is_unsafe_or_differs_from_run_to_run_is_not_there`;
//! - scripts draw the same numbers: `scripts::runs_draw_the_same_numbers`; handlers run in order of events and ids:
//!   `scripts::handlers_get_self_and_events_in_order`,
//!   `reload_scripts::everyone_is_told_in_order_of_id_and_runs_afresh_where_they_stand`;
//! - five minutes of the larger rooms twice: `examples`; a budget of work instead of time: `limits`;
//! - the released binary against the hashes in `golden_hashes.txt`: `.ci/run`; no platform mathematics: `clippy.toml`.

use crate::common::crowd::{join, send, world};
use crate::common::{area, empty_room, in_sweeps};
use cicerone::room::Room;
use cicerone::runtime::{Options, Reload, Runtime};
use cicerone::world::{CharacterId, Command, EventKind, World};
use glam::{DVec2, dvec2};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn open(file: &Path, seed: u64) -> Runtime {
    Runtime::open(file, Options::default().with_seed(seed)).unwrap_or_else(|error| panic!("{error}"))
}

fn hash_after(file: &Path, seed: u64, ticks: u64) -> u64 {
    let mut runtime = open(file, seed);
    (0..ticks).for_each(|_| runtime.step());
    runtime.world().checksum()
}

fn example(name: &str) -> PathBuf {
    Path::new(ROOT).join(format!("rooms/{name}.json"))
}

#[test]
fn a_hundred_runs_in_one_process_end_the_same() {
    for room in ["tavern", "vault"] {
        let first = hash_after(&example(room), 7, 600);
        for run in 1..100 {
            assert_eq!(hash_after(&example(room), 7, 600), first, "run {run} of the {room}");
        }
        assert_ne!(hash_after(&example(room), 8, 600), first, "the seed is part of it");
    }
}

#[cfg(feature = "cli")]
#[test]
fn five_processes_say_the_same() {
    let run = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cicerone"));
        let args =
            ["run", "rooms/tavern.json", "--headless", "--seconds", "30", "--seed", "7", "--format", "json"];
        let output = command.current_dir(ROOT).args(args).output().unwrap();
        assert!(output.status.success());
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let first = run();
    let hash = format!("\"hash\": \"{:016x}\"", hash_after(&example("tavern"), 7, 1800));
    assert!(first.0.contains(&hash), "as in this process: {hash}\n{}", first.0);
    (1..5).for_each(|process| assert_eq!(run(), first, "process {process}"));
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        match entry.path() {
            path if path.is_dir() => copy(&path, &target),
            path => drop(std::fs::copy(path, target).unwrap()),
        }
    }
}

#[test]
fn reloads_that_change_nothing_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    ["rooms", "scripts"].iter().for_each(|part| copy(&Path::new(ROOT).join(part), &folder.path().join(part)));
    for room in ["tavern", "vault"] {
        let file = folder.path().join(format!("rooms/{room}.json")).canonicalize().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let (mut runtime, mut calm) = (open(&file, 3), open(&example(room), 3));
        for tick in 0..in_sweeps(900, 200) {
            let blanks = " ".repeat(tick % 5) + &"\n".repeat(tick % 3);
            std::fs::write(&file, text.replace(": ", &format!(":{blanks}")) + &blanks).unwrap();
            let outcome = runtime.reload(&runtime.files());
            assert!(!matches!(outcome, Reload::Refused { .. }), "{outcome:?}");
            runtime.step();
            calm.step();
            assert_eq!(runtime.world().checksum(), calm.world().checksum(), "{room}, tick {tick}");
        }
    }
}

/// Every example room with some seeds, and its hash after a minute, as lines of `golden_hashes.txt`.
fn hashes_now() -> String {
    let entries = std::fs::read_dir(Path::new(ROOT).join("rooms")).unwrap().flatten();
    let mut rooms: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    rooms.retain(|file| {
        file.extension().is_some_and(|end| end == "json") && !file.to_string_lossy().contains("/.")
    });
    rooms.sort();
    let mut text = String::from(
        "# room, seed, hash after a minute. Renewed by CICERONE_RENEW=1 cargo test --test library repeatability\n",
    );
    for file in rooms {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let ticks = 60 * u64::from(open(&file, 0).world().room().ticks_per_second);
        let seeds = if name == "market" { 1..=2 } else { 1..=3 };
        for seed in seeds {
            let _ = writeln!(text, "{name} {seed} {:016x}", hash_after(&file, seed, ticks));
        }
    }
    text
}

#[test]
fn a_minute_of_every_example_room_ends_as_it_always_did() {
    let file = Path::new(ROOT).join("tests/golden_hashes.txt");
    let now = hashes_now();
    if std::env::var_os("CICERONE_RENEW").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap();
    let differ: Vec<String> = now
        .lines()
        .filter(|line| !known.lines().any(|known| known == *line))
        .chain(known.lines().filter(|line| !now.lines().any(|now| now == *line)))
        .map(|line| format!("  {} {line}", if known.contains(line) { "was" } else { "now" }))
        .collect();
    assert!(
        differ.is_empty(),
        "these runs (room, seed, hash) end in another way than before:\n{}\nCICERONE_RENEW=1 writes the new hashes down, \
         which is right only if people were meant to walk in another way. `cicerone run ROOM --seed SEED --headless --record FILE` \
         before the change and `cicerone replay FILE --svg WAYS.svg` after it show who does, and from when on.",
        differ.join("\n")
    );
}

// ---- what a run is made of ----

/// A yard with the origin in its middle.
fn yard() -> Room {
    let mut room = empty_room();
    let corners = [(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)].map(DVec2::from).to_vec();
    room.areas.push(area("yard", corners, true));
    room
}

#[test]
fn minus_nothing_is_nothing() {
    let mut worlds = [0.0, -0.0].map(|nothing| {
        let mut world = world(yard());
        let well = dvec2(nothing, nothing);
        join(&mut world, "stander", well);
        for (name, x, z) in [("east", 3.0, 0.0), ("west", -3.0, -0.5)] {
            let walker = join(&mut world, name, dvec2(x, z));
            send(&mut world, walker, dvec2(-x, z));
        }
        world.apply(Command::Teleport { who: CharacterId(0), to: well.into() }).unwrap();
        world.apply(Command::Turn { who: CharacterId(0), to: (dvec2(-1.0, nothing)).into() }).unwrap();
        world
    });
    let [plus, minus] = &mut worlds;
    assert!(minus.characters()[0].position.at.x.is_sign_negative(), "this test must see a minus");
    for tick in 0..400 {
        assert_eq!(plus.checksum(), minus.checksum(), "tick {tick}");
        plus.tick();
        minus.tick();
    }
}

#[test]
fn events_of_a_tick_stand_in_order_of_id_however_they_came_about() {
    let mut world = world(yard());
    let people: Vec<CharacterId> =
        (0..6_u8).map(|i| join(&mut world, &format!("c{i}"), dvec2(-2.0, f64::from(i) - 2.5))).collect();
    for (i, &who) in people.iter().enumerate().rev() {
        send(&mut world, who, dvec2(1.0, i as f64 - 2.5));
    }
    let mut ended = Vec::new();
    for _ in 0..200 {
        world.take_events();
        world.tick();
        let events = world.take_events();
        ended.extend(events.into_iter().filter_map(|event| match event.kind {
            EventKind::WalkEnded { who, .. } => Some((event.tick, who)),
            _ => None,
        }));
    }
    let at_once: Vec<_> = people.iter().map(|&who| (ended[0].0, who)).collect();
    assert_eq!(ended, at_once);
}

#[test]
fn nobody_changes_the_luck_of_others() {
    let draw = |names: &[&str], others_draw: bool| -> Vec<f64> {
        let mut world = World::new(yard(), 4).unwrap();
        names.iter().for_each(|name| {
            join(&mut world, name, dvec2(1.0, 1.0));
        });
        let ann = world.character_named("ann").unwrap().id;
        let mut drawn = Vec::new();
        for _ in 0..20 {
            if others_draw {
                let ids: Vec<CharacterId> = world.characters().iter().map(|character| character.id).collect();
                for id in ids.into_iter().filter(|&id| id != ann) {
                    world.random(Some(id));
                }
                world.random(None);
            }
            drawn.push(world.random(Some(ann)));
            world.tick();
        }
        drawn
    };
    let alone = draw(&["ann"], false);
    assert_eq!(draw(&["zed", "bob", "ann"], true), alone);
    assert_ne!(
        draw(&["bob", "ann"], true)[0],
        { World::new(yard(), 4).unwrap().random(None) },
        "a stream of her own"
    );
}
