//! Saves a whole running room to a file, in the middle of everything, and restores it.

use super::open::joined_game;
use super::read_files::ReadFiles;
use super::reload::NewRoom;
use super::{OpenError, Options, Reload, Runtime, RuntimeEvent};
use crate::problem::{Problem, Source, guarded};
use crate::project::Project;
use crate::record::RoomText;
use crate::room::Fingerprint;
use crate::script::{Level, Memories, Note, Scripts};
use crate::world::{Command, Event, World, WorldState};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The value of the first member of every such file.
const KIND: &str = "saved room";

/// The largest file of a saved room that is read.
pub const MAX_SAVE_BYTES: u64 = 1 << 30;

/// The version of the format. Another version is refused.
const VERSION: u32 = 8;

/// A running room as data: the room's description, the characters in the middle of their walks, the state of scripts,
/// and the events not yet delivered to them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Saved {
    cicerone: String,
    version: u32,
    /// The room's path in the project.
    pub room_file: String,
    room: RoomText,
    /// The files that the room was read from, with the fingerprints of what they held.
    #[serde(default)]
    files: BTreeMap<String, Option<u64>>,
    /// The files that were handed over while it ran, instead of those of the project.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    replaced: BTreeMap<String, Replaced>,
    /// The options it ran with beside its file, as in [`Options`].
    scripts: Vec<String>,
    script_overrides: Vec<(String, String)>,
    cell_size_m: Option<f64>,
    world: WorldState,
    pending_events: Vec<Event>,
    memories: Memories,
    /// Running timers and sequences that are not saved because nothing sets them up again, as text.
    pub unsaved: Vec<String>,
}

/// A file that was replaced while the room ran: fingerprints of what it held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Replaced {
    /// In the project; `None` if there was no such file.
    before: Option<u64>,
    /// While the room ran.
    now: u64,
}

/// Why a running room cannot be saved. `Display` gives a line for each obstacle.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SaveError {
    /// The room has no form as a file.
    NoRoomFile,
    /// Scripts hold values that are not data, like functions: all of them, as text.
    NotData(Vec<String>),
    /// A number has no form in JSON: the message.
    Json(String),
}

impl SaveError {
    /// All obstacles, each as one line of text.
    pub fn obstacles(&self) -> Vec<&str> {
        match self {
            Self::NoRoomFile => vec!["the room has no form as a file"],
            Self::NotData(values) => values.iter().map(String::as_str).collect(),
            Self::Json(message) => vec![message],
        }
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.obstacles().join("\n"))
    }
}

impl std::error::Error for SaveError {}

impl Saved {
    /// As JSON, a line of text.
    ///
    /// # Errors
    /// [`SaveError::Json`] if it contains a number that JSON cannot hold; no number of a world is one.
    pub fn to_json(&self) -> Result<String, SaveError> {
        serde_json::to_string(self).map_err(|error| SaveError::Json(error.to_string()))
    }

    /// Reads what [`Saved::to_json`] wrote. `name` is the file's, for the problems.
    ///
    /// # Errors
    /// [`OpenError`] if it is not a saved room, or one of another version.
    pub fn read(name: &str, text: &str) -> Result<Self, OpenError> {
        #[derive(Deserialize)]
        struct Head {
            cicerone: String,
            version: u32,
        }
        let refused = |at: usize, message: String| {
            let source = Source::new(name, text);
            OpenError { problems: vec![source.problem(at..at, message)], source }
        };
        let unreadable = |why: String| refused(0, why);
        let head = guarded(text.as_bytes(), || serde_json::from_str::<Head>(text)).map_err(unreadable)?;
        match head {
            Ok(Head { cicerone, version }) if cicerone == KIND && version != VERSION => {
                let message = format!(
                    "saved in form {version}; this cicerone reads form {VERSION}, and cannot convert it: save again"
                );
                return Err(refused(0, message));
            }
            Ok(Head { cicerone, .. }) if cicerone == KIND => {}
            _ => {
                return Err(refused(0, "not a saved room; `cicerone run ROOM --save FILE` makes one".into()));
            }
        }
        let saved: Self = guarded(text.as_bytes(), || serde_json::from_str(text))
            .map_err(unreadable)?
            .map_err(|error| refused(place_of(text, &error), without_place(&error)))?;
        if saved.room_file.is_empty() {
            let at = text.find("\"roomFile\"").unwrap_or(0);
            return Err(refused(at, "its 'roomFile' is empty: it names the file of the room".into()));
        }
        Ok(saved)
    }

