//! The global functions, and the prelude that puts everything in its place.

use super::args::{flag, number, optional_text, priority, real, text, texts};
use super::handle::{handle, take_npc};
use super::npc::{BLOCKING_METHODS, on_arrived, set_target};
use super::place::take_place;
use super::room::{find_path, is_walkable, set_area_available};
use super::{ENVIRONMENT, SEQUENCE, log, math};
use crate::crowd::CharacterId;
use crate::problem::did_you_mean;
use crate::room::CharacterSpec;
use crate::script::error::{PRELUDE_CHUNK, beginning_of, caller, dissect, fail};
use crate::script::host::Host;
use crate::script::load;
use crate::script::schedule::{Role, Task, Timer, TimerId, Wait};
use crate::world::{Applied, Command};
use mlua::{Function, IntoLua, Lua, MultiValue, Table, Thread, Value, Variadic};
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
                    format!(
                        "an error that is a {}",
                        to_string.call::<mlua::LuaString>(other)?.to_string_lossy()
                    )
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
        lua.create_function(move |lua, (message, name): (String, String)| {
            h.charge(lua, ERROR_COST)?;
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

/// The words of an error raised by the host, as `pcall` hands them to scripts.
fn plain_error(lua: &Lua, host: &Host, value: Value) -> mlua::Result<Value> {
    let Value::Error(error) = &value else { return host.charge(lua, 1).map(|()| value) };
    host.charge(lua, ERROR_COST)?;
    let (file, line, message) = dissect(error);
    let text = if file.is_empty() { message } else { format!("{file}:{line}: {message}") };
    text.into_lua(lua)
}

/// Longest time a script may wait or set a timer for: a year, far from any overflow of ticks.
const MAX_SECONDS: f64 = 365.0 * 86400.0;

fn seconds(lua: &Lua, value: &Value, what: &str) -> mlua::Result<f64> {
    match number(value) {
        Some(seconds) if (0.0..=MAX_SECONDS).contains(&seconds) => Ok(seconds),
        Some(seconds) => Err(fail(lua, format!("{what}: seconds must be zero or more, not {seconds}"))),
        None => Err(fail(lua, format!("{what}: seconds must be a number, not {}", value.type_name()))),
    }
}

/// Puts the running sequence to sleep until what it waits for; refuses where there is none.
fn sleep(lua: &Lua, host: &Host, what: &str, wait: Wait) -> mlua::Result<()> {
    let running = host.running.get();
    let ours = running.task.and_then(|id| {
        host.schedule.borrow().tasks.get(&(running.owner, id)).map(|task| task.thread.clone())
    });
    if ours.is_none_or(|thread| thread != lua.current_thread()) {
        let hint = "call it in run(self, npc) or in start(function() … end); handlers use after(seconds, fn)";
        return Err(fail(lua, format!("{what} waits, and only a sequence can wait; {hint}")));
    }
    host.wish.set(Some(wait));
    Ok(())
}

fn wait(lua: &Lua, host: &Host, value: &Value) -> mlua::Result<()> {
    let seconds = seconds(lua, value, "wait")?;
    let until = {
        let world = host.world();
        world.tick_number() + world.ticks_of(seconds)
    };
    sleep(lua, host, "wait", Wait::Until(until))
}

fn walk_to(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<()> {
    let mut args = args.into_iter().collect();
    let who = take_npc(lua, &mut args, "walk_to")?;
    let to = take_place(lua, host, &mut args, "walk_to")?;
    let timeout = take_walk_options(lua, &mut args, "walk_to")?;
    set_out(lua, host, "walk_to", Command::SetTarget { who, to }, who, timeout)
}

fn talk_to(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<()> {
    let mut args = args.into_iter().collect();
    let who = take_npc(lua, &mut args, "talk_to")?;
    let other = take_npc(lua, &mut args, "talk_to: whom to talk to")?;
    let timeout = take_walk_options(lua, &mut args, "talk_to")?;
    set_out(lua, host, "talk_to", Command::TalkTo { who, other }, who, timeout)
}

/// Puts the sequence to sleep until the walk that `command` begins has ended.
fn set_out(
    lua: &Lua,
    host: &Rc<Host>,
    method: &'static str,
    command: Command,
    who: CharacterId,
    timeout: Option<f64>,
) -> mlua::Result<()> {
    // First make sure that somebody can wait for it, then set out.
    sleep(lua, host, method, Wait::Until(0))?;
    let Applied::Walking(walk) = host.apply(lua, command)? else { return Ok(()) };
    let world = host.world();
    let deadline = timeout.map(|seconds| world.tick_number() + world.ticks_of(seconds));
    host.wish.set(Some(Wait::Walk { who, walk, deadline }));
    Ok(())
}

fn take_walk_options(lua: &Lua, args: &mut VecDeque<Value>, method: &str) -> mlua::Result<Option<f64>> {
    let options = match args.pop_front() {
        None | Some(Value::Nil) => return Ok(None),
        Some(Value::Table(options)) => options,
        Some(other) => {
            let found = other.type_name();
            return Err(fail(
                lua,
                format!("{method}: options are a table like {{timeout = 5}}, not {found}"),
            ));
        }
    };
    let mut timeout = None;
    for pair in options.pairs::<Value, Value>() {
        let (name, value) = pair?;
        match name.to_string()?.as_str() {
            "timeout" => timeout = Some(seconds(lua, &value, &format!("{method}: timeout"))?),
            other => {
                return Err(fail(
                    lua,
                    format!("{method}: there is no option '{other}'; there is timeout, in seconds"),
                ));
            }
        }
    }
    Ok(timeout)
}

/// How long something said without a time is shown.
const SAY_S: f64 = 2.0;

/// Says it; true if the sequence should now wait until it has been shown.
fn say(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<bool> {
    let mut args: VecDeque<Value> = args.into_iter().collect();
    let who = take_npc(lua, &mut args, "say")?;
    let text = args.pop_front().unwrap_or(Value::Nil);
    if !matches!(text, Value::String(_) | Value::Integer(_) | Value::Number(_)) {
        return Err(fail(lua, format!("say: the text must be a string, not {}", text.type_name())));
    }
    let text = text.to_string()?;
    let given = args.pop_front().filter(|value| !value.is_nil());
    let shown = given.as_ref().map(|value| seconds(lua, value, "say")).transpose()?;
    host.apply(lua, Command::Say { who, text, seconds: shown.unwrap_or(SAY_S) })?;
    let until = {
        let world = host.world();
        world.tick_number() + world.ticks_of(shown.unwrap_or(SAY_S))
    };
    Ok(shown.is_some()
        && host.running.get().task.is_some()
        && sleep(lua, host, "say", Wait::Until(until)).is_ok())
}

fn set_timer(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>, repeat: bool) -> mlua::Result<Value> {
    let name = if repeat { "every" } else { "after" };
    let mut args: VecDeque<Value> = args.into_iter().collect();
    let seconds = seconds(lua, &args.pop_front().unwrap_or(Value::Nil), name)?;
    let Some(function) = take_function_or_nil(lua, &mut args, name)? else {
        return Err(fail(lua, format!("{name}: the second argument is the function to call")));
    };
    let (now, ticks) = {
        let world = host.world();
        (world.tick_number(), world.ticks_of(seconds))
    };
    let running = host.running.get();
    let timer = Timer {
        owner: running.owner,
        function,
        period: repeat.then_some(ticks),
        set_by: running.task,
        loading: host.modules.borrow().now_loading().cloned(),
    };
    let limit = host.limits.get().timers;
    match host.schedule.borrow_mut().add_timer(now + ticks, timer, limit) {
        Some(id) => Ok(Value::Integer(id.0 as i64)),
        None => Err(fail(lua, format!("{name}: this script has {limit} timers already, as many as it may"))),
    }
}

/// Making a coroutine takes about as long as this many instructions.
const START_COST: u64 = 500;

/// `start(fn, …)`: runs a function as a sequence of its own, from the next step on.
fn start(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<Value> {
    let mut args: VecDeque<Value> = args.into_iter().collect();
    let Some(function) = take_function_or_nil(lua, &mut args, "start")? else {
        return Err(fail(lua, "start: the first argument is the function to run"));
    };
    let mut beginning = beginning_of(&function);
    if beginning.0.is_empty() {
        // One of ours, `start(wait, 5)` say: then whoever starts it is to blame.
        beginning = caller(lua).map_or(beginning, |(file, line)| (file, line as u32));
    }
    let thread = sequence(lua, function, MultiValue::from_iter(args))?;
    let task = Task {
        role: Role::OneShot,
        module: beginning.0.clone(),
        beginning,
        thread,
        wait: Wait::Until(0),
        walk: None,
        answer: None,
        loading: host.modules.borrow().now_loading().cloned(),
    };
    host.charge(lua, START_COST)?;
    let limit = host.limits.get().sequences;
    match host.schedule.borrow_mut().add_task(host.owner(), task, limit) {
        Some(_) => Ok(Value::Nil),
        None => {
            Err(fail(lua, format!("start: this script has {limit} sequences under way, as many as it may")))
        }
    }
}

/// A coroutine that calls a function, and returns true and its results, or false and the error with its traceback.
pub(in crate::script) fn sequence(
    lua: &Lua,
    function: Function,
    mut args: MultiValue,
) -> mlua::Result<Thread> {
    args.push_front(Value::Function(function));
    lua.create_thread(lua.named_registry_value::<Function>(SEQUENCE)?.bind(args)?)
}

fn take_function_or_nil(lua: &Lua, args: &mut VecDeque<Value>, what: &str) -> mlua::Result<Option<Function>> {
    match args.pop_front() {
        None | Some(Value::Nil) => Ok(None),
        Some(Value::Function(function)) => Ok(Some(function)),
        Some(other) => Err(fail(lua, format!("{what}: expected a function, not {}", other.type_name()))),
    }
}

const SPAWN_KEYS: [&str; 12] = [
    "name",
    "at",
    "script",
    "player",
    "priority",
    "walk_speed",
    "rotation_speed",
    "collision_radius",
    "heading",
    "tags",
    "alive",
    "enabled",
];

/// `spawn{at=…, script=…, …}`: brings somebody in and returns the handle. The keys are those of a character in a room file,
/// in snake_case.
fn spawn(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<Value> {
    let Some(Value::Table(table)) = args.first() else {
        return Err(fail(
            lua,
            "spawn: give it a table, like spawn{at = \"door\", script = \"scripts/guest.lua\"}",
        ));
    };
    let limit = host.limits.get().characters;
    if host.world().characters().len() >= limit {
        return Err(fail(
            lua,
            format!("spawn: there are {limit} characters already, as many as there may be"),
        ));
    }
    let spec = spawn_spec(lua, host, table)?;
    if let Some(script) = &spec.script {
        load::require(lua, host, script)?;
    }
    match host.apply(lua, Command::Spawn(Box::new(spec)))? {
        Applied::Spawned(id) => Ok(Value::UserData(handle(lua, host, id)?)),
        _ => Ok(Value::Nil),
    }
}

fn spawn_spec(lua: &Lua, host: &Rc<Host>, table: &Table) -> mlua::Result<CharacterSpec> {
    for pair in table.pairs::<Value, Value>() {
        let name = pair?.0.to_string()?;
        if !SPAWN_KEYS.contains(&name.as_str()) {
            let hint = did_you_mean(&name, SPAWN_KEYS).map(|meant| format!("; did you mean '{meant}'?"));
            return Err(fail(lua, format!("spawn: there is no key '{name}'{}", hint.unwrap_or_default())));
        }
    }
    let at: Value = table.raw_get("at")?;
    let at = take_place(lua, host, &mut [at].into(), "spawn: at")?;
    let get = |name: &str, default: f64| -> mlua::Result<f64> {
        let value: Value = table.raw_get(name)?;
        if value.is_nil() {
            return Ok(default);
        }
        let good = number(&value).filter(|number| *number > 0.0 && number.is_finite());
        good.ok_or_else(|| fail(lua, format!("spawn: {name} must be a number above zero")))
    };
    let raw = |name: &str| table.raw_get::<Value>(name);
    let yes = |name: &str, default: bool| -> mlua::Result<bool> {
        let value = raw(name)?;
        if value.is_nil() { Ok(default) } else { flag(lua, &value, &format!("spawn: {name}")) }
    };
    let name = match optional_text(lua, &raw("name")?, "spawn: name")? {
        Some(name) => name,
        None => free_name(host),
    };
    let radius_m = host.world().room().ground.agent_radius_m;
    Ok(CharacterSpec {
        name,
        at,
        at_point: None,
        script: optional_text(lua, &raw("script")?, "spawn: script")?,
        player: yes("player", false)?,
        priority: match raw("priority")? {
            Value::Nil => 0,
            value => priority(lua, &value, "spawn: priority")?,
        },
        walk_speed_mps: get("walk_speed", CharacterSpec::DEFAULT_WALK_SPEED_MPS)?,
        rotation_speed_radps: get("rotation_speed", CharacterSpec::DEFAULT_ROTATION_SPEED_RADPS)?,
        collision_radius_m: get("collision_radius", radius_m)?,
        tags: texts(lua, &raw("tags")?, "spawn: tags")?,
        alive: yes("alive", true)?,
        enabled: yes("enabled", true)?,
        heading_rad: match raw("heading")? {
            Value::Nil => 0.0,
            value => real(lua, &value, "spawn: heading")?,
        },
    })
}

/// The first of `npc_1`, `npc_2`, … that was not given out yet.
fn free_name(host: &Host) -> String {
    loop {
        host.spawned.set(host.spawned.get() + 1);
        let name = format!("npc_{}", host.spawned.get());
        if host.world().character_named(&name).is_none() {
            return name;
        }
    }
}
