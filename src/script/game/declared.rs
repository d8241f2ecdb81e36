//! Declarations of functions: from `npc:play_animation(name: string, speed?: number) -> ok: boolean` to an entry of
//! the API.

use super::{GameValue, is_name};
use crate::problem::did_you_mean;
use crate::script::api::{Entry, Object, Param, Return};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// A function as a game or a file declares it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::script) struct Declaration {
    /// `play_sound(name: string, volume?: number) -> channel: integer`.
    pub(super) signature: String,
    /// What it does.
    pub(super) about: String,
    /// What parameters and results mean, by name.
    pub(super) meanings: BTreeMap<String, String>,
    /// Lines of Lua that show its use.
    pub(super) example: String,
    /// Whether the script waits until the game ends the call.
    pub(super) waits: bool,
}

/// The type of a parameter or a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::script) enum GameType {
    Text,
    Number,
    Integer,
    Boolean,
    Any,
    Npc,
    Place,
    Texts,
    Thing(&'static str),
}

/// The place of a value: its type, and whether it may be nil.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::script) struct Slot {
    pub(in crate::script) of: GameType,
    pub(in crate::script) optional: bool,
}

/// The types of signatures, beside those that the game declares.
const TYPES: [(&str, GameType); 8] = [
    ("string", GameType::Text),
    ("number", GameType::Number),
    ("integer", GameType::Integer),
    ("boolean", GameType::Boolean),
    ("any", GameType::Any),
    ("Npc", GameType::Npc),
    ("Place", GameType::Place),
    ("string[]", GameType::Texts),
];

/// A declaration that is understood.
#[derive(Debug, Clone)]
pub(in crate::script) struct Shape {
    pub(in crate::script) entry: &'static Entry,
    /// As scripts write it: `npc:play_animation`.
    pub(in crate::script) name: &'static str,
    pub(in crate::script) params: Vec<Slot>,
    pub(in crate::script) results: Vec<Slot>,
}

/// The most Lua values that a function takes: a place may be given as two numbers.
const MOST_VALUES: usize = crate::script::api::MOST_ARGS;

impl Declaration {
    /// The name as scripts write it, as far as the signature can be read: `npc:play_animation`.
    pub(super) fn spoken(&self) -> &str {
        self.signature.split('(').next().unwrap_or_default().trim()
    }

    /// The entry that this declares, where the game has these types of its own.
    ///
    /// # Errors
    /// What is wrong with the signature.
    pub(super) fn shape(&self, kinds: &[&'static str]) -> Result<Shape, String> {
        let shown = "; a signature is like play_sound(name: string, volume?: number) -> channel: integer";
        let (head, rest) =
            self.signature.split_once('(').ok_or_else(|| format!("a bracket is missing{shown}"))?;
        let (params, results) =
            rest.split_once(')').ok_or_else(|| format!("a bracket is not closed{shown}"))?;
        let (object, name) = owner_of(head.trim(), kinds)?;
        if !is_name(name) {
            return Err(format!("'{name}' is not a name of Lua{shown}"));
        }
        let results = match results.trim() {
            "" => "",
            arrow => arrow.strip_prefix("->").ok_or_else(|| format!("'{arrow}' is left over{shown}"))?,
        };
        let params = parts(params).map(|part| part_of(part, kinds)).collect::<Result<Vec<_>, _>>()?;
        let results = parts(results).map(|part| part_of(part, kinds)).collect::<Result<Vec<_>, _>>()?;
        if let Some(part) =
            params.iter().enumerate().find(|(at, part)| params[..*at].iter().any(|p| p.name == part.name))
        {
            return Err(format!("two parameters are called '{}'", part.1.name));
        }
        if let Some(pair) = params.windows(2).find(|pair| pair[0].optional && !pair[1].optional) {
            let [first, second] = [pair[0].name, pair[1].name];
            return Err(format!(
                "'{first}' may be left out and '{second}' after it may not: put '{second}' first"
            ));
        }
        let values = params.iter().map(|part| if part.of == GameType::Place { 2 } else { 1 }).sum::<usize>();
        if values > MOST_VALUES {
            return Err(format!(
                "it takes {values} values (a place counts as two), and may take {MOST_VALUES}; put some into a table"
            ));
        }
        let names: Vec<&str> = params.iter().chain(&results).map(|part| part.name).collect();
        if let Some(stray) = self.meanings.keys().find(|name| !names.contains(&name.as_str())) {
            let hint =
                did_you_mean(stray, names.iter().copied()).map(|near| format!("; did you mean '{near}'?"));
            return Err(format!("there is no parameter or result '{stray}'{}", hint.unwrap_or_default()));
        }
        let entry = self.entry(object, name, &params, &results);
        let slots = |parts: &[Parameter<'_>]| {
            parts.iter().map(|part| Slot { of: part.of, optional: part.optional }).collect()
        };
        Ok(Shape { entry, name: kept(&entry.spoken()), params: slots(&params), results: slots(&results) })
    }

    fn entry(
        &self,
        object: Object,
        name: &str,
        params: &[Parameter<'_>],
        results: &[Parameter<'_>],
    ) -> &'static Entry {
        interned(format!("{object:?} {self:?}"), || {
            let about = |name: &str| kept(self.meanings.get(name).map_or("", String::as_str));
            let param = |part: &Parameter<'_>| Param {
                name: kept(part.name),
                lua_type: part.of.lua_type(),
                optional: part.optional,
                names: if part.of == GameType::Place { "place" } else { "" },
                about: about(part.name),
            };
            let given = |part: &Parameter<'_>| Return {
                name: kept(part.name),
                lua_type: match part.optional {
                    true => kept(&format!("{}?", part.of.lua_type())),
                    false => part.of.lua_type(),
                },
                about: about(part.name),
            };
            let example = match self.example.trim() {
                "" => {
                    let names: Vec<&str> = params.iter().map(|part| part.name).collect();
                    format!("{}({})", self.spoken(), names.join(", "))
                }
                example => example.to_owned(),
            };
            Entry::of_game(
                (object, kept(name)),
                params.iter().map(param).collect::<Vec<_>>().leak(),
                results.iter().map(given).collect::<Vec<_>>().leak(),
                kept(&(example + "\n")),
                kept(&self.about),
                self.waits,
            )
        })
    }
}

