//! Lua as a syntax tree with the place of every part, for the compiler's messages and the lint. Lua's own
//! compiler does not report it.
//!
//! The parser reads Lua 5.5 and resolves local variables as it goes, as Lua's compiler does. It stops at the
//! first error; the message for such a file comes from Lua's own compiler.

mod lexer;
mod parser;
mod weigh;

use std::ops::Range;

pub(in crate::script) use lexer::KEYWORDS;
pub(crate) use parser::{MAX_DEPTH, parse};
pub(crate) use weigh::may_be_too_much;

/// All texts in quotes or long brackets, up to the first place that is no Lua.
pub(in crate::script) fn strings(text: &str) -> Vec<String> {
    let (mut lexer, mut strings) = (lexer::Lexer::new(text), Vec::new());
    while let Ok(token) = lexer.next() {
        match token.kind {
            lexer::TokenKind::String(content) => strings.push(content),
            lexer::TokenKind::End => break,
            _ => {}
        }
    }
    strings
}

/// The token at which a text stops being Lua.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) at: Range<usize>,
    /// What the text exceeds, if it may be valid Lua.
    pub(crate) exceeds: Option<Limit>,
}

/// A limit of what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// It would take too long to compile.
    Work,
    /// It nests deeper than [`MAX_DEPTH`].
    Depth,
}

/// A whole file.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) block: Block,
    /// Every local variable and parameter, by [`LocalId`].
    pub(crate) locals: Vec<Local>,
    /// The first declaration of a global: `global x`, `global function f()`, `global *`.
    pub(crate) first_global: Option<Range<usize>>,
}

/// A local variable, as an index into [`Chunk::locals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LocalId(pub(crate) usize);

/// A local variable or parameter.
#[derive(Debug)]
pub(crate) struct Local {
    pub(crate) name: Ident,
    /// Whether it is assigned after its declaration; of a global, whether other files may.
    pub(crate) is_reassigned: bool,
    /// Whether it was declared as a global.
    is_global: bool,
}

pub(crate) type Block = Vec<Statement>;

/// A name with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ident {
    pub(crate) text: String,
    pub(crate) span: Range<usize>,
}

#[derive(Debug)]
pub(crate) enum Statement {
    Local {
        names: Vec<LocalId>,
        values: Vec<Expr>,
    },
    /// Lua 5.5: `global NAME = value`.
    Global {
        values: Vec<Expr>,
    },
    Assign {
        targets: Vec<Expr>,
        values: Vec<Expr>,
    },
    Call(Expr),
    /// `do`, and loops and branches after their conditions.
    Block(Block),
    Condition(Expr),
    NumericFor {
        range: Vec<Expr>,
        body: Block,
    },
    GenericFor {
        names: Vec<LocalId>,
        values: Vec<Expr>,
        body: Block,
    },
    /// `function NAME.field.field:method() … end`, or with `name` alone.
    Function {
        name: Expr,
        function: Function,
    },
    LocalFunction {
        function: Function,
    },
    Return(Vec<Expr>),
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Range<usize>,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    /// `nil`, a truth value, a number, `...`.
    Plain,
    Number,
    String(String),
    Function(Function),
    /// A variable; a global if there is no local.
    Name(Ident, Option<LocalId>),
    /// `object.name`, or `object:name` where a function is declared.
    Field {
        object: Box<Expr>,
        name: Ident,
    },
    Index {
        object: Box<Expr>,
        key: Box<Expr>,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    Method {
        object: Box<Expr>,
        name: Ident,
        args: Vec<Expr>,
    },
    Table(Vec<Item>),
    Binary {
        operator: &'static str,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Unary(Box<Expr>),
    Paren(Box<Expr>),
}

/// One entry of a table constructor.
#[derive(Debug)]
pub(crate) enum Item {
    Value(Expr),
    Named(Ident, Expr),
    Keyed(Expr, Expr),
}

#[derive(Debug)]
pub(crate) struct Function {
    /// Without the `self` that a colon adds.
    pub(crate) params: Vec<LocalId>,
    /// The `self` that a colon in the declaration adds.
    pub(crate) implied_self: Option<LocalId>,
    pub(crate) body: Block,
}

impl Expr {
    /// The text of a string literal.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::String(text) => Some(text),
            ExprKind::Paren(inner) => inner.as_str(),
            _ => None,
        }
    }

