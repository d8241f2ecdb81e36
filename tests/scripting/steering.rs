//! Steering by scripts and by the host: what it ends, and what ends it.

use crate::common::project::{HALL, Project, run};
use cicerone::runtime::{Input, Runtime};
use glam::{DVec2, dvec2};

/// The hall, whose player is Ann, with a script for her and one for the room.
fn hall(ann: &str, room: &str) -> Project {
    let player = r#"{ "name": "ann", "player": true, "script": "scripts/ann.lua","#;
    let hall = HALL.replace(r#"{ "name": "ann","#, player);
    Project::new(&[("rooms/hall.json", &*hall), ("scripts/ann.lua", ann), ("scripts/room.lua", room)])
}

fn ann(runtime: &Runtime) -> DVec2 {
    runtime.world().character_named("ann").unwrap().position.at
}

#[test]
fn steering_cancels_walks_and_verbs_and_says_who_did() {
    let ann = "local A = {}
        function A.run(self, npc)
          after(0.5, function() npc:steer(0, 0) npc:steer(0, 1) end)
          log.info(npc:walk_to(7, 1))
          log.info(npc:last_walk().cancelled_by ~= nil, npc.steering.z, npc.state, npc:target())
          after(0.5, function() npc:steer(-1, 0) end)
          log.info(npc:wander{ area = 'mat', pause = 9 })
          log.info(npc.steering.x, npc:turn_to('bob'))
          log.info(npc:walk_to('bar'), npc.steering)
        end
        return A";
    let lines = run(&mut hall(ann, "return {}").open(), 30.0);
    assert_eq!(
        lines,
        ["false cancelled", "true 1.0 walk nil", "false cancelled", "-1.0 false cancelled", "true nil"]
    );
}

#[test]
fn bad_directions_are_errors_at_their_line() {
    for (direction, words) in [
        ("0/0, 1", "npc:steer: dx must be a finite number, not"),
        ("1, math.huge", "npc:steer: dz must be a finite number, not inf"),
        ("'bar'", "dx"),
        ("1", "dz"),
    ] {
        let ann = format!("return {{ run = function(self, npc)\nnpc:steer({direction})\nend }}");
        let lines = run(&mut hall(&ann, "return {}").open(), 0.1);
        assert!(lines.len() == 1 && lines[0].contains("scripts/ann.lua:2"), "{lines:?}");
        assert!(lines[0].contains(words), "{direction}: {lines:?}");
    }
}

#[test]
fn a_host_steers_the_player_except_in_a_scene() {
    let room = "return { on_message = function(room, message)
        local ann = room:npc('ann')
        start(function() direct(ann, function() ann:walk_to(6, 1) end) end)
    end }";
    let mut runtime = hall("return {}", room).open();
    run(&mut runtime, 0.1);
    runtime.send(Input::Steer(dvec2(1.0, 0.0)));
    run(&mut runtime, 1.0);
    assert!(ann(&runtime).distance(dvec2(3.4, 1.0)) < 0.05, "{}", ann(&runtime));
    runtime.send(Input::Console("send(room, 'scene')".into()));
    run(&mut runtime, 0.1);
    runtime.send(Input::Steer(dvec2(-1.0, 0.0)));
    run(&mut runtime, 4.0);
    assert!(ann(&runtime).distance(dvec2(6.0, 1.0)) < 0.1, "the scene has her: {}", ann(&runtime));
    // After it, she stands until she is steered again; a click ends it.
    runtime.send(Input::Steer(dvec2(-1.0, 0.0)));
    run(&mut runtime, 1.0);
    assert!(ann(&runtime).x < 5.0);
    runtime.send(Input::Click(dvec2(7.0, 1.0).into()));
    run(&mut runtime, 6.0);
    assert!(ann(&runtime).distance(dvec2(7.0, 1.0)) < 0.1, "{}", ann(&runtime));
    // A stick at rest does not stop a walk.
    runtime.send(Input::Click(dvec2(2.0, 1.0).into()));
    run(&mut runtime, 0.5);
    runtime.send(Input::Steer(DVec2::ZERO));
    run(&mut runtime, 5.0);
    assert!(ann(&runtime).distance(dvec2(2.0, 1.0)) < 0.1, "{}", ann(&runtime));
}
