//! Recursive descent over the tokens, with the scopes of local variables, and the work of a compiler counted on the way.

mod expressions;
mod statements;

use super::lexer::{Lexer, Token, TokenKind};
use super::{Chunk, Expr, ExprKind, Ident, Limit, Local, LocalId, SyntaxError};
use crate::parallel::with_stack;
use std::cell::Cell;
use std::ops::Range;

/// Maximum nesting depth of blocks and expressions, the same as in Lua's own compiler. Links of a chain such as `a.b.c`,
/// `a + b + c` or `a .. b .. c` are not nested; see [`Expr::left`].
pub(crate) const MAX_DEPTH: usize = 200;

/// More than a text of that depth needs: a level takes up to 2.6 KiB without optimisations. A game's thread may have less.
const STACK_BYTES: usize = 1 << 20;

/// Maximum work of Lua's compiler beyond what grows with the length of a text, in names passed over when it looks one
/// up. A compiler cannot be stopped; this much takes it some hundredths of a second.
///
/// What costs more than its length, found by measuring every statement and expression repeated to a megabyte: names, which
/// are looked up among all visible variables; declared globals, which are such variables, and whose every use looks for
/// `_ENV` behind all of them; jumps that wait for their end, in a list that is walked to extend it.
pub(super) const MAX_WORK: usize = 20_000_000;

/// A name that is not a local variable is looked up in each enclosing function, among this many captured
/// variables.
pub(super) const CAPTURED: usize = 64;

/// Lookups that a use of a global takes: the name itself, and `_ENV`, each in the compiler's several steps. Measured.
pub(super) const LOOKUPS_OF_GLOBAL: usize = 3;

/// Passing over a waiting jump, of `and` and `or` or of a branch, takes as long as passing over this many names. Measured.
const JUMP_WORK: usize = 2;
pub(super) const BRANCH_WORK: usize = 4;

/// Reads a file.
///
/// # Errors
/// The token where the text stops being Lua, or exceeds a limit.
pub(crate) fn parse(text: &str) -> Result<Chunk, SyntaxError> {
    with_stack(STACK_BYTES, || parse_here(text))
}

fn parse_here(text: &str) -> Result<Chunk, SyntaxError> {
    let mut parser = Parser {
        lexer: Lexer::new(text),
        lexical: None,
        tokens: [Token { kind: TokenKind::End, span: 0..0 }, Token { kind: TokenKind::End, span: 0..0 }],
        before: 0,
        depth: 0,
        locals: Vec::new(),
        scope: Vec::new(),
        work: Cell::new(0),
        functions: 0,
        jumps: 0,
        conditions: 0,
        first_global: None,
    };
    // Nothing was read yet.
    parser.read();
    parser.read();
    parser.before = 0;
    let block = parser.block()?;
    let lexical = parser.lexical.take();
    match (parser.kind(), lexical) {
        (TokenKind::End, None) => {
            Ok(Chunk { block, locals: parser.locals, first_global: parser.first_global })
        }
        (TokenKind::End, Some(error)) => Err(error),
        _ => Err(parser.error()),
    }
}

type Parsed<T> = Result<T, SyntaxError>;

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// An invalid token; the end takes its place.
    lexical: Option<SyntaxError>,
    /// The current token and the next one.
    tokens: [Token; 2],
    /// Where the token before the current one ends.
    before: usize,
    depth: usize,
    locals: Vec<Local>,
    /// The visible variables, the innermost last.
    scope: Vec<LocalId>,
    /// Names that were passed over so far.
    work: Cell<usize>,
    /// Number of enclosing functions.
    functions: usize,
    /// Labels and jumps of the function that is being read.
    jumps: usize,
    /// `and` and `or` of the expression that is being read; those in parentheses included.
    conditions: usize,
    /// The first declaration of a global.
    first_global: Option<Range<usize>>,
}

impl Parser<'_> {
    fn kind(&self) -> &TokenKind {
        &self.tokens[0].kind
    }

    /// Takes `count` tokens. Tokens are read only as needed: a text may be invalid from its first line on.
    fn advance(&mut self, count: usize) {
        for _ in 0..count {
            self.before = self.tokens[0].span.end;
            self.read();
        }
    }

    /// Moves on to the next token; behind the last one there is always the end.
    fn read(&mut self) {
        let next = match self.lexer.next() {
            _ if self.lexical.is_some() => self.tokens[1].clone(),
            Ok(token) => token,
            Err(error) => {
                let end = Token { kind: TokenKind::End, span: error.at.clone() };
                self.lexical = Some(error);
                end
            }
        };
        let [current, ahead] = &mut self.tokens;
        *current = std::mem::replace(ahead, next);
    }

    fn ahead(&self) -> &TokenKind {
        &self.tokens[1].kind
    }

    fn span(&self) -> Range<usize> {
        self.tokens[0].span.clone()
    }

    /// Where the token before this one ends.
    fn before(&self) -> usize {
        self.before
    }

    fn error(&self) -> SyntaxError {
        SyntaxError { at: self.span(), exceeds: self.is_overworked().then_some(Limit::Work) }
    }

    fn is_overworked(&self) -> bool {
        self.work.get() > MAX_WORK
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

    /// Begins a nesting level, or refuses.
    fn enter(&mut self) -> Parsed<()> {
        if self.depth >= MAX_DEPTH {
            return Err(SyntaxError { at: self.span(), exceeds: Some(Limit::Depth) });
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn declare(&mut self, name: Ident) -> LocalId {
        let id = LocalId(self.locals.len());
        self.locals.push(Local { name, is_reassigned: false, is_global: false });
        self.scope.push(id);
        id
    }

    /// Declares a global; to a reader it is a local of the file that others may assign.
    fn declare_global(&mut self, name: Ident) -> LocalId {
        self.pays(self.scope.len());
        let id = self.declare(name);
        if let Some(global) = self.locals.get_mut(id.0) {
            (global.is_reassigned, global.is_global) = (true, true);
        }
        id
    }

    fn resolve(&self, name: &str) -> Option<LocalId> {
        if self.is_overworked() {
            return None; // the current statement is the last
        }
        let named = |id: &LocalId| self.locals.get(id.0).is_some_and(|local| local.name.text == name);
        let passed = self.scope.iter().rev().position(named);
        let found = passed.and_then(|passed| self.scope.get(self.scope.len() - 1 - passed)).copied();
        match (passed, found.and_then(|id| self.locals.get(id.0))) {
            (Some(passed), Some(local)) if !local.is_global => self.pays(passed),
            _ => self.pays_for_global(),
        }
        found
    }

    /// Pays for the use of a global.
    fn pays_for_global(&self) {
        self.pays(LOOKUPS_OF_GLOBAL * (self.scope.len() + CAPTURED * self.functions));
    }

    fn reassign(&mut self, target: &Expr) {
        if let ExprKind::Name(_, Some(id)) = &target.kind
            && let Some(local) = self.locals.get_mut(id.0)
        {
            local.is_reassigned = true;
        }
    }
}
