//! What is wrong with a file, said so that its author can mend it: the place, the reason and a hint.
//!
//! Rooms and scripts report through the same [`Problem`]; a [`Source`] turns byte offsets into lines and columns.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// Paths longer than this many characters are cut in the middle: they no longer help anyone find the place.
const MAX_PATH_CHARS: usize = 80;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It is wrong: a file is refused for it, or code fails that gets there.
    #[default]
    Error,
    /// It is likely not what was meant, and everything goes on.
    Warning,
}

/// One thing wrong with one file, and where.
///
/// `Display` gives the one-line form, hint included:
/// `rooms/tavern.json:41:18: unknown area 'celar_door' (characters[2].waitsFor); did you mean 'cellar_door'?`
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The file's name as the user gave it, or relative to the project.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
    /// The bytes of the source text that are meant.
    pub span: Range<usize>,
    /// Where in the data: `characters[2].at`. Empty where that says nothing; cut when absurdly long.
    pub path: String,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What to write under the marked text of a snippet; may be empty.
    pub label: String,
    /// What would mend it.
    pub hint: Option<String>,
    /// What else is worth knowing.
    pub note: Option<String>,
}

impl Problem {
    /// The same problem with the data path `path`, cut in the middle when it is longer than 80 characters.
    #[must_use]
    pub fn at_path(mut self, path: &str) -> Self {
        self.path = shorten(path, MAX_PATH_CHARS);
        self
    }

    /// The same as a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Whether it is an error, and no warning.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The same problem with `label` as the words under its snippet.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same problem with a note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.as_str(), self.line) {
            ("", _) => {}
            (file, 0) => write!(out, "{file}: ")?,
            (file, line) => write!(out, "{file}:{line}:{}: ", self.column)?,
        }
        out.write_str(if self.is_error() { "" } else { "warning: " })?;
        out.write_str(&self.message)?;
        if !self.path.is_empty() {
            write!(out, " ({})", self.path)?;
        }
        if let Some(hint) = &self.hint {
            write!(out, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

/// A file's text with its name: knows which line and column a byte lies on.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// The file's name as reports shall give it.
    pub name: String,
    /// The text that spans point into, without a byte order mark.
    pub text: String,
    /// Byte offsets at which lines start; the first is 0.
    line_starts: Vec<usize>,
    /// In ASCII text columns are byte offsets, so that a file of one endless line is still located quickly.
    ascii: bool,
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
        let ascii = text.is_ascii();
        Self { name: name.into(), text, line_starts, ascii }
    }

    /// Line and column (in characters), both from 1, of the byte at `offset`; past the end means the end.
    pub fn line_column(&self, offset: usize) -> (u32, u32) {
        let offset = self.floor_char_boundary(offset);
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or("");
        let column = if self.ascii { before.len() } else { before.chars().count() } + 1;
        (clamp_u32(line), clamp_u32(column))
    }

    /// The text of a line counted from 1, without its line ending, and the offset it starts at.
    pub fn line(&self, line: u32) -> Option<(usize, &str)> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        let start = *self.line_starts.get(index)?;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next - 1);
        let text = self.text.get(start..end)?;
        Some((start, text.strip_suffix('\r').unwrap_or(text)))
    }

    /// How many lines the text has; a final line ending begins one more, empty line.
    pub fn line_count(&self) -> u32 {
        clamp_u32(self.line_starts.len())
    }

    /// A problem at a span of bytes; a span outside the text is moved to its end.
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
            message: message.into(),
            label: String::new(),
            hint: None,
            note: None,
        }
    }

    /// A problem of which only the line (from 1) is known, as in Lua's messages: it points at the first occurrence
    /// of `needle` in that line if there is one, else at the line from its first character that is not blank.
    /// A line behind the last one means the last one.
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

    /// The nearest offset not behind `offset` at which a character starts.
    fn floor_char_boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// The candidate that `name` was most likely meant to be, if any is near enough to be worth saying.
