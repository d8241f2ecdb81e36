//! The programs in `examples/` run, and print their essential result.

use crate::common::book::root;
use crate::common::command::text;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Each program, and text that only its success prints.
const TELLING: [(&str, &str); 8] = [
    ("embed_room", "the same on a second run"),
    ("game", "ticks, the same hash"),
    ("live_reload", "the door is open: the player gets to"),
    ("own_events", "with {\"key\": 1}"),
    ("path_queries", "the area 'cellar_door' is closed"),
    ("pure_library", "ann: arrived at [13.9"),
    ("save_and_load", "both end with the checksum"),
    ("tasks", "all ten tasks are done"),
];

/// `cargo test` builds all examples into the folder beside that of the tests. A single test target does not.
fn binary(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let binary = profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let saved = |file: &Path| std::fs::metadata(file).and_then(|data| data.modified()).ok();
    if saved(&binary) < saved(&root().join(format!("examples/{name}.rs"))) {
        println!("{} is missing or old: it is built now", binary.display());
        build(name, profile);
    }
    assert!(binary.is_file(), "{} is missing: cargo build --example {name}", binary.display());
    binary
}

fn build(name: &str, profile: &Path) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(["build", "--example", name, "--target-dir"]);
    command.args(profile.parent()).args(profile.ends_with("release").then_some("--release"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

fn run(name: &str) -> Output {
    Command::new(binary(name)).output().unwrap()
}

#[test]
fn each_example_runs_and_prints_its_result() {
    for (name, telling) in TELLING {
        let output = run(name);
        let (printed, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{name} failed:\n{printed}{errors}");
        assert!(printed.contains(telling), "{name} does not print '{telling}':\n{printed}");
    }
}

#[test]
fn every_example_is_checked_and_in_the_book() {
    let checked: BTreeSet<String> = TELLING.iter().map(|(name, _)| format!("{name}.rs")).collect();
    let folder = std::fs::read_dir(root().join("examples")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    // The folder beside them, painters, is a package of its own.
    let files: BTreeSet<String> = names.filter(|name| name.ends_with(".rs")).collect();
    assert_eq!(files, checked, "examples/ on the left, those with a check on the right");

    let page = crate::common::book::page("docs/src/programmers/embedding.md");
    for (name, _) in TELLING {
        assert!(page.text.contains(&format!("| [`{name}`]")), "{} does not list {name}", page.name);
    }
}
