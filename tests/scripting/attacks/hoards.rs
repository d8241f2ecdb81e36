//! Several hoarders, each within its own limit: the memory of all is nearly full, and the game goes on in time.

use crate::attacks::arena::Counted;
use crate::attacks::watch::{Stopwatch, is_longer_than, resident_mib};
use crate::common::project::{HALL, Project};
use cicerone::runtime::{Options, Runtime};
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

/// Runs a room; the healthy character goes on in every tick, and no step takes too long, or in one of three runs.
fn goes_on(hoarders: usize, script: &str, ticks: usize) {
    let run = || {
        let project = room_of(hoarders, script);
        let mut runtime: Runtime = project.open_with(Options::default());
        let (mut slow, mut stuck) = (0, 0);
        let _counted = Counted::new();
        let beats = |runtime: &Runtime| runtime.world().character_named("abe").unwrap().walk_speed_mps;
        for tick in 0..ticks {
            let (before, watch) = (beats(&runtime), Stopwatch::begin());
            runtime.step();
            slow += usize::from(is_longer_than(LONGEST, watch.elapsed()));
            runtime.take_events();
            let takes_turns = runtime.crowded_ticks().1;
            assert!(
                tick < 3 || takes_turns || beats(&runtime) > before,
                "tick {tick}: a healthy script is stuck"
            );
            stuck = if beats(&runtime) > before { 0 } else { stuck + 1 };
            assert!(stuck < 20, "tick {tick}: a healthy script waits for its turn");
        }
        slow
    };
    let slow = (0..3).map(|_| run()).min().unwrap();
    assert_eq!(slow, 0, "steps of more than {LONGEST:?}");
}

#[test]
fn four_keep_short_texts_up_to_their_limits() {
    let script = "local H = {}\nfunction H.on_spawn(self) self.kept, self.n = {}, 0 end\nfunction H.on_update(self, npc)\n\
                  if self.n < 300000 then for i = 1, 20000 do self.n = self.n + 1 self.kept[self.n] = npc.id .. self.n end end\n\
                  end\nreturn H";
    goes_on(4, script, 200);
}

#[test]
fn two_hundred_keep_hundreds_of_sequences() {
    let script = "local H = {}\nfunction H.on_update(self, npc)\nself.n = (self.n or 0)\n\
                  if self.n < 900 then for i = 1, 30 do self.n = self.n + 1 start(function() while true do wait(100) end end) end end\n\
                  end\nreturn H";
    goes_on(200, script, 120);
}

/// What one keeps and lets go is not kept by the process.
#[test]
fn the_process_stays_near_the_limit() {
    let script = "local H = {}\nfunction H.on_update(self, npc)\nself.kept = self.kept or {}\n\
                  for i = 1, 40 do self.kept[#self.kept + 1] = ('x'):rep(20000) .. #self.kept end\n\
                  if #self.kept > 1500 then self.kept = nil end\nend\nreturn H";
    let before = resident_mib();
    goes_on(8, script, 200);
    if let (Some(before), Some(now)) = (before, resident_mib()) {
        // Other tests run beside this one; each of their rooms may have as much.
        assert!(now < before + 4 * MEMORY_MIB, "{before} MiB and then {now}");
    }
}
