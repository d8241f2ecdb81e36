//! Expressions, by operator precedence.

use super::super::{Expr, ExprKind, Item};
use super::{JUMP_WORK, Parsed, Parser, TokenKind};

/// Binary operators with their left and right precedence. To Lua, `..` leans to the right; nothing here depends on it, and
/// a long text in pieces is no deep nest.
const OPERATORS: [(&str, u8, u8); 21] = [
    ("or", 1, 1),
    ("and", 2, 2),
    ("<", 3, 3),
    (">", 3, 3),
    ("<=", 3, 3),
    (">=", 3, 3),
    ("~=", 3, 3),
    ("==", 3, 3),
    ("|", 4, 4),
    ("~", 5, 5),
    ("&", 6, 6),
    ("<<", 7, 7),
    (">>", 7, 7),
    ("..", 9, 9),
    ("+", 10, 10),
    ("-", 10, 10),
    ("*", 11, 11),
    ("/", 11, 11),
    ("//", 11, 11),
    ("%", 11, 11),
    ("^", 14, 13),
];

const UNARY: u8 = 12;

impl Parser<'_> {
    pub(super) fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut expressions = vec![self.expression()?];
        while self.take(",") {
            expressions.push(self.expression()?);
        }
        Ok(expressions)
    }

    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let outside = std::mem::take(&mut self.conditions);
        let expr = self.operation(0)?;
        self.conditions = outside;
        Ok(expr)
    }

    fn operation(&mut self, limit: u8) -> Parsed<Expr> {
        if self.is_overworked() {
            return Err(self.error());
        }
        self.enter()?;
        let start = self.span().start;
        let unary = ["not", "-", "#", "~"].iter().any(|sign| self.is(sign));
        let mut left = if unary { self.negation(start)? } else { self.simple()? };
        while let Some(&(operator, _, right)) =
            OPERATORS.iter().find(|(operator, left, _)| *left > limit && self.is(operator))
        {
            self.advance(1);
            if matches!(operator, "and" | "or") {
                // Their jumps wait in one list, parentheses or not.
                self.conditions += 1;
                self.pays(JUMP_WORK * self.conditions);
            }
            left = self.binary(left, operator, right)?;
        }
        self.leave();
        Ok(left)
    }

    fn negation(&mut self, start: usize) -> Parsed<Expr> {
        self.advance(1);
        let operand = Box::new(self.operation(UNARY)?);
        Ok(Expr { kind: ExprKind::Unary(operand), span: start..self.before() })
    }

    fn binary(&mut self, left: Expr, operator: &'static str, precedence: u8) -> Parsed<Expr> {
        let start = left.span.start;
        let right = Box::new(self.operation(precedence)?);
        let kind = ExprKind::Binary { operator, left: Box::new(left), right };
        Ok(Expr { kind, span: start..self.before() })
    }

    fn simple(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.kind() {
            TokenKind::Number => ExprKind::Number,
            TokenKind::String(text) => ExprKind::String(text.clone()),
            TokenKind::Keyword("nil" | "true" | "false") | TokenKind::Symbol("...") => ExprKind::Plain,
            TokenKind::Symbol("{") => return self.table(),
            TokenKind::Keyword("function") => {
                self.advance(1);
                let function = self.function(false)?;
                return Ok(Expr { kind: ExprKind::Function(function), span: span.start..self.before() });
            }
            _ => return self.suffixed(),
        };
        self.advance(1);
        Ok(Expr { kind, span })
    }

    pub(super) fn suffixed(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        let mut expr = if self.is("(") {
            self.paren()?
        } else {
            let ident = self.name()?;
            self.variable(ident)
        };
        while self.is(".") || self.is("[") || self.is(":") || self.begins_arguments() {
            let kind = self.suffix(expr)?;
            expr = Expr { kind, span: start..self.before() };
        }
        Ok(expr)
    }

    fn paren(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        self.expect("(")?;
        let inner = Box::new(self.operation(0)?);
        self.expect(")")?;
        Ok(Expr { kind: ExprKind::Paren(inner), span: start..self.before() })
    }

    /// Reads the next link of a chain: a field, a key, a call.
    fn suffix(&mut self, expr: Expr) -> Parsed<ExprKind> {
        let object = Box::new(expr);
        if self.take(".") {
            return Ok(ExprKind::Field { object, name: self.name()? });
        }
        if self.take("[") {
            let key = Box::new(self.expression()?);
            self.expect("]")?;
            return Ok(ExprKind::Index { object, key });
        }
        if self.take(":") {
            let name = self.name()?;
            return Ok(ExprKind::Method { object, name, args: self.arguments()? });
        }
        Ok(ExprKind::Call { callee: object, args: self.arguments()? })
    }

    fn begins_arguments(&self) -> bool {
        self.is("(") || self.is("{") || matches!(self.kind(), TokenKind::String(_))
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        if self.take("(") {
            if self.take(")") {
                return Ok(Vec::new());
            }
            let args = self.expressions()?;
            self.expect(")")?;
            return Ok(args);
        }
        match self.kind() {
            TokenKind::String(_) => Ok(vec![self.simple()?]),
            TokenKind::Symbol("{") => Ok(vec![self.table()?]),
            _ => Err(self.error()),
        }
    }

    fn table(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.is("}") {
            items.push(self.item()?);
            if !self.take(",") && !self.take(";") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Expr { kind: ExprKind::Table(items), span: start..self.before() })
    }

    fn item(&mut self) -> Parsed<Item> {
        if matches!(self.kind(), TokenKind::Name(_)) && *self.ahead() == TokenKind::Symbol("=") {
            let name = self.name()?;
            self.expect("=")?;
            return Ok(Item::Named(name, self.expression()?));
        }
        if self.take("[") {
            let key = self.expression()?;
            self.expect("]")?;
            self.expect("=")?;
            return Ok(Item::Keyed(key, self.expression()?));
        }
        Ok(Item::Value(self.expression()?))
    }
}
