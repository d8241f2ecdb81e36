//! Lua values as plain data: tables with their content, including shared tables and cycles.

use super::answer::Datum;
use super::api::{
    Area, Link, Npc, RoomObject, Tactics, Thing, Waypath, area_handle, handle, link_handle, tactics_handle,
    thing_handle, waypath_handle,
};
use super::host::Host;
use super::sandbox::{Shape, whole_and_fraction};
use crate::crowd::CharacterId;
use mlua::{Lua, Table, Value};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::rc::Rc;

/// A saved value. Characters and areas are saved by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "this is nothing that scripts can keep")]
pub(super) enum SavedValue {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
    Special(Special),
}

/// Values without a JSON form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Special {
    /// An infinity or NaN: `inf`, `-inf`, `nan`.
    Number(String),
    /// A string that is not valid text.
    Bytes(Vec<u8>),
    /// One of the tables, by its number.
    Table(usize),
    /// A character in the room.
    Npc(String),
    /// A character that has left.
    Gone(u32),
    Area(String),
    Link(String),
    Waypath(String),
    Tactics(bool),
    /// A thing of the game: its type and number.
    Thing(String, u64),
    /// The room itself; a bare name would be read as text.
    Room(bool),
}

/// Tables in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedTables {
    /// The keys and values of each table, sorted by key.
    entries: Vec<Vec<(SavedValue, SavedValue)>>,
    /// The capacity of each table: it affects what `#` finds in a list with gaps, and what a traversal costs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    shapes: BTreeMap<usize, Shape>,
}

/// Maximum number of unsaveable values named in an error.
const MOST_NAMED: usize = 20;

/// A path longer than this is cut in the middle.
const LONGEST_PATH: usize = 200;

/// Copies values out of Lua. No script code runs meanwhile.
#[derive(Default)]
pub(super) struct ValueSaver {
    tables: Vec<(Table, String)>,
    numbers: BTreeMap<*const c_void, usize>,
    /// Values that cannot be saved, in words.
    refused: Vec<String>,
}

impl ValueSaver {
    /// Saves a value; `path` names it in errors. [`ValueSaver::finish`] saves the content of tables.
    pub(super) fn keep(
        &mut self,
        host: &Host,
        value: &Value,
        path: impl FnOnce() -> String,
    ) -> Option<SavedValue> {
        Some(match value {
            Value::Boolean(flag) => SavedValue::Flag(*flag),
            Value::Integer(number) => SavedValue::Whole(*number),
            Value::Number(number) if number.is_finite() => SavedValue::Number(*number),
            Value::Number(number) => SavedValue::Special(Special::Number(non_finite(*number).into())),
            Value::String(text) => match text.to_str() {
                Ok(text) => SavedValue::Text(text.to_owned()),
                Err(_) => SavedValue::Special(Special::Bytes(text.as_bytes().to_vec())),
            },
            Value::Table(table) => {
                let next = self.tables.len();
                let number = *self.numbers.entry(table.to_pointer()).or_insert(next);
                if number == next {
                    let path = path();
                    if table.metatable().is_some() {
                        self.refuse(format!(
                            "{path} has a metatable; keep plain tables, and set it in on_reload"
                        ));
                    }
                    self.tables.push((table.clone(), path));
                }
                SavedValue::Special(Special::Table(number))
            }
            Value::UserData(object) => {
                if let Ok(npc) = object.borrow::<Npc>() {
                    let name = host.world().character(npc.id).map(|character| character.name.clone());
                    SavedValue::Special(name.map_or(Special::Gone(npc.id.0), Special::Npc))
                } else if let Ok(area) = object.borrow::<Area>() {
                    SavedValue::Special(Special::Area(area.name.clone()))
                } else if let Ok(link) = object.borrow::<Link>() {
                    SavedValue::Special(Special::Link(link.name.clone()))
                } else if let Ok(waypath) = object.borrow::<Waypath>() {
                    SavedValue::Special(Special::Waypath(waypath.name.clone()))
                } else if let Ok(thing) = object.borrow::<Thing>() {
                    SavedValue::Special(Special::Thing(thing.kind.to_owned(), thing.id))
                } else if object.is::<Tactics>() {
                    SavedValue::Special(Special::Tactics(true))
                } else if object.is::<RoomObject>() {
                    SavedValue::Special(Special::Room(true))
                } else {
                    return self.refuse(format!("{} is {}", path(), value.type_name()));
                }
            }
            other => {
                let hint = "only data can be saved: set it in on_reload, or keep it outside of self";
                return self.refuse(format!("{} is a {}; {hint}", path(), other.type_name()));
            }
        })
    }

