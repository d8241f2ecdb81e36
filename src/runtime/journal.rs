//! Everything that came into a running room from outside, so that the run can be made again: exactly, scripts included,
//! to any of its moments.

use super::{Input, OpenError, Options, Reload, Runtime, Saved};
use crate::project::{FileError, MAX_ROOM_BYTES, Project};
use crate::record::Recording;
use crate::script::{CallId, GAME_API_FILE, GameAnswer};
use crate::world::Command;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most entries. A run with more cannot be made again.
const MOST_ENTRIES: usize = 1_000_000;

/// The most bytes of files.
const MOST_BYTES: usize = 512 << 20;

/// What a file held; `None` if there was none.
type Content = Option<Arc<[u8]>>;

/// The journal of a run: how it began, and what came in since.
#[derive(Clone)]
pub struct Journal {
    project: Project,
    room_file: PathBuf,
    start: Start,
    options: Options,
    /// The files of the room as they were when they were first read.
    files: BTreeMap<PathBuf, Content>,
    /// Shared with those that read it, and copied when it goes on.
    entries: Arc<Vec<(u64, Entry)>>,
    /// Bytes of files and entries, roughly.
    bytes: usize,
    /// Why the run cannot be made again, if so.
    broken: Option<&'static str>,
}

#[derive(Clone)]
enum Start {
    /// The room was opened.
    Opened,
    /// It was restored.
    Restored(Arc<Saved>),
    /// It is a recording.
    Film(Arc<Recording>),
}

#[derive(Clone)]
enum Entry {
    Input(Input),
    Apply(Command),
    Finish(CallId, GameAnswer),
    /// Files were reloaded.
    Files(Vec<(PathBuf, Content)>),
    /// See [`Runtime::wait_for_game`].
    WaitForGame,
}

impl Entry {
    /// About how much memory it holds, beside files.
    fn bytes(&self) -> usize {
        const ANY: usize = 200;
        match self {
            Self::Input(Input::Console(line)) => ANY + line.len(),
            Self::Input(Input::Do(Command::ReplaceRoom(_))) | Self::Apply(Command::ReplaceRoom(_)) => 1 << 20,
            Self::Apply(Command::Say { text, .. }) => ANY + text.len(),
            _ => ANY,
        }
    }
}

impl Journal {
    /// The tick at which the run began.
    pub fn first_tick(&self) -> u64 {
        match &self.start {
            Start::Opened => 0,
            Start::Restored(saved) => saved.tick_number(),
            Start::Film(recording) => recording.start.tick,
        }
    }

    /// Why the run cannot be made again; `None` if it can.
    pub fn broken(&self) -> Option<&'static str> {
        self.broken
    }

    fn note(&mut self, tick: u64, entry: Entry) {
        if self.broken.is_some() {
            return;
        }
        if self.entries.len() >= MOST_ENTRIES || self.bytes > MOST_BYTES {
            self.broken = Some("too much has come in since the room was opened");
            (self.entries, self.files) = (Arc::default(), BTreeMap::new());
            return;
        }
        self.bytes += entry.bytes();
        Arc::make_mut(&mut self.entries).push((tick, entry));
    }

    pub(super) fn note_input(&mut self, tick: u64, input: &Input) {
        self.note(tick, Entry::Input(input.clone()));
    }

    pub(super) fn note_command(&mut self, tick: u64, command: &Command) {
        self.note(tick, Entry::Apply(command.clone()));
    }

    pub(super) fn note_answer(&mut self, tick: u64, id: CallId, answer: &GameAnswer) {
        self.note(tick, Entry::Finish(id, answer.clone()));
    }

    pub(super) fn note_waiting(&mut self, tick: u64) {
        self.note(tick, Entry::WaitForGame);
    }

    fn read(&mut self, project: &Project, file: &Path) -> Content {
        let content: Content = project.read(file, MAX_ROOM_BYTES).ok().map(Into::into);
        self.bytes += content.as_ref().map_or(0, |content| content.len());
        content
    }
}

impl Runtime {
    /// Keeps a journal from now on. Call it right after the room was opened, with the same options.
    pub fn keep_journal(&mut self, options: Options) {
        let film = self.film.as_ref().map(|film| Start::Film(film.recording.clone()));
        self.begin_journal(options, film.unwrap_or(Start::Opened));
    }

