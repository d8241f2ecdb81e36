//! Single arguments with errors that name the parameter. Nothing is converted silently: "yes" is no boolean, 3 is no name.

use crate::script::error::fail;
use mlua::{Lua, Value};

/// Longest string that is taken; the longest speech may have as much.
const MAX_TEXT_BYTES: usize = 10_000;

/// A string.
pub(super) fn text(lua: &Lua, value: &Value, what: &str) -> mlua::Result<String> {
    match value {
        Value::String(text) if text.as_bytes().len() > MAX_TEXT_BYTES => {
            Err(fail(lua, format!("{what}: expected a string of {MAX_TEXT_BYTES} bytes at most")))
        }
        Value::String(text) => Ok(text.to_string_lossy()),
        other => Err(wrong(lua, what, "a string", other)),
    }
}

/// A string, or nothing.
pub(super) fn optional_text(lua: &Lua, value: &Value, what: &str) -> mlua::Result<Option<String>> {
    if value.is_nil() { Ok(None) } else { text(lua, value, what).map(Some) }
}

/// True or false.
pub(super) fn flag(lua: &Lua, value: &Value, what: &str) -> mlua::Result<bool> {
    value.as_boolean().ok_or_else(|| wrong(lua, what, "true or false", value))
}

/// A number.
pub(super) fn real(lua: &Lua, value: &Value, what: &str) -> mlua::Result<f64> {
    number(value).ok_or_else(|| wrong(lua, what, "a number", value))
}

/// A whole number, written as 3 or 3.0.
pub(super) fn whole(lua: &Lua, value: &Value, what: &str) -> mlua::Result<i64> {
    match value {
        Value::Integer(number) => Ok(*number),
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => Ok(*number as i64),
        other => Err(wrong(lua, what, "a whole number", other)),
    }
}

/// What decides who gives way: a whole number from −1000 to 1000.
pub(super) fn priority(lua: &Lua, value: &Value, what: &str) -> mlua::Result<i32> {
    let number = whole(lua, value, what)?;
    let good = i32::try_from(number).ok().filter(|number| number.abs() <= 1000);
    good.ok_or_else(|| fail(lua, format!("{what}: expected a whole number from -1000 to 1000, not {number}")))
}

/// Longest list of strings that is taken.
const MAX_TEXTS: usize = 1000;

/// A list of strings, or nothing for an empty one.
pub(super) fn texts(lua: &Lua, value: &Value, what: &str) -> mlua::Result<Vec<String>> {
    match value {
        Value::Nil => Ok(Vec::new()),
        Value::Table(list) => {
            if list.raw_len() > MAX_TEXTS {
                return Err(fail(
                    lua,
                    format!("{what}: expected {MAX_TEXTS} strings at most, not {}", list.raw_len()),
                ));
            }
            list.sequence_values::<Value>().map(|entry| text(lua, &entry?, what)).collect()
        }
        other => Err(wrong(lua, what, "a list of strings like {\"a\", \"b\"}", other)),
    }
}

pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

fn wrong(lua: &Lua, what: &str, expected: &str, found: &Value) -> mlua::Error {
    let found = match found {
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        other => other.type_name().to_owned(),
    };
    fail(lua, format!("{what}: expected {expected}, not {found}"))
}
