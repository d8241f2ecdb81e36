//! Timers with a name, and what `run` spawns: what survives reloads and saved rooms.

use crate::common::project::{HALL, Project, logged, reload, run};
use cicerone::project::Project as Folder;
use cicerone::runtime::{Options, Runtime, Saved};

fn hall(room: &str, ann: &str) -> Project {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/ann.lua","#);
    Project::new(&[("rooms/hall.json", &*hall), ("scripts/room.lua", room), ("scripts/ann.lua", ann)])
}

/// Saves the room, and goes on with what was saved.
fn restored(project: &Project, runtime: &Runtime) -> Runtime {
    let text = runtime.save().unwrap().to_json().unwrap();
    let saved = Saved::read("game.save", &text).unwrap();
    assert_eq!(saved.unsaved, Vec::<String>::new());
    let folder = Folder::containing(&project.path("rooms/hall.json"));
    let mut runtime = Runtime::restore(folder, &saved, Options::default()).unwrap();
    logged(&mut runtime);
    runtime
}

const ROOM: &str = "local R = {}
    function R.on_load(room)
      after(2, 'open', { door = 'door', who = room:npc('bob') })
      every(0.5, 'beat')
      room.state.called_off = after(1.5, 'never')
      after(1.9, 'by name')
    end
    function R.on_timer(room, name, data)
      if name == 'beat' then room.state.beats = (room.state.beats or 0) + 1 return end
      log.info(('%.1f'):format(room.time), name, data, room.state.beats)
      if name == 'open' then cancel('beat') end
    end
    function R.on_message(room) log.info(cancel(room.state.called_off), cancel('by name'), cancel('by name')) end
    function R.run(room) wait(0.1) after(3, 'run') wait(99) end
    return R";

const ANN: &str = "local A = {}
    function A.on_spawn(self, npc) after(1, 'mine', 7) send(room, 'stop') end
    function A.on_timer(self, npc, name, data) log.info(npc.id, name, data) end
    return A";

#[test]
fn timers_with_a_name_tell_on_timer() {
    let mut runtime = hall(ROOM, ANN).open();
    let expected = [
        "true true false".to_owned(),
        "ann mine 7".to_owned(),
        "2.0 open {door = \"door\", who = npc:bob} 3".to_owned(),
        "3.1 run nil 3".to_owned(),
    ];
    assert_eq!(run(&mut runtime, 6.0), expected);
}

#[test]
fn timers_with_a_name_are_saved_and_survive_reloads() {
    let project = hall(ROOM, ANN);
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 0.05), ["true true false"]);
    let mut runtime = restored(&project, &runtime);
    assert_eq!(run(&mut runtime, 0.75), Vec::<String>::new());
    // `run` begins again with the reload, and sets its timer anew: there is one of it.
    project.write("scripts/room.lua", &ROOM.replace("log.info(('%.1f')", "log.info('new', ('%.1f')"));
    let _ = reload(&project, &mut runtime, &["scripts/room.lua"]);
    logged(&mut runtime);
    let mut runtime = restored(&project, &runtime);
    let expected = ["ann mine 7", "new 2.0 open {door = \"door\", who = npc:bob} 3", "new 3.9 run nil 3"];
    assert_eq!(run(&mut runtime, 6.0), expected);
}

#[test]
fn timers_with_a_name_belong_to_scripts() {
    for (line, problem) in [
        ("after(1, 'x')", "a file's own lines have no on_timer; set it in on_load"),
        ("local function f() after(1, '') end f()", "no on_timer"),
        ("after(1, 5)", "action must be a function, not 5"),
    ] {
        let project = hall(&format!("{line}\nreturn {{}}"), "return {}");
        let told = logged(&mut project.open());
        assert!(told.iter().any(|told| told.contains(problem)), "{line}: {told:?}");
    }
}

#[test]
fn a_timer_that_nobody_is_told_of_is_an_error() {
    let room = "return { on_load = function(room) every(0.1, 'x') end }";
    let mut runtime = hall(room, "return {}").open();
    let told = run(&mut runtime, 1.0);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("scripts/room.lua:1: the timer 'x' is due, and this script has no on_timer"));
}

#[test]
fn data_that_cannot_be_saved_is_named() {
    let room = "return { on_load = function(room) after(9, 'x', { f = print }) end }";
    let mut runtime = hall(room, "return {}").open();
    runtime.step();
    let error = runtime.save().unwrap_err();
    let refused = error.obstacles();
    assert!(refused[0].starts_with("the data of timer 'x'.f is a function"), "{refused:?}");
}

