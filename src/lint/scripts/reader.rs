//! Walks through one script in source order and infers the type of every expression, as far as it is known.

use super::facts::{Spawned, rooms_opened_in};
use super::handlers::Handlers;
use super::survey::{Script, Survey};
use super::types::Type;
use crate::problem::{Problem, Source};
use crate::script::api::Object;
use crate::script::parse::{Block, Expr, ExprKind, Function, Ident, Item, LocalId, Statement};
use std::ops::Range;

/// Upper limit on the problems of one file.
const MAX_FINDINGS: usize = 200;

pub(super) struct Reader<'a> {
    pub(super) survey: &'a Survey,
    pub(super) script: &'a Script,
    pub(super) source: &'a Source,
    /// The rooms to check names against; empty if unknown.
    pub(super) rooms: Vec<usize>,
    /// Characters that may be there beside those in the rooms' files.
    pub(super) spawned: Vec<Spawned>,
    pub(super) handlers: Handlers<'a>,
    /// Types of the local variables.
    types: Vec<Type>,
    /// The values of local variables that are constant strings.
    texts: Vec<Option<&'a str>>,
    /// Local variables that are `{...}`.
    pub(super) rests: Vec<LocalId>,
    /// The number of enclosing calls that catch errors: failures inside may be intended.
    pub(super) caught: usize,
    findings: Vec<Problem>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(survey: &'a Survey, script: &'a Script, source: &'a Source) -> Self {
        let rooms = match script.is_spec {
            true => survey.rooms_of_spec(&script.chunk),
            false => script.users.rooms.iter().copied().collect(),
        };
        let mut reader = Self {
            survey,
            script,
            source,
            rooms: Vec::new(),
            spawned: Vec::new(),
            handlers: Handlers::of(script),
            types: vec![Type::Unknown; script.chunk.locals.len()],
            texts: vec![None; script.chunk.locals.len()],
            rests: Vec::new(),
            caught: 0,
            findings: Vec::new(),
        };
        reader.set_rooms(rooms);
        if script.is_spec && super::facts::rooms_opened(&script.chunk.block).contains(&None) {
            reader.rooms.clear(); // an expression that is not a literal may be any room
        }
        reader
    }

    /// All problems, in the order in which they were found.
    pub(super) fn read(mut self) -> Vec<Problem> {
        let script = self.script;
        self.block(&script.chunk.block);
        let disabled = Disabled::of(self.source);
        self.findings.retain(|problem| !disabled.has(problem.line));
        self.findings
    }

    fn set_rooms(&mut self, rooms: Vec<usize>) {
        self.spawned = self.survey.spawned(&rooms);
        if self.script.is_spec {
            self.spawned.extend(self.script.facts.spawns.iter().cloned());
            // Characters with a test's script, and other scripts it adds to the room, may spawn more.
            let others = self.script.facts.scripts.iter().filter_map(|file| self.survey.scripts.get(file));
            self.spawned.extend(others.flat_map(|script| script.facts.spawns.iter().cloned()));
        }
        self.rooms = rooms;
    }

    pub(super) fn find(&mut self, problem: Problem) {
        if self.caught == 0 && self.findings.len() < MAX_FINDINGS {
            self.findings.push(problem);
        }
    }

    pub(super) fn problem(&self, span: &Range<usize>, message: impl Into<String>) -> Problem {
        self.source.problem(span.clone(), message)
    }

    pub(super) fn text(&self, expr: &Expr) -> &'a str {
        self.source.text.get(expr.span.clone()).unwrap_or("")
    }

    fn block(&mut self, block: &'a Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'a Statement) {
        match statement {
            Statement::Local { names, values } => {
                let types = self.values(values);
                for (&name, value) in names.iter().zip(values) {
                    if self.is_rest(value) {
                        self.rests.push(name);
                    }
                }
                for (at, name) in names.iter().enumerate() {
                    self.declare(*name, types.get(at).cloned().unwrap_or_default());
                    if let Some(place) = self.texts.get_mut(name.0) {
                        *place = values.get(at).and_then(Expr::as_str);
                    }
                }
            }
            Statement::Global { values } | Statement::Return(values) => drop(self.values(values)),
            Statement::Assign { targets, values } => {
                self.values(values);
                targets.iter().for_each(|target| self.target(target));
            }
            Statement::Call(expr) | Statement::Condition(expr) => drop(self.expr(expr)),
            Statement::Block(body) => self.block(body),
            Statement::NumericFor { range, body } => {
                self.values(range);
                self.block(body);
            }
            Statement::GenericFor { names, values, body } => {
                let item = self.iterated(values);
                if let Some(second) = names.get(1) {
                    self.declare(*second, item);
                }
                self.block(body);
            }
            Statement::Function { name, function } => {
                if !matches!(name.kind, ExprKind::Name(..)) {
                    self.target(name);
                } else if let ExprKind::Name(ident, None) = &name.kind {
                    self.global_assigned(ident);
                }
                self.function(function, &[]);
            }
            Statement::LocalFunction { function } => self.function(function, &[]),
        }
    }

    fn declare(&mut self, id: LocalId, found: Type) {
        let is_reassigned = self.script.chunk.locals.get(id.0).is_none_or(|local| local.is_reassigned);
        if let Some(place) = self.types.get_mut(id.0) {
            *place = if is_reassigned { Type::Unknown } else { found };
        }
    }

    /// The string value of an expression, written here or where its variable is declared.
    pub(super) fn literal(&self, expr: &'a Expr) -> Option<&'a str> {
        match &expr.kind {
            ExprKind::Name(_, Some(local)) => {
                let is_fixed = self.script.chunk.locals.get(local.0).is_some_and(|it| !it.is_reassigned);
                self.texts.get(local.0).copied().flatten().filter(|_| is_fixed)
            }
            _ => expr.as_str(),
        }
    }

    /// Reads the target of an assignment.
    fn target(&mut self, target: &'a Expr) {
        match &target.kind {
            ExprKind::Name(ident, None) => self.global_assigned(ident),
            ExprKind::Field { object, name } => {
                let of = self.expr(object);
                self.written(object, &of, name);
            }
            _ => drop(self.expr(target)),
        }
    }

    /// The type of a loop's second variable.
    fn iterated(&mut self, values: &'a [Expr]) -> Type {
        let list = match values.first().map(|value| &value.kind) {
            Some(ExprKind::Call { callee, args }) if callee.as_global() == Some("ipairs") => args.first(),
            _ => None,
        };
        let Some(list) = list else {
            self.values(values);
            return Type::Unknown;
        };
        match self.expr(list) {
            Type::List(inner) => *inner,
            _ => Type::Unknown,
        }
    }

    /// The types of a list of expressions; of the last one, all its results.
    pub(super) fn values(&mut self, values: &'a [Expr]) -> Vec<Type> {
        let Some((last, others)) = values.split_last() else { return Vec::new() };
        let mut types: Vec<Type> = others.iter().map(|value| self.expr(value)).collect();
        types.extend(self.results(last));
        types
    }

    /// The type of an expression; of a call, that of its first result.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Type {
        self.results(expr).into_iter().next().unwrap_or_default()
    }

    /// The types of all results of an expression. A chain such as `a.b:c() + d` is read link by link, from its beginning:
    /// it may be longer than the stack is deep.
    fn results(&mut self, expr: &'a Expr) -> Vec<Type> {
        let (mut beginning, mut links) = (expr, Vec::new());
        while let Some(object) = receiver(beginning) {
            links.push(beginning);
            beginning = object;
        }
        let mut types = self.beginning(beginning);
        while let Some(link) = links.pop() {
            let of = types.into_iter().next().unwrap_or_default();
            types = self.link(link, &of);
        }
        types
    }

    /// The types of an expression that no other one begins.
    fn beginning(&mut self, expr: &'a Expr) -> Vec<Type> {
        vec![match &expr.kind {
            ExprKind::String(_) => Type::Text(""),
            ExprKind::Name(_, Some(local)) => self.types.get(local.0).cloned().unwrap_or_default(),
            ExprKind::Name(ident, None) => self.global(ident),
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Call { args, .. } => return self.call(expr, None, args),
            ExprKind::Unary(inner) => {
                if self.text(expr).starts_with('#') {
                    self.counted(inner);
                }
                self.expr(inner);
                Type::Unknown
            }
            ExprKind::Table(items) => {
                self.table(items);
                Type::Unknown
            }
            ExprKind::Function(function) => {
                self.function(function, &[]);
                Type::Unknown
            }
            _ => Type::Unknown,
        }]
    }

    /// The types of a link of a chain, by the type of its [`receiver`].
    fn link(&mut self, link: &'a Expr, of: &Type) -> Vec<Type> {
        vec![match &link.kind {
            ExprKind::Field { object, name } => self.read_field(object, of, name),
            ExprKind::Index { key, .. } => {
                self.expr(key);
                match of {
                    Type::List(inner) => (**inner).clone(),
                    _ => Type::Unknown,
                }
            }
            ExprKind::Binary { operator, left, right } => self.operation(operator, (left, of), right),
            ExprKind::Call { args, .. } | ExprKind::Method { args, .. } => {
                return self.call(link, Some(of), args);
            }
            _ => Type::Unknown,
        }]
    }

    fn table(&mut self, items: &'a [Item]) {
        self.nil_in_list(items);
        for item in items {
            match item {
                Item::Value(value) | Item::Named(_, value) => drop(self.expr(value)),
                Item::Keyed(key, value) => {
                    self.expr(key);
                    self.expr(value);
                }
            }
        }
    }

    fn operation(&mut self, operator: &str, (left, a): (&'a Expr, &Type), right: &'a Expr) -> Type {
        let b = &self.expr(right);
        if matches!(operator, "==" | "~=") {
            for (of, side, other) in [(a, left, right), (b, right, left)] {
                self.compared_step(side, other);
                match (of, self.literal(other)) {
                    (Type::Text(names), Some(text)) => self.compared(names, text, &other.span),
                    (Type::Reason, Some(text)) => self.compared_reason(text, &other.span),
                    _ => {}
                }
            }
        }
        match (operator, a, b) {
            // `x and x.y` and `x or y` may be either; only their common type is certain.
            ("..", ..) => Type::Text(""),
            ("or", Type::Object(a), Type::Object(b)) if a == b => Type::Object(*a),
            _ => Type::Unknown,
        }
    }

    /// Reads a function with these parameter types, as far as they are known.
    pub(super) fn function(&mut self, function: &'a Function, params: &[Type]) {
        let handled = self.handlers.params(function);
        let implied = function.implied_self.is_some();
        let known: Vec<Type> = match &handled {
            Some(types) => types.iter().skip(usize::from(implied)).cloned().collect(),
            None => params.to_vec(),
        };
        for (at, &param) in function.params.iter().enumerate() {
            let name = self.script.chunk.locals.get(param.0).map_or("", |local| local.name.text.as_str());
            let found = match known.get(at) {
                Some(Type::Unknown) | None => Type::of_name(name),
                Some(known) => known.clone(),
            };
            self.declare(param, found);
        }
        if let Some(problem) = self.handlers.mistake(self.script, self.source, function) {
            self.find(problem);
        }
        self.block(&function.body);
    }

    /// Reads an argument of a spec's `it` and the like: the room that it opens applies inside it.
    pub(super) fn in_its_room(&mut self, arg: &'a Expr, read: impl FnOnce(&mut Self)) {
        let opened = match arg.kind {
            ExprKind::Function(_) if self.script.is_spec => rooms_opened_in(arg),
            _ => Vec::new(),
        };
        if opened.is_empty() {
            return read(self);
        }
        let known: Option<Vec<usize>> =
            opened.into_iter().map(|name| self.survey.room_named(&name?)).collect();
        let (rooms, spawned) = (self.rooms.clone(), self.spawned.clone());
        self.set_rooms(known.unwrap_or_default());
        read(self);
        (self.rooms, self.spawned) = (rooms, spawned);
    }

    fn global_assigned(&mut self, ident: &Ident) {
        if self.script.facts.has_env {
            return;
        }
        let problem = self.problem(&ident.span, format!("'{}' is assigned and not declared", ident.text));
        self.find(problem.with_hint(format!("write local {} = … where it begins", ident.text)));
    }

    /// Whether this file has an object of this kind.
    pub(super) fn has_object(&self, object: Object) -> bool {
        self.script.is_spec || !matches!(object, Object::Spec | Object::Expectation)
    }
}

