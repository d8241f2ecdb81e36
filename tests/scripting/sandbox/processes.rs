//! Twenty processes, each with its memory laid out in another way, say the same to the last byte.

use crate::common::project::{HALL, Project};
use std::process::Command;

const PROCESSES: usize = 20;

#[test]
fn every_process_says_the_same() {
    let room = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/ann.lua","#);
    let project = Project::new(&[
        ("rooms/hall.json", &room),
        ("scripts/room.lua", include_str!("processes/room.lua")),
        ("scripts/ann.lua", include_str!("processes/ann.lua")),
    ]);
    let run = |number: usize| {
        let output = Command::new(env!("CARGO_BIN_EXE_cicerone"))
            .args(["run", "--headless", "--seconds", "1", "--seed", "7"])
            .arg(project.path("rooms/hall.json"))
            // What stands in front of the stack, and so where it begins.
            .env("CICERONE_PADDING", "x".repeat(number * 1111))
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        text(&output.stderr) + &text(&output.stdout)
    };
    let first = run(0);
    for number in 1..PROCESSES {
        assert_eq!(run(number), first, "process {number}");
    }
    for part in [
        "short strings",
        "character keys",
        "ann draws",
        "an error that is a table",
        "hash ",
        "removed characters",
        "churned",
        "script memory: ",
        " instructions",
        "script errors: 3",
    ] {
        assert!(first.contains(part), "{part} is missing in\n{first}");
    }
    let refused = first.lines().filter(|line| line.contains("keys: refused")).collect::<Vec<_>>();
    assert_eq!(refused.len(), 5, "{refused:?}");
    assert!(refused.iter().all(|line| line.contains("npc.id")), "{refused:?}");
    assert!(!first.contains("0x"), "an address: {first}");
}
