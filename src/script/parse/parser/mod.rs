//! Recursive descent over the tokens, with the scopes of local variables: statements and functions.

mod expressions;

use super::lexer::{Lexer, Token, TokenKind};
use super::{Block, Chunk, Expr, ExprKind, Function, Ident, Local, LocalId, Statement, SyntaxError};
use std::cell::Cell;
use std::ops::Range;

/// Maximum nesting depth, the same as in Lua's own compiler.
const MAX_DEPTH: usize = 200;

/// Maximum height of a tree: chains such as `a.b.c` and `a + b + c` lean to the left, so each link makes the
/// tree taller without nesting. Trees are visited and dropped recursively.
const MAX_HEIGHT: usize = 1500;

/// Maximum names passed over in lookups, here and by Lua's compiler, which searches all visible variables and
/// all jumps waiting for their label. A compiler cannot be stopped; this much takes it some hundredths of a
/// second.
pub(super) const MAX_WORK: usize = 20_000_000;

/// A name that is not a local variable is looked up in each enclosing function, among this many captured
/// variables.
pub(super) const CAPTURED: usize = 64;

/// Reads a file.
///
/// # Errors
/// The token where the text stops being Lua, or exceeds a limit.
pub(crate) fn parse(text: &str) -> Result<Chunk, SyntaxError> {
    let mut parser = Parser {
        lexer: Lexer::new(text),
        lexical: None,
        tokens: Vec::new(),
        at: 0,
        depth: 0,
        height: 0,
        locals: Vec::new(),
        scope: Vec::new(),
        work: Cell::new(0),
        functions: 0,
        jumps: 0,
    };
    parser.advance(0);
    let block = parser.block()?;
    let lexical = parser.lexical.take();
    match (parser.kind(), lexical) {
        (TokenKind::End, None) => Ok(Chunk { block, locals: parser.locals }),
        (TokenKind::End, Some(error)) => Err(error),
        _ => Err(parser.error()),
    }
}

type Parsed<T> = Result<T, SyntaxError>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// An invalid token; the end takes its place.
    lexical: Option<SyntaxError>,
    /// Tokens read so far, two more than were taken.
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Upper bound of the height of the finished parts of the current construct.
    height: usize,
    locals: Vec<Local>,
    /// The visible variables, the innermost last.
    scope: Vec<LocalId>,
    /// Names that were passed over so far.
    work: Cell<usize>,
    /// Number of enclosing functions.
    functions: usize,
    /// Labels and jumps of the function that is being read.
    jumps: usize,
}

