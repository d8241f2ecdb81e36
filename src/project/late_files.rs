//! Files that are loaded when they are asked for, by a host that loads in the background.

use super::{FileError, Files};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Files of a host that cannot read while it is asked: an engine's asset server, a browser. It notes which files a room
/// asks for. The host loads those, gives them, and opens the room again, until nothing is missing. Copies share the files.
///
/// ```
/// use cicerone::project::{LateFiles, Project};
/// use cicerone::runtime::{Options, Runtime};
///
/// let load = |name: &str| match name { // from your engine, as long as it takes
///     "rooms/hall.json" => Some(r#"{ "areas": [{ "name": "hall", "polygon": [[0, 0], [8, 0], [8, 5], [0, 5]] }],
///         "characters": [{ "name": "ann", "at": [1, 1], "script": "scripts/ann.lua" }] }"#),
///     "scripts/ann.lua" => Some("local words = require 'words'\nreturn {}"),
///     "scripts/words.lua" => Some("return { hello = 'Hello!' }"),
///     _ => None,
/// };
/// let files = LateFiles::default();
/// let room = loop {
///     let opened = Runtime::open_in(Project::of_files(files.clone()), "rooms/hall.json".as_ref(), Options::default());
///     let asked = files.take_asked();
///     if asked.is_empty() {
///         break opened?;
///     }
///     asked.iter().for_each(|name| files.give(name, load(name)));
/// };
/// assert!(room.script_errors().next().is_none());
/// # Ok::<(), cicerone::runtime::OpenError>(())
/// ```
///
/// What a running room asks for later comes in the same way: look at [`LateFiles::take_asked`] now and then, and hand the
/// file to `Runtime::replace_file`. The script that asked begins again.
#[derive(Debug, Clone, Default)]
pub struct LateFiles(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    /// `None`: the host says that there is no such file.
    files: BTreeMap<String, Option<Arc<[u8]>>>,
    asked: BTreeSet<String>,
}

impl LateFiles {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a file; `None` if there is none of this name. Not every file that is asked for must exist.
    pub fn give(&self, name: &str, content: Option<impl AsRef<[u8]>>) {
        let content = content.map(|content| content.as_ref().into()); // code of the host, so before the lock
        self.known().files.insert(name.to_owned(), content);
    }

    /// The names that were asked for since the last time, and that nothing was given for, in order.
    pub fn take_asked(&self) -> BTreeSet<String> {
        std::mem::take(&mut self.known().asked)
    }
}

impl Files for LateFiles {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        let mut known = self.known();
        match known.files.get(name) {
            Some(Some(content)) => return Ok(content.to_vec()),
            Some(None) => {}
            None => drop(known.asked.insert(name.to_owned())),
        }
        Err(FileError::Missing)
    }

    fn names(&self) -> Vec<String> {
        self.known()
            .files
            .iter()
            .filter(|(_, content)| content.is_some())
            .map(|(name, _)| name.clone())
            .collect()
    }
}
