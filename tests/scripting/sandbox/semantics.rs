//! What was written anew, guarded or wrapped stays Lua's: the same code runs in a room script and in a plain Lua
//! state, and both say the same. Every line of the files in `semantics/` is a case of its own: the body of a function
//! whose results count, or the error it ends with. `different.txt` lists, with the reason, what is not the same on
//! purpose.

use crate::common::project::{HALL, Project};
use cicerone::room::ScriptLimits;
use cicerone::runtime::{Options, RuntimeEvent};
use cicerone::script::Note;
use mlua::{Lua, Variadic};
use std::cell::RefCell;
use std::rc::Rc;

/// Tells a case's results apart to the last bit. Uses nothing that could differ: no `pairs`, no sorting, no formats.
const SHOW: &str = include_str!("semantics/show.lua");

const FILES: [(&str, &str); 6] = [
    ("patterns", include_str!("semantics/patterns.txt")),
    ("tables", include_str!("semantics/tables.txt")),
    ("strings", include_str!("semantics/strings.txt")),
    ("control", include_str!("semantics/control.txt")),
    ("coroutines", include_str!("semantics/coroutines.txt")),
    ("math", include_str!("semantics/math.txt")),
];

#[test]
fn what_scripts_call_does_what_lua_does() {
    let mut differences = Vec::new();
    for (file, text) in FILES {
        let cases: Vec<&str> = cases(text).collect();
        let (ours, lua) = both(&cases);
        assert!(cases.len() >= 20, "{file}: this test must see the cases");
        for ((case, ours), lua) in cases.iter().zip(&ours).zip(&lua) {
            if ours != lua {
                differences.push(format!("{file}: {case}\n   ours {ours}\n   Lua  {lua}"));
            }
        }
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

/// Each is a case, a reason and what ours says. A case that is no difference any more does not belong there.
#[test]
fn what_differs_differs_for_a_reason() {
    let text = include_str!("semantics/different.txt");
    let blocks: Vec<Vec<&str>> = text
        .split("\n\n")
        .map(|block| cases(block).collect())
        .filter(|block: &Vec<_>| !block.is_empty())
        .collect();
    let cases: Vec<&str> = blocks.iter().map(|block| block[0]).collect();
    let (ours, lua) = both(&cases);
    let mut wrong = String::new();
    for ((block, ours), lua) in blocks.iter().zip(&ours).zip(&lua) {
        let [case, expected] = block[..] else { panic!("a case and what ours says, not {block:?}") };
        if ours != expected || ours == lua {
            wrong += &format!("{case}\n   expected {expected}\n   ours {ours}\n   Lua  {lua}\n");
        }
    }
    assert!(wrong.is_empty(), "told otherwise, or no difference any more:\n{wrong}");
}

/// Every function with every pattern, subject and place to begin.
#[test]
fn every_pattern_finds_the_same_everywhere() {
    let product = include_str!("semantics/product.lua");
    let (ours, lua) = (run_ours(product), run_plain(product));
    assert!(ours.len() > 3000, "this test must see the product: {}", ours.len());
    assert_eq!(ours.len(), lua.len());
    for (ours, lua) in ours.iter().zip(&lua) {
        assert_eq!(ours, lua);
    }
}

/// Lines that are neither empty nor a comment.
fn cases(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--"))
}

/// What both say to each case.
fn both(cases: &[&str]) -> (Vec<String>, Vec<String>) {
    let wrap = |case: &&str| {
        let begins_a_statement = ["local ", "for ", "do ", "if ", "while ", "return ", "error(", "goto "];
        let is_statement = begins_a_statement.iter().any(|word| case.starts_with(word));
        format!("case(function() {}{case} end)\n", if is_statement { "" } else { "return " })
    };
    let script: String = cases.iter().map(wrap).collect();
    let (ours, lua) = (run_ours(&script), run_plain(&script));
    assert_eq!((ours.len(), lua.len()), (cases.len(), cases.len()), "{:?}", ours.last());
    (ours, lua)
}

fn whole(script: &str) -> String {
    format!("{SHOW}\nlocal R = {{}}\nfunction R.on_load()\n{script}\nend\nreturn R")
}

/// As a room script, without limits.
fn run_ours(script: &str) -> Vec<String> {
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", &whole(script))]);
    let mut runtime = project.open_with(Options::default().with_limits(ScriptLimits::UNLIMITED));
    runtime.step();
    let said = runtime.take_events().into_iter().filter_map(|event| match event {
        RuntimeEvent::Note(Note::Log { text, .. }) => Some(text),
        RuntimeEvent::Note(Note::Error(error)) => panic!("{error}"),
        _ => None,
    });
    said.collect()
}

/// In a Lua that nobody touched, under the same name, so that errors have the same words.
fn run_plain(script: &str) -> Vec<String> {
    let lua = Lua::new();
    let said: Rc<RefCell<Vec<String>>> = Rc::default();
    let log = lua.create_table().unwrap();
    let hear = {
        let said = said.clone();
        lua.create_function(move |_, words: Variadic<mlua::LuaString>| {
            let words: Vec<String> = words.iter().map(mlua::LuaString::to_string_lossy).collect();
            said.borrow_mut().push(words.join(" "));
            Ok(())
        })
    };
    log.set("info", hear.unwrap()).unwrap();
    lua.globals().set("log", log).unwrap();
    let behaviour: mlua::Table = lua.load(whole(script)).set_name("@scripts/room.lua").eval().unwrap();
    behaviour.get::<mlua::Function>("on_load").unwrap().call::<()>(()).unwrap();
    said.take()
}
