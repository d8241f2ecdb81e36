//! The room that a command is about, and how its doors stand.

use super::{BAD_INPUT, print, project_of};
use cicerone::problem::did_you_mean;
use cicerone::project::{MAX_ROOM_BYTES, read_file};
use cicerone::room::Form;
use cicerone::runtime::check_room_scaled;
use cicerone::world::World;
use clap::Args;
use std::path::{Path, PathBuf};

/// Which room.
#[derive(Args)]
pub(super) struct RoomArgs {
    /// The room: a file (.json, .txt, .map), or NAME for rooms/NAME.json, .txt or .map
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
    /// The room brought to life without its scripts, its areas as the file has them but for `doors`. What is wrong has been
    /// told when this gives an exit code.
    pub(super) fn open(&self, root: Option<&Path>, doors: &Doors) -> Result<World, u8> {
        let file = room_file(&self.room);
        self.scale.check(&file)?;
        let project = project_of(root, &file);
        let name = project.name_of(&file);
        let bytes = read_file(&file, MAX_ROOM_BYTES)
            .map_err(|error| print::complain(&format!("{}: {error}", file.display())))?;
        let checked = check_room_scaled(&project, &name, &bytes, self.scale.cell_size);
        let (mut room, _) = checked.map_err(|error| {
            print::problems(&error.problems, &error.source.text);
            BAD_INPUT
        })?;
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
        World::new(room, 0).map_err(|error| print::complain(&error.to_string()))
    }
}

impl Scale {
    /// Complains of a cell size for a room that has its own.
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

/// The room file a word on the command line means: a path, or a name for a file in `rooms/`.
pub(super) fn room_file(word: &Path) -> PathBuf {
    if word.exists() || word.extension().is_some() {
        return word.to_path_buf();
    }
    let named = |end: &&str| Path::new("rooms").join(word).with_extension(end);
    let found = ["json", "txt", "map"].iter().map(named).find(|file| file.exists());
    found.unwrap_or_else(|| word.to_path_buf())
}

pub(super) fn length(text: &str) -> Result<f64, String> {
    let length: f64 = text.parse().map_err(|_| "expected metres, like 0.5".to_owned())?;
    if length > 0.0 && length <= 1000.0 {
        Ok(length)
    } else {
        Err("expected metres, greater than 0 and at most 1000".into())
    }
}
