//! The files of a room as one asset, and their loader.

use crate::discover::{clean, needed_by_room, needed_by_scripts};
use bevy_asset::io::{AssetReaderError, Reader};
use bevy_asset::{Asset, AssetLoader, AssetPath, LoadContext, ReadAssetBytesError};
use bevy_reflect::TypePath;
use cicerone::project::{FileError, Files};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A room and the files it needs: scripts, images, level geometry. Loaded from the path of the room file, or put
/// together by the game. Names are relative to the root of the project: `scripts/guard.lua`.
///
/// One asset holds all files, so that files saved together take effect together.
#[derive(Asset, TypePath, Debug, Clone, PartialEq, Eq)]
pub struct RoomFiles {
    room: String,
    files: BTreeMap<String, Arc<[u8]>>,
}

impl RoomFiles {
    /// A room file without any other files: `RoomFiles::new("rooms/hall.json", text)`.
    pub fn new(room: impl Into<String>, content: impl AsRef<[u8]>) -> Self {
        let room = room.into();
        let room = clean(&room).unwrap_or(room);
        Self { files: [(room.clone(), content.as_ref().into())].into(), room }
    }

    /// The same files and this one.
    #[must_use]
    pub fn with(mut self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.set(name, content);
        self
    }

    /// Adds or replaces a file. Through `Assets::get_mut`, this changes running rooms.
    pub fn set(&mut self, name: &str, content: impl AsRef<[u8]>) {
        let name = clean(name).unwrap_or_else(|| name.to_owned());
        self.files.insert(name, content.as_ref().into());
    }

    /// The name of the room file.
    pub fn room(&self) -> &str {
        &self.room
    }

    /// The content of a file.
    pub fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(|content| &**content)
    }

    /// The files by name, in order.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, content)| (name.as_str(), &**content))
    }

    /// The files whose content differs from that of an older version. Files that are gone are none of them.
    pub(crate) fn changed_since(&self, older: &Self) -> BTreeMap<String, Arc<[u8]>> {
        let is_new = |(name, content): &(&String, &Arc<[u8]>)| older.files.get(*name) != Some(*content);
        self.files.iter().filter(is_new).map(|(name, content)| (name.clone(), content.clone())).collect()
    }

    /// Takes over files that a room has accepted.
    pub(crate) fn accept(&mut self, files: BTreeMap<String, Arc<[u8]>>) {
        self.files.extend(files);
    }
}

impl Files for RoomFiles {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        self.file(name).map(<[u8]>::to_vec).ok_or(FileError::Missing)
    }

    fn names(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }
}

/// Settings for the loading of a room, for `load_with_settings` or a `.meta` file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RoomSettings {
    /// The root folder of the project, as an asset path. `None`: the folder that holds the `rooms` folder, else the
    /// folder of the room file.
    pub root: Option<String>,
    /// Files to load beside those that the room is seen to need, relative to the root: scripts whose names are
    /// computed, and those of [`Options::scripts`](cicerone::runtime::Options::scripts).
    pub also: Vec<String>,
}

/// Why a room file cannot be loaded. A room that can be read but is invalid loads, and is reported when it opens.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    Unreadable(std::io::Error),
    /// The path of the room is not in the root folder of the settings.
    Outside(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "the room cannot be read: {error}"),
            Self::Outside(root) => write!(f, "the room is not in the root folder '{root}'"),
        }
    }
}

impl std::error::Error for LoadError {}

/// Loads [`RoomFiles`] from the path of a room file. Every file read is a dependency: when the asset server notices a
/// change in one, it loads the room again.
#[derive(TypePath, Debug, Default)]
pub struct RoomLoader;

impl AssetLoader for RoomLoader {
    type Asset = RoomFiles;
    type Settings = RoomSettings;
    type Error = LoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &RoomSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<RoomFiles, LoadError> {
        let mut content = Vec::new();
        reader.read_to_end(&mut content).await.map_err(LoadError::Unreadable)?;
        let path = context.path().clone();
        let (root, room) = split(path.path(), settings)?;
        let mut needs =
            Needs { files: RoomFiles::new(room.clone(), content), asked: [room].into(), root, path };
        needs.read(context, settings.also.iter().filter_map(|name| clean(name)).collect()).await;
        // First the files that the room is read from; only with them is it known which scripts it names.
        while needs.read(context, needed_by_room(&needs.files)).await {}
        while needs.read(context, needed_by_scripts(&needs.files)).await {}
        Ok(needs.files)
    }
}

/// The files of a room so far.
struct Needs {
    files: RoomFiles,
    /// Every name tried, there or not.
    asked: BTreeSet<String>,
    root: PathBuf,
    path: AssetPath<'static>,
}

impl Needs {
    /// Reads those of these files that have not been tried; whether there were any.
    async fn read(&mut self, context: &mut LoadContext<'_>, names: BTreeSet<String>) -> bool {
        let mut any = false;
        for name in names {
            if !self.asked.insert(name.clone()) {
                continue;
            }
            any = true;
            let place = AssetPath::from(self.root.join(&name)).with_source(self.path.source().clone_owned());
            match context.read_asset_bytes(place).await {
                Ok(content) => self.files.set(&name, content),
                // The room or the script that names it says so, with its line.
                Err(ReadAssetBytesError::AssetReaderError(AssetReaderError::NotFound(_))) => {}
                Err(error) => log::warn!("{}: {name} cannot be read: {error}", self.path),
            }
        }
        any
    }
}

/// The root of the project, and the name of the room in it.
fn split(path: &Path, settings: &RoomSettings) -> Result<(PathBuf, String), LoadError> {
    let root = match &settings.root {
        Some(root) => PathBuf::from(root),
        None => {
            let is_rooms = |folder: &&Path| folder.file_name().is_some_and(|name| name == "rooms");
            let rooms = path.ancestors().skip(1).find(is_rooms).and_then(Path::parent);
            rooms.or(path.parent()).unwrap_or(Path::new("")).to_path_buf()
        }
    };
    let outside = || LoadError::Outside(root.display().to_string());
    let name = path.strip_prefix(&root).map_err(|_| outside())?;
    let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    let name = parts.join("/");
    Ok((root, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_the_folder_around_rooms() {
        let split_of = |path: &str| split(Path::new(path), &RoomSettings::default()).unwrap();
        assert_eq!(split_of("rooms/hall.json"), ("".into(), "rooms/hall.json".into()));
        assert_eq!(split_of("inn/rooms/up/hall.json"), ("inn".into(), "rooms/up/hall.json".into()));
        assert_eq!(split_of("inn/hall.json"), ("inn".into(), "hall.json".into()));
        let settings = RoomSettings { root: Some("inn".into()), ..RoomSettings::default() };
        let found = split(Path::new("inn/deep/hall.json"), &settings).unwrap();
        assert_eq!(found, ("inn".into(), "deep/hall.json".into()));
        assert!(matches!(split(Path::new("yard.json"), &settings), Err(LoadError::Outside(_))));
    }
}
