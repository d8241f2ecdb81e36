//! Paths to other files, as a room file writes them.

/// Why a path does not lead to a file in the project, and what to do.
pub(super) fn path_trouble(path: &str, what: &str) -> Option<(&'static str, &'static str)> {
    let relative = match what {
        "script" => "paths start at the project's folder: scripts/guard.lua",
        _ => "paths start at the project's folder: rooms/kitchen-mask.png",
    };
    let drive = path.as_bytes().get(1) == Some(&b':') && path.starts_with(|c: char| c.is_ascii_alphabetic());
    if path.trim().is_empty() {
        return Some(("is empty", "leave the key out if there is none"));
    }
    if path.chars().any(char::is_control) {
        return Some(("holds a control character", relative));
    }
    if path.starts_with(['/', '\\']) || drive {
        return Some(("is absolute", relative));
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
                None => return Some(("leaves the project", relative)),
            },
            _ => depth += 1,
        }
    }
    if depth == 0 {
        return Some(("names no file", relative));
    }
    let name = path.to_ascii_lowercase();
    match what {
        "mask" if !name.ends_with(".png") => {
            Some(("does not end in .png", "a mask is a PNG, whose colours are exact"))
        }
        "background" if ![".png", ".jpg", ".jpeg"].iter().any(|end| name.ends_with(end)) => {
            Some(("ends neither in .png nor in .jpg", "a background is a PNG or a JPEG"))
        }
        _ => None,
    }
}
