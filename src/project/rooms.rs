//! The rooms of a project: by name, all of them, and the default room.

use super::{FileError, MAX_ROOM_BYTES, Project, read_file};
use crate::problem::{Problem, Source, did_you_mean, guarded};
use crate::room::without_comments;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The settings file at a project's root. Most projects have none.
pub const PROJECT_FILE: &str = ".cicerone.json";

/// Larger files are not settings.
const MAX_PROJECT_FILE_BYTES: u64 = 1 << 20;

/// The extensions of room files, in the order in which a name is tried.
const ENDS: [&str; 3] = ["json", "txt", "map"];

/// The default room of a project.
#[derive(Debug, Clone, PartialEq)]
pub enum DefaultRoom {
    /// The only room, or the one that the project file names.
    Room(PathBuf),
    /// Several rooms, by name and in order; empty if there is no room at all.
    OneOf(Vec<String>),
    /// `rooms/` cannot be read.
    Unreadable(FileError),
    /// The project file is invalid.
    Bad(Box<Problem>, Box<Source>),
}

/// The content of [`PROJECT_FILE`].
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ProjectFile {
    /// The room that `cicerone run` opens.
    room: Option<String>,
}

impl Project {
    /// The file of a room: a path from the root, or the name of a file in `rooms/`.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn room_named(&self, word: &str) -> Result<PathBuf, FileError> {
        let place = self.resolve(word)?;
        if self.has(&place) {
            return Ok(place);
        }
        self.room_in_rooms(word)
            .ok_or_else(|| self.trouble_with_room(word).map_or(FileError::Missing, |(_, why)| why))
    }

    /// The first file in `rooms/` with this name.
    pub fn room_in_rooms(&self, name: &str) -> Option<PathBuf> {
        self.places_in_rooms(name).into_iter().find(|file| self.has(file))
    }

    /// The path of a room with this name that cannot be examined, and why: an unreadable folder, a circular link.
    /// `None` if the room merely does not exist.
    pub fn trouble_with_room(&self, name: &str) -> Option<(PathBuf, FileError)> {
        let mut errors = self
            .places_in_rooms(name)
            .into_iter()
            .filter_map(|file| Some((file.clone(), FileError::at(&file)?)));
        errors.find(|(_, error)| matches!(error, FileError::Unreadable(_)))
    }

    /// The possible files for a name: NAME.json and so on, or NAME if it has such an extension. None for a path.
    fn places_in_rooms(&self, name: &str) -> Vec<PathBuf> {
        if name.contains(['/', '\\']) {
            return Vec::new();
        }
        let rooms = self.root().join("rooms");
        let is_whole = ENDS.iter().any(|end| name.strip_suffix(end).is_some_and(|stem| stem.ends_with('.')));
        let ended = ENDS.map(|end| rooms.join(format!("{name}.{end}")));
        ended.into_iter().chain(is_whole.then(|| rooms.join(name))).collect()
    }

    /// The names of the rooms in `rooms/`, in order.
    pub fn rooms(&self) -> Vec<String> {
        let files = self.names_beside("rooms/room").into_iter();
        let mut names: Vec<String> = files
            .map(|file| self.root().join("rooms").join(file))
            .filter(|file| self.has(file))
            .filter(|file| !self.is_navmesh_file(file))
            .filter(|file| ENDS.iter().any(|end| file.extension().is_some_and(|found| found == *end)))
            .filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned()))
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// Whether a file in `rooms/` is the geometry of a room.
    fn is_navmesh_file(&self, file: &Path) -> bool {
        file.extension().is_some_and(|end| end == "json")
            && self.read(file, MAX_ROOM_BYTES).is_ok_and(|text| is_navmesh(&text))
    }

    /// All files in `rooms/`, `scripts/` and `tests/`, of which rooms, scripts and tests are made, without hidden
    /// ones. Stops at a limit.
    pub fn files(&self) -> BTreeSet<PathBuf> {
        const MOST_FILES: usize = 10_000;
        let mut found = BTreeSet::new();
        let mut folders: Vec<PathBuf> =
            ["rooms", "scripts", "tests"].map(|name| self.root().join(name)).into();
        while let Some(folder) = folders.pop().filter(|_| found.len() < MOST_FILES) {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let hidden = entry.file_name().to_string_lossy().starts_with('.');
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && !hidden => folders.push(entry.path()),
                    Ok(kind) if kind.is_file() && !hidden => drop(found.insert(entry.path())),
                    _ => {} // links to folders may be circular
                }
            }
        }
        found
    }

    /// The hint after "no room of this name": the most similar name, or those that exist.
    pub fn room_hint(&self, name: &str) -> String {
        /// The longest readable list.
        const MOST: usize = 20;
        let names = self.rooms();
        if let Some(near) = did_you_mean(name, names.iter().map(String::as_str)) {
            return format!("; did you mean '{near}'?");
        }
        let more = if names.len() > MOST { ", …" } else { "" };
        let shown = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
        if names.is_empty() { String::new() } else { format!("; there are {shown}{more}") }
    }

    /// The default room: the one that the project file names, else the only one.
    pub fn default_room(&self) -> DefaultRoom {
        let file = self.root().join(PROJECT_FILE);
        let source = match read_file(&file, MAX_PROJECT_FILE_BYTES) {
            Err(FileError::Missing) => return self.only_room(),
            Err(error) => {
                let source = Source::new(PROJECT_FILE, "");
                return bad(source.problem(0..0, error.to_string()), source);
            }
            Ok(bytes) => Source::new(PROJECT_FILE, String::from_utf8_lossy(&bytes)),
        };
        let text = without_comments(&source.text);
        let said = match guarded(source.text.as_bytes(), || serde_json::from_str::<ProjectFile>(&text)) {
            Ok(Ok(said)) => said,
            Err(why) => return bad(source.problem(0..0, why), source),
            Ok(Err(error)) => {
                let words = error.to_string();
                let words = words.split(" at line ").next().unwrap_or_default();
                let problem = source.problem_at_line(u32::try_from(error.line()).unwrap_or(1), None, words);
                return bad(problem, source);
            }
        };
        match said.room {
            None => self.only_room(),
            Some(room) => match self.room_named(&room) {
                Ok(file) => DefaultRoom::Room(file),
                Err(error) => {
                    let message = format!("no room '{room}': {error}{}", self.room_hint(&room));
                    let quoted = serde_json::to_string(&room).unwrap_or_default();
                    let at = source.text.find(&quoted).unwrap_or(0);
                    bad(source.problem(at..at + quoted.len(), message).at_path("room"), source)
                }
            },
        }
    }

    fn only_room(&self) -> DefaultRoom {
        if let Err(error) = std::fs::read_dir(self.root().join("rooms"))
            && let error @ FileError::Unreadable(_) = FileError::from(error)
        {
            return DefaultRoom::Unreadable(error);
        }
        let names = self.rooms();
        match names.as_slice() {
            [one] => self.room_in_rooms(one).map_or(DefaultRoom::OneOf(Vec::new()), DefaultRoom::Room),
            _ => DefaultRoom::OneOf(names),
        }
    }
}

/// Whether a JSON file is a navmesh, which a room names as its `geometry`, and no room.
pub fn is_navmesh(text: &[u8]) -> bool {
    let has = |key: &[u8]| text.windows(key.len()).any(|part| part == key);
    has(b"\"verts\"") && has(b"\"polys\"")
}

fn bad(problem: Problem, source: Source) -> DefaultRoom {
    DefaultRoom::Bad(Box::new(problem), Box::new(source))
}
