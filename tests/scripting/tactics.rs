//! The tactical level from scripts: walks over cells, falls, turns, doors, saving, reloading, bad input.

use crate::common::project::{Project, reload, run};
use cicerone::project::Project as Folder;
use cicerone::record::{Buffer, Recording, Replay};
use cicerone::runtime::{Options, Reload, Runtime};

/// Six by four cells, a block to fall from, and a wall with a door between the third and the fourth column.
const ROOM: &str = r#"{
  "script": "scripts/room.lua",
  "tactics": { "brushes": [
    { "box": [[0, 0, 0], [192, 128, 8]] },
    { "box": [[0, 96, 8], [32, 128, 72]] },
    { "box": [[94, 0, 8], [98, 64, 136]] },
    { "box": [[94, 64, 8], [98, 96, 136]], "area": "door" },
    { "box": [[94, 96, 8], [98, 128, 136]] }
  ] },
  "characters": [
    { "name": "ann", "at": [0.5, 0.5], "script": "scripts/ann.lua", "actor": { "side": "squad", "budget": 20 } },
    { "name": "bob", "at": [2.5, 1.5], "actor": { "side": "squad" } },
    { "name": "eve", "at": [5, 1], "actor": { "side": "others", "size": 2 } }
  ]
}"#;

fn project(ann: &str, room: &str) -> Project {
    Project::new(&[("rooms/site.json", ROOM), ("scripts/ann.lua", ann), ("scripts/room.lua", room)])
}

/// A room script whose `run` is this.
fn play(body: &str) -> Project {
    let room = format!(
        "local S = {{}}\nfunction S.run(room)\nlocal tactics = room:tactics()\n\
         local ann, bob, eve = room:npc('ann'), room:npc('bob'), room:npc('eve')\n\
         local function at(x, y, level) return {{ x = x, y = y, level = level or 0 }} end\n{body}\nend\nreturn S"
    );
    project("return {}", &room)
}

fn open(project: &Project) -> Runtime {
    Runtime::open(&project.path("rooms/site.json"), Options::default()).unwrap()
}

#[test]
fn each_move_is_told_and_costs_its_time_units() {
    let ann = "local A = {}
        function A.on_step(self, npc, step) log.info(step.move, step.x, step.y, step.level, step.stance, step.tu) end
        function A.on_fall(self, npc, step) log.info('falls to', step.level) end
        function A.on_crouch(self, npc) log.info('crouches') end
        function A.on_walk_ended(self, npc, reason) log.info('ended', reason, room:tactics():actor(npc).tu) end
        return A";
    let room = "local S = {}
        function S.run(room)
          local tactics, ann = room:tactics(), room:npc('ann')
          tactics:place(ann, { x = 0, y = 3, level = 1 })
          tactics:walk(ann, tactics:path_to(ann, { x = 2, y = 3, level = 0 }))
          tactics:crouch(ann)
          log.info(ann.x, ann.z)
        end
        return S";
    let told = run(&mut open(&project(ann, room)), 10.0);
    let expected = [
        "walk 1 3 1 stand 2",
        "falls to 0",
        "fall 1 3 0 stand 0",
        "walk 2 3 0 stand 2",
        "ended arrived 16",
        "crouches",
        "crouch 2 3 0 crouch 3",
        "ended arrived 13",
        "2.5 3.5",
    ];
    assert_eq!(told, expected);
}

