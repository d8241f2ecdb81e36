//! Changed files under a running room: one batch is one transaction.

use super::open::{inspect, override_scripts, unreadable, warn_of_strays};
use super::read_files::ReadFiles;
use super::{Runtime, RuntimeEvent};
use crate::problem::{Problem, Source};
use crate::project::{FileError, MAX_ROOM_BYTES, Project, save_file};
use crate::room::{CharacterField, Room, RoomChange, difference};
use crate::script::{Aftermath, LoadError, Scripts};
use crate::surface::NextGround;
use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

/// The result of a batch of changed files.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[must_use = "refused files change nothing, and say here why"]
pub enum Reload {
    /// Their content is the same as before.
    Unchanged,
    /// The new version is live.
    Done {
        /// The files with new content, project-relative.
        files: Vec<String>,
        /// The first tick that the new version decides.
        tick: u64,
        /// The changes, as text.
        changes: Vec<String>,
    },
    /// Nothing changed; the room runs on with its last good version.
    Refused {
        /// The files whose content differs from the running version, project-relative.
        files: Vec<String>,
        /// All problems.
        problems: Vec<Problem>,
        /// The files of the batch that are to blame: the others may be good on their own.
        blamed: BTreeSet<PathBuf>,
    },
}

/// A changed room: the room in the file, and its warnings.
pub(super) struct NewRoom {
    pub(super) room: Room,
    /// Its ground, as it was made to check it.
    ground: NextGround,
    pub(super) bytes: Vec<u8>,
    pub(super) read_files: ReadFiles,
    warnings: Vec<Problem>,
}

/// A valid new version, and its changes.
struct Candidate {
    room: Option<NewRoom>,
    change: RoomChange,
    scripts: BTreeSet<String>,
    /// Files that no longer exist.
    gone: BTreeSet<String>,
}

