//! Reads a half-written line as far as needed to know the context at its end.

use super::KnownNames;
use super::known::{LIBRARIES, LIST_OF_NPCS, given_by};

/// The context at the end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CursorContext {
    Code,
    /// In a string whose content begins here.
    Text(usize),
    Comment,
}

/// A text, read from its beginning.
pub(super) struct Reading<'a> {
    pub(super) place: CursorContext,
    /// The open brackets, each with the text before it.
    open: Vec<(char, &'a str)>,
    /// The end of the last closed bracket, or of the last string argument without brackets, and the type of
    /// its result.
    closed: Option<(usize, &'static str)>,
}

/// Unassigned names that hold a character by convention.
const CALLED_NPC: [&str; 5] = ["npc", "self", "other", "player", "who"];

impl<'a> Reading<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut reading = Self { place: CursorContext::Code, open: Vec::new(), closed: None };
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            let next = at + letter.len_utf8();
            let rest = &text[next..];
            at = match letter {
                '-' if rest.starts_with('-') => {
                    let end = match long_bracket(&rest[1..]) {
                        Some((_, length)) => length.map(|length| next + 1 + length),
                        None => rest.find('\n').map(|end| next + end),
                    };
                    let Some(end) = end else {
                        reading.place = CursorContext::Comment;
                        break;
                    };
                    end
                }
                '"' | '\'' => {
                    let Some(length) = quoted_length(rest, letter) else {
                        reading.place = CursorContext::Text(next);
                        break;
                    };
                    reading.closed =
                        given_by(trailing_name(text[..at].trim_end())).map(|of| (next + length, of));
                    next + length
                }
                '[' if long_bracket(&text[at..]).is_some() => match long_bracket(&text[at..]) {
                    Some((_, Some(length))) => at + length,
                    Some((opening, None)) => {
                        reading.place = CursorContext::Text(at + opening);
                        break;
                    }
                    None => next,
                },
                '(' | '{' | '[' => {
                    let before = text[..at].trim_end();
                    let before = match (letter, reading.closed) {
                        ('(', _) => trailing_name(before),
                        ('[', Some((end, of))) if end == before.len() => of,
                        _ => "",
                    };
                    reading.open.push((letter, before));
                    next
                }
                ')' | '}' | ']' => {
                    let of = match reading.open.pop() {
                        Some(('(', callee)) => given_by(callee),
                        Some(('[', LIST_OF_NPCS)) => Some("npc"),
                        _ => None,
                    };
                    reading.closed = of.map(|of| (next, of));
                    next
                }
                _ => next,
            };
        }
        reading
    }

    /// The function whose string argument begins at `from`.
    pub(super) fn callee_of_text(&self, text: &'a str, from: usize) -> &'a str {
        let before = text[..from].trim_end_matches(['"', '\'', '[', '=']).trim_end();
        match (trailing_name(before), self.open.last()) {
            ("", Some(('(', callee))) => callee,
            ("", _) => "",
            (callee, _) => callee,
        }
    }

    /// The type of the expression at the end of a text, if it is evident.
    pub(super) fn object_at(&self, receiver: &str, names: &KnownNames) -> Option<&'static str> {
        let receiver = receiver.trim_end();
        if let Some((_, of)) = self.closed.filter(|(end, _)| *end == receiver.len()) {
            return (of != LIST_OF_NPCS).then_some(of);
        }
        let name = trailing_name(receiver);
        if receiver[..receiver.len() - name.len()].trim_end().ends_with(['.', ':']) {
            return None;
        }
        let variable = names.variables.iter().find(|variable| variable.name == name);
        if let Some(variable) = variable {
            return variable.object;
        }
        let library = LIBRARIES
            .iter()
            .map(|&(library, _)| library)
            .find(|library| *library == name && !name.is_empty());
        match name {
            "room" => Some("room"),
            name if CALLED_NPC.contains(&name) => Some("npc"),
            _ => library,
        }
    }
}

/// The letters at the end of a text that can begin a name.
pub(super) fn trailing_name(text: &str) -> &str {
    let other = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
    text.rfind(other).map_or(text, |at| &text[at + text[at..].chars().next().map_or(1, char::len_utf8)..])
}

/// The length of a string with its closing quote; `None` if it is not closed.
fn quoted_length(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in rest.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// If a text begins with a long bracket: the bracket's length, and the length up to the end of the closing
/// one.
fn long_bracket(text: &str) -> Option<(usize, Option<usize>)> {
    let rest = text.strip_prefix('[')?;
    let level = rest.len() - rest.trim_start_matches('=').len();
    let content = rest[level..].strip_prefix('[')?;
    let opening = level + 2;
    let closing = format!("]{}]", "=".repeat(level));
    Some((opening, content.find(&closing).map(|at| opening + at + closing.len())))
}
