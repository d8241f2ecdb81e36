//! Timers.

use super::args::{Argument, Seconds};
use super::define::entry;
use super::entry::{Args, Call, Entry};
use crate::room::MAX_NAME_BYTES;
use crate::script::owner::{Owner, TaskId};
use crate::script::task::{Role, Task};
use crate::script::timer::{Action, Timer, TimerId};
use mlua::{Function, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Calls a function once, after some seconds of game time; in the next tick at the earliest. With a name
        /// instead of a function, the script's `on_timer` is called with that name and the data.
        ///
        /// A timer with a name is part of a saved room, with its data and the time left, and reloads keep it. For
        /// each character, a script has one timer per name: setting it again replaces it, with new data. For two
        /// timers at a time, use two names, such as `"close_" .. door`.
        fn Global.after(
            seconds: Seconds = "the delay",
            action: Value as "fun()|string" = "what to call, or the name of the timer",
            data: Option<Value> as "any" = "what `on_timer` gets with the name"
        ) -> (timer: "integer" = "for `cancel`") also["delay_call", "setTimeout", "set_timeout", "Invoke", "schedule"]
        example r#"
            local called = false
            after(0.2, function() called = true end)
            wait(0.3)
            assert(called)
        "#
        |call| set_timer(call, seconds, action, data, false)
    },
    entry! {
        /// Calls a function again and again, every so many seconds of game time; or `on_timer`, as for `after`.
        fn Global.every(
            seconds: Seconds = "the time between calls",
            action: Value as "fun()|string" = "what to call, or the name of the timer",
            data: Option<Value> as "any" = "what `on_timer` gets with the name"
        ) -> (timer: "integer" = "for `cancel`") also["setInterval", "set_interval", "InvokeRepeating", "loop"]
        example r#"
            local ticks = 0
            local clock = every(0.1, function() ticks = ticks + 1 end)
            wait(1)
            cancel(clock)
            assert(ticks >= 9)
        "#
        |call| set_timer(call, seconds, action, data, true)
    },
    entry! {
        /// Ends a timer, or a sequence that the same script began by `start`. The walk that the sequence began ends,
        /// too.
        fn Global.cancel(id: Value as "integer|string" = "what `after`, `every` or `start` returned, or a timer's name")
            -> (ended: "boolean" = "whether there was still something to end")
        also["clearTimeout", "clear_timer", "StopCoroutine", "CancelInvoke"]
        example r#"
            local timer = after(1, function() error("never") end)
            assert(cancel(timer) and not cancel(timer))
        "#
        |call| cancel(call, &id)
    },
];

/// Instructions charged for setting a timer.
const TIMER_COST: u64 = 30;

fn set_timer(
    call: &Call<'_>,
    seconds: Seconds,
    action: Value,
    data: Option<Value>,
    repeat: bool,
) -> mlua::Result<i64> {
    call.host.charge(call.lua, TIMER_COST)?;
    let (now, ticks) = {
        let world = call.host.world();
        (world.tick_number(), world.ticks_of(seconds.0))
    };
    let running = call.host.call.running.get();
    let action = match action {
        Value::String(name) => tell(call, &name.to_string_lossy(), data)?,
        other => Action::Call(<Function as Argument>::take(call, &mut Args::one(other), "action")?),
    };
    // A named timer belongs to its script, not to the sequence that set it: it is replaced, never doubled.
    let named = matches!(action, Action::Tell { .. });
    let timer = Timer {
        owner: running.owner,
        action,
        period: repeat.then_some(ticks),
        set_by: running.task.filter(|_| !named),
        loading: call.host.set_up_by().filter(|_| !named),
        failures: 0,
    };
    let limit = call.host.limits.get().timers;
    let id = call.host.schedule.borrow_mut().add_timer(now + ticks, timer, limit);
    id.map(|id| id.0 as i64)
        .ok_or_else(|| call.fail(format!("this script has {limit} timers already, as many as it may")))
}

/// A named timer replaces one of the same name.
fn tell(call: &Call<'_>, name: &str, data: Option<Value>) -> mlua::Result<Action> {
    let owner = call.host.owner();
    if call.host.modules.borrow().now_loading().is_some() {
        let hint = "set it in on_load, on_spawn or run, or hand over a function";
        return Err(call.fail(format!("a file's own lines have no on_timer; {hint}")));
    }
    if owner == Owner::CONSOLE || owner == Owner::SPEC {
        return Err(call.fail("a timer with a name tells a script's on_timer; here, hand over a function"));
    }
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        return Err(call.fail(format!("the name of a timer has 1 to {MAX_NAME_BYTES} bytes")));
    }
    let mut schedule = call.host.schedule.borrow_mut();
    if let Some(id) = schedule.timer_named(owner, name) {
        schedule.cancel_timer(id);
    }
    Ok(Action::Tell { name: name.to_owned(), data: data.unwrap_or(Value::Nil) })
}

fn cancel(call: &Call<'_>, id: &Value) -> mlua::Result<bool> {
    if let Value::String(name) = id {
        let mut schedule = call.host.schedule.borrow_mut();
        let timer = schedule.timer_named(call.host.owner(), &name.to_string_lossy());
        return Ok(timer.is_some_and(|timer| schedule.cancel_timer(timer)));
    }
    let mut given = Args::one(id.clone());
    let id = <i64 as Argument>::take(call, &mut given, "id")? as u64;
    if call.host.schedule.borrow_mut().cancel_timer(TimerId(id)) {
        return Ok(true);
    }
    // Numbers can be guessed: code cannot end what another owner started, nor a behaviour's `run`.
    let owner = call.host.owner();
    let ended = {
        let mut schedule = call.host.schedule.borrow_mut();
        let is_own = |task: &Task| task.role == Role::OneShot && task.branch_of.is_none();
        let own = schedule.task(owner, TaskId(id)).is_some_and(is_own);
        if own { schedule.take_family(owner, TaskId(id)) } else { Vec::new() }
    };
    call.host.call_off(&ended);
    Ok(!ended.is_empty())
}
