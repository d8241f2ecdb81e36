//! Several hoarders, each within its own limit: the memory of all is nearly full, and the game goes on in time.

use crate::attacks::watch::{Stopwatch, is_longer_than, resident_mib};
use crate::common::project::{HALL, Project};
use cicerone::runtime::{Options, Runtime};
use std::process::Command;
use std::time::Duration;

/// The promise, on a machine like the one it was measured on; see [`is_longer_than`].
const LONGEST: Duration = Duration::from_millis(50);

/// What the scripts of a room may hold together, by default.
const MEMORY_MIB: u64 = 128;

/// A room with healthy people and so many characters of a script.
fn room_of(hoarders: usize, script: &str) -> Project {
    let mut people = r#"{ "name": "abe", "at": [1, 3], "script": "scripts/healthy.lua" },"#.to_owned();
    for number in 0..hoarders {
        people += &format!(
            r#"{{ "name": "h{number}", "at": [{}, {}], "script": "scripts/hoard.lua" }},"#,
            1.0 + 0.02 * (number % 100) as f64,
            1.0 + 0.02 * (number / 100) as f64
        );
    }
    let hall = HALL.replace(r#"{ "name": "ann", "at": [2, 1] },"#, &people);
    Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/healthy.lua", include_str!("healthy.lua")),
        ("scripts/room.lua", include_str!("healthy_room.lua")),
        ("scripts/hoard.lua", script),
    ])
}

/// What the process may hold beside one and a half times the limit of scripts: the world, what the host knows of each sequence, and the test itself.
const SLACK_MIB: u64 = 96;

/// Runs a room in this process, which runs nothing else. The healthy character goes on, the memory stays within its bound,
/// and no step takes too long, or none in one of three runs.
fn goes_on(hoarders: usize, script: &str, ticks: usize, promised: Duration) {
    let before = resident_mib().unwrap_or(0);
    let run = || {
        let project = room_of(hoarders, script);
        let mut runtime: Runtime = project.open_with(Options::default());
        let (mut longest, mut stuck) = (Duration::ZERO, 0);
        let beats = |runtime: &Runtime| runtime.world().character_named("abe").unwrap().walk_speed_mps;
        for tick in 0..ticks {
            let (before_step, watch) = (beats(&runtime), Stopwatch::begin());
            runtime.step();
            longest = longest.max(watch.elapsed());
            runtime.take_events();
            stuck = if beats(&runtime) > before_step { 0 } else { stuck + 1 };
            assert!(tick < 3 || stuck < 20, "tick {tick}: a healthy script waits for its turn");
            let resident = resident_mib().unwrap_or(0);
            assert!(
                resident < before + MEMORY_MIB * 3 / 2 + SLACK_MIB,
                "tick {tick}: {before} MiB, and then {resident}"
            );
        }
        longest
    };
    let longest = (0..3).map(|_| run()).min().unwrap();
    println!("{longest:?}");
    assert!(!is_longer_than(promised, longest), "a step takes {longest:?}");
}

/// Each has a process of its own: what the memory of all is can only be seen from outside.
#[test]
fn hoarders_hold_up_neither_the_game_nor_the_machine() {
    for name in ["four_keep_short_texts", "two_hundred_keep_sequences", "eight_keep_and_let_go"] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &format!("attacks::hoards::{name}"), "--ignored", "--nocapture"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
#[ignore = "the test above runs this"]
fn four_keep_short_texts() {
    let script = "local H = {}\nfunction H.on_spawn(self) self.kept, self.n = {}, 0 end\nfunction H.on_update(self, npc)\n\
                  if self.n < 300000 then for i = 1, 20000 do self.n = self.n + 1 self.kept[self.n] = npc.id .. self.n end end\n\
                  end\nreturn H";
    goes_on(4, script, 200, LONGEST);
}

#[test]
#[ignore = "the test above runs this"]
fn two_hundred_keep_sequences() {
    let script = "local H = {}\nfunction H.on_update(self, npc)\nself.n = (self.n or 0)\n\
                  if self.n < 900 then for i = 1, 30 do self.n = self.n + 1 start(function() while true do wait(100) end end) end end\n\
                  end\nreturn H";
    // Lua looks through all coroutines at once at the end of a round: of so many, that takes a quarter of a second.
    goes_on(200, script, 120, 10 * LONGEST);
}

/// What one lets go is free for others.
#[test]
#[ignore = "the test above runs this"]
fn eight_keep_and_let_go() {
    let script = "local H = {}\nfunction H.on_update(self, npc)\nself.kept = self.kept or {}\n\
                  for i = 1, 40 do self.kept[#self.kept + 1] = ('x'):rep(20000) .. #self.kept end\n\
                  if #self.kept > 1500 then self.kept = nil end\nend\nreturn H";
    goes_on(8, script, 200, LONGEST);
}
