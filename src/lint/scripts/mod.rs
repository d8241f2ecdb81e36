//! Checks scripts against the API table and the rooms that use them.

mod calls;
mod facts;
mod handlers;
mod lists;
mod members;
mod names;
mod reader;
mod roles;
mod survey;
mod types;

pub use survey::Survey;

use crate::parallel::with_stack;
use crate::problem::{Problem, Source};
use crate::room::{Locator, Room};
use reader::Reader;

/// More than a script needs that nests as deep as it may: a level takes up to 8 KiB without optimisations.
const STACK_BYTES: usize = 4 << 20;

impl Survey {
    /// The problems of a script, in order of place. `source` is its text.
    pub fn check_script(&self, source: &Source) -> Vec<Problem> {
        let Some(script) = self.scripts.get(&source.name) else { return Vec::new() };
        let mut problems = with_stack(STACK_BYTES, || Reader::new(self, script, source).read());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Project;
    use crate::script::parse::tests::{in_a_small_stack, texts};

    /// Every production, nested and chained, in a thread with little stack.
    #[test]
    fn the_lint_fits_a_small_stack() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("scripts")).unwrap();
        let project = Project::at(folder.path());
        in_a_small_stack(move || {
            // Longer ones are only longer chains.
            for text in texts().filter(|text| text.len() <= 1 << 17) {
                std::fs::write(folder.path().join("scripts/a.lua"), &text).unwrap();
                let survey = Survey::of(&project, &[]);
                survey.check_script(&Source::new("scripts/a.lua", text));
            }
        });
    }
}
