//! Undo of a reload. Copies only state that the reload touches, and tables, which Lua code may change
//! unnoticed.

use crate::script::host::{Before, Host};
use crate::script::modules::{Module, entries, refill};
use mlua::{Lua, Table, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The state before a reload.
pub(super) struct Undo {
    modules: BTreeMap<String, Module>,
    tables: Snapshot,
    spawned: u64,
    letters: usize,
}

/// Maximum table entries copied. Copying them takes some ten milliseconds; a project that keeps more in its
/// modules and in `room.state` gets back the first ones.
const MOST_ENTRIES: usize = 100_000;

impl Undo {
    /// Saves the current state. Changes by the files' top-level code to the world, timers and subscriptions
    /// are recorded when they happen.
    ///
    /// The tables of modules, `state`, and every table reachable from them get back their entries and
    /// metatables. Local variables that old functions captured are not reachable: if a chunk calls such
    /// functions and then fails, their writes remain.
    pub(super) fn begin(lua: &Lua, host: &Host, affected: &BTreeSet<String>, state: Option<Table>) -> Self {
        *host.before.borrow_mut() = Some(Before::default());
        host.schedule.borrow_mut().remember();
        let modules = host.modules.borrow().all.clone();
        let table = |(_, module): (&String, &Module)| module.table.clone();
        let (first, then): (Vec<_>, Vec<_>) = modules.iter().partition(|(path, _)| affected.contains(*path));
        let refilled: Vec<Table> = first.into_iter().filter_map(table).collect();
        let others = then.into_iter().filter_map(table).chain(state).collect();
        let tables = Snapshot::of(lua, refilled, others);
        Self { modules, tables, spawned: host.people.spawned.get(), letters: host.mail.outbox.borrow().len() }
    }

    /// Whether a module was in use.
    pub(super) fn knew(&self, path: &str) -> bool {
        self.modules.get(path).is_some_and(|module| !module.asleep)
    }

    /// Whether a module had a text in quotes.
    pub(super) fn had_text(&self, path: &str, text: &str) -> bool {
        self.modules.get(path).is_some_and(|module| module.strings.iter().any(|string| string == text))
    }

    /// Keeps the changes.
    pub(super) fn forget(self, host: &Host) {
        *host.before.borrow_mut() = None;
        host.schedule.borrow_mut().keep();
    }

    /// Restores the saved state.
    pub(super) fn restore(self, host: &Host) {
        let before = host.before.borrow_mut().take().unwrap_or_default();
        if let Some(world) = before.world {
            // Characters that came in since never existed; the next to come in gets the same id.
            host.lua.characters.borrow_mut().retain(|who, _| world.character(*who).is_some());
            *host.world_mut() = *world;
        }
        if let Some(arrivals) = before.arrivals {
            *host.arrivals_mut() = arrivals;
        }
        host.schedule.borrow_mut().take_back();
        host.people.spawned.set(self.spawned);
        host.mail.outbox.borrow_mut().truncate(self.letters);
        host.modules.borrow_mut().all = self.modules;
        self.tables.restore();
    }
}

/// Snapshots of tables. The copies are Lua tables too, so they count as the scripts' memory and need no
/// handle per entry.
struct Snapshot {
    tables: Vec<(Table, Table, Option<Table>)>,
}

impl Snapshot {
    /// Copies the `certain` tables in any case; then, depth first, every table reachable from them and from
    /// `roots`, up to the limit.
    fn of(lua: &Lua, certain: Vec<Table>, roots: Vec<Table>) -> Self {
        let mut snapshot = Self { tables: Vec::new() };
        let mut seen = BTreeSet::new();
        let mut left = Vec::new();
        let mut count = 0;
        for table in certain {
            seen.insert(table.to_pointer() as usize);
            count += snapshot.add(lua, table, &mut left);
        }
        left.extend(roots.into_iter().rev());
        while let Some(table) = left.pop() {
            if !seen.insert(table.to_pointer() as usize) {
                continue;
            }
            if count >= MOST_ENTRIES {
                log::debug!(
                    "scripts keep more than {MOST_ENTRIES} entries; a failing reload may change some"
                );
                break;
            }
            count += snapshot.add(lua, table, &mut left);
        }
        snapshot
    }

    /// Copies a table and notes the tables it refers to. Returns the entries copied, plus one.
    fn add(&mut self, lua: &Lua, table: Table, left: &mut Vec<Table>) -> usize {
        let mut count = 1;
        let Ok(copy) = lua.create_table() else { return count };
        let copied = table.for_each::<Value, Value>(|key, value| {
            count += 1;
            left.extend([&key, &value].into_iter().filter_map(Value::as_table).cloned());
            copy.raw_set(key, value)
        });
        let metatable = table.metatable();
        left.extend(metatable.clone());
        if copied.is_ok() {
            self.tables.push((table, copy, metatable));
        }
        count
    }

    fn restore(self) {
        for (table, copy, metatable) in self.tables {
            refill(&table, &entries(&copy), metatable);
        }
    }
}
