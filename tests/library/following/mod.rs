//! Following somebody: near, at rest, and never for good in anybody's way.

mod alone;
mod beside;
mod together;

use crate::common::crowd::{at, join, send, world};
use crate::common::{area, empty_room, picture};
use cicerone::room::Room;
use cicerone::world::{
    Applied, CharacterId, Command, CommandError, EventKind, Setting, State, WalkEnd, WalkId, World,
};
use glam::{DVec2, dvec2};
use proptest::prelude::*;

/// How much further away than asked for somebody may be before a follower sets out.
pub(crate) const SLACK_M: f64 = 0.3;

/// A room of rectangles `(x0, z0, x1, z1)`, walls kept at 0.3 m, so that 0.8 m of width let one person through.
pub(crate) fn rooms(rectangles: &[(f64, f64, f64, f64)]) -> Room {
    let mut room = empty_room();
    room.ground.cell_size_m = 0.2;
    room.ground.boundary_padding_m = 0.3;
    for (index, &(x0, z0, x1, z1)) in rectangles.iter().enumerate() {
        let corners = vec![dvec2(x0, z0), dvec2(x1, z0), dvec2(x1, z1), dvec2(x0, z1)];
        room.areas.push(area(&format!("part_{index}"), corners, true));
    }
    room
}

pub(crate) fn follow(world: &mut World, who: CharacterId, other: CharacterId, distance_m: f64) -> WalkId {
    match world.apply(Command::Follow { who, other, distance_m }).unwrap() {
        Applied::Walking(walk) => walk,
        other => panic!("{other:?}"),
    }
}

/// Runs for some seconds and tells how errands ended, in order; nobody talks.
pub(crate) fn run(world: &mut World, seconds: f64) -> Vec<(CharacterId, WalkId, WalkEnd)> {
    let mut ends = Vec::new();
    for _ in 0..(seconds * 60.0) as u64 {
        world.tick();
        for event in world.take_events() {
            match event.kind {
                EventKind::WalkEnded { who, walk, end, .. } => ends.push((who, walk, end)),
                EventKind::Talked { .. } => panic!("following is not talking"),
                _ => {}
            }
        }
    }
    ends
}

pub(crate) fn state(world: &World, who: CharacterId) -> State {
    world.character(who).unwrap().state()
}

pub(crate) fn apart_m(world: &World, one: CharacterId, other: CharacterId) -> f64 {
    at(world, one).distance(at(world, other))
}

pub(crate) fn tune(world: &mut World, who: CharacterId, setting: Setting) {
    world.apply(Command::Tune { who, setting }).unwrap();
}

/// Whether nobody moves by a single bit for some seconds, and everybody stands.
pub(crate) fn all_rest(world: &mut World, seconds: f64) -> Result<(), String> {
    let before: Vec<DVec2> = world.characters().iter().map(|c| c.position.at).collect();
    for tick in 0..(seconds * 60.0) as u64 {
        world.tick();
        for (c, was) in world.characters().iter().zip(&before) {
            if c.position.at != *was || c.state() != State::Stand || c.is_moving() {
                return Err(format!("{} moved from {was} to {} after {tick} ticks", c.name, c.position));
            }
        }
    }
    Ok(())
}

/// How far all walk together in some seconds.
pub(crate) fn way_walked_m(world: &mut World, seconds: f64) -> f64 {
    let mut walked_m = 0.0;
    for _ in 0..(seconds * 60.0) as u64 {
        let before: Vec<DVec2> = world.characters().iter().map(|c| c.position.at).collect();
        world.tick();
        walked_m +=
            world.characters().iter().zip(&before).map(|(c, was)| c.position.at.distance(*was)).sum::<f64>();
    }
    walked_m
}

/// Ann two metres from Bob in a hall of 20 by 10 metres.
pub(crate) fn two() -> (World, CharacterId, CharacterId) {
    let mut world = world(rooms(&[(0.0, 0.0, 20.0, 10.0)]));
    let (ann, bob) = (join(&mut world, "ann", dvec2(2.0, 5.0)), join(&mut world, "bob", dvec2(4.0, 5.0)));
    world.take_events();
    (world, ann, bob)
}
