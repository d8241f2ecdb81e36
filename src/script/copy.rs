//! Copies of Lua values as plain data.

use super::answer::{Datum, Record};
use super::api::{Area, Link, Npc, RoomObject, Tactics, Thing, Waypath};
use super::error::{MAX_MESSAGE_BYTES, dissect, shortened};
use super::host::Host;
use super::modules::FORWARD_MARK;
use super::sandbox::SHARED_MARK;
use mlua::{AnyUserData, Function, Table, Value};
use std::collections::BTreeMap;
use std::ffi::c_void;

/// Maximum depth to which tables are copied.
const MAX_DEPTH: usize = 8;

/// Maximum fields of a metatable that are looked at.
const MOST_FIELDS: usize = 1000;

/// The remaining budget of a copy.
pub(super) struct Room<'a> {
    host: &'a Host,
    pub(super) values: usize,
    bytes: usize,
    /// Places of tables that may still be looked at, empty ones included.
    pub(super) places: u64,
    /// Whether to call tables' `__tostring`, which runs scripts' code.
    asks: bool,
    /// The tables around the one that is being copied.
    around: Vec<*const c_void>,
}

impl<'a> Room<'a> {
    /// For the console, whose copies use the tables' own words.
    pub(super) fn asking(host: &'a Host, values: usize, bytes: usize) -> Self {
        Self { host, values, bytes, places: u64::MAX, asks: true, around: Vec::new() }
    }

    /// For onlookers: no script runs, and nothing in Lua changes: no address, on which runs depend, nor what tables know
    /// of their own length.
    pub(super) fn silent(host: &'a Host, values: usize, bytes: usize, places: u64) -> Self {
        Self { host, values, bytes, places, asks: false, around: Vec::new() }
    }

    pub(super) fn copy(&mut self, value: &Value, depth: usize) -> Datum {
        match value {
            Value::Nil => Datum::Nil,
            Value::Boolean(flag) => Datum::Boolean(*flag),
            Value::Integer(number) => Datum::Integer(*number),
            Value::Number(number) => Datum::Number(*number),
            Value::String(text) => {
                let text = shortened(text.to_string_lossy(), self.bytes);
                self.bytes = self.bytes.saturating_sub(text.len());
                Datum::Text(text)
            }
            Value::Table(table) => self.copy_table(table, depth),
            Value::Function(function) => {
                let info = function.info();
                let file = info.source.as_deref().and_then(|source| source.strip_prefix('@'));
                let place = file.map(|file| format!(" {file}:{}", info.line_defined.unwrap_or(0)));
                Datum::Other(format!("function{}", place.unwrap_or_default()))
            }
            Value::Thread(_) => Datum::Other("coroutine".into()),
            Value::Error(error) => Datum::Other(dissect(error).2),
            // All userdata of this crate has a `__tostring`.
            Value::UserData(ours) if self.asks => {
                Datum::Other(Value::UserData(ours.clone()).to_string().unwrap_or_else(|_| "userdata".into()))
            }
            Value::UserData(ours) => Datum::Other(name_of(self.host, ours)),
            other => Datum::Other(other.type_name().into()),
        }
    }

    pub(super) fn copy_key(&mut self, key: &Value) -> Datum {
        self.copy(key, MAX_DEPTH)
    }

    /// A copy of a value of this table.
    pub(super) fn copy_within(&mut self, table: &Table, value: &Value) -> Datum {
        self.around.push(table.to_pointer());
        let copied = self.copy(value, 0);
        self.around.pop();
        copied
    }

    fn copy_table(&mut self, table: &Table, depth: usize) -> Datum {
        let hidden = table.metatable();
        let asked = hidden.as_ref().filter(|_| self.asks);
        if let Some(words) = asked.and_then(|hidden| in_its_own_words(table, hidden)) {
            return Datum::Other(shortened(words, MAX_MESSAGE_BYTES));
        }
        // A table shared by all scripts is empty, as is a module's own one after a reload; the content is in the
        // `__index` of the metatable.
        let is_marked = |hidden: &Table, mark: &str| self.field(hidden, mark) == Some(Value::Boolean(true));
        let front = hidden.filter(|hidden| is_marked(hidden, SHARED_MARK) || is_marked(hidden, FORWARD_MARK));
        let behind = match front.and_then(|hidden| self.field(&hidden, "__index")) {
            Some(Value::Table(behind)) => Some(behind),
            _ => None,
        };
        let table = behind.as_ref().unwrap_or(table);
        let mut record = Record::default();
        if depth >= MAX_DEPTH {
            record.cut = table.pairs::<Value, Value>().next().is_some();
            return Datum::Table(record);
        }
        let address = table.to_pointer();
        if !self.asks && self.around.contains(&address) {
            return Datum::Other("a table around this one".into());
        }
        let places = self.host.meter.work(table);
        if self.places < places {
            record.cut = true;
            return Datum::Table(record);
        }
        self.places -= places;
        self.around.push(address);
        match self.asks {
            true => self.copy_entries(table, depth, &mut record),
            false => self.copy_unnoticed(table, depth, &mut record),
        }
        self.around.pop();
        Datum::Table(record)
    }

