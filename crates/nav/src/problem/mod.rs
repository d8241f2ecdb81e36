//! A problem of a file, told so that its author can mend it: the place, the reason and a hint.
//!
//! Rooms and scripts report through the same [`Problem`]; a [`Source`] turns byte offsets into lines and columns.

mod excerpt;
mod guard;
mod numbers;
mod source;

pub use excerpt::Excerpt;
#[doc(hidden)]
pub use guard::{guarded, is_guarded, reason_of_panic};
pub use numbers::{brief_numbers, length_text};
pub use source::Source;

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// Paths longer than this many characters are cut in the middle, as they no longer help to find the place.
const MAX_PATH_CHARS: usize = 80;

/// Messages longer than this many characters are cut in the middle: names in a file may be arbitrarily long.
const MAX_WORDS: usize = 500;

/// The severity of a problem.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A certain mistake: the file is refused, or the code fails when it runs.
    #[default]
    Error,
    /// Probably a mistake, but nothing is refused.
    Warning,
}

/// One problem of one file, with its place.
///
/// `Display` gives the one-line form, hint included:
/// `rooms/tavern.json:41:18: unknown area 'celar_door' (characters[2].waitsFor); did you mean 'cellar_door'?`
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// Its severity.
    pub severity: Severity,
    /// The file's name as the user gave it, or relative to the project.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
    /// The bytes of the source text that it is about.
    pub span: Range<usize>,
    /// The path in the data: `characters[2].at`. Empty where it tells nothing; cut when very long.
    pub path: String,
    /// The problem, in one sentence without a full stop; cut when very long.
    pub message: String,
    /// The text under the marked part of an excerpt; may be empty.
    pub label: String,
    /// A way to mend it.
    pub hint: Option<String>,
    /// Further information.
    pub note: Option<String>,
}

impl Problem {
    /// What is wrong, with the path in the data and the hint: for data that is in no file.
    pub fn without_place(&self) -> String {
        let path = if self.path.is_empty() { String::new() } else { format!("{}: ", self.path) };
        let hint = self.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("{path}{}{hint}", self.message)
    }

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

    /// Whether it is an error, not a warning.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The same problem with `label` as the text under its excerpt.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = shorten(&label.into(), MAX_WORDS);
        self
    }

    /// The same problem, of the file as a whole.
    #[must_use]
    pub fn without_line(mut self) -> Self {
        (self.line, self.column) = (0, 0);
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

/// The problems to show out of many, in their order, and the number left out: errors go before warnings.
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

/// The candidate that `name` most likely meant, if any is similar enough.
///
/// A candidate equal but for case, or for `snake_case` against `camelCase`, comes first; then the smallest
/// Damerau-Levenshtein distance (optimal string alignment): at most 1 for names up to 4 characters, 2 up to 8,
/// else 3. Ties go to the first candidate. At most 2,000 candidates are examined.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A very long name is not a typo, and the distance takes time in the product of the lengths.
    const MAX_CHARS: usize = 64;
    // A thousand typos in one file are still answered within a second.
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
        // A name of one or two letters is one letter away from every other: that is no hint.
        let says_something = distance == 0 || distance < length.min(near.chars().count());
        if distance <= allowed && says_something && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Lower case, without the separators of `snake_case`, `kebab-case` and `camelCase`.
fn stripped(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Keeps the head and tail of a text longer than `max` characters, and of long numbers the first digits.
fn shorten(text: &str, max: usize) -> String {
    let text = &*brief_numbers(text);
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
