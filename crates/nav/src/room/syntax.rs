//! Explains what is not JSON in words that help: a comma too many, a bare word, a file cut off in the middle.
//!
//! serde_json finds the place. The text there and before it tells what the author probably meant.

use std::ops::Range;

use super::RoomReport;
use super::jsonc::Plain;
use crate::problem::{Problem, Source, did_you_mean};

/// Larger files are not read. A room with ten polygons of the largest size takes half of this.
const MAX_FILE_BYTES: usize = 64 << 20;

/// Turns a file's bytes into text. `least` is the hint for an empty file.
///
/// # Errors
///
/// A file that is empty, too large, or not UTF-8.
pub(super) fn decode(file_name: &str, bytes: &[u8], least: &str) -> Result<Source, RoomReport> {
    let refuse = |source: Source, at: usize, message: &str, hint: &str| {
        let problems = vec![source.problem(at..at, message).with_hint(hint)];
        Err(RoomReport { problems, source })
    };
    let nothing = || Source::new(file_name, "");
    if bytes.len() > MAX_FILE_BYTES {
        let message = format!("the file is larger than {} MiB", MAX_FILE_BYTES >> 20);
        return refuse(nothing(), 0, &message, "is it a room file?");
    }
    // An ASCII file saved as UTF-16 has a NUL among its first two bytes, with or without a byte order mark.
    let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if wide || bytes.iter().take(2).any(|&byte| byte == 0) {
        return refuse(nothing(), 0, "the file is not UTF-8 but, it seems, UTF-16", "save it as UTF-8");
    }
    let source = Source::new(file_name, String::from_utf8_lossy(bytes));
    if let Err(error) = std::str::from_utf8(bytes) {
        let mark = if bytes.starts_with("\u{feff}".as_bytes()) { '\u{feff}'.len_utf8() } else { 0 };
        let at = error.valid_up_to().saturating_sub(mark);
        return refuse(source, at, "the file is not UTF-8 from here on", "save it as UTF-8");
    }
    if source.text.trim().is_empty() {
        return refuse(source, 0, "the file is empty", least);
    }
    Ok(source)
}

/// A problem at the first bracket that is nested deeper than `max` levels.
pub(super) fn too_deep(source: &Plain<'_>, max: usize) -> Option<Problem> {
    let mut outline = Outline::default();
    for (at, byte) in source.text.bytes().enumerate() {
        outline.read(at, byte);
        if outline.open.len() > max {
            let problem = source.problem(at..at + 1, format!("nested deeper than {max} levels"));
            return Some(problem.with_hint("a room needs five"));
        }
    }
    None
}

