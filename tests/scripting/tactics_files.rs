//! Tactical levels from level files in a running room: reloads, recordings and saves.

use crate::common::level_files::obj;
use crate::common::project::{Project, problems, reload};
use cicerone::project::Project as Folder;
use cicerone::record::{Buffer, Recording, Replay};
use cicerone::runtime::{Options, Reload, Runtime};
use cicerone::tactics::CellView;

const ROOM: &str = r#"{
  "tactics": { "geometry": "rooms/site.obj", "objects": { "door": { "area": "door" } } },
  "characters": [{ "name": "ann", "at": [0.5, 0.5], "actor": { "budget": 20 } }],
  "script": "scripts/room.lua"
}"#;

const SCRIPT: &str = "local S = {}
    function S.run(room)
      local tactics, ann = room:tactics(), room:npc('ann')
      room:set_area_available('door', true)
      tactics:walk(ann, tactics:path_to(ann, { x = 3, y = 1, level = 0 }), { speed = 2 })
    end
    return S";

/// A floor of four by two cells, a wall across it with a door, and a block of some height.
fn level(block: f64) -> String {
    obj(&[
        ("ground", [[0.0, 0.0, 0.0], [128.0, 64.0, 8.0]]),
        ("wall", [[62.0, 0.0, 8.0], [66.0, 32.0, 136.0]]),
        ("door", [[62.0, 32.0, 8.0], [66.0, 64.0, 136.0]]),
        ("block", [[96.0, 0.0, 8.0], [128.0, 32.0, block]]),
    ])
}

fn project() -> Project {
    Project::new(&[("rooms/site.json", ROOM), ("rooms/site.obj", &level(24.0)), ("scripts/room.lua", SCRIPT)])
}

fn open(project: &Project) -> Runtime {
    Runtime::open(&project.path("rooms/site.json"), Options::default()).unwrap()
}

fn cell(runtime: &Runtime, cell: [u32; 3]) -> Option<CellView> {
    runtime.world().tactics().unwrap().cell(cell, 1)
}

#[test]
fn a_changed_file_changes_the_running_level_and_a_broken_one_nothing() {
    let project = project();
    let mut runtime = open(&project);
    (0..10).for_each(|_| runtime.step());
    assert_eq!(cell(&runtime, [3, 0, 0]).unwrap().floor, 6);
    project.write("rooms/site.obj", &level(32.0));
    let done = reload(&project, &mut runtime, &["rooms/site.obj"]);
    let Reload::Done { changes, .. } = done else { panic!("{done:?}") };
    assert!(changes.iter().any(|change| change.contains("tactical level")), "{changes:?}");
    assert_eq!(cell(&runtime, [3, 0, 0]).unwrap().floor, 8);
    // A hole in the block, and an object that is gone.
    let whole = level(32.0);
    let (open_block, _) = whole.trim_end().rsplit_once('\n').unwrap();
    let no_door = whole.replace("o door", "o gate");
    for (broken, words) in
        [(open_block, "(object \"block\"): it is not closed"), (&no_door, "has no object 'door'")]
    {
        let before = runtime.world().checksum();
        project.write("rooms/site.obj", broken);
        let told = problems(reload(&project, &mut runtime, &["rooms/site.obj"]));
        assert!(told[0].contains(words), "{told:?}");
        assert_eq!((runtime.world().checksum(), cell(&runtime, [3, 0, 0]).unwrap().floor), (before, 8));
    }
    // The door is open in the game. It stays so.
    project.write("rooms/site.obj", &level(16.0));
    assert!(matches!(reload(&project, &mut runtime, &["rooms/site.obj"]), Reload::Done { .. }));
    assert_eq!(cell(&runtime, [3, 0, 0]).unwrap().floor, 4);
    assert!(cell(&runtime, [1, 1, 0]).unwrap().openings[0] > 0, "through the door");
    assert_eq!(cell(&runtime, [1, 0, 0]).unwrap().openings[0], 0, "the wall");
}

