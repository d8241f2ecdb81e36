//! Everything that came into a running room from outside, so that the run can be made again: exactly, scripts included,
//! to any of its moments.

use super::{Input, Options, Runtime, Saved};
use crate::project::{MAX_ROOM_BYTES, Project};
use crate::record::Recording;
use crate::script::{CallId, Case, GAME_API_FILE, GameAnswer};
use crate::world::Command;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most entries. A run with more cannot be made again.
const MOST_ENTRIES: usize = 1_000_000;

/// The most bytes of files.
const MOST_BYTES: usize = 512 << 20;

/// What a file held; `None` if there was none.
pub(super) type Content = Option<Arc<[u8]>>;

/// The journal of a run: how it began, and what came in since.
#[derive(Clone)]
pub struct Journal {
    pub(super) project: Project,
    pub(super) room_file: PathBuf,
    pub(super) start: Start,
    pub(super) options: Options,
    /// The files of the room as they were when they were first read.
    pub(super) files: BTreeMap<PathBuf, Content>,
    /// Shared with those that read it, and copied when it goes on.
    pub(super) entries: Arc<Vec<(u64, Entry)>>,
    /// Bytes of files and entries, roughly.
    bytes: usize,
    /// Why the run cannot be made again, if so.
    broken: Option<&'static str>,
}

#[derive(Clone)]
pub(super) enum Start {
    /// The room was opened.
    Opened,
    /// It was restored.
    Restored(Arc<Saved>),
    /// It is a recording.
    Film(Arc<Recording>),
    /// It is a test of a spec file, which loads the room.
    Spec(String, Box<Case>),
}

#[derive(Clone)]
pub(super) enum Entry {
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
    fn new(project: Project, start: Start, options: Options) -> Self {
        Self {
            project,
            room_file: PathBuf::new(),
            start,
            options,
            files: BTreeMap::new(),
            entries: Arc::default(),
            bytes: 0,
            broken: None,
        }
    }

    /// The journal of a test that was run: of a spec file, as the project names it, and the files that it read.
    pub fn of_spec(project: &Project, spec: &str, case: &Case, files: &BTreeSet<PathBuf>) -> Self {
        let start = Start::Spec(spec.to_owned(), Box::new(case.clone()));
        let mut journal = Self::new(project.clone(), start, Options::default());
        for file in files {
            let content = journal.read(project, file);
            journal.files.insert(file.clone(), content);
        }
        journal
    }

    /// The tick at which the run began.
    pub fn first_tick(&self) -> u64 {
        match &self.start {
            Start::Opened => 0,
            Start::Restored(saved) => saved.tick_number(),
            Start::Film(recording) => recording.start.tick,
            Start::Spec(..) => 1, // a test sees its room after its first tick
        }
    }

    /// Why the run cannot be made again; `None` if it can.
    pub fn broken(&self) -> Option<&'static str> {
        self.broken
    }

    /// About how much memory its files and entries take, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
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
        let has_code = options.game.has_code();
        let mut journal = Journal::new(self.project.clone(), start, options);
        journal.room_file.clone_from(&self.room_file);
        journal.broken = match self.world().tick_number() == journal.first_tick() {
            _ if has_code => Some("the game's own functions cannot be called again"),
            false => Some("the room ran before its journal began"),
            true => None,
        };
        self.journal = Some(Box::new(journal));
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
