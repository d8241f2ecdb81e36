//! Changing a room and its scripts while it runs: what is live, what is kept, what is refused.

use crate::common::project::{WALKER, logged, problems, reload, run, walker_project as project};
use cicerone::nav::Position;
use cicerone::runtime::{Reload, Runtime};

/// Position, target and heading of everyone.
fn bodies(runtime: &Runtime) -> Vec<String> {
    runtime
        .world()
        .characters()
        .iter()
        .map(|c| format!("{} {} {:?} {}", c.name, c.position, c.target(), c.heading_rad))
        .collect()
}

#[test]
fn changed_words_are_live_and_self_position_and_goal_are_kept() {
    let project = project();
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 10.0), ["old 1"]);
    let before = bodies(&runtime);
    let walk = runtime.world().character_named("ann").unwrap().walk.as_ref().unwrap().id;
    project.write("scripts/walker.lua", &WALKER.replace("'old'", "'new'"));
    let (files, changes) = (vec!["scripts/walker.lua".into()], vec!["1 restarted".into()]);
    assert_eq!(
        reload(&project, &mut runtime, &["scripts/walker.lua"]),
        Reload::Done { files, tick: 600, changes }
    );
    assert_eq!(bodies(&runtime), before);
    assert_eq!(logged(&mut runtime), ["reloaded ann 1"]);
    runtime.step();
    // `run` began afresh, and its first walk is the one she is on: it goes on.
    assert_eq!(runtime.world().character_named("ann").unwrap().walk.as_ref().unwrap().id, walk);
    assert_eq!(run(&mut runtime, 10.0), ["new 2"]);
}

#[test]
fn a_broken_script_changes_nothing_and_says_where() {
    let project = project();
    let mut runtime = project.open();
    run(&mut runtime, 2.0);
    let before = runtime.world().checksum();
    for (broken, expected) in [
        ("local W = {\nfunction W.run(", "scripts/walker.lua:2:"),
        ("local W = {}\nreturn W.x.y", "scripts/walker.lua:2:"),
        ("local W = {}", "end it with `return NAME`"),
        ("", "end it with `return NAME`"),
        ("while true do end return {}", "endless loop"),
        ("countr = 1 return {}", "scripts/walker.lua:1:1: assignment to undeclared variable"),
    ] {
        project.write("scripts/walker.lua", broken);
        let problems = problems(reload(&project, &mut runtime, &["scripts/walker.lua"]));
        assert!(problems.len() == 1 && problems[0].contains(expected), "{broken}: {problems:?}");
        assert_eq!(runtime.world().checksum(), before);
    }
    assert_eq!(run(&mut runtime, 10.0), ["old 1"], "the old code goes on");
    project.write("scripts/walker.lua", &WALKER.replace("'old'", "'mended'"));
    assert!(matches!(reload(&project, &mut runtime, &["scripts/walker.lua"]), Reload::Done { .. }));
    assert_eq!(run(&mut runtime, 10.0), ["reloaded ann 1", "mended 2"]);
}

#[test]
fn a_failed_handler_is_armed_again_by_the_reload_that_mends_it() {
    let project = project();
    project.write("scripts/walker.lua", "return { on_update = function(self) self.n.n = 1 end }");
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.0).len(), 2, "the error, and that the handler is off");
    project.write("scripts/walker.lua", "return { on_update = function(self) if not self.said then self.said = true log.info('well') end end }");
    let _ = reload(&project, &mut runtime, &["scripts/walker.lua"]);
    assert_eq!(run(&mut runtime, 1.0), ["well"]);
}

