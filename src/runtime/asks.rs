//! What can be asked of a running room. Nothing changes by it, so everything can be asked while something else is looked
//! at, and from several threads.

use super::open::did_you_mean_beside;
use super::{Runtime, Tally};
use crate::nav::{Path, Place};
use crate::plan::{Explanation, TooDear};
use crate::project::{FileError, MAX_SCRIPT_BYTES, Project};
use crate::script::{Datum, Glance, Inspection, KnownNames, ScriptError, Scripts, SwitchedOff};
use crate::world::{CharacterId, Event};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

impl Runtime {
    /// Plans a path right now, ignoring characters in the way: see [`World::find_path`](crate::world::World::find_path).
    pub fn find_path(&self, from: impl Into<Place>, to: impl Into<Place>) -> Path {
        self.world.find_path(from, to)
    }

    /// Explains what is between two places: see
    /// [`World::explain_path`](crate::world::World::explain_path).
    ///
    /// # Errors
    /// [`TooDear`] if that would cost more than `most_work` expansions.
    pub fn explain_path(
        &self,
        from: impl Into<Place>,
        to: impl Into<Place>,
        most_work: u64,
    ) -> Result<Explanation, TooDear> {
        self.world.explain_path(from, to, most_work)
    }

    /// Events that scripts get in the next step: those of the last step, and since. Read after
    /// [`Runtime::drain_inbox`] and before each step, they are complete, each event once.
    pub fn pending_events(&self) -> &[Event] {
        &self.pending_events
    }

    /// A copy of `room.state`; no script runs for it.
    pub fn room_state(&self) -> Datum {
        self.ask(Scripts::room_state)
    }

    /// What is known of a character, or of the room (`None`): its state, why it waits, and what its script does. Between
    /// two steps it can be asked at any time; no script runs for it, and nothing changes. `None` if there is no such
    /// character. Of one that left, it tells when, until it is forgotten.
    pub fn inspect(&self, who: Option<CharacterId>) -> Option<Inspection> {
        self.ask(|scripts| scripts.inspect(who))
    }

    /// Whether a text is incomplete Lua that continues in the next line, like `for i = 1, 3 do`.
    pub fn is_unfinished(&self, text: &str) -> bool {
        self.ask(|scripts| scripts.is_unfinished(text))
    }

    /// The number of lines of Lua that wait for something.
    pub fn waiting_lines(&self) -> usize {
        self.ask(Scripts::waiting_lines)
    }

    /// The names available to completion in such a line; see [`crate::script::complete`].
    pub fn names(&self) -> KnownNames {
        self.ask(Scripts::names)
    }

    /// Counts over the whole run.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What each character looked at, if its script asked within the last second of the room's time. Of several looks in
    /// a tick, one that saw something counts.
    pub fn glances(&self) -> BTreeMap<CharacterId, Glance> {
        self.ask(Scripts::glances)
    }

    /// Whether a scene of a script directs a character.
    pub fn is_in_scene(&self, who: CharacterId) -> bool {
        self.ask(|scripts| scripts.is_in_scene(who))
    }

    /// Every different script error so far (the first thousand), with its count.
    pub fn script_errors(&self) -> impl Iterator<Item = &ScriptError> {
        self.scripts.errors()
    }

    /// Handlers that are switched off until a reload, and why: after ten errors in a row, or because they ran out of
    /// fuel or memory.
    pub fn switched_off_handlers(&self) -> Vec<SwitchedOff> {
        self.ask(Scripts::switched_off_handlers)
    }

    /// The usage of scripts so far: instructions since the beginning, and current bytes of memory.
    pub fn script_usage(&self) -> (u64, usize) {
        self.ask(|scripts| (scripts.instructions(), scripts.memory_bytes()))
    }

    /// The number of steps in which scripts exceeded their common limit, so that some waited for the next step; and
    /// whether the last step was one.
    pub fn crowded_ticks(&self) -> (u64, bool) {
        self.ask(Scripts::crowded_ticks)
    }

    /// The project the room belongs to.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Why a script cannot be given to a character, in words; `None` if there is such a file. A script that a host brings in
    /// later, as [`LateFiles`](crate::project::LateFiles) do, may be given all the same.
    pub fn trouble_with_script(&self, script: &str) -> Option<String> {
        let place = self.project.resolve(script);
        let error = place.and_then(|place| self.project.read(&place, MAX_SCRIPT_BYTES)).err()?;
        let near =
            (error == FileError::Missing).then(|| did_you_mean_beside(&self.project, script)).flatten();
        let hint = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        Some(format!("script '{script}': {error}{hint}"))
    }

    /// The room's file, from the project's root.
    pub fn room_name(&self) -> String {
        self.project.name_of(&self.room_file)
    }

    /// Every file of the room, including missing files that it asks for.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        let names = self.ask(Scripts::files).into_iter().chain(self.wanted.iter().cloned());
        let scripts = names.map(|name| self.place_of_script(&name));
        scripts.chain([self.room_file.clone()]).chain(self.read_files.files().cloned()).collect()
    }

    /// The number of loaded scripts: a cheap test whether [`Runtime::files`] may have grown.
    pub fn scripts_loaded(&self) -> usize {
        self.ask(Scripts::loaded) + self.wanted.len()
    }

    /// The path of a script, existing or not: one that is refused now may be mended later.
    pub(super) fn place_of_script(&self, name: &str) -> PathBuf {
        self.project.resolve(name).unwrap_or_else(|_| self.project.root().join(name))
    }
}
