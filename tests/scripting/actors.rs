//! Actors where it is not plain where they stand or whose turn it is: falls, doors, death and return, sides.

use crate::common::project::{Project, reload, run};
use cicerone::project::Project as Folder;
use cicerone::runtime::{Options, Reload, Runtime};
use cicerone::scenario::monkey::Watch;

/// Six by four cells: a block to fall from at 0, 3; a door that fills the column x = 2; a ladder at 5, 0; and a low ceiling
/// over 4, 3.
const BRUSHES: &str = r#""tactics": { "brushes": [
    { "box": [[0, 0, 0], [192, 128, 8]] },
    { "box": [[0, 96, 8], [32, 128, 72]] },
    { "box": [[64, 0, 8], [96, 128, 512]], "area": "door" },
    { "box": [[168, 0, 8], [184, 4, 140]], "ladder": "north" },
    { "box": [[128, 96, 40], [160, 128, 72]] }
  ] }"#;

const CHARACTERS: &str = r#""characters": [
    { "name": "ann", "at": [0.5, 0.5], "actor": { "side": "squad" }, "script": "scripts/ann.lua" },
    { "name": "bob", "at": [1.5, 1.5], "actor": { "side": "others" } },
    { "name": "eve", "at": [5, 2], "actor": { "side": "big", "size": 2 } }
  ]"#;

fn room(areas: &str) -> String {
    format!("{{ \"script\": \"scripts/room.lua\", {areas} {BRUSHES}, {CHARACTERS} }}")
}

/// A room whose script runs this.
fn play_in(room: &str, ann: &str, body: &str) -> Project {
    let script = format!(
        "local S = {{}}\nfunction S.run(room)\nlocal tactics = room:tactics()\n\
         local ann, bob, eve = room:npc('ann'), room:npc('bob'), room:npc('eve')\n\
         local function at(x, y, level) return {{ x = x, y = y, level = level or 0 }} end\n\
         local function where(npc) local a = tactics:actor(npc) return a.x .. ',' .. a.y .. ',' .. a.level end\n\
         {body}\nend\nreturn S"
    );
    Project::new(&[("rooms/site.json", room), ("scripts/ann.lua", ann), ("scripts/room.lua", &script)])
}

fn open(project: &Project) -> Runtime {
    Runtime::open(&project.path("rooms/site.json"), Options::default()).unwrap()
}

fn told(body: &str) -> Vec<String> {
    run(&mut open(&play_in(&room(""), "return {}", body)), 10.0)
}

#[test]
fn one_that_comes_back_to_life_gets_the_nearest_free_place() {
    let told = told(
        "for _, key in ipairs { 'alive', 'enabled' } do
           tactics:place(ann, at(1, 1 + 1))
           ann[key] = false
           tactics:place(bob, at(1, 2))
           ann[key] = true
           log.info(key, where(ann), where(bob), ann.x, ann.z)
           ann[key] = false
           ann[key] = true -- its place is free now
           log.info(where(ann))
           tactics:place(bob, at(1, 0))
         end",
    );
    assert_eq!(told, ["alive 0,1,0 1,2,0 0.5 1.5", "0,1,0", "enabled 0,1,0 1,2,0 0.5 1.5", "0,1,0"]);
}

#[test]
fn without_a_free_place_nobody_comes_back() {
    let tiny = r#"{ "script": "scripts/room.lua",
      "tactics": { "brushes": [{ "box": [[0, 0, 0], [64, 32, 8]] }] },
      "characters": [{ "name": "ann", "at": [0.5, 0.5], "actor": {} }, { "name": "bob", "at": [1.5, 0.5], "actor": {} },
        { "name": "eve", "at": [1, 0.5] }] }"#;
    let body = "ann.alive = false tactics:place(eve, at(0, 0))
         log.info(pcall(function() ann.alive = true end))
         log.info(ann.alive, where(ann))
         tactics:remove(bob)
         ann.alive = true
         log.info(ann.alive, where(ann), tactics:actor(ann).side)";
    let told = run(&mut open(&play_in(tiny, "return {}", body)), 1.0);
    assert!(told[0].contains("no place on the tactical level is free for 'ann'"), "{told:?}");
    assert_eq!(told[1..], ["false 0,0,0", "true 1,0,0 neutral"]);
}

