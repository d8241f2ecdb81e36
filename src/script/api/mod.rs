//! The API for scripts, one file per object or topic. Each function, field and event is an [`Entry`]: its
//! name, parameters and results, with descriptions, an example, and the code.

mod area;
mod args;
mod asking;
mod chance;
mod define;
mod entry;
mod events;
mod expect;
mod explain;
mod game;
mod globals;
mod handle;
mod inspect;
mod link;
mod link_shapes;
mod log;
mod messages;
mod npc_fields;
mod npc_traits;
mod path_shapes;
mod paths;
mod people;
mod place;
mod planning;
mod queries;
mod random;
mod register;
mod room;
mod scenery;
mod scenes;
mod sequences;
mod shapes;
mod spec;
mod spec_globals;
mod spec_room;
mod table;
mod tactics;
mod tactics_shapes;
mod timers;
mod values;
mod verbs;
mod vision;
mod walking;
mod waypath;

pub use entry::{Entry, Kind, Object, Param, Return};
pub use shapes::{Field, TableShape};
pub use table::{entries, shapes};

pub(super) use entry::MOST_ARGS;
pub(crate) use entry::REST;
pub(crate) use globals::ELSEWHERE;
pub(crate) use table::{entries_of, meant};

pub(super) use events::{Misspelt, has_none, is_event, misspelt};
pub(super) use game::{results as game_results, wrong_results as wrong_game_results};
pub(super) use globals::install;
pub(super) use handle::{
    Area, Link, Npc, Tactics, Thing, Waypath, area_handle, handle, link_handle, tactics_handle, thing_handle,
    waypath_handle,
};
pub(super) use place::place_table;
pub(super) use room::RoomObject;
pub(super) use scenery::hotspot_table;
pub(super) use sequences::sequence;
pub(super) use spec_globals::primitives as spec_primitives;
pub(super) use tactics::step_table;
pub(super) use waypath::waypoint_table;
