//! Changed files under a running room: one batch is one transaction.

use super::open::{check_room_scaled, unreadable};
use super::{OpenError, Runtime};
use crate::problem::{Problem, Source};
use crate::project::{FileError, MAX_ROOM_BYTES, read_file};
use crate::room::Room;
use crate::world::Command;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What became of a batch of changed files.
#[derive(Debug, Clone, PartialEq)]
pub enum Reload {
    /// They say what they said before.
    Unchanged,
    /// The new version is live.
    Done {
        /// The files it came from, project-relative.
        files: Vec<String>,
    },
    /// Nothing changed; the room runs on with its last good version.
    Refused {
        /// The files of the batch, project-relative.
        files: Vec<String>,
        /// Everything that is wrong.
        problems: Vec<Problem>,
    },
}

impl Runtime {
    /// Takes changed files over, between two ticks: reads, parses and checks everything aside, then swaps. Characters keep
    /// position, goal and script state; any problem keeps everything as it was.
    pub fn reload(&mut self, changed: &BTreeSet<PathBuf>) -> Reload {
        let mut files: Vec<String> = changed.iter().map(|file| self.project.name_of(file)).collect();
        files.sort();
        match self.try_reload(changed) {
            Ok(true) => {
                self.tally.reloads += 1;
                self.take_notes();
                Reload::Done { files }
            }
            Ok(false) => Reload::Unchanged,
            Err(problems) => Reload::Refused { files, problems },
        }
    }

    fn try_reload(&mut self, changed: &BTreeSet<PathBuf>) -> Result<bool, Vec<Problem>> {
        let room = if changed.contains(&self.room_file) { self.read_changed_room() } else { Ok(None) };
        let scripts = self.changed_scripts(changed);
        let (room, mut scripts) = match (room, scripts) {
            (Ok(room), Ok(scripts)) => (room, scripts),
            (Err(mut problems), Ok(scripts)) => {
                problems.extend(self.scripts.problems_in(&scripts));
                return Err(problems);
            }
            (Ok(_), Err(problems)) => return Err(problems),
            (Err(mut problems), Err(more)) => {
                problems.extend(more);
                return Err(problems);
            }
        };
        let new = room.as_ref().map(|(room, _)| self.new_scripts(room)).unwrap_or_default();
        scripts.retain(|script| !new.contains(script));
        if room.is_none() && scripts.is_empty() {
            return Ok(false);
        }
        let reloaded = self.scripts.reload(&scripts, &new)?;
        if let Some((room, bytes)) = room {
            let script = room.script.clone();
            let applied = self.world.borrow_mut().apply(Command::ReplaceRoom(Box::new(room)));
            if let Err(error) = applied {
                self.scripts.roll_back(reloaded);
                let name = self.project.name_of(&self.room_file);
                return Err(vec![Source::new(name, "").problem(0..0, error.to_string())]);
            }
            self.room_bytes = bytes;
            let scripts: Vec<String> = script.into_iter().chain(self.extra_scripts.clone()).collect();
            self.scripts.set_room_scripts(&scripts);
        }
        self.scripts.commit(reloaded);
        Ok(true)
    }

    /// The room of a changed file; `None` if its bytes are those that run already.
    fn read_changed_room(&self) -> Result<Option<(Room, Vec<u8>)>, Vec<Problem>> {
        let name = self.project.name_of(&self.room_file);
        let problems = |error: OpenError| error.problems;
        let bytes = match read_file(&self.room_file, MAX_ROOM_BYTES) {
            Ok(bytes) if bytes == self.room_bytes => return Ok(None),
            Ok(bytes) => bytes,
            Err(FileError::Missing) => return Err(vec![gone(&name)]),
            Err(error) => return Err(unreadable(&name, &error).problems),
        };
        let (room, _) =
            check_room_scaled(&self.project, &name, &bytes, self.cell_size_m).map_err(problems)?;
        if room.ticks_per_second != self.world.borrow().room().ticks_per_second {
            let text = String::from_utf8_lossy(&bytes);
            let place = text.find("\"ticksPerSecond\"").unwrap_or(0);
            let problem = Source::new(name, text.as_ref())
                .problem(place..place, "the length of a step is set for a whole run");
            return Err(vec![problem.with_hint("start the room again to change ticksPerSecond")]);
        }
        Ok(Some((room, bytes)))
    }

    /// The changed files that scripts are made of. A deleted one is a problem: what runs goes on running.
    fn changed_scripts(&self, changed: &BTreeSet<PathBuf>) -> Result<BTreeSet<String>, Vec<Problem>> {
        let known = self.scripts.files();
        let hit = |name: &String| changed.contains(&self.place_of_script(name));
        let scripts: BTreeSet<String> = known.into_iter().filter(hit).collect();
        let mut problems = Vec::new();
        for name in &scripts {
            match self.project.resolve(name) {
                Ok(path) if !path.exists() => problems.push(gone(name)),
                Ok(_) => {}
                Err(error) => problems.push(Source::new(name, "").problem(0..0, error.to_string())),
            }
        }
        if problems.is_empty() { Ok(scripts) } else { Err(problems) }
    }

    fn new_scripts(&self, room: &Room) -> BTreeSet<String> {
        let known = self.scripts.files();
        let named = room.characters.iter().filter_map(|spec| spec.script.clone()).chain(room.script.clone());
        named.filter(|script| !known.contains(script)).collect()
    }
}

fn gone(name: &str) -> Problem {
    Source::new(name, "").problem(0..0, "the file is gone; what it said last goes on running")
}