/// The part of an expression whose type says what the rest of it means: `a.b` of `a.b:c()` and of `a.b.c()`. None of the
/// call of a global function, which is looked up by its name.
fn receiver(expr: &Expr) -> Option<&Expr> {
    let left = expr.left()?;
    match (&expr.kind, &left.kind) {
        (ExprKind::Call { .. }, ExprKind::Field { object, .. }) => Some(object),
        (ExprKind::Call { .. }, ExprKind::Name(_, None)) => None,
        _ => Some(left),
    }
}

/// `---@diagnostic disable…`, as Lua's language servers know it.
struct Disabled<'a> {
    source: &'a Source,
    /// The line after which all problems are suppressed, computed once.
    from: Option<u32>,
}

impl<'a> Disabled<'a> {
    fn of(source: &'a Source) -> Self {
        let is_said = source.text.contains(DIAGNOSTIC);
        let mut lines = (1..source.line_count()).filter(|_| is_said);
        Self { source, from: lines.find(|&line| says(source, line, "disable")) }
    }

    /// Whether problems of this line are suppressed.
    fn has(&self, line: u32) -> bool {
        self.from.is_some_and(|from| from < line)
            || says(self.source, line, "disable-line")
            || says(self.source, line.saturating_sub(1), "disable-next-line")
    }
}

const DIAGNOSTIC: &str = "---@diagnostic ";

/// Whether a line has this diagnostic directive.
fn says(source: &Source, line: u32, what: &str) -> bool {
    let text = source.line(line).map_or("", |(_, text)| text);
    text.split_once(DIAGNOSTIC)
        .is_some_and(|(_, rest)| rest.split([':', ' ']).next().is_some_and(|word| word.trim() == what))
}
