//! Scenes: what pauses while somebody is directed, and that everything goes on afterwards however the scene ends.

use crate::common::project::{HALL, Project, run};
use cicerone::project::Project as Folder;
use cicerone::runtime::{Input, Options, Runtime, Saved};
use glam::dvec2;

/// The hall with a script for Ann, and one for the room. `WALK` in them is a place far away.
fn hall(ann: &str, room: &str) -> Project {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/ann.lua","#);
    Project::new(&[("rooms/hall.json", &*hall), ("scripts/ann.lua", ann), ("scripts/room.lua", room)])
}

/// Everything Ann's script can be told, and a sequence with a walk, waits, a timeout and timers.
const ANN: &str = "local A = {}
    local function say(...) log.info(('%.1f'):format(room.time), ...) end
    function A.run(self, npc)
      wait(0.5)
      say('walks', npc:walk_to(7.5, 3.5))
      say('waited', wait_until(function() return false end, 1))
    end
    function A.on_spawn(self, npc)
      every(0.5, function() self.ticks = (self.ticks or 0) + 1 end)
      after(2, function() say('timer', self.ticks) end)
      start(function() wait(3) say('three', self.updates) end)
    end
    function A.on_update(self, npc) self.updates = (self.updates or 0) + 1 end
    function A.on_walk_ended(self, npc, reason) say('walk ended', reason) end
    function A.on_message(self, npc, message) say('message', message) end
    function A.on_talk(self, npc, other) say('talk', other.id) end
    function A.on_enter(self, npc, area) say('enters', area) end
    return A";

#[test]
fn what_a_character_was_at_pauses_and_goes_on() {
    let alone = run(&mut hall(ANN, "return {}").open(), 12.0);
    let words = |lines: &[String]| -> Vec<String> {
        lines.iter().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
    };
    let expected = [
        "enters hall",
        "enters mat",
        "timer 4",
        "three 180",
        "walk ended arrived",
        "walks true arrived",
        "waited false timeout",
    ];
    assert_eq!(words(&alone), expected);
    let scene = "local R = {}
        function R.run(room)
          local ann, bob = room:npc('ann'), room:npc('bob')
          wait(1)
          local moving = ann:is_moving()
          local ok, why = ann:direct(function()
            log.info('- scene', moving, ann:is_moving(), ann.directed)
            send(ann, 'hello')
            ann:walk_to('bar')
            bob:talk_to(ann)
            wait(4)
            return false, 'enough'
          end)
          log.info('- over', ok, why, ann.directed, ann:is_moving())
        end
        return R";
    let mut runtime = hall(ANN, scene).open();
    let told = run(&mut runtime, 30.0);
    let scene = ["- scene true false true", "- over false enough false true"];
    assert_eq!((&*told[0], &told[1..3]), ("0.0 enters hall", &scene.map(String::from)[..]), "{told:?}");
    let mut own = words(&told[3..]);
    // What was kept comes at once and in order; then all goes on as if there had been nothing.
    assert_eq!(own[..2], ["talk bob", "message hello"], "{told:?}");
    let mut rest = expected[1..].to_vec();
    own[2..].sort();
    rest.sort(); // the mat is further away from where the scene left her
    assert_eq!(own[2..], rest, "{told:?}");
}

#[test]
fn control_is_given_back_however_a_scene_ends() {
    let ann = "local A = {}
        function A.run(self, npc) log.info('arrived', npc:walk_to(7.5, 3.5)) end
        return A";
    for (scene, ends) in [
        ("ann:direct(function() wait(1) error('broken') end)", "error"),
        ("race{ function() ann:direct(function() wait(99) end) end, function() wait(1) end }", ""),
        (
            "local s = start(function() ann:direct(function() ann:walk_to('bar') wait(99) end) end) wait(1) cancel(s)",
            "",
        ),
        (
            "direct({ ann, 'bob' }, function() ann:set_target('bar') wait(1) room:npc('bob'):despawn() end)",
            "",
        ),
        // One within the other, of the same sequence.
        (
            "ann:direct(function() ann:set_target('bar') ann:direct(function() wait(0.5) end) log.info(ann:target().x) wait(0.5) end)",
            "1.0",
        ),
        // Another takes over, and the first goes on when that is done.
        (
            "start(function() wait(0.5) ann:direct(function() wait(3) log.info('second') end) end)
             ann:direct(function() wait(1) log.info('first') end)",
            "second|first",
        ),
    ] {
        let room = format!(
            "local R = {{}}\nfunction R.run(room) local ann = room:npc('ann') wait(1) {scene} end\nreturn R"
        );
        let mut runtime = hall(ann, &room).open();
        let told = run(&mut runtime, 20.0);
        let (last, before) = told.split_last().unwrap();
        assert_eq!(last, "arrived true arrived", "{scene}: {told:?}");
        match ends {
            "error" => assert!(before.len() == 1 && before[0].contains("broken"), "{told:?}"),
            words => assert_eq!(before.join("|"), words, "{scene}"),
        }
        assert!(runtime.world().characters().iter().all(|character| character.set_aside.is_empty()));
    }
}

