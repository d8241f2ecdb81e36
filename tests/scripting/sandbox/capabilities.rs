//! Everything a script can reach, as a list under version control: whatever a change adds or takes away is seen in its
//! difference. What characters and the room have is listed beside the code that gives it to them.

use crate::common::project::{HALL, Project, run};
use std::collections::BTreeSet;

/// Goes through `_G` and all that can be reached from it. A table is gone through once, under the first of its names.
const WALK: &str = r#"
local R = {}
function R.on_load()
  local names = {}
  local function walk(value, name)
    log.info(name, type(value), names[value] and '= ' .. names[value] or '')
    if type(value) ~= 'table' or names[value] then return end
    names[value] = name
    local keys = {}
    for key in pairs(value) do keys[#keys + 1] = key end
    table.sort(keys)
    for _, key in ipairs(keys) do
      walk(value[key], name == '_G' and key or name .. '.' .. tostring(key))
    end
    local meta = getmetatable(value)
    if meta then walk(meta, name .. ' metatable') end
  end
  walk(_G, '_G')
  for name, value in pairs{ string = '', room = room, character = room:npc('ann'), number = 1, truth = true, code = print,
    coroutine = coroutine.create(print) } do
    local meta = getmetatable(value)
    if meta then walk(meta, 'metatable of a ' .. name) end
  end
end
return R
"#;

#[test]
fn scripts_reach_what_is_listed_and_nothing_else() {
    let found: BTreeSet<String> = logged(WALK).iter().map(|line| line.trim_end().to_owned()).collect();
    assert!(found.contains("string.rep function"), "this test must see the functions: {found:?}");
    let found: String = found.into_iter().map(|line| line + "\n").collect();
    if std::env::var_os("CICERONE_RENEW").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripting/sandbox/capabilities.txt");
        std::fs::write(file, &found).unwrap();
        return;
    }
    let listed = include_str!("capabilities.txt").replace('\r', "");
    let differences: Vec<String> = difference(&listed, &found);
    assert!(
        differences.is_empty(),
        "scripts reach something else than tests/scripting/sandbox/capabilities.txt says:\n{}\nIf that is meant, renew the list \
         (CICERONE_RENEW=1 cargo test --test scripting sandbox) and commit it",
        differences.join("\n")
    );
}

/// What is not there, in no disguise: reading it is an error or gives nothing.
#[test]
fn what_is_unsafe_or_differs_from_run_to_run_is_not_there() {
    const GONE: &str = "load loadfile loadstring dofile collectgarbage warn package io os debug newproxy setfenv getfenv bit32 \
        string.dump string.pack string.unpack string.packsize table.create math.randomseed math.pow \
        coroutine.debug _G.load _G._LOADED _ENV.load";
    let reads = GONE.split_whitespace().map(|name| {
        format!("log.info('{name}', select(2, pcall(function() return {name} end)) or 'nothing')\n")
    });
    let lines =
        logged(&format!("local R = {{}}\nfunction R.on_load()\n{}end\nreturn R", reads.collect::<String>()));
    assert_eq!(lines.len(), GONE.split_whitespace().count());
    for line in lines {
        assert!(line.ends_with(" nothing") || line.contains("undefined variable '"), "{line}");
    }
}

fn logged(script: &str) -> Vec<String> {
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", script)]);
    run(&mut project.open(), 0.1)
}

/// Lines that only one of two texts has.
fn difference(listed: &str, found: &str) -> Vec<String> {
    let (listed, found): (BTreeSet<_>, BTreeSet<_>) = (listed.lines().collect(), found.lines().collect());
    let gone = listed.difference(&found).map(|line| format!("- {line}"));
    gone.chain(found.difference(&listed).map(|line| format!("+ {line}"))).collect()
}
