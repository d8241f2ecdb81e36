//! Saves of a room that code, or files that were handed over, had changed.

use crate::saves::{QUIET, hall, restore, saved, steps, told};
use cicerone::project::Project as Folder;
use cicerone::room::Obstacle;
use cicerone::runtime::{Options, Reload, Runtime, Saved};
use cicerone::world::Command;
use glam::DVec2;

/// What code changed in a room is saved with it, and the room's file does not undo it, unless it was edited since.
#[test]
fn what_code_changed_in_the_room_stays_changed() {
    let project = hall(QUIET, QUIET);
    let mut room = project.open();
    let mut changed = room.world().room().clone();
    let table = vec![DVec2::new(1.0, 2.0), DVec2::new(2.0, 2.0), DVec2::new(2.0, 3.0), DVec2::new(1.0, 3.0)];
    changed.obstacles.push(Obstacle { name: "crate".into(), polygon: table, see_through: false });
    room.apply(Command::ReplaceRoom(Box::new(changed))).unwrap();
    steps(&mut room, 10);
    let kept = saved(&room);
    let mut back = restore(&project, &kept).unwrap();
    let has_crate = |room: &Runtime| room.world().room().obstacles.iter().any(|o| o.name == "crate");
    assert!(has_crate(&back), "{:?}", back.world().room().obstacles);
    assert_eq!(told(&mut back), Vec::<String>::new());
    [&mut room, &mut back].into_iter().for_each(|room| steps(room, 60));
    assert_eq!(back.world().checksum(), room.world().checksum());
    // The file is still watched, and an edited one counts.
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    assert_eq!(back.reload(&back.files()), Reload::Unchanged);
    project.write(
        "rooms/hall.json",
        &text.replace("\"ann\", \"at\": [2, 1]", "\"ann\", \"at\": [2, 1], \"priority\": 3"),
    );
    let mut back = restore(&project, &kept).unwrap();
    assert!(!has_crate(&back));
    assert!(told(&mut back).iter().any(|line| line.starts_with("changed since it was saved")));
}

/// Code is not saved. But a project that holds what ran before the room was changed is no silent way back.
#[test]
fn a_save_knows_the_files_that_were_handed_over() {
    let says = |word: &str| {
        format!("return {{ run = function(self, npc) while true do log.info('{word}') wait(1) end end }}")
    };
    let project = hall(QUIET, &says("old"));
    let opened = Folder::containing(&project.path("rooms/hall.json"));
    let room = project.path("rooms/hall.json");
    let mut runtime = Runtime::open_in(opened.clone(), &room, Options::default()).unwrap();
    let early = saved(&runtime);
    let larger = std::fs::read_to_string(&room).unwrap().replace("[8, 4]", "[8, 3.75]");
    let files = [("scripts/ann.lua", says("new")), ("rooms/hall.json", larger)];
    for (file, content) in &files {
        assert!(matches!(runtime.replace_file(file, content), Ok(Reload::Done { .. })), "{file}");
    }
    steps(&mut runtime, 60);
    let late = saved(&runtime);

    let words = Runtime::restore(opened.clone(), &late, Options::default()).err().unwrap().to_string();
    for (file, _) in &files {
        assert!(
            words.contains(&format!("{file}: the room ran with a version that was handed over")),
            "{words}"
        );
    }
    let runs = |project: Folder, saved: &Saved, word: &str| {
        let mut runtime = Runtime::restore(project, saved, Options::default()).unwrap();
        steps(&mut runtime, 2);
        assert_eq!(told(&mut runtime).last().map(String::as_str), Some(word));
    };
    runs(opened.clone(), &early, "old");
    // The project of the running room, and one that was handed the same files, and the files on the disk.
    runs(runtime.project().clone(), &late, "new");
    let mut handed = opened.clone();
    for (file, content) in &files {
        handed.replace(&project.path(file), Some(content.as_bytes()));
    }
    runs(handed, &late, "new");
    for (file, content) in &files {
        project.write(file, content);
    }
    runs(opened.clone(), &late, "new");
    // A later edit counts, as ever.
    project.write("scripts/ann.lua", &says("newest"));
    runs(opened.clone(), &late, "newest");
    // Going back is within the running room, whatever its files were.
    assert!(matches!(runtime.replace_file("scripts/ann.lua", says("old")), Ok(Reload::Done { .. })));
    runtime.go_back_to(&late).unwrap();
    steps(&mut runtime, 2);
    assert_eq!(told(&mut runtime).last().map(String::as_str), Some("old"));
}
