//! Repainting a room while it runs.

use crate::common::painted::{png_from, png_of};
use crate::common::project::Project;
use cicerone::nav::Position;
use cicerone::runtime::{LiveReload, Options, Reload, ReloadReport, Runtime};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const ROOM: &str = r#"{
    "mask": "rooms/hall-mask.png", "pixelsPerMetre": 2, "sampleRate": 2, "agentRadius": 0.2,
    "areas": [{"name": "door", "paint": {"channel": "green", "bit": 7}}],
    "hotspots": [{"name": "rug", "paint": {"channel": "red", "value": 10}, "walkTo": "end"}],
    "points": {"end": [11, 2]},
    "characters": [
        {"name": "ada", "at": [1.25, 1.25], "player": true},
        {"name": "bob", "at": [1.25, 3.25]}
    ],
    "script": "scripts/hall.lua"
}"#;

const HALL: &str = "
    ########################
    #..........d...........#
    #..........d...........#
    #..........#..........R#
    #..........#..........R#
    #..........#...........#
    #..........#...........#
    ########################";

fn project() -> Project {
    let project = Project::new(&[
        ("rooms/hall.json", ROOM),
        (
            "scripts/hall.lua",
            "local H = {}\nfunction H.run(room) room:npc('ada'):walk_to('end') log.info('there') end\nreturn H",
        ),
    ]);
    paint(&project, &png_from(HALL));
    project
}

fn paint(project: &Project, png: &[u8]) {
    std::fs::write(project.path("rooms/hall-mask.png"), png).unwrap();
}

fn open(project: &Project) -> Runtime {
    Runtime::open(&project.path("rooms/hall.json"), Options::default()).unwrap()
}

fn reload(project: &Project, runtime: &mut Runtime) -> Reload {
    runtime.reload(&BTreeSet::from([project.path("rooms/hall-mask.png").canonicalize().unwrap()]))
}

