//! Whatever is looked at, everything can be asked, also from several threads. What would change under the looker is refused
//! by the compiler: see the examples of `Runtime::world` and `GameCall`.

mod in_a_call;

use crate::common::project::{HALL, Project, walker_project};
use cicerone::project::{FileError, Project as Files};
use cicerone::runtime::{Options, Runtime};
use cicerone::world::CharacterId;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

const ANN: CharacterId = CharacterId(0);

/// A question, with its name and its answer in words.
type Ask = (&'static str, fn(&Runtime) -> String);

/// Everything that can be asked of a room.
const ASKS: &[Ask] = &[
    ("character", |room| format!("{:?}", room.character(ANN).map(|ann| ann.position))),
    ("characters", |room| format!("{:?}", room.characters().iter().map(|c| c.position).collect::<Vec<_>>())),
    ("crowded_ticks", |room| format!("{:?}", room.crowded_ticks())),
    ("differing", |room| format!("{:?}", room.differing(&room.files()))),
    ("explain_path", |room| format!("{:?}", room.explain_path([1.0, 1.0], [11.0, 2.0], 1_000_000))),
    ("files", |room| format!("{:?}", room.files())),
    ("find_path", |room| {
        let to_all = room.characters().iter().map(|c| room.find_path([1.0, 3.0], c.position.at));
        format!("{:?}", to_all.collect::<Vec<_>>())
    }),
    ("glances", |room| format!("{:?}", room.glances())),
    ("inspect", |room| format!("{:?}, {:?}", room.inspect(None), room.inspect(Some(ANN)))),
    ("is_at_end", |room| room.is_at_end().to_string()),
    ("is_in_scene", |room| room.is_in_scene(ANN).to_string()),
    ("is_recording", |room| room.is_recording().to_string()),
    ("is_unfinished", |room| room.is_unfinished("for i = 1, 3 do").to_string()),
    ("journal", |room| room.journal().is_some().to_string()),
    ("last_tick", |room| room.last_tick().to_string()),
    ("names", |room| format!("{:?}", room.names())),
    ("pending_events", |room| format!("{:?}", room.pending_events())),
    ("pose", |room| format!("{:?}", room.pose(ANN))),
    ("project", |room| format!("{:?}", room.project().root())),
    ("read_ahead", |room| room.read_ahead(&room.files()).is_some().to_string()),
    ("room_name", |room| room.room_name()),
    ("room_state", |room| room.room_state().to_string()),
    ("save", |room| room.save().unwrap().to_json().unwrap()),
    ("script_errors", |room| room.script_errors().map(|error| error.to_string()).collect()),
    ("script_usage", |room| room.script_usage().0.to_string()),
    ("scripts_loaded", |room| room.scripts_loaded().to_string()),
    ("switched_off_handlers", |room| format!("{:?}", room.switched_off_handlers())),
    ("tally", |room| format!("{:?}", room.tally())),
    ("trouble_with_script", |room| format!("{:?}", room.trouble_with_script("scripts/nobody.lua"))),
    ("ticks_per_second", |room| room.ticks_per_second().to_string()),
    ("waiting_lines", |room| room.waiting_lines().to_string()),
    ("watchdog", |room| {
        drop(room.watchdog(Duration::from_secs(60), None));
        String::new()
    }),
    ("world", |room| room.world().checksum().to_string()),
];

/// What can be held of a room while something else is done, with its name.
type Hold = (&'static str, fn(&Runtime, &mut dyn FnMut()));

const HOLDS: &[Hold] = &[
    ("world", |room, meanwhile| {
        let world = room.world();
        meanwhile();
        assert!(world.character(ANN).is_some());
    }),
    ("characters", |room, meanwhile| {
        let mut all = room.characters().iter();
        all.next();
        meanwhile();
        all.for_each(|character| assert!(character.position.at.is_finite()));
    }),
    ("character", |room, meanwhile| {
        let ann = room.character(ANN).unwrap();
        meanwhile();
        assert_eq!(ann.name, "ann");
    }),
    ("ground and links", |room, meanwhile| {
        let (ground, links) = (room.world().ground(), room.world().links());
        meanwhile();
        assert!(links.links().is_empty() && ground.area_named("door").is_some());
    }),
    ("pending_events", |room, meanwhile| {
        let events = room.pending_events().iter();
        meanwhile();
        assert!(events.count() < 1000);
    }),
    ("script_errors", |room, meanwhile| {
        let mut errors = room.script_errors();
        let first = errors.next();
        meanwhile();
        assert!(first.is_some() && errors.next().is_none());
    }),
    ("tally, project and journal", |room, meanwhile| {
        let (tally, project, journal) = (room.tally(), room.project(), room.journal());
        meanwhile();
        assert!(tally.script_errors > 0 && project.is_on_disk() && journal.is_some());
    }),
];

/// A hall with a walker, an error, and something to remember, in the middle of a walk.
fn busy_room() -> (Project, Runtime) {
    let project = walker_project();
    project.write(
        "scripts/room.lua",
        "local R = {}
        function R.on_load(room) room.state.n = 1 error('oh') end
        return R",
    );
    let mut room = project.open();
    room.keep_journal(Options::default());
    (0..100).for_each(|_| room.step());
    (project, room)
}

#[test]
fn everything_can_be_asked_while_anything_is_held() {
    let (_project, room) = busy_room();
    let alone: Vec<String> = ASKS.iter().map(|(_, ask)| ask(&room)).collect();
    for (held, hold) in HOLDS {
        for ((name, ask), expected) in ASKS.iter().zip(&alone) {
            let mut answer = None;
            hold(&room, &mut || answer = Some(ask(&room)));
            assert_eq!(answer.as_ref(), Some(expected), "{name} while {held} is held");
        }
    }
}

#[test]
fn everything_can_be_asked_in_several_threads() {
    let (_project, room) = busy_room();
    let alone: Vec<String> = ASKS.iter().map(|(_, ask)| ask(&room)).collect();
    std::thread::scope(|scope| {
        for first in 0..4 {
            let (room, alone) = (&room, &alone);
            scope.spawn(move || {
                let held = room.world();
                for index in (0..ASKS.len()).map(|index| (index * 3 + first * 7) % ASKS.len()) {
                    let (name, ask) = ASKS[index];
                    assert_eq!(ask(room), alone[index], "{name}");
                }
                assert_eq!(held.checksum(), room.world().checksum());
            });
        }
    });
}

/// Every public method that borrows the room shared: `impl Runtime` in the sources, over its files.
fn public_questions() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/runtime");
    let mut found = BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for block in text.split("\nimpl Runtime {").skip(1) {
            let block = block.split("\n}\n").next().unwrap();
            for function in block.split("\n    pub fn ").skip(1) {
                let (name, rest) = function.split_once(['(', '<']).unwrap();
                let parameters = rest.split("&self").next().unwrap();
                if rest.contains("&self") && !parameters.contains(['{', ';']) {
                    found.insert(name.to_owned());
                }
            }
        }
    }
    found
}

