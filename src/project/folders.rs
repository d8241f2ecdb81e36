//! Walks through a folder and its subfolders, with a limit and without following links to folders.

use super::FileError;
use std::path::{Path, PathBuf};

/// A walk through folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileWalk {
    /// Files and folders left until the limit.
    left: usize,
    /// Folders that cannot be read, each once, with the reason.
    pub unreadable: Vec<(PathBuf, FileError)>,
}

/// A walk met more files and folders than its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

impl std::fmt::Display for TooMany {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too many files and folders")
    }
}

impl std::error::Error for TooMany {}

impl FileWalk {
    /// The default limit of a walk: ten times the files of a large game's rooms and scripts, and walked in a second
    /// or two.
    pub const MOST: usize = 100_000;

    /// A walk with this limit of files and folders.
    pub fn of(most: usize) -> Self {
        Self { left: most, unreadable: Vec::new() }
    }

    /// Calls `each` with the files of a folder and its subfolders, in no particular order. Skips hidden files and
    /// folders; links to folders, which may be circular; and anything else that is neither file nor folder, since
    /// reading a pipe may block for ever. A dangling link counts as a file. `enters` selects the folders to walk
    /// through.
    ///
    /// # Errors
    /// [`TooMany`].
    pub fn files(
        &mut self,
        folder: &Path,
        enters: &dyn Fn(&Path) -> bool,
        each: &mut dyn FnMut(PathBuf),
    ) -> Result<(), TooMany> {
        let mut folders = vec![folder.to_path_buf()];
        while let Some(folder) = folders.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.unreadable.push((folder, FileError::from(error)));
                    continue;
                }
            };
            for entry in entries.flatten() {
                self.left = self.left.checked_sub(1).ok_or(TooMany)?;
                if entry.file_name().to_string_lossy().starts_with('.') {
                    continue;
                }
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && enters(&path) => folders.push(path),
                    Ok(kind) if kind.is_file() => each(path),
                    Ok(kind) if kind.is_symlink() && path.metadata().map_or(true, |to| to.is_file()) => {
                        each(path)
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walked(walk: &mut FileWalk, folder: &Path) -> Result<Vec<String>, TooMany> {
        let mut found = Vec::new();
        walk.files(folder, &|folder| !folder.ends_with("target"), &mut |file| {
            found.push(file.strip_prefix(folder).unwrap().to_string_lossy().into_owned());
        })?;
        found.sort();
        Ok(found)
    }

    #[test]
    fn a_walk_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a/b/one", "a/two", "target/three", ".git/four", "a/.five"] {
            std::fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            std::fs::write(at(name), "").unwrap();
        }
        assert_eq!(walked(&mut FileWalk::of(9), folder.path()), Ok(vec!["a/b/one".into(), "a/two".into()]));
        assert_eq!(walked(&mut FileWalk::of(6), folder.path()), Err(TooMany));
    }

    #[test]
    fn what_cannot_be_read_is_told_and_the_rest_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let mut walk = FileWalk::of(10);
        assert_eq!(walked(&mut walk, &folder.path().join("file")), Ok(Vec::new()));
        assert_eq!(walked(&mut walk, folder.path()), Ok(vec!["file".into()]));
        assert_eq!(walk.unreadable.len(), 1);
        assert!(matches!(walk.unreadable[0].1, FileError::Unreadable(_)), "{:?}", walk.unreadable);
    }

    #[cfg(unix)]
    #[test]
    fn links_in_circles_and_pipes_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("a")).unwrap();
        std::os::unix::fs::symlink("..", at("a/up")).unwrap();
        std::os::unix::fs::symlink("itself", at("a/itself")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("a/endless")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("a/pipe")).status().unwrap().success());
        assert_eq!(walked(&mut FileWalk::of(10), folder.path()), Ok(vec!["a/itself".into()]));
    }
}
