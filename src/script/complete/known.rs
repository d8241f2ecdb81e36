//! The names that scripts are given.

use super::Known;
use crate::script::api;

/// What scripts are given.
pub(in crate::script) fn known() -> Vec<Known> {
    let plain = |object, names: &[&'static str], is_field: &dyn Fn(&str) -> bool| {
        let known = |&name: &&'static str| {
            let (signature, summary) = Default::default();
            Known { object, name, is_field: is_field(name), signature, summary }
        };
        names.iter().map(known).collect::<Vec<_>>()
    };
    let objects = [
        plain("npc", &api::NPC_NAMES, &|name| NPC_FIELDS.contains(&name)),
        plain("room", &api::ROOM_NAMES, &|name| ROOM_FIELDS.contains(&name)),
        plain("point", &["x", "z"], &|_| true),
    ];
    let libraries = LIBRARIES.iter().map(|&(library, names)| {
        let names: Vec<&'static str> = names.split_whitespace().collect();
        plain(library, &names, &|name| CONSTANTS.contains(&name))
    });
    objects.into_iter().chain(libraries).flatten().collect()
}

const NPC_FIELDS: [&str; 14] = [
    "id",
    "valid",
    "x",
    "z",
    "heading",
    "state",
    "player",
    "priority",
    "walk_speed",
    "rotation_speed",
    "collision_radius",
    "alive",
    "enabled",
    "saying",
];
const ROOM_FIELDS: [&str; 4] = ["name", "time", "tick", "state"];
const CONSTANTS: [&str; 8] = ["room", "_G", "huge", "pi", "maxinteger", "mininteger", "charpattern", "_"];

/// The libraries, and without a name what is there everywhere.
pub(super) const LIBRARIES: [(&str, &str); 7] = [
    (
        "",
        "after assert cancel error every find_path getmetatable ipairs is_walkable next on_arrived pairs pcall print random
         rawequal rawget rawlen rawset require room select set_area_available set_target setmetatable spawn start tonumber
         tostring type wait xpcall _G",
    ),
    ("coroutine", "close create isyieldable resume running status wrap yield"),
    ("log", "debug error info warn"),
    (
        "math",
        "abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi rad random sin sqrt
         tan tointeger type ult",
    ),
    ("string", "byte char find format gmatch gsub len lower match rep reverse sub upper"),
    ("table", "concat insert move pack remove sort unpack"),
    ("utf8", "char charpattern codepoint codes len offset"),
];
