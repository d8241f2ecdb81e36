//! What is known of a character or of the room: its state, its walk, and what its script does. Looking runs no code of
//! scripts and changes nothing, not even addresses in Lua, on which runs depend.

mod behaviour;
mod character;
mod room;
mod text;

use super::Scripts;
use super::answer::Datum;
use super::copy::Room;
use super::host::Host;
use super::owner::Owner;
use crate::crowd::CharacterId;
use crate::nav::Place;
use crate::world::World;
use mlua::{Table, Value};
use serde_json::{Value as Json, json};
use std::cell::{Cell, Ref};

/// What is known of a character or of the room. Its `Display` is a text of many lines.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Inspection {
    /// The name of the character or of the room.
    pub name: String,
    /// What is known, by topic. Topics without content are left out.
    pub sections: Vec<Section>,
}

/// A topic of an [`Inspection`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Section {
    /// Its title, such as `last walk`.
    pub title: String,
    /// Its content.
    pub rows: Vec<Row>,
}

/// A fact in a [`Section`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// What it is about: a key of a table, the name of a handler.
    pub label: String,
    /// The fact in words.
    pub text: Option<String>,
    /// The fact as a value of Lua.
    pub value: Option<Datum>,
    /// The file and the line of a script that it is about. Line 0: none is known.
    pub place: Option<(String, u32)>,
    /// Whether something went wrong.
    pub is_bad: bool,
}

impl Inspection {
    /// As JSON, as the page of the inspector reads it: `{ "name", "sections": [{ "title", "rows" }] }`. A row is
    /// `{ "label", "text", "value", "file", "line", "tone" }`, of which only `label` is always there. `tone` is `bad` for
    /// what went wrong.
    pub fn to_json(&self) -> Json {
        let sections = self.sections.iter().map(|section| {
            let rows: Vec<Json> = section.rows.iter().map(Row::to_json).collect();
            json!({ "title": section.title, "rows": rows })
        });
        json!({ "name": self.name, "sections": sections.collect::<Vec<_>>() })
    }

    fn add(&mut self, section: Section) {
        if !section.rows.is_empty() {
            self.sections.push(section);
        }
    }
}

impl Section {
    fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), rows: Vec::new() }
    }

    fn say(&mut self, label: &str, text: impl Into<String>) {
        self.rows.push(Row::of(label).text(text));
    }
}

impl Row {
    fn of(label: impl Into<String>) -> Self {
        Self { label: label.into(), text: None, value: None, place: None, is_bad: false }
    }

    fn text(self, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..self }
    }

    fn value(self, value: Datum) -> Self {
        Self { value: Some(value), ..self }
    }

    /// Without a file, no place is known.
    fn at(self, place: (String, u32)) -> Self {
        Self { place: Some(place).filter(|(file, _)| !file.is_empty()), ..self }
    }

    fn bad(self, is_bad: bool) -> Self {
        Self { is_bad, ..self }
    }

    fn to_json(&self) -> Json {
        let mut row = serde_json::Map::new();
        row.insert("label".into(), self.label.as_str().into());
        let mut insert = |key: &str, value: Option<Json>| {
            row.extend(value.map(|value| (key.to_owned(), value)));
        };
        insert("text", self.text.as_deref().map(Json::from));
        insert("value", self.value.as_ref().map(Datum::to_json));
        insert("file", self.place.as_ref().map(|(file, _)| file.as_str().into()));
        insert("line", self.place.as_ref().map(|(_, line)| (*line).into()));
        insert("tone", self.is_bad.then(|| "bad".into()));
        Json::Object(row)
    }
}

impl Scripts {
    /// What is known of a character, or of the room. `None` if there never was such a character, or if it is forgotten.
    pub(crate) fn inspect(&self, who: Option<CharacterId>) -> Option<Inspection> {
        self.host.inspect(who).map(|(inspection, _)| inspection)
    }
}

impl Host {
    /// What is known of a character, or of the room, and the instructions that a script pays for it.
    pub(super) fn inspect(&self, who: Option<CharacterId>) -> Option<(Inspection, u64)> {
        let world = self.world();
        let onlooker = Onlooker { host: self, now: world.tick_number(), world, work: Cell::new(0) };
        let inspection = match who {
            Some(who) => onlooker.character(who)?,
            None => onlooker.room(),
        };
        Some((inspection, onlooker.work.get()))
    }
}

/// Values copied for one row.
const ROW_VALUES: usize = 200;

/// Bytes copied of the strings of one row.
const ROW_BYTES: usize = 4000;

/// Places of tables looked at for one row, and for the keys of one table.
const ROW_PLACES: u64 = 20_000;
const MOST_PLACES: u64 = 200_000;

/// Rows of one kind.
const MOST_ROWS: usize = 100;

/// Instructions charged for copying a value and writing it in words.
const VALUE_COST: u64 = 50;

/// Places of tables looked at for an instruction.
const PLACES_PER_INSTRUCTION: u64 = 8;

/// One that looks at a room and leaves everything as it is.
struct Onlooker<'a> {
    host: &'a Host,
    world: Ref<'a, World>,
    now: u64,
    /// What looking cost so far, in instructions.
    work: Cell<u64>,
}

impl Onlooker<'_> {
    fn spend(&self, instructions: u64) {
        self.work.set(self.work.get().saturating_add(instructions));
    }

    fn seconds(&self, ticks: u64) -> String {
        format!("{:.1} s", ticks as f64 * self.world.dt_s())
    }

    fn owner(&self, owner: Owner) -> String {
        match owner {
            Owner::CONSOLE => "the console".to_owned(),
            Owner::SPEC => "the spec".to_owned(),
            Owner::Room(_) => "the room".to_owned(),
            Owner::Character(who) => self.world.name_of(who).to_owned(),
        }
    }

    /// A place by its name, or in metres.
    fn place(&self, place: Place) -> String {
        let room = self.world.room();
        self.spend((room.points.len() + room.hotspots.len()) as u64 / 4);
        let point = room.points.iter().find(|(_, point)| **point == place).map(|(name, _)| name);
        let hotspot =
            || self.world.hotspots().iter().find(|spot| spot.walk_to == Some(place)).map(|spot| &spot.name);
        point.or_else(hotspot).cloned().unwrap_or_else(|| metres(place))
    }

    /// A copy of a value that belongs to a table, or to none.
    fn copy(&self, value: &Value, of: Option<&Table>) -> Datum {
        let mut budget = Room::silent(self.host, ROW_VALUES, ROW_BYTES, ROW_PLACES);
        let copied = match of {
            Some(table) => budget.copy_within(table, value),
            None => budget.copy(value, 0),
        };
        let values = (ROW_VALUES - budget.values + 1) as u64;
        self.spend(values * VALUE_COST + (ROW_PLACES - budget.places) / PLACES_PER_INSTRUCTION);
        copied
    }
}

/// A place in metres, with its height if it has one.
fn metres(place: Place) -> String {
    let up = place.y_m.map(|y_m| format!(", {y_m:.2} m up")).unwrap_or_default();
    format!("({:.2}, {:.2}){up}", place.at.x, place.at.y)
}
