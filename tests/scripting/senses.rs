//! Seeing, fleeing, wandering and standing in line, as scripts do it.

use crate::common::project::{HALL, Project, reload, run};
use cicerone::nav::Position;
use cicerone::project::Project as Folder;
use cicerone::record::{Buffer, Recording, Replay};
use cicerone::runtime::{Options, Reload, Runtime, Saved};

const QUIET: &str = "return {}";

/// The hall with scripts for Ann, for Bob, and for the room.
fn hall(ann: &str, bob: &str, room: &str) -> Project {
    let text = HALL
        .replace(r#""ann", "at": [2, 1]"#, r#""ann", "at": [2, 1], "script": "scripts/ann.lua""#)
        .replace(r#""bob", "at": [6, 3]"#, r#""bob", "at": [6, 3], "script": "scripts/bob.lua""#);
    Project::new(&[
        ("rooms/hall.json", &text),
        ("scripts/ann.lua", ann),
        ("scripts/bob.lua", bob),
        ("scripts/room.lua", room),
    ])
}

/// A script whose character does this.
fn does(body: &str) -> String {
    format!("local A = {{}}\nfunction A.run(self, npc)\n{body}\nend\nreturn A")
}

fn told(ann: &str, bob: &str, seconds: f64) -> Vec<String> {
    run(&mut hall(&does(ann), bob, QUIET).open(), seconds)
}

#[test]
fn an_area_is_walked_to_and_a_closed_one_is_not_reached() {
    let lines = told(
        "log.info(npc:walk_to('mat')) log.info(room:npcs_in('mat')[1] == npc, npc:walk_to(room:area('mat')))
         local ok, reason = npc:walk_to('den') log.info(ok, reason)
         log.info(npc:distance_to('mat') > 1, npc:distance_to('hall'))",
        QUIET,
        20.0,
    );
    assert_eq!(lines[0], "true arrived");
    assert_eq!(lines[1], "true true arrived");
    assert_eq!(lines[2], "false partial");
    assert!(lines[3].starts_with("true 0"), "{lines:?}");
}

#[test]
fn a_door_and_a_save_of_the_room_change_what_is_seen() {
    let room = "local R = {}
        function R.run(room)
          local function look() log.info(room:can_see('ann', { x = 11, z = 1.5 })) end
          look() room:area('door').available = true look() room:area('door').available = false
          wait(1) look()
        end
        return R";
    let project = hall(QUIET, QUIET, room);
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 0.5), ["false door", "true"]);
    let text = std::fs::read_to_string(project.path("rooms/hall.json")).unwrap();
    project.write(
        "rooms/hall.json",
        &text.replace(r#""name": "door","#, r#""name": "door", "seeThrough": true,"#),
    );
    let done = reload(&project, &mut runtime, &["rooms/hall.json"]);
    assert!(matches!(done, Reload::Done { .. }), "{done:?}");
    assert!(run(&mut runtime, 2.0).contains(&"true".to_owned()), "a door of glass");
}

#[test]
fn what_cannot_be_seen_with_is_told() {
    let lines = told(
        "for _, look in ipairs{
           function() return npc:can_see('bar', { fov = 90 }) end,
           function() return room:can_see('bar', 'ann', { fov = 1 }) end,
           function() return npc:can_see('bar', { range = -1 }) end,
           function() return npc:can_see('bar', { rnage = 1 }) end,
         } do log.info((select(2, pcall(look)))) end",
        QUIET,
        0.5,
    );
    let expected = [
        "npc:can_see: fov must be from 0 to 2π radians, not 90; math.rad(90) gives the radians of 90 degrees",
        "room:can_see: fov needs a character that looks: a place has no heading",
        "npc:can_see: range must be a number of metres, zero or more, not -1",
        "npc:can_see: options has no key 'rnage'; did you mean 'range'?",
    ];
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.ends_with(expected), "{line}");
    }
    assert_eq!(lines.len(), expected.len(), "{lines:?}");
}

#[test]
fn who_flees_gets_away_or_is_cornered_and_never_runs_past() {
    // Bob stands still in the middle; Ann is between him and the wall.
    let lines = told(
        "local bob = room:npc('bob')
         bob:teleport(4, 2) npc:teleport(2.5, 2)
         local least = 99
         local watch = every(0.05, function() least = math.min(least, npc:distance_to(bob)) end)
         local ok, reason = npc:flee(bob, { distance = 3 })
         log.info(ok, reason, npc:distance_to(bob) >= 3)
         ok, reason = npc:flee(bob, { distance = 7 })
         log.info(ok, reason, npc.x < 4, least > 1)
         room:area('door').available = true
         bob:teleport(8.5, 2) npc:teleport(10, 2) -- he stands in the only door
         ok, reason = npc:flee(bob, { distance = 6 })
         log.info(ok, reason, npc.x > 11)
         ok, reason = npc:flee({ x = 7, z = 2 }, { distance = 2 })
         log.info(ok, reason)",
        QUIET,
        30.0,
    );
    assert_eq!(lines, ["true arrived true", "false partial true true", "false partial true", "true arrived"]);
}