#[test]
fn two_modules_change_together_or_not_at_all() {
    let project = project();
    let user = "local shared = require 'shared'\nlocal W = { own = 1 }\nfunction W.on_update() if room.tick % 60 == 0 then log.info(shared.value, W.own) end end\nreturn W";
    project.write("scripts/walker.lua", user);
    project.write("scripts/shared.lua", "return { value = 'a' }");
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.0), ["a 1"]);
    // One good, one broken at load: both stay old.
    project.write("scripts/shared.lua", "return { value = 'b' }");
    project.write("scripts/walker.lua", &user.replace("own = 1", "own = 2 .. nil"));
    let refused = problems(reload(&project, &mut runtime, &["scripts/shared.lua", "scripts/walker.lua"]));
    assert!(refused[0].starts_with("scripts/walker.lua:2:"), "{refused:?}");
    assert_eq!(run(&mut runtime, 1.0), ["a 1"]);
    // Mended: both new, though only one file changed since.
    project.write("scripts/walker.lua", &user.replace("own = 1", "own = 2"));
    let _ = reload(&project, &mut runtime, &["scripts/shared.lua", "scripts/walker.lua"]);
    assert_eq!(run(&mut runtime, 1.0), ["b 2"]);
    // Only what is required changes: its users see it.
    project.write("scripts/shared.lua", "return { value = 'c' }");
    let _ = reload(&project, &mut runtime, &["scripts/shared.lua"]);
    assert_eq!(run(&mut runtime, 1.0), ["c 2"]);
}

#[test]
fn a_refused_reload_takes_back_what_the_file_did_while_it_loaded() {
    let project = project();
    let beat = "every(1, function() log.info('beat') end)\nlocal W = {}\n";
    project.write("scripts/walker.lua", &format!("{beat}return W"));
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.5), ["beat"]);
    let before = runtime.world().checksum();
    let deeds = "every(0.1, function() log.info('double') end) set_area_available('door', true) spawn{at = 'bar'} random()\n";
    project.write("scripts/walker.lua", &format!("{beat}{deeds}error('no')\nreturn W"));
    let refused = problems(reload(&project, &mut runtime, &["scripts/walker.lua"]));
    assert!(refused[0].contains("scripts/walker.lua:4:") && refused[0].contains("no"), "{refused:?}");
    assert_eq!(runtime.world().checksum(), before);
    assert_eq!(run(&mut runtime, 1.0), ["beat"], "the old timer, and only it");
}

#[test]
fn a_caught_failure_of_a_required_file_is_a_failure_all_the_same() {
    let project = project();
    project.write("scripts/shared.lua", "return { word = 'old' }");
    project.write(
        "scripts/walker.lua",
        "local ok, shared = pcall(require, 'shared') return { on_update = function() if room.tick % 60 == 0 then log.info(ok and shared.word) end end }",
    );
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.0), ["old"]);
    project.write("scripts/shared.lua", "error('no') return { word = 'new' }");
    let refused = problems(reload(&project, &mut runtime, &["scripts/shared.lua"]));
    assert!(refused[0].starts_with("scripts/shared.lua:1:"), "{refused:?}");
    assert_eq!(run(&mut runtime, 1.0), ["old"]);
}

#[test]
fn another_script_takes_over_and_the_others_go_on() {
    let project = project();
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    project.write(
        "scripts/room.lua",
        "return { on_load = function() every(1, function() log.info('old room') end) end, on_click = 5 }",
    );
    project.write("scripts/other.lua", "return { on_load = function() log.info('new room') end, on_reload = function() log.info('never') end }");
    project.write(
        "scripts/extra.lua",
        "return { on_load = function() every(1, function() log.info('extra') end) end }",
    );
    project.write("scripts/sitter.lua", "return { on_reload = function(self, npc) log.info(npc.id, 'sits', self.rounds) end, run = function() wait(9) end }");
    let options = cicerone::runtime::Options::default().with_scripts(vec!["scripts/extra.lua".into()]);
    let mut runtime = project.open_with(options);
    assert_eq!(run(&mut runtime, 1.1), ["old room", "extra"]);
    let changed = text
        .replace("scripts/room.lua", "scripts/other.lua")
        .replace("scripts/walker.lua", "scripts/sitter.lua");
    project.write("rooms/hall.json", &changed);
    assert!(matches!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Done { .. }));
    assert_eq!(run(&mut runtime, 2.0), ["new room", "ann sits 0", "extra", "extra"]);
}