///
/// Equal but for case, or for `snake_case` against `camelCase`, comes first; then the smallest Damerau-Levenshtein
/// distance (optimal string alignment): at most 1 for names up to 4 characters, 2 up to 8, else 3. Ties go to the
/// candidate offered first. Of a great many candidates only the first 2,000 are looked at.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name of novel length is no slip of the pen, and the distance takes time in the product of the lengths.
    const MAX_CHARS: usize = 64;
    // A thousand slips in one file are still answered within a second.
    const MAX_CANDIDATES: usize = 2_000;
    if name.len() > 8 * MAX_CHARS {
        return None;
    }
    let wanted = stripped(name);
    let length = wanted.chars().count();
    if length == 0 || length > MAX_CHARS {
        return None;
    }
    let allowed = match length {
        0..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().take(MAX_CANDIDATES) {
        let near = stripped(candidate);
        if near.chars().count().abs_diff(length) > allowed {
            continue;
        }
        let distance = strsim::osa_distance(&wanted, &near);
        // Of a name of one or two letters every other such name is one letter away: that is no hint.
        let says_something = distance == 0 || distance < length.min(near.chars().count());
        if distance <= allowed && says_something && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Lower case, without the marks that tell `snake_case`, `kebab-case` and `camelCase` apart.
fn stripped(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Where `needle` stands in `text`: as a word of its own if it does anywhere, else anywhere.
fn find_word(text: &str, needle: &str) -> Option<usize> {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let stands_alone = |&(at, _): &(usize, &str)| {
        let before = text.get(..at).and_then(|rest| rest.chars().next_back());
        let after = text.get(at + needle.len()..).and_then(|rest| rest.chars().next());
        !before.is_some_and(part_of_word) && !after.is_some_and(part_of_word)
    };
    text.match_indices(needle).find(stands_alone).map(|(at, _)| at).or_else(|| text.find(needle))
}

/// Keeps head and tail of a text longer than `max` characters.
fn shorten(text: &str, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text.to_owned();
    }
    let kept = max.saturating_sub(1);
    let head: String = text.chars().take(kept - kept / 2).collect();
    let tail: String = text.chars().skip(count - kept / 2).collect();
    format!("{head}…{tail}")
}

fn clamp_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_with_hint() {
        let source = Source::new("rooms/tavern.json", "{\n  \"wäitsFor\": \"celar_door\"\n}");
        let at = source.text.find("\"celar").unwrap();
        let problem = source
            .problem(at..at + 12, "unknown area 'celar_door'")
            .at_path("characters[2].waitsFor")
            .with_hint("did you mean 'cellar_door'?");
        assert_eq!(
            problem.to_string(),
            "rooms/tavern.json:2:15: unknown area 'celar_door' (characters[2].waitsFor); did you mean 'cellar_door'?"
        );
    }

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
    fn near_names() {
        let names = ["cellar_door", "cellSize", "at", "walkSpeed", "bar"];
        let near = |name| did_you_mean(name, names);
        assert_eq!(near("celar_door"), Some("cellar_door"));
        assert_eq!(near("CellarDoor"), Some("cellar_door"));
        assert_eq!(near("cell_size"), Some("cellSize"));
        assert_eq!(near("WALKSPEED"), Some("walkSpeed"));
        assert_eq!(near("wlakSpeed"), Some("walkSpeed"));
        assert_eq!(near("speed"), None);
        assert_eq!(near("x"), None);
        assert_eq!(near("it"), Some("at"));
        assert_eq!(near("on"), None);
        assert_eq!(near(""), None);
        assert_eq!(did_you_mean("door_3", ["door_1", "door_2"]), Some("door_1"));
        assert_eq!(did_you_mean(&"x".repeat(1_000_000), names), None);
    }

    #[test]
    fn long_paths_are_cut_in_the_middle() {
        let problem =
            Source::new("a", "").problem(0..0, "m").at_path(&format!("points.{}.x", "ä".repeat(500)));
        assert_eq!(problem.path.chars().count(), 80);
        assert!(problem.path.starts_with("points.ä") && problem.path.ends_with("ä.x"));
    }
}