    /// The name of a global variable.
    pub(crate) fn as_global(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Name(name, None) => Some(&name.text),
            _ => None,
        }
    }

    /// What a chain such as `a.b:c() + d` continues: its part to the left. Chains are longer than a stack is deep, so
    /// whoever walks through a tree follows them in a loop. All other parts are nested, [`MAX_DEPTH`] levels at most.
    pub(crate) fn left(&self) -> Option<&Self> {
        match &self.kind {
            ExprKind::Field { object: left, .. }
            | ExprKind::Index { object: left, .. }
            | ExprKind::Method { object: left, .. }
            | ExprKind::Call { callee: left, .. }
            | ExprKind::Binary { left, .. } => Some(left),
            _ => None,
        }
    }

    /// Takes the part to the left out of its place.
    fn take_left(&mut self) -> Option<Self> {
        let (ExprKind::Field { object: left, .. }
        | ExprKind::Index { object: left, .. }
        | ExprKind::Method { object: left, .. }
        | ExprKind::Call { callee: left, .. }
        | ExprKind::Binary { left, .. }) = &mut self.kind
        else {
            return None;
        };
        Some(std::mem::replace(left, Self { kind: ExprKind::Plain, span: 0..0 }))
    }
}

/// Drops a chain link by link: a call for each would need more stack than there is.
impl Drop for Expr {
    fn drop(&mut self) {
        let mut next = self.take_left();
        while let Some(mut link) = next {
            next = link.take_left();
        }
    }
}

/// A part of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TreePart<'a> {
    Statement(&'a Statement),
    Expr(&'a Expr),
}

/// Visits every statement and expression of a block, nested ones and those in functions included. Outer ones come first;
/// the parts of one come in their order in the text.
pub(crate) fn visit<'a>(block: &'a Block, look: &mut dyn FnMut(TreePart<'a>)) {
    visit_parts(block.iter().rev().map(TreePart::Statement).collect(), look);
}

/// Visits an expression and everything in it.
pub(crate) fn visit_expr<'a>(expr: &'a Expr, look: &mut dyn FnMut(TreePart<'a>)) {
    visit_parts(vec![TreePart::Expr(expr)], look);
}

/// Visits parts, the last one first, and what is in them.
fn visit_parts<'a>(mut waiting: Vec<TreePart<'a>>, look: &mut dyn FnMut(TreePart<'a>)) {
    while let Some(part) = waiting.pop() {
        look(part);
        let first = waiting.len();
        match part {
            TreePart::Statement(statement) => add_parts_of_statement(statement, &mut waiting),
            TreePart::Expr(expr) => add_parts_of_expr(expr, &mut waiting),
        }
        waiting[first..].reverse();
    }
}

fn add_parts_of_statement<'a>(statement: &'a Statement, parts: &mut Vec<TreePart<'a>>) {
    match statement {
        Statement::Local { values, .. } | Statement::Global { values } | Statement::Return(values) => {
            parts.extend(values.iter().map(TreePart::Expr));
        }
        Statement::Assign { targets, values } => {
            parts.extend(targets.iter().chain(values).map(TreePart::Expr));
        }
        Statement::Call(expr) | Statement::Condition(expr) => parts.push(TreePart::Expr(expr)),
        Statement::Block(body) => parts.extend(body.iter().map(TreePart::Statement)),
        Statement::NumericFor { range: values, body } | Statement::GenericFor { values, body, .. } => {
            parts.extend(values.iter().map(TreePart::Expr));
            parts.extend(body.iter().map(TreePart::Statement));
        }
        Statement::Function { name, function } => {
            parts.push(TreePart::Expr(name));
            parts.extend(function.body.iter().map(TreePart::Statement));
        }
        Statement::LocalFunction { function } => parts.extend(function.body.iter().map(TreePart::Statement)),
    }
}

fn add_parts_of_expr<'a>(expr: &'a Expr, parts: &mut Vec<TreePart<'a>>) {
    parts.extend(expr.left().map(TreePart::Expr));
    match &expr.kind {
        ExprKind::Plain | ExprKind::Number | ExprKind::String(_) | ExprKind::Name(..) => {}
        ExprKind::Field { .. } => {}
        ExprKind::Function(function) => parts.extend(function.body.iter().map(TreePart::Statement)),
        ExprKind::Unary(inner) | ExprKind::Paren(inner) => parts.push(TreePart::Expr(inner)),
        ExprKind::Index { key: right, .. } | ExprKind::Binary { right, .. } => {
            parts.push(TreePart::Expr(right))
        }
        ExprKind::Call { args, .. } | ExprKind::Method { args, .. } => {
            parts.extend(args.iter().map(TreePart::Expr));
        }
        ExprKind::Table(items) => {
            for item in items {
                match item {
                    Item::Value(value) | Item::Named(_, value) => parts.push(TreePart::Expr(value)),
                    Item::Keyed(key, value) => parts.extend([key, value].map(TreePart::Expr)),
                }
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
