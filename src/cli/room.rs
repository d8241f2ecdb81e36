//! The room of a command, and the state of its doors.

use super::{BAD_INPUT, print, project_of};
use cicerone::problem::did_you_mean;
use cicerone::project::{DefaultRoom, FileError, MAX_ROOM_BYTES, PROJECT_FILE, Project, read_file};
use cicerone::room::Form;
use cicerone::runtime::check_room_scaled;
use cicerone::world::World;
use clap::Args;
use std::path::{Path, PathBuf};

/// Which room.
#[derive(Args)]
pub(super) struct RoomArgs {
    /// The room: a file (.json, .txt, .map), or NAME for the project's rooms/NAME.json, .txt or .map
    #[arg(value_name = "ROOM")]
    pub(super) room: PathBuf,
    #[command(flatten)]
    pub(super) scale: Scale,
}

/// How large the cells of a `.map` are.
#[derive(Args)]
pub(super) struct Scale {
    /// Edge of a cell in metres, for a .map, whose file does not say [default: 1]
    #[arg(long, value_name = "M", value_parser = length, allow_hyphen_values = true)]
    pub(super) cell_size: Option<f64>,
}

/// How areas stand before the question is asked.
#[derive(Args, Default)]
pub(super) struct Doors {
    /// Open this area first (may be given several times)
    #[arg(long, value_name = "AREA")]
    open: Vec<String>,
    /// Close this area first (may be given several times)
    #[arg(long, value_name = "AREA")]
    close: Vec<String>,
}

impl RoomArgs {
    /// A world with the room but without its scripts, its areas as in the file except for `doors`. When this returns
    /// an exit code, the error has been printed.
    pub(super) fn open(&self, root: Option<&Path>, doors: &Doors) -> Result<World, u8> {
        let file = room_file(root, &self.room)?;
        self.scale.check(&file)?;
        let project = project_of(root, &file);
        let name = project.name_of(&file);
        let bytes = read_file(&file, MAX_ROOM_BYTES)
            .map_err(|error| print::complain(&format!("{}: {error}", file.display())))?;
        let checked = check_room_scaled(&project, &name, &bytes, self.scale.cell_size);
        let checked = checked.map_err(|error| {
            print::problems(&error.problems, &error.source.text);
            BAD_INPUT
        })?;
        print::problems(&checked.warnings, &checked.locator.source().text);
        let mut room = checked.room;
        let opened = doors.open.iter().map(|name| (name, true));
        for (name, available) in opened.chain(doors.close.iter().map(|name| (name, false))) {
            match room.areas.iter_mut().find(|area| area.name == *name) {
                Some(area) => area.available = available,
                None => {
                    let hint = did_you_mean(name, room.areas.iter().map(|area| area.name.as_str()));
                    let hint = hint.map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
                    return Err(print::complain(&format!("no area '{name}' in this room{hint}")));
                }
            }
        }
        World::of_checked(room, 0).map_err(|error| print::complain(&error.to_string()))
    }
}

impl Scale {
    /// Complains about a cell size for a room that has its own.
    pub(super) fn check(&self, room: &Path) -> Result<(), u8> {
        if self.cell_size.is_none() || Form::of(&room.to_string_lossy()) == Form::Map {
            return Ok(());
        }
        let room = room.display();
        Err(print::complain(&format!(
            "--cell-size is for .map files; {room} says its own cell size (change 'cellSize' in it)"
        )))
    }
}

/// The room file for a word on the command line. A name stands for a file in the project's `rooms/`, from any folder
/// of the project. Anything else is a path, from here or from the project's root. When this returns an exit code, the
/// error has been printed.
pub(super) fn room_file(root: Option<&Path>, word: &Path) -> Result<PathBuf, u8> {
    let project = project_here(root);
    let name = word.to_string_lossy();
    if let Some(file) = project.room_in_rooms(&name) {
        return Ok(shown(file));
    }
    let is_form = word.extension().is_some_and(|end| end == "json" || end == "txt" || end == "map");
    let in_root = project.root().join(word);
    let is_room = |place: &Path| place.is_file() || is_form && place.symlink_metadata().is_ok();
    if let Some(file) = [word.to_path_buf(), in_root].into_iter().find(|place| is_room(place)) {
        return Ok(shown(file));
    }
    let trouble = project.trouble_with_room(&name).or_else(|| {
        let error = FileError::at(word).filter(|error| matches!(error, FileError::Unreadable(_)));
        error.map(|error| (word.to_path_buf(), error))
    });
    if let Some((place, why)) = trouble {
        return Err(print::complain(&format!(
            "no room '{}': {}: {why}",
            word.display(),
            shown(place).display()
        )));
    }
    let (what, why) = match word.is_dir() {
        true => ("room", "this is a folder"),
        false if is_form || word.components().count() > 1 => ("file", "there is no such file"),
        false => ("room", "there is no such file in rooms/"),
    };
    let stem = word.file_stem().unwrap_or_default().to_string_lossy();
    Err(print::complain(&format!("no {what} '{}': {why}{}", word.display(), project.room_hint(&stem))))
}

/// The default room to run.
pub(super) fn default_room(root: Option<&Path>) -> Result<PathBuf, u8> {
    let project = project_here(root);
    match project.default_room() {
        DefaultRoom::Room(file) => Ok(shown(file)),
        DefaultRoom::Bad(problem, source) => {
            print::problems(&[*problem], &source.text);
            Err(BAD_INPUT)
        }
        DefaultRoom::Unreadable(why) => {
            Err(print::complain(&format!("no room: {}: {why}", project.root().join("rooms").display())))
        }
        DefaultRoom::OneOf(names) if names.is_empty() => Err(print::complain(&format!(
            "there is no room in {}; `cicerone new DIR` makes a small project",
            project.root().join("rooms").display()
        ))),
        DefaultRoom::OneOf(names) => {
            let ways: Vec<String> = names.iter().map(|name| format!("cicerone run {name}")).collect();
            let message = format!(
                "which room? {PROJECT_FILE} in the project's root may name one: {{ \"room\": \"{}\" }}",
                names[0]
            );
            Err(print::complain_of(&message, &ways))
        }
    }
}

/// Resolves a path on the command line: from here, or else from the project's root. A missing path is returned as it
/// is.
pub(super) fn from_here_or_root(project: &Project, word: &Path) -> PathBuf {
    let in_root = || Some(project.root().join(word)).filter(|place| place.symlink_metadata().is_ok());
    let is_here = word.symlink_metadata().is_ok();
    if is_here { word.to_path_buf() } else { in_root().map_or_else(|| word.to_path_buf(), shown) }
}

pub(super) fn project_here(root: Option<&Path>) -> Project {
    root.map_or_else(|| Project::around(Path::new(".")), Project::at)
}

/// A path as a user would type it here.
pub(super) fn shown(file: PathBuf) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let inside = here.ok().and_then(|here| Some(file.strip_prefix(here).ok()?.to_path_buf()));
    // The folder may be the current one.
    inside.map_or(file, |inside| if inside.as_os_str().is_empty() { PathBuf::from(".") } else { inside })
}

pub(super) fn length(text: &str) -> Result<f64, String> {
    let length: f64 = text.parse().map_err(|_| "expected metres, like 0.5".to_owned())?;
    if length > 0.0 && length <= 1000.0 {
        Ok(length)
    } else {
        Err("expected metres, greater than 0 and at most 1000".into())
    }
}
