//! The project of a room: where its files are, and that no path leads out of it.

mod atomic_write;
mod files;
mod folders;
mod late_files;
mod rooms;

pub use atomic_write::save_file;
pub use files::{Files, MemoryFiles};
pub use folders::{FileWalk, TooMany};
pub use late_files::LateFiles;
pub use rooms::{DefaultRoom, PROJECT_FILE, is_navmesh};

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A folder that holds `rooms/` or `scripts/`. Paths inside room files and scripts are relative to it and may not
/// leave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    root: PathBuf,
    /// Files outside the root that the user named explicitly, by the name that reports use.
    admitted: BTreeMap<String, PathBuf>,
    /// Content used instead of that on the disk, to try a change without writing it.
    replaced: BTreeMap<PathBuf, Arc<[u8]>>,
    /// Files that count as missing, whatever is on the disk.
    hidden: BTreeSet<PathBuf>,
    /// Where the files are, if not on the disk. The root is then an empty path.
    files: Option<files::Source>,
}

/// Why a file of the project cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// There is no such file.
    Missing,
    /// The path leads out of the project.
    Outside,
    /// It is not a regular file: a folder, a pipe, a device.
    NotAFile,
    /// It is larger than the limit, in bytes.
    TooLarge(u64),
    /// The message of the system.
    Unreadable(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("there is no such file"),
            Self::Outside => f.write_str("the path leads out of the project"),
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::TooLarge(limit) => write!(f, "the file is larger than {limit} bytes"),
            Self::Unreadable(why) => write!(f, "it cannot be read: {why}"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<std::io::Error> for FileError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::Missing,
            _ => Self::Unreadable(error.to_string()),
        }
    }
}

impl FileError {
    /// Why `place` is not a readable file, as far as that is known without reading it; `None` if it is one.
    pub fn at(place: &Path) -> Option<Self> {
        match std::fs::metadata(place) {
            Ok(metadata) => (!metadata.is_file()).then_some(Self::NotAFile),
            Err(error) => Some(error.into()),
        }
    }
}

/// Largest room file read: far above any hand-made room, small enough to parse in a moment.
pub const MAX_ROOM_BYTES: u64 = 64 << 20;

/// Largest script read.
pub const MAX_SCRIPT_BYTES: u64 = 1 << 20;

