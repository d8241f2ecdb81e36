//! Checks names after a dot or a colon, and globals.

use super::reader::Reader;
use super::types::Type;
use crate::problem::{Problem, did_you_mean};
use crate::script::LIBRARIES;
use crate::script::api::{ELSEWHERE, Entry, Kind, Object, entries_of, meant};
use crate::script::parse::{Expr, ExprKind, Ident};

/// How a function is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Dot,
    Colon,
}

/// The objects of rooms. Their handles refuse unknown names.
const OF_ROOMS: [Object; 5] = [Object::Npc, Object::Room, Object::Area, Object::Link, Object::Waypath];

impl<'a> Reader<'a> {
    /// The value of a global variable.
    pub(super) fn global(&mut self, ident: &Ident) -> Type {
        let name = ident.text.as_str();
        if let Some((library, _)) =
            LIBRARIES.iter().find(|(library, _)| !library.is_empty() && *library == name)
        {
            return if *library == "log" { Type::Object(Object::Log) } else { Type::Library(library) };
        }
        let plain = LIBRARIES.iter().filter(|(library, _)| library.is_empty());
        let is_plain = plain.flat_map(|(_, names)| names.split_whitespace()).any(|known| known == name);
        let of_specs = ["fit", "xit", "fdescribe", "xdescribe"].contains(&name);
        if name == "room" {
            return Type::Object(Object::Room);
        }
        let known = self.function_named(name).is_some() || is_plain || of_specs && self.script.is_spec;
        if known || self.script.facts.has_env || name == "_ENV" {
            return Type::Unknown;
        }
        let problem = self.problem(&ident.span, format!("undefined variable '{name}'"));
        let hint = self.global_meant(ident);
        self.find(problem.with_hint(hint));
        Type::Unknown
    }

