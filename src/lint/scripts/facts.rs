//! Facts of one script about others: the scripts it loads, the characters it spawns, the rooms that a spec opens.

use crate::script::parse::{
    Block, Chunk, Expr, ExprKind, Item, LocalId, Statement, TreePart, visit, visit_expr,
};
use std::collections::{BTreeMap, BTreeSet};

/// Methods that add links or waypaths: jumps of the player are recorded.
const ADD_WAYS: [&str; 4] = ["add_link", "add_waypath", "jump_to", "record_jump"];

/// The facts of a script that can be found without reading anything else.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The arguments of `require`.
    pub(super) requires: BTreeSet<String>,
    /// String literals that end with `.lua`: behaviours of spawned characters, or of a spec's `script_overrides`.
    pub(super) scripts: BTreeSet<String>,
    /// The names of spawned characters.
    pub(super) spawns: Vec<Spawned>,
    /// Names that it gives to fields, methods and keys: calls of these are not misspelt.
    pub(super) fields: BTreeSet<String>,
    /// Fields that it assigns: `hotspot.seen = true` is ("hotspot", "seen").
    pub(super) written: BTreeSet<(String, String)>,
    /// Characters that it tests for before using them: `room:find_npc("bob")`.
    pub(super) asks: BTreeSet<String>,
    /// Names that it compares a room's name with: a part of it is for that room.
    pub(super) rooms: BTreeSet<String>,
    /// Whether it adds links or waypaths, whose names are not known then.
    pub(super) adds_ways: bool,
    /// Whether it replaces `_ENV`, so that its globals are unknown.
    pub(super) has_env: bool,
}

/// The name of a spawned character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spawned {
    Named(String),
    /// `"guest_" .. i`
    Starting(String),
    Unknown,
}

impl Spawned {
    pub(super) fn may_be(&self, name: &str) -> bool {
        match self {
            Self::Named(known) => known == name,
            Self::Starting(start) => name.starts_with(start),
            Self::Unknown => false,
        }
    }
}

impl Facts {
    pub(super) fn of(chunk: &Chunk) -> Self {
        let has_env = chunk.locals.iter().any(|local| local.name.text == "_ENV");
        let mut facts = Self { has_env, ..Self::default() };
        let mut values = Values::default();
        visit(&chunk.block, &mut |part| values.note(part));
        let is_fixed = |id: &LocalId| chunk.locals.get(id.0).is_some_and(|local| !local.is_reassigned);
        values.locals.retain(|id, _| is_fixed(id));
        visit(&chunk.block, &mut |part| match part {
            TreePart::Expr(expr) => facts.look(expr, &values),
            TreePart::Statement(Statement::Assign { targets, .. }) => {
                targets.iter().for_each(|t| facts.target(t))
            }
            TreePart::Statement(Statement::Function { name, .. }) => facts.target(name),
            TreePart::Statement(_) => {}
        });
        facts
    }

    /// Reads the target of an assignment.
    fn target(&mut self, target: &Expr) {
        if let ExprKind::Field { object, name } = &target.kind {
            self.fields.insert(name.text.clone());
            if let ExprKind::Name(object, _) = &object.kind {
                self.written.insert((object.text.clone(), name.text.clone()));
            }
        }
    }

