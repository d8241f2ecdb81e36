//! The names available to scripts.

use super::Known;
use crate::script::api::{Entry, Kind, Object, entries};

/// The names available to scripts: those of the API table and of the game with their descriptions, and Lua's own.
pub(in crate::script) fn known(of_game: &[&'static Entry]) -> Vec<Known> {
    // Names that only specs have are not available in the console.
    let here = |entry: &&Entry| !matches!(entry.object, Object::Spec | Object::Expectation);
    let all = entries().chain(of_game.iter().copied());
    let ours = all.filter(|entry| entry.kind() != Kind::Event).filter(here).map(|entry| Known {
        object: entry.object.spoken(),
        name: entry.name,
        is_field: matches!(entry.kind(), Kind::Field | Kind::Setting),
        signature: entry.signature(),
        summary: entry.summary(),
    });
    let plain = |object, name, is_field| Known {
        object,
        name,
        is_field,
        signature: String::new(),
        summary: String::new(),
    };
    let point = ["x", "z"].map(|name| plain("point", name, true));
    let libraries = LIBRARIES.iter().flat_map(|&(library, names)| {
        names.split_whitespace().map(move |name| plain(library, name, CONSTANTS.contains(&name)))
    });
    let hotspot = ["name", "id", "cursor", "walk_to"].map(|name| plain("hotspot", name, true));
    ours.chain(point).chain(hotspot).chain(libraries).collect()
}

/// The object type that a function returns, if its names are known, or a list of characters.
pub(super) fn given_by(callee: &str) -> Option<&'static str> {
    let called = entries().filter(|entry| matches!(entry.kind(), Kind::Function | Kind::Blocking));
    let returned = called.filter(|entry| entry.name == callee).find_map(|entry| entry.returns.first())?;
    match returned.lua_type.trim_end_matches('?') {
        "Npc" => Some("npc"),
        "Npc[]" => Some(LIST_OF_NPCS),
        "Area" => Some("area"),
        "Link" => Some("link"),
        "Waypath" => Some("waypath"),
        "Tactics" => Some("tactics"),
        "Point" => Some("point"),
        "Hotspot" => Some("hotspot"),
        _ => None,
    }
}

/// What a function's string arguments name; `None` if the function is unknown.
pub(super) fn taken_by(callee: &str) -> Option<Vec<&'static str>> {
    let of_lua = LIBRARIES.iter().any(|(_, names)| names.split_whitespace().any(|name| name == callee));
    let called = entries().filter(|entry| matches!(entry.kind(), Kind::Function | Kind::Blocking));
    let found: Vec<_> = called.filter(|entry| entry.name == callee).collect();
    let names = found.iter().flat_map(|entry| entry.params).map(|param| param.names);
    (of_lua || !found.is_empty()).then(|| names.filter(|names| !names.is_empty()).collect())
}

/// Not an object itself: each of its values is one.
pub(super) const LIST_OF_NPCS: &str = "npc[]";

/// Names that are read, not called.
const CONSTANTS: [&str; 7] = ["room", "huge", "pi", "maxinteger", "mininteger", "charpattern", "_"];

/// Lua's own libraries and the log; without a name, the globals that the API table lacks.
pub(crate) const LIBRARIES: [(&str, &str); 7] = [
    (
        "",
        "_G assert error getmetatable ipairs next pairs pcall rawequal rawget rawlen rawset room select setmetatable tonumber
         tostring type xpcall",
    ),
    ("coroutine", "close create isyieldable resume running status wrap yield"),
    ("log", ""),
    (
        "math",
        "abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi rad random sin sqrt
         tan tointeger type ult",
    ),
    ("string", "byte char find format gmatch gsub len lower match rep reverse sub upper"),
    ("table", "concat insert move pack remove sort unpack"),
    ("utf8", "char charpattern codepoint codes len offset"),
];