#[test]
fn the_budget_is_strict_and_taken_cells_block() {
    let project = play(
        "local path = tactics:path_to(ann, at(1, 1))
         for _ = 1, 3 do path[#path + 1] = at(1, 0); path[#path + 1] = at(1, 1) end
         tactics:place(ann, at(0, 0), { budget = 8 })
         log.info(tactics:walk(ann, path))
         log.info(tactics:actor(ann).tu, tactics:actor(ann).x, tactics:actor(ann).y)
         tactics:end_turn() tactics:end_turn()
         log.info(tactics:actor(ann).tu)
         log.info(tactics:path_to(ann, at(2, 1)), tactics:cost_to(ann, at(2, 1)))
         log.info(tactics:walk(ann, { at(2, 1) }))
         log.info(ann:last_walk().blocked_by, tactics:actor(ann).x)
         log.info(#tactics:reach(ann, 0), #tactics:reach(ann, 2))",
    );
    let expected = ["false partial", "1 1 1", "8", "nil nil nil", "false blocked", "bob 1", "1 4"];
    assert_eq!(run(&mut open(&project), 30.0), expected);
}

#[test]
fn doors_open_close_and_stop_those_on_the_way() {
    let project = play(
        "log.info(tactics:cost_to(ann, at(4, 3)))
         room:set_area_available('door', true)
         tactics:place(bob, at(2, 0))
         tactics:place(ann, at(0, 2))
         local tu = tactics:cost_to(ann, at(3, 2))
         local path = tactics:path_to(ann, at(3, 2))
         log.info(tu, #path)
         after(0.5, function() room:set_area_available('door', false) end)
         log.info(tactics:walk(ann, path, { speed = 2 }))
         log.info(tactics:actor(ann).x)
         log.info(tactics:cost_to(eve, at(0, 0)))",
    );
    assert_eq!(run(&mut open(&project), 10.0), ["nil nil", "6 3", "false blocked", "2", "nil nil"]);
}

#[test]
fn turns_go_round_and_give_time_units() {
    let room = "local S = {}
        function S.on_turn(room, side, round) log.info(round, side) end
        function S.run(room)
          local tactics = room:tactics()
          log.info(table.concat(tactics:sides(), ' '))
          tactics:walk(room:npc('ann'), tactics:path_to(room:npc('ann'), { x = 1, y = 1, level = 0 }))
          for _ = 1, 3 do tactics:end_turn() wait(0.1) end
          log.info(tactics.side, tactics.round, tactics:actor(room:npc('ann')).tu)
          tactics:begin_turn('squad')
          tactics:begin_turn('others')
          wait(0.1)
          tactics:begin_turn('squadd')
        end
        return S";
    let ann =
        "local A = {} function A.on_turn(self, npc, side, round) log.info('my turn', round) end return A";
    let told = run(&mut open(&project(ann, room)), 5.0);
    let (error, told) = told.split_last().unwrap();
    let expected = [
        "1 squad",
        "my turn 1",
        "squad others",
        "1 others",
        "2 squad",
        "my turn 2",
        "2 others",
        "others 2 20",
        "3 squad",
        "my turn 3",
        "3 others",
    ];
    assert_eq!(told, expected);
    assert!(error.contains("no actor is on a side 'squadd'; did you mean 'squad'?"), "{error}");
}

#[test]
fn mistakes_say_what_is_wrong() {
    let cases = [
        (
            "tactics:walk(ann, { at(4, 0) })",
            "step 1 of the path is no move: from 0, 0 on level 0 to 4, 0 on level 0",
        ),
        ("tactics:walk(ann, { { x = 1, y = 0 } })", "path[1].level must be a whole number, not nil"),
        ("tactics:walk(ann, at(1, 1))", "path must be a list"),
        (
            "ann:walk_to({ x = 1, z = 1 })",
            "'ann' is an actor of the tactical level: it moves with room:tactics():walk",
        ),
        ("tactics:place(ann, at(0, 3, 0))", "no room for the actor at cell 0, 3 on level 0"),
        ("tactics:place(ann, at(2, 1))", "cell 2, 1 on level 0 is taken by 'bob'"),
        (
            "tactics:place(ann, at(1, 1), { budget = -1 })",
            "budget must be a whole number of TU from 0 to 65535, not -1",
        ),
        ("tactics:place(ann, at(1, 1), { size = 3 })", "size must be 1 or 2, not 3"),
        ("tactics:place(ann, at(1, 1), { stance = 'lie' })", "no stance 'lie'; there are stand, crouch"),
        ("tactics:remove(bob) tactics:reach(bob)", "'bob' is no actor of the tactical level"),
        ("tactics:walk(ann, {}, { speed = 0 })", "the speed must be"),
        ("tactics:reach(ann, 70000)", "budget must be a whole number of TU from 0 to 65535"),
        ("tactics:cost(ann, at(1, 1))", "did you mean tactics:cost_to(…)?"),
        ("tactics.side = 'squad'", "tactics.side cannot be set"),
    ];
    for (code, expected) in cases {
        let mut runtime = open(&play(code));
        let told = run(&mut runtime, 1.0);
        assert!(told.len() == 1 && told[0].contains(expected), "{code}: {told:?}");
        assert!(told[0].contains("scripts/room.lua:6"), "{code}: {told:?}");
    }
}

#[test]
fn a_save_in_the_middle_of_a_walk_goes_on_as_the_run_does() {
    let project = project("return {}", "return {}");
    let mut runtime = open(&project);
    let ann = runtime.world().character_named("ann").unwrap().id;
    let stand = cicerone::room::Stance::Stand;
    let steps = vec![([1, 1, 0], stand), ([1, 2, 0], stand), ([0, 2, 0], stand)];
    let walk = cicerone::world::Command::WalkCells { who: ann, steps, cells_per_s: 1.0 };
    runtime.apply(walk).unwrap();
    (0..70).for_each(|_| runtime.step());
    let saved = runtime.save().unwrap();
    let folder = Folder::containing(&project.path("rooms/site.json"));
    let mut restored = Runtime::restore(folder, &saved, Options::default()).unwrap();
    for tick in 0..300 {
        assert_eq!(runtime.world().checksum(), restored.world().checksum(), "tick {tick}");
        runtime.step();
        restored.step();
    }
    let world = restored.world();
    let actor = world.character_named("ann").unwrap().actor.as_deref().unwrap();
    assert_eq!((actor.cell, actor.tu, actor.walk.is_none()), ([0, 2, 0], 20 - 3 - 2 - 2, true));
}

#[test]
fn a_recording_replays() {
    let project = play(
        "tactics:place(ann, at(0, 3, 1), { side = 'squad', budget = 30 })
         tactics:walk(ann, tactics:path_to(ann, at(2, 3)))
         tactics:fly(ann, true)
         room:set_area_available('door', true)
         tactics:end_turn()
         log.info(tactics:remove(bob))",
    );
    let mut runtime = open(&project);
    let buffer = Buffer::default();
    runtime.record(Box::new(buffer.clone())).unwrap();
    assert_eq!(run(&mut runtime, 10.0), ["true"]);
    runtime.stop_recording().unwrap();
    let recording = Recording::read(&buffer.bytes()).unwrap();
    let mut replay = Replay::new(&recording).unwrap();
    while let Some(tick) = replay.step().unwrap() {
        assert!(tick.is_ok(), "{tick:?}");
    }
    assert_eq!(replay.world().checksum(), runtime.world().checksum());
}

#[test]
fn a_changed_level_is_live_and_a_broken_one_changes_nothing() {
    let project = project("return {}", "return {}");
    let mut runtime = open(&project);
    (0..10).for_each(|_| runtime.step());
    let cell = |runtime: &Runtime, name: &str| {
        runtime.world().character_named(name).unwrap().actor.as_ref().map(|actor| (actor.cell, actor.budget))
    };
    // A floor under bob that is gone: he falls; more TU for ann.
    let before = runtime.world().checksum();
    for broken in [
        ROOM.replace("[192, 128, 8]", "[192, 128, 0]"),
        ROOM.replace("\"budget\": 20", "\"budget\": 70000"),
        ROOM.replace(
            "\"box\": [[0, 96, 8], [32, 128, 72]]",
            "\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]",
        ),
    ] {
        project.write("rooms/site.json", &broken);
        let refused = reload(&project, &mut runtime, &["rooms/site.json"]);
        assert!(matches!(refused, Reload::Refused { .. }), "{refused:?}");
        assert_eq!(runtime.world().checksum(), before);
    }
    let changed =
        ROOM.replace("[192, 128, 8]]", "[192, 128, 16]]").replace("\"budget\": 20", "\"budget\": 25");
    let with_block = changed.replace(
        "{ \"box\": [[94, 0, 8]",
        "{ \"box\": [[64, 32, 8], [94, 64, 510]] }, { \"box\": [[94, 0, 8]",
    );
    // In the file, bob starts elsewhere; in the game he stands where the block is now.
    let with_block = with_block.replace("[2.5, 1.5]", "[0.5, 1.5]");
    project.write("rooms/site.json", &with_block);
    let done = reload(&project, &mut runtime, &["rooms/site.json"]);
    let Reload::Done { changes, .. } = done else { panic!("{done:?}") };
    assert!(changes.iter().any(|change| change.contains("tactical level")), "{changes:?}");
    assert!(!changes.iter().any(|change| change.contains("settings")), "nothing else: {changes:?}");
    assert_eq!(cell(&runtime, "ann"), Some(([0, 0, 0], 25)));
    // Bob's cell is solid now: he has left the level.
    assert_eq!(cell(&runtime, "bob"), None);
}

#[test]
fn faults_of_levels_and_actors_have_their_line() {
    let case = |from: &str, to: &str, expected: &[&str]| {
        assert!(ROOM.contains(from), "{from}");
        let project = project("return {}", "return {}");
        project.write("rooms/site.json", &ROOM.replacen(from, to, 1));
        let Err(error) = Runtime::open(&project.path("rooms/site.json"), Options::default()) else {
            panic!("{to} is no fault");
        };
        let text = error.to_string();
        for word in expected {
            assert!(text.contains(word), "{to}: {word} is not in {text}");
        }
    };
    case(
        "[0.5, 0.5]",
        "[0.5, 3.5]",
        &["site.json:11:28", "'ann' starts in a wall, or where no floor is", "cell 0, 3 on level 0"],
    );
    case("[0.5, 0.5]", "[2.5, 1.5]", &["site.json:12:28", "'bob' starts on the cell of 'ann'"]);
    case("[5, 1]", "[5.9, 1]", &["site.json:13:28", "'eve' starts in a wall", "6 × 4 cells of 1 m"]);
    case("\"budget\": 20", "\"budget\": -1", &["site.json:11:", "budget"]);
    case("\"size\": 2", "\"size\": 3", &["site.json:13:", "size"]);
    case("[192, 128, 8]", "[192, 128, 0]", &["site.json:", "flat"]);
    case("\"tactics\"", "\"tactical\"", &["tactical"]);
    let bare = r#"{ "areas": [{ "name": "hall", "polygon": [[0,0],[9,0],[9,9]] }],
      "characters": [{ "name": "ann", "at": [5, 2], "actor": {} }] }"#;
    let project = Project::new(&[("rooms/site.json", bare)]);
    let error =
        Runtime::open(&project.path("rooms/site.json"), Options::default()).err().unwrap().to_string();
    assert!(error.contains("an actor without a tactical level"), "{error}");
    let low = r#"{ "tactics": { "brushes": [{ "box": [[0, 0, 0], [64, 64, 8]] }, { "box": [[0, 0, 16], [64, 64, 512]] }] } }"#;
    let project = Project::new(&[("rooms/site.json", low)]);
    let error =
        Runtime::open(&project.path("rooms/site.json"), Options::default()).err().unwrap().to_string();
    assert!(error.contains("the tactical level has no floor"), "{error}");
}
