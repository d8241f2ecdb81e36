//! Checks a room file against its schema: every unknown key, missing key, wrong type and number out of range.
//!
//! schemars derives the schema from the types of the file, so what an editor underlines is what is refused here. Only
//! the part of JSON Schema that schemars writes for those types is understood. The schema is a file,
//! `room.schema.json`, and a test compares it with the types: so a program that embeds the library builds no
//! schemars.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value as Schema;

use super::MAX_PROBLEMS;
use super::json::{Member, Node, Value};
use super::locate::{JsonStep, path_text};
use crate::problem::{Problem, Source, did_you_mean};

/// The schema of room files.
pub(super) static SCHEMA: LazyLock<Schema> =
    LazyLock::new(|| serde_json::from_str(include_str!("room.schema.json")).unwrap_or_default());

/// The schema as schemars derives it. Line breaks in its descriptions are replaced by blanks.
#[cfg(test)]
pub(super) fn derived_schema() -> Schema {
    let mut schema = schemars::schema_for!(super::file::RoomFile).to_value();
    join_lines(&mut schema);
    schema
}

/// All problems found by the schema, in no particular order.
pub(super) fn check(source: &Source, root: &Node) -> Vec<Problem> {
    let mut checker = Checker { source, path: Vec::new(), problems: Vec::new() };
    checker.node(root, &SCHEMA);
    checker.problems
}

struct Checker<'a> {
    source: &'a Source,
    path: Vec<JsonStep<'a>>,
    problems: Vec<Problem>,
}

impl<'a> Checker<'a> {
    fn node(&mut self, node: &'a Node, schema: &'static Schema) {
        if self.problems.len() >= MAX_PROBLEMS || matches!(node.value, Value::Broken) {
            return;
        }
        let schema = resolve(schema);
        if let Some(branches) = list(schema, "anyOf").or_else(|| list(schema, "oneOf")) {
            return self.one_of(node, schema, branches);
        }
        if !allows(schema, node) {
            return self.wrong_type(node, &expected(schema), schema);
        }
        match &node.value {
            Value::Number(number) => self.number(node, *number, schema),
            Value::Array(items) => self.list(node, items, schema),
            Value::Object(members) => self.object(node, members, schema),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::Broken => {}
        }
    }

    /// Alternatives: words, or values of different types, or both.
    fn one_of(&mut self, node: &'a Node, schema: &'static Schema, branches: &'static [Schema]) {
        let nested = |branch: &'static Schema| list(branch, "oneOf").unwrap_or(std::slice::from_ref(branch));
        let (words, others): (Vec<_>, Vec<_>) =
            branches.iter().flat_map(nested).map(resolve).partition(|branch| branch.get("const").is_some());
        let words: Vec<&str> = words.into_iter().filter_map(|word| word.get("const")?.as_str()).collect();
        let quoted = words.iter().map(|word| format!("'{word}'"));
        let either: Vec<String> = others.iter().map(|other| expected(other)).chain(quoted).collect();
        let either = either.join(" or ");
        match (others.into_iter().find(|other| allows(other, node)), node.as_str()) {
            (Some(other), _) => self.node(node, other),
            (None, Some(word)) if words.contains(&word) => {}
            (None, Some(word)) if !words.is_empty() => {
                let problem = self.problem(node, format!("expected {either}, found '{}'", brief(word)));
                self.add(suggest(problem, word, words.iter().copied()).with_label("no such choice"));
            }
            _ => self.wrong_type(node, &either, schema),
        }
    }

    fn wrong_type(&mut self, node: &Node, expected: &str, schema: &Schema) {
        let mut problem = self.problem(node, format!("expected {expected}, found {}", found(node)));
        problem.label = format!("not {expected}");
        let written = node.as_str().unwrap_or("").trim();
        let types = types(schema);
        if types.contains(&"number") || types.contains(&"integer") {
            if written.parse::<f64>().is_ok_and(f64::is_finite) {
                problem.hint = Some(format!("write {} without quotes", brief(written)));
            }
        } else if types.contains(&"boolean") {
            problem.hint = match (written, node.as_number()) {
                ("true" | "false", _) => Some(format!("write {written} without quotes")),
                (_, Some(number)) => Some(format!("write {}", number != 0.0)),
                _ => None,
            };
        } else if types.contains(&"array") && expected == "a list" {
            problem.hint = Some("a list is written […]".into());
        } else if let Some(key) = list(schema, "required").and_then(|keys| keys.first()?.as_str()) {
            problem.hint = Some(format!("{expected} is written {{\"{key}\": …}}"));
        }
        if self.path.is_empty() {
            problem.hint = Some("a room is written {\"areas\": […]}".into());
        } else if matches!(node.value, Value::Null) {
            problem.hint = Some("leave the key out to get its default".into());
        }
        self.add(problem);
    }

