//! Rooms full of people with scripts, each in a folder of its own.

use crate::crowd_rooms::room;
use crate::runner::timed;
use cicerone::runtime::{Options, Runtime};
use std::path::Path;

/// What everybody follows, if it is among the files.
pub const WALKER: &str = "scripts/walker.lua";

/// What the room follows, if it is among the files.
pub const ROOM: &str = "scripts/room.lua";

/// A runtime on a folder with these files.
pub fn open(folder: &Path, characters: usize, files: &[(&str, &str)], mut options: Options) -> Runtime {
    for place in ["scripts", "rooms"] {
        std::fs::create_dir_all(folder.join(place)).unwrap();
    }
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let has = |wanted: &str| files.iter().any(|(name, _)| *name == wanted);
    if has(ROOM) {
        options.scripts.push(ROOM.to_owned());
    }
    let room = room(characters, false, has(WALKER).then_some(WALKER));
    let file = folder.join("rooms/crowd.json");
    std::fs::write(&file, room.to_json().unwrap().to_string()).unwrap();
    Runtime::open(&file, options).unwrap_or_else(|error| panic!("{error}"))
}

/// One tick, in nanoseconds.
pub fn step_ns(runtime: &mut Runtime) -> f64 {
    let took = timed(|| runtime.step()).0.as_secs_f64() * 1e9;
    runtime.take_events();
    took
}
