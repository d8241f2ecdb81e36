//! Checks calls against the API table: their arguments, and the types they return.

use super::facts::Spawned;
use super::members::By;
use super::names::{in_words, may_be_character};
use super::reader::Reader;
use super::types::Type;
use crate::problem::did_you_mean;
use crate::script::api::{Entry, REST, TableShape, shapes};
use crate::script::parse::{Expr, ExprKind, Item};
use crate::script::reference::reasons;
use std::ops::Range;

/// Functions that catch errors in their function arguments.
const CATCHING: [&str; 3] = ["pcall", "xpcall", "expect"];

/// Whether a parameter is the name of a timer, or the function to call instead.
fn takes_timer(entry: Option<&Entry>, param: &str) -> bool {
    entry.is_some_and(|entry| matches!(entry.name, "after" | "every")) && param == "action"
}

/// The effect of an unknown name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is an error.
    Fails,
    /// The comparison is never true.
    Compared,
    /// A permitted query.
    Asked,
}

impl<'a> Reader<'a> {
    /// Reads a call whose receiver has this type, if it has one; returns the types of its results.
    pub(super) fn call(&mut self, expr: &'a Expr, of: Option<&Type>, args: &'a [Expr]) -> Vec<Type> {
        let of = of.unwrap_or(&Type::Unknown);
        let (entry, catches) = match &expr.kind {
            ExprKind::Call { callee, .. } => {
                let entry = match &callee.kind {
                    ExprKind::Field { object, name } => self.called(object, of, name, By::Dot, args),
                    ExprKind::Name(ident, None) => {
                        let entry = self.function_named(&ident.text);
                        if entry.is_none() {
                            self.global(ident);
                        }
                        entry
                    }
                    _ => None,
                };
                // With a third argument, it is told how many there are.
                if let ("table.unpack", [list] | [list, _]) = (self.text(callee), args) {
                    self.counted(list);
                }
                (entry, callee.as_global().is_some_and(|name| CATCHING.contains(&name)))
            }
            ExprKind::Method { object, name, .. } => (self.called(object, of, name, By::Colon, args), false),
            _ => (None, false),
        };
        self.arguments(entry, args, catches)
    }

