//! Hotspots that change while the game runs: switched off, moved, used from elsewhere; saved, reloaded and replayed.

use super::saves::{restore, saved, steps, told};
use crate::common::project::{Project, reload, run};
use cicerone::nav::Place;
use cicerone::record::{Buffer, Recording, Replay};
use cicerone::runtime::{Input, Reload, Runtime};
use cicerone::world::{Command, HotspotChange};
use glam::dvec2;

const ROOM: &str = r#"{"areas": [{"name": "hall", "polygon": [[0, 0], [10, 0], [10, 6], [0, 6]]}],
"hotspots": [
  {"name": "key", "polygon": [[2, 2], [3, 2], [3, 3], [2, 3]], "walkTo": [2.5, 4], "cursor": "take"},
  {"name": "mat", "polygon": [[1, 1], [4, 1], [4, 4], [1, 4]], "walkTo": [4, 5]},
  {"name": "hatch", "polygon": [[6, 1], [7, 1], [7, 2], [6, 2]], "walkTo": [6.5, 3], "enabled": false}],
"characters": [{"name": "player", "at": [8, 4], "player": true}], "script": "scripts/r.lua"}"#;

const SCRIPT: &str = "local R = {}
function R.on_use(room, npc, name) log.info('used ' .. name) end
return R
";

fn project() -> Project {
    Project::new(&[("rooms/hall.json", ROOM), ("scripts/r.lua", SCRIPT)])
}

fn set(runtime: &mut Runtime, lua: &str) -> Vec<String> {
    runtime.send(Input::Console(lua.to_owned()));
    run(runtime, 0.1);
    runtime.take_answers().iter().map(ToString::to_string).collect()
}

fn at(runtime: &Runtime, x: f64, z: f64) -> Option<&str> {
    runtime.world().hotspot_at(dvec2(x, z)).map(|hotspot| hotspot.name.as_str())
}

fn click(runtime: &mut Runtime, x: f64, z: f64) -> Vec<String> {
    runtime.send(Input::Click(Place::from(dvec2(x, z))));
    run(runtime, 8.0)
}

#[test]
fn a_hotspot_is_switched_off_moved_and_used_from_elsewhere() {
    let project = project();
    let mut runtime = project.open();
    assert_eq!((at(&runtime, 2.5, 2.5), at(&runtime, 6.5, 1.5)), (Some("key"), None));
    assert_eq!(click(&mut runtime, 2.5, 2.5), ["used key"]);
    set(&mut runtime, "room:set_hotspot('key', {enabled = false})");
    // What is beneath it counts now.
    assert_eq!(click(&mut runtime, 2.5, 2.5), ["used mat"]);
    let told = set(&mut runtime, "room:npc('player'):use('key')");
    assert!(told[0].contains("the hotspot 'key' is switched off"), "{told:?}");
    set(
        &mut runtime,
        "room:set_hotspot('hatch', {enabled = true, at = {x = 8, z = 1}, walk_to = {x = 9, z = 3}})",
    );
    assert_eq!((at(&runtime, 6.5, 1.5), at(&runtime, 8.4, 1.4)), (None, Some("hatch")));
    assert_eq!(click(&mut runtime, 8.4, 1.4), ["used hatch"]);
    let player = runtime.world().character_named("player").unwrap().position.at;
    assert!(player.distance(dvec2(9.0, 3.0)) < 0.2, "{player}");
    // It is moved to a place, not by one.
    set(&mut runtime, "room:set_hotspot('hatch', {at = {x = 8, z = 1}})");
    assert_eq!(at(&runtime, 8.4, 1.4), Some("hatch"));
    let told = set(&mut runtime, "room:set_hotspot('hutch', {enabled = true})");
    assert!(told[0].contains("no hotspot 'hutch' in this room; did you mean 'hatch'?"), "{told:?}");
    let told = set(&mut runtime, "room:set_hotspot('hatch', {visible = true})");
    assert!(told[0].contains("visible"), "{told:?}");
}