    /// The files of which a project holds the version from before they were replaced.
    fn outdated(&self, project: &Project) -> impl Iterator<Item = String> {
        let is_outdated = |(name, Replaced { before, now }): &(&String, &Replaced)| {
            let held = project.resolve(name).and_then(|place| project.read(&place, u64::MAX - 1)).ok();
            let held = held.map(|content| Fingerprint::of(&content).0);
            held == *before && held != Some(*now)
        };
        self.replaced.iter().filter(is_outdated).map(|(name, _)| name.clone())
    }

    fn ran_with(&self, mut options: Options) -> Options {
        let extra = self.scripts.iter().filter(|script| !options.scripts.contains(script));
        options.scripts = extra.cloned().chain(options.scripts.iter().cloned()).collect();
        let named = |name: &String| options.script_overrides.iter().any(|(known, _)| known == name);
        let others: Vec<_> = self.script_overrides.iter().filter(|(name, _)| !named(name)).cloned().collect();
        options.script_overrides.extend(others);
        options.cell_size_m = options.cell_size_m.or(self.cell_size_m);
        options
    }

    /// The tick it was saved after.
    pub fn tick_number(&self) -> u64 {
        self.world.tick_number()
    }
}

impl Runtime {
    /// The room between two steps, as data. The inbox is not included.
    ///
    /// # Errors
    /// [`SaveError`]: scripts hold values that are not data, like functions; every one is named.
    pub fn save(&self) -> Result<Saved, SaveError> {
        let world = self.world();
        Ok(Saved {
            cicerone: KIND.to_owned(),
            version: VERSION,
            room_file: self.project.name_of(&self.room_file),
            room: RoomText::of(world.room()).ok_or(SaveError::NoRoomFile)?,
            files: self.prints(&self.room_bytes, &self.read_files),
            replaced: self.replaced(),
            scripts: self.extra_scripts.clone(),
            script_overrides: self.script_overrides.clone(),
            cell_size_m: self.cell_size_m,
            world: world.state(),
            pending_events: self.pending_events.clone(),
            memories: self.ask(Scripts::memories).map_err(SaveError::NotData)?,
            unsaved: self.ask(Scripts::unsaved),
        })
    }

    /// Restores a saved room: characters in the middle of their walks, `self` and `room.state` as they were.
    /// Behaviours start afresh as after a reload. Then the room's current file is applied, as by a live reload, if it is
    /// not the one that it was when the room was saved. If that file is broken, the room continues as it was saved, and the problems are reported.
    ///
    /// The seed is the saved one, whatever `options` say. Scripts, script_overrides and the size of cells are the
    /// saved ones unless `options` give them.
    ///
    /// Code is not saved: scripts are those of `project`. A file that was replaced while the room ran, as by
    /// [`Runtime::replace_file`], has to be in it, or a later one.
    ///
    /// # Errors
    /// [`OpenError`] if the room no longer exists, the saved world is inconsistent, or the project holds the version of a
    /// file from before it was replaced.
    pub fn restore(project: Project, saved: &Saved, options: Options) -> Result<Self, OpenError> {
        let problems: Vec<Problem> = saved.outdated(&project).map(|name| Self::outdated(&name)).collect();
        if !problems.is_empty() {
            return Err(OpenError { problems, source: Source::new("", "") });
        }
        Self::restore_in(project, saved, options)
    }

    fn outdated(name: &str) -> Problem {
        let what = "the room ran with a version that was handed over (replace_file), and this project holds the one before it";
        let hint = "write that version to the file, or hand it to the project, too (Project::replace), or restore with the \
                    project of the running room (Runtime::project)";
        let problem = Source::new(name, "").problem(0..0, what).with_hint(hint);
        problem.without_line() // the whole file
    }