#[test]
fn run_finds_what_it_spawned_before() {
    let room = "local R = {}
        function R.run(room)
          local tom, is_new = room:spawn_once{ name = 'tom', at = 'bar', script = 'scripts/ann.lua' }
          log.info(tom.id, is_new, tom.x > 2)
          wait(99)
        end
        return R";
    let ann =
        "return { run = function(self, npc) if npc.id == 'tom' then npc:walk_to(5, 1) wait(99) end end }";
    let project = hall(room, ann);
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 2.0), ["tom true false"]);
    project.write("scripts/room.lua", &room.replace("wait(99)", "wait(98)"));
    let _ = reload(&project, &mut runtime, &["scripts/room.lua"]);
    assert_eq!(run(&mut runtime, 0.5), ["tom false true"]);
    let mut runtime = restored(&project, &runtime);
    assert_eq!(run(&mut runtime, 0.5), ["tom false true"]);
    assert_eq!(runtime.world().characters().len(), 3);
    let nameless = "return { on_load = function(room) spawn_once{ at = 'bar' } end }";
    let told = run(&mut hall(nameless, "return {}").open(), 0.1);
    assert!(told[0].contains("spawn_once: options must have a name"), "{told:?}");
}

/// Each is told once, with the call that ends it: while no code names the timer, and while no handler takes it.
#[test]
fn a_named_timer_without_code_is_told_once_after_a_reload() {
    let script = "local R = {}
function R.on_load() every(0.5, 'gong', 7) every(0.5, 'close_' .. 'gate') end
function R.on_timer(room, name) if name == 'gong' then log.info(name) end end
return R
";
    let room = r#"{"areas": [{"name": "hall", "polygon": [[0, 0], [8, 0], [8, 4], [0, 4]]}], "script": "scripts/r.lua"}"#;
    let project = Project::new(&[("rooms/hall.json", room), ("scripts/r.lua", script)]);
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.1), ["gong", "gong"]);
    project.write(
        "scripts/r.lua",
        &script.replace("every(0.5, 'gong', 7)", "").replace("name == 'gong'", "true"),
    );
    let _ = reload(&project, &mut runtime, &["scripts/r.lua"]);
    let told = run(&mut runtime, 1.0);
    let warnings: Vec<&String> = told.iter().filter(|line| line.contains("no code names it")).collect();
    assert!(warnings.len() == 1 && warnings[0].contains("cancel(\"gong\")"), "{told:?}");
    assert_eq!(told.iter().filter(|line| *line == "gong").count(), 2, "it goes on: {told:?}");
    project.write("scripts/r.lua", &script.replace("on_timer", "on_clock"));
    let _ = reload(&project, &mut runtime, &["scripts/r.lua"]);
    let told = run(&mut runtime, 3.0);
    let errors: Vec<&String> = told.iter().filter(|line| line.contains("no on_timer to tell it")).collect();
    assert!(errors.len() == 2 && errors[0].contains("cancel(\"gong\") ends it"), "{told:?}");
    assert_eq!(runtime.tally().script_errors, 2, "each timer once");
    project.write("scripts/r.lua", script);
    let _ = reload(&project, &mut runtime, &["scripts/r.lua"]);
    assert_eq!(run(&mut runtime, 1.0).iter().filter(|line| *line == "gong").count(), 2, "it is told again");
}

/// Whether it goes on, has ended or has failed: a `run` that begins again sets its timers again, not twice.
#[test]
fn a_run_that_begins_again_has_its_timers_once() {
    for end in ["wait(100)", "do return end", "error('no')"] {
        let script = format!(
            "local R = {{}}\nfunction R.run() every(0.5, function() log.info('tick') end) {end} end\nreturn R\n"
        );
        let room = r#"{"areas": [{"name": "hall", "polygon": [[0, 0], [8, 0], [8, 4], [0, 4]]}], "script": "scripts/r.lua"}"#;
        let project = Project::new(&[("rooms/hall.json", room), ("scripts/r.lua", &script)]);
        let mut runtime = project.open();
        let ticks = |told: &[String]| told.iter().filter(|line| *line == "tick").count();
        assert_eq!(ticks(&run(&mut runtime, 1.1)), 2, "{end}");
        for more in ["-- one", "-- two"] {
            project.write("scripts/r.lua", &format!("{script}{more}"));
            let _ = reload(&project, &mut runtime, &["scripts/r.lua"]);
            assert_eq!(ticks(&run(&mut runtime, 1.1)), 2, "{end}");
        }
        project.write("rooms/hall.json", &room.replace("[8, 4]", "[8, 5]"));
        let _ = reload(&project, &mut runtime, &["rooms/hall.json"]);
        assert_eq!(ticks(&run(&mut runtime, 1.1)), 2, "{end}");
    }
}