#[test]
fn the_list_of_questions_is_complete() {
    let listed: BTreeSet<String> = ASKS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(public_questions(), listed);
}

#[test]
fn asking_changes_no_run() {
    for name in ["tavern", "rooftops", "lane"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("rooms/{name}.json"));
        let [mut asked, mut left_alone] =
            [(); 2].map(|()| Runtime::open(&file, Options::default().with_seed(7)).unwrap());
        for _ in 0..200 {
            asked.step();
            left_alone.step();
            let places: Vec<_> = asked.characters().iter().map(|c| c.position.at).collect();
            for (from, to) in places.iter().zip(places.iter().rev()) {
                drop(asked.explain_path(*from, *to, 10_000));
                let (path, fresh) =
                    (asked.find_path(*from, *to), asked.world().clone().find_path(*from, *to));
                assert_eq!(path, fresh, "{name}: what was asked before makes no difference, in work neither");
            }
            drop((asked.names(), asked.inspect(None), asked.room_state(), asked.is_unfinished("do")));
        }
        assert_eq!(asked.world().checksum(), left_alone.world().checksum(), "{name}");
        assert_eq!(asked.script_usage().0, left_alone.script_usage().0, "{name}");
        let saved = |room: &Runtime| room.save().unwrap().to_json().unwrap();
        assert_eq!(saved(&asked), saved(&left_alone), "{name}");
    }
}

#[test]
fn the_world_is_lent_to_scripts_and_never_copied() {
    let (_project, mut room) = busy_room();
    let place = std::ptr::from_ref(room.world());
    ASKS.iter().for_each(|(_, ask)| drop(ask(&room)));
    room.step();
    room.drain_inbox();
    assert!(std::ptr::eq(place, room.world()));
}

#[test]
fn a_reader_of_files_may_ask_the_room_that_reads() {
    type Slot = Arc<OnceLock<Weak<Runtime>>>;
    let slot = Slot::default();
    let known = slot.clone();
    let files = Files::of_files(move |name: &str| {
        if let Some(room) = known.get().and_then(Weak::upgrade) {
            ASKS.iter()
                .filter(|(ask, _)| !["differing", "save", "trouble_with_script"].contains(ask))
                .for_each(|(_, ask)| drop(ask(&room)));
        }
        match name {
            "rooms/hall.json" => Ok(HALL.into()),
            "scripts/room.lua" => Ok("return {}".into()),
            _ => Err(FileError::Missing),
        }
    });
    let room = Runtime::open_in(files, Path::new("rooms/hall.json"), Options::default()).unwrap();
    let room = Arc::new(room);
    slot.set(Arc::downgrade(&room)).unwrap();
    assert!(room.differing(&room.files()).is_empty());
    room.save().unwrap();
}