    /// The global function with this name.
    pub(super) fn function_named(&self, name: &str) -> Option<&'static Entry> {
        let spec = self.script.is_spec.then(|| entries_of(Object::Spec)).into_iter().flatten();
        let of_game = self.survey.of_game(Object::Global);
        entries_of(Object::Global).chain(spec).chain(of_game).find(|entry| entry.name == name)
    }

    /// The entry for an object's name; for expectations, the negated ones too.
    fn member(&self, object: Object, name: &str) -> Option<&'static Entry> {
        let opposite = name.strip_prefix("not_").filter(|_| object == Object::Expectation);
        let of = |name: &str| entries_of(object).find(|entry| entry.name == name);
        let of_game = || self.survey.of_game(object).find(|entry| entry.name == name);
        of(name).or_else(of_game).or_else(|| opposite.and_then(of).filter(|entry| entry.can_be_negated()))
    }

    fn global_meant(&self, ident: &Ident) -> String {
        let name = ident.text.as_str();
        if let Some((_, mend)) = ELSEWHERE.iter().find(|(foreign, _)| *foreign == name) {
            return (*mend).to_owned();
        }
        let locals = &self.script.chunk.locals;
        if let Some(local) = locals.iter().find(|local| local.name.text == name) {
            let (line, _) = self.source.line_column(local.name.span.start);
            return match local.name.span.start > ident.span.start {
                true => format!("the local '{name}' begins further down, in line {line}"),
                false => format!("the local '{name}' of line {line} ends before this line"),
            };
        }
        if !self.script.is_spec && entries_of(Object::Spec).any(|entry| entry.name == name) {
            return "it is there in spec files (NAME_spec.lua) alone".into();
        }
        let specs = self.script.is_spec.then(|| entries_of(Object::Spec)).into_iter().flatten();
        let of_game = self.survey.of_game(Object::Global);
        let ours = entries_of(Object::Global).chain(specs).chain(of_game).map(|entry| entry.name);
        let plain = LIBRARIES.iter().filter(|(library, _)| library.is_empty());
        let plain =
            plain.flat_map(|(_, names)| names.split_whitespace()).filter(|name| !name.starts_with("raw"));
        let libraries = LIBRARIES.iter().map(|(library, _)| *library).filter(|library| !library.is_empty());
        let own = locals.iter().filter(|local| local.name.span.start < ident.span.start);
        let own = own.map(|local| local.name.text.as_str());
        if let Some(near) = did_you_mean(name, ours.chain(plain).chain(libraries).chain(own)) {
            return format!("did you mean '{near}'?");
        }
        if let Some(entry) = meant(Object::Global, name) {
            return format!("did you mean '{}'?", entry.name);
        }
        let method =
            |object: Object| entries_of(object).find(|entry| entry.name == name && is_function(entry));
        match method(Object::Npc).or_else(|| method(Object::Room)) {
            Some(entry) => format!("{name} is a method: {}(…)", entry.spoken()),
            None => "is it misspelt, or local to another function?".into(),
        }
    }

    /// The type of a field.
    pub(super) fn read_field(&mut self, object: &'a Expr, of: &Type, name: &Ident) -> Type {
        match of {
            Type::Object(object) | Type::Likely(object) => match self.member(*object, &name.text) {
                Some(entry) if is_function(entry) => Type::Unknown,
                Some(entry) => {
                    let names = match (entry.object, entry.name) {
                        (Object::Npc, "id") => "character",
                        (Object::Area, "name") => "area",
                        _ => "",
                    };
                    entry.returns.first().map_or(Type::Unknown, |value| Type::of(value.lua_type, names))
                }
                None => {
                    self.unknown(of, name, "");
                    Type::Unknown
                }
            },
            Type::Shape(shape) => match shape.field(&name.text) {
                Some(field) if shape.name == "Hotspot" && field.name == "name" => Type::Text("hotspot"),
                Some(field) => Type::of(field.lua_type, field.names),
                None => {
                    let near = did_you_mean(&name.text, shape.fields.iter().map(|field| field.name));
                    if let Some(near) =
                        near.filter(|_| !self.survey.is_own_field(&name.text, self.text(object)))
                    {
                        let message = format!("{} has no '{}'", self.text(object), name.text);
                        let problem = self.problem(&name.span, message).as_warning();
                        self.find(problem.with_hint(format!("did you mean '{near}'?")));
                    }
                    Type::Unknown
                }
            },
            Type::Library(library) => {
                self.of_library(library, name, false);
                Type::Unknown
            }
            Type::Unknown | Type::List(_) | Type::Text(_) | Type::Reason => Type::Unknown,
        }
    }

    /// Checks an assignment to a field.
    pub(super) fn written(&mut self, object: &'a Expr, of: &Type, name: &Ident) {
        if let Type::Shape(shape) = of {
            let is_called = matches!(object.kind, ExprKind::Call { .. } | ExprKind::Method { .. });
            // One may well change a copy of a place, and use it.
            let is_hotspot = shape.name == "Hotspot" && shape.field(&name.text).is_some();
            if is_called || is_hotspot {
                let gives = if is_called { "gives" } else { "is" };
                let message = format!(
                    "{} {gives} a copy: setting its '{}' changes nothing",
                    self.text(object),
                    name.text
                );
                let mut problem = self.problem(&name.span, message).as_warning();
                if is_hotspot {
                    let hint = format!("room:set_hotspot(\"name\", {{ {} = … }}) changes it", name.text);
                    problem = problem.with_hint(hint);
                }
                return self.find(problem);
            }
        }
        let Some(object) =
            of.object().filter(|object| OF_ROOMS.contains(object) || *object == Object::Expectation)
        else {
            return;
        };
        match self.member(object, &name.text) {
            None => self.unknown(of, name, " to set"),
            Some(entry) if entry.kind() != Kind::Setting => {
                let problem = self.problem(&name.span, format!("{} cannot be set", entry.spoken()));
                self.find(sure(of, problem));
            }
            Some(_) => {}
        }
    }

    /// Checks a call of an object's function; returns its entry in the API table.
    pub(super) fn called(
        &mut self,
        object: &'a Expr,
        of: &Type,
        name: &Ident,
        by: By,
        args: &'a [Expr],
    ) -> Option<&'static Entry> {
        match of {
            Type::Object(Object::Log) => {
                let entry = self.member(Object::Log, &name.text);
                if entry.is_none() {
                    self.unknown(of, name, "");
                } else if by == By::Colon {
                    let message = format!("log:{0} writes the log itself, too", name.text);
                    let problem = self.problem(&name.span, message).as_warning();
                    self.find(problem.with_hint(format!("write log.{}(…) with a dot", name.text)));
                }
                entry
            }
            Type::Object(kind) | Type::Likely(kind) => {
                let entry = self.member(*kind, &name.text);
                match entry {
                    None => self.unknown(of, name, ""),
                    Some(entry) if !is_function(entry) => {
                        let message = format!("{} is a field", entry.spoken());
                        let problem = self.problem(&name.span, message);
                        let hint = format!("write {}.{} without ()", self.text(object), name.text);
                        self.find(sure(of, problem).with_hint(hint));
                    }
                    Some(entry) if by == By::Dot => self.missing_colon(object, of, name, entry, args),
                    Some(_) => {}
                }
                entry.filter(|entry| is_function(entry) && by == By::Colon)
            }
            Type::Library(library) => {
                self.of_library(library, name, true);
                None
            }
            Type::Unknown if by == By::Colon => {
                self.unknown_anywhere(name);
                None
            }
            _ => None,
        }
    }

    fn missing_colon(&mut self, object: &'a Expr, of: &Type, name: &Ident, entry: &Entry, args: &'a [Expr]) {
        // `npc.walk_to(npc, "bar")` is right, if clumsy; whether a variable is the character is unknown here.
        let takes_itself = args.first().is_some_and(|arg| {
            let same = self.text(arg) == self.text(object);
            let plain = arg.as_str().is_some() || self.is_literal(arg);
            same || !plain
        });
        if takes_itself {
            return;
        }
        let dot = object.span.end..name.span.start;
        let message = format!("'{}' is called with a dot, so it is not told whose it is", name.text);
        let problem = self.problem(&dot, message).with_label("a colon is missing");
        let hint = format!("write {}:{}(…)", self.text(object), name.text);
        let problem = sure(of, problem).with_hint(hint);
        self.find(match entry.object {
            Object::Expectation => problem.as_warning(),
            _ => problem,
        });
    }

    /// Reports a name that an object does not have.
    fn unknown(&mut self, of: &Type, name: &Ident, what_for: &str) {
        let Some(object) = of.object() else { return };
        if !self.has_object(object) {
            return;
        }
        let message = format!("{} has no '{}'{what_for}", object.in_words(), name.text);
        let problem = self.problem(&name.span, message);
        let other = OF_ROOMS.into_iter().filter(|other| *other != object);
        let other = other.flat_map(entries_of).find(|entry| entry.name == name.text);
        let not = name.text.strip_prefix("not_").and_then(|rest| meant(object, rest));
        let of_game = || {
            let near = did_you_mean(&name.text, self.survey.of_game(object).map(|entry| entry.name))?;
            self.survey.of_game(object).find(|entry| entry.name == near)
        };
        let hint = match (meant(object, &name.text).or_else(of_game), other, object) {
            (Some(entry), ..) => format!("did you mean {}?", usage(entry)),
            _ if object == Object::Expectation && not.is_some() => {
                format!("did you mean 'not_{}'?", not.map_or("", |entry| entry.name))
            }
            (None, Some(entry), _) => format!("there is {}", usage(entry)),
            (None, None, Object::Npc) => "what a script remembers belongs in self".into(),
            (None, None, Object::Room) => "what a script remembers belongs in room.state".into(),
            _ => "`cicerone api` lists what there is".into(),
        };
        self.find(sure(of, problem).with_hint(hint));
    }

    /// Reports a method of an unknown object if no file of the project has the name, but the API has a similar one.
    fn unknown_anywhere(&mut self, name: &Ident) {
        let in_api = OF_ROOMS
            .into_iter()
            .chain([Object::Expectation])
            .flat_map(entries_of)
            .chain(self.survey.game.iter().copied())
            .any(|entry| entry.name == name.text);
        let strings = LIBRARIES.iter().filter(|(library, _)| *library == "string");
        let of_strings =
            strings.flat_map(|(_, names)| names.split_whitespace()).any(|known| known == name.text);
        if in_api || of_strings || self.survey.fields.contains(&name.text) || name.text.starts_with("not_") {
            return;
        }
        let methods = || OF_ROOMS.into_iter().flat_map(entries_of);
        let near =
            did_you_mean(&name.text, methods().filter(|entry| is_function(entry)).map(|entry| entry.name));
        if let Some(entry) = near.and_then(|near| methods().find(|entry| entry.name == near)) {
            let message = format!("nothing in this project has a method '{}'", name.text);
            let problem = self.problem(&name.span, message).as_warning();
            self.find(problem.with_hint(format!("did you mean {}?", usage(entry))));
        }
    }

    fn of_library(&mut self, library: &str, name: &Ident, is_called: bool) {
        let names = || {
            let found = LIBRARIES.iter().filter(|(known, _)| *known == library);
            found.flat_map(|(_, names)| names.split_whitespace())
        };
        if names().any(|known| known == name.text) || self.survey.fields_written(library, &name.text) {
            return;
        }
        let problem = self.problem(&name.span, format!("{library} has no '{}'", name.text));
        let problem = match did_you_mean(&name.text, names()) {
            Some(near) => problem.with_hint(format!("did you mean {library}.{near}?")),
            None => problem.with_hint(format!("there is {}", names().collect::<Vec<_>>().join(", "))),
        };
        self.find(if is_called { problem } else { problem.as_warning() });
    }
}

fn is_function(entry: &Entry) -> bool {
    matches!(entry.kind(), Kind::Function | Kind::Blocking)
}

/// `npc:walk_to` or `npc.id`, in quotes.
fn usage(entry: &Entry) -> String {
    format!("'{}'", entry.spoken())
}

/// An error if the type of the object is certain, else a warning.
fn sure(of: &Type, problem: Problem) -> Problem {
    if matches!(of, Type::Likely(_)) { problem.as_warning() } else { problem }
}
