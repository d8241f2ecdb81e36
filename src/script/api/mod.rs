//! What scripts can call, one file per Lua object.

/// Under this name the registry holds what scripts see as their globals.
pub(super) const ENVIRONMENT: &str = "cicerone.environment";

/// Under this name it holds what every sequence begins with.
const SEQUENCE: &str = "cicerone.sequence";

mod args;
mod globals;
mod handle;
mod log;
mod math;
#[cfg(test)]
mod members;
mod npc;
mod place;
mod room;
mod sequences;
mod spawn;

pub(super) use globals::install;
pub(super) use handle::{Npc, handle};
pub(super) use npc::NAMES as NPC_NAMES;
pub(super) use place::point_table;
pub(super) use room::{NAMES as ROOM_NAMES, RoomObject};
pub(super) use sequences::sequence;
