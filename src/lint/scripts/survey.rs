//! All rooms and scripts of a project, and which room uses which script.

use super::facts::{Facts, Spawned, rooms_opened};
use super::names::RoomNames;
use crate::problem::Source;
use crate::project::{MAX_ROOM_BYTES, Project};
use crate::room::{ReadFileError, parse_with};
use crate::script::api::{Entry, Object};
use crate::script::parse::{Chunk, parse};
use crate::script::{GameApi, module_path};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Upper limit on the scripts that are read, so that the check of one file in a huge folder ends.
const MAX_SCRIPTS: usize = 5000;

/// The folders of scripts, from the project's root.
const FOLDERS: [&str; 2] = ["scripts", "tests"];

/// The rooms and scripts of a project.
#[derive(Debug)]
pub struct Survey {
    pub(super) project: Project,
    pub(super) rooms: Vec<RoomNames>,
    pub(super) scripts: BTreeMap<String, Script>,
    /// Names that any script gives to a field or method.
    pub(super) fields: BTreeSet<String>,
    /// Fields that any script assigns: the object as written, and the field.
    written: BTreeSet<(String, String)>,
    /// The functions and values of the project's game.
    pub(super) game: Vec<&'static Entry>,
}

/// A script that parses.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) chunk: Chunk,
    pub(super) facts: Facts,
    pub(super) users: Users,
    pub(super) is_spec: bool,
}

/// The users of a script.
#[derive(Debug, Clone, Default)]
pub(super) struct Users {
    /// Rooms, as indices.
    pub(super) rooms: BTreeSet<usize>,
    /// Its roles: a character's behaviour, a room's script. Empty if it is only required.
    pub(super) roles: BTreeSet<Object>,
    /// Whether this is known from specs only.
    pub(super) by_specs: bool,
}

impl Survey {
    /// Reads the usual folders of a project, and these scripts.
    pub fn of(project: &Project, scripts: &[String]) -> Self {
        let mut survey = Self {
            project: project.clone(),
            rooms: Vec::new(),
            scripts: BTreeMap::new(),
            fields: BTreeSet::new(),
            written: BTreeSet::new(),
            game: GameApi::of_project(project).unwrap_or_default().entries().collect(),
        };
        let mut rooms = BTreeSet::new();
        gather(project, &project.root().join("rooms"), ".json", &mut rooms);
        rooms.iter().for_each(|room| survey.add_room(room));
        let mut files: BTreeSet<String> = scripts.iter().cloned().collect();
        for folder in FOLDERS {
            gather(project, &project.root().join(folder), ".lua", &mut files);
        }
        files.extend(survey.rooms.iter().flat_map(RoomNames::scripts).map(|(script, _)| script.to_owned()));
        while let Some(file) = files.pop_first() {
            if survey.scripts.len() < MAX_SCRIPTS && !survey.scripts.contains_key(&file) {
                let required = survey.add_script(&file);
                files.extend(required.into_iter().filter(|file| !survey.scripts.contains_key(file)));
            }
        }
        survey.find_users();
        survey
    }