#[test]
fn a_wanderer_stays_in_its_area_until_something_ends_it() {
    let wanders =
        "for _, ends in ipairs{ function() npc:stop() end, function() npc:set_target('bar') end } do
           after(6, ends)
           local began, ok, reason = room.time, npc:wander{ area = 'mat', pause = 0.5 }
           log.info(ok, reason, room.time - began < 6.1)
         end
         npc:teleport('bar')
         after(3, function() log.info('within', npc:distance_to('bar') <= 1.01) end)
         log.info(npc:wander{ within = 1, pause = { 0, 0.2 }, timeout = 4 })
         log.info(npc:wander{ area = 'den' })";
    let lines = told(wanders, QUIET, 30.0);
    assert_eq!(
        lines,
        ["false cancelled true", "false cancelled true", "within true", "false timeout", "false no_path"]
    );
}

const IN_LINE: &str = "local A = {}
function A.run(self, npc)
  if not self.came then wait(npc.id == 'ann' and 0.1 or 1) end
  self.came = true
  local ok, reason = npc:queue_at('bar', { tail = { x = 6, z = 1 } })
  log.info(npc.id, ok, reason)
  wait(2)
  npc:walk_to(5, 3.5)
end
return A";

fn order(runtime: &Runtime) -> Vec<String> {
    let world = runtime.world();
    let mut people: Vec<_> = world.characters().iter().collect();
    people.sort_by(|a, b| {
        a.position
            .distance(Position::on_ground(glam::dvec2(1.0, 1.0)))
            .total_cmp(&b.position.distance(Position::on_ground(glam::dvec2(1.0, 1.0))))
    });
    people.into_iter().map(|c| c.name.clone()).collect()
}

#[test]
fn people_in_line_move_up_when_the_first_one_leaves() {
    let mut runtime = hall(IN_LINE, IN_LINE, QUIET).open();
    let mut lines = Vec::new();
    for _ in 0..100 {
        lines.extend(run(&mut runtime, 0.25));
        if !lines.is_empty() {
            break;
        }
    }
    assert_eq!(lines, ["ann true arrived"]);
    assert_eq!(run(&mut runtime, 1.5), [""; 0], "bob waits behind her");
    let apart_m = {
        let world = runtime.world();
        world.characters()[0].position.distance(world.characters()[1].position)
    };
    assert!(apart_m > 0.39, "and does not stand in her: {apart_m}");
    assert_eq!(run(&mut runtime, 12.0), ["bob true arrived"]);
}

#[test]
fn a_line_keeps_its_order_over_a_save_and_a_reload() {
    // Bob comes first, though Ann is asked first after a save.
    let bob = IN_LINE.replace("'ann'", "'bob'").replace("or 1)", "or 6)").replace("wait(2)", "wait(200)");
    let project = hall(&bob, &bob, QUIET);
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 9.0), ["bob true arrived"]);
    assert_eq!(order(&runtime), ["bob", "ann"]);
    let text = runtime.save().unwrap().to_json().unwrap();
    let saved = Saved::read("game.save", &text).unwrap();
    let folder = Folder::containing(&project.path("rooms/hall.json"));
    let mut again = Runtime::restore(folder, &saved, Options::default()).unwrap();
    assert_eq!(run(&mut again, 4.0), ["bob true arrived"], "he is at the front as before");
    assert_eq!(order(&again), ["bob", "ann"]);
    project.write("scripts/bob.lua", &bob.replace("log.info(", "log.info('again', "));
    let done = reload(&project, &mut runtime, &["scripts/bob.lua"]);
    assert!(matches!(done, Reload::Done { .. }), "{done:?}");
    assert_eq!(run(&mut runtime, 4.0), ["again bob true arrived"]);
    assert_eq!(order(&runtime), ["bob", "ann"]);
}