    /// [`Runtime::restore`] in a project that is known to be the one that is meant.
    pub(super) fn restore_in(project: Project, saved: &Saved, options: Options) -> Result<Self, OpenError> {
        let options = saved.ran_with(options);
        // Other scripts for characters are a change of the room.
        let ran_alike = options.script_overrides == saved.script_overrides;
        let name = saved.room_file.clone();
        let problem = |message: String| {
            let source = Source::new(name.clone(), "");
            OpenError { problems: vec![source.problem(0..0, message)], source }
        };
        let room = saved.room.room("room").map_err(|error| problem(error.to_string()))?;
        let world = World::restore(room, &saved.world)
            .map_err(|error| problem(format!("the saved world makes no sense: {error}")))?;
        let room_file = project.resolve(&name).unwrap_or_else(|_| project.root().join(&name));
        let (game, differences) = joined_game(&project, &options)?;
        let scripts = Scripts::new(world, project.clone(), options.limits, game)
            .map_err(|error| problem(format!("no scripts: {error}")))?;
        let mut runtime = Self::around(project, scripts);
        runtime.warn_of_game(differences);
        let room_file = runtime.project.real(&room_file);
        runtime.take_room(room_file, Vec::new(), options);
        runtime.lend().recall(&saved.memories).map_err(problem)?;
        runtime.pending_events = saved.pending_events.clone();
        log::info!("restored {} at tick {}", name, saved.tick_number());
        for line in &saved.unsaved {
            let text = format!("not saved: {line}");
            let note = Note::Log { level: Level::Info, place: String::new(), text };
            runtime.events.push(RuntimeEvent::Note(note));
        }
        runtime.take_notes();
        if ran_alike && runtime.adopt_files(&saved.files) {
            return Ok(runtime);
        }
        let room_file = runtime.room_file.clone();
        let (level, lines) = match runtime.reload(&BTreeSet::from([room_file])) {
            Reload::Unchanged => (Level::Info, Vec::new()),
            Reload::Done { mut changes, .. } => {
                changes.retain(|change| change != "background"); // pictures are not saved with a room
                let line = || format!("changed since it was saved: {}", changes.join(", "));
                (Level::Info, if changes.is_empty() { Vec::new() } else { vec![line()] })
            }
            Reload::Refused { problems, .. } => {
                let told = |problem| format!("the room goes on as it was saved: {problem}");
                (Level::Warn, problems.iter().map(told).collect())
            }
        };
        for text in lines {
            runtime.events.push(RuntimeEvent::Note(Note::Log { level, place: String::new(), text }));
        }
        Ok(runtime)
    }

    /// The fingerprints of the files that a version of the room was read from.
    fn prints(&self, bytes: &[u8], read_files: &ReadFiles) -> BTreeMap<String, Option<u64>> {
        let mut prints = read_files.prints(&self.project);
        prints.insert(self.project.name_of(&self.room_file), Some(Fingerprint::of(bytes).0));
        prints
    }

    /// The files that were replaced by others than those of the project.
    fn replaced(&self) -> BTreeMap<String, Replaced> {
        let prints = self.project.replacements().map(|(name, content, before)| {
            let before = before.map(|before| Fingerprint::of(&before).0);
            (name, Replaced { before, now: Fingerprint::of(content).0 })
        });
        prints.filter(|(_, Replaced { before, now })| *before != Some(*now)).collect()
    }

    /// Takes the room's files for read if they are what they were when it was saved. What code changed since they were
    /// read stays as it was saved; only the background is taken from them, as no save has it.
    fn adopt_files(&mut self, saved: &BTreeMap<String, Option<u64>>) -> bool {
        let Ok(Some(NewRoom { room, bytes, read_files, .. })) = self.read_changed_room(|_| true) else {
            return false;
        };
        if self.prints(&bytes, &read_files) != *saved {
            return false;
        }
        if room.background.is_some() {
            let mut with_image = self.world().room().clone();
            with_image.background = room.background;
            let replaced = self.world_mut().apply_checked(Command::ReplaceRoom(Box::new(with_image)));
            if replaced.is_err() {
                return false;
            }
        }
        (self.room_bytes, self.read_files) = (bytes, read_files);
        true
    }

    /// Goes back to a saved state of this room, or of another in its project. The inbox is kept; a recording ends.
    ///
    /// # Errors
    /// As [`Runtime::restore`]; the room is then unchanged.
    pub fn go_back_to(&mut self, saved: &Saved) -> Result<(), OpenError> {
        let options = Options {
            seed: 0, // the saved seed counts
            limits: self.ask(Scripts::overrides),
            scripts: self.extra_scripts.clone(),
            script_overrides: self.script_overrides.clone(),
            cell_size_m: self.cell_size_m,
            game: self.game.clone(),
        };
        let mut back = Self::restore_in(self.project.clone(), saved, options)?;
        if self.recorder.is_some() {
            let text = match self.stop_recording() {
                Ok(()) => "the recording ends here: no recording goes back in time".to_owned(),
                Err(error) => format!("the recording is not whole: {error}"),
            };
            let note = Note::Log { level: Level::Warn, place: String::new(), text };
            self.events.push(RuntimeEvent::Note(note));
        }
        back.world_mut().take_user_data(&self.world);
        back.inbox = std::mem::take(&mut self.inbox);
        back.lend().give_up_calls_of(&self.lend());
        back.take_notes();
        self.events.append(&mut back.events);
        back.events = std::mem::take(&mut self.events);
        *self = back;
        Ok(())
    }
}

/// The place of an error in the text.
fn place_of(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let before: usize = lines.map(str::len).sum();
    let at = (before + error.column().saturating_sub(1)).min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// An error's message without its place, which is reported separately.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ").map_or(text.clone(), |end| text[..end].to_owned())
}