#[test]
fn a_file_that_closes_a_held_door_waits_like_a_script() {
    let project = project();
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let open = text.replace(r#""available": false"#, r#""available": true, "whenOccupied": "hold""#);
    project.write("rooms/hall.json", &open.replace("[6, 3]", "[8.5, 2]"));
    let mut runtime = project.open();
    run(&mut runtime, 0.1);
    let closed = open.replace(r#""available": true"#, r#""available": false"#);
    project.write("rooms/hall.json", &closed);
    assert!(matches!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Done { .. }));
    let bob = runtime.world().character_named("bob").unwrap().clone();
    assert_eq!(bob.position, Position::on_ground(glam::dvec2(8.5, 2.0)), "he is not moved out");
    let to = glam::dvec2(11.0, 2.0);
    runtime.send(cicerone::runtime::Input::Do(cicerone::world::Command::SetTarget {
        who: bob.id,
        to: to.into(),
    }));
    run(&mut runtime, 3.0);
    let world = runtime.world();
    let door = world.area_named("door").unwrap();
    assert!(!world.ground().area_available(door) && !world.is_closing(door));
}

#[test]
fn the_length_of_a_step_stays_for_a_whole_run() {
    let project = project();
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let mut runtime = project.open();
    project.write("rooms/hall.json", &text.replace("\"cellSize\"", "\"ticksPerSecond\": 30, \"cellSize\""));
    let refused = problems(reload(&project, &mut runtime, &["rooms/hall.json"]));
    assert!(
        refused[0].starts_with("rooms/hall.json:2:3:") && refused[0].contains("start the room again"),
        "{refused:?}"
    );
}

#[test]
fn an_obstacle_moves_under_walking_feet() {
    let project = project();
    let mut runtime = project.open();
    run(&mut runtime, 2.0);
    let ann = runtime.world().character_named("ann").unwrap().position;
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let (x, z) = (ann.at.x, ann.at.y);
    let table = format!(
        r#""obstacles": [ {{ "name": "table", "polygon": [[{}, {}], [{}, {}], [{}, {}], [{}, {}]] }} ], "points""#,
        x - 0.3,
        z - 0.3,
        x + 0.3,
        z - 0.3,
        x + 0.3,
        z + 0.3,
        x - 0.3,
        z + 0.3
    );
    project.write("rooms/hall.json", &text.replace("\"points\"", &table));
    assert!(matches!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Done { .. }));
    let moved = runtime.world().character_named("ann").unwrap().position;
    assert!(moved != ann && runtime.world().ground().is_walkable(moved), "she stands beside it now");
    assert_eq!(
        run(&mut runtime, 14.0).first().map(String::as_str),
        Some("old 1"),
        "and goes on with her round"
    );
    // The same content again is no change.
    assert_eq!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Unchanged);
}