#[test]
fn those_who_wait_for_a_walk_that_is_put_aside_hear_of_its_end() {
    let room = "local R = {}
        function R.run(room)
          local ann = room:npc('ann')
          start(function() log.info('walk', ann:walk_to(7, 3)) end)
          start(function() wait(0.5) ann:direct(function() wait(1) ann:despawn() end) log.info('over') end)
        end
        return R";
    let told = run(&mut hall("return {}", room).open(), 4.0);
    assert_eq!(told, ["over", "walk false despawned"]);
}

#[test]
fn a_talk_pauses_the_rest_of_its_own_script() {
    let ann = "local A = {}
        function A.run(self, npc) while true do self.n = (self.n or 0) + 1 wait(0.1) end end
        function A.on_message(self, npc)
          start(function()
            npc:direct(function()
              local before = self.n
              after(0.2, function() log.info('its own timers run') end)
              wait(1)
              log.info('counted', self.n - before)
            end)
            wait(1)
            log.info('counts on', self.n > 15)
          end)
        end
        return A";
    let room = "local R = {} function R.run(room) wait(1) send('ann', 'talk') end return R";
    let told = run(&mut hall(ann, room).open(), 4.0);
    assert_eq!(told, ["its own timers run", "counted 0", "counts on true"]);
}

#[test]
fn saves_and_reloads_in_a_scene_begin_it_anew() {
    let room = "local R = {}
        function R.run(room)
          local ann = room:npc('ann')
          wait(1)
          ann:direct(function() log.info('scene', ann:walk_to('bar')) wait(1) end)
        end
        return R";
    let ann = "local A = {}
        function A.run(self, npc)
          self.begun = (self.begun or 0) + 1
          log.info('run', self.begun, npc:walk_to(7.5, 3.5))
        end
        function A.on_message(self, npc, message) log.info(message) end
        return A";
    let room = room.replace("wait(1)\n          ann", "wait(1) send(ann, 'news')\n          ann");
    let project = hall(ann, &room);
    let mut runtime = project.open();
    assert_eq!(run(&mut runtime, 1.2), Vec::<String>::new());
    let text = runtime.save().unwrap().to_json().unwrap();
    let folder = Folder::containing(&project.path("rooms/hall.json"));
    let mut again =
        Runtime::restore(folder, &Saved::read("game.save", &text).unwrap(), Options::default()).unwrap();
    let told = run(&mut again, 20.0);
    assert_eq!(told, ["news", "scene true arrived", "news", "run 2 true arrived"], "restored");
    // The scene's file is saved: the scene begins anew, and Ann is free until then.
    project.write("scripts/room.lua", &room.replace("'scene'", "'new scene'"));
    let _ = runtime.reload(&[project.path("scripts/room.lua")].into());
    assert!(runtime.world().character_named("ann").unwrap().set_aside.is_empty());
    let told = run(&mut runtime, 20.0);
    assert_eq!(told, ["news", "new scene true arrived", "news", "run 1 true arrived"], "reloaded");
}

#[test]
fn clicks_do_not_move_a_player_in_a_scene() {
    let room = "local R = {}
        function R.on_load(room) start(function() room:npc('ann'):direct(function() wait(1) end) end) end
        return R";
    let project = hall("return {}", room);
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "player": true,"#);
    project.write("rooms/hall.json", &hall);
    let mut runtime = project.open();
    let moving = |runtime: &Runtime| runtime.world().character_named("ann").unwrap().is_moving();
    for (seconds, moves) in [(0.5, false), (1.0, true)] {
        run(&mut runtime, seconds);
        runtime.send(Input::Click(dvec2(6.0, 1.0).into()));
        run(&mut runtime, 0.1);
        assert_eq!(moving(&runtime), moves);
    }
}