    fn number(&mut self, node: &Node, number: f64, schema: &Schema) {
        let limit = |key: &str| schema.get(key).and_then(Schema::as_f64);
        let wanted = if types(schema).contains(&"integer") && number.fract() != 0.0 {
            "a whole number".to_owned()
        } else if let Some(least) = limit("exclusiveMinimum").filter(|&least| number <= least) {
            format!("greater than {least}")
        } else if let Some(least) = limit("minimum").filter(|&least| number < least) {
            format!("at least {least}")
        } else if let Some(most) = limit("maximum").filter(|&most| number > most) {
            format!("at most {most}")
        } else {
            return;
        };
        let written = brief(self.source.text.get(node.span.clone()).unwrap_or(""));
        let problem = self.problem(node, format!("{} must be {wanted}, found {written}", self.subject()));
        self.add(problem.with_label(format!("must be {wanted}")));
    }

    fn list(&mut self, node: &'a Node, items: &'a [Node], schema: &'static Schema) {
        let limit =
            |key: &str| schema.get(key).and_then(Schema::as_u64).and_then(|n| usize::try_from(n).ok());
        let (least, most) = (limit("minItems").unwrap_or(0), limit("maxItems").unwrap_or(usize::MAX));
        if items.len() < least || items.len() > most {
            let count = items.len();
            let plural = |count: usize| if count == 1 { "entry" } else { "entries" };
            let message = match schema.get("title").and_then(Schema::as_str) {
                Some(title) => format!("expected {}, found a list of {count}", with_article(title)),
                None if count < least => {
                    format!("{} needs at least {least} {}, found {count}", self.subject(), plural(least))
                }
                None => format!("{} may have at most {most} {}, found {count}", self.subject(), plural(most)),
            };
            let mut problem = self.problem(node, message);
            problem.hint = match (count, least, most) {
                (3, _, 2) => Some("leave out the height".into()),
                (2, 3, 3) => Some("add the height, y, in the middle".into()),
                _ => None,
            };
            self.add(problem);
            // A list that is too long is one problem; its items are not checked.
            if items.len() > most {
                return;
            }
        }
        if let Some(each) = schema.get("items") {
            // One place instead of a list of places is one problem.
            if is_flat(items) && types(resolve(each)).contains(&"array") {
                let message = "expected a list of lists, found one of numbers".to_owned();
                let problem = self.problem(node, message).with_label("not a list of lists");
                let written = brief(self.source.text.get(node.span.clone()).unwrap_or(""));
                return self.add(problem.with_hint(format!("write [{written}]")));
            }
            for (index, item) in items.iter().enumerate() {
                self.path.push(JsonStep::Index(index));
                self.node(item, each);
                self.path.pop();
            }
        }
    }

    fn object(&mut self, node: &'a Node, members: &'a [Member], schema: &'static Schema) {
        let mut first_places: BTreeMap<&str, &Member> = BTreeMap::new();
        let mut misspelt: Vec<&str> = Vec::new();
        for member in members {
            if self.problems.len() >= MAX_PROBLEMS {
                return;
            }
            self.path.push(JsonStep::Key(&member.key));
            match first_places.get(member.key.as_str()) {
                Some(first) => self.twice(first, member),
                None => {
                    first_places.insert(&member.key, member);
                }
            }
            let property = schema.get("properties").and_then(|properties| properties.get(&member.key));
            match (property, schema.get("additionalProperties")) {
                (Some(property), _) => self.node(&member.value, property),
                (None, Some(Schema::Bool(false))) => misspelt.extend(self.unknown_key(member, schema)),
                (None, Some(other)) => self.node(&member.value, other),
                (None, None) => {}
            }
            self.path.pop();
        }
        for key in list(schema, "required").unwrap_or_default().iter().filter_map(Schema::as_str) {
            // With `polgon` in the file, a second message "`polygon` is missing" would be noise.
            if !first_places.contains_key(key) && !misspelt.contains(&key) {
                let message = format!("missing key '{key}' in {}", self.owner(schema));
                let opening = node.span.start..node.span.start + 1;
                let problem = self.source.problem(opening, message).at_path(&path_text(&self.path));
                self.add(describe(problem.with_label(format!("has no '{key}'")), schema, key));
            }
        }
    }

    fn twice(&mut self, first: &Member, again: &Member) {
        let (line, column) = self.source.line_column(first.key_span.start);
        let message = format!("the key '{}' stands twice", brief(&again.key));
        let problem = self.source.problem(again.key_span.clone(), message).at_path(&path_text(&self.path));
        self.add(problem.with_hint(format!("the first is at {line}:{column}; keep one of them")));
    }

