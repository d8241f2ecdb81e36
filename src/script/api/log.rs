//! `log.debug`, `log.info`, `log.warn`, `log.error`, and the list of handlers switched off after errors.

use super::define::entry;
use super::entry::{Call, Entry};
use crate::script::console::{Line, line};
use crate::script::error::{caller, shortened};
use crate::script::faults::SwitchedOff;
use crate::script::host::{Host, Level, Note};
use mlua::{Lua, Table, Value, Variadic};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Writes a line for the author only. The values are written as the console shows them, and joined by spaces.
        /// Tables are written with their contents, numbers with at most six digits after the point.
        rest Log.debug(rest: Option<Value> as "any" = "anything") -> () also["trace", "verbose"]
        example r#"
            log.debug("position", npc.x, npc.z)
        "#
        |call, rest| write(call, Level::Debug, rest)
    },
    entry! {
        /// Writes a line worth reading, with the file and line of the call.
        rest Log.info(rest: Option<Value> as "any" = "anything") -> () also["log", "print", "write"]
        example r#"
            log.info(npc.id, "is here", { x = npc.x, tags = npc:tags() })
        "#
        |call, rest| write(call, Level::Info, rest)
    },
    entry! {
        /// Writes a warning.
        rest Log.warn(rest: Option<Value> as "any" = "anything") -> () also["warning"]
        example r#"
            log.warn("the barrel is empty")
        "#
        |call, rest| write(call, Level::Warn, rest)
    },
    entry! {
        /// Writes an error. The handler continues; Lua's own `error` ends it.
        rest Log.error(rest: Option<Value> as "any" = "anything") -> () also["fatal", "critical"]
        example r#"
            log.error("no script for", npc.id)
        "#
        |call, rest| write(call, Level::Error, rest)
    },
    entry! {
        /// The handlers that are switched off until the next reload, and why.
        ///
        /// An error in a handler ends that call only. After ten errors in a row, the handler is switched off for its
        /// character or room script. A handler that ran out of fuel or memory is switched off at once. The list also
        /// has each `run` that ended with an error.
        fn Room.switched_off_handlers()
            -> (handlers: "SwitchedOff[]" = "the handlers, ordered by their character or room")
        also["dead_handlers", "failed_handlers"]
        example r#"
            for _, handler in ipairs(room:switched_off_handlers()) do
                log.warn(handler.who, handler.event, handler.why)
            end
            assert(#room:switched_off_handlers() == 0)
        "#
        |call| switched_off(call)
    },
];

/// Longest line kept; a script that logs a megabyte a tick does not fill the host's memory.
const MAX_LINE_BYTES: usize = 4096;

/// Instructions charged per line, besides its length: ten thousand lines in one call are too many.
const LINE_COST: u64 = 1000;

/// Instructions charged for copying a value out of a table and writing it in words.
const VALUE_COST: u64 = 50;

/// Instructions charged per handler put into a table.
const HANDLER_COST: u64 = 200;

fn switched_off(call: &Call<'_>) -> mlua::Result<Vec<Table>> {
    let all = call.host.switched_off();
    call.host.charge(call.lua, all.len() as u64 * HANDLER_COST)?;
    let table_of = |handler: &SwitchedOff| {
        let table = call.lua.create_table()?;
        table.raw_set("who", handler.who.as_str())?;
        table.raw_set("event", handler.event.as_str())?;
        table.raw_set("file", handler.file.as_str())?;
        table.raw_set("why", handler.why.as_str())?;
        Ok(table)
    };
    all.iter().take(MOST_HANDLERS).map(table_of).collect()
}

/// Maximum handlers in the list.
const MOST_HANDLERS: usize = 1000;

fn write(call: &Call<'_>, level: Level, values: Variadic<Value>) -> mlua::Result<Value> {
    say(call.lua, call.host, level, &values, " ")?;
    Ok(Value::Nil)
}

/// Writes values as a line of the log, and charges for it.
pub(super) fn say(
    lua: &Lua,
    host: &Host,
    level: Level,
    values: &[Value],
    separator: &str,
) -> mlua::Result<()> {
    host.charge(lua, LINE_COST + values.len() as u64 * 20)?;
    let Line { text, copied } = line(lua, host, values, separator)?;
    host.charge(lua, copied as u64 * VALUE_COST + text.len() as u64 / 8)?;
    let text = shortened(text, MAX_LINE_BYTES);
    host.charge(lua, text.len() as u64)?;
    let place = caller(lua).map(|(file, line)| format!("{file}:{line}")).unwrap_or_default();
    host.note(Note::Log { level, place, text });
    Ok(())
}