    /// Whether an expression is a literal, so that it cannot be a character.
    pub(super) fn is_literal(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Plain => self.text(expr) != "...",
            ExprKind::Number | ExprKind::String(_) | ExprKind::Function(_) | ExprKind::Table(_) => true,
            ExprKind::Paren(inner) | ExprKind::Unary(inner) => self.is_literal(inner),
            _ => false,
        }
    }

    fn arguments(&mut self, entry: Option<&'static Entry>, args: &'a [Expr], catches: bool) -> Vec<Type> {
        let mut params = entry.map_or(&[][..], |entry| entry.params).iter();
        let mut args_left = args.iter().enumerate();
        // A position may be one argument or two numbers, so the arguments after it cannot be matched with parameters.
        let mut certain = true;
        while let Some((at, arg)) = args_left.next() {
            let param = params.next().filter(|param| certain && param.name != REST);
            let Some(param) = param else {
                let is_function = matches!(arg.kind, ExprKind::Function(_));
                self.caught += usize::from(catches && is_function);
                self.in_its_room(arg, |reader| drop(reader.expr(arg)));
                self.caught -= usize::from(catches && is_function);
                continue;
            };
            let takes_place = param.lua_type.split('|').any(|lua_type| lua_type == "Place");
            let name = self.literal(arg);
            if let Some(name) = name.filter(|_| takes_timer(entry, param.name)) {
                self.timer_named(name, &arg.span);
            }
            match (&arg.kind, name) {
                (_, Some(text)) if param.lua_type == "Place" && param.names.is_empty() => {
                    self.name("place", text, &arg.span, Use::Fails);
                }
                (_, Some(text)) if !param.names.is_empty() => {
                    // `find_npc` gives nil where others fail.
                    let asks = entry.is_some_and(|entry| entry.name == "find_npc");
                    self.name(param.names, text, &arg.span, if asks { Use::Asked } else { Use::Fails });
                }
                (ExprKind::Function(function), _) if param.lua_type.starts_with("fun(") => {
                    let types = Type::of_params(param.lua_type);
                    self.caught += usize::from(catches);
                    self.in_its_room(arg, |reader| reader.function(function, &types));
                    self.caught -= usize::from(catches);
                }
                (ExprKind::Table(items), _) => {
                    let mut types = param.lua_type.split('|').map(|lua_type| lua_type.trim_end_matches('?'));
                    match types.find_map(|lua_type| shapes().find(|shape| shape.name == lua_type)) {
                        Some(shape) => {
                            self.options(shape, items, param.name);
                            let by_name = entry.is_some_and(|entry| entry.name == "spawn_once");
                            self.lacking(shape, items, param.name, by_name.then_some("name"), &arg.span);
                        }
                        None if param.lua_type.contains("Npc[]") => self.named_list(param.names, items),
                        None => drop(self.expr(arg)),
                    }
                }
                _ => {
                    let found = self.in_its_room_typed(arg, catches);
                    let is_number = matches!(arg.kind, ExprKind::Number | ExprKind::Unary(_));
                    if takes_place && is_number {
                        if let Some((_, z)) = args_left.next() {
                            self.expr(z);
                        }
                    } else if takes_place && found.object().is_none() && !matches!(found, Type::Shape(_)) {
                        let params_left = params.len();
                        certain = args.len() - at - 1 <= params_left;
                    }
                }
            }
        }
        let returns = entry.map_or(&[][..], |entry| entry.returns);
        returns.iter().map(|value| Type::of(value.lua_type, "")).collect()
    }

    fn in_its_room_typed(&mut self, arg: &'a Expr, catches: bool) -> Type {
        let is_function = matches!(arg.kind, ExprKind::Function(_));
        self.caught += usize::from(catches && is_function);
        let mut found = Type::Unknown;
        self.in_its_room(arg, |reader| found = reader.expr(arg));
        self.caught -= usize::from(catches && is_function);
        found
    }

    /// Checks a table literal with known keys.
    fn options(&mut self, shape: &'static TableShape, items: &'a [Item], param: &str) {
        for item in items {
            match item {
                Item::Named(key, value) => {
                    let Some(field) = shape.field(&key.text) else {
                        let names = || shape.fields.iter().map(|field| field.name);
                        // Positions may carry a height or other keys.
                        if shape.name != "Point" {
                            let hint = match did_you_mean(&key.text, names()) {
                                Some(near) => format!("did you mean '{near}'?"),
                                None => format!("there is {}", names().collect::<Vec<_>>().join(", ")),
                            };
                            let message = format!("{param} has no key '{}'", key.text);
                            self.find(self.problem(&key.span, message).with_hint(hint));
                        }
                        self.expr(value);
                        continue;
                    };
                    match (self.literal(value), &value.kind) {
                        (Some(text), _) if !field.names.is_empty() => {
                            self.name(field.names, text, &value.span, Use::Fails);
                        }
                        (None, ExprKind::Table(items)) if field.names == "script" => self.scripts(items),
                        _ => drop(self.expr(value)),
                    }
                }
                Item::Value(value) => drop(self.expr(value)),
                Item::Keyed(key, value) => {
                    self.expr(key);
                    self.expr(value);
                }
            }
        }
    }

    /// Reports missing keys: those the shape requires, and `more`.
    fn lacking(
        &mut self,
        shape: &'static TableShape,
        items: &'a [Item],
        param: &str,
        more: Option<&'static str>,
        span: &Range<usize>,
    ) {
        // A position may also be a list, and other tables may be assembled from parts.
        let is_plain = items.iter().all(|item| matches!(item, Item::Named(..)));
        if shape.name == "Point" || !is_plain {
            return;
        }
        let has =
            |key: &str| items.iter().any(|item| matches!(item, Item::Named(name, _) if name.text == key));
        let needed =
            shape.fields.iter().filter(|field| !field.lua_type.ends_with('?')).map(|field| field.name);
        for key in needed.chain(more).filter(|key| !has(key)) {
            let end = span.start + 1;
            self.find(self.problem(&(span.start..end), format!("{param} must have the key '{key}'")));
        }
    }

    /// Checks the name of a timer, which the script's `on_timer` receives.
    fn timer_named(&mut self, name: &str, span: &Range<usize>) {
        if self.handlers.lack("on_timer") && !self.script.facts.fields.contains("on_timer") {
            let message = format!("nothing in this script is told of the timer '{name}'");
            let problem = self.problem(span, message).as_warning();
            self.find(problem.with_hint("give it an on_timer, or a function instead of the name"));
        }
    }

    /// Checks a string that is compared with the reason of an ending.
    pub(super) fn compared_reason(&mut self, text: &str, span: &Range<usize>) {
        if reasons().any(|reason| reason == text) {
            return;
        }
        let problem =
            self.problem(span, format!("no walk ends as '{text}', so this is never true")).as_warning();
        self.find(match did_you_mean(text, reasons()) {
            Some(near) => problem.with_hint(format!("did you mean '{near}'?")),
            None => problem.with_hint(format!("there is {}", reasons().collect::<Vec<_>>().join(", "))),
        });
    }

    /// Reports a path step that is compared with its name of version 0.1.
    pub(super) fn compared_step(&mut self, of: &Expr, with: &'a Expr) {
        let is_step = matches!(&of.kind, ExprKind::Field { name, .. } if name.text == "step");
        let now = match self.literal(with).filter(|_| is_step) {
            Some("dynamic") => "avoiding",
            Some("static") => "ignoring",
            _ => return,
        };
        let message = format!("the step of a path is called '{now}' now");
        self.find(self.problem(&with.span, message).as_warning());
    }

    /// A list of characters, as handles or names.
    fn named_list(&mut self, names: &'static str, items: &'a [Item]) {
        for item in items {
            let (Item::Value(value) | Item::Named(_, value) | Item::Keyed(_, value)) = item;
            match self.literal(value).filter(|_| !names.is_empty()) {
                Some(text) => self.name(names, text, &value.span, Use::Fails),
                None => drop(self.expr(value)),
            }
        }
    }

    /// A list or a table of scripts.
    fn scripts(&mut self, items: &'a [Item]) {
        for item in items {
            let (Item::Value(value) | Item::Named(_, value) | Item::Keyed(_, value)) = item;
            match value.as_str() {
                Some(text) => self.name("script", text, &value.span, Use::Fails),
                None => drop(self.expr(value)),
            }
        }
    }

    /// Checks a string where the API takes a name.
    fn name(&mut self, names: &'static str, text: &str, span: &Range<usize>, used: Use) {
        match names {
            "script" => self.script_named(text, span),
            "room" => self.room_named(text, span),
            _ => self.named(names, text, span, used),
        }
    }

    /// Checks a string that is compared with a name.
    pub(super) fn compared(&mut self, names: &'static str, text: &str, span: &Range<usize>) {
        if !names.is_empty() {
            self.named(names, text, span, Use::Compared);
        }
    }

    fn script_named(&mut self, text: &str, span: &Range<usize>) {
        let project = &self.survey.project;
        if project.resolve(text).is_ok_and(|place| project.has(&place)) {
            return;
        }
        let scripts =
            self.survey.scripts.keys().map(String::as_str).filter(|file| !file.ends_with("_spec.lua"));
        let hint = match did_you_mean(text, scripts) {
            Some(near) => format!("did you mean '{near}'?"),
            None => "paths are relative to the project: scripts/guard.lua".into(),
        };
        self.find(self.problem(span, format!("there is no script '{text}'")).with_hint(hint));
    }

    fn room_named(&mut self, text: &str, span: &Range<usize>) {
        let project = &self.survey.project;
        if project.room_named(text).is_ok() {
            return;
        }
        let rooms = project.rooms();
        let word = text.rsplit('/').next().unwrap_or(text);
        let word = word.rsplit_once('.').map_or(word, |(stem, _)| stem);
        let problem = self.problem(span, format!("there is no room '{text}'"));
        self.find(match did_you_mean(word, rooms.iter().map(String::as_str)) {
            Some(near) => problem.with_hint(format!("did you mean '{near}'?")),
            None => problem.with_hint(format!("there is {}", rooms.join(", "))),
        });
    }

    /// Whether the script tests which room it is in, and the name exists in another room that it tests for.
    fn is_for_other_room(&self, names: &str, text: &str) -> bool {
        let rooms = &self.survey.rooms;
        self.script.facts.rooms.iter().any(|name| {
            let mut known = rooms.iter().filter(|room| room.name == *name).peekable();
            known.peek().is_none() || known.any(|room| room.knows(names, text))
        })
    }

    fn named(&mut self, names: &'static str, text: &str, span: &Range<usize>, used: Use) {
        let somebody = may_be_character(names);
        let facts = &self.script.facts;
        let asked = used == Use::Fails && facts.asks.contains(text);
        if text.is_empty()
            || somebody && asked
            || self.is_for_other_room(names, text)
            || matches!(names, "link" | "waypath") && self.survey.adds_ways()
            || somebody && self.spawned.iter().any(|spawned| spawned.may_be(text))
        {
            return;
        }
        // If the room is unknown, only names are reported that no room of the project has and that are similar to one
        // that some room has.
        let unsure = self.rooms.is_empty();
        let all: Vec<usize> = match unsure {
            true => (0..self.survey.rooms.len()).collect(),
            false => self.rooms.clone(),
        };
        let rooms: Vec<_> = all.iter().filter_map(|&room| self.survey.rooms.get(room)).collect();
        let missing: Vec<_> = rooms.iter().filter(|room| !room.knows(names, text)).collect();
        let in_all = missing.len() == rooms.len();
        let is_direct = !self.script.users.roles.is_empty() && !self.script.users.by_specs;
        let looks_which = !self.script.facts.rooms.is_empty();
        if missing.is_empty() || !in_all && (!is_direct || looks_which) {
            return;
        }
        let near = missing.iter().find_map(|room| room.near(names, text));
        let anybody = somebody && self.spawned.contains(&Spawned::Unknown);
        let is_question = used == Use::Asked || used == Use::Compared && somebody;
        if near.is_none() && (unsure || anybody || is_question) {
            return;
        }
        // The game may have added ways.
        let may_be_added = matches!(names, "link" | "waypath");
        let certain = !may_be_added
            && used == Use::Fails
            && in_all
            && !unsure
            && !anybody
            && (is_direct || self.script.is_spec);
        let shown: Vec<String> = missing.iter().take(3).map(|room| format!("'{}'", room.name)).collect();
        let more = if missing.len() > 3 { " and others" } else { "" };
        let plural = if missing.len() > 1 { "s" } else { "" };
        let place = match unsure {
            true => "in any room of the project".to_owned(),
            false => format!("in room{plural} {}{more}", shown.join(" and ")),
        };
        let so = if in_all && used == Use::Compared { ", so this is never true" } else { "" };
        let message = format!("no {} '{text}' {place}{so}", in_words(names));
        let also = missing.iter().find_map(|room| room.other(text));
        let hint = match (near, also) {
            (Some(near), _) => Some(format!("did you mean '{near}'?")),
            (None, Some(other)) => Some(format!("there is {other} of this name")),
            (None, None) => None,
        };
        let mut problem = self.problem(span, message);
        problem.hint = hint;
        let users = (!in_all).then(|| "this script is used by other rooms, too, which have it".to_owned());
        problem.note = users;
        self.find(if certain { problem } else { problem.as_warning() });
    }
}
