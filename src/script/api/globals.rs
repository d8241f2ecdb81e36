//! The prelude, and the primitives it uses.

use super::args::{Argument, Seconds};
use super::entry::{Args, Given};
use super::entry::{Call, Entry, Kind, NOBODY, Object};
use super::events::is_event;
use super::game;
use super::random;
use super::register::{globals, waiting};
use super::table::{entries_of, meant};
use crate::problem::did_you_mean;
use crate::script::error::{PRELUDE_CHUNK, dissect};
use crate::script::host::{ENVIRONMENT, SEQUENCE};
use crate::script::host::{Host, Level};
use crate::script::task::Wait;
use mlua::{Function, IntoLua, Lua, LuaString, Table, Value, Variadic};
use std::rc::Rc;

/// Sets the state's globals to what scripts may use, and nothing else.
pub(in crate::script) fn install(lua: &Lua, host: &Rc<Host>, room: &Value) -> mlua::Result<()> {
    let primitives = lua.create_table()?;
    let globals = globals(lua, host)?;
    globals.raw_set("room", room)?;
    for constant in &host.game.values {
        globals.raw_set(constant.name.as_str(), game::to_lua(lua, host, &constant.value)?)?;
    }
    primitives.raw_set("globals", globals)?;
    primitives.raw_set("math", random::table(lua)?)?;
    primitives.raw_set("verbs", super::verbs::steps::primitives(lua, host)?)?;
    primitives.raw_set("waiting", waiting(lua, host, Object::Global)?)?;
    primitives.raw_set("npc_waiting", waiting(lua, host, Object::Npc)?)?;
    let methods = lua.create_table()?;
    primitives.raw_set("npc_methods", &methods)?;
    *host.lua.waiting_of_characters.borrow_mut() = Some(methods);
    let methods = lua.create_table()?;
    primitives.raw_set("room_methods", &methods)?;
    *host.lua.waiting_of_room.borrow_mut() = Some(methods);
    primitives.raw_set("tactics_waiting", waiting(lua, host, Object::Tactics)?)?;
    let methods = lua.create_table()?;
    primitives.raw_set("tactics_methods", &methods)?;
    *host.lua.waiting_of_tactics.borrow_mut() = Some(methods);
    add_game(lua, host, &primitives)?;
    add_waiting(lua, host, &primitives)?;
    add_errors(lua, host, &primitives)?;
    let environment =
        lua.load(include_str!("../prelude.lua")).set_name(PRELUDE_CHUNK).call::<Table>(&primitives)?;
    lua.set_named_registry_value(SEQUENCE, primitives.raw_get::<Function>("sequence")?)?;
    lua.set_named_registry_value(ENVIRONMENT, environment)
}

/// Primitives for the functions of the game.
fn add_game(lua: &Lua, host: &Rc<Host>, primitives: &Table) -> mlua::Result<()> {
    primitives.raw_set("game", game::functions(lua, host)?)?;
    let methods = lua.create_table()?;
    for kind in &host.game.kinds {
        let of_kind = lua.create_table()?;
        methods.raw_set(kind.name, &of_kind)?;
        host.game.methods.borrow_mut().insert(kind.name, of_kind);
    }
    primitives.raw_set("thing_methods", methods)?;
    for (field, name) in [("stubs", game::STUBS), ("game_names", game::NAMES)] {
        let table = lua.create_table()?;
        primitives.raw_set(field, &table)?;
        lua.set_named_registry_value(name, table)?;
    }
    Ok(())
}

/// Primitives for the waiting functions written in the prelude.
fn add_waiting(lua: &Lua, host: &Rc<Host>, primitives: &Table) -> mlua::Result<()> {
    let Some(wait_until) = entries_of(Object::Global).find(|entry| entry.name == "wait_until") else {
        return Ok(());
    };
    let h = host.clone();
    // Checks the arguments, and that the caller can wait; returns the tick of the timeout.
    let deadline = move |lua: &Lua, (may_sleep, given): (bool, Given)| {
        let call = Call { lua, host: &h, entry: wait_until, who: NOBODY, named: "" };
        h.call.may_sleep.set(may_sleep);
        super::sequences::sleep(&call, Wait::Until(0))?;
        h.call.wait.set(None);
        let mut args: Args = given.into();
        <Function as Argument>::take(&call, &mut args, "condition")?;
        let timeout = <Option<Seconds> as Argument>::take(&call, &mut args, "timeout")?;
        let world = h.world();
        let now = h.schedule.borrow().own_tick(h.call.running.get(), world.tick_number());
        Ok(timeout.map(|seconds| now + world.ticks_of(seconds.0)))
    };
    primitives.raw_set("deadline", lua.create_function(deadline)?)?;
    let h = host.clone();
    // Lets the sequence sleep until the next tick; false after the timeout.
    let next_tick = move |lua: &Lua, (may_sleep, deadline): (bool, Option<u64>)| {
        let call = Call { lua, host: &h, entry: wait_until, who: NOBODY, named: "" };
        h.call.may_sleep.set(may_sleep); // other code ran since the deadline was set, and may have changed it
        let now = h.world().tick_number();
        let own = h.schedule.borrow().own_tick(h.call.running.get(), now);
        if deadline.is_some_and(|deadline| deadline <= own) {
            return Ok(false);
        }
        super::sequences::sleep(&call, Wait::Until(now + 1)).map(|()| true)
    };
    primitives.raw_set("next_tick", lua.create_function(next_tick)?)?;
    let h = host.clone();
    let print =
        move |lua: &Lua, values: Variadic<Value>| super::log::say(lua, &h, Level::Info, &values, "\t");
    primitives.raw_set("print", lua.create_function(print)?)?;
    primitives.raw_set("is_event", lua.create_function(|_, name: String| Ok(is_event(&name)))?)
}

