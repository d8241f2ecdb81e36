//! Paths to other files, as a room file writes them.

/// Why a path is not one inside the project, and what to do.
pub(super) fn path_trouble(path: &str) -> Option<(&'static str, &'static str)> {
    const RELATIVE: &str = "paths start at the project's folder: scripts/guard.lua";
    let drive = path.as_bytes().get(1) == Some(&b':') && path.starts_with(|c: char| c.is_ascii_alphabetic());
    if path.trim().is_empty() {
        return Some(("is empty", "leave the key out if there is none"));
    }
    if path.chars().any(char::is_control) {
        return Some(("holds a control character", RELATIVE));
    }
    if path.starts_with(['/', '\\']) || drive {
        return Some(("is absolute", RELATIVE));
    }
    if path.contains('\\') {
        return Some(("holds a backslash", "write / between folders, on every system"));
    }
    let mut depth = 0_usize;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return Some(("leaves the project", RELATIVE)),
            },
            _ => depth += 1,
        }
    }
    (depth == 0).then_some(("names no file", RELATIVE))
}
