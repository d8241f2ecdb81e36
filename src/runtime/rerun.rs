//! Runs that are made again.

use super::journal::{Content, Entry, Journal, Start};
use super::{OpenError, Reload, Runtime, SpecRun, source_of};
use crate::problem::Problem;
use crate::project::{FileError, Project};
use crate::script::{Case, TestState};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A run that is made again, from its journal.
pub struct Rerun {
    run: RunningRoom,
    journal: Journal,
    next: usize,
    /// Files that were changed from outside since: what they were reloaded as then does not count.
    changed: BTreeSet<PathBuf>,
}

impl Rerun {
    /// Opens the room as it was opened then.
    ///
    /// # Errors
    /// [`OpenError`], if that fails now: a game that is no more, or no memory.
    pub fn new(journal: Journal) -> Result<Self, OpenError> {
        let mut project = journal.project.clone();
        put(&mut project, journal.files.iter());
        let options = journal.options.clone();
        let run = match &journal.start {
            Start::Opened => RunningRoom::of(Runtime::open_in(project, &journal.room_file, options)?),
            Start::Restored(saved) => RunningRoom::of(Runtime::restore_in(project, saved, options)?),
            Start::Film(recording) => RunningRoom::of(Runtime::of_recording(recording.clone())?),
            Start::Spec(file, case) => {
                let test = TestAgain::begin(project, file, case);
                let test = test.map_err(|problem| {
                    let source = source_of(&journal.project, &problem.file);
                    OpenError { problems: vec![problem], source }
                });
                RunningRoom::Test(Box::new(test?))
            }
        };
        Ok(Self { run, journal, next: 0, changed: BTreeSet::new() })
    }

    /// The room.
    pub fn runtime(&mut self) -> &mut Runtime {
        self.run.room_mut()
    }

    /// Takes a journal that has gone on since.
    pub fn extend(&mut self, journal: Journal) {
        self.journal = journal;
    }

    /// Reloads other files than then, named from the project's root. What they are reloaded as later does not count.
    ///
    /// # Errors
    /// [`FileError`], if a name leads out of the project.
    pub fn replace_files(&mut self, files: &[(&str, &[u8])]) -> Result<Reload, FileError> {
        self.enter();
        let mut project = self.run.room().project().clone();
        let mut changed = BTreeSet::new();
        for (name, content) in files {
            // The place as the room has it: behind a link lies a file of another name.
            let known = self.run.room().files().into_iter().find(|file| project.name_of(file) == *name);
            let place = known.map_or_else(|| project.resolve(name), Ok)?;
            project.replace(&place, Some(content));
            self.changed.insert(project.real(&place));
            changed.insert(place);
        }
        Ok(self.run.room_mut().reload_from(project, changed))
    }

    /// The tick it has come to.
    pub fn tick(&self) -> u64 {
        self.run.room().world().tick_number()
    }

    /// Makes a step, after what came in before it then. `false` if there is none: a test is over.
    pub fn step(&mut self) -> bool {
        self.enter();
        match &mut self.run {
            RunningRoom::Room(room) => room.step(),
            RunningRoom::Test(test) => return test.step(),
        }
        true
    }

    /// Lets in what came in before the next step.
    pub fn enter(&mut self) {
        let tick = self.tick();
        while let Some((_, entry)) = self.journal.entries.get(self.next).filter(|(at, _)| *at <= tick) {
            self.next += 1;
            match entry.clone() {
                Entry::Input(input) => {
                    self.run.room_mut().send(input);
                    self.run.room_mut().drain_inbox();
                }
                Entry::Apply(command) => drop(self.run.room_mut().apply(command)),
                Entry::Finish(id, answer) => drop(self.run.room_mut().finish_call(id, answer)),
                Entry::Files(files) => self.reload(&files),
                Entry::WaitForGame => self.run.room_mut().wait_for_game(),
            }
        }
    }

    fn reload(&mut self, files: &[(PathBuf, Content)]) {
        let project = self.run.room().project().clone();
        let files: Vec<&(PathBuf, Content)> =
            files.iter().filter(|(file, _)| !self.changed.contains(&project.real(file))).collect();
        let mut project = project;
        put(&mut project, files.iter().map(|(file, content)| (file, content)));
        // Then it was taken, so it is taken now.
        drop(self.run.room_mut().reload_from(project, files.iter().map(|(file, _)| file.clone()).collect()));
    }
}

/// Gives files the content that they had.
fn put<'a>(project: &mut Project, files: impl Iterator<Item = (&'a PathBuf, &'a Content)>) {
    for (file, content) in files {
        match content {
            Some(content) => project.replace(file, Some(content)),
            None => project.hide(file),
        }
    }
}

/// A room that runs by itself, or one that a test runs.
enum RunningRoom {
    Room(Box<Runtime>),
    Test(Box<TestAgain>),
}

impl RunningRoom {
    fn of(room: Runtime) -> Self {
        Self::Room(Box::new(room))
    }

    fn room(&self) -> &Runtime {
        match self {
            Self::Room(room) => room,
            Self::Test(test) => &test.run.runtime,
        }
    }

    fn room_mut(&mut self) -> &mut Runtime {
        match self {
            Self::Room(room) => room,
            Self::Test(test) => &mut test.run.runtime,
        }
    }
}

/// A test that is run again, and what comes after it.
struct TestAgain {
    run: SpecRun,
    timeout_s: f64,
    /// Whether what comes after the test has begun.
    is_after: bool,
}

impl TestAgain {
    /// Runs a test up to the first tick of its room.
    fn begin(project: Project, file: &str, case: &Case) -> Result<Self, Problem> {
        // Recorded, so that it can compare itself with a recording.
        let mut run = SpecRun::new(project)?.recorded();
        run.begin(file, case)?;
        run.advance();
        Ok(Self { run, timeout_s: case.timeout_s, is_after: false })
    }

    fn step(&mut self) -> bool {
        let is_late = {
            let world = self.run.runtime.world();
            world.tick_number() >= world.ticks_of(self.timeout_s)
        };
        if !self.is_after {
            let is_stopped = is_late && self.run.state() == TestState::Runs;
            if !is_stopped && self.run.advance() {
                return true;
            }
            self.is_after = true;
            self.run.take_failures(); // else none of what comes after runs
            self.run.begin_after();
        }
        self.run.advance()
    }
}
