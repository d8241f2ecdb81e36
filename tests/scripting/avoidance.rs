//! How single characters avoid others: from the room file, when they are spawned, from scripts, and after a reload.

use crate::common::project::{Project, problems, reload, run};
use cicerone::room::Avoidance;
use cicerone::runtime::{Reload, Runtime};

const ROOM: &str = r#"{
  "areas": [{ "name": "hall", "polygon": [[0, 0], [10, 0], [10, 6], [0, 6]] }],
  "characters": [
    { "name": "ann", "at": [1, 3], "script": "scripts/ann.lua" },
    { "name": "bob", "at": [5, 3], "avoidance": "push" }
  ]
}"#;

const ANN: &str = r#"local A = {}
    function A.run(self, npc)
      local bob = room:npc("bob")
      local tom = spawn{ at = { 8, 3 }, name = "tom", avoidance = "push" }
      log.info(npc.avoidance, bob.avoidance, tom.avoidance)
      tom.avoidance, bob.avoidance = nil, "steer"
      log.info(bob.avoidance, tom.avoidance)
      log.info(pcall(function() npc.avoidance = "stear" end))
      log.info(pcall(spawn, { at = { 8, 4 }, avoidance = "pusch" }))
    end
    return A"#;

fn of(runtime: &Runtime, name: &str) -> Option<Avoidance> {
    runtime.world().character_named(name).unwrap().avoidance
}

#[test]
fn of_single_characters_in_files_and_scripts() {
    let project = Project::new(&[("rooms/hall.json", ROOM), ("scripts/ann.lua", ANN)]);
    let mut runtime = project.open();
    assert_eq!(of(&runtime, "bob"), Some(Avoidance::Push), "as the file says");
    let said = run(&mut runtime, 0.1);
    assert_eq!(said[..2], ["nil push push", "steer nil"]);
    assert!(said[2].ends_with(r#"npc.avoidance must be "steer" or "push", not "stear""#), "{said:?}");
    assert!(said[3].ends_with(r#"spawn: avoidance must be "steer" or "push", not "pusch""#), "{said:?}");

    // What the file does not change stays as the game has it.
    project.write("rooms/hall.json", &ROOM.replace("[5, 3]", "[5, 4]"));
    assert!(matches!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Done { .. }));
    assert_eq!(of(&runtime, "bob"), Some(Avoidance::Steer));
    project.write("rooms/hall.json", &ROOM.replace(r#", "avoidance": "push""#, ""));
    assert!(matches!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Done { .. }));
    assert_eq!(of(&runtime, "bob"), None, "as the room");
    project.write("rooms/hall.json", &ROOM.replace("push", "pull"));
    let problems = problems(reload(&project, &mut runtime, &["rooms/hall.json"]));
    assert!(problems[0].contains("expected 'push' or 'steer', found 'pull'"), "{problems:?}");
}
