//! Expressions, by operator precedence.

use super::super::{Expr, ExprKind, Item};
use super::{Parsed, Parser, TokenKind, field_of};

/// Binary operators with their left and right precedence.
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
    ("..", 9, 8),
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
        self.operation(0)
    }

    fn operation(&mut self, limit: u8) -> Parsed<Expr> {
        self.deeper(|parser| {
            let start = parser.span().start;
            let unary = ["not", "-", "#", "~"].iter().any(|sign| parser.is(sign));
            let mut left = if unary {
                parser.advance(1);
                let operand = Box::new(parser.operation(UNARY)?);
                Expr { kind: ExprKind::Unary(operand), span: start..parser.before() }
            } else {
                parser.simple()?
            };
            while let Some(&(operator, _, right)) =
                OPERATORS.iter().find(|(operator, left, _)| *left > limit && parser.is(operator))
            {
                parser.advance(1);
                let right = Box::new(parser.operation(right)?);
                parser.taller()?;
                let kind = ExprKind::Binary { operator, left: Box::new(left), right };
                left = Expr { kind, span: start..parser.before() };
            }
            Ok(left)
        })
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
        self.part(Self::with_suffixes)
    }

    fn with_suffixes(&mut self) -> Parsed<Expr> {
        let start = self.span().start;
        let mut expr = if self.take("(") {
            let inner = Box::new(self.expression()?);
            self.expect(")")?;
            Expr { kind: ExprKind::Paren(inner), span: start..self.before() }
        } else {
            let ident = self.name()?;
            self.variable(ident)
        };
        loop {
            expr = if self.take(".") {
                let name = self.name()?;
                field_of(expr, name)
            } else if self.take("[") {
                let key = Box::new(self.expression()?);
                self.expect("]")?;
                let kind = ExprKind::Index { object: Box::new(expr), key };
                Expr { kind, span: start..self.before() }
            } else if self.take(":") {
                let name = self.name()?;
                let args = self.arguments()?;
                let kind = ExprKind::Method { object: Box::new(expr), name, args };
                Expr { kind, span: start..self.before() }
            } else if self.is("(") || self.is("{") || matches!(self.kind(), TokenKind::String(_)) {
                let args = self.arguments()?;
                let kind = ExprKind::Call { callee: Box::new(expr), args };
                Expr { kind, span: start..self.before() }
            } else {
                return Ok(expr);
            };
            self.taller()?;
        }
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
            let named = matches!(self.kind(), TokenKind::Name(_)) && *self.ahead() == TokenKind::Symbol("=");
            items.push(if named {
                let name = self.name()?;
                self.expect("=")?;
                Item::Named(name, self.expression()?)
            } else if self.take("[") {
                let key = self.expression()?;
                self.expect("]")?;
                self.expect("=")?;
                Item::Keyed(key, self.expression()?)
            } else {
                Item::Value(self.expression()?)
            });
            if !self.take(",") && !self.take(";") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Expr { kind: ExprKind::Table(items), span: start..self.before() })
    }
}
