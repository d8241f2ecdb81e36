//! Small projects in temporary folders.

use cicerone::runtime::{Options, Runtime};
use std::path::PathBuf;

/// A hall of 8 × 4 m with a bar, a mat to step on, a closed door to a den, Ann and Bob, and a room script.
pub const HALL: &str = r#"{
  "cellSize": 0.25, "agentRadius": 0.2, "objectPadding": 0.05,
  "areas": [
    { "name": "hall", "polygon": [[0, 0], [8, 0], [8, 4], [0, 4]] },
    { "name": "mat",  "polygon": [[3, 0], [4, 0], [4, 4], [3, 4]] },
    { "name": "door", "polygon": [[8, 1], [9, 1], [9, 3], [8, 3]], "available": false },
    { "name": "den",  "polygon": [[9, 0], [13, 0], [13, 4], [9, 4]] }
  ],
  "points": { "bar": [1, 1] },
  "characters": [
    { "name": "ann", "at": [2, 1] },
    { "name": "bob", "at": [6, 3] }
  ],
  "script": "scripts/room.lua"
}
"#;

pub struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(project.path("scripts")).unwrap();
        files.iter().for_each(|(name, text)| project.write(name, text));
        project
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn open(&self) -> Runtime {
        self.open_with(Options::default())
    }

    pub fn open_with(&self, options: Options) -> Runtime {
        match Runtime::open(&self.path("rooms/hall.json"), options) {
            Ok(runtime) => runtime,
            Err(error) => panic!("{error}"),
        }
    }
}