/// Why a file of a project was not written.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WriteError {
    /// The name leads out of the project.
    Name(FileError),
    /// The system's message.
    Disk(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(error) => error.fmt(f),
            Self::Disk(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for WriteError {}

impl Runtime {
    /// Takes changed files over, between two ticks: reads, parses and checks everything aside, then swaps. Characters
    /// keep position, goal and script state. Any problem keeps everything as it was. Files with the running content
    /// do nothing.
    pub fn reload(&mut self, changed: &BTreeSet<PathBuf>) -> Reload {
        let changed = self.differing(changed);
        if changed.is_empty() {
            return Reload::Unchanged;
        }
        let mut files: Vec<String> = changed.iter().map(|file| self.project.name_of(file)).collect();
        files.sort();
        match self.try_reload(&changed) {
            Ok(changes) => {
                let known = self.ask(Scripts::files);
                self.wanted.retain(|name| !known.contains(name) && is_script(name));
                self.note_reload(changed.iter());
                let Some(changes) = changes else { return Reload::Unchanged };
                self.tally.reloads += 1;
                self.take_notes();
                self.record_reload(&files);
                let what = if changes.is_empty() { "nothing changes".to_owned() } else { changes.join(", ") };
                log::info!("reloaded {}: {what}", files.join(", "));
                Reload::Done { files, tick: self.world().tick_number(), changes }
            }
            Err(LoadError { problems, suspects, wanted }) => {
                self.wanted.extend(wanted);
                let blamed = self.to_blame(&changed, &problems, &suspects);
                log::info!("did not reload {}: {} problems", files.join(", "), problems.len());
                Reload::Refused { files, problems, blamed }
            }
        }
    }

    /// Replaces a file of the project from now on, whatever is on the disk, and reloads it: for files that come from an
    /// engine, an editor or over the network. The name is the path from the project's root. A refused version is put back,
    /// and an event tells of it, too: [`RuntimeEvent::ReloadRefused`].
    ///
    /// # Errors
    /// [`FileError`], if the name leads out of the project.
    pub fn replace_file(&mut self, name: &str, content: impl AsRef<[u8]>) -> Result<Reload, FileError> {
        self.replace_files(&[(name, content.as_ref())])
    }

    /// [`Runtime::replace_file`] for files that belong together: all of them take effect, or none.
    ///
    /// # Errors
    /// As there.
    pub fn replace_files(&mut self, files: &[(&str, &[u8])]) -> Result<Reload, FileError> {
        let mut project = self.project.clone();
        let mut changed = BTreeSet::new();
        for (name, content) in files {
            let place = project.resolve(name)?;
            let place = project.real(&place);
            project.replace(&place, Some(content));
            changed.insert(place);
        }
        let reload = self.reload_from(project, changed);
        if let Reload::Refused { files, problems, .. } = &reload {
            let (files, problems) = (files.clone(), problems.clone());
            self.events.push(RuntimeEvent::ReloadRefused { files, problems });
        }
        Ok(reload)
    }

    /// Reloads files from another project, which counts from then on unless they are refused.
    pub(super) fn reload_from(&mut self, project: Project, changed: BTreeSet<PathBuf>) -> Reload {
        let before = std::mem::replace(&mut self.project, project);
        self.give_project();
        let reload = self.reload(&changed);
        if matches!(reload, Reload::Refused { .. }) {
            self.project = before;
            self.give_project();
        }
        reload
    }

    /// Lets the scripts have the files of the project as they are now.
    pub(super) fn give_project(&mut self) {
        let project = self.project.clone();
        self.lend().take_project(project);
    }

    /// Writes a file of the project to the disk, if the room takes it: an edit by a tool. A refused version is not written.
    ///
    /// # Errors
    /// [`WriteError`]: the name leads out of the project, or the file cannot be written; the room is then as before.
    pub fn write_file(&mut self, name: &str, content: impl AsRef<[u8]>) -> Result<Reload, WriteError> {
        let content = content.as_ref();
        let place = self.project.resolve(name).map_err(WriteError::Name)?;
        let before = self.project.clone();
        let reload = self.replace_file(name, content).map_err(WriteError::Name)?;
        if matches!(reload, Reload::Refused { .. }) || !before.is_on_disk() {
            return Ok(reload);
        }
        let written = save_file(&place, content);
        // From now on the disk counts again.
        self.project = before;
        self.give_project();
        if let Err(error) = written {
            // What the disk has ran before, so it is not refused.
            let _ = self.reload(&BTreeSet::from([self.project.real(&place)]));
            return Err(WriteError::Disk(error.to_string()));
        }
        Ok(reload)
    }

    /// Those of these files whose content differs from the running version.
    pub fn differing(&self, files: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
        let known = self.ask(Scripts::files);
        let mut differing = BTreeSet::new();
        for name in known.iter().chain(self.wanted.difference(&known)) {
            let place = self.place_of_script(name);
            let differs = files.contains(&place)
                && if known.contains(name) { self.differs(name) } else { self.project.has(&place) };
            if differs {
                differing.insert(place);
            }
        }
        differing.extend(self.read_files.changed(&self.project, |file| files.contains(file)).cloned());
        let same_room =
            || self.project.read(&self.room_file, MAX_ROOM_BYTES).is_ok_and(|bytes| bytes == self.room_bytes);
        if files.contains(&self.room_file) && !same_room() {
            differing.insert(self.room_file.clone());
        }
        differing
    }

    /// Whether the text of a loaded script differs from that of its last load.
    fn differs(&self, name: &str) -> bool {
        let text = self.project.read_script(name).ok(); // by the game's own reader, perhaps
        self.ask(|scripts| scripts.differs(name, text.as_deref()))
    }

    /// The files of a batch that hold up the others: those with problems; else those that were being loaded at the
    /// time and what they require; else all.
    fn to_blame(
        &self,
        changed: &BTreeSet<PathBuf>,
        problems: &[Problem],
        suspects: &BTreeSet<String>,
    ) -> BTreeSet<PathBuf> {
        let named = |is_named: &dyn Fn(&String) -> bool| -> BTreeSet<PathBuf> {
            let named = changed.iter().filter(|file| is_named(&self.project.name_of(file)));
            named.cloned().collect()
        };
        let told = named(&|name| problems.iter().any(|problem| problem.file == *name));
        let suspected = named(&|name| suspects.contains(name));
        [told, suspected].into_iter().find(|files| !files.is_empty()).unwrap_or_else(|| changed.clone())
    }

    /// The changes as text; `None` if nothing changed.
    fn try_reload(&mut self, changed: &BTreeSet<PathBuf>) -> Result<Option<Vec<String>>, LoadError> {
        let Candidate { room, change, scripts, gone } = self.candidate(changed).map_err(refused)?;
        let new = room.as_ref().map(|new| self.new_scripts(&new.room)).unwrap_or_default();
        let behaviours = self.behaviours(None, &RoomChange::default());
        let before = self.ask(|scripts| scripts.needed(&behaviours));
        let reloaded = self.lend().reload(&scripts, &new)?;
        let followed = self.behaviours(room.as_ref().map(|new| &new.room), &change);
        let needed = self.ask(|scripts| scripts.needed(&followed));
        let unneeded: BTreeSet<String> = before.difference(&needed).cloned().collect();
        let mut problems: Vec<Problem> = gone.difference(&unneeded).map(|name| gone_file(name)).collect();
        problems.extend(self.ask(|scripts| scripts.problems_of_behaviours(&followed)));
        if !problems.is_empty() {
            self.lend().roll_back(reloaded);
            return Err(refused(problems));
        }
        let (mut warnings, room_has_changed) = (Vec::new(), !change.is_empty());
        if let Some(NewRoom { room, ground, bytes, read_files, warnings: odd }) = room {
            let applied = self.world_mut().replace_room_over(room, &change, ground);
            if let Err(error) = applied {
                self.lend().roll_back(reloaded);
                let name = self.project.name_of(&self.room_file);
                return Err(refused(vec![Source::new(name, "").problem(0..0, error.to_string())]));
            }
            (self.room_bytes, self.read_files) = (bytes, read_files);
            warnings = odd;
        }
        let own_script = self.world().room().script.clone();
        let room_scripts: Vec<String> = own_script.into_iter().chain(self.extra_scripts.clone()).collect();
        let aftermath = self.lend().commit(reloaded, &room_scripts, unneeded, room_has_changed);
        let mut words = change.describe();
        words.extend(in_words(&aftermath, &scripts));
        words.extend(warnings.iter().map(|warning| warning.message.clone()));
        self.warn(&warnings);
        let nothing = change.is_empty() && aftermath == Aftermath::default();
        Ok((!nothing).then_some(words))
    }

    /// Reads and checks everything that changed.
    fn candidate(&mut self, changed: &BTreeSet<PathBuf>) -> Result<Candidate, Vec<Problem>> {
        let room = if self.touches_room(changed) {
            self.read_changed_room(|file| changed.contains(file))
        } else {
            Ok(None)
        };
        let (mut scripts, gone, outside) = self.changed_scripts(changed);
        let mut problems = outside;
        let room = room.unwrap_or_else(|more| {
            problems.splice(0..0, more);
            None
        });
        if !problems.is_empty() {
            problems.extend(self.lend().problems_in(&scripts));
            return Err(problems);
        }
        let new = room.as_ref().map(|new| self.new_scripts(&new.room)).unwrap_or_default();
        scripts.retain(|script| !new.contains(script));
        let change = room.as_ref().map(|new| difference(self.world().room(), &new.room)).unwrap_or_default();
        Ok(Candidate { room, change, scripts, gone })
    }

    /// Every script that the room or a character runs, once `room`, if there is a new one, is live with its `change`.
    fn behaviours(&self, room: Option<&Room>, change: &RoomChange) -> BTreeSet<String> {
        let world = self.world();
        let room = room.unwrap_or_else(|| world.room());
        let gone = change.characters.removed.iter();
        let other = change.characters.changed.iter();
        let other = other.filter(|changed| changed.fields.contains(&CharacterField::Script));
        let not_so: BTreeSet<&String> = gone.chain(other.map(|changed| &changed.name)).collect();
        let by_file = room.characters.iter().filter_map(|spec| spec.script.as_ref());
        let living = world.characters().iter().filter(|character| !not_so.contains(&character.name));
        let followed = living.filter_map(|character| character.behaviour.as_ref());
        let mut followed: Vec<&String> =
            by_file.chain(followed).chain(&room.script).chain(&self.extra_scripts).collect();
        followed.dedup(); // crowds share one script
        followed.into_iter().cloned().collect()
    }

    /// Whether the room's file changed, or another one that it is read from or lacks.
    pub(super) fn touches_room(&self, changed: &BTreeSet<PathBuf>) -> bool {
        let known = self.ask(Scripts::files);
        let lacking = self.wanted.iter().filter(|name| !known.contains(*name) && !is_script(name));
        let lacking = lacking.map(|name| self.place_of_script(name));
        lacking
            .chain(self.read_files.files().cloned())
            .chain([self.room_file.clone()])
            .any(|file| changed.contains(&file))
    }

    /// The room of a changed file; `None` if its bytes and those of the other files that may have changed are the
    /// running ones.
    pub(super) fn read_changed_room(
        &mut self,
        may_have_changed: impl Fn(&PathBuf) -> bool,
    ) -> Result<Option<NewRoom>, Vec<Problem>> {
        let ahead = self.ahead.take();
        let name = self.project.name_of(&self.room_file);
        let bytes = match self.project.read(&self.room_file, MAX_ROOM_BYTES) {
            Ok(bytes)
                if bytes == self.room_bytes
                    && self.read_files.changed(&self.project, &may_have_changed).next().is_none() =>
            {
                return Ok(None);
            }
            Ok(bytes) => bytes,
            Err(FileError::Missing) => return Err(vec![gone_file(&name)]),
            Err(error) => return Err(unreadable(&name, &error).problems),
        };
        let ahead = ahead.and_then(|ahead| ahead.of(&self.project, &bytes, may_have_changed));
        let inspected = ahead.unwrap_or_else(|| {
            let running = Some(self.world().ground());
            inspect(&self.project, &name, &bytes, self.cell_size_m, &self.floods, running)
        });
        let (mut room, ground, warnings) = match inspected.checked {
            Ok(checked) => {
                warn_of_strays(&checked);
                (checked.room, checked.ground, checked.warnings)
            }
            Err(error) => {
                // It may be refused only because of a script or another file that is saved next.
                let refused = inspected.refused.as_ref();
                let resized = refused.and_then(|refused| resized(self.world().room(), refused));
                let wanted = refused.map(|refused| self.new_scripts(refused));
                self.wanted.extend(wanted.into_iter().flatten());
                self.wanted.extend(inspected.read_files.files().map(|file| self.project.name_of(file)));
                // In an image of another size everything lies elsewhere: all other problems follow from that.
                return Err(resized.map_or(error.problems, |problem| vec![problem]));
            }
        };
        if room.ticks_per_second != self.world.room().ticks_per_second {
            let text = String::from_utf8_lossy(&bytes);
            let place = text.find("\"ticksPerSecond\"").unwrap_or(0);
            let problem = Source::new(name, text.as_ref())
                .problem(place..place, "the length of a step is set for a whole run");
            return Err(vec![problem.with_hint("start the room again to change ticksPerSecond")]);
        }
        if let Some(problem) = resized(self.world().room(), &room) {
            return Err(vec![problem]);
        }
        override_scripts(&mut room, &self.script_overrides); // characters with overrides may be gone
        Ok(Some(NewRoom { room, ground, bytes, read_files: inspected.read_files, warnings }))
    }

    /// The changed script files; those of them that are gone; and the problems with their paths.
    fn changed_scripts(
        &self,
        changed: &BTreeSet<PathBuf>,
    ) -> (BTreeSet<String>, BTreeSet<String>, Vec<Problem>) {
        let known = self.ask(Scripts::files);
        let hit = |name: &String| changed.contains(&self.place_of_script(name));
        let (mut scripts, mut gone, mut problems) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for name in known.into_iter().filter(hit) {
            match self.project.resolve(&name) {
                Ok(path) if self.project.has(&path) => drop(scripts.insert(name)),
                Ok(_) => drop(gone.insert(name)),
                Err(error) => problems.push(Source::new(&name, "").problem(0..0, error.to_string())),
            }
        }
        (scripts, gone, problems)
    }

    fn new_scripts(&self, room: &Room) -> BTreeSet<String> {
        let known = self.ask(Scripts::files);
        let named = room.characters.iter().filter_map(|spec| spec.script.clone()).chain(room.script.clone());
        named.filter(|script| !known.contains(script)).collect()
    }
}

fn is_script(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".lua")
}

/// A mask repainted in another size is most likely a mistake: everything would lie elsewhere.
fn resized(old: &Room, new: &Room) -> Option<Problem> {
    let (before, now) = (old.mask.as_ref()?, new.mask.as_ref()?);
    if before.file != now.file {
        return None;
    }
    let size = |room: &Room| room.grid.as_ref().map(|cells| (cells.width(), cells.depth()));
    let ((width, depth), (new_width, new_depth)) = (size(old)?, size(new)?);
    if (width, depth) == (new_width, new_depth) || before.pixels_per_metre != now.pixels_per_metre {
        return None;
    }
    let message = format!(
        "the image is {new_width} × {new_depth} pixels now, and the room runs with {width} × {depth}"
    );
    let hint = format!(
        "save it with {width} × {depth}; or change pixelsPerMetre along with it, or start the room again"
    );
    let problem = Source::new(&now.file, "").problem(0..0, message).with_hint(hint);
    Some(problem.without_line()) // an image has none
}

fn gone_file(name: &str) -> Problem {
    Source::new(name, "").problem(0..0, "the file is gone; what it said last goes on running")
}

fn refused(problems: Vec<Problem>) -> LoadError {
    LoadError { problems, suspects: BTreeSet::new(), wanted: BTreeSet::new() }
}

/// The changes of scripts as text, beside the `changed` files themselves.
fn in_words(aftermath: &Aftermath, changed: &BTreeSet<String>) -> Vec<String> {
    let mut words: Vec<String> =
        aftermath.loaded.difference(changed).map(|file| format!("also {file}")).collect();
    words.extend(aftermath.left_off.iter().map(|file| format!("no longer {file}")));
    if aftermath.restarted > 0 {
        words.push(format!("{} restarted", aftermath.restarted));
    }
    words
}