/// What happens if ann's script does this in mid-fall, on her way from the block to 1, 3.
fn in_mid_fall(body: &str) -> Vec<String> {
    let ann = format!(
        "local A = {{}}
         function A.on_step(self, npc, step)
           if self.done or step.level == 0 then return end
           self.done = true
           local tactics = room:tactics()
           start(function()
             {body}
             local at = tactics:actor(npc)
             log.info(at.x, at.y, at.level, at.stance, at.tu)
           end)
         end
         return A"
    );
    let body = "tactics:place(ann, at(0, 3, 1))
         log.info(tactics:walk(ann, { at(1, 3, 1), at(1, 3, 0), at(1, 2, 0) }))";
    let mut told = run(&mut open(&play_in(&room(""), &ann, body)), 10.0);
    told.sort();
    told
}

#[test]
fn in_mid_fall_paths_and_walks_agree() {
    let told =
        in_mid_fall("log.info('walk', tactics:walk(npc, tactics:path_to(npc, { x = 0, y = 2, level = 0 })))");
    assert_eq!(told, ["0 2 0 stand 44", "false cancelled", "walk true arrived"]);
    // What is left of the path that it was on is one, too.
    let rest = "{ { x = 1, y = 3, level = 0 }, { x = 1, y = 2, level = 0 } }";
    let told = in_mid_fall(&format!("log.info('walk', tactics:walk(npc, {rest}))"));
    assert_eq!(told, ["1 2 0 stand 46", "false cancelled", "walk true arrived"]);
}

#[test]
fn a_flier_stops_its_fall() {
    let told = in_mid_fall("tactics:fly(npc, true) wait(1)");
    assert_eq!(told, ["1 3 1 stand 48", "false cancelled"]);
    let told = in_mid_fall("tactics:fly(npc, true) tactics:fly(npc, false) wait(1)");
    assert_eq!(told, ["1 3 0 stand 48", "false cancelled"]);
}

#[test]
fn those_who_cannot_crouch_or_stand_are_told_so() {
    let told_in_fall = in_mid_fall("log.info('crouch', tactics:crouch(npc))");
    assert_eq!(told_in_fall, ["1 3 0 crouch 45", "crouch true arrived", "false cancelled"]);
    let told = told(
        "tactics:place(ann, at(5, 0, 1))
         log.info('on a ladder', where(ann), tactics:crouch(ann))
         tactics:place(ann, at(4, 0, 1), { flies = true })
         log.info('in the air', where(ann), tactics:crouch(ann))
         tactics:place(ann, at(4, 3, 0), { flies = false, stance = 'crouch' })
         log.info('in a low place', tactics:stand(ann))
         log.info(tactics:crouch(ann))
         log.info(tactics:actor(ann).tu, tactics:actor(ann).stance)",
    );
    let expected = [
        "on a ladder 5,0,1 false blocked",
        "in the air 4,0,1 false blocked",
        "in a low place false blocked",
        "true arrived",
        "50 crouch",
    ];
    assert_eq!(told, expected);
}

#[test]
fn who_falls_on_another_one_lands_beside_it() {
    let told = told(
        "tactics:place(ann, at(4, 0, 2), { flies = true })
         tactics:place(bob, at(4, 0))
         tactics:fly(ann, false)
         log.info(where(ann), where(bob))",
    );
    assert_eq!(told, ["3,0,0 4,0,0"]);
}

#[test]
fn the_height_of_an_actor_is_that_of_its_floor() {
    let told = told(
        "log.info(ann.y)
         tactics:place(ann, at(0, 3, 1))
         log.info(ann.y)
         local last, between, rises = ann.y, 0, false
         every(0.05, function()
           rises, last = rises or ann.y > last, ann.y
           if ann.y > 0.3 and ann.y < 1.9 then between = between + 1 end
         end)
         tactics:walk(ann, tactics:path_to(ann, at(1, 2)), { speed = 1 })
         log.info(ann.y, between > 3, rises)
         tactics:place(ann, at(4, 0, 3), { flies = true })
         log.info(ann.y)",
    );
    assert_eq!(told, ["0.25", "2.25", "0.25 true false", "6.0"]);
}

