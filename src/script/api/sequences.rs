//! Sequences: functions that wait.

use super::args::Seconds;
use super::define::entry;
use super::entry::{Call, Entry, Many};
use super::values::describe;
use crate::crowd::CharacterId;
use crate::script::error::{beginning_of, caller};
use crate::script::host::SEQUENCE;
use crate::script::owner::Owner;
use crate::script::task::{Role, Task, Wait};
use crate::world::Command;
use mlua::{Function, Lua, MultiValue, Thread, Value, Variadic};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Waits for some seconds of game time.
        wait Global.wait(seconds: Seconds = "how long") -> (ok: "boolean" = "true", reason: "Reason" = "`done`")
        also["sleep", "delay", "yield", "WaitForSeconds", "pause"]
        example r#"
            local before = room.time
            wait(0.5)
            assert(room.time - before >= 0.5)
        "#
        |call| {
            let until = {
                let world = call.host.world();
                world.tick_number() + world.ticks_of(seconds.0)
            };
            sleep(call, Wait::Until(until)).map(|()| true)
        }
    },
    entry! {
        /// Waits until a function returns true. The function is called once a tick.
        prelude Global.wait_until(
            condition: Function as "fun(): boolean?" = "what to wait for",
            timeout: Option<Seconds> = "how long at most, in seconds"
        ) -> (ok: "boolean" = "whether the condition became true", reason: "Reason" = "`done` or `timeout`")
        also["wait_for", "WaitUntil", "wait_while"]
        example r#"
            room:npc("ann"):set_target("well")
            local ok = wait_until(function() return room:npc("ann"):distance_to("well") < 0.5 end, 20)
            assert(ok)
            local never, reason = wait_until(function() return false end, 0.1)
            assert(not never and reason == "timeout")
        "#
        blocks true
    },
    entry! {
        /// Runs functions side by side, and waits until all of them are over.
        ///
        /// Each function is a sequence of its own. `ok` is false if a function returned false as its first value, as
        /// `return npc:walk_to("bar")` does when the walk does not arrive. `reason` is then the second value of the
        /// first such function. An error in a function ends all of them, and the sequence that waits for them; a
        /// `pcall` around `all` does not catch it.
        wait Global.all(branches: Vec<Function> as "(fun(): boolean?, any)[]" = "the functions")
            -> (ok: "boolean" = "whether no function returned false", reason: "string" = "`done`, or why not")
        also["parallel", "together", "wait_all", "WhenAll", "gather"]
        example r#"
            local ann = room:npc("ann")
            local ok = all{
                function() return npc:walk_to("well") end,
                function() return ann:walk_to("bar") end,
            }
            assert(ok and npc:distance_to("well") < 0.5 and ann:distance_to("bar") < 0.5)
        "#
        |call| branch(call, branches, false)
    },
    entry! {
        /// Runs functions side by side until the first of them is over. The others end, and so do the walks that they
        /// began.
        wait Global.race(branches: Vec<Function> as "(fun(): boolean?, any)[]" = "the functions, at least one")
            -> (
                ok: "boolean" = "false if the winner returned false",
                reason: "string" = "`done`, or the second value of the winner",
                winner: "integer" = "the index of the winner in the list"
            )
        also["any", "first", "wait_any", "WhenAny"]
        example r#"
            local ok, reason, winner = race{
                function() return npc:walk_to("well") end,
                function() wait(0.5) return false, "too slow" end,
            }
            assert(not ok and reason == "too slow" and winner == 2 and not npc:is_moving())
        "#
        |call| branch(call, branches, true)
    },
    entry! {
        /// Runs a function as a sequence of its own, and returns at once. It begins when sequences next have their
        /// turn.
        ///
        /// A handler starts a sequence for work that takes time. If the file is saved meanwhile, the sequence continues
        /// with the code it began with.
        rest Global.start(
            action: Function as "fun(...)" = "what to run",
            rest: Option<Value> as "any" = "its arguments"
        ) -> (sequence: "integer" = "for `cancel`") also["StartCoroutine", "spawn_task", "run_async", "fork"]
        example r#"
            start(function(who)
                who:walk_to("well")
                who:say("Fresh water!", 1)
            end, npc)
            wait(0.1)
            assert(npc:is_moving())
        "#
        |call, rest| start(call, rest)
    },
    entry! {
        /// Shows words over the character. In a sequence, with `seconds`, it also waits until that time is over.
        wait Npc.say(text: Value as "string|number" = "the words", seconds: Option<Seconds> = "how long; 2 if left out")
            -> (ok: "boolean?" = "true after waiting; nothing without waiting", reason: "Reason?" = "`done`")
        also["speak", "talk", "print", "message", "bark"]
        example r#"
            npc:say("Welcome!")           -- continues at once
            npc:say("What will it be?", 1) -- a second later
            assert(npc.saying == nil)
        "#
        |call| say(call, &text, seconds)
    },
];