#[test]
fn who_leaves_the_line_or_goes_away_lets_others_move_up() {
    let ann = does("log.info('ann', npc:queue_at('bar')) npc:despawn()");
    let bob = does(
        "wait(1) after(1, function() npc:stop() end)
         log.info('bob', npc:queue_at('bar')) log.info('left', npc:leave_queue())
         log.info('bob', npc:queue_at('bar', { timeout = 20 }))
         log.info(#room:queue('bar'), npc:leave_queue(), #room:queue('bar'))
         room:set_area_available('hall', false)
         log.info('bob', npc:queue_at({ x = 11, z = 2 }, { timeout = 10 }))",
    );
    let lines = run(&mut hall(&ann, &bob, QUIET).open(), 30.0);
    assert_eq!(
        lines[..4],
        ["ann true arrived", "bob false cancelled", "left false", "bob true arrived"],
        "{lines:?}"
    );
    assert_eq!(lines[4], "1 true 0");
}

#[test]
fn verbs_are_recorded_and_replayed_bit_for_bit() {
    let ann = does("npc:wander{ area = 'hall', pause = { 0.1, 0.4 }, timeout = 5 } npc:queue_at('bar')");
    let bob = does(
        "while true do npc:flee('ann', { distance = 3 }) npc:walk_to(room:random_point{ near = npc, within = 2 }) wait(0.2) end",
    );
    let mut runtime = hall(&ann, &bob, QUIET).open();
    let buffer = Buffer::default();
    runtime.record(Box::new(buffer.clone())).unwrap();
    assert_eq!(run(&mut runtime, 12.0), [""; 0]);
    runtime.stop_recording().unwrap();
    let mut again = hall(&ann, &bob, QUIET).open();
    run(&mut again, 12.0);
    assert_eq!(again.world().checksum(), runtime.world().checksum(), "a second run");
    let recording = Recording::read(&buffer.bytes()).unwrap();
    let mut replay = Replay::new(&recording).unwrap();
    while let Some(tick) = replay.step().unwrap() {
        assert!(tick.is_ok(), "{tick:?}");
    }
    assert_eq!(replay.world().checksum(), runtime.world().checksum());
}

#[test]
fn a_line_knows_its_members_again_after_a_restore() {
    // Six in line; the first one goes, and a room is saved while the others move up.
    let queues = does(
        "if not self.came then wait(npc.x / 2) end self.came = true npc:queue_at('bar', { tail = { x = 7.5, z = 1 } }) wait(3) npc:walk_to(7, 3.5) wait(99)",
    );
    let room = "local R = {} function R.on_load(room)
          for i = 1, 6 do spawn{ name = 'p' .. i, at = { x = i, z = 3 }, script = 'scripts/ann.lua' } end
        end return R";
    let project = hall(&queues, QUIET, room);
    let text = HALL
        .replace(r#"{ "name": "ann", "at": [2, 1] },"#, "")
        .replace(r#""at": [6, 3]"#, r#""at": [7.8, 3.8]"#);
    project.write("rooms/hall.json", &text);
    let mut runtime = project.open();
    let in_line = |runtime: &mut Runtime| -> Vec<u64> {
        let saved: serde_json::Value =
            serde_json::from_str(&runtime.save().unwrap().to_json().unwrap()).unwrap();
        let members = saved["memories"]["lines"]["bar"]["members"].as_array().cloned().unwrap_or_default();
        members.iter().map(|member| member["who"].as_u64().unwrap()).collect()
    };
    let (mut longest, mut saves) = (0, 0);
    for _ in 0..200 {
        assert_eq!(run(&mut runtime, 0.1), [""; 0]);
        let before = in_line(&mut runtime);
        longest = longest.max(before.len());
        let saved = Saved::read("game.save", &runtime.save().unwrap().to_json().unwrap()).unwrap();
        let folder = Folder::containing(&project.path("rooms/hall.json"));
        let mut again = Runtime::restore(folder, &saved, Options::default()).unwrap();
        run(&mut again, 0.05);
        let after = in_line(&mut again);
        // The first one may be told so and leave; the others keep their places.
        if before.len() > 3 {
            saves += 1;
            assert!(before[1..].iter().all(|who| after.contains(who)), "{before:?} {after:?}");
        }
    }
    assert!(longest > 3 && saves > 5, "{longest} in line at most, {saves} saves");
}

#[test]
fn who_is_pushed_out_of_the_front_is_still_the_first() {
    let ann =
        does("log.info('ann', npc:queue_at('bar')) wait(6) log.info(#room:queue('bar')) npc:walk_to(7, 3.5)");
    let bob = does("wait(2) log.info('bob', npc:queue_at('bar'))");
    let room = "local R = {} function R.run(room) wait(6.5)
          local ann = room:npc('ann')
          ann:teleport(ann.x, ann.z + 0.45) -- as a passer-by pushes her
        end return R";
    let lines = run(&mut hall(&ann, &bob, room).open(), 16.0);
    assert_eq!(lines, ["ann true arrived", "2", "bob true arrived"]);
}

#[test]
fn a_line_that_nobody_gives_a_direction_has_room_for_all() {
    // The second one comes from elsewhere, or from the front itself.
    for comes in ["", "npc:teleport(1.35, 1)"] {
        let first = does("npc:teleport('bar') log.info(npc:queue_at('bar')) wait(99)");
        let then = does(&format!("{comes} wait(1) npc:queue_at('bar')"));
        let mut runtime = hall(&first, &then, QUIET).open();
        assert_eq!(run(&mut runtime, 12.0), ["true arrived"], "only one is at the front");
        let world = runtime.world();
        let apart_m = world.characters()[0].position.distance(world.characters()[1].position);
        let at: Vec<_> = world.characters().iter().map(|c| c.position).collect();
        assert!((0.5..1.0).contains(&apart_m), "the other stands behind: {apart_m} m, {at:?} {comes:?}");
    }
}

#[test]
fn saved_lines_that_cannot_be_are_refused() {
    let ann = does("npc:queue_at('bar') wait(99)");
    let project = hall(&ann, QUIET, QUIET);
    let mut runtime = project.open();
    run(&mut runtime, 6.0);
    let text = runtime.save().unwrap().to_json().unwrap();
    let folder = Folder::containing(&project.path("rooms/hall.json"));
    let restored = |text: &str| {
        let saved = Saved::read("game.save", text).map_err(|error| error.to_string())?;
        Runtime::restore(folder.clone(), &saved, Options::default())
            .map(drop)
            .map_err(|error| error.to_string())
    };
    assert_eq!(restored(&text), Ok(()));
    let saved: serde_json::Value = serde_json::from_str(&text).unwrap();
    type Break = fn(&mut serde_json::Value);
    let breaks: [Break; 4] = [
        |line| line["front"][0] = 1e300.into(),
        |line| line["spacingM"] = (-1.0).into(),
        |line| line["members"][0]["askedTick"] = u64::MAX.into(),
        |line| {
            let member = line["members"][0].clone();
            line["members"].as_array_mut().unwrap().push(member);
        },
    ];
    for (number, break_it) in breaks.into_iter().enumerate() {
        let mut broken = saved.clone();
        break_it(&mut broken["memories"]["lines"]["bar"]);
        let why = restored(&broken.to_string()).expect_err(&format!("break {number}"));
        assert!(why.contains("the line at 'bar'"), "{number}: {why}");
    }
}

#[test]
fn who_is_hunted_looks_for_another_place_on_the_way() {
    // Bob comes after Ann and is as fast as she is; then he gives up.
    let ann = "npc:teleport(4, 2) local ok, reason = npc:flee('bob', { distance = 4, timeout = 20 })
        log.info(ok, reason, npc:distance_to('bob') >= 4)";
    let bob =
        does("npc:teleport(2.5, 2) for _ = 1, 8 do npc:set_target('ann') wait(0.25) end npc:teleport('bar')");
    let lines = told(ann, &bob, 25.0);
    assert_eq!(lines, ["true arrived true"]);
}

#[test]
fn what_a_flight_finds_does_not_depend_on_what_was_spent_before() {
    // A hall of forty by forty metres in small cells, and far to run.
    let project = |spends: &str| {
        let script = does(&format!(
            "{spends} npc:set_target(21, 21) log.info(npc:flee({{ x = 20, z = 20 }}, {{ distance = 15 }}))"
        ));
        let room = r#"{ "name": "great", "cellSize": 0.1,
            "areas": [{ "name": "floor", "polygon": [[0, 0], [40, 0], [40, 40], [0, 40]] }],
            "characters": [{ "name": "ann", "at": [21, 20.5], "script": "scripts/ann.lua" }] }"#;
        Project::new(&[("rooms/hall.json", room), ("scripts/ann.lua", &*script), ("scripts/room.lua", QUIET)])
    };
    let position = |spends: &str| {
        let mut runtime = project(spends).open();
        assert_eq!(run(&mut runtime, 40.0), ["true arrived"], "after {spends:?}");
        let position = runtime.world().characters()[0].position;
        (position.at.x.to_bits(), position.at.y.to_bits())
    };
    assert_eq!(position(""), position("for _ = 1, 100000 do end"));
}

#[test]
fn who_flees_drops_whatever_it_was_at() {
    let lines = told(
        "npc:teleport(1, 1) room:npc('bob'):teleport(4, 1)
         npc:set_target(7.5, 3.5) -- a way that leads past him
         wait(0.2)
         local least = 99
         every(0.05, function() least = math.min(least, npc:distance_to('bob')) end)
         log.info(npc:flee('bob', { distance = 3 }))
         log.info(least > 2, npc:is_moving())",
        QUIET,
        12.0,
    );
    assert_eq!(lines, ["true arrived", "true false"]);
}

#[test]
fn who_is_taken_aside_keeps_its_place_in_line() {
    let queues = does("wait(npc.x / 4) npc:queue_at('bar', { tail = { x = 7.5, z = 1 } }) wait(99)");
    for seconds in [0.9, 1.5, 3.0] {
        let room = format!(
            "local R = {{}} function R.on_load(room)
              for i = 1, 4 do spawn{{ name = 'p' .. i, at = {{ x = i, z = 3 }}, script = 'scripts/ann.lua' }} end
            end
            local function names() local out = {{}} for i, who in ipairs(room:queue('bar')) do out[i] = who.id end return table.concat(out, ' ') end
            function R.run(room)
              wait(9) local before = names()
              room:npc('p2'):direct(function() wait({seconds}) end)
              wait(2) log.info(before == names(), #room:queue('bar'))
            end
            return R"
        );
        let project = hall(&queues, QUIET, &room);
        let text = HALL
            .replace(r#"{ "name": "ann", "at": [2, 1] },"#, "")
            .replace(r#""at": [6, 3]"#, r#""at": [7.8, 3.8]"#);
        project.write("rooms/hall.json", &text);
        assert_eq!(run(&mut project.open(), 18.0), ["true 4"], "a scene of {seconds} s");
    }
}

#[test]
fn a_tail_nearby_says_where_a_line_leads() {
    let ann = does("npc:queue_at('bar', { tail = { x = 1.3, z = 1 } }) wait(99)");
    let bob = does("wait(2) npc:queue_at('bar') wait(99)");
    let mut runtime = hall(&ann, &bob, QUIET).open();
    run(&mut runtime, 14.0);
    let at = runtime.world().characters()[1].position;
    assert!(at.at.x > 1.4 && (at.at.y - 1.0).abs() < 0.3, "bob stands along x: {at}");
}

#[test]
fn a_line_that_nobody_stands_in_yet_is_nobody_elses_to_drop() {
    let ann = "log.info('ann', npc:queue_at({ x = 7, z = 3.5 }))";
    let bob = does("wait(0.5) npc:leave_queue() npc:queue_at('bar') npc:leave_queue()");
    assert_eq!(told(ann, &bob, 12.0), ["ann true arrived"]);
}

#[test]
fn a_line_names_those_only_who_are_in_it() {
    for goes in ["npc:walk_to(7, 3.5)", "npc.alive = false", "npc:despawn()", "npc:teleport(7, 3.5)"] {
        let ann = format!("npc:queue_at('bar') {goes} wait(99)");
        let bob = does("wait(9) log.info(#room:queue('bar'))");
        assert_eq!(told(&ann, &bob, 10.0), ["0"], "after {goes}");
    }
}

#[test]
fn a_line_longer_than_its_room_serves_everybody() {
    let queues = does(
        "npc:queue_at('bar', { tail = { x = 1, z = 3.7 } }) room.state.served = (room.state.served or 0) + 1
        wait(0.5) npc:leave_queue() npc:walk_to(7, 1 + (npc.z % 2))",
    );
    let room = "local R = {} function R.on_load(room)
          for i = 0, 11 do spawn{ name = 'p' .. i, at = { x = 3 + i % 4, z = 1 + i // 4 }, script = 'scripts/ann.lua' } end
        end
        function R.run(room)
          local ok = wait_until(function() return room.state.served == 12 end, 90)
          log.info(ok, room.state.served)
        end
        return R";
    let project = hall(&queues, QUIET, room);
    let text = HALL
        .replace(r#"{ "name": "ann", "at": [2, 1] },"#, "")
        .replace(r#""at": [6, 3]"#, r#""at": [7.8, 0.3]"#);
    project.write("rooms/hall.json", &text);
    assert_eq!(run(&mut project.open(), 91.0), ["true 12"]);
}

#[test]
fn a_closed_area_that_holds_an_end_of_a_look_is_named() {
    let lines = told(
        "log.info(room:can_see({ x = 7, z = 2 }, { x = 8.5, z = 2 }))
         log.info(room:can_see({ x = 8.5, z = 2 }, { x = 7, z = 2 }))
         log.info(room:can_see({ x = 7, z = 2 }, { x = 7, z = 9 }))",
        QUIET,
        0.5,
    );
    assert_eq!(lines, ["false door", "false door", "false wall"]);
}