impl Project {
    /// The project with this root folder.
    pub fn at(root: &Path) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        Self { root, ..Self::on_no_disk(None) }
    }

    /// A project whose files are in no folder of the disk. Its rooms are opened by their names, with
    /// `Runtime::open_in`.
    pub fn of_files(files: impl Files + 'static) -> Self {
        Self::on_no_disk(Some(files::Source(Arc::new(files))))
    }

    fn on_no_disk(files: Option<files::Source>) -> Self {
        Self {
            root: PathBuf::new(),
            admitted: BTreeMap::new(),
            replaced: BTreeMap::new(),
            hidden: BTreeSet::new(),
            files,
        }
    }

    /// Whether the files are in a folder of the disk.
    pub fn is_on_disk(&self) -> bool {
        self.files.is_none()
    }

    /// The project that holds `file`: its nearest ancestor with a `rooms/` or `scripts/` folder, else the file's own
    /// folder.
    pub fn containing(file: &Path) -> Self {
        let file = file.canonicalize().unwrap_or_else(|_| std::path::absolute(file).unwrap_or(file.into()));
        let is_root = |folder: &&Path| folder.join("rooms").is_dir() || folder.join("scripts").is_dir();
        let root = file.ancestors().skip(1).find(is_root).or(file.parent());
        let root = root.unwrap_or(Path::new(".")).to_path_buf();
        Self { root, ..Self::on_no_disk(None) }
    }

    /// The project that a folder is in.
    pub fn around(folder: &Path) -> Self {
        Self::containing(&folder.join("any file"))
    }

    /// The root folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Admits a file outside the root, because the user named it. Returns its name: relative to the root inside the
    /// project, else its whole path.
    pub fn admit(&mut self, file: &Path) -> String {
        let place = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
        if place.starts_with(&self.root) {
            return self.name_of(&place);
        }
        let name = place.display().to_string();
        self.admitted.insert(name.clone(), place);
        name
    }

    /// The name of a file in reports: its path from the root with `/`, or the path as given if it lies elsewhere.
    pub fn name_of(&self, file: &Path) -> String {
        if !self.is_on_disk() {
            return files::name_of(file);
        }
        let absolute = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
        match absolute.strip_prefix(&self.root) {
            Ok(inside) => {
                inside.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
            }
            Err(_) => file.display().to_string(),
        }
    }

    /// The path of a file named relative to the root.
    ///
    /// # Errors
    /// [`FileError::Outside`] for absolute paths, paths with `..` that leave the root, and links that do.
    pub fn resolve(&self, relative: &str) -> Result<PathBuf, FileError> {
        if let Some(place) = self.admitted.get(relative) {
            return Ok(place.clone());
        }
        let mut depth = 0i32;
        for component in Path::new(relative).components() {
            depth += match component {
                Component::Normal(_) => 1,
                Component::ParentDir => -1,
                Component::CurDir => 0,
                Component::RootDir | Component::Prefix(_) => return Err(FileError::Outside),
            };
            if depth < 0 {
                return Err(FileError::Outside);
            }
        }
        let path = self.root.join(relative);
        if !self.is_on_disk() {
            return Ok(files::name_of(&path).into());
        }
        match path.canonicalize() {
            Ok(real) if !real.starts_with(&self.root) => Err(FileError::Outside),
            _ => Ok(path),
        }
    }

    /// Replaces the content of a file from now on, whatever is on the disk; `None` restores that of the disk.
    pub fn replace(&mut self, place: &Path, content: Option<&[u8]>) {
        self.hidden.remove(&self.real(place));
        match content {
            Some(content) => drop(self.replaced.insert(self.real(place), content.into())),
            None => drop(self.replaced.remove(&self.real(place))),
        }
    }

    /// The replaced files, each with the content that it would have otherwise; `None` if there is no such file.
    pub(crate) fn replacements(&self) -> impl Iterator<Item = (String, &[u8], Option<Vec<u8>>)> {
        self.replaced.iter().map(|(place, content)| {
            let original = match &self.files {
                Some(files) => files.0.read(&files::name_of(place)),
                None => read_file(place, u64::MAX - 1),
            };
            (self.name_of(place), &**content, original.ok())
        })
    }

    /// Lets a file count as missing from now on, whatever is on the disk.
    pub(crate) fn hide(&mut self, place: &Path) {
        let place = self.real(place);
        self.replaced.remove(&place);
        self.hidden.insert(place);
    }

    /// Whether files are other than on the disk: what is made of them is not to be written there.
    pub(crate) fn is_changed(&self) -> bool {
        !self.replaced.is_empty() || !self.hidden.is_empty()
    }

    fn is_hidden(&self, place: &Path) -> bool {
        !self.hidden.is_empty() && self.hidden.contains(&self.real(place))
    }

    /// Reads a file of at most `limit` bytes.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn read(&self, place: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
        if self.is_hidden(place) {
            return Err(FileError::Missing);
        }
        match self.replacement(place) {
            Some(content) if content.len() as u64 > limit => Err(FileError::TooLarge(limit)),
            Some(content) => Ok(content.to_vec()),
            None => match &self.files {
                Some(files) => {
                    let content = files.0.read(&files::name_of(place))?;
                    if content.len() as u64 > limit { Err(FileError::TooLarge(limit)) } else { Ok(content) }
                }
                None => read_file(place, limit),
            },
        }
    }

    /// Whether the file exists.
    pub fn has(&self, place: &Path) -> bool {
        match &self.files {
            _ if self.is_hidden(place) => false,
            _ if self.replacement(place).is_some() => true,
            Some(files) => files.0.read(&files::name_of(place)).is_ok(),
            None => place.is_file(),
        }
    }

    /// One path for a file, however it was reached.
    pub(crate) fn real(&self, place: &Path) -> PathBuf {
        match self.is_on_disk() {
            true => place.canonicalize().unwrap_or_else(|_| place.to_path_buf()),
            false => files::name_of(place).into(),
        }
    }

    /// The names of the files beside a file, in order: for suggestions.
    pub(crate) fn names_beside(&self, name: &str) -> Vec<String> {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut names: Vec<String> = match &self.files {
            Some(files) => {
                let all = files.0.names();
                let inside = |name: &String| {
                    let (of, file) = name.rsplit_once('/').unwrap_or(("", name));
                    (of == folder).then(|| file.to_owned())
                };
                all.iter().filter_map(inside).collect()
            }
            None => {
                let files = std::fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
                files.map(|file| file.file_name().to_string_lossy().into_owned()).collect()
            }
        };
        names.sort();
        names
    }

    fn replacement(&self, place: &Path) -> Option<&Arc<[u8]>> {
        if self.replaced.is_empty() { None } else { self.replaced.get(&self.real(place)) }
    }

    /// Reads a script named relative to the root. A byte order mark is dropped.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn read_script(&self, relative: &str) -> Result<String, FileError> {
        let bytes = self.read(&self.resolve(relative)?, MAX_SCRIPT_BYTES)?;
        let text = String::from_utf8(bytes).map_err(|_| FileError::Unreadable("it is not UTF-8".into()))?;
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }
}

/// Reads a regular file of at most `limit` bytes. Never waits on pipes or devices.
///
/// # Errors
/// [`FileError`].
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    if let Some(error) = FileError::at(path) {
        return Err(error);
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))?;
    if bytes.len() as u64 > limit {
        return Err(FileError::TooLarge(limit));
    }
    log::debug!("read {} ({} bytes)", path.display(), bytes.len());
    Ok(bytes)
}
