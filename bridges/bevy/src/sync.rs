//! Each frame: rooms step, entities follow characters, events are handed out.

use crate::character::Character;
use crate::event::{RoomEvent, hand_out};
use crate::place::transform_of;
use crate::room::{Room, RoomPaused, RunningRoom};
use bevy_ecs::prelude::*;
use bevy_time::Time;
use bevy_transform::components::Transform;
use cicerone::world::{CharacterId, Command};

/// Characters whose entities the game has despawned leave their rooms.
pub(crate) fn dismiss_characters(mut rooms: Query<&mut RunningRoom>, characters: Query<(), With<Character>>) {
    for mut running in &mut rooms {
        let is_gone = |(_, entity): &(CharacterId, Entity)| !characters.contains(*entity);
        let gone: Vec<(CharacterId, Entity)> = running.characters().filter(is_gone).collect();
        for (who, _) in gone {
            running.people.remove(&who);
            // One that has left already cannot leave: that is what was wanted.
            let _ = running.runtime_mut().apply(Command::Despawn(who));
        }
    }
}

/// One room after the other, so that functions of the game that rooms share are called in order.
pub(crate) fn step_rooms(time: Res<Time>, mut rooms: Query<&mut RunningRoom, Without<RoomPaused>>) {
    for mut running in &mut rooms {
        running.runtime_mut().advance(time.delta_secs_f64());
    }
}

/// Entities come, events are handed out, entities move, entities go: so the entity of an event is there.
pub(crate) fn show_rooms(
    mut rooms: Query<(Entity, &mut RunningRoom)>,
    mut transforms: Query<&mut Transform, With<Character>>,
    mut messages: MessageWriter<RoomEvent>,
    mut commands: Commands,
) {
    for (room, mut running) in &mut rooms {
        spawn_new(room, &mut running, &mut commands);
        hand_out(room, &mut running, &mut messages, &mut commands);
        let people: Vec<(CharacterId, Entity)> = running.characters().collect();
        for (who, entity) in people {
            let Some(pose) = running.runtime().pose(who) else {
                running.people.remove(&who);
                commands.entity(entity).try_despawn();
                continue;
            };
            // That of a new entity is as it should be.
            if let Ok(mut transform) = transforms.get_mut(entity) {
                let scale = transform.scale;
                transform.set_if_neq(transform_of(pose).with_scale(scale));
            }
        }
    }
}

/// Spawns entities for characters that have none.
fn spawn_new(room: Entity, running: &mut RunningRoom, commands: &mut Commands) {
    let new: Vec<(CharacterId, String)> = {
        let world = running.runtime().world();
        let new = world.characters().iter().filter(|character| !running.people.contains_key(&character.id));
        new.map(|character| (character.id, character.name.clone())).collect()
    };
    for (id, name) in new {
        let Some(pose) = running.runtime().pose(id) else { continue };
        let character = Character { room, id, name: name.clone() };
        let entity = commands.spawn((character, Name::new(name), transform_of(pose), ChildOf(room))).id();
        running.people.insert(id, entity);
    }
}

/// The entities of characters go with their room.
pub(crate) fn on_room_ended(
    ended: On<Remove, RunningRoom>,
    rooms: Query<&RunningRoom>,
    mut commands: Commands,
) {
    let Ok(running) = rooms.get(ended.entity) else { return };
    for (_, entity) in running.characters() {
        commands.entity(entity).try_despawn();
    }
}

/// A room without its [`Room`] ends.
pub(crate) fn on_room_removed(removed: On<Remove, Room>, mut commands: Commands) {
    commands.entity(removed.entity).try_remove::<RunningRoom>();
}