    /// All tables found, directly or in others; or the values that cannot be saved.
    pub(super) fn finish(mut self, host: &Host) -> Result<SavedTables, Vec<String>> {
        let mut kept = SavedTables::default();
        while let Some((table, path)) = self.tables.get(kept.entries.len()).cloned() {
            let mut pairs: Vec<(Value, Value)> =
                table.pairs::<Value, Value>().map_while(Result::ok).collect();
            // Sorted, so that the same data make the same file.
            pairs.sort_by(|(a, _), (b, _)| compare(host, a, b));
            if let Some(shape) = host.meter.shape(&table).filter(|shape| shape.places() > 0) {
                kept.shapes.insert(kept.entries.len(), shape);
            }
            let mut entries = Vec::new();
            for (key, value) in pairs {
                let name = || within(&path, &key);
                let key_kept = self.keep(host, &key, || format!("a key of {path}"));
                entries.extend(key_kept.zip(self.keep(host, &value, name)));
            }
            kept.entries.push(entries);
        }
        if self.refused.is_empty() { Ok(kept) } else { Err(self.refused) }
    }

    fn refuse(&mut self, why: String) -> Option<SavedValue> {
        if self.refused.len() < MOST_NAMED {
            self.refused.push(why);
        }
        None
    }
}

/// Restores values to Lua.
pub(super) struct Unpacker<'a> {
    lua: &'a Lua,
    host: &'a Rc<Host>,
    room: Value,
    tables: Vec<Table>,
}

impl<'a> Unpacker<'a> {
    /// Creates all tables.
    pub(super) fn new(
        lua: &'a Lua,
        host: &'a Rc<Host>,
        room: Value,
        kept: &SavedTables,
    ) -> mlua::Result<Self> {
        let make = |number: usize| match kept.shapes.get(&number) {
            Some(shape) => shape.make(lua),
            None => lua.create_table().map(|table| (table, 0)),
        };
        let made: Vec<(Table, u32)> = (0..kept.entries.len()).map(make).collect::<mlua::Result<_>>()?;
        let tables = made.iter().map(|(table, _)| table.clone()).collect();
        let unpacker = Self { lua, host, room, tables };
        for ((table, filled), entries) in made.into_iter().zip(&kept.entries) {
            for (key, value) in entries {
                table.raw_set(unpacker.value(key)?, unpacker.value(value)?)?;
            }
            let set: BTreeSet<i64> = entries
                .iter()
                .filter_map(|(key, _)| if let SavedValue::Whole(at) = key { Some(*at) } else { None })
                .collect();
            for at in (1..=i64::from(filled)).filter(|at| !set.contains(at)) {
                table.raw_set(at, Value::Nil)?;
            }
        }
        Ok(unpacker)
    }

