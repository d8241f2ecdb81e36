//! What scripts can call, one file per Lua object.

mod args;
mod globals;
mod handle;
mod log;
mod math;
mod npc;
mod place;
mod room;

pub(super) use globals::install;
pub(super) use handle::handle;
pub(super) use place::point_table;
pub(super) use room::RoomObject;
