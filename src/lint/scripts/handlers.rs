//! Checks the functions of a script that the host calls, and their parameters.

use super::survey::Script;
use super::types::Type;
use crate::problem::{Problem, Source};
use crate::script::api::{Entry, Object, entries_of};
use crate::script::parse::{Expr, ExprKind, Function, Item, LocalId, Statement, TreePart, visit};

/// The handlers in the table that a script returns.
pub(super) struct Handlers<'a> {
    found: Vec<(&'a str, &'a Function)>,
    /// The kind of object that they handle events of, if known.
    role: Option<Object>,
    /// Whether these are all functions of the table: nothing is copied or inherited.
    is_whole: bool,
}

impl<'a> Handlers<'a> {
    pub(super) fn of(script: &'a Script) -> Self {
        let found = if script.is_spec { Vec::new() } else { functions(script) };
        let mut roles = script.users.roles.iter();
        let role = match (roles.next(), roles.next()) {
            (Some(role), None) => Some(*role),
            (None, None) => guess(script, &found),
            _ => None,
        };
        Self { found, role, is_whole: is_whole(script) }
    }

    /// Whether the script is certainly called by the host and has no handler for this event.
    pub(super) fn lack(&self, event: &str) -> bool {
        self.role.is_some() && self.is_whole && self.found.iter().all(|(name, _)| *name != event)
    }

    /// The event that this function handles.
    fn event(&self, function: &Function) -> Option<&'static Entry> {
        let (name, _) = self.found.iter().find(|(_, found)| std::ptr::eq(*found, function))?;
        entries_of(self.role?).find(|entry| entry.name == *name)
    }

    /// The types of a handler's parameters, `self` included.
    pub(super) fn params(&self, function: &Function) -> Option<Vec<Type>> {
        let event = self.event(function)?;
        Some(event.params.iter().map(|param| Type::of(param.lua_type, param.names)).collect())
    }

    /// A problem for a handler whose parameters are clearly in the wrong order.
    pub(super) fn mistake(&self, script: &Script, source: &Source, function: &Function) -> Option<Problem> {
        let event = self.event(function)?;
        let locals = &script.chunk.locals;
        let first = locals.get(function.params.first()?.0)?;
        let expected: Vec<&str> = event.params.iter().map(|param| param.name).collect();
        let given = first.name.text.as_str();
        // With a colon the first argument is called self, whatever it holds.
        let offset = usize::from(function.implied_self.is_some());
        let wanted = *expected.get(offset)?;
        let elsewhere = ["self", "npc", "room"].contains(&given) && given != wanted;
        let problem = source.problem(
            first.name.span.clone(),
            format!("{} is called with ({}), so '{given}' is {wanted} here", event.name, expected.join(", ")),
        );
        let hint = match offset {
            0 => format!("write function …{}({})", ".".to_owned() + event.name, expected.join(", ")),
            _ => format!("declare it with a dot: ….{}({})", event.name, expected.join(", ")),
        };
        (elsewhere && (expected.contains(&given) || offset == 0))
            .then(|| problem.with_hint(hint).as_warning())
    }
}

/// Whether the table that a script returns is made in it, and no key is computed at run time.
fn is_whole(script: &Script) -> bool {
    let block = &script.chunk.block;
    let Some(Statement::Return(values)) = block.last() else { return false };
    let [Expr { kind: ExprKind::Name(_, Some(returned)), .. }] = &values[..] else { return false };
    let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Name(_, Some(local)) if local == *returned);
    let is_made_here = block.iter().any(|statement| match statement {
        Statement::Local { names, values } => {
            let value = names.iter().position(|name| name == returned).and_then(|at| values.get(at));
            value.is_some_and(|value| matches!(value.kind, ExprKind::Table(_)))
        }
        _ => false,
    });
    let mut is_given_away = false;
    visit(block, &mut |part| {
        is_given_away |= match part {
            TreePart::Expr(Expr {
                kind: ExprKind::Call { args, .. } | ExprKind::Method { args, .. },
                ..
            }) => args.iter().any(is_it),
            TreePart::Statement(Statement::Assign { targets, .. }) => targets
                .iter()
                .any(|target| matches!(&target.kind, ExprKind::Index { object, .. } if is_it(object))),
            _ => false,
        }
    });
    is_made_here && !is_given_away
}

/// The named functions in the table that a script returns.
pub(super) fn functions(script: &Script) -> Vec<(&str, &Function)> {
    let block = &script.chunk.block;
    let Some(Statement::Return(values)) = block.last() else { return Vec::new() };
    let [value] = &values[..] else { return Vec::new() };
    let mut found = Vec::new();
    let returned = match &value.kind {
        ExprKind::Name(_, Some(local)) => *local,
        ExprKind::Table(items) => {
            found.extend(items_of(items));
            return found;
        }
        _ => return found,
    };
    for statement in block {
        match statement {
            Statement::Local { names, values } => {
                let at = names.iter().position(|name| *name == returned);
                if let Some(ExprKind::Table(items)) =
                    at.and_then(|at| values.get(at)).map(|value| &value.kind)
                {
                    found.extend(items_of(items));
                }
            }
            Statement::Function { name, function } => {
                found.extend(field_of(name, returned).map(|name| (name, function)));
            }
            Statement::Assign { targets, values } => {
                for (target, value) in targets.iter().zip(values) {
                    if let (Some(name), ExprKind::Function(function)) =
                        (field_of(target, returned), &value.kind)
                    {
                        found.push((name, function));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn items_of(items: &[Item]) -> impl Iterator<Item = (&str, &Function)> {
    items.iter().filter_map(|item| match item {
        Item::Named(name, Expr { kind: ExprKind::Function(function), .. }) => {
            Some((name.text.as_str(), function))
        }
        _ => None,
    })
}

fn field_of(expr: &Expr, table: LocalId) -> Option<&str> {
    let ExprKind::Field { object, name } = &expr.kind else { return None };
    matches!(object.kind, ExprKind::Name(_, Some(local)) if local == table).then_some(name.text.as_str())
}

/// Guesses the kind of object that a script is for, by its handlers: events that only one kind has, and the parameter
/// names of the other handlers. `None` if these disagree.
pub(super) fn guess(script: &Script, functions: &[(&str, &Function)]) -> Option<Object> {
    let has = |role: Object, name: &str| entries_of(role).any(|entry| entry.name == name);
    let (mut behaviour, mut room) = (0, 0);
    for (name, function) in functions {
        let first = function.params.first().and_then(|param| script.chunk.locals.get(param.0));
        let first = first.map_or("", |local| local.name.text.as_str());
        let implied = function.implied_self.is_some();
        match (has(Object::Behaviour, name), has(Object::RoomScript, name)) {
            (true, false) => behaviour += 1,
            (false, true) => room += 1,
            (true, true) if first == "room" && !implied => room += 1,
            (true, true) if first == "self" || implied && first == "npc" => behaviour += 1,
            _ => {}
        }
    }
    match (behaviour, room) {
        (1.., 0) => Some(Object::Behaviour),
        (0, 1..) => Some(Object::RoomScript),
        _ => None,
    }
}
