//! A bound on the work of compiling a text, from its tokens alone.

use super::lexer::{Lexer, TokenKind};
use super::parser::{BRANCH_WORK, CAPTURED, LOOKUPS_OF_GLOBAL, MAX_WORK};

/// Whether a text may take a compiler too long. A text with few visible names and jumps may not, however long it is, and
/// no tree of it is needed to say so: that of a long text takes a hundred times its memory.
pub(crate) fn may_be_too_much(text: &str) -> bool {
    let mut lexer = Lexer::new(text);
    let (mut names, mut declared, mut functions, mut jumps) = (0_usize, 0_usize, 0_usize, 0_usize);
    let mut declares = false;
    while let Ok(token) = lexer.next() {
        match token.kind {
            TokenKind::End => break,
            TokenKind::Name(name) => {
                names += 1;
                declares |= name == "global";
                declared += usize::from(declares); // `global` itself stands for `global *`
                jumps += usize::from(name == "goto");
            }
            TokenKind::Keyword(word) => {
                declares = matches!(word, "local" | "function" | "for");
                functions += usize::from(word == "function");
                jumps += usize::from(matches!(word, "break" | "elseif" | "and" | "or"));
            }
            TokenKind::Symbol(sign) => {
                jumps += usize::from(sign == "::");
                declares &= matches!(sign, "," | "<" | ">" | "(" | ")" | "..." | "." | ":" | "*");
            }
            _ => declares = false,
        }
    }
    let in_view = declared + CAPTURED * functions;
    let of_names = names.saturating_mul(in_view).saturating_mul(LOOKUPS_OF_GLOBAL);
    of_names.saturating_add(jumps.saturating_mul(jumps).saturating_mul(BRANCH_WORK)) > MAX_WORK
}