    /// Restores one value.
    pub(super) fn value(&self, kept: &SavedValue) -> mlua::Result<Value> {
        let missing = |what: &str| mlua::Error::runtime(format!("{what} is not there"));
        Ok(match kept {
            SavedValue::Flag(flag) => Value::Boolean(*flag),
            SavedValue::Whole(number) => Value::Integer(*number),
            SavedValue::Number(number) => Value::Number(*number),
            SavedValue::Text(text) => Value::String(self.lua.create_string(text)?),
            SavedValue::Special(Special::Number(name)) => Value::Number(match name.as_str() {
                "inf" => f64::INFINITY,
                "-inf" => f64::NEG_INFINITY,
                _ => f64::NAN,
            }),
            SavedValue::Special(Special::Bytes(bytes)) => Value::String(self.lua.create_string(bytes)?),
            SavedValue::Special(Special::Table(number)) => {
                Value::Table(self.tables.get(*number).cloned().ok_or_else(|| missing("a table"))?)
            }
            SavedValue::Special(Special::Npc(name)) => {
                let id = self.host.world().character_named(name).map(|character| character.id);
                let id = id.ok_or_else(|| missing(&format!("character '{name}'")))?;
                Value::UserData(handle(self.lua, self.host, id)?)
            }
            SavedValue::Special(Special::Gone(id)) => {
                Value::UserData(handle(self.lua, self.host, CharacterId(*id))?)
            }
            SavedValue::Special(Special::Area(name)) => {
                Value::UserData(area_handle(self.lua, self.host, name)?)
            }
            SavedValue::Special(Special::Link(name)) => {
                Value::UserData(link_handle(self.lua, self.host, name)?)
            }
            SavedValue::Special(Special::Waypath(name)) => {
                Value::UserData(waypath_handle(self.lua, self.host, name)?)
            }
            SavedValue::Special(Special::Tactics(_)) => Value::UserData(tactics_handle(self.lua, self.host)?),
            SavedValue::Special(Special::Thing(kind, id)) => {
                let kind = self.host.game.kinds.iter().map(|known| known.name).find(|known| known == kind);
                let kind = kind.ok_or_else(|| missing("a type of the game"))?;
                Value::UserData(thing_handle(self.lua, self.host, kind, *id)?)
            }
            SavedValue::Special(Special::Room(_)) => self.room.clone(),
        })
    }
}

/// The order of keys: numbers, strings, booleans, then all others.
fn compare(host: &Host, a: &Value, b: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Integer(_) | Value::Number(_) => 0,
        Value::String(_) => 1,
        Value::Boolean(_) => 2,
        _ => 3,
    };
    let id = |value: &Value| {
        let object = value.as_userdata()?;
        let npc = object.borrow::<Npc>().ok().map(|npc| npc.id);
        let area = object.borrow::<Area>().ok().and_then(|area| host.world().area_named(&area.name));
        let thing = object.borrow::<Thing>().ok().map(|thing| (thing.kind, thing.id));
        Some((npc, area, thing))
    };
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
        (Value::Integer(a), Value::Number(b)) => whole_and_fraction(*a, *b),
        (Value::Number(a), Value::Integer(b)) => whole_and_fraction(*b, *a).reverse(),
        (Value::String(a), Value::String(b)) => a.as_bytes().cmp(&b.as_bytes()),
        (Value::Boolean(a), Value::Boolean(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)).then_with(|| id(a).cmp(&id(b))),
    }
}

fn non_finite(number: f64) -> &'static str {
    if number.is_nan() {
        "nan"
    } else if number > 0.0 {
        "inf"
    } else {
        "-inf"
    }
}

/// How a script would write the value under a key.
fn within(path: &str, key: &Value) -> String {
    let longer = match key {
        Value::String(name) => {
            let name = name.to_string_lossy();
            let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if plain && !name.is_empty() { format!("{path}.{name}") } else { format!("{path}[{name:?}]") }
        }
        Value::Integer(number) => format!("{path}[{number}]"),
        Value::Number(number) => format!("{path}[{}]", Datum::Number(*number)),
        Value::Boolean(flag) => format!("{path}[{flag}]"),
        other => format!("{path}[a {}]", other.type_name()),
    };
    if longer.len() <= LONGEST_PATH { longer } else { path.to_owned() }
}
