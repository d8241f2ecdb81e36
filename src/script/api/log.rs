//! `log.debug`, `log.info`, `log.warn`, `log.error`.

use crate::script::error::{caller, shortened};
use crate::script::host::{Host, Level, Note};
use mlua::{Lua, LuaString, Table, Value, Variadic};
use std::rc::Rc;

/// Longest line kept; a script that logs a megabyte a tick does not fill the host's memory.
const MAX_LINE_BYTES: usize = 4096;

/// What a line costs beside its length, in instructions: ten thousand of them in one call are too many.
const LINE_COST: u64 = 1000;

pub(super) fn table(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    let log = lua.create_table()?;
    for (name, level) in
        [("debug", Level::Debug), ("info", Level::Info), ("warn", Level::Warn), ("error", Level::Error)]
    {
        let host = host.clone();
        let write = lua.create_function(move |lua, words: Variadic<Value>| {
            host.charge(lua, LINE_COST + words.len() as u64 * 20)?;
            let to_string: mlua::Function = lua.globals().raw_get("tostring")?;
            let in_words = |word| to_string.call::<LuaString>(word).map(|word| word.to_string_lossy());
            let words: Vec<String> = words.into_iter().map(in_words).collect::<mlua::Result<_>>()?;
            host.charge(lua, words.iter().map(|word| word.len() as u64 / 8).sum())?;
            let text = shortened(words.join(" "), MAX_LINE_BYTES);
            host.charge(lua, text.len() as u64)?;
            let place = caller(lua).map(|(file, line)| format!("{file}:{line}")).unwrap_or_default();
            host.note(Note::Log { level, place, text });
            Ok(())
        })?;
        log.raw_set(name, write)?;
    }
    Ok(log)
}