impl Parser<'_> {
    fn kind(&self) -> &TokenKind {
        self.tokens.get(self.at).map_or(&TokenKind::End, |token| &token.kind)
    }

    /// Takes `count` tokens. Tokens are read only as needed: a text may be invalid from its first line on.
    fn advance(&mut self, count: usize) {
        self.at += count;
        while self.tokens.len() < self.at + 2 {
            let ends = self.tokens.last().is_some_and(|token| token.kind == TokenKind::End);
            if ends {
                return;
            }
            match self.lexer.next() {
                Ok(token) => self.tokens.push(token),
                Err(error) => {
                    self.tokens.push(Token { kind: TokenKind::End, span: error.at.clone() });
                    self.lexical = Some(error);
                }
            }
        }
    }

    fn ahead(&self) -> &TokenKind {
        self.tokens.get(self.at + 1).map_or(&TokenKind::End, |token| &token.kind)
    }

    fn span(&self) -> Range<usize> {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get(self.at.min(last)).map_or(0..0, |token| token.span.clone())
    }

    /// Where the token before this one ends.
    fn before(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |token| token.span.end)
    }

    fn error(&self) -> SyntaxError {
        SyntaxError { at: self.span(), is_too_much: self.work.get() > MAX_WORK }
    }

    fn pays(&self, work: usize) {
        self.work.set(self.work.get().saturating_add(work));
    }

    /// Counts a label or a jump: Lua compares it with the earlier ones.
    fn jump(&mut self) {
        self.jumps += 1;
        self.pays(self.jumps);
    }

    fn is(&self, word: &str) -> bool {
        matches!(self.kind(), TokenKind::Keyword(found) | TokenKind::Symbol(found) if *found == word)
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.is(word);
        self.advance(usize::from(found));
        found
    }

    fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.take(word) { Ok(()) } else { Err(self.error()) }
    }

    fn is_name(&self, word: &str) -> bool {
        matches!(self.kind(), TokenKind::Name(name) if name == word)
    }

    fn name(&mut self) -> Parsed<Ident> {
        let TokenKind::Name(text) = self.kind() else { return Err(self.error()) };
        let ident = Ident { text: text.clone(), span: self.span() };
        self.advance(1);
        Ok(ident)
    }

    /// Reads one nesting level deeper, or refuses.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error());
        }
        self.depth += 1;
        let result = self.part(read);
        self.depth -= 1;
        result
    }

    /// Reads a part of the current construct, and tracks its height.
    fn part<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let beside = std::mem::take(&mut self.height);
        let result = read(self)?;
        self.taller()?;
        self.height = self.height.max(beside);
        Ok(result)
    }

    /// Adds one node on top of the finished parts.
    fn taller(&mut self) -> Parsed<()> {
        self.height += 1;
        if self.height > MAX_HEIGHT || self.work.get() > MAX_WORK { Err(self.error()) } else { Ok(()) }
    }

    fn declare(&mut self, name: Ident) -> LocalId {
        let id = LocalId(self.locals.len());
        self.locals.push(Local { name, is_reassigned: false });
        self.scope.push(id);
        id
    }

    fn resolve(&self, name: &str) -> Option<LocalId> {
        if self.work.get() > MAX_WORK {
            return None; // the current statement is the last
        }
        let named = |id: &LocalId| self.locals.get(id.0).is_some_and(|local| local.name.text == name);
        let passed = self.scope.iter().rev().position(named);
        self.pays(passed.unwrap_or(self.scope.len() + CAPTURED * self.functions));
        passed.and_then(|passed| self.scope.get(self.scope.len() - 1 - passed)).copied()
    }

    fn reassign(&mut self, target: &Expr) {
        if let ExprKind::Name(_, Some(id)) = &target.kind
            && let Some(local) = self.locals.get_mut(id.0)
        {
            local.is_reassigned = true;
        }
    }

    /// A block with a scope of its own.
    fn scoped(&mut self) -> Parsed<Block> {
        let visible = self.scope.len();
        let block = self.block();
        self.scope.truncate(visible);
        block
    }

    fn block(&mut self) -> Parsed<Block> {
        self.deeper(|parser| {
            let mut block = Vec::new();
            loop {
                while parser.take(";") {}
                if parser.ends_block() {
                    return Ok(block);
                }
                if parser.take("return") {
                    let ends = parser.ends_block() || parser.is(";");
                    let values = if ends { Vec::new() } else { parser.expressions()? };
                    parser.take(";");
                    block.push(Statement::Return(values));
                    return if parser.ends_block() { Ok(block) } else { Err(parser.error()) };
                }
                parser.statement(&mut block)?;
            }
        })
    }

    fn ends_block(&self) -> bool {
        *self.kind() == TokenKind::End || ["end", "else", "elseif", "until"].iter().any(|word| self.is(word))
    }

    fn statement(&mut self, block: &mut Block) -> Parsed<()> {
        if self.work.get() > MAX_WORK {
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
        let mut names = Vec::new();
        loop {
            names.push(self.name()?);
            self.attribute()?;
            if !self.take(",") {
                break;
            }
        }
        let values = if self.take("=") { self.expressions()? } else { Vec::new() };
        let names = names.into_iter().map(|name| self.declare(name)).collect();
        Ok(Statement::Local { names, values })
    }

    fn local_function(&mut self) -> Parsed<Statement> {
        let name = self.name()?;
        self.declare(name);
        Ok(Statement::LocalFunction { function: self.function(false)? })
    }

    /// Reads what follows `global`. The names are declared as locals of the file, which is what they are to a
    /// reader.
    fn global(&mut self) -> Parsed<Option<Statement>> {
        if self.take("function") {
            return self.local_function().map(Some);
        }
        self.attribute()?;
        if self.take("*") {
            return Ok(None);
        }
        match self.local()? {
            Statement::Local { names, values } => {
                for id in names {
                    if let Some(local) = self.locals.get_mut(id.0) {
                        local.is_reassigned = true; // other files may
                    }
                }
                Ok(Some(Statement::Global { values }))
            }
            other => Ok(Some(other)),
        }
    }

    fn branches(&mut self, block: &mut Block) -> Parsed<()> {
        // The end of each branch jumps to the common end, by a list that Lua walks to extend it.
        for branch in 0.. {
            self.pays(branch);
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

    fn variable(&self, ident: Ident) -> Expr {
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
    fn function(&mut self, is_method: bool) -> Parsed<Function> {
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
