//! Functions of scripts that look like event handlers and are none.

use super::ENTRIES;
use crate::problem::did_you_mean;
use crate::script::api::entry::Object;
use mlua::{Table, Value};
use std::collections::BTreeMap;

/// A script function that looks like an event handler and is none.
pub(in crate::script) struct Misspelt {
    /// The line where it begins.
    pub(in crate::script) line: u32,
    /// Its name.
    pub(in crate::script) name: String,
    /// The problem, and the right name.
    pub(in crate::script) message: String,
}

/// The functions in a script's table that are never called because their names are not events. `roles` are
/// the roles of the script: for characters, for a room, or both if unknown.
pub(in crate::script) fn misspelt(script: &Table, roles: &[Object]) -> Vec<Misspelt> {
    let mut found = BTreeMap::new();
    for pair in script.pairs::<Value, Value>().filter_map(Result::ok) {
        if let (Value::String(name), Value::Function(function)) = pair {
            let name = name.to_string_lossy();
            if let Some(message) = slip(&name, roles) {
                let line = function.info().line_defined.unwrap_or(1) as u32;
                found.insert((line, name.clone()), Misspelt { line, name, message });
            }
        }
    }
    found.into_values().collect()
}

/// Whether a script's table has functions, and none that the host calls.
pub(in crate::script) fn has_none(script: &Table, role: Object) -> bool {
    let functions =
        script.pairs::<Value, Value>().filter_map(Result::ok).filter(|(_, value)| value.is_function());
    let names: Vec<String> = functions.filter_map(|(name, _)| name.to_string().ok()).collect();
    let called = |name: &String| ENTRIES.iter().any(|entry| entry.object == role && entry.name == *name);
    !names.is_empty() && script.metatable().is_none() && !names.iter().any(called)
}

/// The problem with a function's name, if it is meant for an event.
fn slip(name: &str, roles: &[Object]) -> Option<String> {
    let of = |role: Object| ENTRIES.iter().filter(move |entry| entry.object == role);
    if roles.iter().any(|&role| of(role).any(|entry| entry.name == name)) {
        return None;
    }
    let ours = || roles.iter().flat_map(|&role| of(role));
    // A helper may have any name, but hardly one that is an event elsewhere or begins like one.
    let like_event = name.starts_with("on") || name.starts_with(|c: char| c.is_uppercase() || c == '_');
    let elsewhere = ENTRIES.iter().find(|entry| entry.name == name && !roles.contains(&entry.object));
    if let Some(entry) = elsewhere {
        return Some(format!(
            "'{name}' is an event of {}, so it is never called here",
            entry.object.in_words()
        ));
    }
    let alias = ours().find(|entry| entry.also.contains(&name)).filter(|_| like_event);
    if let Some(entry) = alias {
        return Some(format!("'{name}' is no event and is never called; did you mean '{}'?", entry.name));
    }
    let near = did_you_mean(name, ours().map(|entry| entry.name)).filter(|_| like_event);
    // Scripts also call functions of their own that begin like events, such as `on_step`.
    near.map(|meant| format!("'{name}' is no event and is never called; did you mean '{meant}'?"))
}
