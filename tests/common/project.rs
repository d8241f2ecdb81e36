//! Small projects in temporary folders.

use cicerone::runtime::{Options, Reload, Runtime, RuntimeEvent};
use cicerone::script::Note;
use std::collections::BTreeSet;
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

/// Walks to and fro, and says how often.
pub const WALKER: &str = "local W = { pause = 1.0, words = 'old' }
function W.run(self, npc)
  self.rounds = self.rounds or 0
  while true do
    npc:walk_to(7, 1) npc:walk_to('bar')
    self.rounds = self.rounds + 1
    log.info(W.words, self.rounds)
    wait(W.pause)
  end
end
function W.on_reload(self, npc) log.info('reloaded', npc.id, self.rounds) end
return W";

/// The hall, Ann a [`WALKER`].
pub fn walker_project() -> Project {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/walker.lua","#);
    Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/walker.lua", WALKER),
        ("scripts/room.lua", "return {}"),
    ])
}

pub fn reload(project: &Project, runtime: &mut Runtime, files: &[&str]) -> Reload {
    let changed: BTreeSet<_> = files.iter().map(|name| project.path(name)).collect();
    runtime.reload(&changed)
}

pub fn problems(reload: Reload) -> Vec<String> {
    match reload {
        Reload::Refused { problems, .. } => problems.iter().map(ToString::to_string).collect(),
        other => panic!("should have been refused: {other:?}"),
    }
}

pub fn run(runtime: &mut Runtime, seconds: f64) -> Vec<String> {
    for _ in 0..(seconds * 60.0) as u64 {
        runtime.step();
    }
    logged(runtime)
}

pub fn logged(runtime: &mut Runtime) -> Vec<String> {
    let events = runtime.take_events().into_iter();
    events
        .filter_map(|event| match event {
            RuntimeEvent::Note(Note::Log { text, .. }) => Some(text),
            RuntimeEvent::Note(Note::Error(error)) => Some(error.to_string()),
            _ => None,
        })
        .collect()
}