/// Primitives for the prelude's error messages.
fn add_errors(lua: &Lua, host: &Rc<Host>, primitives: &Table) -> mlua::Result<()> {
    // The error that ends a sequence, in words and with its traceback. A value with a `__tostring` uses that.
    let trace = |lua: &Lua, problem: Value| match problem {
        Value::Error(_) => Ok(problem),
        other => {
            let text = match &other {
                Value::String(text) => text.to_string_lossy(),
                Value::Nil => "an error that is nil".to_owned(),
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
    let known = move |lua: &Lua, (message, name): (LuaString, LuaString)| {
        h.charge(lua, ERROR_COST)?;
        let (message, name) = (message.to_string_lossy(), name.to_string_lossy());
        Ok(format!("{message}; {}", global_meant(lua, &h, &name)))
    };
    primitives.raw_set("did_you_mean", lua.create_function(known)?)
}

/// Names from other Lua versions and languages, and their equivalents here.
pub(crate) const ELSEWHERE: [(&str, &str); 12] = [
    ("null", "nothing is written nil"),
    ("None", "nothing is written nil"),
    ("undefined", "nothing is written nil"),
    ("this", "a character's script gets (self, npc)"),
    ("unpack", "it is table.unpack"),
    ("os", "there is no clock but room.time"),
    ("io", "there are no files; log.info and print write lines"),
    ("package", "there is only require"),
    ("dofile", "there is only require"),
    ("load", "there is only require"),
    ("npc", "handlers get it as (self, npc), and room:npc(\"NAME\") gives one"),
    ("self", "handlers get it as (self, npc)"),
];

/// The message for the use of an undeclared name.
fn global_meant(lua: &Lua, host: &Host, name: &str) -> String {
    let of_specs = || entries_of(Object::Spec).map(|entry| entry.name);
    if of_specs().any(|known| known == name) {
        return "it is there in spec files (NAME_spec.lua) alone, which `cicerone test` runs".into();
    }
    if let Some(near) = host.spec().and_then(|_| did_you_mean(name, of_specs())) {
        return format!("did you mean '{near}'?");
    }
    if let Some((_, mend)) = ELSEWHERE.iter().find(|(foreign, _)| *foreign == name) {
        return (*mend).to_owned();
    }
    let globals = lua.globals();
    let names = globals.pairs::<String, Value>().filter_map(Result::ok).map(|(name, _)| name);
    // Excludes names that are hardly ever meant but resemble many others.
    let names: Vec<String> = names.filter(|name| !name.starts_with("raw")).collect();
    if let Some(near) = did_you_mean(name, names.iter().map(String::as_str)) {
        return format!("did you mean '{near}'?");
    }
    if let Some(entry) = meant(Object::Global, name) {
        return format!("did you mean '{}'?", entry.name);
    }
    let method =
        |entry: &&Entry| matches!(entry.kind(), Kind::Function | Kind::Blocking) && entry.name == name;
    let of = |object: Object| entries_of(object).find(method);
    match of(Object::Npc).or_else(|| of(Object::Room)) {
        Some(entry) => format!("{} is a method: {}(…)", name, entry.spoken()),
        None => "is it misspelt, or local to another function?".into(),
    }
}

/// Instructions charged for a host error with its message and place.
const ERROR_COST: u64 = 2500;

/// Instructions charged for raising and catching a Lua error.
const RAISE_COST: u64 = 50;

/// The message of a host error, as `pcall` returns it to scripts.
fn plain_error(lua: &Lua, host: &Host, value: Value) -> mlua::Result<Value> {
    let Value::Error(error) = &value else { return host.charge(lua, RAISE_COST).map(|()| value) };
    host.charge(lua, ERROR_COST)?;
    let (file, line, message) = dissect(error);
    let text = if file.is_empty() { message } else { format!("{file}:{line}: {message}") };
    text.into_lua(lua)
}
