//! Files under a running room, through the watcher: every way of saving, half-written files, broken ones beside good
//! ones.

use crate::common::level_files::obj;
use crate::common::project::{Project, WALKER, logged, run, walker_project as project};
use cicerone::runtime::{LiveReload, Options, ReloadReport, Runtime};
use std::time::{Duration, Instant};

/// Runs in real time until a reload is told or five seconds have passed.
#[allow(clippy::disallowed_methods)]
fn until_told(live: &mut LiveReload, runtime: &mut Runtime) -> Vec<ReloadReport> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(5) {
        let mut reports = live.poll(runtime);
        // They come later, and have a test of their own.
        reports.retain(|report| !matches!(report, ReloadReport::Warned { .. }));
        if !reports.is_empty() {
            return reports;
        }
        runtime.step();
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("nothing was noticed");
}

/// Runs in real time for a while and gives what was told, in words.
fn told_within(live: &mut LiveReload, runtime: &mut Runtime, time: Duration) -> Vec<String> {
    let begun = Instant::now();
    let mut told = Vec::new();
    while begun.elapsed() < time {
        let reports = live.poll(runtime);
        let reports = reports.iter().filter(|report| !matches!(report, ReloadReport::Warned { .. }));
        told.extend(reports.map(ToString::to_string));
        runtime.step();
        std::thread::sleep(Duration::from_millis(2));
    }
    told
}

fn told_files(reports: &[ReloadReport]) -> Vec<String> {
    let [ReloadReport::Reloaded { files, .. }] = reports else { panic!("{reports:?}") };
    files.clone()
}

#[test]
fn every_way_of_saving_is_noticed() {
    for poll in [false, true] {
        let project = project();
        let mut runtime = project.open();
        let mut live = LiveReload::new(&runtime, poll);
        // In place.
        project.write("scripts/walker.lua", &WALKER.replace("'old'", "'one'"));
        assert_eq!(told_files(&until_told(&mut live, &mut runtime)), ["scripts/walker.lua"]);
        // By atomic rename, twice: a watch on the file itself would die with the first.
        for word in ["'two'", "'three'"] {
            project.write("scripts/.walker.swp", &WALKER.replace("'old'", word));
            std::fs::rename(project.path("scripts/.walker.swp"), project.path("scripts/walker.lua")).unwrap();
            assert_eq!(told_files(&until_told(&mut live, &mut runtime)), ["scripts/walker.lua"]);
        }
        // Several files at once are one transaction.
        project.write("scripts/walker.lua", &WALKER.replace("'old'", "'four'"));
        project.write("scripts/room.lua", "return { name = 'other' }");
        assert_eq!(
            told_files(&until_told(&mut live, &mut runtime)),
            ["scripts/room.lua", "scripts/walker.lua"]
        );
        // Deleted: told, and the room runs on. Back again: live.
        std::fs::remove_file(project.path("scripts/walker.lua")).unwrap();
        let told = until_told(&mut live, &mut runtime);
        assert!(
            matches!(&told[..], [ReloadReport::Refused { .. }])
                && told[0].to_string().contains("the file is gone"),
            "{told:?}"
        );
        project.write("scripts/walker.lua", &WALKER.replace("'old'", "'five'"));
        assert_eq!(told_files(&until_told(&mut live, &mut runtime)), ["scripts/walker.lua"]);
        assert_eq!(runtime.tally().reloads, 5);
    }
}

#[test]
fn a_file_written_in_two_parts_is_taken_over_without_complaint() {
    let project = project();
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, false);
    let text =
        std::fs::read_to_string(project.path("rooms/hall.json")).unwrap().replace("[1, 1] }", "[1.5, 1] }");
    project.write("rooms/hall.json", &text[..text.len() / 2]);
    std::thread::sleep(Duration::from_millis(70));
    let _ = live.poll(&mut runtime);
    project.write("rooms/hall.json", &text);
    let told = until_told(&mut live, &mut runtime);
    assert_eq!(told_files(&told), ["rooms/hall.json"], "{told:?}");
}

