//! The text of a file, and the line and column of every byte in it.

use super::{MAX_WORDS, Problem, Severity, shorten};
use std::ops::Range;

/// Distance in bytes between entries of the character count index.
const STRIDE: usize = 1024;

/// A file's text with its name, and an index of its lines and columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The file's name in reports.
    pub name: String,
    /// The text that spans point into, without a byte order mark.
    pub text: String,
    /// Byte offsets at which lines start; the first is 0.
    line_starts: Vec<usize>,
    /// The number of characters that begin before every [`STRIDE`]th byte, so that places in a very long line are
    /// found quickly. Empty in ASCII text, where columns are byte offsets.
    characters: Vec<usize>,
}

impl Source {
    /// Takes a text and its name. A byte order mark at the start is dropped, and spans count without it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1));
        let characters = if text.is_ascii() { Vec::new() } else { count_characters(text.as_bytes()) };
        Self { name: name.into(), text, line_starts, characters }
    }

    /// Line and column (in characters), both from 1, of the byte at `offset`; past the end means the end.
    pub fn line_column(&self, offset: usize) -> (u32, u32) {
        let offset = self.floor_char_boundary(offset);
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let column = self.characters_before(offset).saturating_sub(self.characters_before(start)) + 1;
        (clamp_u32(line), clamp_u32(column))
    }

    /// The number of characters that begin before a byte.
    fn characters_before(&self, offset: usize) -> usize {
        let Some(counted) = self.characters.get(offset / STRIDE) else { return offset };
        let rest = self.text.as_bytes().get(offset - offset % STRIDE..offset).unwrap_or_default();
        counted + rest.iter().filter(|byte| begins_character(**byte)).count()
    }

    /// The text of a line counted from 1, without its line ending, and its offset.
    pub fn line(&self, line: u32) -> Option<(usize, &str)> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        let start = *self.line_starts.get(index)?;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next - 1);
        let text = self.text.get(start..end)?;
        Some((start, text.strip_suffix('\r').unwrap_or(text)))
    }

    /// The number of lines; a final line ending begins one more, empty line.
    pub fn line_count(&self) -> u32 {
        clamp_u32(self.line_starts.len())
    }

    /// A problem at a span of bytes. A span outside the text is moved to its end.
    pub fn problem(&self, span: Range<usize>, message: impl Into<String>) -> Problem {
        let start = self.floor_char_boundary(span.start);
        let end = self.floor_char_boundary(span.end.max(start));
        let (line, column) = self.line_column(start);
        Problem {
            severity: Severity::Error,
            file: self.name.clone(),
            line,
            column,
            span: start..end,
            path: String::new(),
            message: shorten(&message.into(), MAX_WORDS),
            label: String::new(),
            hint: None,
            note: None,
        }
    }

    /// A problem of which only the line (from 1) is known, as in Lua's messages. It points at the first occurrence of
    /// `needle` in that line, if there is one, else at the line from its first non-blank character. A line past the
    /// end means the last one.
    pub fn problem_at_line(&self, line: u32, needle: Option<&str>, message: impl Into<String>) -> Problem {
        let line = line.clamp(1, self.line_count());
        let (start, text) = self.line(line).unwrap_or((0, ""));
        let found = needle.filter(|needle| !needle.is_empty()).and_then(|needle| {
            let at = find_word(text, needle)?;
            Some(start + at..start + at + needle.len())
        });
        let whole = start + (text.len() - text.trim_start().len())..start + text.trim_end().len();
        self.problem(found.unwrap_or(whole), message)
    }

    /// The nearest offset at or before `offset` at which a character starts.
    fn floor_char_boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// The first occurrence of `needle` in `text` as a whole word, else anywhere.
fn find_word(text: &str, needle: &str) -> Option<usize> {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let stands_alone = |&(at, _): &(usize, &str)| {
        let before = text.get(..at).and_then(|rest| rest.chars().next_back());
        let after = text.get(at + needle.len()..).and_then(|rest| rest.chars().next());
        !before.is_some_and(part_of_word) && !after.is_some_and(part_of_word)
    };
    text.match_indices(needle).find(stands_alone).map(|(at, _)| at).or_else(|| text.find(needle))
}

/// The number of characters that begin before every [`STRIDE`]th byte.
fn count_characters(bytes: &[u8]) -> Vec<usize> {
    let counts =
        bytes.chunks(STRIDE).map(|chunk| chunk.iter().filter(|byte| begins_character(**byte)).count());
    let sums = counts.scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

/// Whether a byte of UTF-8 begins a character; all others are continuation bytes.
fn begins_character(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

fn clamp_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_survive_crlf() {
        let source = Source::new("a", "\u{feff}ä\r\nöx\r\n");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(source.text.find('x').unwrap()), (2, 2));
        assert_eq!(source.line_column(999), (3, 1));
        assert_eq!(source.line(2), Some((4, "öx")));
        assert_eq!(source.line(4), None);
        // An offset inside a character means that character.
        assert_eq!(source.line_column(1), (1, 1));
    }

    #[test]
    fn a_line_of_lua_points_at_the_name() {
        let source = Source::new("a.lua", "local a\n  foobar(foo)\n\n");
        let at = |line, needle| {
            let found = source.problem_at_line(line, needle, "m");
            (found.line, found.column, source.text[found.span].to_owned())
        };
        assert_eq!(at(2, Some("foo")), (2, 10, "foo".to_owned()));
        assert_eq!(at(2, Some("bar")), (2, 6, "bar".to_owned()));
        assert_eq!(at(2, Some("none")), (2, 3, "foobar(foo)".to_owned()));
        assert_eq!(at(3, None), (3, 1, String::new()));
        assert_eq!(at(0, None).0, 1);
        assert_eq!(at(99, None).0, 4);
        assert_eq!(Source::new("e", "").problem_at_line(1, Some("x"), "m").column, 1);
    }

    #[test]
    fn columns_are_the_same_wherever_characters_were_counted() {
        let text: String = (0..3 * STRIDE).map(|i| ['a', 'ä', '酒', '\u{1f600}'][i * i % 7 % 4]).collect();
        let source = Source::new("a", format!("x\n{text}"));
        for (before, (at, _)) in text.char_indices().enumerate() {
            assert_eq!(source.line_column(2 + at), (2, before as u32 + 1), "{at}");
        }
        assert_eq!(source.line_column(usize::MAX), (2, text.chars().count() as u32 + 1));
    }
}
