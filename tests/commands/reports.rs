//! Small inputs that were wrong once, from a folder beside the checkout (`../shared/data/reports`, or where `CICERONE_DATA`
//! says), each with the command that showed it. Without them this is skipped; the tests of each kind are elsewhere.

use std::path::PathBuf;
use std::process::Command;

/// The command's exit code, and what it prints.
fn told(report: &str, args: &[&str]) -> Option<(i32, String)> {
    let data = std::env::var_os("CICERONE_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data"));
    let folder = data.join("reports").join(report);
    if !folder.exists() {
        eprintln!("skipped: there is no {} (CICERONE_DATA names another folder)", folder.display());
        return None;
    }
    let output =
        Command::new(env!("CARGO_BIN_EXE_cicerone")).current_dir(folder).args(args).output().unwrap();
    let words =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    Some((output.status.code().unwrap(), words))
}

/// That a command exits so, and prints all of these words.
fn expect(report: &str, args: &[&str], code: i32, words: &[&str]) {
    let Some((exit, printed)) = told(report, args) else { return };
    assert_eq!(exit, code, "{report} {args:?}: {printed}");
    for word in words {
        assert!(printed.contains(word), "{report} {args:?}: no \"{word}\" in {printed}");
    }
}

#[test]
fn a_way_of_three_pixels() {
    expect(
        "a-way-of-three-pixels",
        &["check", "rooms"],
        0,
        &["w2.json", "w3.json", "\"sampleRate\": 3 loses none"],
    );
    for room in ["w2", "w3"] {
        let args = ["path", room, "--from", "2,3", "--to", "13,3", "--explain"];
        expect("a-way-of-three-pixels", &args, 1, &["the pixels lead there", "\"sampleRate\": 3 keeps it"]);
    }
}

#[test]
fn click_on_the_counter() {
    expect(
        "click-on-the-counter",
        &["path", "kitchen", "--to", "4,4.7"],
        0,
        &["complete: 1.35 m", "3.95, 3.35"],
    );
}

#[test]
fn door_drawn_over_the_hall() {
    expect("door-drawn-over-the-hall", &["check", "rooms"], 0, &["closing it changes nothing"]);
}

#[test]
fn mask_on_a_transparent_layer() {
    expect("mask-on-a-transparent-layer", &["check", "hall"], 0, &["transparent pixels are walkable"]);
}

#[test]
fn maps_of_other_editors() {
    for map in ["tiled.tmx", "tiled.tmj"] {
        let args = ["check", &format!("rooms/{map}")];
        expect("maps-of-other-editors", &args, 2, &["1 error", "Tiled"]);
    }
}