#[test]
fn a_broken_file_does_not_hold_up_the_others() {
    let project = project();
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, false);
    project.write("scripts/walker.lua", "return {{");
    let told = until_told(&mut live, &mut runtime);
    assert!(told[0].to_string().contains("scripts/walker.lua:1:"), "{told:?}");
    project.write("scripts/room.lua", "return { on_reload = function() log.info('good') end }");
    let told = until_told(&mut live, &mut runtime);
    assert_eq!(told_files(&told[..1]), ["scripts/room.lua"]);
    assert!(told[1].to_string().contains("refused scripts/walker.lua"), "and what is still broken: {told:?}");
    assert_eq!(logged(&mut runtime), ["good"]);
    project.write("scripts/walker.lua", &WALKER.replace("'old'", "'new'"));
    assert_eq!(told_files(&until_told(&mut live, &mut runtime)), ["scripts/walker.lua"]);
    // A broken room, and back to what it was: that is told too.
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    for _ in 0..2 {
        project.write("rooms/hall.json", &text[..text.len() / 2]);
        let told = until_told(&mut live, &mut runtime);
        assert!(told[0].to_string().contains("refused rooms/hall.json"), "{told:?}");
        project.write("rooms/hall.json", &text);
        let told = until_told(&mut live, &mut runtime);
        assert!(told[0].to_string().starts_with("mended rooms/hall.json"), "{told:?}");
    }
}

#[test]
fn a_new_module_that_was_missing_is_picked_up() {
    let project = project();
    project.write("scripts/walker.lua", "local lines = require 'extra.lines' return { on_update = function() room.state.words = lines.words end }");
    let mut runtime = project.open();
    let errors = run(&mut runtime, 0.1);
    assert!(errors.len() == 1 && errors[0].starts_with("scripts/walker.lua:1:"), "{errors:?}");
    let mut live = LiveReload::new(&runtime, false);
    project.write("scripts/extra/lines.lua", "return { words = 'here' }");
    let told = until_told(&mut live, &mut runtime);
    assert!(told_files(&told).contains(&"scripts/extra/lines.lua".to_owned()), "{told:?}");
    assert_eq!(run(&mut runtime, 0.5), Vec::<String>::new());
}

#[test]
fn what_is_saved_before_the_watcher_begins_is_not_missed() {
    let project = project();
    let mut runtime = project.open();
    project.write("scripts/walker.lua", &WALKER.replace("'old'", "'new'"));
    let mut live = LiveReload::new(&runtime, false);
    assert_eq!(told_files(&live.poll(&mut runtime)), ["scripts/walker.lua"]);
    // A file that was broken from the start is not told of again.
    project.write("scripts/walker.lua", "return {{");
    let mut runtime = project.open();
    assert_eq!(logged(&mut runtime).len(), 1);
    let mut live = LiveReload::new(&runtime, false);
    assert_eq!(told_within(&mut live, &mut runtime, Duration::from_millis(300)), Vec::<String>::new());
}

#[test]
fn a_file_that_was_asked_for_makes_good_what_was_refused() {
    let project = project();
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, false);
    // A script that requires what is not there yet, and then requires what is broken.
    project.write(
        "scripts/walker.lua",
        "local lines = require 'extra.lines' return { on_reload = function() log.info(lines.words) end }",
    );
    let told = until_told(&mut live, &mut runtime);
    assert!(told[0].to_string().contains("scripts/walker.lua:1:1: cannot require 'extra.lines'"), "{told:?}");
    project.write("scripts/extra/lines.lua", "return {{");
    let told = until_told(&mut live, &mut runtime);
    assert!(told[0].to_string().contains("scripts/extra/lines.lua:1:"), "{told:?}");
    project.write("scripts/extra/lines.lua", "return { words = 'here' }");
    let told = until_told(&mut live, &mut runtime);
    assert_eq!(told_files(&told), ["scripts/extra/lines.lua", "scripts/walker.lua"]);
    assert_eq!(logged(&mut runtime), ["here"]);
    // A room that names a script which is not there yet.
    let room = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let room = room.replace(r#""bob","#, r#""bob", "script": "scripts/bob.lua","#);
    project.write("rooms/hall.json", &room);
    let told = until_told(&mut live, &mut runtime);
    assert!(told[0].to_string().contains("script 'scripts/bob.lua': there is no such file"), "{told:?}");
    project.write("scripts/bob.lua", "return { on_spawn = function() log.info('bob') end }");
    assert_eq!(told_files(&until_told(&mut live, &mut runtime)), ["rooms/hall.json", "scripts/bob.lua"]);
    assert_eq!(run(&mut runtime, 0.1), ["bob"]);
}