#[test]
fn changes_are_saved_and_outlive_reloads_but_not_changes_of_the_file() {
    let project = project();
    let mut runtime = project.open();
    let plain = runtime.world().checksum();
    set(
        &mut runtime,
        "room:set_hotspot('key', {enabled = false}) room:set_hotspot('mat', {cursor = 'look'})",
    );
    assert_ne!(runtime.world().checksum(), plain);
    let mut restored = restore(&project, &saved(&runtime)).unwrap();
    assert_eq!(restored.world().hotspots(), runtime.world().hotspots());
    assert_eq!(restored.world().checksum(), runtime.world().checksum());
    steps(&mut restored, 60);
    steps(&mut runtime, 60);
    assert_eq!(restored.world().checksum(), runtime.world().checksum());
    // The mat changes in the file; the key does not.
    project.write("rooms/hall.json", &ROOM.replace("[4, 4], [1, 4]", "[4, 4.5], [1, 4.5]"));
    assert!(matches!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Done { .. }));
    let spots = |name: &str| runtime.world().hotspot_named(name).unwrap();
    assert!(!spots("key").enabled && spots("mat").cursor.is_none());
    // A save of a hotspot that is gone is refused with its name.
    let mut state = serde_json::to_value(runtime.world().state()).unwrap();
    state["hotspots"]["kye"] = serde_json::json!({ "enabled": false });
    let state = serde_json::from_value(state).unwrap();
    let refused = cicerone::world::World::restore(runtime.world().room().clone(), &state).unwrap_err();
    assert!(refused.to_string().contains("no hotspot 'kye'"), "{refused}");
    assert_eq!(told(&mut runtime), Vec::<String>::new());
}

#[test]
fn what_changes_nothing_leaves_no_trace_and_a_recording_replays() {
    let project = project();
    let mut runtime = project.open();
    let buffer = Buffer::default();
    runtime.record(Box::new(buffer.clone())).unwrap();
    for (lua, changed) in [
        ("{}", false),
        ("{enabled = true}", false),
        ("{enabled = false, cursor = 'look'}", true),
        ("{enabled = false}", false),
        ("{enabled = true, cursor = 'take'}", true),
        ("{at = {x = 5, z = 5}, walk_to = {x = 6, z = 5}}", true),
    ] {
        let told = set(&mut runtime, &format!("return room:set_hotspot('key', {lua})"));
        assert_eq!(told, [changed.to_string()], "{lua}");
    }
    let (checksum, tick) = (runtime.world().checksum(), runtime.world().tick_number());
    runtime.stop_recording().unwrap();
    let recording = Recording::read(&buffer.bytes()).unwrap();
    let mut replay = Replay::new(&recording).unwrap();
    while replay.world().tick_number() < tick {
        replay.step().unwrap();
    }
    assert_eq!(replay.world().checksum(), checksum);
    assert_eq!(replay.world().hotspots(), runtime.world().hotspots());
}

#[test]
fn another_order_in_the_file_keeps_what_the_game_changed() {
    let project = project();
    let mut runtime = project.open();
    set(&mut runtime, "room:set_hotspot('hatch', {enabled = true})");
    let (start, rest) = ROOM.split_once("\n  {\"name\": \"key\"").unwrap();
    let (key, rest) = rest.split_once("},\n").unwrap();
    let (mat, rest) = rest.split_once("},\n").unwrap();
    let swapped = format!("{start}\n{mat}}},\n  {{\"name\": \"key\"{key}}},\n{rest}");
    project.write("rooms/hall.json", &swapped);
    assert!(matches!(reload(&project, &mut runtime, &["rooms/hall.json"]), Reload::Done { .. }));
    assert_eq!(at(&runtime, 2.5, 2.5), Some("mat"), "it is on top now");
    assert_eq!(at(&runtime, 6.5, 1.5), Some("hatch"));
}

#[test]
fn a_place_that_is_none_is_refused() {
    let mut runtime = project().open();
    let far = HotspotChange { at: Some(dvec2(f64::NAN, 0.0)), ..HotspotChange::default() };
    let word = HotspotChange { cursor: Some("x".repeat(1000)), ..HotspotChange::default() };
    for change in [far, word] {
        assert!(
            runtime.apply(Command::SetHotspot { hotspot: "key".into(), change: Box::new(change) }).is_err()
        );
    }
    assert_eq!(at(&runtime, 2.5, 2.5), Some("key"));
}