/// Puts the running sequence to sleep with this wait; an error outside of sequences.
pub(super) fn sleep(call: &Call<'_>, wait: Wait) -> mlua::Result<()> {
    let running = call.host.call.running.get();
    let ours = running
        .task
        .and_then(|id| call.host.schedule.borrow().task(running.owner, id).map(|task| task.thread.clone()));
    // A sequence that cancelled itself sleeps for good.
    let called_off = ours.is_none() && running.task.is_some();
    if !called_off && ours.is_none_or(|thread| thread != call.lua.current_thread()) {
        let hint = match running.task {
            Some(_) => {
                "in a coroutine of your own nothing can; start(function() … end) and all{…} make sequences"
            }
            None => {
                "call it in run(self, npc) or in start(function() … end); handlers use after(seconds, fn)"
            }
        };
        return Err(call.fail(format!("only a sequence can wait; {hint}")));
    }
    if !call.host.call.may_sleep.get() {
        return Err(
            call.fail("nothing can wait inside of a function that a library calls, as string.gsub does")
        );
    }
    call.host.call.wait.set(Some(wait));
    if let Some(spec) = call.host.spec().filter(|_| running.owner == Owner::SPEC) {
        *spec.waits_at.borrow_mut() = caller(call.lua);
    }
    Ok(())
}

/// How long words without a time are shown.
const SAY_S: f64 = 2.0;

/// Shows the words; true if the sequence should now wait until they have been shown.
fn say(call: &Call<'_>, text: &Value, seconds: Option<Seconds>) -> mlua::Result<bool> {
    if !matches!(text, Value::String(_) | Value::Integer(_) | Value::Number(_)) {
        return Err(call.wrong("text", "a string or a number", text));
    }
    let shown_s = seconds.as_ref().map_or(SAY_S, |seconds| seconds.0);
    call.apply(Command::Say { who: call.who, text: text.to_string()?, seconds: shown_s })?;
    let until = {
        let world = call.host.world();
        world.tick_number() + world.ticks_of(shown_s)
    };
    let in_sequence = seconds.is_some() && call.host.call.running.get().task.is_some();
    Ok(in_sequence && sleep(call, Wait::Until(until)).is_ok())
}

/// Instructions charged for interrupting a character's activity.
const DIRECT_COST: u64 = 500;

/// Instructions charged for creating a coroutine.
const START_COST: u64 = 500;

fn start(call: &Call<'_>, rest: Variadic<Value>) -> mlua::Result<i64> {
    let mut args: MultiValue = rest.into_iter().collect();
    let function = match args.pop_front() {
        Some(Value::Function(function)) => function,
        other => {
            let found = describe(call.host, &other.unwrap_or(Value::Nil));
            let hint = "write the function's name without (), or function() … end";
            return Err(call.fail(format!("the first argument must be a function, not {found}; {hint}")));
        }
    };
    let task = new_task(call, function, args, Role::OneShot)?;
    let limit = call.host.limits.get().sequences;
    let id = call.host.schedule.borrow_mut().add_task(call.host.owner(), task, limit);
    id.map(|id| id.0 as i64).ok_or_else(|| too_many(call, limit))
}

/// Starts branches of the running sequence, which sleeps until they are over.
fn branch(call: &Call<'_>, functions: Vec<Function>, race: bool) -> mlua::Result<Many> {
    branches(call, functions, race, Vec::new())
}

/// As [`branch`]; while they run, they direct these characters.
pub(super) fn branches(
    call: &Call<'_>,
    functions: Vec<Function>,
    race: bool,
    directs: Vec<CharacterId>,
) -> mlua::Result<Many> {
    sleep(call, Wait::Until(0))?;
    if functions.is_empty() {
        call.host.call.wait.set(None);
        if race {
            return Err(
                call.fail("branches must be at least one function: a race without branches has no winner")
            );
        }
        let done = Value::String(call.lua.create_string("done")?);
        return Ok(Many(MultiValue::from_iter([Value::Boolean(false), Value::Boolean(true), done])));
    }
    let running = call.host.call.running.get();
    let Some(parent) = running.task else { return Ok(Many(MultiValue::new())) };
    let (role, loading) = {
        let schedule = call.host.schedule.borrow();
        let parent = schedule.task(running.owner, parent);
        // Of a console line, only the line itself has an answer.
        let role = |task: &Task| match task.role {
            Role::Line | Role::Test => Role::OneShot,
            role => role,
        };
        parent.map_or((Role::OneShot, None), |task| (role(task), task.loading.clone()))
    };
    let mut tasks = Vec::new();
    for function in functions {
        let (loading, directs) = (loading.clone(), directs.clone());
        tasks.push(Task { loading, directs, ..new_task(call, function, MultiValue::new(), role)? });
    }
    let limit = call.host.limits.get().sequences;
    if !call.host.schedule.borrow_mut().add_branches((running.owner, parent), tasks, limit, race) {
        call.host.call.wait.set(None);
        return Err(too_many(call, limit));
    }
    call.host.call.wait.set(Some(Wait::Branches));
    // The characters of a scene stop at once, before its function gives the first order.
    call.host.charge(call.lua, directs.len() as u64 * DIRECT_COST)?;
    Ok(Many(MultiValue::from_iter([Value::Boolean(true)])))
}

fn new_task(call: &Call<'_>, function: Function, args: MultiValue, role: Role) -> mlua::Result<Task> {
    call.host.charge(call.lua, START_COST)?;
    let mut beginning = beginning_of(&function);
    if beginning.0.is_empty() {
        // A host function, such as in `start(wait, 5)`: errors are attributed to the calling code.
        beginning = caller(call.lua).map_or(beginning, |(file, line)| (file, line as u32));
    }
    let thread = sequence(call.lua, function, args)?;
    Ok(Task { loading: call.host.set_up_by(), ..Task::new(role, beginning.0.clone(), beginning, thread) })
}

fn too_many(call: &Call<'_>, limit: usize) -> mlua::Error {
    call.fail(format!("this script has {limit} sequences under way, as many as it may"))
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
