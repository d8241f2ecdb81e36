//! Which files are specs.

use crate::problem::{Problem, Source};
use crate::project::Project;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where specs are looked for if nobody says where, from the project's root.
pub const DEFAULT_FOLDERS: [&str; 2] = ["scripts", "tests/scenarios"];

/// What the name of a spec file ends with.
const END: &str = "_spec.lua";

/// The spec files among these files and folders, in order of path; of those folders that are usual, if none are given.
///
/// # Errors
/// A path that is not there, or a file that cannot be a spec.
pub fn find(project: &Project, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut found = BTreeSet::new();
    for path in paths {
        if path.is_dir() {
            gather(path, &mut found);
        } else if path.is_file() && path.extension().is_none_or(|end| end != "lua") {
            return Err(about(
                path,
                "this is no spec: a spec is a Lua file NAME_spec.lua with describe and it",
            ));
        } else if path.is_file() {
            found.insert(path.canonicalize().unwrap_or_else(|_| path.clone()));
        } else {
            return Err(about(path, "there is no such file or folder"));
        }
    }
    if paths.is_empty() {
        DEFAULT_FOLDERS.iter().for_each(|folder| gather(&project.root().join(folder), &mut found));
    }
    Ok(found.into_iter().collect())
}

/// A problem of a whole file.
fn about(path: &Path, words: &str) -> Problem {
    Problem { line: 0, ..Source::new(path.display().to_string(), "").problem(0..0, words) }
}

/// Folders below included; hidden ones, and links, are not followed.
fn gather(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            gather(&path, found);
        } else if name.ends_with(END) && path.is_file() {
            found.insert(path.canonicalize().unwrap_or(path));
        }
    }
}
