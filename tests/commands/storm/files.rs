//! What is saved in the storm: versions of a room and its scripts, good ones and broken ones.

pub(crate) const ROOM: &str = "rooms/hall.json";
pub(crate) const FILES: [&str; 7] = [
    ROOM,
    "scripts/room.lua",
    "scripts/steps.lua",
    "scripts/words.lua",
    "scripts/walker_0.lua",
    "scripts/walker_1.lua",
    "scripts/walker_2.lua",
];
pub(crate) const PEOPLE: u64 = 20;

/// A hall with twenty people, one guest who comes and goes with the file, a crate that moves, and a door.
fn room(version: u64) -> String {
    let mut people: Vec<String> = (0..PEOPLE)
        .map(|i| {
            let (x, z) = (1 + i % 5 * 2, 1 + i / 5 * 2);
            let (script, speed) = (i % 3, 12 + (version + i) % 5);
            format!(
                r#"{{ "name": "c{i}", "at": [{x}, {z}], "script": "scripts/walker_{script}.lua", "walkSpeed": {}.{} }}"#,
                speed / 10,
                speed % 10
            )
        })
        .collect();
    if version.is_multiple_of(2) {
        people.push(r#"{ "name": "guest", "at": [11, 5], "script": "scripts/walker_0.lua" }"#.into());
    }
    let crate_x = 20 + version % 3;
    format!(
        r#"{{ "name": "hall {version}", "cellSize": 0.25, "agentRadius": 0.2, "objectPadding": 0.05,
  "areas": [
    {{ "name": "hall", "polygon": [[0, 0], [24, 0], [24, 14], [0, 14]] }},
    {{ "name": "den", "polygon": [[24, 2], [28, 2], [28, 6], [24, 6]], "available": {} }}
  ],
  "obstacles": [ {{ "name": "crate", "polygon": [[{crate_x}, 11], [{}, 11], [{}, 12], [{crate_x}, 12]] }} ],
  "characters": [ {} ],
  "script": "scripts/room.lua" }}"#,
        version % 4 < 2,
        crate_x + 1,
        crate_x + 1,
        people.join(",\n    ")
    )
}

/// The room script requires everything, so every script that goes live makes it say which versions run.
fn room_script(version: u64) -> String {
    format!(
        "local names = {{ 'steps', 'words', 'walker_0', 'walker_1', 'walker_2' }}
local R = {{ version = {version} }}
local used = {{}}
for _, name in ipairs(names) do used[name] = require(name) end
function R.on_reload()
  log.info('live', 'room', R.version)
  for _, name in ipairs(names) do log.info('live', name, used[name].version) end
end
return R"
    )
}

fn steps(version: u64) -> String {
    format!(
        "local S = {{ version = {version} }}
function S.next(self, npc) return 1 + (self.rounds * 7 + tonumber(npc.id:match('%d+') or 3)) % 17, 1 + self.rounds % 9 end
return S"
    )
}

/// Sets a timer while it loads, as modules may.
fn words(version: u64) -> String {
    format!(
        "local W = {{ version = {version}, beats = 0 }}
every(0.5, function() W.beats = W.beats + 1 end)
function W.pause() return 0.2 + W.version % 3 / 10 end
return W"
    )
}

/// Counts what must never go back or be doubled: rounds, beats of a timer, one-shots begun and finished.
fn walker(version: u64) -> String {
    format!(
        "local steps, words = require 'steps', require 'words'
local W = {{ version = {version} }}
function W.on_spawn(self, npc)
  self.rounds, self.beats, self.begun, self.finished = 0, 0, 0, 0
  every(1, function() self.beats = self.beats + 1 log.info('beat', npc.id, self.beats) end)
end
function W.on_walk_ended(self, npc)
  self.begun = self.begun + 1
  start(function() wait(0.2) self.finished = self.finished + 1 log.info('shots', npc.id, self.begun, self.finished) end)
end
function W.run(self, npc)
  while true do
    local x, z = steps.next(self, npc)
    npc:walk_to(x, z, {{ timeout = 20 }})
    self.rounds = self.rounds + 1
    log.info('rounds', npc.id, self.rounds)
    wait(words.pause())
  end
end
return W"
    )
}

pub(crate) fn good_text(file: &str, version: u64) -> String {
    match file {
        ROOM => room(version),
        "scripts/room.lua" => room_script(version),
        "scripts/steps.lua" => steps(version),
        "scripts/words.lua" => words(version),
        _ => walker(version),
    }
}

pub(crate) fn broken_text(file: &str, version: u64, dice: &mut Dice) -> String {
    let good = good_text(file, version);
    match (file, dice.below(3)) {
        (ROOM, 0) => good.replace("\"areas\"", "\"aereas\""),
        (ROOM, 1) => good.replace("[24, 0]", "[24, 0"),
        (ROOM, _) => good.replace("\"at\": [1, 1]", "\"at\": [100, 1]"),
        (_, 0) => good.replacen("local ", "locl ", 1),
        (_, 1) => {
            good.replacen("return", "error 'broken' return", 1).replace("\nreturn", "\nerror 'broken' return")
        }
        _ => format!("local _ = room.state.nothing.here\n{good}"),
    }
}

/// A small generator of its own: the same seed, the same storm, as far as threads allow.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (z ^ (z >> 27)) % n
    }
}
