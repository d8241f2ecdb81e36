//! All entries together, and the search for one.

use super::entry::{Entry, Object};
use super::shapes::{ALL, TableShape};
use super::{
    area, chance, events, expect, inspect, link, log, messages, npc_fields, npc_traits, paths, people,
    planning, queries, random, room, scenery, scenes, sequences, spec, tactics, timers, verbs, vision,
    walking, waypath,
};
use crate::problem::did_you_mean;

/// The whole API, in reading order.
pub fn entries() -> impl Iterator<Item = &'static Entry> + Clone {
    let files: [&'static [Entry]; 31] = [
        walking::ENTRIES,
        verbs::ENTRIES,
        sequences::ENTRIES,
        scenes::ENTRIES,
        timers::ENTRIES,
        npc_fields::ENTRIES,
        npc_traits::ENTRIES,
        people::ENTRIES,
        room::ENTRIES,
        area::ENTRIES,
        link::ENTRIES,
        waypath::ENTRIES,
        tactics::ENTRIES,
        scenery::ENTRIES,
        paths::ENTRIES,
        queries::ENTRIES,
        planning::ENTRIES,
        vision::ENTRIES,
        chance::ENTRIES,
        messages::ENTRIES,
        random::ENTRIES,
        log::ENTRIES,
        inspect::ENTRIES,
        events::ENTRIES,
        spec::ENTRIES,
        expect::PEOPLE,
        expect::STANDING,
        expect::PATHS,
        expect::RECORDINGS,
        expect::CALLS,
        expect::VALUES,
    ];
    files.into_iter().flatten()
}

/// The tables with known keys that scripts give or get.
pub fn shapes() -> impl Iterator<Item = &'static TableShape> {
    ALL.into_iter()
}

/// The entries of one object.
pub(crate) fn entries_of(object: Object) -> impl Iterator<Item = &'static Entry> + Clone {
    entries().filter(move |entry| entry.object == object)
}

/// The entry meant by a wrong name: the name in another engine, or a misspelling.
pub(crate) fn meant(object: Object, name: &str) -> Option<&'static Entry> {
    let alias = || entries_of(object).find(|entry| entry.also.contains(&name));
    let near = did_you_mean(name, entries_of(object).map(|entry| entry.name));
    alias().or_else(|| near.and_then(|near| entries_of(object).find(|entry| entry.name == near)))
}
