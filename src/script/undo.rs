//! How things were before a reload, to go back to. Nothing is copied that the reload does not touch, except what Lua code may
//! change behind our back: tables.

use super::host::{Before, Host};
use super::modules::{Module, entries, refill};
use mlua::{Lua, Table, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How things were before a reload.
pub(super) struct Undo {
    modules: BTreeMap<String, Module>,
    tables: Snapshot,
    spawned: u64,
    letters: usize,
}

/// So many entries of tables are remembered. Copying them takes some ten milliseconds; a project that keeps more than this in
/// its modules and in `room.state` gets back what comes first.
const MOST_ENTRIES: usize = 100_000;

impl Undo {
    /// Remembers how things are. What the files' own lines will do to the world, to timers and to subscriptions is remembered
    /// when they do it.
    ///
    /// The tables of modules and `state`, and every table that can be reached from them, get back their entries and their
    /// metatables. What old functions keep in local variables of their file cannot be reached: a chunk that fails only after
    /// it called such functions leaves there what they wrote.
    pub(super) fn begin(lua: &Lua, host: &Host, affected: &BTreeSet<String>, state: Option<Table>) -> Self {
        *host.before.borrow_mut() = Some(Before::default());
        host.schedule.borrow_mut().remember();
        let modules = host.modules.borrow().all.clone();
        let table = |(_, module): (&String, &Module)| module.table.clone();
        let (first, then): (Vec<_>, Vec<_>) = modules.iter().partition(|(path, _)| affected.contains(*path));
        let refilled: Vec<Table> = first.into_iter().filter_map(table).collect();
        let others = then.into_iter().filter_map(table).chain(state).collect();
        let tables = Snapshot::of(lua, refilled, others);
        Self { modules, tables, spawned: host.spawned.get(), letters: host.outbox.borrow().len() }
    }

    /// Whether a module was there.
    pub(super) fn knew(&self, path: &str) -> bool {
        self.modules.get(path).is_some_and(|module| !module.asleep)
    }

    /// What happened since stays.
    pub(super) fn forget(self, host: &Host) {
        *host.before.borrow_mut() = None;
        host.schedule.borrow_mut().keep();
    }

    /// Everything is as it was.
    pub(super) fn restore(self, host: &Host) {
        let before = host.before.borrow_mut().take().unwrap_or_default();
        if let Some(world) = before.world {
            // Who came in since will not have been here; the next to come in gets the same id.
            host.handles.borrow_mut().retain(|who, _| world.character(*who).is_some());
            *host.world_mut() = *world;
        }
        if let Some(arrivals) = before.arrivals {
            *host.arrivals_mut() = arrivals;
        }
        host.schedule.borrow_mut().take_back();
        host.spawned.set(self.spawned);
        host.outbox.borrow_mut().truncate(self.letters);
        host.modules.borrow_mut().all = self.modules;
        self.tables.restore();
    }
}

/// Tables as they were: what they held lies in copies that are Lua tables too, so that it counts as the scripts' memory and
/// costs no handle for every entry.
struct Snapshot {
    tables: Vec<(Table, Table, Option<Table>)>,
}

impl Snapshot {
    /// `certain` tables in any case; then, depth first, every table that can be reached from them and from `roots`, as long as
    /// there are not too many.
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

    /// Copies a table and notes which tables it leads to. Gives how much that was.
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
