//! Projects whose files are on no disk, and files that are replaced while their room runs.

use crate::common::project::{HALL, logged};
use cicerone::project::{FileError, MemoryFiles, Project};
use cicerone::runtime::{Options, Reload, Runtime};

const ROOM: &str = "local words = require('words')
local S = {}
function S.run(room) while true do log.info(words.hello, room.name) wait(0.1) end end
return S";

fn files() -> MemoryFiles {
    MemoryFiles::default()
        .with("rooms/hall.json", HALL)
        .with("scripts/room.lua", ROOM)
        .with("scripts/words.lua", "return { hello = 'Hello' }")
}

fn open(project: Project) -> Runtime {
    Runtime::open_in(project, "rooms/hall.json".as_ref(), Options::default()).unwrap()
}

fn steps(room: &mut Runtime) -> Vec<String> {
    (0..6).for_each(|_| room.step());
    logged(room)
}

#[test]
fn a_room_in_memory_runs_as_one_on_the_disk() {
    let disk = crate::common::project::Project::new(&[
        ("rooms/hall.json", HALL),
        ("scripts/room.lua", ROOM),
        ("scripts/words.lua", "return { hello = 'Hello' }"),
    ]);
    let (mut here, mut there) = (disk.open(), open(Project::of_files(files())));
    assert_eq!(steps(&mut here), steps(&mut there));
    assert_eq!(here.world().checksum(), there.world().checksum());
    // A function will do, too, and so will names with dots in them.
    let all = files();
    let read = move |name: &str| cicerone::project::Files::read(&all, name);
    let project = Project::of_files(read);
    let mut room =
        Runtime::open_in(project, "./scripts/../rooms/hall.json".as_ref(), Options::default()).unwrap();
    assert_eq!(steps(&mut room), ["Hello hall"]);
}

#[test]
fn what_is_missing_is_named_with_what_was_meant() {
    let error = |files: MemoryFiles, room: &str| {
        let opened = Runtime::open_in(Project::of_files(files), room.as_ref(), Options::default());
        let error = opened.err().unwrap();
        let hint = error.problems[0].hint.clone().unwrap_or_default();
        format!("{error} ({hint})")
    };
    assert!(error(files(), "rooms/hal.json").starts_with("rooms/hal.json"));
    let typo = MemoryFiles::default().with("rooms/hall.json", HALL).with("scripts/rom.lua", "return {}");
    let told = error(typo, "rooms/hall.json");
    assert!(told.contains("script 'scripts/room.lua': there is no such file"), "{told}");
    assert!(told.contains("relative to the project's root; did you mean 'scripts/rom.lua'?"), "{told}");
    assert!(error(MemoryFiles::default(), "rooms/hall.json").contains("there is no such file"));
}

#[test]
fn replaced_files_take_effect_and_refused_ones_are_put_back() {
    for on_disk in [false, true] {
        let disk = crate::common::project::Project::new(&[
            ("rooms/hall.json", HALL),
            ("scripts/room.lua", ROOM),
            ("scripts/words.lua", "return { hello = 'Hello' }"),
        ]);
        let mut room = if on_disk { disk.open() } else { open(Project::of_files(files())) };
        steps(&mut room);
        let reload = room.replace_file("scripts/words.lua", "return { hello = 'Good day' }").unwrap();
        assert!(
            matches!(&reload, Reload::Done { files, .. } if files == &["scripts/words.lua"]),
            "{reload:?}"
        );
        assert_eq!(steps(&mut room).last().map(String::as_str), Some("Good day hall"));
        let before = room.world().area_named("den").map(|den| room.world().ground().area_available(den));
        let reload = room.replace_file("rooms/hall.json", "{ \"areas\": [").unwrap();
        assert!(matches!(reload, Reload::Refused { .. }), "{reload:?}");
        // The version before is there, for whatever is reloaded next.
        let all = room.files();
        assert_eq!(room.reload(&all), Reload::Unchanged);
        let reload = room.replace_file("scripts/words.lua", "return { hello = 'Ahoy' }").unwrap();
        assert!(matches!(reload, Reload::Done { .. }), "{reload:?}");
        let larger = HALL.replace("[13, 0], [13, 4]", "[19, 0], [19, 4]");
        let reload = room.replace_file("rooms/hall.json", &larger).unwrap();
        assert!(matches!(reload, Reload::Done { .. }), "{reload:?}");
        assert_eq!(before, Some(true));
        // Two that need each other, at once.
        let script = ROOM.replace("words.hello", "words.bye");
        let refused = room.replace_file("scripts/words.lua", "return { bye = (").unwrap();
        assert!(matches!(refused, Reload::Refused { .. }));
        let told: Vec<String> = room.take_events().iter().map(ToString::to_string).collect();
        let told = told
            .iter()
            .filter(|line| line.starts_with("refused scripts/words.lua (the last good version"))
            .count();
        assert_eq!(told, 1);
        let both: [(&str, &[u8]); 2] =
            [("scripts/room.lua", script.as_bytes()), ("scripts/words.lua", b"return { bye = 'Bye' }")];
        assert!(matches!(room.replace_files(&both), Ok(Reload::Done { .. })));
        assert_eq!(steps(&mut room).last().map(String::as_str), Some("Bye hall"));
        assert_eq!(room.replace_file("../secret.lua", "").err(), Some(FileError::Outside));
        assert!(matches!(room.replace_file("scripts/unused.lua", "return {}"), Ok(Reload::Unchanged)));
    }
}

#[test]
fn a_save_of_a_room_in_memory_is_restored_with_its_files() {
    let project = Project::of_files(files());
    let mut room = open(project.clone());
    steps(&mut room);
    let saved = room.save().unwrap();
    let mut restored = Runtime::restore(project, &saved, Options::default()).unwrap();
    assert_eq!(restored.world().checksum(), room.world().checksum());
    assert_eq!(steps(&mut restored).last().map(String::as_str), Some("Hello hall"));
}
