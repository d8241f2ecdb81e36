//! Files that are in no folder of a disk: in memory, packed, or in the hands of an engine.

use super::FileError;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Component, Path};
use std::sync::Arc;

/// Where the files of a project come from, if not from a folder: memory, an archive, the assets of an engine. A function
/// from a name to the content will do, too.
pub trait Files: Send + Sync {
    /// The content of a file. Its name is the path from the project's root with `/` between the parts:
    /// `scripts/guard.lua`.
    ///
    /// # Errors
    /// [`FileError::Missing`] if there is no such file.
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError>;

    /// The names of all files, as far as they are known: for messages that suggest a name.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<F: Fn(&str) -> Result<Vec<u8>, FileError> + Send + Sync> Files for F {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        self(name)
    }
}

/// Files in memory.
///
/// ```
/// use cicerone::project::{MemoryFiles, Project};
/// use cicerone::runtime::{Options, Reload, Runtime};
///
/// let hall = r#"{ "areas": [{ "name": "hall", "polygon": [[0, 0], [8, 0], [8, 5], [0, 5]] }],
///     "characters": [{ "name": "ann", "at": [1, 1], "script": "scripts/ann.lua" }] }"#;
/// let files = MemoryFiles::default()
///     .with("rooms/hall.json", hall)
///     .with("scripts/ann.lua", "return { run = function(self, npc) npc:walk_to(6, 3) end }");
/// let mut room = Runtime::open_in(Project::of_files(files), "rooms/hall.json".as_ref(), Options::default())?;
/// let reload = room.replace_file("scripts/ann.lua", "return { run = function(self, npc) npc:say('Hello!') end }")?;
/// assert!(matches!(reload, Reload::Done { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryFiles(BTreeMap<String, Arc<[u8]>>);

impl MemoryFiles {
    /// The same files and this one.
    #[must_use]
    pub fn with(mut self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.0.insert(name.to_owned(), content.as_ref().into());
        self
    }
}

impl Files for MemoryFiles {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        self.0.get(name).map(|content| content.to_vec()).ok_or(FileError::Missing)
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// The files of a project, compared by identity.
#[derive(Clone)]
pub(super) struct Source(pub(super) Arc<dyn Files>);

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Source {}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Files")
    }
}

/// The name of a path that lies on no disk: its parts with `/` between them.
pub(super) fn name_of(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    parts.join("/")
}