    /// Reports an unknown key; returns the key that was probably meant.
    fn unknown_key(&mut self, member: &Member, schema: &'static Schema) -> Option<&'static str> {
        let known = schema.get("properties").and_then(Schema::as_object)?;
        let names = || known.keys().map(String::as_str);
        let message = format!("unknown key '{}' in {}", brief(&member.key), self.owner(schema));
        let problem = self.source.problem(member.key_span.clone(), message).at_path(&path_text(&self.path));
        let mut problem = suggest(problem.with_label("unknown key"), &member.key, names());
        let meant = did_you_mean(&member.key, names());
        if meant.is_none() && known.len() <= 12 {
            let all: Vec<&str> = names().collect();
            problem.hint = Some(format!("known are {}", all.join(", ")));
        }
        self.add(problem);
        meant
    }

    /// The name of an object in messages: the room, an area, the crowd settings.
    fn owner(&self, schema: &Schema) -> String {
        let title = schema.get("title").and_then(Schema::as_str);
        match title {
            Some(title) if !title.contains("room") => with_article(title),
            _ => "the room".into(),
        }
    }

    /// The name of a number or list in messages: its key, or "a coordinate" if it has no key.
    fn subject(&self) -> &'a str {
        match self.path.last() {
            Some(JsonStep::Key(key)) => key,
            _ => "a coordinate",
        }
    }

    fn problem(&self, node: &Node, message: String) -> Problem {
        self.source.problem(node.span.clone(), message).at_path(&path_text(&self.path))
    }

    fn add(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

/// Adds a "did you mean" hint if a candidate is similar.
pub(super) fn suggest<'n>(
    problem: Problem,
    name: &str,
    candidates: impl Iterator<Item = &'n str>,
) -> Problem {
    match did_you_mean(name, candidates) {
        Some(near) => problem.with_hint(format!("did you mean '{near}'?")),
        None => problem,
    }
}

/// A name as messages show it: shortened and escaped.
pub(super) fn brief(name: &str) -> String {
    const MAX_CHARS: usize = 40;
    let shown: String = name.chars().take(MAX_CHARS).flat_map(char::escape_debug).collect();
    if name.chars().nth(MAX_CHARS).is_some() { shown + "…" } else { shown }
}

/// Adds the schema's description of a key as a note.
fn describe(problem: Problem, schema: &Schema, key: &str) -> Problem {
    let words = schema.get("properties").and_then(|all| all.get(key)?.get("description")?.as_str());
    match words.and_then(|words| words.split(". ").next()) {
        Some(words) => problem.with_note(format!("{key}: {}", words.trim_end_matches('.'))),
        None => problem,
    }
}

/// Whether a list has numbers only.
fn is_flat(items: &[Node]) -> bool {
    !items.is_empty() && items.iter().all(|item| matches!(item.value, Value::Number(_)))
}

fn resolve(schema: &'static Schema) -> &'static Schema {
    let target =
        schema.get("$ref").and_then(Schema::as_str).and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| SCHEMA.pointer(pointer)).unwrap_or(schema)
}

fn list<'s>(schema: &'s Schema, key: &str) -> Option<&'s [Schema]> {
    schema.get(key)?.as_array().map(Vec::as_slice)
}

fn types(schema: &Schema) -> Vec<&str> {
    match schema.get("type") {
        Some(Schema::String(one)) => vec![one],
        Some(Schema::Array(several)) => several.iter().filter_map(Schema::as_str).collect(),
        _ => Vec::new(),
    }
}

fn allows(schema: &Schema, node: &Node) -> bool {
    let types = types(schema);
    types.is_empty()
        || match node.value {
            Value::Null => types.contains(&"null"),
            Value::Bool(_) => types.contains(&"boolean"),
            Value::Number(_) => types.contains(&"number") || types.contains(&"integer"),
            Value::String(_) => types.contains(&"string"),
            Value::Array(_) => types.contains(&"array"),
            Value::Object(_) => types.contains(&"object"),
            Value::Broken => true,
        }
}

fn expected(schema: &Schema) -> String {
    // "Expected an area", but not "expected the crowd settings".
    let title = schema.get("title").and_then(Schema::as_str);
    if let Some(title) = title.filter(|title| !title.ends_with('s') && !title.contains("room")) {
        return with_article(title);
    }
    let word = match types(schema).first().copied() {
        Some("boolean") => "true or false",
        Some("number") => "a number",
        Some("integer") => "a whole number",
        Some("string") => "a string",
        Some("array") => "a list",
        Some("object") => "an object",
        _ => "something else",
    };
    word.into()
}

fn found(node: &Node) -> &'static str {
    match node.value {
        Value::Null => "null",
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
        Value::Broken => "something unreadable",
    }
}

fn with_article(title: &str) -> String {
    let article = match title.chars().next() {
        _ if title.ends_with('s') => "the",
        Some('a' | 'e' | 'i' | 'o' | 'u') => "an",
        _ => "a",
    };
    format!("{article} {title}")
}

#[cfg(test)]
fn join_lines(schema: &mut Schema) {
    match schema {
        Schema::String(text) => *text = text.replace('\n', " "),
        Schema::Array(items) => items.iter_mut().for_each(join_lines),
        Schema::Object(members) => members.values_mut().for_each(join_lines),
        Schema::Null | Schema::Bool(_) | Schema::Number(_) => {}
    }
}
