//! Comments and trailing commas in JSON ("JSONC"), replaced by blanks so that serde_json can read the rest.
//!
//! Every removed byte becomes a blank and line breaks stay, so offsets and lines are those of the file. Edits of a
//! file (`edit.rs`) change only numbers in the original text, so its comments stay.

use std::borrow::Cow;

use crate::problem::{Problem, Source};

/// A file's text as serde_json can read it, with the same byte offsets as the original text.
pub(super) struct Plain<'a> {
    source: &'a Source,
    /// The text without comments and trailing commas, as long as the original.
    pub(super) text: Cow<'a, str>,
}

impl<'a> Plain<'a> {
    /// Blanks out comments and trailing commas.
    ///
    /// # Errors
    ///
    /// A `/*` without its `*/`.
    pub(super) fn of(source: &'a Source) -> Result<Self, Box<Problem>> {
        match plain(&source.text) {
            Ok(text) => Ok(Self { source, text }),
            Err(opened) => {
                let problem = source.problem(opened..opened + 2, "this comment is not closed");
                Err(Box::new(problem.with_hint("write */ where it ends")))
            }
        }
    }

    /// The line and the column of a byte in the original file.
    pub(super) fn line_column(&self, offset: usize) -> (u32, u32) {
        self.source.line_column(offset)
    }

    /// Behind the last thing in the text, comments included.
    pub(super) fn end(&self) -> usize {
        self.source.text.trim_end().len()
    }

    /// See [`Source::problem`].
    pub(super) fn problem(&self, span: std::ops::Range<usize>, message: impl Into<String>) -> Problem {
        self.source.problem(span, message)
    }
}

/// The text with blanks in place of comments and of commas that only a bracket follows. Most files have none and are
/// borrowed.
///
/// # Errors
///
/// The offset of an unclosed `/*`.
pub(super) fn plain(text: &str) -> Result<Cow<'_, str>, usize> {
    let bytes = text.as_bytes();
    let mut blanks: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    // The last byte that is neither blank nor comment, and the place of the last comma after a value.
    let (mut before, mut comma) = (b' ', None);
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        match (byte, next) {
            (b'/', Some(b'/' | b'*')) => {
                let end = comment_end(bytes, at).ok_or(at)?;
                blanks.push((at, end));
                at = end;
                continue;
            }
            (b' ' | b'\t' | b'\n' | b'\r', _) => {
                at += 1;
                continue;
            }
            (b'"', _) => at = string_end(bytes, at),
            (b',', _) => {
                comma = (!matches!(before, b',' | b'[' | b'{' | b':' | b' ')).then_some(at);
                at += 1;
            }
            (b']' | b'}', _) => {
                blanks.extend(comma.take().map(|comma| (comma, comma + 1)));
                at += 1;
            }
            _ => at += 1,
        }
        if byte != b',' {
            comma = None;
        }
        before = byte;
    }
    if blanks.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    blanks.sort_unstable();
    Ok(Cow::Owned(blanked(text, &blanks)))
}

/// The end of the comment that begins at `at`: before its line break, or behind its `*/`.
fn comment_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at + 2..)?;
    match bytes.get(at + 1) {
        Some(b'/') => {
            Some(rest.iter().position(|byte| matches!(byte, b'\n')).map_or(bytes.len(), |n| at + 2 + n))
        }
        _ => rest.windows(2).position(|pair| pair == b"*/").map(|n| at + 4 + n),
    }
}

/// Behind the string that begins at `at`; or the end of its line if it is not closed there, which serde_json reports.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 2,
            b'"' => return end + 1,
            b'\n' => return end,
            _ => end += 1,
        }
    }
    bytes.len()
}

/// The text with blanks in these spans, which are sorted, disjoint, and hold whole characters.
fn blanked(text: &str, spans: &[(usize, usize)]) -> String {
    let mut out = String::with_capacity(text.len());
    for &(start, end) in spans {
        out.push_str(text.get(out.len()..start).unwrap_or(""));
        let gone = text.as_bytes().get(start..end).unwrap_or(&[]);
        out.extend(
            gone.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(*byte) } else { ' ' }),
        );
    }
    out.push_str(text.get(out.len()..).unwrap_or(""));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_become_blanks() {
        for (text, expected) in [
            ("{\"a\": 1}", "{\"a\": 1}"),
            ("{\"a\": 1,}", "{\"a\": 1 }"),
            ("[1, 2,\n]", "[1, 2 \n]"),
            ("[1, // ä, ]\n]", "[1          \n]"),
            ("[1, /* ] */ 2,/**/]", "[1,         2     ]"),
            ("/* a\n b */ []", "    \n      []"),
            ("{} // end", "{}       "),
            // Strings contain no comments.
            ("[\"a // b, ]\", \"\\\"//\",]", "[\"a // b, ]\", \"\\\"//\" ]"),
            ("[[1,],\r\n]", "[[1 ] \r\n]"),
            // A comma that is not trailing stays, so that serde_json reports it.
            ("[,]", "[,]"),
            ("[1,,]", "[1,,]"),
            ("{\"a\":,}", "{\"a\":,}"),
            ("{},", "{},"),
            ("[1, / 2]", "[1, / 2]"),
            ("[\"a\n// b\n]", "[\"a\n    \n]"),
            ("[\"a\\", "[\"a\\"),
        ] {
            let plain = plain(text).unwrap();
            assert_eq!(plain, expected, "{text}");
            assert_eq!(plain.len(), text.len(), "{text}");
        }
        assert_eq!(plain("[1] /* 2"), Err(4));
        assert_eq!(plain("/*/"), Err(0));
    }
}
