//! Which files a room needs, as far as that can be seen without running it.

use crate::files::RoomFiles;
use cicerone::room::parse_with;
use cicerone::script::GAME_API_FILE;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The files that a room is read from, and the scripts that it names. With files missing, perhaps not yet all.
pub(crate) fn needed_by_room(files: &RoomFiles) -> BTreeSet<String> {
    let asked = RefCell::new(BTreeSet::new());
    let read = |name: &str| {
        asked.borrow_mut().insert(name.to_owned());
        let content = clean(name).and_then(|name| files.file(&name));
        content.map(<[u8]>::to_vec).ok_or_else(|| "there is no such file".into())
    };
    let content = files.file(files.room()).unwrap_or_default();
    let parsed = parse_with(files.room(), content, None, &read);
    let mut names = asked.into_inner();
    if let Ok(parsed) = parsed {
        let room = parsed.room;
        names.extend(room.characters.into_iter().filter_map(|character| character.script));
        names.extend(room.script);
        // A mesh built before, which cicerone keeps beside its level.
        names.extend(room.level.map(|level| format!("{}.baked", level.file)));
        names.insert(GAME_API_FILE.to_owned());
    }
    names.iter().filter_map(|name| clean(name)).collect()
}

/// The scripts that scripts name: in `require`, and as text that ends in `.lua`, as `spawn` takes it.
pub(crate) fn needed_by_scripts(files: &RoomFiles) -> BTreeSet<String> {
    let scripts = files.files().filter(|(name, _)| name.ends_with(".lua"));
    let mut names = BTreeSet::new();
    for (_, content) in scripts {
        for line in String::from_utf8_lossy(content).lines() {
            named_in(line, &mut names);
        }
    }
    names
}

/// Names in a line that may be scripts. A name too many costs one look; a name in a comment is one.
fn named_in(line: &str, names: &mut BTreeSet<String>) {
    for (at, quote) in line.char_indices().filter(|(_, found)| matches!(found, '"' | '\'')) {
        let (before, rest) = (&line[..at], &line[at + 1..]);
        let Some(text) = rest.find(quote).and_then(|end| rest.get(..end)) else { continue };
        if before.trim_end_matches([' ', '(']).ends_with("require") {
            names.extend(module_paths(text).iter().filter_map(|path| clean(path)));
        } else if text.ends_with(".lua") {
            names.extend(clean(text));
        }
    }
}

/// The paths that `require` may mean: with dots or slashes, at the root or under `scripts/`.
fn module_paths(name: &str) -> [String; 2] {
    let path = match name {
        _ if name.ends_with(".lua") => name.to_owned(),
        _ if name.contains('/') => format!("{name}.lua"),
        _ => format!("{}.lua", name.replace('.', "/")),
    };
    [format!("scripts/{path}"), path]
}

/// A name without `.` and `..`; `None` if it leads out of the project or is no name.
pub(crate) fn clean(name: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    let is_name = !parts.is_empty() && !name.starts_with('/') && !name.contains([':', '\\', '\0']);
    is_name.then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(lines: &str) -> Vec<String> {
        let files = RoomFiles::new("rooms/hall.json", "{}").with("scripts/a.lua", lines);
        needed_by_scripts(&files).into_iter().collect()
    }

    #[test]
    fn scripts_name_modules_and_behaviours() {
        assert_eq!(names("local words = require(\"inn.words\")"), ["inn/words.lua", "scripts/inn/words.lua"]);
        assert_eq!(names("local w = require 'w' -- don't"), ["scripts/w.lua", "w.lua"]);
        assert_eq!(names("spawn { script = 'scripts/guest.lua', at = 'door' }"), ["scripts/guest.lua"]);
        assert_eq!(names("npc:say('Hello!') local x = \"unfinished"), [""; 0]);
        assert_eq!(names("require('../../etc/passwd')"), [""; 0]);
    }

    #[test]
    fn rooms_name_scripts_and_images() {
        let room = r#"{ "areas": [{ "name": "hall", "polygon": [[0, 0], [8, 0], [8, 5], [0, 5]] }],
            "script": "scripts/hall.lua",
            "characters": [{ "name": "ann", "at": [1, 1], "script": "scripts/ann.lua" }] }"#;
        let needed = needed_by_room(&RoomFiles::new("rooms/hall.json", room));
        assert!(needed.contains("scripts/hall.lua") && needed.contains("scripts/ann.lua"), "{needed:?}");
        let needed = needed_by_room(&RoomFiles::new("rooms/hall.json", "{ nonsense"));
        assert!(needed.is_empty());
    }

    #[test]
    fn names_stay_in_the_project() {
        assert_eq!(clean("./scripts//a.lua").as_deref(), Some("scripts/a.lua"));
        assert_eq!(clean("scripts/../rooms/a.json").as_deref(), Some("rooms/a.json"));
        for bad in ["../a", "/a", "", "C:/a", "a/../..", "http://a"] {
            assert_eq!(clean(bad), None, "{bad}");
        }
    }
}
