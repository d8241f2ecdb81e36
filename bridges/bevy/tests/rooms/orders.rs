//! Orders are carried out or refused, and walks end with events.

use crate::app::Game;
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use bevy_transform::components::Transform;
use cicerone_bevy::OrderError;
use cicerone_bevy::cicerone::world::{CommandError, WalkEnd};
use cicerone_bevy::prelude::*;

#[derive(Resource, Default)]
struct Ends(Vec<(Entity, WalkEnd)>, Vec<Entity>);

fn note_ends(game: &mut Game) {
    game.app.init_resource::<Ends>();
    game.app.add_observer(|on: On<WalkEnded>, mut ends: ResMut<Ends>| {
        // Propagated to the room as well; noted once.
        if on.event_target() == on.original_event_target() {
            ends.0.push((on.original_event_target(), on.end.clone()));
        }
    });
}

fn trigger<'a, E: Event<Trigger<'a>: Default>>(game: &mut Game, order: E) {
    game.app.world_mut().trigger(order);
}

fn at(game: &Game, entity: Entity) -> Vec3 {
    game.app.world().get::<Transform>(entity).expect("it has a place").translation
}

#[test]
fn an_order_to_walk_ends_with_an_arrival() {
    let (mut game, room) = Game::hall("return {}");
    note_ends(&mut game);
    game.frames(1);
    let player = game.who(room, "player");
    game.app.world_mut().entity_mut(room).observe(|on: On<Arrived>, mut ends: ResMut<Ends>| {
        ends.1.push(on.original_event_target());
    });
    trigger(&mut game, WalkTo { entity: player, to: Vec3::new(6.0, 0.0, 1.0) });
    game.until(|game| !game.app.world().resource::<Ends>().1.is_empty());
    let ends = game.app.world().resource::<Ends>();
    assert_eq!((&ends.0, &ends.1), (&vec![(player, WalkEnd::Arrived)], &vec![player]));
    assert!(at(&game, player).distance(Vec3::new(6.0, 0.0, 1.0)) < 0.1);
}

#[test]
fn a_walk_that_is_stopped_ends_as_cancelled() {
    let (mut game, room) = Game::hall("return {}");
    note_ends(&mut game);
    game.frames(1);
    let player = game.who(room, "player");
    trigger(&mut game, WalkTo { entity: player, to: Vec3::new(6.0, 0.0, 1.0) });
    game.frames(30);
    trigger(&mut game, Stop { entity: player });
    game.frames(2);
    assert_eq!(game.app.world().resource::<Ends>().0, [(player, WalkEnd::Cancelled)]);
    let here = at(&game, player);
    game.frames(30);
    assert!(at(&game, player).distance(here) < 0.1);
}

#[test]
fn the_cellar_is_reached_once_its_door_opens() {
    let (mut game, room) = Game::hall("return {}");
    note_ends(&mut game);
    game.frames(1);
    let player = game.who(room, "player");
    let cellar = Vec3::new(11.0, 0.0, 1.0);
    trigger(&mut game, WalkTo { entity: player, to: cellar });
    game.until(|game| !game.app.world().resource::<Ends>().0.is_empty());
    assert_eq!(game.app.world().resource::<Ends>().0[0].1, WalkEnd::Partial);
    trigger(&mut game, SetAreaAvailable { entity: room, area: "door".into(), available: true });
    trigger(&mut game, WalkTo { entity: player, to: cellar });
    game.until(|game| game.app.world().resource::<Ends>().0.len() == 2);
    assert_eq!(game.app.world().resource::<Ends>().0[1].1, WalkEnd::Arrived);
}

#[test]
fn the_player_is_steered_clicked_and_pushed() {
    let (mut game, room) = Game::hall("return {}");
    game.frames(1);
    let player = game.who(room, "player");
    trigger(&mut game, SteerPlayer { entity: room, direction: Vec2::new(1.0, 0.0) });
    game.frames(60);
    assert!(at(&game, player).x > 3.0, "{}", at(&game, player));
    trigger(&mut game, SteerPlayer { entity: room, direction: Vec2::ZERO });
    game.frames(30);
    let before = at(&game, player);
    trigger(&mut game, Push { entity: player, by: Vec3::new(0.0, 0.0, -0.5) });
    game.frames(2);
    assert!((at(&game, player).z - before.z + 0.5).abs() < 0.05, "{before} {}", at(&game, player));
    trigger(&mut game, ClickRoom { entity: room, at: Vec3::new(1.0, 0.0, 4.0) });
    game.frames(400);
    assert!(at(&game, player).distance(Vec3::new(1.0, 0.0, 4.0)) < 0.1);
    trigger(&mut game, Teleport { entity: player, to: Vec3::new(7.0, 0.0, 4.0) });
    game.frames(2);
    assert!(at(&game, player).distance(Vec3::new(7.0, 0.0, 4.0)) < 0.1);
}

#[test]
fn orders_that_cannot_be_carried_out_are_messages() {
    let (mut game, room) = Game::hall("return {}");
    game.frames(1);
    let player = game.who(room, "player");
    let stranger = game.app.world_mut().spawn_empty().id();
    trigger(&mut game, SetAreaAvailable { entity: room, area: "dooor".into(), available: true });
    trigger(&mut game, WalkTo { entity: player, to: Vec3::new(f32::NAN, 0.0, 0.0) });
    trigger(&mut game, Follow { entity: player, other: stranger, distance: 1.0 });
    trigger(&mut game, Stop { entity: stranger });
    trigger(&mut game, WalkTo { entity: room, to: Vec3::ZERO });
    game.frames(2);
    let refused = &game.heard().refused;
    assert_eq!(refused.len(), 5, "{refused:?}");
    assert!(refused[0].error.to_string().contains("door"), "{}", refused[0].error);
    assert!(matches!(refused[1].error, OrderError::Refused(CommandError::BadNumber(..))), "{:?}", refused[1]);
    assert_eq!(refused[2].error, OrderError::NoCharacter(stranger));
    assert_eq!((refused[3].entity, &refused[3].error), (stranger, &OrderError::NoRoom));
    assert_eq!(refused[4].error, OrderError::NoCharacter(room));
}
