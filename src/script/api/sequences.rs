//! What waits, and what comes later: sequences and timers.

use super::SEQUENCE;
use super::args::number;
use super::handle::take_npc;
use super::place::take_place;
use crate::crowd::CharacterId;
use crate::script::error::{beginning_of, caller, fail};
use crate::script::host::Host;
use crate::script::schedule::{Role, Task, Timer, Wait};
use crate::world::{Applied, Command};
use mlua::{Function, Lua, MultiValue, Thread, Value, Variadic};
use std::collections::VecDeque;
use std::rc::Rc;

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

pub(super) fn wait(lua: &Lua, host: &Host, value: &Value) -> mlua::Result<()> {
    let seconds = seconds(lua, value, "wait")?;
    let until = {
        let world = host.world();
        world.tick_number() + world.ticks_of(seconds)
    };
    sleep(lua, host, "wait", Wait::Until(until))
}

pub(super) fn walk_to(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<()> {
    let mut args = args.into_iter().collect();
    let who = take_npc(lua, &mut args, "walk_to")?;
    let to = take_place(lua, host, &mut args, "walk_to")?;
    let timeout = take_walk_options(lua, &mut args, "walk_to")?;
    set_out(lua, host, "walk_to", Command::SetTarget { who, to }, who, timeout)
}

pub(super) fn talk_to(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<()> {
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
pub(super) fn say(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<bool> {
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

pub(super) fn set_timer(
    lua: &Lua,
    host: &Rc<Host>,
    args: Variadic<Value>,
    repeat: bool,
) -> mlua::Result<Value> {
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
        loading: host.set_up_by(),
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
pub(super) fn start(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<Value> {
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
        loading: host.set_up_by(),
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