#[test]
fn a_cancelled_walk_says_by_whom() {
    let room = "local R = {}
        function R.run(room)
          local ann = room:npc('ann')
          local function walk(what)
            local ok, why = ann:walk_to(7, 3)
            log.info(what, why, ann:last_walk().cancelled_by)
          end
          for _, what in ipairs{ 'target', 'stop', 'click', 'scene' } do
            local done
            start(function() walk(what) done = true end)
            wait(0.2)
            if what == 'target' then ann:set_target('bar')
            elseif what == 'stop' then ann:stop()
            elseif what == 'click' then room:click(2, 2)
            else
              ann:direct(function() start(function() walk('within') end) wait(0.2) end)
              wait(0.1)
              ann:teleport('bar')
            end
            wait_until(function() return done end)
          end
          race{ function() ann:walk_to(7, 3) end, function() wait(0.2) end }
          log.info('race', ann:last_walk().cancelled_by)
        end
        return R";
    let project = hall("return {}", room);
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "player": true,"#);
    project.write("rooms/hall.json", &hall);
    let told = run(&mut project.open(), 20.0);
    let expected = [
        "target cancelled the room at scripts/room.lua:12",
        "stop cancelled the room at scripts/room.lua:13",
        "click cancelled a click",
        "within cancelled the end of a scene",
        "scene cancelled the room at scripts/room.lua:18",
        "race the end of the sequence that began at scripts/room.lua:22",
    ];
    assert_eq!(told, expected);
}

