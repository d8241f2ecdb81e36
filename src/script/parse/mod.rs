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
pub(crate) use parser::parse;
pub(crate) use weigh::may_be_too_much;

/// The token at which a text stops being Lua.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) at: Range<usize>,
    /// The text may be valid Lua, but would take too long to compile.
    pub(crate) is_too_much: bool,
}

/// A whole file.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) block: Block,
    /// Every local variable and parameter, by [`LocalId`].
    pub(crate) locals: Vec<Local>,
}

/// A local variable, as an index into [`Chunk::locals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LocalId(pub(crate) usize);

/// A local variable or parameter.
#[derive(Debug)]
pub(crate) struct Local {
    pub(crate) name: Ident,
    /// Whether it is assigned after its declaration.
    pub(crate) is_reassigned: bool,
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
}

/// A part of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part<'a> {
    Statement(&'a Statement),
    Expr(&'a Expr),
}

/// Visits every statement and expression of a block, nested ones and those in functions included.
pub(crate) fn visit<'a>(block: &'a Block, look: &mut dyn FnMut(Part<'a>)) {
    for statement in block {
        look(Part::Statement(statement));
        match statement {
            Statement::Local { values, .. } | Statement::Global { values } | Statement::Return(values) => {
                values.iter().for_each(|value| visit_expr(value, look));
            }
            Statement::Assign { targets, values } => {
                targets.iter().chain(values).for_each(|expr| visit_expr(expr, look));
            }
            Statement::Call(expr) | Statement::Condition(expr) => visit_expr(expr, look),
            Statement::Block(body) => visit(body, look),
            Statement::NumericFor { range: values, body } | Statement::GenericFor { values, body, .. } => {
                values.iter().for_each(|value| visit_expr(value, look));
                visit(body, look);
            }
            Statement::Function { name, function } => {
                visit_expr(name, look);
                visit(&function.body, look);
            }
            Statement::LocalFunction { function } => visit(&function.body, look),
        }
    }
}

/// Visits an expression and everything in it.
pub(crate) fn visit_expr<'a>(expr: &'a Expr, look: &mut dyn FnMut(Part<'a>)) {
    look(Part::Expr(expr));
    match &expr.kind {
        ExprKind::Plain | ExprKind::Number | ExprKind::String(_) | ExprKind::Name(..) => {}
        ExprKind::Function(function) => visit(&function.body, look),
        ExprKind::Field { object: inner, .. } | ExprKind::Unary(inner) | ExprKind::Paren(inner) => {
            visit_expr(inner, look);
        }
        ExprKind::Index { object: left, key: right } | ExprKind::Binary { left, right, .. } => {
            visit_expr(left, look);
            visit_expr(right, look);
        }
        ExprKind::Call { callee: object, args } | ExprKind::Method { object, args, .. } => {
            visit_expr(object, look);
            args.iter().for_each(|arg| visit_expr(arg, look));
        }
        ExprKind::Table(items) => {
            for item in items {
                match item {
                    Item::Value(value) | Item::Named(_, value) => visit_expr(value, look),
                    Item::Keyed(key, value) => {
                        visit_expr(key, look);
                        visit_expr(value, look);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_at(text: &str) -> Option<&str> {
        parse(text).err().and_then(|error| text.get(error.at))
    }

    #[test]
    fn all_of_lua_is_read() {
        let text = r#"
            #!comment
            local a <const>, b <close> = 1, nil
            global c, d = 0x1p-4, 3e-2 .. [==[ long ]] ]==]
            global *
            goto done
            for i = 1, 10, 2 do if i // 2 ~= 0 then break elseif a then else end end
            for k, v in pairs{ [1] = 2; x = 3, 4 } do t[k].y:z"w" { 1 } (2)[3] = v end
            while not a do repeat local q = -#b ~ ~1 until q >> 2 << 3 & 4 | 5 end
            function m.n.o:p(x, ...) return ..., x end
            local function f() return end
            local goto_, global_ = 1, 2
            a.b.c, d["e"] = function(...) end, (f())
            ::done::
            ;
            return f, 2 ^ -3;
        "#;
        let text = text.trim_start().trim_start_matches("#!comment");
        assert_eq!(parse(text).map(|chunk| chunk.locals.len()), Ok(13), "{:?}", error_at(text));
    }

    #[test]
    fn the_error_is_the_token_where_lua_stops() {
        for (text, at) in [
            ("local x = = 5", "= 5"),
            ("if x = 1 then end", "= 1"),
            ("function f() end end", "end"),
            ("local t = { a = 1 b = 2 }", "b = "),
            ("n += 1", "+= 1"),
            ("x != 1", "!= 1"),
            ("f('a", "'a"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(text[error.at.start..].starts_with(at), "{text}: {:?}", &text[error.at.start..]);
        }
        assert_eq!(error_at("f("), Some(""));
        assert!(parse(&"(".repeat(100_000)).is_err());
        assert!(parse(&"{".repeat(100_000)).is_err());
        assert!(parse(&"not ".repeat(100_000)).is_err());
        assert!(parse(&"a.".repeat(100_000)).is_err());
        // Each chain alone is allowed; nested, they make a tree of a hundred thousand levels.
        let chain = |inner: String| format!("({inner}{})", ".b".repeat(990));
        let nested = (0..150).fold("a".to_owned(), |inner, _| chain(inner));
        assert!(parse(&format!("return {nested}")).is_err());
        let functions = (0..80)
            .fold("a".to_owned(), |inner, _| format!("f(function() return {inner} end){}", ".b".repeat(990)));
        assert!(parse(&format!("return {functions}")).is_err());
        // A long text without tall trees is fine.
        assert!(parse(&"a.b.c.d(1)\n".repeat(5000)).is_ok());
        assert!(parse(&format!("return {{{}}}", "a.b.c + 1, ".repeat(5000))).is_ok());
        assert!(parse(&format!("return a{}", ".b".repeat(1200))).is_ok());
    }
}
