//! What a room ran with is saved with it: scripts beside its own, scripts of characters, the size of cells.

use super::saves::{QUIET, hall, restore, saved, steps, told};
use cicerone::project::Project as Folder;
use cicerone::runtime::{Options, Runtime};

#[test]
fn what_it_ran_with_is_saved_with_it() {
    let count = |owner: &str| {
        format!(
            "local B = {{}} function B.on_update() local me = {owner} me.count = (me.count or 0) + 1 \
             if me.count == 20 then log.info('{owner} 20') end end return B"
        )
    };
    let project = hall(QUIET, QUIET);
    project.write("rooms/cells.map", "type octile\nheight 3\nwidth 3\nmap\n...\n...\n...\n");
    project.write("scripts/extra.lua", &count("room.state"));
    project.write("scripts/part.lua", &count("self").replace("on_update()", "on_update(self)"));
    let options = Options::default()
        .with_scripts(vec!["scripts/extra.lua".into()])
        .with_script_overrides(vec![("ann".into(), "scripts/part.lua".into())]);
    let mut runtime = Runtime::open(&project.path("rooms/hall.json"), options).unwrap();
    steps(&mut runtime, 10);
    let mut back = restore(&project, &saved(&runtime)).unwrap();
    steps(&mut back, 10);
    let mut counted = told(&mut back);
    counted.sort();
    assert_eq!(counted, ["room.state 20", "self 20"]);
    // Another script for ann, in the options of the restored room, counts.
    project.write("scripts/other.lua", "return { run = function() log.info('other') end }");
    let other = Options::default().with_script_overrides(vec![("ann".into(), "scripts/other.lua".into())]);
    let folder = Folder::containing(&project.path("rooms/hall.json"));
    let mut back = Runtime::restore(folder, &saved(&runtime), other).unwrap();
    steps(&mut back, 2);
    assert!(told(&mut back).iter().any(|line| line == "other"));

    let options = Options::default().with_cell_size_m(0.5);
    let runtime = Runtime::open(&project.path("rooms/cells.map"), options).unwrap();
    let back = restore(&project, &saved(&runtime)).unwrap();
    assert_eq!(back.world().room().ground.cell_size_m, 0.5);
    assert_eq!(back.world().checksum(), runtime.world().checksum());
}
