//! Binary messages: what changes all the time. All numbers little endian, in columns, aligned to four bytes, so that a page
//! reads them without copying.

use super::net::Bytes;
use crate::crowd::{Character, CharacterId};
use crate::draw::Picture;
use crate::runtime::Runtime;
use crate::world::{HELD_UP_AFTER_S, World};
use std::collections::BTreeSet;

/// The number that every frame begins with, and every message with paths.
const FRAME: u32 = 1;
const PATHS: u32 = 2;

/// Bits of the first column of flags of a frame.
const PAUSED: u32 = 1;
const JUMP: u32 = 2;

/// Bits of a character beside its storey, which is in the lowest eight.
const WALKING: u32 = 1 << 8;
const ACTIVE: u32 = 1 << 9;
const HELD_UP: u32 = 1 << 10;
const IN_SCENE: u32 = 1 << 11;
const FAULTY: u32 = 1 << 12;
const SPEAKING: u32 = 1 << 13;
const CROSSING: u32 = 1 << 14;

/// Bits of a part of a path beside its storey.
const PARTIAL: u32 = 1 << 8;
const LAST: u32 = 1 << 9;

/// What a frame says of the time.
pub(super) struct Moment {
    pub(super) is_paused: bool,
    /// Whether the room went to another time, so that nothing is to be interpolated.
    pub(super) is_jump: bool,
    /// The version of the list of people.
    pub(super) people: u32,
}

/// The places of all characters. `picture` knows the storeys.
pub(super) fn frame(
    runtime: &Runtime,
    picture: &Picture,
    faulty: &BTreeSet<CharacterId>,
    moment: &Moment,
) -> Bytes {
    let world = runtime.world();
    let characters = world.characters();
    let mut out = Vec::with_capacity(28 + characters.len() * 24);
    put(&mut out, FRAME);
    put(&mut out, if moment.is_paused { PAUSED } else { 0 } | if moment.is_jump { JUMP } else { 0 });
    out.extend((world.tick_number() as f64).to_le_bytes());
    put(&mut out, moment.people);
    put(&mut out, characters.len() as u32);
    characters.iter().for_each(|character| put(&mut out, character.id.0));
    let places: Vec<_> = characters.iter().map(|character| world.seen_at(character).at).collect();
    places.iter().for_each(|at| out.extend((at.x as f32).to_le_bytes()));
    places.iter().for_each(|at| out.extend((at.y as f32).to_le_bytes()));
    characters.iter().for_each(|character| out.extend((character.heading_rad as f32).to_le_bytes()));
    for (character, at) in characters.iter().zip(&places) {
        let radius_m = picture.radius_m(world, character, *at);
        out.extend((radius_m as f32).to_le_bytes());
    }
    for character in characters {
        let storey = picture.storey_of_character(world, character) as u32;
        let mut bits = storey.min(0xff) | bits_of(world, character);
        bits |= if runtime.is_in_scene(character.id) { IN_SCENE } else { 0 };
        bits |= if faulty.contains(&character.id) { FAULTY } else { 0 };
        put(&mut out, bits);
    }
    out.into()
}

/// A kept frame as one of the past: the room stands still, and nothing leads from the frame before to it.
pub(super) fn of_past(frame: &Bytes) -> Bytes {
    let mut frame = frame.to_vec();
    if let Some(flags) = frame.get_mut(4..8) {
        flags.copy_from_slice(&(PAUSED | JUMP).to_le_bytes());
    }
    frame.into()
}

/// Whether a walker has made no progress for a while.
pub(super) fn is_held_up(world: &World, character: &Character) -> bool {
    let Some(walk) = &character.walk else { return false };
    let ticks = world.ticks_of(HELD_UP_AFTER_S);
    u64::from(walk.progress.idle_ticks) > ticks
        || walk.path_request.is_some() && world.tick_number().saturating_sub(walk.began_tick) > ticks
}

fn bits_of(world: &World, character: &Character) -> u32 {
    let bit = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
    bit(character.is_moving(), WALKING)
        | bit(character.is_active(), ACTIVE)
        | bit(is_held_up(world, character), HELD_UP)
        | bit(character.speech.is_some(), SPEAKING)
        | bit(character.crossing.is_some(), CROSSING)
}

/// The remaining paths of some characters.
pub(super) fn paths(world: &World, picture: &Picture, is_shown: impl Fn(CharacterId) -> bool) -> Bytes {
    let shown = world.characters().iter().filter(|character| is_shown(character.id));
    let routes = picture.routes_of(shown);
    let mut out = Vec::new();
    put(&mut out, PATHS);
    put(&mut out, routes.len() as u32);
    for (who, storey, route) in routes {
        put(&mut out, who.0);
        let partial = if route.partial { PARTIAL } else { 0 };
        put(&mut out, (storey as u32).min(0xff) | partial | if route.ends { LAST } else { 0 });
        put(&mut out, route.points.len() as u32);
        for point in &route.points {
            out.extend((point.x as f32).to_le_bytes());
            out.extend((point.y as f32).to_le_bytes());
        }
    }
    out.into()
}

fn put(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_le_bytes());
}
