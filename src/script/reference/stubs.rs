//! Definitions for editors.

use super::{CHAPTERS, REASONS, class_of, lua_name};
use crate::script::api::{Entry, Kind, Object, Param, REST, TableShape, entries, shapes};
use std::fmt::Write;

/// Definitions for the Lua language servers of editors (LuaCATS).
pub fn stubs() -> String {
    let mut text = String::from(
        "---@meta\n\n\
         -- What scripts can call, for the Lua language server of your editor. Made by `cicerone api --format stubs`.\n\n",
    );
    text += "---How a walk, or another wait, ended.\n---@alias Reason\n";
    for (reason, about) in REASONS {
        let _ = writeln!(text, "---| \"{reason}\" # {about}");
    }
    text += "\n---A position: a table (`{x=, z=}`, with `y=` its height where storeys lie above each other), the name of a point, or a character or its name.\n---@alias Place Point|string|Npc\n\n";
    shapes().for_each(|shape| shape_stub(&mut text, shape));
    for (object, _, about) in CHAPTERS {
        match object {
            Object::Npc | Object::Room | Object::Area | Object::Link | Object::Waypath | Object::Tactics => {
                class_stub(&mut text, object, about);
            }
            Object::Behaviour | Object::RoomScript => events_stub(&mut text, object, about),
            Object::Log => {
                let _ = writeln!(text, "---{about}\nlog = {{}}\n");
            }
            Object::Expectation => {
                let _ = writeln!(text, "---{about}\n---@class Expectation\nlocal Expectation = {{}}\n");
            }
            Object::Spec => text += CALLABLE,
            Object::Global | Object::Thing(_) => {}
        }
        let called = |entry: &&Entry| matches!(entry.kind(), Kind::Function | Kind::Blocking);
        for entry in entries().filter(|entry| entry.object == object).filter(called) {
            // Language servers know `require`, and what it loads.
            let known = entry.name == "require" || CALLABLE.contains(&format!("\n{} = {{}}\n", entry.name));
            if !known {
                function_stub(&mut text, entry, "");
            }
            if entry.can_be_negated() {
                function_stub(&mut text, entry, "not_");
            }
        }
    }
    text + "---The room: there in every script.\n---@type Room\nroom = {}\n"
}

fn shape_stub(text: &mut String, shape: &TableShape) {
    let _ = writeln!(text, "---{}\n---@class {}", shape.about, shape.name);
    for field in shape.fields {
        let (name, lua_type) = optional(field.name, field.lua_type);
        let _ = writeln!(text, "---@field {name} {lua_type} {}", field.about);
    }
    text.push('\n');
}

/// `name, type?` in LuaCATS form: `name?`, `type`.
fn optional(name: &str, lua_type: &str) -> (String, String) {
    match lua_type.strip_suffix('?') {
        Some(lua_type) => (format!("{name}?"), lua_type.to_owned()),
        None => (name.to_owned(), lua_type.to_owned()),
    }
}

fn class_stub(text: &mut String, object: Object, about: &str) {
    let class = class_of(object);
    let _ = writeln!(text, "---{about}\n---@class {class}");
    let fields = entries().filter(|entry| entry.object == object);
    for entry in fields.filter(|entry| matches!(entry.kind(), Kind::Field | Kind::Setting)) {
        let lua_type = entry.returns.first().map_or("any", |value| value.lua_type);
        let _ = writeln!(text, "---@field {} {lua_type} {}", entry.name, entry.summary());
    }
    let _ = writeln!(text, "local {class} = {{}}\n");
}

fn events_stub(text: &mut String, object: Object, about: &str) {
    let _ = writeln!(text, "---{about}\n---@class {}\n---@field [any] any", class_of(object));
    for entry in entries().filter(|entry| entry.object == object) {
        let param = |param: &Param| {
            let optional = if param.optional { "|nil" } else { "" };
            format!("{}: {}{optional}", param.name, param.lua_type)
        };
        let params: Vec<String> = entry.params.iter().map(param).collect();
        let gives = entry.returns.first().map(|value| format!(": {}", value.lua_type)).unwrap_or_default();
        let _ =
            writeln!(text, "---@field {}? fun({}){gives} {}", entry.name, params.join(", "), entry.summary());
    }
    text.push('\n');
}

/// Tables that can also be called.
const CALLABLE: &str = r#"---A block of tests that belong together.
---@class Describe
---@overload fun(name: string, block: fun())
---@field only fun(name: string, block: fun()) These tests run, and no others.
---@field skip fun(name: string, block: fun()) These tests are left out.

---@type Describe
describe = {}
fdescribe, xdescribe = describe.only, describe.skip

---A test. It runs in a Lua state and a room of its own, as a sequence: it can wait.
---@class It
---@overload fun(name: string, options: TestOptions|fun(), body?: fun())
---@field only fun(name: string, options: TestOptions|fun(), body?: fun()) This test runs, and no others.
---@field skip fun(name: string, options: TestOptions|fun(), body?: fun()) This test is left out.

---@type It
it = {}
fit, xit = it.only, it.skip

"#;

/// `prefix` goes before the name, for the negation of an expectation.
pub(super) fn function_stub(text: &mut String, entry: &Entry, prefix: &str) {
    let opposite = if prefix.is_empty() { "" } else { "The opposite of: " };
    for (index, line) in entry.about().lines().enumerate() {
        let _ = writeln!(text, "---{}{line}", if index == 0 { opposite } else { "" });
    }
    let names: Vec<&str> = entry.params.iter().map(lua_name).collect();
    for param in entry.params {
        let mark = if param.optional && param.name != REST { "?" } else { "" };
        let _ = writeln!(text, "---@param {}{mark} {} {}", lua_name(param), param.lua_type, param.about);
    }
    for value in entry.returns {
        let _ = writeln!(text, "---@return {} {} {}", value.lua_type, value.name, value.about);
    }
    if entry.name == "random" {
        let _ = writeln!(text, "---@overload fun(): number");
    }
    if entry.params.iter().any(is_place) {
        let _ = writeln!(text, "---@overload {}", with_numbers(entry));
    }
    let name = match entry.object {
        Object::Global | Object::Spec => entry.name.to_owned(),
        Object::Log => entry.spoken(),
        object => format!("{}:{prefix}{}", class_of(object), entry.name),
    };
    let _ = writeln!(text, "function {name}({}) end\n", names.join(", "));
}

/// The same function with `x, z` wherever it takes a place.
fn with_numbers(entry: &Entry) -> String {
    let mut params: Vec<String> = match entry.object {
        Object::Global | Object::Log | Object::Spec => Vec::new(),
        object => vec![format!("self: {}", class_of(object))],
    };
    for param in entry.params {
        let mark = if param.optional { "?" } else { "" };
        match (is_place(param), param.name) {
            (true, "place") => params.push("x: number, z: number".into()),
            (true, name) => params.push(format!("{name}_x: number, {name}_z: number")),
            (false, name) => params.push(format!("{name}{mark}: {}", param.lua_type)),
        }
    }
    let returns: Vec<&str> = entry.returns.iter().map(|value| value.lua_type).collect();
    let gives = if returns.is_empty() { String::new() } else { format!(": {}", returns.join(", ")) };
    format!("fun({}){gives}", params.join(", "))
}

fn is_place(param: &Param) -> bool {
    param.lua_type == "Place"
}
