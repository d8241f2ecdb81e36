//! The options with which a spec loads a room.

use super::args::Options;
use super::asking::{ask, running};
use super::entry::Call;
use super::shapes::{LOAD_OPTIONS, SPEC_LIMITS};
use super::values::describe;
use crate::room::ScriptLimits;
use crate::script::error::caller;
use crate::script::spec::Request;
use mlua::Value;

pub(super) fn load_room(call: &Call<'_>, room: String, options: Option<Value>) -> mlua::Result<bool> {
    let spec = running(call)?;
    if let Some((file, line)) = &*spec.loaded_at.borrow() {
        return Err(call.fail(format!("a test has one room, and {file}:{line} has loaded it already")));
    }
    let options = match options {
        Some(options) => Options::of(call, options, &LOAD_OPTIONS, "options")?,
        None => Options::of(call, Value::Table(call.lua.create_table()?), &LOAD_OPTIONS, "options")?,
    };
    let request = Request::LoadRoom {
        room,
        seed: options.get::<Option<i64>>(call, "seed")?.unwrap_or(0).cast_unsigned(),
        limits: limits_of(call, options.get::<Value>(call, "limits")?)?,
        scripts: options.get::<Option<Vec<String>>>(call, "scripts")?.unwrap_or_default(),
        script_overrides: cast_of(call, options.get::<Value>(call, "script_overrides")?)?,
        allow_errors: options.get::<Option<bool>>(call, "allow_errors")?.unwrap_or(false),
    };
    let asked = ask(call, request)?;
    *spec.loaded_at.borrow_mut() = caller(call.lua).map(|(file, line)| (file, line as u32));
    Ok(asked)
}

fn limits_of(call: &Call<'_>, given: Value) -> mlua::Result<ScriptLimits> {
    if given.is_nil() {
        return Ok(ScriptLimits::default());
    }
    let options = Options::of(call, given, &SPEC_LIMITS, "limits")?;
    let get = |name: &str| -> mlua::Result<Option<u64>> {
        let number = options.get::<Option<i64>>(call, name)?;
        let least = if name.starts_with("instructions") { 1000 } else { 1 };
        match number {
            Some(number) if number < least => {
                Err(call.fail(format!("limits.{name} must be {least} or more, not {number}")))
            }
            number => Ok(number.and_then(|number| u64::try_from(number).ok())),
        }
    };
    let mut limits = ScriptLimits::default();
    limits.instructions_per_call = get("instructions_per_call")?;
    limits.instructions_per_tick = get("instructions_per_tick")?;
    limits.instructions_per_tick_of_all = get("instructions_per_tick_of_all")?;
    limits.instructions_per_load = get("instructions_per_load")?;
    limits.memory_mb = get("memory_mb")?;
    limits.memory_per_script_mb = get("memory_per_script_mb")?;
    limits.characters = get("characters")?;
    limits.timers = get("timers")?;
    limits.sequences = get("sequences")?;
    Ok(limits)
}

fn cast_of(call: &Call<'_>, given: Value) -> mlua::Result<Vec<(String, String)>> {
    let table = match given {
        Value::Nil => return Ok(Vec::new()),
        Value::Table(table) => table,
        other => {
            return Err(call.wrong(
                "script_overrides",
                "a table like {guard = \"scripts/guard.lua\"}",
                &other,
            ));
        }
    };
    let mut script_overrides = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        match pair? {
            (Value::String(name), Value::String(script)) => {
                script_overrides.push((name.to_string_lossy(), script.to_string_lossy()));
            }
            (name, script) => {
                let (name, script) = (describe(call.host, &name), describe(call.host, &script));
                let message =
                    format!("script_overrides names a character and its script, not {name} and {script}");
                return Err(call.fail(message));
            }
        }
    }
    script_overrides.sort();
    Ok(script_overrides)
}
