//! Finds spec files.

use crate::problem::{Problem, Source};
use crate::project::{FileError, FileWalk, Project, TooMany};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The default folders of specs, from the project's root.
pub const DEFAULT_FOLDERS: [&str; 2] = ["scripts", "tests/scenarios"];

/// The end of a spec file's name.
const END: &str = "_spec.lua";

/// The spec files among these files and folders, in order of path. Without any given, those of the default folders.
///
/// # Errors
/// A path that does not exist, or a file that cannot be a spec.
pub fn find(project: &Project, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let (mut found, mut walk) = (BTreeSet::new(), FileWalk::of(FileWalk::MOST));
    for path in paths {
        if path.is_dir() {
            gather(path, &mut walk, &mut found)?;
        } else if path.is_file() && path.extension().is_none_or(|end| end != "lua") {
            return Err(about(
                path,
                "this is no spec: a spec is a Lua file NAME_spec.lua with describe and it",
            ));
        } else if path.is_file() {
            found.insert(path.canonicalize().unwrap_or_else(|_| path.clone()));
        } else {
            let words = match FileError::at(path) {
                Some(FileError::Missing) | None => "there is no such file or folder".to_owned(),
                Some(why) => why.to_string(),
            };
            return Err(about(path, &words));
        }
    }
    if paths.is_empty() {
        for folder in DEFAULT_FOLDERS {
            gather(&project.root().join(folder), &mut walk, &mut found)?;
        }
    }
    // Default folders may be missing.
    let unread = walk.unreadable.iter().find(|(_, why)| *why != FileError::Missing);
    if let Some((folder, why)) = unread {
        return Err(about(folder, &why.to_string()));
    }
    Ok(found.into_iter().collect())
}

/// A problem of a whole file, without a line.
fn about(path: &Path, words: &str) -> Problem {
    Source::new(path.display().to_string(), "").problem(0..0, words).without_line()
}

/// Includes subfolders.
fn gather(folder: &Path, walk: &mut FileWalk, found: &mut BTreeSet<PathBuf>) -> Result<(), Problem> {
    let mut add = |path: PathBuf| {
        if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(END)) && path.is_file() {
            found.insert(path.canonicalize().unwrap_or(path));
        }
    };
    walk.files(folder, &|_| true, &mut add).map_err(|TooMany| {
        let words = format!("there are more than {} files and folders here", FileWalk::MOST);
        about(folder, &words).with_hint("name the folder of the specs")
    })
}