#[test]
fn of_files_saved_together_the_good_go_live_and_the_broken_wait() {
    let project = project();
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, false);
    let room = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    project.write("rooms/hall.json", &room.replace("[6, 3]", "[60, 3]"));
    project.write("scripts/walker.lua", "return {{");
    project.write("scripts/room.lua", "return { on_reload = function() log.info('good') end }");
    let mut told = until_told(&mut live, &mut runtime);
    assert_eq!(told_files(&told[..1]), ["scripts/room.lua"]);
    if told.len() == 1 {
        told.extend(until_told(&mut live, &mut runtime)); // the machine was busy: it came in two batches
    }
    let refused = told[1].to_string();
    assert!(refused.starts_with("refused rooms/hall.json scripts/walker.lua"), "{refused}");
    assert!(
        refused.contains("\n  rooms/hall.json:12:") && refused.contains("\n  scripts/walker.lua:1:"),
        "{refused}"
    );
    assert_eq!(logged(&mut runtime), ["good"]);
    let again = told_within(&mut live, &mut runtime, Duration::from_millis(300));
    assert_eq!(again, Vec::<String>::new(), "told once");
}

#[test]
fn a_reload_is_told_in_one_line_with_its_tick_and_what_changed() {
    let project = project();
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, false);
    let room = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let changed = room
        .replace("\"bob\"", "\"tom\"")
        .replace(r#""ann","#, r#""ann", "walkSpeed": 2, "tags": ["a"],"#)
        .replace(r#""available": false"#, r#""available": true"#);
    project.write("rooms/hall.json", &changed);
    let [report] = &until_told(&mut live, &mut runtime)[..] else { panic!() };
    let line = report.to_string();
    let ReloadReport::Reloaded { tick, took, .. } = report else { panic!("{line}") };
    let milliseconds = took.as_millis();
    let words = "+tom, -bob, ann: walkSpeed tags, door: open";
    assert_eq!(line, format!("tick {tick}: reloaded rooms/hall.json in {milliseconds} ms: {words}"));
    assert_eq!(report.brief(), format!("reloaded rooms/hall.json in {milliseconds} ms: {words}"));
    // However much changed, it stays one line that one can read.
    let points: Vec<String> =
        (0..200).map(|i| format!("\"point_number_{i}\": [1, {}]", 1.0 + f64::from(i) / 100.0)).collect();
    project.write("rooms/hall.json", &changed.replace("\"bar\": [1, 1]", &points.join(", ")));
    let line = until_told(&mut live, &mut runtime)[0].to_string();
    assert!(line.len() < 200 && line.ends_with(" more") && !line.contains('\n'), "{line}");
}

#[test]
fn a_script_that_came_in_with_somebody_spawned_is_watched() {
    for poll in [false, true] {
        let project = project();
        project.write("scripts/late.lua", "return {}");
        project.write(
            "scripts/room.lua",
            "local R = {} function R.run() wait(0.1) spawn{at={x=1,z=1}, script='scripts/late.lua'} end return R",
        );
        let mut runtime = project.open();
        let mut live = LiveReload::new(&runtime, poll);
        while runtime.world().tick_number() < 30 {
            assert!(live.poll(&mut runtime).is_empty());
            runtime.step();
        }
        project.write("scripts/late.lua", "return { changed = true }");
        assert_eq!(told_files(&until_told(&mut live, &mut runtime)), ["scripts/late.lua"]);
    }
}

/// A floor of 12 × 8 m from x = `from` on, with a wall across it that leaves a gap at z < 2 if `with_wall`.
fn level(from: f64, with_wall: bool) -> String {
    let mut text = format!("v {from} 0 0\nv 12 0 0\nv 12 0 8\nv {from} 0 8\nf 4 3 2 1\n");
    if with_wall {
        for (x, z) in [(5.0, 2.0), (5.5, 2.0), (5.5, 8.0), (5.0, 8.0)] {
            text += &format!("v {x} 0 {z}\nv {x} 3 {z}\n");
        }
        text += "f 5 6 8 7\nf 7 8 10 9\nf 9 10 12 11\nf 11 12 6 5\nf 6 12 10 8\n";
    }
    text
}

/// The level of a room changes, is spoilt and mended while a character walks. The last good ground is kept, and the
/// character stays where it is.
#[test]
fn geometry_is_reloaded_under_a_walking_character() {
    let room = r#"{ "geometry": "rooms/hall.obj", "agentRadius": 0.3, "points": { "bar": [1, 4] },
        "characters": [{ "name": "ann", "at": [11, 4], "script": "scripts/walker.lua" }] }"#;
    let project = Project::new(&[
        ("rooms/hall.json", room),
        ("rooms/hall.obj", &level(0.0, false)),
        ("scripts/walker.lua", &WALKER.replace("7, 1", "11, 4")),
    ]);
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, false);
    let place = |runtime: &Runtime| runtime.world().character_named("ann").unwrap().position.at;
    while place(&runtime).x > 8.0 {
        runtime.step();
    }
    let before = place(&runtime);
    project.write("rooms/hall.obj", &level(0.0, true));
    let told = until_told(&mut live, &mut runtime);
    assert_eq!(told_files(&told), ["rooms/hall.obj"]);
    assert!(told[0].to_string().ends_with(": mesh"), "{}", told[0]);
    let after = place(&runtime);
    assert!(after.distance(before) < 0.5, "it stays where it is: {before}, {after}");
    let past_the_wall = |runtime: &mut Runtime| {
        let mut least_z: f64 = 8.0;
        for _ in 0..1200 {
            let at = place(runtime);
            if (5.0..5.5).contains(&at.x) {
                least_z = least_z.min(at.y);
            }
            runtime.step();
        }
        least_z
    };
    assert!(past_the_wall(&mut runtime) < 1.8, "the gap in the wall");
    // Spoilt: the wall stays.
    project.write("rooms/hall.obj", "f 1 2 3\n");
    let told = until_told(&mut live, &mut runtime);
    assert!(matches!(&told[..], [ReloadReport::Refused { .. }]), "{told:?}");
    assert!(told[0].to_string().contains("rooms/hall.obj': line 1"), "{}", told[0]);
    assert!(past_the_wall(&mut runtime) < 1.8, "the gap in the wall");
    // The running one again, then one without the wall, then one without the ground under it.
    project.write("rooms/hall.obj", &level(0.0, true));
    let told = until_told(&mut live, &mut runtime);
    assert!(matches!(&told[..], [ReloadReport::Mended { .. }]), "{told:?}");
    project.write("rooms/hall.obj", &level(0.0, false));
    until_told(&mut live, &mut runtime);
    runtime.take_events();
    let before = place(&runtime);
    runtime.step();
    assert!(place(&runtime).distance(before) < 0.1, "it stays where it is");
    past_the_wall(&mut runtime); // it may have been in the gap
    assert!(past_the_wall(&mut runtime) > 3.5, "straight on");
    project.write("rooms/hall.obj", &level(10.0, false));
    let told = until_told(&mut live, &mut runtime);
    assert!(matches!(&told[..], [ReloadReport::Reloaded { .. }]), "{told:?}");
    assert!(place(&runtime).x >= 10.3 - 0.2, "moved to the ground, at {}", place(&runtime));
    // An area on ground that is not there is refused with the area's place; the ground stays.
    project.write(
        "rooms/hall.json",
        &room.replace(
            "\"points\"",
            r#""areas": [{ "name": "far",
        "polygon": [[1, 1], [2, 1], [2, 2]] }], "points""#,
        ),
    );
    let told = until_told(&mut live, &mut runtime);
    assert!(told[0].to_string().contains("no polygon of the mesh lies in this area"), "{}", told[0]);
}