#[test]
fn one_timeout_of_two_ends_no_walk_of_both() {
    let room = "local R = {}
        function R.run(room)
          local ann = room:npc('ann')
          local function walk(name, x, timeout)
            start(function() log.info(name, ann:walk_to(x, 3, { timeout = timeout })) end)
          end
          walk('first', 7, 1)
          walk('second', 7.1, 2)
          walk('third', 7, nil)
          wait(1.5)
          log.info('moving', ann:is_moving())
          wait(8)
          walk('fourth', 2, 1)
          walk('fifth', 2.1, 1.5)
          wait(2)
          log.info('stands', not ann:is_moving(), ann:last_walk().reason)
        end
        return R";
    let told = run(&mut hall("return {}", room).open(), 14.0);
    let expected = [
        "first false timeout",
        "moving true",
        "second false timeout",
        "third true arrived",
        "fourth false timeout",
        "fifth false timeout",
        "stands true timeout",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_walk_that_is_called_off_while_it_lies_aside_is_not_taken_up_again() {
    let room = "local R = {}
      function R.run(room)
        local ann = room:npc('ann')
        local errand = start(function() ann:walk_to(7.5, 3.5) end)
        wait(0.2)
        ann:direct(function() cancel(errand) wait(1) end)
        local x, z = ann.x, ann.z
        wait(2)
        log.info(ann:is_moving(), ann.x == x and ann.z == z)
      end
      return R";
    assert_eq!(run(&mut hall("return {}", room).open(), 5.0), ["false true"]);
}

#[test]
fn an_older_scene_that_ends_leaves_a_newer_one_alone() {
    // Ann walks of her own; in the first scene somebody else sends her to the bar; the second takes her over, and is
    // there still when the first ends.
    let room = "local R = {}
      function R.run(room)
        local ann = room:npc('ann')
        ann:set_target(7.5, 3.5)
        wait(0.2)
        local first = start(function() ann:direct(function() wait(99) end) end)
        wait(0.1)
        ann:set_target('bar')
        wait(0.1)
        start(function()
          ann:direct(function() log.info('second', ann:walk_to(3, 3.5)) wait(1) end)
          log.info('back', ann:target().x, ann:target().z)
        end)
        wait(0.2)
        local other = ann:target()
        cancel(first)
        wait(0.1)
        log.info('goes on', ann.directed, ann:target().x == other.x, other.x)
      end
      return R";
    let told = run(&mut hall("return {}", room).open(), 8.0);
    assert_eq!(told, ["goes on true true 3.0", "second true arrived", "back 7.5 3.5"]);
}

#[test]
fn an_older_scene_that_ends_gives_back_what_the_newer_one_had_put_aside() {
    // The older scene's walk lies aside in the newer one: it ends as called off by the end of its scene.
    let ann = "local A = {} function A.on_walk_ended(_, npc, reason) log.info(reason) end return A";
    let room = "local R = {}
      function R.run(room)
        local ann = room:npc('ann')
        local first = start(function() ann:direct(function() ann:set_target('bar') wait(1) end) end)
        wait(0.2)
        ann:direct(function()
          wait(0.2)
          cancel(first)
          wait(0.2)
          log.info('moving', ann:is_moving(), ann:last_walk().reason, ann:last_walk().cancelled_by)
        end)
        log.info('after', ann:is_moving(), ann.directed)
      end
      return R";
    let told = run(&mut hall(ann, room).open(), 4.0);
    assert_eq!(
        told,
        [
            "moving false cancelled the end of the sequence that began at scripts/room.lua:4",
            "after false false"
        ]
    );
}

#[test]
fn what_a_character_does_of_its_own_goes_on_after_a_scene_that_walks_it() {
    let scene = |when: f64| {
        format!(
            "local R = {{}}
            function R.run(room)
              local ann = room:npc('ann')
              wait({when})
              ann:direct(function() ann:walk_to(7, 3.5) ann:stop() wait(3) end)
              log.info('over')
            end
            return R"
        )
    };
    let does = |body: &str| format!("local A = {{}} function A.run(self, npc) {body} end return A");
    // While it walks, and while it rests.
    for pause in ["0.2", "30"] {
        let wanders = does(&format!("log.info(npc:wander{{ within = 1, pause = {pause}, timeout = 6 }})"));
        let told = run(&mut hall(&wanders, &scene(2.0)).open(), 16.0);
        assert_eq!(told, ["over", "false timeout"], "with rests of {pause} s");
    }
    // A scene's order outlives it where nothing of her own was put aside: her own next step overtakes it.
    let room = scene(2.0).replace("ann:walk_to(7, 3.5) ann:stop() wait(3)", "ann:set_target(7, 3.5)");
    let wanders = does("log.info(npc:wander{ within = 1, pause = 3, timeout = 8 })");
    assert_eq!(run(&mut hall(&wanders, &room).open(), 12.0), ["over", "false timeout"]);
    let queues = does("log.info(npc:queue_at('bar')) wait(6) log.info(#room:queue('bar'))");
    for when in [0.1, 0.5, 3.0] {
        let told = run(&mut hall(&queues, &scene(when)).open(), 24.0);
        let mut told: Vec<&str> = told.iter().map(String::as_str).collect();
        told.sort_unstable();
        // Who was served before the scene, and was walked away by it, has left the line.
        let in_line = if when < 2.0 { "1" } else { "0" };
        assert_eq!(told, [in_line, "over", "true arrived"], "a scene after {when} s");
    }
    let flees = does("log.info(npc:flee({ x = 0.5, z = 0.5 }, { distance = 6 }))");
    let told = run(&mut hall(&flees, &scene(0.5)).open(), 16.0);
    assert_eq!(told, ["over", "true arrived"]);
    // Whatever else is asked of it after the scene ends it as before.
    let room = scene(2.0).replace("log.info('over')", "log.info('over') wait(0.5) ann:set_target('bar')");
    let wanders = does("log.info(npc:wander{ within = 1, pause = 3 })");
    assert_eq!(run(&mut hall(&wanders, &room).open(), 16.0), ["over", "false cancelled"]);
}

#[test]
fn messages_for_somebody_in_a_scene_are_in_nobodys_way() {
    let ann = "local A = { heard = 0 }
      function A.on_message(_, npc, message) A.heard = A.heard + 1 end
      function A.run(_, npc) wait(3) log.info('heard', A.heard) end
      return A";
    let room = "local R = {}
      function R.run(room)
        local ann, bob = room:npc('ann'), room:npc('bob')
        ann:direct(function()
          for _ = 1, 60 do
            for _ = 1, 400 do send(ann, 'psst') end
            wait(0)
          end
          send(bob, 'hello')
          log.info('sent')
          wait(0.5)
        end)
      end
      return R";
    let told = run(&mut hall(ann, room).open(), 6.0);
    let expected = [
        "ann is in a scene, and 1000 events and messages wait for it until that is over: what comes now is lost",
        "sent",
        "heard 1000",
    ];
    assert_eq!(told, expected);
}

#[test]
fn more_scenes_than_may_be_are_refused() {
    let room = "local R = {}
      function R.run(room)
        local ann = room:npc('ann')
        for i = 1, 101 do start(function() ann:direct(function() wait(2) end) end) end
        wait(0.5)
        log.info(ann.directed)
        wait(300)
        log.info(ann.directed)
      end
      return R";
    let told = run(&mut hall("return {}", room).open(), 305.0);
    assert!(
        told.len() == 3 && told[0].contains("'ann' is in 100 scenes already, as many as may be"),
        "{told:?}"
    );
    assert_eq!(told[1..], ["true", "false"]);
}

#[test]
fn what_nobody_would_be_told_takes_no_room() {
    let ann = "local A = { heard = 0 }
      function A.on_message(_, npc, message) A.heard = A.heard + 1 end
      function A.run(_, npc) wait(3) log.info('heard', A.heard) end
      return A";
    let room = "local R = {}
      function R.run(room)
        local ann, bob = room:npc('ann'), room:npc('bob')
        direct({ ann, bob }, function()
          for _ = 1, 30 do for _ = 1, 100 do send(bob, 'psst') end wait(0) end
          for _ = 1, 500 do send(ann, 'psst') end
          wait(0.5)
        end)
      end
      return R";
    assert_eq!(run(&mut hall(ann, room).open(), 6.0), ["heard 500"]);
}
