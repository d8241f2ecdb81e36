//! The excerpt of a text that a problem is about, with readable context.

use std::ops::Range;

/// Lines longer than this many characters are shown in part.
const MAX_LINE: usize = 120;
/// Of a long line, this many characters before the place are shown.
const BEFORE: usize = 40;
/// A place of several lines is shown whole up to this many bytes, else only its first line.
const MAX_BYTES: usize = 2_000;

/// One or a few lines of a text, with the marked place. Cut lines get an ellipsis, which is part of the text around
/// the place. The cost does not grow with the file, or with the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The text before the place.
    pub before: String,
    /// The place itself; may be empty, and may hold line breaks.
    pub marked: String,
    /// The text after it.
    pub after: String,
}

impl Excerpt {
    /// The excerpt around `span` in `text`; `None` if the span is not valid in it.
    pub fn of(text: &str, span: Range<usize>) -> Option<Self> {
        let (ahead, behind) = (text.get(..span.start)?, text.get(span.start..)?);
        let marked = text.get(span.clone())?;
        let before = ahead.chars().rev().take(MAX_LINE + 1).take_while(|c| *c != '\n');
        let before: usize = before.map(char::len_utf8).sum();
        let before = ahead.get(ahead.len() - before..).unwrap_or("");
        if marked.len() <= MAX_BYTES && marked.trim_end().contains('\n') {
            let rest = text.get(span.end..)?;
            let after = rest.get(..line_length(rest)).unwrap_or("");
            let whole = Self::joined(before, marked, after);
            if whole.lines().all(|line| line.chars().count() <= MAX_LINE) {
                return Some(Self { before: before.into(), marked: marked.into(), after: after.into() });
            }
        }
        let behind = behind.get(..line_length(behind)).unwrap_or("");
        let marked = behind.get(..marked.len()).unwrap_or(behind);
        let after = behind.get(marked.len()..).unwrap_or("");
        Some(Self::windowed(before, marked, after))
    }

    /// The excerpt as one text.
    pub fn text(&self) -> String {
        Self::joined(&self.before, &self.marked, &self.after)
    }

    fn joined(before: &str, marked: &str, after: &str) -> String {
        [before, marked, after].concat()
    }

    /// A line with ellipses where it is cut.
    fn windowed(before: &str, marked: &str, after: &str) -> Self {
        let count = |text: &str| text.chars().count();
        let behind = count(marked) + count(after);
        if count(before) + behind <= MAX_LINE {
            return Self { before: before.into(), marked: marked.into(), after: after.into() };
        }
        // Space that one side does not need goes to the other.
        let room_before = (MAX_LINE - behind.min(MAX_LINE - BEFORE)).max(BEFORE);
        let skipped = count(before).saturating_sub(room_before);
        let mut left = MAX_LINE - (count(before) - skipped);
        let mut take = |text: &str| -> String {
            let taken: String = text.chars().take(left).collect();
            left -= count(&taken);
            taken
        };
        let (marked_part, after_part) = (take(marked), take(after));
        let is_cut = count(&marked_part) + count(&after_part) < behind;
        let ellipsis = |there: bool| if there { "…" } else { "" };
        let before: String = before.chars().skip(skipped).collect();
        Self {
            before: format!("{}{before}", ellipsis(skipped > 0)),
            marked: marked_part,
            after: format!("{after_part}{}", ellipsis(is_cut)),
        }
    }
}

/// The bytes before the line break, at most a little more than is shown.
fn line_length(text: &str) -> usize {
    let line = text.chars().take(MAX_LINE + 1).take_while(|c| *c != '\n');
    let length = line.map(char::len_utf8).sum();
    text.get(..length).map_or(length, |line| line.trim_end_matches('\r').len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, span: Range<usize>) -> [String; 3] {
        let Excerpt { before, marked, after } = Excerpt::of(text, span).unwrap();
        [before, marked, after]
    }

    #[test]
    fn a_line_is_shown_whole_where_it_is_short() {
        assert_eq!(shown("one\r\ntwö x\r\nthree", 10..11), ["twö ", "x", ""]);
        assert_eq!(shown("", 0..0), ["", "", ""]);
        assert_eq!(shown("a\n", 2..2), ["", "", ""]);
        assert_eq!(shown("a\nb {\n1\n} c\nd", 4..9), ["b ", "{\n1\n}", " c"]);
        assert_eq!(Excerpt::of("ä", 1..2), None);
        assert_eq!(Excerpt::of("a", 1..2), None);
    }

    #[test]
    fn of_a_long_line_what_is_near_is_shown() {
        let text = format!("{}MARK{}", "ä".repeat(100_000), "b".repeat(100_000));
        let [before, marked, after] = shown(&text, 200_000..200_004);
        assert_eq!(before, format!("…{}", "ä".repeat(40)));
        assert_eq!((marked.as_str(), after.chars().count()), ("MARK", 77));
        assert!(after.ends_with("b…"));
        // At either end, more of the other side is shown.
        let [before, _, after] = shown(&text, 0..2);
        assert_eq!((before.as_str(), after.chars().count()), ("", 120));
        let [before, _, after] = shown(&text, text.len() - 1..text.len());
        assert_eq!((before.chars().count(), after.as_str()), (120, ""));
        // A long place is cut, and so is one of many lines.
        let [before, marked, after] = shown(&text, 200_000..300_004);
        assert_eq!((before.chars().count(), marked.chars().count(), after.as_str()), (41, 80, "…"));
        let lines = "x\n".repeat(5_000);
        assert_eq!(shown(&lines, 2..8_000), ["", "x", ""]);
        let wide = format!("a\nb\n{}", "c".repeat(200));
        assert_eq!(shown(&wide, 0..50), ["", "a", ""]);
    }
}