#[test]
fn doors_stay_as_the_game_left_them_unless_the_file_changes_them() {
    let project = project();
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let mut runtime = project.open();
    let open = |runtime: &Runtime| {
        let world = runtime.world();
        world.ground().area_available(world.area_named("door").unwrap())
    };
    project.write("scripts/room.lua", "return { on_update = function(room) if room.tick == 1 then set_area_available('door', true) end end }");
    let _ = reload(&project, &mut runtime, &["scripts/room.lua"]);
    run(&mut runtime, 0.1);
    assert!(open(&runtime));
    project.write("rooms/hall.json", &text.replace("[1, 1] }", "[1.5, 1] }"));
    let _ = reload(&project, &mut runtime, &["rooms/hall.json"]);
    assert!(open(&runtime), "another change leaves the door alone");
    project.write("rooms/hall.json", &text.replace(r#""available": false"#, r#""available": true"#));
    let _ = reload(&project, &mut runtime, &["rooms/hall.json"]);
    project.write("rooms/hall.json", &text);
    let _ = reload(&project, &mut runtime, &["rooms/hall.json"]);
    assert!(!open(&runtime), "the file said true and says false now");
}

#[test]
fn people_come_and_go_with_the_file() {
    let project = project();
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let mut runtime = project.open();
    run(&mut runtime, 1.0);
    let bob = r#"{ "name": "bob", "at": [6, 3] }"#;
    let eve = r#"{ "name": "eve", "at": [7, 1], "script": "scripts/eve.lua" }"#;
    // A script that is not there yet: refused, at its place in the file.
    project.write("rooms/hall.json", &text.replace(bob, eve));
    let refused = problems(reload(&project, &mut runtime, &["rooms/hall.json"]));
    assert!(
        refused[0].starts_with("rooms/hall.json:12:") && refused[0].contains("no such file"),
        "{refused:?}"
    );
    assert!(runtime.world().character_named("bob").is_some());
    project
        .write("scripts/eve.lua", "return { on_spawn = function(self, npc) log.info('I am', npc.id) end }");
    assert!(matches!(
        reload(&project, &mut runtime, &["rooms/hall.json", "scripts/eve.lua"]),
        Reload::Done { .. }
    ));
    assert_eq!(run(&mut runtime, 0.1), ["I am eve"]);
    let names: Vec<String> = runtime.world().characters().iter().map(|c| c.name.clone()).collect();
    assert_eq!(names, ["ann", "eve"]);
}

#[test]
fn a_broken_room_changes_nothing_and_tells_everything() {
    let project = project();
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let mut runtime = project.open();
    run(&mut runtime, 1.0);
    let before = runtime.world().checksum();
    let broken = text.replace("\"cellSize\"", "\"cellSise\"").replace("\"at\": [6, 3]", "\"at\": [60, 3]");
    for (broken, expected) in [
        (broken.as_str(), &["rooms/hall.json:2:3", "cellSise"][..]),
        (&text[..text.len() / 2], &["rooms/hall.json:"][..]),
        ("", &["rooms/hall.json:1:1"][..]),
    ] {
        project.write("rooms/hall.json", broken);
        let problems = problems(reload(&project, &mut runtime, &["rooms/hall.json"])).join("\n");
        assert!(expected.iter().all(|part| problems.contains(part)), "{problems}");
        assert_eq!(runtime.world().checksum(), before);
    }
    // A broken script in the same batch is told with it.
    project.write("scripts/walker.lua", "return {{");
    let both = problems(reload(&project, &mut runtime, &["rooms/hall.json", "scripts/walker.lua"]));
    assert!(both.len() == 2 && both[1].starts_with("scripts/walker.lua:1:"), "{both:?}");
    project.write("scripts/walker.lua", WALKER);
    std::fs::remove_file(project.path("rooms/hall.json")).unwrap();
    let problems = problems(reload(&project, &mut runtime, &["rooms/hall.json"]));
    assert!(problems[0].contains("the file is gone"), "{problems:?}");
    run(&mut runtime, 1.0);
    project.write("rooms/hall.json", &text.replace("[1, 1] }", "[1.5, 1] }"));
    assert!(matches!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Done { .. }));
}

#[test]
fn a_save_that_covers_a_start_goes_live_with_a_warning() {
    let project = project();
    let mut runtime = project.open();
    run(&mut runtime, 1.0);
    let hall = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    let before = runtime.world().character_named("bob").unwrap().position;
    let chest =
        r#""obstacles": [{ "name": "chest", "polygon": [[5.5, 2.5], [6.5, 2.5], [6.5, 3.5], [5.5, 3.5]] }],"#;
    project.write("rooms/hall.json", &hall.replace("\"points\"", &format!("{chest}\n  \"points\"")));
    let reloaded = reload(&project, &mut runtime, &["rooms/hall.json"]);
    let Reload::Done { changes, .. } = reloaded else { panic!("{reloaded:?}") };
    let words = "'bob' starts inside obstacle 'chest', where no character can stand";
    assert_eq!(changes, ["+obstacle chest", words]);
    let told = run(&mut runtime, 0.0);
    let full = format!("{words}; the nearest walkable point is [");
    assert!(told.iter().any(|line| line.starts_with(&full)), "{told:?}");
    assert_ne!(runtime.world().character_named("bob").unwrap().position, before, "beside the chest");
    // A start off the ground is a mistake still.
    project.write("rooms/hall.json", &hall.replace("\"at\": [6, 3]", "\"at\": [60, 3]"));
    let refused = problems(reload(&project, &mut runtime, &["rooms/hall.json"]));
    assert!(refused[0].contains("outside every area"), "{refused:?}");
}
