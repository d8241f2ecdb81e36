//! Characters are entities, and transforms follow them.

use crate::app::Game;
use bevy_asset::Handle;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::{GlobalTransform, Transform};
use cicerone::room::CharacterSpec;
use cicerone_bevy::cicerone;
use cicerone_bevy::cicerone::nav::Place;
use cicerone_bevy::prelude::*;

fn at(game: &Game, entity: Entity) -> Vec3 {
    game.app.world().get::<Transform>(entity).expect("it has a place").translation
}

#[test]
fn characters_are_children_of_their_room_and_transforms_follow() {
    let (mut game, room) = Game::hall("return { run = function(self, npc) npc:walk_to(6, 1) end }");
    game.app.world_mut().entity_mut(room).insert(Transform::from_xyz(100.0, 0.0, 0.0));
    game.frames(2);
    let ann = game.who(room, "ann");
    let world = game.app.world();
    let character = world.get::<Character>(ann).expect("a character");
    assert_eq!((character.name.as_str(), character.room), ("ann", room));
    assert_eq!(game.running(room).entity_of(character.id), Some(ann));
    assert_eq!(world.get::<ChildOf>(ann).map(ChildOf::parent), Some(room));
    assert_eq!(world.get::<Name>(ann).map(Name::as_str), Some("ann"));
    let start = at(&game, ann);
    game.frames(60);
    let on_the_way = at(&game, ann);
    assert!(on_the_way.x > start.x + 0.5 && on_the_way.x < 3.0, "{start} {on_the_way}");
    let forward = game.app.world().get::<Transform>(ann).unwrap().forward();
    assert!(forward.x > 0.99, "{forward:?}");
    let global = game.app.world().get::<GlobalTransform>(ann).unwrap().translation();
    assert!((global.x - on_the_way.x - 100.0).abs() < 1e-4, "in the same frame: {global}");
    game.frames(300);
    assert!(at(&game, ann).distance(Vec3::new(6.0, 0.0, 1.0)) < 0.1);
}

#[test]
fn entities_come_and_go_with_characters_that_scripts_spawn() {
    let script = r#"return { run = function(self, npc)
        wait(0.5)
        local guest = spawn { name = "guest", at = { x = 4, z = 4 } }
        wait(0.5)
        guest:despawn()
    end }"#;
    let (mut game, room) = Game::hall(script);
    let guest = |game: &Game| game.running(room).entity_named("guest");
    game.until(|game| guest(game).is_some());
    let entity = guest(&game).unwrap();
    assert!(at(&game, entity).distance(Vec3::new(4.0, 0.0, 4.0)) < 0.1);
    game.until(|game| guest(game).is_none());
    assert!(game.app.world().get_entity(entity).is_err());
    assert_eq!(game.running(room).characters().count(), 2);
}

#[test]
fn a_game_spawns_characters_and_sends_them_out() {
    let (mut game, room) = Game::hall("return {}");
    let spec = CharacterSpec::at(Place::new(4.0, 4.0)).with_name("guest");
    game.app.world_mut().trigger(SpawnCharacter { entity: room, spec });
    game.frames(1);
    let guest = game.who(room, "guest");
    game.app.world_mut().despawn(guest);
    game.frames(2);
    assert!(game.running(room).runtime().world().character_named("guest").is_none());
    assert!(game.texts().contains(&"guest leaves".to_owned()), "{:?}", game.texts());
}

#[test]
fn a_room_that_ends_takes_its_characters_along() {
    let (mut game, room) = Game::hall("return {}");
    game.frames(1);
    let ann = game.who(room, "ann");
    game.app.world_mut().entity_mut(room).remove::<Room>();
    game.frames(1);
    let world = game.app.world();
    assert!(world.get::<RunningRoom>(room).is_none() && world.get_entity(ann).is_err());

    let files = RoomFiles::new(
        "rooms/cell.json",
        r#"{
        "areas": [{ "name": "cell", "polygon": [[0, 0], [3, 0], [3, 3], [0, 3]] }],
        "characters": [{ "name": "monk", "at": [1, 1] }] }"#,
    );
    let mut assets = game.app.world_mut().resource_mut::<bevy_asset::Assets<RoomFiles>>();
    let files: Handle<RoomFiles> = assets.add(files);
    game.app.world_mut().entity_mut(room).insert(Room::new(files));
    game.frames(2);
    let monk = game.who(room, "monk");
    assert!(at(&game, monk).distance(Vec3::new(1.0, 0.0, 1.0)) < 0.1);
    game.app.world_mut().despawn(room);
    game.frames(1);
    assert!(game.app.world().get_entity(monk).is_err());
}

#[test]
fn another_room_on_the_same_entity_takes_the_place_of_the_first() {
    let (mut game, room) = Game::hall("return {}");
    game.frames(1);
    let ann = game.who(room, "ann");
    game.files
        .save("rooms/empty.json", r#"{ "areas": [{ "name": "a", "polygon": [[0, 0], [3, 0], [3, 3]] }] }"#);
    let files = game.app.world().resource::<bevy_asset::AssetServer>().load("rooms/empty.json");
    game.app.world_mut().entity_mut(room).insert(Room::new(files));
    game.until(|game| {
        game.app.world().get::<RunningRoom>(room).is_some_and(|it| it.entity_named("ann").is_none())
    });
    assert!(game.app.world().get_entity(ann).is_err());
    game.app.world_mut().entity_mut(room).remove::<RunningRoom>();
    game.until(|game| game.app.world().get::<RunningRoom>(room).is_some());
}
