//! Declarations of globals, which Lua 5.5 has and scripts have not.

use super::lexer::{Lexer, TokenKind};
use std::ops::Range;

/// The first `global NAME` or `global function NAME` of a text.
pub(crate) fn first_global(text: &str) -> Option<Range<usize>> {
    if !text.contains("global") {
        return None;
    }
    let mut lexer = Lexer::new(text);
    let mut before = None;
    while let Ok(token) = lexer.next() {
        match (&token.kind, before.take()) {
            (TokenKind::End, _) => break,
            (TokenKind::Name(_) | TokenKind::Keyword("function"), Some(declaration)) => {
                return Some(declaration);
            }
            // `a.global` is a field, and what follows it on the next line begins another statement.
            (TokenKind::Symbol("." | ":"), _) => {
                if lexer.next().is_err() {
                    break;
                }
            }
            (TokenKind::Name(name), _) if name == "global" => before = Some(token.span),
            _ => {}
        }
    }
    None
}
