//! Atomic saves: a file is replaced whole or not at all.

use std::ffi::OsStr;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper limit on the attempts: a clean-up elsewhere may remove a temporary file still being written, where it cannot
/// see that its writer lives.
const TRIES: u32 = 5;
/// No save takes this long: an older temporary file was left by a killed one.
const LONGEST_SAVE: Duration = Duration::from_secs(3600);

/// Writes a temporary file beside the target, then renames it over the target. So a reader sees the old file or the
/// new one, even if the program is killed or the power fails. A target that is not a regular file (`/dev/stdout`) is
/// written directly. Temporary files that killed saves of this file left behind are removed.
///
/// # Errors
/// The system's; the old file is then unchanged.
pub fn save_file(file: &Path, content: &[u8]) -> std::io::Result<()> {
    // A link stays a link: its target is replaced.
    let file = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    let name = file.file_name().filter(|_| file.metadata().map_or(true, |metadata| metadata.is_file()));
    let Some(name) = name else { return std::fs::write(&file, content) };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    remove_leftovers(folder, name);
    let mut tries = 1;
    loop {
        let saved = save_once(folder, name, content);
        let taken_away = saved.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound);
        if !taken_away || tries == TRIES || !folder.is_dir() {
            return saved;
        }
        tries += 1;
    }
}

fn save_once(folder: &Path, name: &OsStr, content: &[u8]) -> std::io::Result<()> {
    let beside = name_beside(folder, name);
    // Only a new file: never an existing one, and never through a link.
    let created = std::fs::File::options().write(true).create_new(true).open(&beside);
    let written = created.and_then(|mut out| {
        out.write_all(content)?;
        out.sync_all()
    });
    let saved = written.and_then(|()| std::fs::rename(&beside, folder.join(name)));
    match saved {
        Ok(()) => sync_folder(folder),
        Err(_) => drop(std::fs::remove_file(&beside)),
    }
    saved
}

/// A unique temporary name: `.NAME.PROCESS-NUMBER.tmp`.
fn name_beside(folder: &Path, name: &OsStr) -> PathBuf {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    folder.join(format!(".{}.{}-{number}.tmp", name.to_string_lossy(), process::id()))
}

/// The new name is only safe once the folder is on the disk too. Where folders cannot be opened, this step is skipped.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}

fn remove_leftovers(folder: &Path, name: &OsStr) {
    let prefix = format!(".{}.", name.to_string_lossy());
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let leftover = entry.file_name();
        let leftover = leftover.to_string_lossy();
        let middle = leftover.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".tmp"));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if middle.is_some_and(|middle| is_file && !is_being_written(&entry, middle)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether the process that writes a temporary file may still be running.
fn is_being_written(entry: &std::fs::DirEntry, middle: &str) -> bool {
    let Some(writer) = middle.split_once('-').and_then(|(writer, _)| writer.parse::<u32>().ok()) else {
        return false;
    };
    let age =
        entry.metadata().and_then(|metadata| metadata.modified()).map(|at| at.elapsed().unwrap_or_default());
    let fresh = age.is_ok_and(|age| age < LONGEST_SAVE);
    // Without /proc, the age alone decides.
    let processes = Path::new("/proc");
    let gone = processes.join("self").exists() && !processes.join(writer.to_string()).exists();
    fresh && !gone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_save_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mine = format!(".a.txt.{}-99.tmp", process::id());
        for name in
            [".a.txt.4999999-0.tmp", ".a.txt.old.tmp", ".b.txt.4999999-0.tmp", "a.txt.tmp", mine.as_str()]
        {
            std::fs::write(at(name), "half").unwrap();
        }
        save_file(&at("a.txt"), b"whole").unwrap();
        assert_eq!(std::fs::read_to_string(at("a.txt")).unwrap(), "whole");
        let mut left = vec![mine.as_str(), ".b.txt.4999999-0.tmp", "a.txt", "a.txt.tmp"];
        left.sort_unstable();
        assert_eq!(names(folder.path()), left, "a save of this process may be under way");
    }

    #[test]
    fn two_savers_do_not_clash() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.txt");
        let content = |saver: usize| format!("{saver}").repeat(50_000);
        std::thread::scope(|scope| {
            for saver in 0..4 {
                let file = &file;
                scope
                    .spawn(move || (0..20).for_each(|_| save_file(file, content(saver).as_bytes()).unwrap()));
            }
            for _ in 0..200 {
                if let Ok(read) = std::fs::read_to_string(&file) {
                    assert!((0..4).any(|saver| read == content(saver)), "{} bytes", read.len());
                }
            }
        });
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a.txt"), folder.path().join("link.txt"));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("a.txt", &link).unwrap();
        save_file(&link, b"new").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
    }
}
