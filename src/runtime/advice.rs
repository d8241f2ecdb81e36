//! What `cicerone check` says of a running room: found out on another thread, at the start and after each reload.

use super::Runtime;
use super::open::check_room_scaled;
use crate::lint::{Survey, check_ground};
use crate::problem::{Problem, Source};
use crate::project::Project;
use crate::script::Scripts;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread::JoinHandle;

/// Checks a running room whenever its files have changed.
#[derive(Default)]
pub(super) struct Advice {
    /// What was found last. `None` before the first check.
    known: Option<Vec<Problem>>,
    checking: Option<JoinHandle<Found>>,
    /// The number of reloads when the last check began.
    reloads: u64,
}

/// What a check has found.
#[derive(Default)]
struct Found {
    problems: Vec<Problem>,
    /// So many at the beginning are told by the reload itself.
    told: usize,
}

/// A room to check as it runs, with its scripts.
struct Check {
    project: Project,
    room_file: PathBuf,
    room_bytes: Vec<u8>,
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

    /// Whether that is about the version that runs.
    pub(super) fn is_current(&self, runtime: &Runtime) -> bool {
        self.known.is_some() && self.checking.is_none() && runtime.tally().reloads == self.reloads
    }

    /// What a check that is over has found and the one before it had not. Begins another one if files were reloaded. What
    /// the room had when it was opened is not new.
    pub(super) fn poll(&mut self, runtime: &Runtime) -> Vec<Problem> {
        let has_changed = runtime.tally().reloads != self.reloads;
        let is_over = |thread: &mut JoinHandle<_>| thread.is_finished();
        let found = self.checking.take_if(is_over).and_then(|thread| thread.join().ok());
        let fresh = found.map(|found| self.take(found, has_changed)).unwrap_or_default();
        if self.checking.is_none() && has_changed {
            self.begin(runtime);
        }
        fresh
    }

    fn take(&mut self, found: Found, has_changed: bool) -> Vec<Problem> {
        let Some(known) = &self.known else {
            // The first check may have seen files that were saved meanwhile: then all counts as new.
            self.known = Some(if has_changed { Vec::new() } else { found.problems });
            return Vec::new();
        };
        // Lines move when a file is edited.
        let key = |problem: &Problem| (problem.file.clone(), problem.message.clone());
        let before: BTreeSet<_> = known.iter().map(key).collect();
        let is_new = |problem: &&Problem| !before.contains(&key(problem));
        let fresh = found.problems.iter().skip(found.told).filter(is_new).cloned().collect();
        self.known = Some(found.problems);
        fresh
    }

    fn begin(&mut self, runtime: &Runtime) {
        self.reloads = runtime.tally().reloads;
        let check = Check {
            project: runtime.project.clone(),
            room_file: runtime.room_file.clone(),
            room_bytes: runtime.room_bytes.clone(),
            cell_size_m: runtime.cell_size_m,
            scripts: runtime.ask(Scripts::files),
        };
        // Without a thread there is no advice.
        self.checking = std::thread::Builder::new().spawn(move || check.run()).ok();
    }
}

impl Check {
    /// All that is odd, in the room's file first.
    fn run(self) -> Found {
        let name = self.project.name_of(&self.room_file);
        let scripts: Vec<String> = self.scripts.into_iter().collect();
        let survey = Survey::of(&self.project, &scripts);
        let mut found = Found::default();
        if let Ok(checked) = check_room_scaled(&self.project, &name, &self.room_bytes, self.cell_size_m) {
            found.problems = checked.warnings;
            found.told = found.problems.len();
            found.problems.extend(check_ground(&checked.room, &checked.ground.ground, &checked.locator));
            found.problems.extend(survey.check_room(&checked.room, &checked.locator));
        }
        for script in scripts {
            let text = self.project.read_script(&script).unwrap_or_default();
            found.problems.extend(survey.check_script(&Source::new(script, text)));
        }
        found
    }
}
