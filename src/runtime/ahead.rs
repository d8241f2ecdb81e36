//! Reads and checks a changed room on another thread: decoding a mask of millions of pixels, or building the polygons
//! of a mesh, takes longer than a frame.

use super::Runtime;
use super::level::Floods;
use super::open::{Inspected, inspect};
use crate::project::{MAX_ROOM_BYTES, Project};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The task of reading a changed room. It shares nothing with the running room but what is
/// remembered of the last build of its level.
#[derive(Debug)]
pub struct ReadAhead {
    project: Project,
    name: String,
    room_file: PathBuf,
    cell_size_m: Option<f64>,
    floods: Floods,
    /// Whether scripts have asked for colours of the mask, so that the new mask's colours are unpacked too.
    with_colours: bool,
}

/// A changed room that was read ahead, for [`Runtime::take_ahead`].
#[derive(Debug)]
pub struct RoomAhead {
    bytes: Vec<u8>,
    inspected: Inspected,
}

impl ReadAhead {
    /// Reads and checks the room as its files are now; `None` if its own file cannot be read.
    pub fn run(self) -> Option<RoomAhead> {
        let bytes = self.project.read(&self.room_file, MAX_ROOM_BYTES).ok()?;
        let inspected = inspect(&self.project, &self.name, &bytes, self.cell_size_m, &self.floods, None);
        if let Some(mask) = inspected.room().and_then(|room| room.mask.as_ref()).filter(|_| self.with_colours)
        {
            mask.colour_at(0, 0);
        }
        Some(RoomAhead { bytes, inspected })
    }
}

impl RoomAhead {
    /// The result, if the room's file still has these bytes, and its other files that may have changed are as they were
    /// read.
    pub(super) fn of(
        self,
        project: &Project,
        bytes: &[u8],
        may_have_changed: impl Fn(&PathBuf) -> bool,
    ) -> Option<Inspected> {
        let is_current = self.bytes == bytes
            && self.inspected.read_files.changed(project, may_have_changed).next().is_none();
        is_current.then_some(self.inspected)
    }
}

impl Runtime {
    /// A task that can run on another thread before [`Runtime::reload`] of these files. `None` where it is not
    /// worthwhile: only rooms with images, level geometry or a mesh take longer than a frame.
    pub fn read_ahead(&self, changed: &BTreeSet<PathBuf>) -> Option<ReadAhead> {
        let is_long = self.read_files.files().next().is_some() || self.world().ground().as_mesh().is_some();
        if !is_long || !self.touches_room(changed) {
            return None;
        }
        let with_colours = self.world().room().mask.as_ref().is_some_and(|mask| mask.colours.are_known());
        let (project, room_file) = (self.project.clone(), self.room_file.clone());
        let (name, cell_size_m) = (project.name_of(&room_file), self.cell_size_m);
        let floods = self.floods.clone();
        Some(ReadAhead { project, name, room_file, cell_size_m, floods, with_colours })
    }

    /// Hands over a room that was read ahead. The next [`Runtime::reload`] uses it, unless the files have changed
    /// again.
    pub fn take_ahead(&mut self, ahead: RoomAhead) {
        self.ahead = Some(ahead);
    }
}