    fn look(&mut self, expr: &Expr, values: &Values<'_>) {
        match &expr.kind {
            // `"scripts/" .. name .. ".lua"`: any script may run there, and spawn any character.
            ExprKind::String(text) if text == ".lua" => self.spawns.push(Spawned::Unknown),
            ExprKind::String(text) if text.ends_with(".lua") => drop(self.scripts.insert(text.clone())),
            ExprKind::Name(name, None) if name.text == "_ENV" => self.has_env = true,
            ExprKind::Index { key, .. } => {
                self.fields.extend(key.as_str().map(str::to_owned));
            }
            ExprKind::Table(items) => {
                let names = items.iter().filter_map(|item| match item {
                    Item::Named(name, _) => Some(name.text.clone()),
                    Item::Keyed(key, _) => key.as_str().map(str::to_owned),
                    Item::Value(_) => None,
                });
                self.fields.extend(names);
            }
            ExprKind::Call { callee, args } => self.call(callee, args, values),
            // `room:spawn_…{…}`: any method of the API with this prefix.
            ExprKind::Method { name, args, .. } if name.text.starts_with("spawn") => self.spawn(args, values),
            ExprKind::Method { name, .. } if ADD_WAYS.contains(&name.text.as_str()) => self.adds_ways = true,
            ExprKind::Method { name, args, .. } if name.text == "find_npc" => {
                self.asks.extend(args.first().and_then(|arg| values.text(arg)).map(str::to_owned));
            }
            ExprKind::Binary { operator, left, right } if matches!(*operator, "==" | "~=") => {
                for (field, text) in [(left, right), (right, left)] {
                    let text = values.text(text).filter(|_| is_name_of_room(field));
                    self.rooms.extend(text.map(str::to_owned));
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, callee: &Expr, args: &[Expr], values: &Values<'_>) {
        match callee.as_global() {
            Some("require") => {
                self.requires.extend(args.first().and_then(Expr::as_str).map(str::to_owned));
            }
            Some("spawn" | "spawn_once") => self.spawn(args, values),
            // `pcall(spawn, …)` and the like: the argument may be any character.
            _ if args.iter().any(|arg| matches!(arg.as_global(), Some("spawn" | "spawn_once"))) => {
                self.spawns.push(Spawned::Unknown);
            }
            _ => {}
        }
    }

    fn spawn(&mut self, args: &[Expr], values: &Values<'_>) {
        let Some(ExprKind::Table(items)) = args.first().map(|arg| &arg.kind) else {
            return self.spawns.push(Spawned::Unknown);
        };
        let named = items.iter().find_map(|item| match item {
            Item::Named(key, value) if key.text == "name" => Some(value),
            _ => None,
        });
        match named {
            None => self.spawns.push(Spawned::Starting("npc_".into())),
            Some(name) => self.spawns.extend(values.names(name)),
        }
    }
}

/// Whether this is `room.name`, for a room in any variable.
fn is_name_of_room(expr: &Expr) -> bool {
    let ExprKind::Field { object, name } = &expr.kind else { return false };
    let of = match &object.kind {
        ExprKind::Name(ident, _) => ident,
        ExprKind::Field { name, .. } => name,
        _ => return false,
    };
    name.text == "name" && of.text == "room"
}

/// Literal values: the initial values of locals, and lists of strings by their variable's name.
#[derive(Default)]
struct Values<'a> {
    locals: BTreeMap<LocalId, &'a Expr>,
    lists: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Values<'a> {
    fn note(&mut self, part: TreePart<'a>) {
        match part {
            TreePart::Statement(Statement::Local { names, values }) => {
                self.locals.extend(names.iter().copied().zip(values));
            }
            TreePart::Expr(Expr { kind: ExprKind::Table(items), .. }) => {
                for item in items {
                    if let Item::Named(key, Expr { kind: ExprKind::Table(list), .. }) = item {
                        self.lists.extend(strings(list).map(|strings| (key.text.as_str(), strings)));
                    }
                }
            }
            _ => {}
        }
    }

    /// The string value of an expression, written there or where its variable is declared.
    fn text(&self, expr: &'a Expr) -> Option<&'a str> {
        match &expr.kind {
            ExprKind::Name(_, Some(local)) => self.locals.get(local).and_then(|value| value.as_str()),
            _ => expr.as_str(),
        }
    }

    /// The names that an expression may evaluate to.
    fn names(&self, expr: &Expr) -> Vec<Spawned> {
        let list = |names: &[&str]| names.iter().map(|name| Spawned::Named((*name).to_owned())).collect();
        match &expr.kind {
            ExprKind::String(name) => vec![Spawned::Named(name.clone())],
            ExprKind::Binary { operator: "..", .. } => match first_piece(expr).as_str() {
                Some(start) => vec![Spawned::Starting(start.to_owned())],
                None => vec![Spawned::Unknown],
            },
            // `names[i]` and `Tavern.visitors[i]`.
            ExprKind::Index { object, .. } => match &object.kind {
                ExprKind::Field { name, .. } => self
                    .lists
                    .get(name.text.as_str())
                    .map_or_else(|| vec![Spawned::Unknown], |names| list(names)),
                ExprKind::Name(_, Some(local)) => match self.locals.get(local).map(|value| &value.kind) {
                    Some(ExprKind::Table(items)) => {
                        strings(items).map_or_else(|| vec![Spawned::Unknown], |names| list(&names))
                    }
                    _ => vec![Spawned::Unknown],
                },
                _ => vec![Spawned::Unknown],
            },
            ExprKind::Name(_, Some(local)) => match self.locals.get(local) {
                Some(value) if !matches!(value.kind, ExprKind::Name(..)) => self.names(value),
                _ => vec![Spawned::Unknown],
            },
            _ => vec![Spawned::Unknown],
        }
    }
}

/// What a text in pieces begins with.
fn first_piece(expr: &Expr) -> &Expr {
    let mut piece = expr;
    while let ExprKind::Binary { operator: "..", left, .. } = &piece.kind {
        piece = left;
    }
    piece
}

/// The strings of a list that contains only strings.
fn strings(items: &[Item]) -> Option<Vec<&str>> {
    items
        .iter()
        .map(|item| match item {
            Item::Value(value) => value.as_str(),
            _ => None,
        })
        .collect()
}

/// The rooms that `load_room` opens in these statements: literal names, or `None` for other expressions.
pub(super) fn rooms_opened(block: &Block) -> Vec<Option<String>> {
    let mut rooms = Vec::new();
    visit(block, &mut |part| rooms.extend(room_opened(part)));
    rooms
}

/// The same for an expression.
pub(super) fn rooms_opened_in(expr: &Expr) -> Vec<Option<String>> {
    let mut rooms = Vec::new();
    visit_expr(expr, &mut |part| rooms.extend(room_opened(part)));
    rooms
}

fn room_opened(part: TreePart<'_>) -> Option<Option<String>> {
    let TreePart::Expr(Expr { kind: ExprKind::Call { callee, args }, .. }) = part else { return None };
    let is_load = callee.as_global() == Some("load_room");
    is_load.then(|| args.first().and_then(Expr::as_str).map(str::to_owned))
}
