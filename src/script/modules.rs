//! Lua files as modules, as data: what was loaded, who requires whom, tables that stay the same while their content changes.
//! Nothing here runs Lua code; see `load.rs`.

use mlua::{Function, Lua, Table, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};

/// All modules that were asked for, by their project-relative path.
#[derive(Default)]
pub(super) struct Modules {
    pub(super) all: BTreeMap<String, Module>,
    /// Those whose chunk is running right now, outermost first.
    pub(super) loading: Vec<String>,
    /// The first file whose chunk failed since this was last taken, whether or not somebody caught the error.
    pub(super) failed: Option<(String, mlua::Error)>,
    /// Whose chunks were running when that happened, outermost first.
    pub(super) failed_within: Vec<String>,
    /// What names in `require` were found to mean.
    pub(super) names: BTreeMap<String, String>,
    /// During a reload: compiled, not yet run.
    pub(super) pending: BTreeMap<String, Compiled>,
}

#[derive(Clone, Default)]
pub(super) struct Module {
    /// What `require` gives.
    pub(super) value: Value,
    /// The first table it gave: every later one is poured into it, so that nobody holds an old one.
    pub(super) table: Option<Table>,
    pub(super) requires: BTreeSet<String>,
    /// Whether its last load succeeded.
    pub(super) good: bool,
    /// Nobody needs it any more. It keeps its table, and is loaded again when somebody requires it.
    pub(super) asleep: bool,
    /// The text it was last loaded from, well or not; `None` if that could not be read.
    pub(super) text: Option<TextHash>,
    /// What that text was compiled to, if it was: run again when something it requires changes.
    pub(super) chunk: Option<Function>,
}

/// A file's text as far as equality goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct TextHash(u64);

impl TextHash {
    pub(super) fn of(text: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write(text.as_bytes());
        Self(hasher.finish())
    }
}

/// A file's text as a function that runs it.
#[derive(Clone)]
pub(super) struct Compiled {
    pub(super) chunk: Function,
    pub(super) text: TextHash,
}

impl Modules {
    pub(super) fn is_known(&self, path: &str) -> bool {
        self.all.get(path).is_some_and(|module| !module.asleep)
    }

    /// Every file that matters: loaded ones and those looked for in vain.
    pub(super) fn paths(&self) -> impl Iterator<Item = &String> {
        self.all.iter().filter(|(_, module)| !module.asleep).map(|(path, _)| path)
    }

    /// The table of handlers of a behaviour.
    pub(super) fn behaviour(&self, path: &str) -> Option<&Table> {
        self.all.get(path).and_then(|module| module.value.as_table())
    }

    /// The module whose chunk is running.
    pub(super) fn now_loading(&self) -> Option<&String> {
        self.loading.last()
    }

    /// `changed` and everything that requires it, directly or not.
    pub(super) fn with_dependents(&self, changed: &BTreeSet<String>) -> BTreeSet<String> {
        let mut affected: BTreeSet<String> =
            changed.iter().filter(|path| self.is_known(path)).cloned().collect();
        loop {
            let before = affected.len();
            for (path, module) in self.all.iter().filter(|(_, module)| !module.asleep) {
                if module.requires.iter().any(|required| affected.contains(required)) {
                    affected.insert(path.clone());
                }
            }
            if affected.len() == before {
                return affected;
            }
        }
    }

    /// `users` and everything they require, directly or not.
    pub(super) fn with_requirements(&self, users: &BTreeSet<String>) -> BTreeSet<String> {
        let mut needed = users.clone();
        let mut left: Vec<&String> = users.iter().collect();
        while let Some(module) = left.pop().and_then(|path| self.all.get(path)) {
            left.extend(module.requires.iter().filter(|path| needed.insert((*path).clone())));
        }
        needed
    }
}

pub(super) fn entries(table: &Table) -> Vec<(Value, Value)> {
    table.pairs::<Value, Value>().filter_map(Result::ok).collect()
}

pub(super) fn refill(table: &Table, new: &[(Value, Value)], metatable: Option<Table>) {
    let _ = table.set_metatable(None);
    for (key, _) in entries(table) {
        let _ = table.raw_set(key, Value::Nil);
    }
    for (key, value) in new {
        let _ = table.raw_set(key.clone(), value.clone());
    }
    let _ = table.set_metatable(metatable);
}

/// The fresh chunk's own functions hold `fresh` as an upvalue; everybody else holds `kept`. Emptied and forwarding, `fresh` is
/// another name of the same thing.
pub(super) fn forward(lua: &Lua, fresh: &Table, kept: &Table) -> mlua::Result<()> {
    refill(fresh, &[], None);
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", kept)?;
    metatable.raw_set("__newindex", kept)?;
    let iterate = kept.clone();
    let next: Function = lua.globals().raw_get("next")?;
    metatable.raw_set(
        "__pairs",
        lua.create_function(move |_, _: Value| Ok((next.clone(), iterate.clone(), Value::Nil)))?,
    )?;
    let measured = kept.clone();
    metatable.raw_set("__len", lua.create_function(move |_, _: Value| Ok(measured.raw_len()))?)?;
    fresh.set_metatable(Some(metatable))
}