/// The file of a tactical level is watched, too.
#[test]
fn the_file_of_a_tactical_level_is_reloaded() {
    let room = r#"{ "tactics": { "geometry": "rooms/site.obj" } }"#;
    let site = |height: f64| obj(&[("ground", [[0.0, 0.0, 0.0], [64.0, 64.0, height]])]);
    let project = Project::new(&[("rooms/site.json", room), ("rooms/site.obj", &site(8.0))]);
    let mut runtime = Runtime::open(&project.path("rooms/site.json"), Options::default()).unwrap();
    let mut live = LiveReload::new(&runtime, false);
    let floor = |runtime: &Runtime| runtime.world().tactics().unwrap().cell([0, 0, 0], 1).unwrap().floor;
    assert_eq!(floor(&runtime), 2);
    project.write("rooms/site.obj", &site(20.0));
    assert_eq!(told_files(&until_told(&mut live, &mut runtime)), ["rooms/site.obj"]);
    assert_eq!(floor(&runtime), 5);
    project.write("rooms/site.obj", &site(20.0).replace("f 5 6 8 7\n", ""));
    let told = until_told(&mut live, &mut runtime);
    assert!(told[0].to_string().contains("it is not closed"), "{}", told[0]);
    assert_eq!(floor(&runtime), 5);
}