/// The byte of `text` that a serde_json error is about.
pub(super) fn offset(text: &str, error: &serde_json::Error) -> usize {
    let lines_before = error.line().saturating_sub(1);
    let line_start = match lines_before.checked_sub(1) {
        None => 0,
        Some(nth) => text.match_indices('\n').nth(nth).map_or(text.len(), |(at, _)| at + 1),
    };
    // serde_json's column counts the bytes of the line up to and including the offending one.
    let mut at = (line_start + error.column()).saturating_sub(1).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Explains the error at byte `at`, where `error` arose.
pub(super) fn explain(source: &Plain<'_>, at: usize, error: &serde_json::Error) -> Problem {
    let text = source.text.as_ref();
    if error.is_eof() {
        return cut_off(source);
    }
    let message = plain_message(error);
    // For a control character, serde_json gives the place just before it, which may be the string's opening quote.
    let length = text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let backslash = text.get(..at).unwrap_or("").rfind('\\').filter(|_| message.contains("escape"));
    if let Some(problem) = backslash.and_then(|backslash| short_escape(source, backslash)) {
        return problem;
    }
    let until = if message.starts_with("control character") { at + length } else { at };
    let outline = Outline::of(text.get(..until).unwrap_or(text));
    if let Some(start) = outline.string {
        return in_string(source, start, at, &message);
    }
    let here = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
    let (before_at, before) = last_visible(text, at);
    let say = |at: usize, message: String, hint: &str| {
        let length = text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let problem = source.problem(at..at + length, message);
        if hint.is_empty() { problem } else { problem.with_hint(hint) }
    };
    let comma_expected = message.starts_with("expected `,`");
    // `tru}` and `1.]`: serde_json reports the bracket, but the word before it is wrong.
    let half_word = before_at + before.len_utf8() == at && is_word(before) && !comma_expected;
    match here {
        '/' | '#' => say(at, format!("'{here}' begins no comment"), "write // or /* … */"),
        '\'' | '`' | '“' | '”' | '„' => say(at, format!("{here} is no quote in JSON"), "write \""),
        _ if message.starts_with("trailing characters") => say(
            at,
            "text after the end of the room".into(),
            "is a closing bracket too early, or one too many?",
        ),
        ',' if before == ',' => say(at, "one comma too many".into(), "delete it"),
        ',' | '}' | ']' if before == ':' => say(before_at, "no value after this colon".into(), ""),
        ',' if matches!(before, '{' | '[') => say(at, "a comma with nothing before it".into(), "delete it"),
        ';' => say(at, "JSON has no semicolons".into(), "write , between entries and nothing after the last"),
        _ if message.starts_with("expected `:`") => {
            let key = outline.last_string.clone().unwrap_or(before_at..before_at + before.len_utf8());
            // `"name: "tav"`: the quote that closes this key was meant to open the value.
            let runs_on = is_word(here) && text.get(key.clone()).is_some_and(|key| key.contains(':'));
            let hint = if runs_on { "is a quote missing in it?" } else { "write \"key\": value" };
            source.problem(key, "no colon after this key").with_hint(hint)
        }
        ':' if before == ':' => say(at, "one colon too many".into(), "delete it"),
        ':' if outline.last_string.as_ref().is_some_and(|key| key.end == before_at + 1) => {
            colon_after_value(source, at, &outline)
        }
        _ if half_word => word(source, at, &message),
        '}' | ']' => match outline.open.last() {
            Some(&(opened, bracket)) => {
                let (line, _) = source.line_column(opened);
                let expected = closing(bracket);
                let hint = format!("write '{expected}'");
                say(at, format!("'{here}' cannot close the '{bracket}' of line {line}"), &hint)
            }
            None => say(at, format!("'{here}' closes nothing"), "delete it"),
        },
        _ if before == ',' && here.is_ascii_digit() && outline.decimal_comma(text, before_at) => {
            word(source, at, &message).with_hint("decimals are written with a point: 0.25")
        }
        _ if is_word(here) => word(source, at, &message),
        '(' | '<' => say(at, format!("'{here}' opens nothing in JSON"), "places are written [x, z]"),
        _ if comma_expected => say(at, "a comma is missing before this".into(), ""),
        _ => say(at, message, ""),
    }
}

/// A colon after a string that is not a key: in a list, or because the key before it has no value.
fn colon_after_value(source: &Plain<'_>, at: usize, outline: &Outline) -> Problem {
    let text = source.text.as_ref();
    let key = outline.last_string.clone().unwrap_or(at..at + 1);
    if let Some(&(opened, '[')) = outline.open.last() {
        let (line, column) = source.line_column(opened);
        let problem = source.problem(key, "a key in a list");
        return problem.with_hint(format!("write {{ }} instead of the [ ] that begins at {line}:{column}"));
    }
    match last_visible(text, key.start) {
        (colon, ':') if text.get(colon..key.start).is_some_and(|between| between.contains('\n')) => {
            source.problem(colon..colon + 1, "no value after this colon")
        }
        _ => source.problem(at..at + 1, "a second colon after one key").with_hint("is a comma missing?"),
    }
}

/// The file ends too soon.
fn cut_off(source: &Plain<'_>) -> Problem {
    let text = source.text.as_ref();
    let end = source.end();
    let outline = Outline::of(text);
    let problem = |message: String| source.problem(end..end, message).with_label("the file ends here");
    if let Some(start) = outline.string {
        let (line, column) = source.line_column(start);
        return problem(format!("the file ends inside the string that began at {line}:{column}"))
            .with_hint("was it saved whole?");
    }
    match outline.open.last() {
        Some(&(opened, bracket)) => {
            let (line, column) = source.line_column(opened);
            let message = format!("the file ends before the '{bracket}' of {line}:{column} is closed");
            problem(message).with_hint(format!("'{}' is missing; was it saved whole?", closing(bracket)))
        }
        None => problem("the file ends in the middle of a value".into()).with_hint("was it saved whole?"),
    }
}

/// An invalid character inside a string. `at` is the byte, or one shortly after it.
fn in_string(source: &Plain<'_>, start: usize, at: usize, message: &str) -> Problem {
    let (line, column) = source.line_column(start);
    if message.starts_with("control character") {
        let inside = source.text.bytes().enumerate().skip(start);
        let (at, raw) = inside.into_iter().find(|(_, byte)| *byte < b' ').unwrap_or((at, b'\n'));
        if raw == b'\n' || raw == b'\r' {
            let problem = source.problem(start..at, "this string is not closed on its line");
            return problem.with_hint("close it with \", or write \\n for a line break");
        }
        let problem =
            source.problem(at..at + 1, format!("a raw control character (code {raw}) inside a string"));
        return problem.with_hint(if raw == b'\t' { "write \\t" } else { "write it as \\u and four digits" });
    }
    if message.contains("escape") {
        let inside = source.text.get(start..at).unwrap_or("");
        let backslash = inside.rfind('\\').map_or(start, |found| start + found);
        let problem =
            source.problem(backslash..at + 1, "a backslash with something after it that JSON does not know");
        return problem.with_hint("write \\\\ for a backslash, and / in paths");
    }
    source.problem(at..at + 1, format!("{message}, in the string that began at {line}:{column}"))
}

/// `\u` without its four digits. serde_json notices it up to four bytes later, perhaps outside the string.
fn short_escape(source: &Plain<'_>, backslash: usize) -> Option<Problem> {
    let escape = source.text.get(backslash..)?.strip_prefix("\\u")?;
    let digits = escape.chars().take(4).take_while(char::is_ascii_hexdigit).count();
    let problem = source.problem(backslash..backslash + 2 + digits, "\\u needs four hexadecimal digits");
    (digits < 4).then(|| problem.with_hint("write \\\\ for a backslash"))
}

/// A bare word, or a number not written as JSON requires.
fn word(source: &Plain<'_>, at: usize, message: &str) -> Problem {
    let text = source.text.as_ref();
    let head = text.get(..at).unwrap_or("");
    let start =
        head.len() - head.chars().rev().take_while(|&c| is_word(c)).map(char::len_utf8).sum::<usize>();
    let tail = text.get(start..).unwrap_or("");
    let length: usize = tail.chars().take_while(|&c| is_word(c)).map(char::len_utf8).sum();
    let word = tail.get(..length).unwrap_or("");
    let shown: String = word.chars().take(40).collect();
    let is_key = tail.get(length..).unwrap_or("").trim_start().starts_with(':');
    let say = |message: String| source.problem(start..start + length, message);

    let lower = word.trim_start_matches(['-', '+']).to_lowercase();
    let numeric = word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    match lower.as_str() {
        _ if message.starts_with("key must be") && !is_key => {
            say(format!("'{shown}' stands where a key should")).with_hint("write \"key\": value")
        }
        _ if is_key => {
            say(format!("the key {shown} is not in quotes")).with_hint(format!("write \"{shown}\""))
        }
        "nan" | "inf" | "infinity" => {
            say(format!("JSON has no {shown}")).with_hint("write a finite number, or leave the key out")
        }
        "true" | "false" | "null" if lower != word => {
            say(format!("JSON has no {shown}")).with_hint(format!("write {lower}, in small letters"))
        }
        "none" | "nil" | "undefined" => say(format!("JSON has no {shown}")).with_hint("leave the key out"),
        _ if message.starts_with("expected `,`") && start == at => {
            say("a comma is missing before this".into())
        }
        _ if numeric => {
            let digits = lower.trim_start_matches('0');
            let problem = say(format!("'{shown}' is no number as JSON writes them"));
            if word.starts_with('+') {
                problem.with_hint("leave out the plus sign")
            } else if lower.starts_with('.') {
                problem.with_hint("write a 0 before the point")
            } else if lower.ends_with('.') {
                problem.with_hint("write a digit after the point")
            } else if lower.starts_with('0') && digits.starts_with(|c: char| c.is_ascii_digit()) {
                problem.with_hint("leave out the zeros in front")
            } else {
                problem.with_hint("write it like -12.5 or 3e2")
            }
        }
        _ => {
            let problem = say(format!("'{shown}' is no value"));
            match did_you_mean(word, ["true", "false", "null"]) {
                Some(near) => problem.with_hint(format!("did you mean {near}?")),
                None => problem.with_hint("a string stands in double quotes"),
            }
        }
    }
}

/// The brackets and the string that are open at the end of a text.
#[derive(Default)]
struct Outline {
    /// Offset and bracket, outermost first.
    open: Vec<(usize, char)>,
    /// The start of the unclosed string.
    string: Option<usize>,
    /// The last closed string, with its quotes.
    last_string: Option<Range<usize>>,
    escaped: bool,
}

impl Outline {
    fn of(text: &str) -> Self {
        let mut outline = Self::default();
        for (at, byte) in text.bytes().enumerate() {
            outline.read(at, byte);
        }
        outline
    }

    fn read(&mut self, at: usize, byte: u8) {
        match (self.string.is_some(), byte) {
            (true, _) if self.escaped => self.escaped = false,
            (true, b'\\') => self.escaped = true,
            (true, b'"') => self.last_string = self.string.take().map(|start| start..at + 1),
            (true, _) => {}
            (false, b'"') => self.string = Some(at),
            (false, b'{' | b'[') => self.open.push((at, char::from(byte))),
            (false, b'}' | b']') => {
                self.open.pop();
            }
            (false, _) => {}
        }
    }

    /// Whether the comma at `comma` stands between digits in an object, as in `"cellSize": 0,25`.
    fn decimal_comma(&self, text: &str, comma: usize) -> bool {
        let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        matches!(self.open.last(), Some((_, '{'))) && digit(comma.wrapping_sub(1)) && digit(comma + 1)
    }
}

fn closing(bracket: char) -> char {
    if bracket == '{' { '}' } else { ']' }
}

/// The last non-blank character before `at`, and its offset.
fn last_visible(text: &str, at: usize) -> (usize, char) {
    let before = text.get(..at).unwrap_or("").trim_end();
    before.char_indices().next_back().unwrap_or((0, ' '))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.' | '$')
}

/// serde_json's message without its place, which it counts differently.
pub(super) fn plain_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split(" at line ").next().unwrap_or("").to_owned()
}

