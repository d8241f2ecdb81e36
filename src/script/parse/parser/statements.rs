//! Statements and functions, with the scopes of local variables.

use super::super::{Block, Expr, ExprKind, Function, Ident, Statement};
use super::{BRANCH_WORK, Parsed, Parser, TokenKind};

impl Parser<'_> {
    /// A block with a scope of its own.
    fn scoped(&mut self) -> Parsed<Block> {
        let visible = self.scope.len();
        let block = self.block();
        self.scope.truncate(visible);
        block
    }

    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.enter()?;
        let mut block = Vec::new();
        loop {
            while self.take(";") {}
            if self.ends_block() {
                break;
            }
            if self.take("return") {
                block.push(self.return_values()?);
                if !self.ends_block() {
                    return Err(self.error());
                }
                break;
            }
            self.statement(&mut block)?;
        }
        self.leave();
        Ok(block)
    }

    fn return_values(&mut self) -> Parsed<Statement> {
        let ends = self.ends_block() || self.is(";");
        let values = if ends { Vec::new() } else { self.expressions()? };
        self.take(";");
        Ok(Statement::Return(values))
    }

    fn ends_block(&self) -> bool {
        *self.kind() == TokenKind::End || ["end", "else", "elseif", "until"].iter().any(|word| self.is(word))
    }

    fn statement(&mut self, block: &mut Block) -> Parsed<()> {
        if self.is_overworked() {
            return Err(self.error());
        }
        if self.take("local") {
            block.push(if self.take("function") { self.local_function()? } else { self.local()? });
        } else if self.take("do") {
            block.push(Statement::Block(self.scoped()?));
            self.expect("end")?;
        } else if self.take("while") {
            block.push(Statement::Condition(self.expression()?));
            self.expect("do")?;
            block.push(Statement::Block(self.scoped()?));
            self.expect("end")?;
        } else if self.take("repeat") {
            // The condition sees the locals of the body.
            let visible = self.scope.len();
            let mut body = self.block()?;
            self.expect("until")?;
            body.push(Statement::Condition(self.expression()?));
            self.scope.truncate(visible);
            block.push(Statement::Block(body));
        } else if self.take("if") {
            self.branches(block)?;
        } else if self.take("for") {
            block.push(self.for_loop()?);
        } else if self.take("function") {
            block.push(self.function_statement()?);
        } else if self.take("::") {
            self.jump();
            self.name()?;
            self.expect("::")?;
        } else if self.take("break") {
            self.jump();
        } else if self.is_name("goto") && matches!(self.ahead(), TokenKind::Name(_)) {
            self.jump();
            self.advance(2);
        } else if self.is_name("global") && self.begins_global() {
            let at = self.span();
            self.first_global.get_or_insert(at);
            self.advance(1);
            if let Some(statement) = self.global()? {
                block.push(statement);
            }
        } else {
            block.push(self.call_or_assignment()?);
        }
        Ok(())
    }

    fn begins_global(&self) -> bool {
        matches!(
            self.ahead(),
            TokenKind::Name(_) | TokenKind::Symbol("*" | "<") | TokenKind::Keyword("function")
        )
    }

    fn attribute(&mut self) -> Parsed<()> {
        if self.take("<") {
            self.name()?;
            self.expect(">")?;
        }
        Ok(())
    }

    fn local(&mut self) -> Parsed<Statement> {
        self.attribute()?;
        let (names, values) = self.names_and_values()?;
        let names = names.into_iter().map(|name| self.declare(name)).collect();
        Ok(Statement::Local { names, values })
    }

    fn names_and_values(&mut self) -> Parsed<(Vec<Ident>, Vec<Expr>)> {
        let mut names = Vec::new();
        loop {
            names.push(self.name()?);
            self.attribute()?;
            if !self.take(",") {
                break;
            }
        }
        let values = if self.take("=") { self.expressions()? } else { Vec::new() };
        Ok((names, values))
    }

    fn local_function(&mut self) -> Parsed<Statement> {
        let name = self.name()?;
        self.declare(name);
        Ok(Statement::LocalFunction { function: self.function(false)? })
    }

    /// Reads what follows `global`.
    fn global(&mut self) -> Parsed<Option<Statement>> {
        if self.take("function") {
            let name = self.name()?;
            self.declare_global(name);
            self.pays_for_global();
            return Ok(Some(Statement::LocalFunction { function: self.function(false)? }));
        }
        self.attribute()?;
        if self.is("*") {
            let span = self.span();
            self.advance(1);
            self.declare_global(Ident { text: String::new(), span });
            return Ok(None);
        }
        let (names, values) = self.names_and_values()?;
        for name in names {
            self.declare_global(name);
            if !values.is_empty() {
                self.pays_for_global();
            }
        }
        Ok(Some(Statement::Global { values }))
    }

    fn branches(&mut self, block: &mut Block) -> Parsed<()> {
        // The end of each branch jumps to the common end, by a list that Lua walks to extend it.
        for branch in 0.. {
            self.pays(BRANCH_WORK * branch);
            block.push(Statement::Condition(self.expression()?));
            self.expect("then")?;
            block.push(Statement::Block(self.scoped()?));
            if self.take("elseif") {
                continue;
            }
            if self.take("else") {
                block.push(Statement::Block(self.scoped()?));
            }
            break;
        }
        self.expect("end")
    }

    fn for_loop(&mut self) -> Parsed<Statement> {
        let mut names = vec![self.name()?];
        let visible = self.scope.len();
        if self.take("=") {
            let range = self.expressions()?;
            self.expect("do")?;
            names.into_iter().for_each(|name| {
                self.declare(name);
            });
            let body = self.block()?;
            self.scope.truncate(visible);
            self.expect("end")?;
            return Ok(Statement::NumericFor { range, body });
        }
        while self.take(",") {
            names.push(self.name()?);
        }
        self.expect("in")?;
        let values = self.expressions()?;
        self.expect("do")?;
        let names = names.into_iter().map(|name| self.declare(name)).collect();
        let body = self.block()?;
        self.scope.truncate(visible);
        self.expect("end")?;
        Ok(Statement::GenericFor { names, values, body })
    }

    fn function_statement(&mut self) -> Parsed<Statement> {
        let ident = self.name()?;
        let mut name = self.variable(ident);
        let mut is_method = false;
        while !is_method && (self.is(".") || self.is(":")) {
            is_method = self.take(":") || !self.take(".");
            let field = self.name()?;
            name = field_of(name, field);
        }
        self.reassign(&name);
        let function = self.function(is_method)?;
        Ok(Statement::Function { name, function })
    }

    pub(super) fn variable(&self, ident: Ident) -> Expr {
        let span = ident.span.clone();
        let local = self.resolve(&ident.text);
        Expr { kind: ExprKind::Name(ident, local), span }
    }

    fn call_or_assignment(&mut self) -> Parsed<Statement> {
        let first = self.suffixed()?;
        if !self.is("=") && !self.is(",") {
            return match first.kind {
                ExprKind::Call { .. } | ExprKind::Method { .. } => Ok(Statement::Call(first)),
                _ => Err(self.error()),
            };
        }
        let mut targets = vec![first];
        while self.take(",") {
            targets.push(self.suffixed()?);
        }
        self.expect("=")?;
        targets.iter().for_each(|target| self.reassign(target));
        Ok(Statement::Assign { targets, values: self.expressions()? })
    }

    /// Parameters and body of a function.
    pub(super) fn function(&mut self, is_method: bool) -> Parsed<Function> {
        let visible = self.scope.len();
        let here = self.span();
        let implied_self =
            is_method.then(|| self.declare(Ident { text: "self".into(), span: here.start..here.start }));
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.is(")") {
            if self.take("...") {
                if let TokenKind::Name(_) = self.kind() {
                    let name = self.name()?; // Lua 5.5 names them
                    self.declare(name);
                }
                break;
            }
            let ident = self.name()?;
            params.push(self.declare(ident));
            if !self.take(",") {
                break;
            }
            if self.is(")") {
                return Err(self.error());
            }
        }
        self.expect(")")?;
        let jumps = std::mem::take(&mut self.jumps);
        self.functions += 1;
        let body = self.block()?;
        self.functions -= 1;
        self.jumps = jumps;
        self.scope.truncate(visible);
        self.expect("end")?;
        Ok(Function { params, implied_self, body })
    }
}

fn field_of(object: Expr, name: Ident) -> Expr {
    let span = object.span.start..name.span.end;
    Expr { kind: ExprKind::Field { object: Box::new(object), name }, span }
}
