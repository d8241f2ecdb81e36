//! What is wrong with a file, said so that its author can mend it: the place, the reason and a hint.
//!
//! Rooms and scripts report through the same [`Problem`]; a [`Source`] turns byte offsets into lines and columns.

mod excerpt;
mod source;

pub use excerpt::Excerpt;
pub use source::Source;

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// Paths longer than this many characters are cut in the middle: they no longer help anyone find the place.
const MAX_PATH_CHARS: usize = 80;

/// A message that is longer than this many characters is cut in the middle: a file may have a book for a name.
const MAX_WORDS: usize = 500;

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
    /// What is wrong, in one sentence without a full stop; cut when absurdly long.
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
        self.label = shorten(&label.into(), MAX_WORDS);
        self
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(shorten(&hint.into(), MAX_WORDS));
        self
    }

    /// The same problem with a note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(shorten(&note.into(), MAX_WORDS));
        self
    }
}

/// Those of a great many problems that are shown, in their order, and how many are not: errors go before warnings.
pub fn foremost(problems: &[Problem], most: usize) -> (Vec<&Problem>, usize) {
    let mut errors = problems.iter().filter(|problem| problem.is_error()).count().min(most);
    let mut warnings = most - errors;
    let has_room = |problem: &&Problem| {
        let left = if problem.is_error() { &mut errors } else { &mut warnings };
        let is_shown = *left > 0;
        *left -= usize::from(is_shown);
        is_shown
    };
    let shown: Vec<&Problem> = problems.iter().filter(has_room).collect();
    let left_out = problems.len() - shown.len();
    (shown, left_out)
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

    #[test]
    fn a_book_in_a_message_is_cut() {
        let book = "ä".repeat(250_000);
        let problem =
            Source::new("a", "").problem(0..0, &book).with_hint(&book).with_label(&book).with_note(&book);
        assert!(problem.to_string().chars().count() < 1100);
        assert_eq!(problem.message.chars().count(), 500);
    }

    #[test]
    fn of_many_problems_errors_go_before_warnings() {
        let source = Source::new("a", "");
        let problem = |i: usize| {
            let problem = source.problem(0..0, i.to_string());
            if [0, 3, 6].contains(&i) { problem } else { problem.as_warning() }
        };
        let all: Vec<Problem> = (0..9).map(problem).collect();
        let shown = |most: usize| -> (String, usize) {
            let (shown, left_out) = foremost(&all, most);
            (shown.iter().map(|problem| problem.message.as_str()).collect(), left_out)
        };
        assert_eq!(shown(9), ("012345678".into(), 0));
        assert_eq!(shown(5), ("01236".into(), 4));
        assert_eq!(shown(2), ("03".into(), 7));
    }
}
