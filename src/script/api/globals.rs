//! The global functions, and the prelude that puts everything in its place.

use super::args::text;
use super::handle::take_npc;
use super::npc::{BLOCKING_METHODS, on_arrived, set_target};
use super::room::{find_path, is_walkable, set_area_available};
use super::sequences::{say, set_timer, start, talk_to, wait, walk_to};
use super::spawn::spawn;
use super::{ENVIRONMENT, SEQUENCE, log, math};
use crate::problem::did_you_mean;
use crate::script::error::{PRELUDE_CHUNK, dissect, fail};
use crate::script::host::Host;
use crate::script::load;
use crate::script::schedule::TimerId;
use mlua::{Function, IntoLua, Lua, LuaString, Table, Value, Variadic};
use std::collections::VecDeque;
use std::rc::Rc;

/// Puts everything scripts may use into the state's globals, and nothing else.
pub(in crate::script) fn install(lua: &Lua, host: &Rc<Host>, room: &Value) -> mlua::Result<()> {
    let primitives = lua.create_table()?;
    primitives.raw_set("globals", globals(lua, host, room)?)?;
    primitives.raw_set("math", math::table(lua, host)?)?;
    let methods = lua.create_table()?;
    lua.set_named_registry_value(BLOCKING_METHODS, &methods)?;
    primitives.raw_set("npc_methods", methods)?;
    let h = host.clone();
    primitives.raw_set("wait", lua.create_function(move |lua, seconds: Value| wait(lua, &h, &seconds))?)?;
    let h = host.clone();
    primitives
        .raw_set("walk_to", lua.create_function(move |lua, args: Variadic<Value>| walk_to(lua, &h, args))?)?;
    let h = host.clone();
    primitives
        .raw_set("talk_to", lua.create_function(move |lua, args: Variadic<Value>| talk_to(lua, &h, args))?)?;
    let h = host.clone();
    primitives.raw_set("say", lua.create_function(move |lua, args: Variadic<Value>| say(lua, &h, args))?)?;
    // What a sequence dies of, in words and with the lines it stood in. A value with words of its own gives them.
    let trace = |lua: &Lua, problem: Value| match problem {
        Value::Error(_) => Ok(problem),
        other => {
            let text = match &other {
                Value::String(text) => text.to_string_lossy(),
                other => {
                    let to_string: Function = lua.globals().raw_get("tostring")?;
                    format!("an error that is a {}", to_string.call::<LuaString>(other)?.to_string_lossy())
                }
            };
            lua.traceback(Some(&text), 1)?.into_lua(lua)
        }
    };
    primitives.raw_set("trace", lua.create_function(trace)?)?;
    let h = host.clone();
    primitives.raw_set("is_stopped", lua.create_function(move |_, ()| Ok(h.meter.stopped().is_some()))?)?;
    let h = host.clone();
    primitives.raw_set("plain_error", lua.create_function(move |lua, value| plain_error(lua, &h, value))?)?;
    let h = host.clone();
    primitives.raw_set(
        "did_you_mean",
        lua.create_function(move |lua, (message, name): (LuaString, LuaString)| {
            h.charge(lua, ERROR_COST)?;
            let (message, name) = (message.to_string_lossy(), name.to_string_lossy());
            let globals = lua.globals();
            let names: Vec<String> =
                globals.pairs::<String, Value>().filter_map(Result::ok).map(|(name, _)| name).collect();
            Ok(match did_you_mean(&name, names.iter().map(String::as_str)) {
                Some(meant) => format!("{message}; did you mean '{meant}'?"),
                None => message,
            })
        })?,
    )?;
    let environment =
        lua.load(include_str!("../prelude.lua")).set_name(PRELUDE_CHUNK).call::<Table>(&primitives)?;
    lua.set_named_registry_value(SEQUENCE, primitives.raw_get::<Function>("sequence")?)?;
    lua.set_named_registry_value(ENVIRONMENT, environment)
}

fn globals(lua: &Lua, host: &Rc<Host>, room: &Value) -> mlua::Result<Table> {
    let globals = lua.create_table()?;
    globals.raw_set("room", room)?;
    globals.raw_set("log", log::table(lua, host)?)?;
    globals.raw_set("random", math::random(lua, host)?)?;
    let add = |name: &str, function: fn(&Lua, &Rc<Host>, Variadic<Value>) -> mlua::Result<Value>| {
        let host = host.clone();
        globals.raw_set(name, lua.create_function(move |lua, args| function(lua, &host, args))?)
    };
    add("set_target", |lua, host, args| {
        let mut args = args.into_iter().collect();
        let who = take_npc(lua, &mut args, "set_target")?;
        set_target(lua, host, who, args).map(|()| Value::Nil)
    })?;
    add("on_arrived", |lua, host, args| {
        let mut args: VecDeque<Value> = args.into_iter().collect();
        let who = take_npc(lua, &mut args, "on_arrived")?;
        on_arrived(lua, host, who, args.pop_front().unwrap_or(Value::Nil)).map(|()| Value::Nil)
    })?;
    add("is_walkable", |lua, host, args| is_walkable(lua, host, args).map(Value::Boolean))?;
    add("after", |lua, host, args| set_timer(lua, host, args, false))?;
    add("every", |lua, host, args| set_timer(lua, host, args, true))?;
    add("cancel", |lua, host, args| match args.first() {
        Some(Value::Integer(id)) => {
            Ok(Value::Boolean(host.schedule.borrow_mut().cancel_timer(TimerId(*id as u64))))
        }
        _ => Err(fail(lua, "cancel: give it what after or every returned")),
    })?;
    add("start", start)?;
    add("spawn", spawn)?;
    let h = host.clone();
    let require =
        lua.create_function(move |lua, name: Value| load::require(lua, &h, &text(lua, &name, "require")?))?;
    globals.raw_set("require", require)?;
    let h = host.clone();
    let set_area =
        move |lua: &Lua, (name, available): (Value, Value)| set_area_available(lua, &h, &name, &available);
    globals.raw_set("set_area_available", lua.create_function(set_area)?)?;
    let h = host.clone();
    let find = move |lua: &Lua, args: Variadic<Value>| find_path(lua, &h, args);
    globals.raw_set("find_path", lua.create_function(find)?)?;
    Ok(globals)
}

/// An error of the host's, with its words and its place, takes about as long as this many instructions.
const ERROR_COST: u64 = 2500;

/// Raising and catching one of Lua's own.
const RAISE_COST: u64 = 50;

/// The words of an error raised by the host, as `pcall` hands them to scripts.
fn plain_error(lua: &Lua, host: &Host, value: Value) -> mlua::Result<Value> {
    let Value::Error(error) = &value else { return host.charge(lua, RAISE_COST).map(|()| value) };
    host.charge(lua, ERROR_COST)?;
    let (file, line, message) = dissect(error);
    let text = if file.is_empty() { message } else { format!("{file}:{line}: {message}") };
    text.into_lua(lua)
}