#[test]
fn a_recording_and_a_save_hold_the_level() {
    let project = project();
    let mut runtime = open(&project);
    let buffer = Buffer::default();
    runtime.record(Box::new(buffer.clone())).unwrap();
    (0..60).for_each(|_| runtime.step());
    let saved = runtime.save().unwrap();
    project.write("rooms/site.obj", &level(32.0));
    assert!(matches!(reload(&project, &mut runtime, &["rooms/site.obj"]), Reload::Done { .. }));
    (0..200).for_each(|_| runtime.step());
    runtime.stop_recording().unwrap();
    let ann = runtime.world().character_named("ann").unwrap().actor.as_deref().unwrap().cell;
    assert_eq!(ann, [3, 1, 0]);
    // Neither needs the file as it was.
    project.write("rooms/site.obj", &level(24.0));
    let folder = Folder::containing(&project.path("rooms/site.json"));
    let mut restored = Runtime::restore(folder, &saved, Options::default()).unwrap();
    (0..200).for_each(|_| restored.step());
    assert_eq!(restored.world().character_named("ann").unwrap().actor.as_deref().unwrap().cell, ann);
    project.write("rooms/site.obj", "");
    let recording = Recording::read(&buffer.bytes()).unwrap();
    let mut replay = Replay::new(&recording).unwrap();
    while let Some(tick) = replay.step().unwrap() {
        assert!(tick.is_ok(), "{tick:?}");
    }
    assert_eq!(replay.world().checksum(), runtime.world().checksum());
    assert_eq!(replay.world().tactics().unwrap().cell([3, 0, 0], 1), cell(&runtime, [3, 0, 0]));
}

/// A brush west of 0 moves the first cell. Actors stay where they are, with other numbers.
#[test]
fn a_level_that_grows_below_zero_leaves_actors_in_their_places() {
    let brush = r#"{ "box": [[0, 0, 0], [256, 128, 8]] }"#;
    let room = |more: &str| {
        format!(
            r#"{{ "tactics": {{ "brushes": [{brush}{more}] }},
"characters": [{{ "name": "ann", "at": [5.5, 1.5], "actor": {{ "budget": 40 }} }},
{{ "name": "ben", "at": [2.5, 2.5], "actor": {{ "budget": 40 }} }}],
"script": "scripts/room.lua" }}"#
        )
    };
    let script = "local S = {}
    function S.run(room)
      local tactics, ann = room:tactics(), room:npc('ann')
      tactics:walk(ann, tactics:path_to(ann, { x = 0, y = 3, level = 0 }), { speed = 1 })
    end
    return S";
    let project = Project::new(&[("rooms/site.json", &room("")), ("scripts/room.lua", script)]);
    let mut runtime = open(&project);
    (0..90).for_each(|_| runtime.step());
    let state = |runtime: &Runtime, name: &str| {
        let character = runtime.world().character_named(name).unwrap();
        (character.position.at, character.actor.as_ref().unwrap().cell)
    };
    let before = ["ann", "ben"].map(|name| state(&runtime, name));
    let wider = room(r#", { "box": [[-64, -32, 0], [0, 128, 8]] }"#);
    project.write("rooms/site.json", &wider);
    assert!(matches!(reload(&project, &mut runtime, &["rooms/site.json"]), Reload::Done { .. }));
    for (name, (at, [x, y, level])) in ["ann", "ben"].into_iter().zip(before) {
        assert_eq!(state(&runtime, name), (at, [x + 2, y + 1, level]), "{name}");
    }
    // The walk goes on to the same place, now of another number.
    (0..1200).for_each(|_| runtime.step());
    let (at, cell) = state(&runtime, "ann");
    assert_eq!((at.to_array(), cell), ([0.5, 3.5], [2, 4, 0]));
    project.write("rooms/site.json", &room(""));
    assert!(matches!(reload(&project, &mut runtime, &["rooms/site.json"]), Reload::Done { .. }));
    assert_eq!(state(&runtime, "ann").1, [0, 3, 0]);
}
