//! Events reach observers and messages; scripts call the game.

use crate::app::{Game, HALL};
use bevy_app::App;
use bevy_ecs::prelude::*;
use cicerone_bevy::cicerone::script::{CallId, Note};
use cicerone_bevy::prelude::*;
use std::sync::{Arc, Mutex};

#[derive(Resource, Default)]
struct Log(Vec<String>);

fn name(of: Entity, names: &Query<&Name>) -> String {
    names.get(of).map(|name| name.to_string()).unwrap_or_default()
}

fn note_events(app: &mut App, room: Entity) {
    app.init_resource::<Log>();
    app.world_mut()
        .entity_mut(room)
        .observe(|on: On<Said>, names: Query<&Name>, mut log: ResMut<Log>| {
            log.0.push(format!("{}: {}", name(on.original_event_target(), &names), on.text));
        })
        .observe(|on: On<EnteredArea>, names: Query<&Name>, mut log: ResMut<Log>| {
            log.0.push(format!("{} in {}", name(on.original_event_target(), &names), on.area));
        })
        .observe(|on: On<LeftArea>, names: Query<&Name>, mut log: ResMut<Log>| {
            log.0.push(format!("{} out of {}", name(on.original_event_target(), &names), on.area));
        })
        .observe(|on: On<AreaChanged>, mut log: ResMut<Log>| {
            log.0.push(format!("{}: {}", on.area, on.available));
        });
}

#[test]
fn observers_of_a_room_get_what_its_characters_do() {
    let script = r#"return { run = function(self, npc)
        wait(0.2)
        npc:say("Open!")
        set_area_available("door", true)
        npc:walk_to(10, 2.5)
    end }"#;
    let (mut game, room) = Game::hall(script);
    note_events(&mut game.app, room);
    game.frames(700);
    let log = &game.app.world().resource::<Log>().0;
    let expected =
        ["ann: Open!", "door: true", "ann in door", "ann out of hall", "ann in cellar", "ann out of door"];
    for line in expected {
        assert_eq!(log.iter().filter(|found| *found == line).count(), 1, "{line} in {log:?}");
    }
    let ann = game.who(room, "ann");
    let said = game.heard().events.iter().find(|event| event.event.to_string().contains("Open!"));
    assert_eq!(said.map(|event| (event.room, event.character)), Some((room, Some(ann))));
}

#[test]
fn a_last_word_reaches_the_entity_of_a_character_that_leaves() {
    let script = r#"return { run = function(self, npc) wait(0.2) npc:say("Bye!") npc:despawn() end }"#;
    let (mut game, room) = Game::hall(script);
    note_events(&mut game.app, room);
    game.frames(60);
    let log = &game.app.world().resource::<Log>().0;
    assert!(log.ends_with(&["ann: Bye!".into(), "ann out of hall".into()]), "{log:?}");
    assert!(game.running(room).entity_named("ann").is_none());
}

#[test]
fn scripts_call_the_game_and_wait_for_it() {
    let script = r#"return { run = function(self, npc)
        if take_coins(3) then
          play("bow", npc)
          npc:say(#npc.id > 0 and "paid" or "")
        end
    end }"#;
    let purse = Arc::new(Mutex::new(5));
    let coins = purse.clone();
    let options = Options::default().game_api(|api| {
        api.function("take_coins(count: integer) -> paid: boolean", "Takes coins.", move |call| {
            let mut coins = coins.lock().map_err(|_| "the purse is gone")?;
            *coins -= call.integer(0)?;
            Ok(true)
        })
        .waiting("play(animation: string, who: Npc)", "Plays an animation.")
    });
    let mut game = Game::new(&[("rooms/hall.json", HALL), ("scripts/ann.lua", script)]);
    let room = game.open("rooms/hall.json", options);
    game.frames(30);
    assert_eq!(*purse.lock().unwrap(), 2);
    let called = |game: &Game| -> Option<CallId> {
        game.heard().events.iter().find_map(|event| match &event.event {
            RuntimeEvent::Note(Note::Called(call)) if call.waits => Some(call.id),
            _ => None,
        })
    };
    let call = called(&game).expect("the animation is asked for");
    assert!(!game.texts().iter().any(|text| text.contains("paid")), "it waits: {:?}", game.texts());
    game.runtime(room).runtime_mut().finish_call(call, ()).expect("it waits");
    game.frames(3);
    assert!(game.texts().iter().any(|text| text.contains("paid")), "{:?}", game.texts());
}

#[test]
fn errors_of_scripts_are_messages_with_a_place() {
    let (mut game, _) = Game::hall("return {\n run = function(self, npc) npc:wlk_to(1, 1) end }");
    game.frames(3);
    let texts = game.texts();
    assert!(texts.iter().any(|text| text.contains("scripts/ann.lua:2")), "{texts:?}");
}
