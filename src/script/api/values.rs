//! Lua values in words, for errors.

use super::handle::Npc;
use crate::script::host::Host;
use mlua::Value;

pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// Maximum length of a script's own text in an error about it.
pub(super) const MOST_SHOWN: usize = 40;

/// A value in words, for errors about it.
pub(super) fn describe(host: &Host, value: &Value) -> String {
    match value {
        Value::Nil => "nil (is the name misspelt, or the variable not set?)".into(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => {
            let text = text.to_string_lossy();
            let shown: String = text.chars().take(MOST_SHOWN).collect();
            format!("the string \"{shown}{}\"", if shown.len() < text.len() { "…" } else { "" })
        }
        Value::Table(_) => "a table".into(),
        Value::Function(_) => "a function".into(),
        Value::Thread(_) => "a coroutine".into(),
        Value::UserData(userdata) => match userdata.borrow::<Npc>() {
            Ok(npc) => format!("the character '{}'", host.world().name_of(npc.id)),
            Err(_) => "an object of the room".into(),
        },
        other => format!("a {}", other.type_name()),
    }
}