/// Runs in real time until a check is told, or a minute has passed.
#[allow(clippy::disallowed_methods)]
fn until_warned(live: &mut LiveReload, runtime: &mut Runtime) -> Vec<String> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        for report in live.poll(runtime) {
            if let ReloadReport::Warned { problems } = report {
                return problems
                    .iter()
                    .map(|problem| format!("{}:{}: {}", problem.file, problem.line, problem.message))
                    .collect();
            }
        }
        runtime.step();
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("nothing was warned of");
}

/// A hall and a door that a walker opens and closes.
fn door_project() -> Project {
    let room = r#"{"areas": [
        {"name": "hall", "polygon": [[0, 0], [8, 0], [8, 4], [0, 4]]},
        {"name": "door", "polygon": [[8, 1], [8.4, 1], [8.4, 3], [8, 3]], "available": false},
        {"name": "den", "polygon": [[8.4, 0], [12, 0], [12, 4], [8.4, 4]]}],
        "characters": [{"name": "ann", "at": [2, 2], "script": "scripts/ann.lua"}]}"#;
    let script = "local A = {}
function A:run(npc)
  while true do
    wait(0.2)
    room:area('door').available = true
    self.rounds = (self.rounds or 0) + 1
  end
end
return A
";
    Project::new(&[("rooms/hall.json", room), ("scripts/ann.lua", script)])
}

#[test]
fn what_check_newly_says_is_told_after_a_reload() {
    let project = door_project();
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, true);
    let room = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    // The first check is over before anything is saved.
    while !live.is_checked(&runtime) {
        assert_eq!(live.poll(&mut runtime), []);
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(live.warnings(), []);
    project.write("rooms/hall.json", &room.replace("door", "gate"));
    let told = until_warned(&mut live, &mut runtime);
    assert_eq!(told, ["scripts/ann.lua:5: no area 'door' in room 'hall'"]);
    assert_eq!(live.warnings().len(), 1);
    // A second fault is told alone, and both are listed.
    let far = room
        .replace("door", "gate")
        .replace("\"characters\"", "\"points\": {\"far\": [90, 9]}, \"characters\"");
    project.write("rooms/hall.json", &far);
    let told = until_warned(&mut live, &mut runtime);
    assert!(told.len() == 1 && told[0].contains("the point 'far' lies outside every area"), "{told:?}");
    assert_eq!(live.warnings().len(), 2);
}

#[test]
fn a_run_that_ended_with_an_error_begins_again_when_the_room_is_mended() {
    let project = door_project();
    let mut runtime = project.open();
    let mut live = LiveReload::new(&runtime, true);
    let room = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let is_open = |runtime: &Runtime| runtime.world().is_area_available("door") == Some(true);
    run(&mut runtime, 1.0);
    assert!(is_open(&runtime));
    project.write("rooms/hall.json", &room.replace("door", "gate"));
    until_told(&mut live, &mut runtime);
    let errors = run(&mut runtime, 1.0);
    assert!(errors.iter().any(|line| line.contains("no area 'door'")), "{errors:?}");
    assert_eq!(runtime.switched_off_handlers().len(), 1, "its run");
    project.write("rooms/hall.json", &room);
    let told = until_told(&mut live, &mut runtime);
    assert!(told[0].to_string().contains("1 restarted"), "{told:?}");
    assert_eq!(run(&mut runtime, 1.0), Vec::<String>::new());
    assert!(
        is_open(&runtime)
            && runtime.switched_off_handlers().is_empty()
            && runtime.script_errors().next().is_none()
    );
}