    fn copy_entries(&mut self, table: &Table, depth: usize, record: &mut Record) {
        let length = table.raw_len();
        for index in 1..=length {
            if !self.take() {
                record.cut = true;
                return;
            }
            let value = table.raw_get(index).unwrap_or(Value::Nil);
            record.list.push(self.copy(&value, depth + 1));
        }
        let in_list = |key: &Value| {
            key.as_integer()
                .and_then(|key| usize::try_from(key).ok())
                .is_some_and(|key| (1..=length).contains(&key))
        };
        for (key, value) in table.pairs::<Value, Value>().filter_map(Result::ok) {
            if in_list(&key) {
                continue;
            }
            if !self.take() {
                record.cut = true;
                break;
            }
            let key = self.copy_key(&key);
            record.fields.push((key, self.copy(&value, depth + 1)));
        }
        sort(&mut record.fields);
    }

    /// As `copy_entries`, without asking for the length: Lua keeps the end of a list that it found last, and a later `#`
    /// of a list with holes depends on it.
    fn copy_unnoticed(&mut self, table: &Table, depth: usize, record: &mut Record) {
        let mut numbered = BTreeMap::new();
        for (key, value) in table.pairs::<Value, Value>().filter_map(Result::ok) {
            if !self.take() {
                record.cut = true;
                break;
            }
            match key {
                Value::Integer(number) => drop(numbered.insert(number, self.copy(&value, depth + 1))),
                other => {
                    let key = self.copy_key(&other);
                    record.fields.push((key, self.copy(&value, depth + 1)));
                }
            }
        }
        for number in 1.. {
            let Some(value) = numbered.remove(&number) else { break };
            record.list.push(value);
        }
        record.fields.extend(numbered.into_iter().map(|(number, value)| (Datum::Integer(number), value)));
        sort(&mut record.fields);
    }

    fn field(&self, table: &Table, name: &str) -> Option<Value> {
        if self.asks { table.raw_get(name).ok() } else { field(table, name) }
    }

    fn take(&mut self) -> bool {
        let left = self.values > 0;
        self.values = self.values.saturating_sub(1);
        left
    }
}

/// Sorts the copied entries of a table by their keys. Keys that look alike are sorted by their values: their own order is
/// that of addresses.
pub(super) fn sort(entries: &mut [(Datum, Datum)]) {
    let words = |value: &Datum| value.to_string();
    entries.sort_by(|(one, first), (other, second)| {
        one.before(other).then_with(|| words(first).cmp(&words(second)))
    });
}

/// A field of a metatable, found without making a Lua string of its name.
pub(super) fn field(table: &Table, name: &str) -> Option<Value> {
    let fields = table.pairs::<Value, Value>().filter_map(Result::ok).take(MOST_FIELDS);
    let is_meant = |key: &Value| matches!(key, Value::String(key) if *key == name);
    fields.into_iter().find(|(key, _)| is_meant(key)).map(|(_, value)| value)
}

/// An object of the room, as its `__tostring` says it.
fn name_of(host: &Host, object: &AnyUserData) -> String {
    if let Ok(npc) = object.borrow::<Npc>() {
        return format!("npc:{}", host.world().name_of(npc.id));
    }
    if let Ok(area) = object.borrow::<Area>() {
        return format!("area:{}", area.name);
    }
    if let Ok(link) = object.borrow::<Link>() {
        return format!("link:{}", link.name);
    }
    if let Ok(waypath) = object.borrow::<Waypath>() {
        return format!("waypath:{}", waypath.name);
    }
    if let Ok(thing) = object.borrow::<Thing>() {
        return format!("{}:{}", thing.kind, thing.id);
    }
    match (object.is::<RoomObject>(), object.is::<Tactics>()) {
        (true, _) => format!("room:{}", host.world().room().name),
        (_, true) => format!("tactics:{}", host.world().room().name),
        _ => "userdata".into(),
    }
}

/// The result of a table's `__tostring`, if it has one that works.
fn in_its_own_words(table: &Table, metatable: &Table) -> Option<String> {
    let words = metatable.raw_get::<Option<Function>>("__tostring").ok()??;
    words.call::<mlua::LuaString>(table).ok().map(|words| words.to_string_lossy())
}
