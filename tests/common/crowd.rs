//! A world and its people, in few words.

use super::character;
use cicerone::room::Room;
use cicerone::world::{Applied, CharacterId, Command, EventKind, WalkEnd, World};
use glam::DVec2;

pub fn world(room: Room) -> World {
    World::of_checked(room, 1).unwrap()
}

pub fn join(world: &mut World, name: &str, at: DVec2) -> CharacterId {
    match world.apply(Command::Spawn(Box::new(character(name, at)))).unwrap() {
        Applied::Spawned(id) => id,
        other => panic!("{other:?}"),
    }
}

pub fn send(world: &mut World, who: CharacterId, to: DVec2) {
    world.apply(Command::SetTarget { who, to: to.into() }).unwrap();
}

pub fn at(world: &World, who: CharacterId) -> DVec2 {
    world.character(who).unwrap().position.at
}

/// One tick. Tells how walks ended, in order.
pub fn tick(world: &mut World) -> Vec<(CharacterId, WalkEnd)> {
    world.tick();
    let ends = world.take_events().into_iter().filter_map(|event| match event.kind {
        EventKind::WalkEnded { who, end, .. } => Some((who, end)),
        _ => None,
    });
    ends.collect()
}

/// Runs for some seconds and tells how walks ended, in order.
pub fn run(world: &mut World, seconds: f64) -> Vec<(CharacterId, WalkEnd)> {
    (0..(seconds * 60.0) as u64).flat_map(|_| tick(world)).collect()
}
