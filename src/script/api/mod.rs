//! What scripts can call, one file per object or topic. Each function, field and event is an [`Entry`]: what it is called, what
//! it takes and gives, in words, with an example, and the code.

/// Under this name the registry holds what scripts see as their globals.
pub(super) const ENVIRONMENT: &str = "cicerone.environment";

/// Under this name it holds what every sequence begins with.
const SEQUENCE: &str = "cicerone.sequence";

mod area;
mod args;
mod entry;
mod events;
mod explain;
mod globals;
mod handle;
mod log;
mod messages;
mod npc;
mod people;
mod place;
mod queries;
mod random;
mod register;
mod room;
mod sequences;
mod shapes;
mod timers;
mod walking;

pub use entry::{Entry, Kind, Object, Param, Return};
pub use shapes::{Field, Shape};

pub(super) use entry::REST;
pub(super) use events::{Misspelt, has_none, misspelt};
pub(super) use globals::install;
pub(super) use handle::{Area, Npc, handle};
pub(super) use place::point_table;
pub(super) use register::dot_for_colon;
pub(super) use room::RoomObject;
pub(super) use sequences::sequence;

use crate::problem::did_you_mean;

/// The whole API, in reading order.
pub fn entries() -> impl Iterator<Item = &'static Entry> + Clone {
    let files: [&'static [Entry]; 12] = [
        walking::ENTRIES,
        sequences::ENTRIES,
        timers::ENTRIES,
        npc::ENTRIES,
        people::ENTRIES,
        room::ENTRIES,
        area::ENTRIES,
        queries::ENTRIES,
        messages::ENTRIES,
        random::ENTRIES,
        log::ENTRIES,
        events::ENTRIES,
    ];
    files.into_iter().flatten()
}

/// The tables with known keys that scripts give or get.
pub fn shapes() -> impl Iterator<Item = &'static Shape> {
    shapes::ALL.into_iter()
}

/// The entries of one object.
pub(super) fn entries_of(object: Object) -> impl Iterator<Item = &'static Entry> + Clone {
    entries().filter(move |entry| entry.object == object)
}

/// The entry that somebody meant who looked for a name: by what other engines call it, else by a slip of the pen.
fn meant(object: Object, name: &str) -> Option<&'static Entry> {
    let alias = || entries_of(object).find(|entry| entry.also.contains(&name));
    let near = did_you_mean(name, entries_of(object).map(|entry| entry.name));
    near.and_then(|near| entries_of(object).find(|entry| entry.name == near)).or_else(alias)
}
