//! What scripts add to a tick: a runtime in which a handler of every character sets a target once a second, beside its
//! twin, in which the same commands come from outside. Both step in turn, and everybody is in the same place in the
//! end: so the difference is what Lua costs, and nothing else.

use crate::lua_rooms::{self, WALKER, open};
use crate::runner::{Entry, Options, Report, Table, mean, median, timed};
use cicerone::runtime::{Input, Options as RuntimeOptions, Runtime};
use cicerone::world::{Character, CharacterId, Command};
use glam::{DVec2, dvec2};

/// Where everybody goes round about, relative to where they began. Whole metres: Lua and Rust add them to the same
/// bits.
const ROUND: [(f64, f64); 4] = [(4.0, 4.0), (-4.0, 4.0), (-4.0, -4.0), (4.0, -4.0)];

/// Everybody begins in another tick of the first second. Half a tick less than whole ticks, because times are rounded
/// up.
const BEGINNING: &str = "
local Walker = {}
local round = { { 4, 4 }, { -4, 4 }, { -4, -4 }, { 4, -4 } }

local function go(self, npc)
  self.turn = self.turn % 4 + 1
  local off = round[self.turn]
  npc:set_target(self.x + off[1], self.z + off[2])
end

local function begin(self, npc)
  self.x, self.z, self.turn = npc.x, npc.z, 0
  local index = tonumber(npc.id:sub(2))
  return (index % 60 + 0.5) / 60
end
";

/// A timer's function.
const TIMER: &str = "
function Walker.on_spawn(self, npc)
  after(begin(self, npc), function()
    go(self, npc)
    every(1, function() go(self, npc) end)
  end)
end
return Walker
";

/// A sequence that waits.
const SEQUENCE: &str = "
function Walker.run(self, npc)
  wait(begin(self, npc))
  while true do
    go(self, npc)
    wait(1)
  end
end
return Walker
";

/// No handler at all: what it costs that somebody has a script.
const IDLE: &str = "return Walker";

pub fn run(options: &Options, report: &mut Report) {
    let headings = &[
        "handler",
        "characters",
        "with_ms/tick",
        "without_ms/tick",
        "more_ms/tick",
        "median_more_ms/tick",
        "targets/tick",
        "us/target",
        "open_ms",
    ];
    let mut table = Table::new("one tick with scripts and without (means)", headings);
    for (handler, code) in [("idle", IDLE), ("timer", TIMER), ("sequence", SEQUENCE)] {
        for characters in [1_000, 10_000] {
            table.row(measure(handler, code, characters, options.pick(60, 120)));
        }
    }
    report.table(&table);
    report.note("more: the difference; without: the same commands, given through the inbox");
    report.note("idle: a script without any handler, and nobody walks");
    report.note("open: reading the room, loading the script and building the ground");
}

fn measure(handler: &str, code: &str, characters: usize, ticks: usize) -> Vec<Entry> {
    // Two seconds until everybody is on their way and has been called off once.
    const WARM_UP_TICKS: usize = 120;
    let folder = tempfile::tempdir().unwrap();
    let script = format!("{BEGINNING}{code}");
    let files = [(WALKER, script.as_str())];
    let (open, mut scripted) =
        timed(|| open(&folder.path().join("with"), characters, &files, RuntimeOptions::default()));
    let mut twin =
        lua_rooms::open(&folder.path().join("without"), characters, &[], RuntimeOptions::default());
    let homes: Vec<(CharacterId, DVec2)> =
        twin.world().characters().iter().map(|character| (character.id, character.position.at)).collect();
    let (mut with_ms, mut without_ms, mut targets) = (Vec::new(), Vec::new(), 0);
    for tick in 0..WARM_UP_TICKS + ticks {
        let due = if code == IDLE { Vec::new() } else { commands(tick, &homes) };
        let sent = due.len();
        let mut step_scripted = || timed(|| scripted.step()).0.as_secs_f64() * 1e3;
        let step_twin = || {
            let step = || {
                due.into_iter().for_each(|command| twin.send(Input::Do(command)));
                twin.step();
            };
            timed(step).0.as_secs_f64() * 1e3
        };
        let (with, without) = if tick % 2 == 0 {
            let with = step_scripted();
            (with, step_twin())
        } else {
            let without = step_twin();
            (step_scripted(), without)
        };
        scripted.take_events();
        twin.take_events();
        if tick >= WARM_UP_TICKS {
            with_ms.push(with);
            without_ms.push(without);
            targets += sent;
        }
    }
    assert_eq!(scripted.tally().script_errors, 0);
    assert!(where_all_are(&scripted) == where_all_are(&twin), "{handler}: both do the same");
    let more: Vec<f64> = with_ms.iter().zip(&without_ms).map(|(with, without)| with - without).collect();
    let targets_a_tick = targets as f64 / ticks as f64;
    vec![
        handler.into(),
        characters.into(),
        Entry::Real(mean(&with_ms), 3),
        Entry::Real(mean(&without_ms), 3),
        Entry::Real(mean(&more), 3),
        Entry::Real(median(&more), 3),
        Entry::Real(targets_a_tick, 1),
        Entry::Real(if targets > 0 { mean(&more) * 1e3 / targets_a_tick } else { f64::NAN }, 2),
        Entry::Real(open.as_secs_f64() * 1e3, 0),
    ]
}

/// To the last bit. The checksum of a world would tell them apart: it knows what everybody follows.
fn where_all_are(runtime: &Runtime) -> Vec<(CharacterId, [u64; 3], bool)> {
    let world = runtime.world();
    let bits =
        |c: &Character| [c.position.at.x.to_bits(), c.position.at.y.to_bits(), c.heading_rad.to_bits()];
    world.characters().iter().map(|c| (c.id, bits(c), c.is_moving())).collect()
}

/// What the scripts do in this tick.
fn commands(tick: usize, homes: &[(CharacterId, DVec2)]) -> Vec<Command> {
    let due = |(index, &(who, home)): (usize, &(CharacterId, DVec2))| {
        let since = tick.checked_sub(index % 60 + 1)?;
        let (x, z) = ROUND[since / 60 % 4];
        (since % 60 == 0).then(|| Command::SetTarget { who, to: (home + dvec2(x, z)).into() })
    };
    homes.iter().enumerate().filter_map(due).collect()
}
