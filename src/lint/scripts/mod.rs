//! Checks scripts against the API table and the rooms that use them.

mod calls;
mod facts;
mod handlers;
mod members;
mod names;
mod reader;
mod roles;
mod survey;
mod types;

pub use survey::Survey;

use crate::problem::{Problem, Source};
use crate::room::{Locator, Room};
use reader::Reader;

impl Survey {
    /// The problems of a script, in order of place. `source` is its text.
    pub fn check_script(&self, source: &Source) -> Vec<Problem> {
        let Some(script) = self.scripts.get(&source.name) else { return Vec::new() };
        let mut problems = Reader::new(self, script, source).read();
        problems.extend(roles::lost(self, script, source));
        problems.sort_by(|a, b| (a.span.start, &a.message).cmp(&(b.span.start, &b.message)));
        problems.dedup();
        problems
    }

    /// Warnings for a room's scripts that are meant for another kind of object.
    pub fn check_room(&self, room: &Room, locator: &Locator) -> Vec<Problem> {
        roles::misplaced(self, room, locator)
    }
}