#[test]
fn sides_keep_their_order_and_the_dead_have_no_turn() {
    let project = play_in(
        &room(""),
        "return {}",
        "local function turn() tactics:end_turn() return tactics.side .. ' ' .. tactics.round end
         local function sides() return table.concat(tactics:sides(), ' ') end
         log.info(sides())
         ann:despawn()
         log.info(sides(), turn(), turn(), turn())
         spawn { name = 'amy', at = { x = 0.5, z = 0.5 } }
         tactics:place(room:npc('amy'), at(0, 0), { side = 'squad' })
         log.info(sides(), turn(), turn())
         bob.alive = false
         log.info(sides(), turn(), turn())
         log.info(#tactics:reach(bob), tactics:path_to(bob, at(1, 2)), tactics:cost_to(bob, at(1, 2)))
         bob.alive, bob.enabled = true, false
         log.info(sides(), turn(), #tactics:reach(bob))
         tactics:begin_turn('others')
         log.info(tactics.side, tactics.round)
         eve.alive, room:npc('amy').alive = false, false
         log.info(#tactics:sides(), pcall(function() tactics:end_turn() end))",
    );
    let mut runtime = open(&project);
    let told = run(&mut runtime, 1.0);
    let (last, told) = told.split_last().unwrap();
    let expected = [
        "squad others big",
        "others big others 1 big 1 others 2",
        "squad others big big 2 squad 3",
        "squad big big 3 squad 4",
        "0 nil nil nil",
        "squad big big 4 0",
        "others 5",
    ];
    assert_eq!(told, expected);
    assert!(last.starts_with("0 false") && last.contains("no side can have the turn"), "{last}");
}

#[test]
fn the_order_of_sides_is_saved_and_outlives_a_reload() {
    let project = play_in(&room(""), "return {}", "ann:despawn()");
    let mut runtime = open(&project);
    run(&mut runtime, 0.5);
    let saved = runtime.save().unwrap();
    let folder = Folder::containing(&project.path("rooms/site.json"));
    let restored = Runtime::restore(folder, &saved, Options::default()).unwrap();
    assert_eq!(restored.world().checksum(), runtime.world().checksum());
    // Ann comes again with a file that has changed: her side has its old place.
    for mut runtime in [runtime, restored] {
        project.write("rooms/site.json", &room("").replace("\"ann\"", "\"anna\""));
        let done = reload(&project, &mut runtime, &["rooms/site.json"]);
        assert!(matches!(done, Reload::Done { .. }), "{done:?}");
        assert_eq!(runtime.world().sides(), ["squad", "others", "big"]);
        project.write("rooms/site.json", &room(""));
    }
}

#[test]
fn a_door_moves_those_who_are_in_it() {
    let told = told(
        "room:set_area_available('door', true)
         tactics:place(bob, at(2, 1))
         tactics:place(eve, at(2, 2))
         tactics:place(ann, at(2, 0))
         ann.alive = false
         log.info(room:set_area_available('door', false), room:area('door').available)
         log.info(where(ann), where(bob), where(eve), bob.x, bob.z)
         log.info(#tactics:reach(bob, 2) > 1, tactics:cost_to(bob, at(4, 0)))
         ann.alive = true
         log.info(where(ann))",
    );
    assert_eq!(told, ["true false", "1,0,0 1,0,0 3,1,0 1.5 0.5", "true nil nil", "0,0,0"]);
}

#[test]
fn a_door_cuts_off_those_who_walk_into_it() {
    let told = told(
        "room:set_area_available('door', true)
         tactics:place(bob, at(1, 1))
         after(0.5, function() room:set_area_available('door', false) end)
         log.info(tactics:walk(bob, { at(2, 1), at(3, 1) }, { speed = 1 }))
         log.info(where(bob), tactics:actor(bob).tu)
         room:set_area_available('door', true)
         after(1.5, function() room:set_area_available('door', false) end)
         log.info(tactics:walk(bob, { at(2, 1), at(3, 1) }, { speed = 1 }))
         log.info(where(bob))",
    );
    assert_eq!(told, ["false blocked", "1,1,0 50", "false blocked", "1,0,0"]);
}

#[test]
fn a_door_waits_where_the_room_says_so_and_where_nobody_can_go() {
    let areas = r#""areas": [
        { "name": "level", "polygon": [[0, 0], [6, 0], [6, 4], [0, 4]] },
        { "name": "door", "polygon": [[2, 0], [3, 0], [3, 4], [2, 4]], "available": false, "whenOccupied": "hold" }
      ],"#;
    let body = "room:set_area_available('door', true)
         tactics:place(bob, at(2, 1))
         log.info(room:set_area_available('door', false), room:area('door').available, where(bob))
         wait(0.1)
         log.info(tactics:walk(bob, { at(3, 1), at(3, 0) }, { speed = 4 }))
         log.info(room:area('door').available, where(bob))";
    let told = run(&mut open(&play_in(&room(areas), "return {}", body)), 5.0);
    assert_eq!(told, ["true true 2,1,0", "true arrived", "false 3,0,0"]);

    let tiny = r#"{ "script": "scripts/room.lua",
      "tactics": { "brushes": [{ "box": [[0, 0, 0], [64, 32, 8]] }, { "box": [[32, 0, 8], [64, 32, 512]], "area": "door" }] },
      "characters": [{ "name": "ann", "at": [0.5, 0.5], "actor": {} }, { "name": "bob", "at": [0.5, 0.5] },
        { "name": "eve", "at": [0.5, 0.5] }] }"#;
    let body = "room:set_area_available('door', true)
         tactics:place(bob, at(1, 0))
         log.info(room:set_area_available('door', false), room:area('door').available, where(bob))
         wait(0.5)
         log.info(room:area('door').available, where(bob))
         tactics:remove(ann)
         wait(0.1)
         log.info(room:area('door').available, where(bob))";
    let told = run(&mut open(&play_in(tiny, "return {}", body)), 2.0);
    assert_eq!(told, ["true true 1,0,0", "true 1,0,0", "false 0,0,0"]);
}

#[test]
fn mistakes_name_the_limit() {
    let outside = "is outside the level: it has 6 × 4 cells on 8 levels";
    let huge = "cell 4294967297, 0 on level 0 is outside the level";
    let cases = [
        ("tactics:walk(ann, {}, { speed = 1e-9 })", "the speed must be from 0.0167 (a cell a minute) to"),
        ("tactics:cost_to(ann, at(4294967297, 0))", huge),
        ("tactics:path_to(ann, at(6, 0))", outside),
        ("tactics:cost_to(ann, at(0, 4))", outside),
        ("tactics:place(ann, at(-1, 0))", outside),
        ("tactics:place(ann, at(0, 0, 8))", outside),
        ("tactics:place(eve, at(5, 0))", outside),
        ("tactics:path_to(ann, at(1.5, 0))", "cell.x must be a whole number, not 1.5"),
        (
            "tactics:place(ann, at(0, 0), { budget = 1e18 })",
            "budget must be a whole number of TU from 0 to 65535, not 1000000000000000000",
        ),
        (
            "tactics:reach(ann, 1e18)",
            "budget must be a whole number of TU from 0 to 65535, not 1000000000000000000",
        ),
        ("tactics:place(ann, at(0, 0), { side = '' })", "the name of a side has 1 to 200 bytes"),
        (
            "tactics:remove(bob) tactics:fly(bob, true)",
            "'bob' is no actor of the tactical level; room:tactics():place(",
        ),
        (
            "tactics:remove(bob) tactics:crouch(bob)",
            "'bob' is no actor of the tactical level; room:tactics():place(",
        ),
    ];
    for (code, expected) in cases {
        let told = told(code);
        assert!(told.len() == 1 && told[0].contains(expected), "{code}: {told:?}");
        assert!(told[0].contains("scripts/room.lua:7"), "{code}: {told:?}");
    }
    let empty = play_in(&room("").replace("\"side\": \"squad\"", "\"side\": \"\""), "return {}", "");
    let error = Runtime::open(&empty.path("rooms/site.json"), Options::default()).err().unwrap().to_string();
    assert!(error.contains("site.json:8:") && error.contains("the name of a side is empty"), "{error}");
}

#[test]
fn the_crowd_walks_through_actors() {
    let room = room("")
        .replace("{ \"name\": \"bob\"", "{ \"name\": \"cat\", \"at\": [0.5, 1.5] }, { \"name\": \"bob\"");
    let body = "local cat = room:npc('cat')
         log.info(cat:walk_to({ x = 1.5, z = 1.5 }))
         wait(1)
         log.info(math.abs(cat.x - bob.x) < 0.1, math.abs(cat.z - bob.z) < 0.1)";
    let mut runtime = open(&play_in(&room, "return {}", body));
    assert_eq!(run(&mut runtime, 10.0), ["true arrived", "true true"]);
    // So the monkey does not call it an overlap, however long they stand there.
    let mut watch = Watch::new(runtime.world());
    for _ in 0..60 * 12 {
        runtime.drain_inbox();
        assert_eq!(watch.look(runtime.world(), runtime.pending_events()), []);
        runtime.step();
        runtime.take_events();
    }
}

#[test]
fn moves_in_a_scene_are_told_when_it_is_over() {
    let ann = "local A = {}
        function A.on_step(self, npc, step) log.info('ann', step.move, step.x) end
        function A.on_crouch(self, npc) log.info('ann crouches') end
        return A";
    let body = "ann:direct(function()
           tactics:walk(ann, { at(1, 0) })
           tactics:crouch(ann)
           wait(0.2)
           log.info('the scene ends')
         end)";
    let told = run(&mut open(&play_in(&room(""), ann, body)), 10.0);
    assert_eq!(told, ["the scene ends", "ann walk 1", "ann crouches", "ann crouch 1"]);
}

/// A door may fill a part of the height only: under the feet, at the head, or as a step.
#[test]
fn a_door_of_any_height_moves_those_in_it_or_waits() {
    let closing = |heights: [i32; 2], occupied: &str, stance: &str| {
        let room = format!(
            r#"{{ "script": "scripts/room.lua",
            "areas": [
                {{ "name": "floor", "polygon": [[0, 0], [3, 0], [3, 1], [0, 1]] }},
                {{ "name": "door", "polygon": [[1, 0], [2, 0], [2, 1], [1, 1]], "whenOccupied": "{occupied}" }}
            ],
            "tactics": {{ "brushes": [
                {{ "box": [[0, 0, 0], [96, 32, 8]] }},
                {{ "box": [[32, 0, {}], [64, 32, {}]], "area": "door" }}
            ] }},
            "characters": [{{ "name": "ann", "at": [1.5, 0.5], "actor": {{ "side": "squad", "stance": "{stance}" }} }}] }}"#,
            heights[0], heights[1]
        );
        let script = "local S = {}\nfunction S.run(room)\nroom:set_area_available('door', false)\nwait(0.1)\n\
            local a = room:tactics():actor(room:npc('ann'))\nlog.info(a.x .. ' ' .. tostring(room:is_area_available('door')) \
            .. ' ' .. room:npc('ann').y)\nend\nreturn S";
        let project = Project::new(&[("rooms/site.json", &room), ("scripts/room.lua", script)]);
        run(&mut open(&project), 1.0).join("; ")
    };
    for heights in [[8, 56], [36, 56], [30, 40], [36, 512], [8, 512]] {
        let moved = closing(heights, "evict", "stand");
        assert!(moved == "0 false 0.25" || moved == "2 false 0.25", "{heights:?}: {moved}");
        assert_eq!(closing(heights, "hold", "stand"), "1 true 0.25", "{heights:?}");
    }
    // Above the head, or over one that crouches, it closes.
    assert_eq!(closing([56, 512], "hold", "stand"), "1 false 0.25");
    assert_eq!(closing([40, 512], "hold", "crouch"), "1 false 0.25");
}

#[test]
fn those_who_climb_look_at_the_wall() {
    let log = told(
        "tactics:place(ann, at(5, 0), { budget = 60 })\nann.heading = 1\n\
         tactics:walk(ann, tactics:path_to(ann, at(5, 0, 1)))\nlog.info(string.format('%.2f', ann.heading))",
    );
    assert!(log.iter().any(|line| line == "-1.57" || line == "4.71"), "north: {log:?}");
}
