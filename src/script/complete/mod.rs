//! Completion at the cursor of a half-written line of Lua. A pure function of the text and the available
//! names.

mod known;
mod reading;
#[cfg(test)]
mod tests;

pub(crate) use known::LIBRARIES;
pub(super) use known::known;

use known::taken_by;
use reading::{CursorContext, Reading, trailing_name};
use std::collections::BTreeSet;

/// All names to complete from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownNames {
    /// The names available to scripts.
    pub known: Vec<Known>,
    /// Variables that earlier lines assigned.
    pub(crate) variables: Vec<Variable>,
    /// Known tables, as written in Lua, with their keys.
    pub tables: Vec<(String, Vec<String>)>,
    /// The characters in the room.
    pub characters: Vec<String>,
    /// The room's points.
    pub points: Vec<String>,
    /// The room's hotspots.
    pub hotspots: Vec<String>,
    /// The room's areas.
    pub areas: Vec<String>,
    /// The room's links.
    pub links: Vec<String>,
    /// The room's waypaths.
    pub waypaths: Vec<String>,
}

/// A name available to scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The object it belongs to: `npc`, `room`, `point`, a library; empty for globals.
    pub object: &'static str,
    /// The name itself.
    pub name: &'static str,
    /// Whether it is a field, not a function.
    pub is_field: bool,
    /// Its parameters and results, like `npc:walk_to(place) -> ok, reason`; may be empty.
    pub signature: String,
    /// What it does, in one line; may be empty.
    pub summary: String,
}

/// A variable of the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Its name.
    pub name: String,
    /// The type of object it holds, if any: `npc`, `room`.
    pub object: Option<&'static str>,
}

/// The possible completions of the last letters before the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where these letters begin.
    pub from: usize,
    /// In alphabetical order; each begins with these letters.
    pub candidates: Vec<Candidate>,
}

/// One completion.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The text to insert.
    pub text: String,
    /// Its parameters and results, or its name.
    pub signature: String,
    /// What it does, or what it names; may be empty.
    pub summary: String,
}

impl Completion {
    /// The common beginning of all candidates.
    pub fn common_prefix(&self) -> &str {
        let Some(first) = self.candidates.first() else { return "" };
        let common = self.candidates.iter().fold(first.text.len(), |common, other| {
            let same = first.text.char_indices().zip(other.text.chars()).take_while(|((_, a), b)| a == b);
            same.last().map_or(0, |((at, letter), _)| at + letter.len_utf8()).min(common)
        });
        &first.text[..common]
    }
}

/// The completions at the end of this text.
pub fn complete(text: &str, names: &KnownNames) -> Completion {
    let reading = Reading::of(text);
    match reading.place {
        CursorContext::Comment => Completion::default(),
        CursorContext::Text(from) => {
            let callee = reading.callee_of_text(text, from);
            among(text, from, named_things(callee, names))
        }
        CursorContext::Code => {
            let from = text.len() - trailing_name(text).len();
            let before = text[..from].trim_end();
            match before.chars().next_back() {
                _ if text[from..].starts_with(|letter: char| letter.is_ascii_digit()) => {
                    Completion::default()
                }
                Some(sign @ ('.' | ':')) if !before.ends_with("..") && !before.ends_with("::") => {
                    let receiver = &before[..before.len() - 1];
                    let path = trailing_path(receiver);
                    if let Some((_, keys)) = names.tables.iter().find(|(table, _)| table == path) {
                        return among(text, from, keys.iter().map(|key| plain(key)).collect());
                    }
                    let of = reading.object_at(receiver, names);
                    among(text, from, members(of, sign == '.', names))
                }
                _ => among(text, from, globals(names)),
            }
        }
    }
}

/// The candidates that begin with the text from `from` on.
fn among(text: &str, from: usize, candidates: Vec<Candidate>) -> Completion {
    let begun = &text[from..];
    let sorted: BTreeSet<Candidate> =
        candidates.into_iter().filter(|candidate| candidate.text.starts_with(begun)).collect();
    Completion { from, candidates: sorted.into_iter().collect() }
}

fn globals(names: &KnownNames) -> Vec<Candidate> {
    let variable = |variable: &Variable| Candidate {
        text: variable.name.clone(),
        signature: variable.name.clone(),
        summary: variable.object.map(|object| format!("holds {}", described(object))).unwrap_or_default(),
    };
    let library = |&(library, _): &(&str, &str)| Candidate {
        text: format!("{library}."),
        signature: library.to_owned(),
        summary: "a library".to_owned(),
    };
    let known = names.known.iter().filter(|known| known.object.is_empty()).map(candidate);
    let libraries = LIBRARIES.iter().filter(|(library, _)| !library.is_empty()).map(library);
    known.chain(libraries).chain(names.variables.iter().map(variable)).collect()
}

/// The dotted names at the end of a text.
fn trailing_path(text: &str) -> &str {
    let other = |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.'));
    text.rsplit(other).next().unwrap_or_default()
}

fn plain(name: &str) -> Candidate {
    Candidate { text: name.to_owned(), signature: name.to_owned(), summary: String::new() }
}

/// The members after a dot or a colon; those of every object if the type is unknown.
fn members(of: Option<&str>, behind_dot: bool, names: &KnownNames) -> Vec<Candidate> {
    let is_library = of.is_some_and(|of| LIBRARIES.iter().any(|(library, _)| *library == of));
    let fits = |known: &&Known| match of {
        Some(of) => known.object == of && (is_library && behind_dot || known.is_field == behind_dot),
        // For an unknown type, fields are no help, but at least one of the methods is likely meant.
        None => {
            !behind_dot
                && ["npc", "room", "area", "link", "waypath"].contains(&known.object)
                && !known.is_field
        }
    };
    names.known.iter().filter(fits).map(candidate).collect()
}

/// The names that a function's string argument may name.
fn named_things(callee: &str, names: &KnownNames) -> Vec<Candidate> {
    let all = [
        ("area", &names.areas),
        ("link", &names.links),
        ("waypath", &names.waypaths),
        ("character", &names.characters),
        ("hotspot", &names.hotspots),
        ("point", &names.points),
    ];
    let taken = taken_by(callee);
    let wanted = |what: &str| match &taken {
        Some(taken) => taken.iter().any(|&names| match names {
            "place" | "target" => true,
            "object" => ["hotspot", "point"].contains(&what),
            names => names == what,
        }),
        None => true,
    };
    let things = all.into_iter().filter(|(what, _)| wanted(what));
    let candidates = |(what, names): (&str, &Vec<String>)| {
        let article = if what == "area" { "an" } else { "a" };
        let candidate = |name: &String| Candidate {
            text: name.clone(),
            signature: name.clone(),
            summary: format!("{article} {what}"),
        };
        names.iter().map(candidate).collect::<Vec<_>>()
    };
    things.flat_map(candidates).collect()
}

fn candidate(known: &Known) -> Candidate {
    let signature = known.signature.find(known.name).map_or(known.name, |at| &known.signature[at..]);
    // Opens a function's bracket, and closes it at once if there are no parameters.
    let bracket = match known.is_field {
        true => "",
        false if signature.strip_prefix(known.name).is_some_and(|rest| rest.starts_with("()")) => "()",
        false => "(",
    };
    Candidate {
        text: format!("{}{bracket}", known.name),
        signature: signature.to_owned(),
        summary: known.summary.clone(),
    }
}

fn described(object: &str) -> &str {
    match object {
        "npc" => "a character",
        "room" => "the room",
        "area" => "an area",
        "link" => "a link",
        "waypath" => "a waypath",
        other => other,
    }
}
