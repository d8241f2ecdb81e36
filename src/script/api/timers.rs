//! What comes later: timers.

use super::args::Seconds;
use super::define::entry;
use super::entry::{Call, Entry};
use crate::script::owner::TaskId;
use crate::script::schedule::{Timer, TimerId};
use crate::script::task::{Role, Task};
use mlua::Function;

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Calls a function once, after some seconds of game time; in the next tick at the earliest.
        fn Global.after(seconds: Seconds = "how much later", action: Function as "fun()" = "what to call")
            -> (timer: "integer" = "for `cancel`") also["delay_call", "setTimeout", "set_timeout", "Invoke", "schedule"]
        example r#"
            local called = false
            after(0.2, function() called = true end)
            wait(0.3)
            assert(called)
        "#
        |call| set_timer(call, seconds, action, false)
    },
    entry! {
        /// Calls a function again and again, every so many seconds of game time.
        fn Global.every(seconds: Seconds = "the time between calls", action: Function as "fun()" = "what to call")
            -> (timer: "integer" = "for `cancel`") also["setInterval", "set_interval", "InvokeRepeating", "loop"]
        example r#"
            local ticks = 0
            local clock = every(0.1, function() ticks = ticks + 1 end)
            wait(1)
            cancel(clock)
            assert(ticks >= 9)
        "#
        |call| set_timer(call, seconds, action, true)
    },
    entry! {
        /// Ends a timer, or a sequence that the same script began by `start`, with the walk it set going.
        fn Global.cancel(id: i64 = "what `after`, `every` or `start` returned")
            -> (ended: "boolean" = "whether there was still something to end")
        also["clearTimeout", "clear_timer", "StopCoroutine", "CancelInvoke"]
        example r#"
            local timer = after(1, function() error("never") end)
            assert(cancel(timer) and not cancel(timer))
        "#
        |call| cancel(call, id)
    },
];

fn set_timer(call: &Call<'_>, seconds: Seconds, function: Function, repeat: bool) -> mlua::Result<i64> {
    let (now, ticks) = {
        let world = call.host.world();
        (world.tick_number(), world.ticks_of(seconds.0))
    };
    let running = call.host.running.get();
    let timer = Timer {
        owner: running.owner,
        function,
        period: repeat.then_some(ticks),
        set_by: running.task,
        loading: call.host.set_up_by(),
        failures: 0,
    };
    let limit = call.host.limits.get().timers;
    let id = call.host.schedule.borrow_mut().add_timer(now + ticks, timer, limit);
    id.map(|id| id.0 as i64)
        .ok_or_else(|| call.fail(format!("this script has {limit} timers already, as many as it may")))
}

fn cancel(call: &Call<'_>, id: i64) -> mlua::Result<bool> {
    let id = id as u64;
    if call.host.schedule.borrow_mut().cancel_timer(TimerId(id)) {
        return Ok(true);
    }
    // Numbers can be guessed: nobody ends what somebody else began, nor a behaviour's `run`.
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
