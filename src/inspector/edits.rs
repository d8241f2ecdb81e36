//! Edits of the room's file by a page, and taking them back.

use crate::project::MAX_ROOM_BYTES;
use crate::room::{RoomPart, edit_room};
use crate::runtime::{Reload, Runtime};
use glam::DVec2;

/// The most edits that can be taken back, and the most bytes of them.
const MOST_EDITS: usize = 200;
const MOST_BYTES: usize = 64 << 20;

/// The edits of all pages, one after another.
#[derive(Default)]
pub(super) struct Edits {
    done: Vec<Edit>,
    undone: Vec<Edit>,
}

struct Edit {
    file: String,
    before: String,
    after: String,
    /// What it did, in words.
    about: String,
}

impl Edits {
    /// Moves a part of the room, in its file; says what was done.
    pub(super) fn edit(
        &mut self,
        runtime: &mut Runtime,
        part: RoomPart,
        name: &str,
        places: &[DVec2],
    ) -> Result<String, String> {
        let file = runtime.room_name();
        let before = read(runtime, &file)?;
        let after = edit_room(&before, part, name, places).map_err(|error| error.to_string())?;
        if before == after {
            return Ok("nothing moved".into());
        }
        write(runtime, &file, &after)?;
        let about = format!("moved {name} in {file}");
        let held =
            |edits: &[Edit]| edits.iter().map(|edit| edit.before.len() + edit.after.len()).sum::<usize>();
        while self.done.len() >= MOST_EDITS || !self.done.is_empty() && held(&self.done) > MOST_BYTES {
            self.done.remove(0);
        }
        self.undone.clear();
        self.done.push(Edit { file, before, after, about: about.clone() });
        Ok(about)
    }

    /// Takes the last edit back.
    pub(super) fn undo(&mut self, runtime: &mut Runtime) -> Result<String, String> {
        let edit = self.done.last().ok_or("there is nothing to undo")?;
        change(runtime, &edit.file, &edit.after, &edit.before)?;
        let told = format!("undone: {}", edit.about);
        self.undone.extend(self.done.pop());
        Ok(told)
    }

    /// Makes the last edit again that was taken back.
    pub(super) fn redo(&mut self, runtime: &mut Runtime) -> Result<String, String> {
        let edit = self.undone.last().ok_or("there is nothing to redo")?;
        change(runtime, &edit.file, &edit.before, &edit.after)?;
        let told = format!("redone: {}", edit.about);
        self.done.extend(self.undone.pop());
        Ok(told)
    }
}

/// Replaces a text, unless somebody else has changed the file since.
fn change(runtime: &mut Runtime, file: &str, from: &str, to: &str) -> Result<(), String> {
    if read(runtime, file)? != from {
        return Err(format!("{file} was changed since, by an editor: nothing is overwritten"));
    }
    write(runtime, file, to)
}

fn read(runtime: &Runtime, file: &str) -> Result<String, String> {
    let place = runtime.project().resolve(file).map_err(|error| format!("{file}: {error}"))?;
    let bytes = runtime.project().read(&place, MAX_ROOM_BYTES).map_err(|error| format!("{file}: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{file} is not UTF-8"))
}

fn write(runtime: &mut Runtime, file: &str, text: &str) -> Result<(), String> {
    match runtime.write_file(file, text).map_err(|error| format!("{file}: {error}"))? {
        Reload::Refused { problems, .. } => Err(problems.first().map_or_else(
            || format!("{file} would be refused"),
            |problem| format!("nothing is written: {}", problem.without_place()),
        )),
        _ => Ok(()),
    }
}
