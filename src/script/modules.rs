//! Lua files as modules, as data: loaded files, their dependencies, and tables that keep their identity while
//! their content changes. Nothing here runs Lua code; see `load.rs`.

use mlua::{Function, Lua, Table, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

/// All requested modules, by project-relative path.
#[derive(Default)]
pub(super) struct Modules {
    pub(super) all: BTreeMap<String, Module>,
    /// Modules whose chunk is running, outermost first.
    pub(super) loading: Vec<String>,
    /// The first file whose chunk failed since this was last taken, even if a script caught the error.
    pub(super) failed: Option<(String, mlua::Error)>,
    /// The modules whose chunks were running then, outermost first.
    pub(super) failed_within: Vec<String>,
    /// The paths that names in `require` resolved to.
    pub(super) names: BTreeMap<String, String>,
    /// During a reload: compiled, not yet run.
    pub(super) pending: BTreeMap<String, Compiled>,
}

#[derive(Clone, Default)]
pub(super) struct Module {
    /// The result of `require`.
    pub(super) value: Value,
    /// The first table it returned: later ones are copied into it, so that no script holds an old one.
    pub(super) table: Option<Table>,
    pub(super) requires: BTreeSet<String>,
    /// Whether its last load succeeded.
    pub(super) good: bool,
    /// Whether no script needs it any more. It keeps its table, and is loaded again when required.
    pub(super) asleep: bool,
    /// The text of its last load, successful or not; `None` if unreadable.
    pub(super) text: Option<TextHash>,
    /// All texts in quotes of its last load.
    pub(super) strings: Arc<[String]>,
    /// The compiled text, if it compiled: run again when a required module changes.
    pub(super) chunk: Option<Function>,
}

/// A hash of a file's text, to test for equality.
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
    /// All texts in quotes.
    pub(super) strings: Arc<[String]>,
    /// The length of the text.
    pub(super) bytes: usize,
}

impl Modules {
    pub(super) fn is_known(&self, path: &str) -> bool {
        self.all.get(path).is_some_and(|module| !module.asleep)
    }

    /// All relevant files: loaded ones, and missing ones that were requested.
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

    /// `users` and everything that they require, directly or not.
    pub(super) fn with_requirements(&self, users: &BTreeSet<String>) -> BTreeSet<String> {
        let mut needed = users.clone();
        let mut left: Vec<&String> = users.iter().collect();
        while let Some(module) = left.pop().and_then(|path| self.all.get(path)) {
            left.extend(module.requires.iter().filter(|path| needed.insert((*path).clone())));
        }
        needed
    }
}

/// Marks the metatable of a table that stands for the one in its `__index`.
pub(super) const FORWARD_MARK: &str = "__forwards";

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

/// The new chunk's functions hold `fresh` as an upvalue; all other code holds `kept`. `fresh` is emptied and
/// forwards to `kept`, so both are the same table in effect.
pub(super) fn forward(lua: &Lua, fresh: &Table, kept: &Table) -> mlua::Result<()> {
    refill(fresh, &[], None);
    let metatable = lua.create_table()?;
    metatable.raw_set(FORWARD_MARK, true)?;
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