fn refusal(outcome: Reload) -> String {
    let Reload::Refused { problems, .. } = outcome else { panic!("{outcome:?}") };
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn step(runtime: &mut Runtime, seconds: f64) {
    (0..(seconds * 60.0) as u64).for_each(|_| runtime.step());
}

#[test]
fn what_was_repainted_is_live_and_only_that() {
    let project = project();
    let mut runtime = open(&project);
    step(&mut runtime, 1.0);
    assert!(runtime.files().contains(&project.path("rooms/hall-mask.png").canonicalize().unwrap()));
    assert_eq!(reload(&project, &mut runtime), Reload::Unchanged);
    let walk = runtime.world().character_named("ada").unwrap().walk.clone().unwrap();
    // A pillar far from her way: nothing is planned again.
    paint(
        &project,
        &png_from(
            &HALL.replace("#..........#...........#\n    ######", "#....##....#...........#\n    ######"),
        ),
    );
    let Reload::Done { files, changes, .. } = reload(&project, &mut runtime) else { panic!() };
    assert_eq!((files, changes), (vec!["rooms/hall-mask.png".to_owned()], vec!["cells".to_owned()]));
    assert_eq!(
        runtime.world().character_named("ada").unwrap().walk.as_ref().unwrap().corridor.waypoints(),
        walk.corridor.waypoints()
    );
    // A wall across it, but for its lower end: she walks round.
    let walled = HALL.replace("d...........#\n", "d.....#.....#\n").replace("#..........R#", "#.....#....R#");
    paint(&project, &png_from(&walled));
    assert!(matches!(reload(&project, &mut runtime), Reload::Done { .. }));
    step(&mut runtime, 20.0);
    let ada = runtime.world().character_named("ada").unwrap().position;
    assert!(ada.distance(Position::on_ground(glam::dvec2(11.0, 2.0))) < 0.1, "{ada}");
    // What is painted over people moves them to the nearest ground.
    paint(
        &project,
        &png_from(&walled.replace(
            "..........R#\n    #..........#.....#....R#",
            "...######.R#\n    #..........#.....#....R#",
        )),
    );
    let _ = reload(&project, &mut runtime);
    let world = runtime.world();
    assert!(world.characters().iter().all(|who| world.ground().is_walkable(who.position)));
}

#[test]
fn doors_stay_as_they_are_and_hotspots_move() {
    let project = project();
    let mut runtime = open(&project);
    let close = cicerone::world::Command::SetAreaAvailable { area: "door".into(), available: false };
    runtime.send(cicerone::runtime::Input::Do(close));
    step(&mut runtime, 0.1);
    paint(
        &project,
        &png_from(&HALL.replace(
            "#..........d...........#\n    #..........d...........#",
            "#..........d..........R#\n    #..........d...........#",
        )),
    );
    let Reload::Done { changes, .. } = reload(&project, &mut runtime) else { panic!() };
    assert_eq!(changes, ["rug: hotspot"]);
    let world = runtime.world();
    assert!(!world.ground().area_available(world.area_named("door").unwrap()), "the door stays closed");
    assert_eq!(world.room().hotspot_at(glam::dvec2(11.2, 0.7)).unwrap().name, "rug");
}

#[test]
fn a_bad_repaint_changes_nothing_and_a_good_one_mends_it() {
    let project = project();
    let mut runtime = open(&project);
    step(&mut runtime, 1.0);
    let good = png_from(HALL);
    let before = runtime.world().checksum();
    let bigger = png_of(60, 20, |_, _| [0, 0, 255]);
    for (png, words) in [
        (&good[..good.len() / 2], "rooms/hall-mask.png: the image cannot be used: "),
        (b"".as_slice(), "rooms/hall-mask.png: the image cannot be used: the file is empty"),
        (b"<svg/>", "rooms/hall-mask.png: the image cannot be used: it is no PNG"),
        (
            &bigger,
            "rooms/hall.json:3:41: no pixel of 'rooms/hall-mask.png' is bit 7 of green (areas[0].paint); is the colour exact? \
             editors that smooth edges change it",
        ),
        (
            &png_from(&HALL.replace('#', "#.")),
            "rooms/hall-mask.png: the image is 48 × 8 pixels now, and the room runs with 24 × 8",
        ),
    ] {
        paint(&project, png);
        let told = refusal(reload(&project, &mut runtime));
        assert!(told.contains(words), "told     {told}\nexpected {words}");
        assert_eq!(runtime.world().checksum(), before);
    }
    std::fs::remove_file(project.path("rooms/hall-mask.png")).unwrap();
    let gone = runtime.reload(&runtime.files());
    assert!(refusal(gone).contains("mask 'rooms/hall-mask.png': there is no such file"));
    paint(&project, &good);
    assert_eq!(reload(&project, &mut runtime), Reload::Unchanged);
    // With the room file it may have another size.
    paint(
        &project,
        &png_from(
            &HALL
                .replace("d...", "d.......")
                .replace("########\n", "############\n")
                .replace("#..........#..........R#", "#..........#..............R#")
                .replace("#..........#...........#", "#..........#...............#"),
        ),
    );
    project.write("rooms/hall.json", &ROOM.replace("\"pixelsPerMetre\": 2", "\"pixelsPerMetre\": 2.1"));
    let outcome = runtime.reload(&runtime.files());
    assert!(matches!(outcome, Reload::Done { .. }), "{outcome:?}");
    step(&mut runtime, 20.0);
    let world = runtime.world();
    assert!(world.characters().iter().all(|who| world.ground().is_walkable(who.position)));
}

#[test]
#[allow(clippy::disallowed_methods)] // file events take real time
fn the_watcher_notices_a_saved_image() {
    for poll in [false, true] {
        let project = project();
        let mut runtime = open(&project);
        let mut live = LiveReload::new(&runtime, poll);
        std::fs::write(
            project.path("rooms/.hall.tmp"),
            png_from(
                &HALL.replace("#..........#...........#\n    ######", "#....##....#...........#\n    ######"),
            ),
        )
        .unwrap();
        std::fs::rename(project.path("rooms/.hall.tmp"), project.path("rooms/hall-mask.png")).unwrap();
        let begun = Instant::now();
        let told = loop {
            let reports = live.poll(&mut runtime);
            if !reports.is_empty() || begun.elapsed() > Duration::from_secs(5) {
                break reports;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        assert!(matches!(&told[..], [ReloadReport::Reloaded { .. }]), "{told:?}");
    }
}

#[test]
fn a_painted_run_is_recorded_replayed_and_saved() {
    let project = project();
    let mut runtime = open(&project);
    let tape = project.path("run.rec");
    runtime.record(Box::new(std::fs::File::create(&tape).unwrap())).unwrap();
    step(&mut runtime, 1.0);
    paint(&project, &png_from(&HALL.replace("d...........#\n", "d.....#.....#\n")));
    assert!(matches!(reload(&project, &mut runtime), Reload::Done { .. }));
    step(&mut runtime, 1.0);
    let saved = runtime.save().unwrap().to_json().unwrap();
    step(&mut runtime, 8.0);
    runtime.stop_recording().unwrap();
    let recording = cicerone::record::Recording::read(&std::fs::read(&tape).unwrap()).unwrap();
    let mut replay = cicerone::record::Replay::new(&recording).unwrap();
    while let Some(tick) = replay.step().unwrap() {
        assert!(tick.is_ok(), "{tick:?}");
    }
    assert_eq!(replay.world().checksum(), runtime.world().checksum());
    let saved = cicerone::runtime::Saved::read("run.save", &saved).unwrap();
    let project = cicerone::project::Project::at(project.path("rooms").parent().unwrap());
    let mut restored = Runtime::restore(project, &saved, Options::default()).unwrap();
    step(&mut restored, 8.0);
    assert_eq!(
        restored.world().character_named("ada").unwrap().position,
        runtime.world().character_named("ada").unwrap().position
    );
}

#[test]
fn a_room_that_was_read_ahead_is_taken_over_unless_it_is_another_by_now() {
    let other = png_from(&HALL.replace("d...........#\n", "d.....#.....#\n"));
    let third = png_from(&HALL.replace("d...........#\n", "d....##.....#\n"));
    let checksums = [false, true].map(|ahead| {
        let project = project();
        let mut runtime = open(&project);
        step(&mut runtime, 1.0);
        paint(&project, &other);
        if ahead {
            let reading = runtime.read_ahead(&runtime.files()).expect("there is an image");
            // It is read on another thread while the room runs.
            let read = std::thread::spawn(move || reading.run()).join().unwrap();
            runtime.take_ahead(read.unwrap());
        }
        assert!(matches!(reload(&project, &mut runtime), Reload::Done { .. }));
        step(&mut runtime, 5.0);
        runtime.world().checksum()
    });
    assert_eq!(checksums[0], checksums[1]);
    // What was read before the last save counts for nothing.
    let project = project();
    let mut runtime = open(&project);
    paint(&project, &third);
    let read = runtime.read_ahead(&runtime.files()).unwrap().run().unwrap();
    paint(&project, &other);
    runtime.take_ahead(read);
    assert!(matches!(reload(&project, &mut runtime), Reload::Done { .. }));
    assert!(*runtime.world().room().mask.as_ref().unwrap().png == *other);
    assert!(matches!(reload(&project, &mut runtime), Reload::Unchanged));
    // And what was read is not read again: this room was refused for a script that has come since.
    let named = ROOM.replace(r#""name": "bob","#, r#""name": "bob", "script": "scripts/bob.lua","#);
    project.write("rooms/hall.json", &named);
    let read = runtime.read_ahead(&runtime.files()).unwrap().run().unwrap();
    project.write("scripts/bob.lua", "return {}");
    runtime.take_ahead(read);
    assert!(refusal(runtime.reload(&runtime.files())).contains("script 'scripts/bob.lua'"));
    assert!(matches!(runtime.reload(&runtime.files()), Reload::Done { .. }), "it is used once");
}

#[test]
fn colours_that_scripts_ask_for_are_unpacked_ahead_too() {
    let project = project();
    let mut runtime = open(&project);
    let known = |runtime: &Runtime| runtime.world().room().mask.as_ref().unwrap().colours.are_known();
    let repaint = |runtime: &mut Runtime, from: &str| {
        paint(&project, &png_from(&HALL.replace("d...........#\n", from)));
        let read = runtime.read_ahead(&runtime.files()).unwrap().run().unwrap();
        runtime.take_ahead(read);
        assert!(matches!(reload(&project, runtime), Reload::Done { .. }));
    };
    repaint(&mut runtime, "d.....#.....#\n");
    assert!(!known(&runtime), "nobody has asked");
    assert!(runtime.world().room().mask_at(glam::dvec2(1.0, 1.0)).is_some());
    repaint(&mut runtime, "d....##.....#\n");
    assert!(known(&runtime));
}