/// The entry with this key: always the same one. Entries live as long as the program, as those of the API itself do:
/// they are few, and all that shows or checks the API can hold them.
fn interned(key: String, made: impl FnOnce() -> Entry) -> &'static Entry {
    static KNOWN: Mutex<BTreeMap<String, &'static Entry>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(key).or_insert_with(|| Box::leak(Box::new(made())))
}

/// The entry of a value of the game.
pub(super) fn entry_of_value(name: &str, about: &str, lua_type: &'static str) -> &'static Entry {
    interned(format!("value {name} {lua_type} {about}"), || {
        let returns = vec![Return { name: "value", lua_type, about: "" }];
        Entry::of_game_value(kept(name), returns.leak(), kept(about))
    })
}

impl Slot {
    /// Whether a value may stand here.
    pub(in crate::script) fn takes(self, value: &GameValue) -> bool {
        let is_text = |value: &GameValue| matches!(value, GameValue::Text(_));
        match (self.of, value) {
            (_, GameValue::Nil) => self.optional || self.of == GameType::Any,
            (GameType::Any, _)
            | (GameType::Text, GameValue::Text(_))
            | (GameType::Number, GameValue::Number(_) | GameValue::Integer(_))
            | (GameType::Integer, GameValue::Integer(_))
            | (GameType::Boolean, GameValue::Boolean(_))
            | (GameType::Npc, GameValue::Character(_))
            | (GameType::Place, GameValue::Place(_)) => true,
            (GameType::Texts, GameValue::List(values)) => values.iter().all(is_text),
            (GameType::Thing(kind), GameValue::Thing { kind: of, .. }) => kind == *of,
            _ => false,
        }
    }
}

impl GameType {
    /// Its name in LuaCATS and in signatures.
    pub(in crate::script) fn lua_type(self) -> &'static str {
        match self {
            Self::Thing(kind) => kind,
            of => TYPES.iter().find(|(_, known)| *known == of).map_or("any", |(name, _)| name),
        }
    }
}

/// One parameter or result.
struct Parameter<'a> {
    name: &'a str,
    of: GameType,
    optional: bool,
}

/// A copy of a text that lives as long as the program; one for equal texts.
pub(super) fn kept(text: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = known.get(text) {
        return same;
    }
    let copy: &'static str = Box::leak(text.to_owned().into_boxed_str());
    known.insert(copy);
    copy
}

fn parts(list: &str) -> impl Iterator<Item = &str> {
    let is_empty = list.trim().is_empty();
    list.split(',').map(str::trim).filter(move |_| !is_empty)
}

/// `volume?: number`, or `volume: number?`.
fn part_of<'a>(part: &'a str, kinds: &[&'static str]) -> Result<Parameter<'a>, String> {
    let (name, of) =
        part.split_once(':').ok_or_else(|| format!("'{part}' has no type; write {part}: string, say"))?;
    let (name, of) = (name.trim(), of.trim());
    let (plain_name, plain_of) = (name.trim_end_matches('?'), of.trim_end_matches('?'));
    if !is_name(plain_name) {
        return Err(format!("'{plain_name}' is not a name of Lua"));
    }
    let builtin = TYPES.iter().find(|(known, _)| *known == plain_of).map(|(_, of)| *of);
    let own = || kinds.iter().find(|kind| **kind == plain_of).map(|kind| GameType::Thing(kind));
    let of_name = builtin.or_else(own).ok_or_else(|| {
        let known = || TYPES.iter().map(|(name, _)| *name).chain(kinds.iter().copied());
        let hint = match did_you_mean(plain_of, known()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("there is {}", known().collect::<Vec<_>>().join(", ")),
        };
        format!("there is no type '{plain_of}'; {hint}")
    })?;
    Ok(Parameter { name: plain_name, of: of_name, optional: plain_name != name || plain_of != of })
}

/// The object of a method, and the name: `npc:wave`, `Item:weight`, `play_sound`.
fn owner_of<'a>(head: &'a str, kinds: &[&'static str]) -> Result<(Object, &'a str), String> {
    let Some((owner, name)) = head.split_once(':') else { return Ok((Object::Global, head)) };
    let object = match owner {
        "npc" | "Npc" => Some(Object::Npc),
        other => kinds.iter().find(|kind| **kind == other).map(|kind| Object::Thing(kind)),
    };
    match object {
        Some(object) => Ok((object, name)),
        None => {
            let known: Vec<&str> = ["npc"].into_iter().chain(kinds.iter().copied()).collect();
            Err(format!("methods belong to {}, not to '{owner}'", known.join(" or ")))
        }
    }
}
