//! Reads and checks a changed room on another thread: decoding a mask of millions of pixels takes longer than a
//! frame.

use super::Runtime;
use super::open::{Inspected, inspect};
use crate::project::{MAX_ROOM_BYTES, Project};
use crate::room::{MAX_IMAGE_BYTES, files_named};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The task of reading a changed room. It shares nothing with the running room.
#[derive(Debug)]
pub struct ReadAhead {
    project: Project,
    name: String,
    room_file: PathBuf,
    cell_size_m: Option<f64>,
    /// Whether scripts have asked for colours of the mask, so that the new mask's colours are unpacked too.
    with_colours: bool,
}

/// A changed room that was read ahead, for [`Runtime::take_ahead`].
#[derive(Debug)]
pub struct RoomAhead {
    bytes: Vec<u8>,
    images: BTreeMap<PathBuf, Vec<u8>>,
    inspected: Inspected,
}

impl ReadAhead {
    /// Reads and checks the room as its files are now; `None` if its own file cannot be read.
    pub fn run(mut self) -> Option<RoomAhead> {
        let bytes = self.project.read(&self.room_file, MAX_ROOM_BYTES).ok()?;
        let mut images = BTreeMap::new();
        let named = files_named(&bytes);
        let places: Vec<PathBuf> = named.iter().filter_map(|name| self.project.resolve(name).ok()).collect();
        for place in places {
            if let Ok(image) = self.project.read(&place, MAX_IMAGE_BYTES) {
                // The bytes read here are those that are checked, even if the file changes meanwhile.
                self.project.replace(&place, Some(&image));
                images.insert(place, image);
            }
        }
        let inspected = inspect(&self.project, &self.name, &bytes, self.cell_size_m);
        if let Some(mask) = inspected.room().and_then(|room| room.mask.as_ref()).filter(|_| self.with_colours)
        {
            mask.colour_at(0, 0);
        }
        Some(RoomAhead { bytes, images, inspected })
    }
}

impl RoomAhead {
    /// The result, if the room's file still has these bytes and its images are unchanged too.
    pub(super) fn of(self, project: &Project, bytes: &[u8]) -> Option<Inspected> {
        let is_same = |place: &Path| {
            let now = project.read(place, MAX_IMAGE_BYTES).ok();
            now.as_ref() == self.images.get(place)
        };
        let named = files_named(bytes);
        let places = named.iter().filter_map(|name| project.resolve(name).ok());
        (self.bytes == bytes && places.into_iter().all(|place| is_same(&place))).then_some(self.inspected)
    }
}

impl Runtime {
    /// A task that can run on another thread before [`Runtime::reload`] of these files. `None` where it is not
    /// worthwhile: only rooms with images take long to read.
    pub fn read_ahead(&self, changed: &BTreeSet<PathBuf>) -> Option<ReadAhead> {
        if self.images().is_empty() || !self.touches_room(changed) {
            return None;
        }
        let with_colours = self.world().room().mask.as_ref().is_some_and(|mask| mask.colours.are_known());
        let (project, room_file) = (self.project.clone(), self.room_file.clone());
        let (name, cell_size_m) = (project.name_of(&room_file), self.cell_size_m);
        Some(ReadAhead { project, name, room_file, cell_size_m, with_colours })
    }

    /// Hands over a room that was read ahead. The next [`Runtime::reload`] uses it, unless the files have changed
    /// again.
    pub fn take_ahead(&mut self, ahead: RoomAhead) {
        self.ahead = Some(ahead);
    }
}
