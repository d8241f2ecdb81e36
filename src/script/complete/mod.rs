//! What can be written at the cursor of a half-written line of Lua. A pure function of the text and of the names there are.

mod known;
mod reading;
#[cfg(test)]
mod tests;

pub(crate) use known::LIBRARIES;
pub(super) use known::known;

use known::taken_by;
use reading::{CursorContext, Reading, trailing_name};
use std::collections::BTreeSet;

/// Every name that may be meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// What scripts are given.
    pub known: Vec<Known>,
    /// What earlier lines assigned.
    pub variables: Vec<Variable>,
    /// Tables that are known, as one would write them, and their keys.
    pub tables: Vec<(String, Vec<String>)>,
    /// Who is in the room.
    pub characters: Vec<String>,
    /// The room's points.
    pub points: Vec<String>,
    /// The room's hotspots.
    pub hotspots: Vec<String>,
    /// The room's areas.
    pub areas: Vec<String>,
}

/// A name that scripts are given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// What it belongs to: `npc`, `room`, `point`, a library; empty for what is there everywhere.
    pub object: &'static str,
    /// The name itself.
    pub name: &'static str,
    /// Whether it is read instead of called.
    pub is_field: bool,
    /// What it takes and gives, like `npc:walk_to(place) -> ok, reason`; may be empty.
    pub signature: String,
    /// What it does, in one line; may be empty.
    pub summary: String,
}

/// A variable of the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// What it holds, if that is an object: `npc`, `room`.
    pub object: Option<&'static str>,
}

/// What may stand in the place of the last letters before the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where these letters begin.
    pub from: usize,
    /// In alphabetical order; each begins with these letters.
    pub candidates: Vec<Candidate>,
}

/// One possibility.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// What is written.
    pub text: String,
    /// What it takes and gives, or its name.
    pub signature: String,
    /// What it does, or what it is the name of; may be empty.
    pub summary: String,
}

impl Completion {
    /// What all candidates begin with.
    pub fn common_prefix(&self) -> &str {
        let Some(first) = self.candidates.first() else { return "" };
        let common = self.candidates.iter().fold(first.text.len(), |common, other| {
            let same = first.text.char_indices().zip(other.text.chars()).take_while(|((_, a), b)| a == b);
            same.last().map_or(0, |((at, letter), _)| at + letter.len_utf8()).min(common)
        });
        &first.text[..common]
    }
}

/// What can be written at the end of this text.
pub fn complete(text: &str, names: &Names) -> Completion {
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

/// Those that begin with what stands from `from` to the end of the text.
fn among(text: &str, from: usize, candidates: Vec<Candidate>) -> Completion {
    let begun = &text[from..];
    let sorted: BTreeSet<Candidate> =
        candidates.into_iter().filter(|candidate| candidate.text.starts_with(begun)).collect();
    Completion { from, candidates: sorted.into_iter().collect() }
}

fn globals(names: &Names) -> Vec<Candidate> {
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

/// The names with dots between them at the end of a text.
fn trailing_path(text: &str) -> &str {
    let other = |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.'));
    text.rsplit(other).next().unwrap_or_default()
}

fn plain(name: &str) -> Candidate {
    Candidate { text: name.to_owned(), signature: name.to_owned(), summary: String::new() }
}

/// What stands behind a dot or a colon; of every object if nobody knows which it is.
fn members(of: Option<&str>, behind_dot: bool, names: &Names) -> Vec<Candidate> {
    let is_library = of.is_some_and(|of| LIBRARIES.iter().any(|(library, _)| *library == of));
    let fits = |known: &&Known| match of {
        Some(of) => known.object == of && (is_library && behind_dot || known.is_field == behind_dot),
        // Fields of nobody knows what are no help; of methods at least one is likely meant.
        None => !behind_dot && ["npc", "room", "area"].contains(&known.object) && !known.is_field,
    };
    names.known.iter().filter(fits).map(candidate).collect()
}

/// What the text that a function takes may name.
fn named_things(callee: &str, names: &Names) -> Vec<Candidate> {
    let all = [
        ("area", &names.areas),
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
    // A function's bracket is opened, and closed at once if there is nothing to put into it.
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
        other => other,
    }
}