    /// The functions and values of the project's game that belong to an object.
    pub(super) fn of_game(&self, object: Object) -> impl Iterator<Item = &'static Entry> {
        self.game.iter().copied().filter(move |entry| entry.object == object)
    }

    fn add_room(&mut self, file: &str) {
        let Ok(place) = self.project.resolve(file) else { return };
        let Ok(bytes) = self.project.read(&place, MAX_ROOM_BYTES) else { return };
        let image = |file: &str| {
            let read = |place: PathBuf| self.project.read(&place, crate::room::MAX_IMAGE_BYTES);
            self.project.resolve(file).and_then(read).map_err(ReadFileError::of)
        };
        // Problems of the room are reported by its own check.
        if let Ok(parsed) = parse_with(file, &bytes, None, &image) {
            self.rooms.push(RoomNames::of(file, &parsed.room));
        }
    }

    /// Reads a script; returns the files that it requires. Syntax errors are left to Lua's own compiler.
    fn add_script(&mut self, file: &str) -> Vec<String> {
        let Ok(text) = self.project.read_script(file) else { return Vec::new() };
        let Ok(chunk) = parse(&Source::new(file, text).text) else { return Vec::new() };
        let facts = Facts::of(&chunk);
        let required = facts.requires.iter().map(|name| module_path(&self.project, name)).collect();
        self.fields.extend(facts.fields.iter().cloned());
        self.written.extend(facts.written.iter().cloned());
        let is_spec = file.ends_with("_spec.lua");
        self.scripts.insert(file.to_owned(), Script { chunk, facts, users: Users::default(), is_spec });
        required
    }

    fn find_users(&mut self) {
        let mut open: Vec<(String, usize, Option<Object>, bool)> = Vec::new();
        for (index, room) in self.rooms.iter().enumerate() {
            let users = room.scripts().map(|(script, role)| (script.to_owned(), index, Some(role), false));
            open.extend(users);
        }
        self.spread(open);
        // Scripts that only specs use, as `script_overrides` of a room.
        let specs: Vec<(Vec<usize>, BTreeSet<String>)> = self
            .scripts
            .values()
            .filter(|script| script.is_spec)
            .map(|script| (self.rooms_of_spec(&script.chunk), script.facts.scripts.clone()))
            .collect();
        let mut open = Vec::new();
        for (rooms, scripts) in specs {
            for file in scripts {
                if self
                    .scripts
                    .get(&file)
                    .is_some_and(|script| script.users.rooms.is_empty() && !script.is_spec)
                {
                    open.extend(rooms.iter().map(|&room| (file.clone(), room, None, true)));
                }
            }
        }
        self.spread(open);
        self.find_spawned();
    }

    /// Marks scripts as used by rooms, with all scripts that they require and spawn.
    fn spread(&mut self, mut open: Vec<(String, usize, Option<Object>, bool)>) {
        while let Some((file, room, role, by_spec)) = open.pop() {
            let Some(script) = self.scripts.get_mut(&file) else { continue };
            let is_new_room = script.users.rooms.insert(room);
            let is_new_role = role.is_some_and(|role| script.users.roles.insert(role));
            script.users.by_specs |= by_spec;
            if !is_new_room && !is_new_role {
                continue;
            }
            for name in &script.facts.requires {
                open.push((module_path(&self.project, name), room, None, by_spec));
            }
            let required = |file: &&String| !script.facts.requires.contains(*file);
            for file in script.facts.scripts.iter().filter(required) {
                open.push((file.clone(), room, Some(Object::Behaviour), by_spec));
            }
        }
    }

    /// Finds the characters spawned in each room.
    fn find_spawned(&mut self) {
        for script in self.scripts.values().filter(|script| !script.is_spec) {
            for &room in &script.users.rooms {
                if let Some(room) = self.rooms.get_mut(room) {
                    room.spawned.extend(script.facts.spawns.iter().cloned());
                }
            }
        }
    }

    /// The rooms that a spec opens, as far as they are literal and known.
    pub(super) fn rooms_of_spec(&self, chunk: &Chunk) -> Vec<usize> {
        rooms_opened(&chunk.block).into_iter().flatten().filter_map(|name| self.room_named(&name)).collect()
    }

    /// The room with this name in a spec.
    pub(super) fn room_named(&self, name: &str) -> Option<usize> {
        let place = self.project.room_named(name).ok()?;
        let file = self.project.name_of(&place);
        self.rooms.iter().position(|room| room.file == file)
    }

    /// Whether some room, script or spec uses this file.
    pub(super) fn is_used(&self, file: &str) -> bool {
        let named = |script: &Script| {
            script.facts.scripts.contains(file)
                || script.facts.requires.iter().any(|name| module_path(&self.project, name) == file)
        };
        self.scripts.get(file).is_some_and(|script| !script.users.rooms.is_empty())
            || self.scripts.values().any(named)
    }

    /// The roles of a script: for characters, for a room; empty if unknown.
    pub fn roles(&self, file: &str) -> Vec<Object> {
        let roles = self.scripts.get(file).map(|script| script.users.roles.iter().copied().collect());
        roles.unwrap_or_default()
    }

    /// Whether some script assigns this field to a variable with the object's name.
    pub(super) fn is_own_field(&self, name: &str, object: &str) -> bool {
        self.written.contains(&(object.to_owned(), name.to_owned()))
    }

    /// Whether some script adds this function to a library.
    pub(super) fn fields_written(&self, library: &str, name: &str) -> bool {
        self.is_own_field(name, library)
    }

    /// Whether some script adds links or waypaths.
    pub(super) fn adds_ways(&self) -> bool {
        self.scripts.values().any(|script| script.facts.adds_ways)
    }

    /// Characters that may be spawned in these rooms, besides those that a spec spawns.
    pub(super) fn spawned(&self, rooms: &[usize]) -> Vec<Spawned> {
        let rooms = rooms.iter().filter_map(|&room| self.rooms.get(room));
        rooms.flat_map(|room| room.spawned.iter().cloned()).collect()
    }
}

/// The rooms or scripts in a folder and its subfolders, without definition files for editors, hidden files and links.
fn gather(project: &Project, folder: &Path, end: &str, files: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let Ok(kind) = entry.file_type() else { continue };
        if files.len() >= MAX_SCRIPTS || name.starts_with('.') || name == "target" {
            continue;
        }
        if kind.is_dir() {
            gather(project, &path, end, files);
        } else if name.ends_with(end) && kind.is_file() {
            let file = project.name_of(&path);
            let is_meant = || project.read_script(&file).is_ok_and(|text| !text.starts_with("---@meta"));
            if end != ".lua" || is_meant() {
                files.insert(file);
            }
        }
    }
}
