//! What `cicerone check` says of a running room: found out on another thread, at the start and after each reload.

use super::Runtime;
use super::open::check_room_scaled;
use crate::lint::{Survey, check_ground};
use crate::problem::{Problem, Source};
use crate::project::{MAX_ROOM_BYTES, Project};
use crate::script::Scripts;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread::JoinHandle;

/// Checks a running room whenever its files have changed.
#[derive(Default)]
pub(super) struct Advice {
    /// What was found last. `None` before the first check.
    known: Option<Vec<Problem>>,
    checking: Option<JoinHandle<Vec<Problem>>>,
    /// The number of reloads when the last check began.
    reloads: u64,
}

/// A room to check, with the scripts that it runs.
struct Check {
    project: Project,
    room_file: PathBuf,
    cell_size_m: Option<f64>,
    scripts: BTreeSet<String>,
}

impl Advice {
    /// Begins the first check.
    pub(super) fn new(runtime: &Runtime) -> Self {
        let mut advice = Self::default();
        advice.begin(runtime);
        advice
    }

    /// Everything that was found last.
    pub(super) fn all(&self) -> &[Problem] {
        self.known.as_deref().unwrap_or_default()
    }

    /// What a check that is over has found and the one before it had not. Begins another one if files were reloaded. What
    /// the room had when it was opened is not new.
    pub(super) fn poll(&mut self, runtime: &Runtime) -> Vec<Problem> {
        let is_over = |thread: &mut JoinHandle<_>| thread.is_finished();
        let found = self.checking.take_if(is_over).and_then(|thread| thread.join().ok());
        let fresh = found.map(|found| self.take(found)).unwrap_or_default();
        if self.checking.is_none() && runtime.tally().reloads != self.reloads {
            self.begin(runtime);
        }
        fresh
    }

    fn take(&mut self, found: Vec<Problem>) -> Vec<Problem> {
        // Lines move when a file is edited.
        let key = |problem: &Problem| (problem.file.clone(), problem.message.clone());
        let before: Option<BTreeSet<_>> = self.known.as_ref().map(|known| known.iter().map(key).collect());
        let is_new =
            |problem: &&Problem| before.as_ref().is_some_and(|before| !before.contains(&key(problem)));
        let fresh = found.iter().filter(is_new).cloned().collect();
        self.known = Some(found);
        fresh
    }

    fn begin(&mut self, runtime: &Runtime) {
        self.reloads = runtime.tally().reloads;
        let check = Check {
            project: runtime.project.clone(),
            room_file: runtime.room_file.clone(),
            cell_size_m: runtime.cell_size_m,
            scripts: runtime.ask(Scripts::files),
        };
        // Without a thread there is no advice.
        self.checking = std::thread::Builder::new().spawn(move || check.run()).ok();
    }
}

impl Check {
    /// All that is odd, in the room's file first.
    fn run(self) -> Vec<Problem> {
        let name = self.project.name_of(&self.room_file);
        let scripts: Vec<String> = self.scripts.into_iter().collect();
        let survey = Survey::of(&self.project, &scripts);
        let mut found = Vec::new();
        let bytes = self.project.read(&self.room_file, MAX_ROOM_BYTES);
        if let Some(checked) = bytes
            .ok()
            .and_then(|bytes| check_room_scaled(&self.project, &name, &bytes, self.cell_size_m).ok())
        {
            found.extend(checked.warnings);
            found.extend(check_ground(&checked.room, &checked.ground, &checked.locator));
            found.extend(survey.check_room(&checked.room, &checked.locator));
        }
        for script in scripts {
            let text = self.project.read_script(&script).unwrap_or_default();
            found.extend(survey.check_script(&Source::new(script, text)));
        }
        found
    }
}
