//! A project that is on no disk: a hall with two people, and what a target puts into it.

use cicerone::project::Project;
use cicerone::room::ScriptLimits;
use std::path::{Path, PathBuf};

/// A hall of 8 × 4 m with a mat to step on, a closed door to a den, Ann and Bob, and scripts for the room and for Ann.
pub const HALL: &str = r#"{
  "cellSize": 0.25, "agentRadius": 0.2, "objectPadding": 0.05,
  "areas": [
    { "name": "hall", "polygon": [[0, 0], [8, 0], [8, 4], [0, 4]] },
    { "name": "mat",  "polygon": [[3, 0], [4, 0], [4, 4], [3, 4]] },
    { "name": "door", "polygon": [[8, 1], [9, 1], [9, 3], [8, 3]], "available": false },
    { "name": "den",  "polygon": [[9, 0], [13, 0], [13, 4], [9, 4]] }
  ],
  "points": { "bar": [1, 1], "shelf": [12, 3] },
  "characters": [
    { "name": "ann", "at": [2, 1], "script": "scripts/ann.lua" },
    { "name": "bob", "at": [6, 3], "player": true }
  ],
  "script": "scripts/room.lua"
}
"#;

pub const ROOM_FILE: &str = "rooms/hall.json";

/// What scripts may use up: little, so that an input is tried quickly.
pub fn limits() -> ScriptLimits {
    let mut limits = ScriptLimits::default();
    limits.instructions_per_call = Some(20_000);
    limits.instructions_per_tick = Some(40_000);
    limits.instructions_per_tick_of_all = Some(400_000);
    limits.instructions_per_load = Some(200_000);
    limits.memory_mb = Some(16);
    limits.memory_per_script_mb = Some(4);
    limits.characters = Some(30);
    limits.timers = Some(50);
    limits.sequences = Some(50);
    limits
}

/// Nothing can be created here, as it would lie below a file: what a script writes, it writes nowhere.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")
}

pub fn place(name: &str) -> PathBuf {
    root().join(name)
}

/// The hall and these files.
pub fn project(files: &[(&str, &[u8])]) -> Project {
    let mut project = Project::at(&root());
    project.replace(&place(ROOM_FILE), Some(HALL.as_bytes()));
    for (name, content) in files {
        project.replace(&place(name), Some(content));
    }
    project
}