    /// As [`Runtime::keep_journal`] for a room that was restored.
    pub fn keep_journal_since(&mut self, options: Options, saved: Saved) {
        self.begin_journal(options, Start::Restored(Arc::new(saved)));
    }

    fn begin_journal(&mut self, options: Options, start: Start) {
        let first_tick = match &start {
            Start::Opened => 0,
            Start::Restored(saved) => saved.tick_number(),
            Start::Film(recording) => recording.start.tick,
        };
        let broken = match self.world().tick_number() == first_tick {
            _ if options.game.has_code() => Some("the game's own functions cannot be called again"),
            false => Some("the room ran before its journal began"),
            true => None,
        };
        self.journal = Some(Box::new(Journal {
            project: self.project.clone(),
            room_file: self.room_file.clone(),
            start,
            options,
            files: BTreeMap::new(),
            entries: Arc::default(),
            bytes: 0,
            broken,
        }));
        self.note_new_files();
    }

    /// The journal, if one is kept.
    pub fn journal(&self) -> Option<&Journal> {
        self.journal.as_deref()
    }

    /// Notes files that were read for the first time.
    pub(super) fn note_new_files(&mut self) {
        let Some(mut journal) = self.journal.take() else { return };
        for file in self.files().into_iter().chain([self.project.root().join(GAME_API_FILE)]) {
            if !journal.files.contains_key(&file) {
                let content = journal.read(&self.project, &file);
                journal.files.insert(file, content);
            }
        }
        self.journaled_scripts = self.scripts_loaded();
        self.journal = Some(journal);
    }

    /// Notes files that were reloaded.
    pub(super) fn note_reload<'a>(&mut self, changed: impl Iterator<Item = &'a PathBuf>) {
        let Some(mut journal) = self.journal.take() else { return };
        let tick = self.world().tick_number();
        let files = changed.map(|file| (file.clone(), journal.read(&self.project, file))).collect();
        journal.note(tick, Entry::Files(files));
        self.journal = Some(journal);
        self.note_new_files();
    }
}

/// A run that is made again, from its journal.
pub struct Rerun {
    runtime: Runtime,
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
        let runtime = match &journal.start {
            Start::Opened => Runtime::open_in(project, &journal.room_file, options)?,
            Start::Restored(saved) => Runtime::restore(project, saved, options)?,
            Start::Film(recording) => Runtime::of_recording(recording.clone())?,
        };
        Ok(Self { runtime, journal, next: 0, changed: BTreeSet::new() })
    }

    /// The room.
    pub fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtime
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
        let mut project = self.runtime.project().clone();
        let mut changed = BTreeSet::new();
        for (name, content) in files {
            // The place as the room has it: behind a link lies a file of another name.
            let known = self.runtime.files().into_iter().find(|file| project.name_of(file) == *name);
            let place = known.map_or_else(|| project.resolve(name), Ok)?;
            project.replace(&place, Some(content));
            self.changed.insert(project.real(&place));
            changed.insert(place);
        }
        Ok(self.runtime.reload_from(project, changed))
    }

    /// The tick it has come to.
    pub fn tick(&self) -> u64 {
        self.runtime.world().tick_number()
    }

    /// Makes a step, after what came in before it then.
    pub fn step(&mut self) {
        self.enter();
        self.runtime.step();
    }

    /// Lets in what came in before the next step.
    pub fn enter(&mut self) {
        let tick = self.tick();
        while let Some((_, entry)) = self.journal.entries.get(self.next).filter(|(at, _)| *at <= tick) {
            self.next += 1;
            match entry.clone() {
                Entry::Input(input) => {
                    self.runtime.send(input);
                    self.runtime.drain_inbox();
                }
                Entry::Apply(command) => drop(self.runtime.apply(command)),
                Entry::Finish(id, answer) => drop(self.runtime.finish_call(id, answer)),
                Entry::Files(files) => self.reload(&files),
                Entry::WaitForGame => self.runtime.wait_for_game(),
            }
        }
    }

    fn reload(&mut self, files: &[(PathBuf, Content)]) {
        let project = self.runtime.project().clone();
        let files: Vec<&(PathBuf, Content)> =
            files.iter().filter(|(file, _)| !self.changed.contains(&project.real(file))).collect();
        let mut project = project;
        put(&mut project, files.iter().map(|(file, content)| (file, content)));
        // Then it was taken, so it is taken now.
        drop(self.runtime.reload_from(project, files.iter().map(|(file, _)| file.clone()).collect()));
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