#[cfg(test)]
mod tests {
    /// The messages for a bad file called `r`.
    fn refused(bytes: &[u8]) -> String {
        match crate::room::parse("r", bytes) {
            Ok(_) => panic!("accepted: {}", String::from_utf8_lossy(bytes)),
            Err(report) => report.to_string(),
        }
    }

    #[test]
    fn what_is_no_json() {
        for (text, expected) in [
            ("", "r:1:1: the file is empty; the least room is {\"areas\": [{\"name\": …, \"polygon\": …}]}"),
            (
                " \n",
                "r:1:1: the file is empty; the least room is {\"areas\": [{\"name\": …, \"polygon\": …}]}",
            ),
            (
                "{",
                "r:1:2: the file ends before the '{' of 1:1 is closed; '}' is missing; was it saved whole?",
            ),
            (
                "{\n\"a\": \"ha",
                "r:2:9: the file ends inside the string that began at 2:6; was it saved whole?",
            ),
            ("[1,,2]", "r:1:4: one comma too many; delete it"),
            ("[,1]", "r:1:2: a comma with nothing before it; delete it"),
            ("[1,,]", "r:1:4: one comma too many; delete it"),
            ("{\n  # doors\n}", "r:2:3: '#' begins no comment; write // or /* … */"),
            ("{}\n# end", "r:2:1: '#' begins no comment; write // or /* … */"),
            ("{}\n/ end", "r:2:1: '/' begins no comment; write // or /* … */"),
            ("{\n/* ä\n}", "r:2:1: this comment is not closed; write */ where it ends"),
            // Columns count the original text, comments included.
            ("{ /* ä{[\" */ \"a\": nil, }", "r:1:19: JSON has no nil; leave the key out"),
            ("{ // [\n \"a\": [1, }", "r:2:11: '}' cannot close the '[' of line 2; write ']'"),
            ("{'a': 1}", "r:1:2: ' is no quote in JSON; write \""),
            ("{areas: []}", "r:1:2: the key areas is not in quotes; write \"areas\""),
            ("{\"a\": NaN}", "r:1:7: JSON has no NaN; write a finite number, or leave the key out"),
            ("[-Infinity]", "r:1:2: JSON has no -Infinity; write a finite number, or leave the key out"),
            ("{\"a\": True}", "r:1:7: JSON has no True; write true, in small letters"),
            ("{\"a\": tru}", "r:1:7: 'tru' is no value; did you mean true?"),
            ("{\"a\": nil}", "r:1:7: JSON has no nil; leave the key out"),
            ("{\"a\": yes}", "r:1:7: 'yes' is no value; a string stands in double quotes"),
            ("[01]", "r:1:2: '01' is no number as JSON writes them; leave out the zeros in front"),
            ("[.5]", "r:1:2: '.5' is no number as JSON writes them; write a 0 before the point"),
            ("[1.]", "r:1:2: '1.' is no number as JSON writes them; write a digit after the point"),
            ("[+1]", "r:1:2: '+1' is no number as JSON writes them; leave out the plus sign"),
            ("[0x10]", "r:1:2: '0x10' is no number as JSON writes them; write it like -12.5 or 3e2"),
            ("{\"a\": 1 \"b\": 2}", "r:1:9: a comma is missing before this"),
            ("[1 2]", "r:1:4: a comma is missing before this"),
            ("{\"a\" 1}", "r:1:2: no colon after this key; write \"key\": value"),
            ("{\"name: \"tav\"}", "r:1:2: no colon after this key; is a quote missing in it?"),
            ("{\"a\":: 1}", "r:1:6: one colon too many; delete it"),
            ("{\"a\":\n\"b\": 1}", "r:1:5: no value after this colon"),
            ("{\"a\": \"b\": 1}", "r:1:10: a second colon after one key; is a comma missing?"),
            (
                "{\"a\":\n[\"x\": 1]}",
                "r:2:2: a key in a list; write { } instead of the [ ] that begins at 2:1",
            ),
            ("{\"a\": (1)}", "r:1:7: '(' opens nothing in JSON; places are written [x, z]"),
            (
                "{\"a\": 0,25}",
                "r:1:9: '25' stands where a key should; decimals are written with a point: 0.25",
            ),
            ("{\"a\": \"b\\u12\"\n}", "r:1:9: \\u needs four hexadecimal digits; write \\\\ for a backslash"),
            ("{\"bc\\ud800\": [1]}", "r:1:5: half a character: one \\u escape of a pair is missing"),
            ("{\"a\": }", "r:1:5: no value after this colon"),
            ("{\"a\": 1, 2}", "r:1:10: '2' stands where a key should; write \"key\": value"),
            (
                "{\"a\": 1;}",
                "r:1:8: JSON has no semicolons; write , between entries and nothing after the last",
            ),
            ("{\"a\":\n[1}", "r:2:3: '}' cannot close the '[' of line 2; write ']'"),
            ("]", "r:1:1: ']' closes nothing; delete it"),
            (
                "{} x",
                "r:1:4: text after the end of the room; is a closing bracket too early, or one too many?",
            ),
            (
                "{\"ä\": \"b\nc\"}",
                "r:1:7: this string is not closed on its line; close it with \", or write \\n for a line break",
            ),
            ("[\"c\", \"\tc\"]", "r:1:8: a raw control character (code 9) inside a string; write \\t"),
            ("[\"\tc\"]", "r:1:3: a raw control character (code 9) inside a string; write \\t"),
            (
                "[\"a\\qc\"]",
                "r:1:4: a backslash with something after it that JSON does not know; write \\\\ for a backslash, \
                 and / in paths",
            ),
        ] {
            assert_eq!(refused(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_utf8_or_too_deep() {
        let wide = "r:1:1: the file is not UTF-8 but, it seems, UTF-16; save it as UTF-8";
        assert_eq!(refused(b"\xff\xfe{\0}\0"), wide);
        assert_eq!(refused(b"\xfe\xff\0{\0}"), wide);
        assert_eq!(refused(b"{\0}\0"), wide);
        let latin = b"\xef\xbb\xbf{\n\"name\": \"caf\xe9\"}";
        assert_eq!(refused(latin), "r:2:13: the file is not UTF-8 from here on; save it as UTF-8");
        let deep = "r:1:65: nested deeper than 64 levels; a room needs five";
        assert_eq!(refused("[".repeat(100_000).as_bytes()), deep);
    }
}
