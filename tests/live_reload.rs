//! Files under a running room, through the watcher: every way of saving, half-written files, broken ones beside good ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![cfg(feature = "watch")]

mod common;

use cicerone::runtime::{LiveReload, ReloadReport, Runtime};
use common::project::{WALKER, logged, run, walker_project as project};
use std::time::{Duration, Instant};

/// Runs in real time until a reload is told or five seconds have passed.
#[allow(clippy::disallowed_methods)]
fn until_told(live: &mut LiveReload, runtime: &mut Runtime) -> Vec<ReloadReport> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(5) {
        let reports = live.poll(runtime);
        if !reports.is_empty() {
            return reports;
        }
        runtime.step();
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("nothing was noticed");
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
    live.poll(&mut runtime);
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
