//! The files that a room is read from beside its own: images, level geometry, the buffers of a glTF file.

use crate::project::Project;
use crate::room::{Fingerprint, MAX_IMAGE_BYTES, ReadFileError};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Files that were read, each with the fingerprint of its content. `None` for a file that could not be read.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadFiles(BTreeMap<PathBuf, Option<Fingerprint>>);

impl ReadFiles {
    /// Reads a file of the project, and notes its content.
    pub(super) fn read(&mut self, project: &Project, name: &str) -> Result<Vec<u8>, ReadFileError> {
        let place = project.resolve(name).map_err(ReadFileError::of)?;
        let read = project.read(&place, MAX_IMAGE_BYTES);
        self.0.insert(place, read.as_ref().ok().map(|bytes| Fingerprint::of(bytes)));
        read.map_err(ReadFileError::of)
    }

    /// The names of the files in the project, each with its fingerprint.
    pub(super) fn prints(&self, project: &Project) -> BTreeMap<String, Option<u64>> {
        self.0.iter().map(|(place, print)| (project.name_of(place), print.map(|print| print.0))).collect()
    }

    /// The files, in order.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.0.keys()
    }

    /// The files among `of` whose content is not what was read. Only those are read again.
    pub(super) fn changed(
        &self,
        project: &Project,
        of: impl Fn(&PathBuf) -> bool,
    ) -> impl Iterator<Item = &PathBuf> {
        let differs = |place: &PathBuf, before: Option<Fingerprint>| {
            let now = project.read(place, MAX_IMAGE_BYTES).ok();
            now.map(|bytes| Fingerprint::of(&bytes)) != before
        };
        let changed = self.0.iter().filter(move |(place, before)| of(place) && differs(place, **before));
        changed.map(|(place, _)| place)
    }
}
