//! A spec file without the tests that do not run. Every test reads its file in a fresh state. With all tests
//! kept, a file of two thousand tests would cost two thousand times two thousand tests of work.

/// A spec file's text and the places of its tests, found once for all tests.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Written {
    text: String,
    /// In order; empty if `it` is used in an unsupported way.
    tests: Vec<Test>,
}

/// A test in the text: its bytes, the line that Lua reports for its call, and its number of line breaks.
#[derive(Debug, Clone, PartialEq)]
struct Test {
    start: usize,
    end: usize,
    line: u32,
    breaks: usize,
}

impl Written {
    /// Finds the tests of a file.
    pub(super) fn of(text: String) -> Self {
        let tests = tests(&text).unwrap_or_default();
        Self { text, tests }
    }

    /// The file with blanks in place of the tests that do not begin on `line`; line numbers stay. `now` is
    /// the file's current text, most likely unchanged.
    ///
    /// Removes only tests that cannot matter: statements `it("…", function … end)` with a plain string and a
    /// literal function. If the file uses `it` in any other way, nothing is removed.
    pub(in crate::script) fn only_test_at(&self, line: u32, now: String) -> String {
        if now != self.text {
            return Self::of(now).only(line);
        }
        self.only(line)
    }

    fn only(&self, line: u32) -> String {
        let mut out = String::new();
        let mut from = 0;
        for test in self.tests.iter().filter(|test| test.line != line) {
            out.push_str(self.text.get(from..test.start).unwrap_or(""));
            out.push(' ');
            out.extend(std::iter::repeat_n('\n', test.breaks));
            from = test.end;
        }
        out.push_str(self.text.get(from..).unwrap_or(""));
        out
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A name, a keyword or a number.
    Word,
    Text,
    /// Any other character.
    Mark(u8),
}

#[derive(Clone, Copy)]
struct Token<'a> {
    kind: Kind,
    text: &'a str,
    start: usize,
    line: u32,
}

/// No statement begins after these words.
const GOES_ON: [&str; 14] = [
    "return", "and", "or", "not", "local", "function", "in", "if", "while", "until", "elseif", "for", "goto",
    "global",
];

/// The tests that are statements of their own; `None` if `it` is used in any other way.
fn tests(text: &str) -> Option<Vec<Test>> {
    let tokens = tokens(text);
    let mut found: Vec<Test> = Vec::new();
    let mark = |at: usize, byte: u8| tokens.get(at).is_some_and(|token| token.kind == Kind::Mark(byte));
    let word = |at: usize, word: &str| tokens.get(at).is_some_and(|t| t.kind == Kind::Word && t.text == word);
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_it = token.kind == Kind::Word && token.text == "it";
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_field = before.is_some_and(|before| matches!(before.kind, Kind::Mark(b'.' | b':')));
        if !is_it || is_field {
            at += 1;
            continue;
        }
        let is_shadowed = before.is_some_and(|before| matches!(before.text, "local" | "function" | "global"));
        let open = if mark(at + 1, b'.') { at + 3 } else { at + 1 };
        if is_shadowed || !mark(open, b'(') && !mark(at + 1, b'.') {
            return None;
        }
        let begins = before.is_none_or(|before| match before.kind {
            Kind::Word => !GOES_ON.contains(&before.text),
            Kind::Text => true,
            Kind::Mark(byte) => matches!(byte, b')' | b']' | b'}' | b';'),
        });
        let plain = mark(open, b'(')
            && tokens.get(open + 1).is_some_and(|token| token.kind == Kind::Text)
            && mark(open + 2, b',')
            && word(open + 3, "function");
        let close = if begins && plain { closing(&tokens, open) } else { None };
        // The next token must begin a statement, too: `it(…)` could be the beginning of a longer expression.
        let ends = |close: usize| {
            tokens.get(close + 1).is_none_or(|next| match next.kind {
                Kind::Word => !matches!(next.text, "and" | "or"),
                kind => matches!(kind, Kind::Mark(b';' | b')')),
            })
        };
        let line = tokens.get(open).map_or(token.line, |open| open.line);
        match close.filter(|&close| ends(close)) {
            Some(close) => {
                let end = tokens.get(close).map_or(text.len(), |token| token.start + 1);
                let inside = text.as_bytes().get(token.start..end).unwrap_or(&[]);
                let breaks = inside.iter().filter(|&&byte| byte == b'\n').count();
                found.push(Test { start: token.start, end, line, breaks });
                at = close + 1;
            }
            None => at = open + 1,
        }
    }
    Some(found)
}

/// The bracket that closes the one at `open`.
fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Mark(b'(' | b'[' | b'{') => depth += 1,
            Kind::Mark(b')' | b']' | b'}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The tokens of a text, as far as brackets, words and strings are concerned.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1_u32);
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        let (kind, end) = match byte {
            b'-' if next == Some(&b'-') => {
                let end = long_bracket(bytes, at + 2).unwrap_or_else(|| line_end(bytes, at));
                (None, end)
            }
            b'[' if matches!(next, Some(b'[' | b'=')) => match long_bracket(bytes, at) {
                Some(end) => (Some(Kind::Text), end),
                None => (Some(Kind::Mark(byte)), at + 1),
            },
            b'"' | b'\'' => (Some(Kind::Text), string_end(bytes, at)),
            _ if is_word(byte) => {
                let length = bytes.iter().skip(at).take_while(|&&byte| is_word(byte)).count();
                (Some(Kind::Word), at + length)
            }
            _ if byte.is_ascii_whitespace() => (None, at + 1),
            _ => (Some(Kind::Mark(byte)), at + 1),
        };
        let piece = text.get(at..end).unwrap_or("");
        tokens.extend(kind.map(|kind| Token { kind, text: piece, start: at, line }));
        let breaks = bytes.get(at..end).unwrap_or(&[]).iter().filter(|&&byte| byte == b'\n').count();
        line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        at = end;
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes.iter().skip(at).position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length)
}

/// The position after the string in quotes that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes.get(at);
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 2,
            _ if Some(byte) == quote => return end + 1,
            _ => end += 1,
        }
    }
    bytes.len()
}

/// The position after `[[…]]` or `[=[…]=]`, if one begins at `at`.
fn long_bracket(bytes: &[u8], at: usize) -> Option<usize> {
    let level = bytes.get(at + 1..)?.iter().take_while(|&&byte| byte == b'=').count();
    let opens = bytes.get(at) == Some(&b'[') && bytes.get(at + 1 + level) == Some(&b'[');
    if !opens {
        return None;
    }
    let mut close = vec![b'='; level + 2];
    close.splice(..1, [b']']);
    close.splice(level + 1.., [b']']);
    let inside = at + 2 + level;
    let found = bytes.get(inside..)?.windows(close.len()).position(|window| window == close);
    Some(found.map_or(bytes.len(), |length| inside + length + close.len()))
}

#[cfg(test)]
mod tests {
    use super::Written;

    fn only_test_at(text: &str, line: u32) -> String {
        Written::of(text.to_owned()).only_test_at(line, text.to_owned())
    }

    #[test]
    fn other_tests_go_and_lines_stay() {
        let spec = "local n = 1 -- it('x', function() end)\n\
                    describe('d', function()\n\
                    \x20 it('a', function() f(')') end)\n\
                    \x20 it.only('b', function()\n\
                    \x20   g([[ it(\"q\", ]]) -- )\n\
                    \x20 end)\n\
                    \x20 it('c', { timeout = 1 }, function() end)\n\
                    \x20 for i = 1, 2 do it('d' .. i, function() end) end\n\
                    end)\n";
        let only_a = "local n = 1 -- it('x', function() end)\n\
                      describe('d', function()\n\
                      \x20 it('a', function() f(')') end)\n\
                      \x20  \n\n\n\
                      \x20 it('c', { timeout = 1 }, function() end)\n\
                      \x20 for i = 1, 2 do it('d' .. i, function() end) end\n\
                      end)\n";
        assert_eq!(only_test_at(spec, 3), only_a);
        let only_b = only_test_at(spec, 4);
        assert!(only_b.contains("it.only('b'") && !only_b.contains("it('a'"), "{only_b}");
        assert_eq!(only_b.lines().count(), spec.lines().count());
    }

    #[test]
    fn where_it_is_used_in_another_way_all_stays() {
        for spec in [
            "local it = it\nit('a', function() end)\nit('b', function() end)",
            "local function it(name) end\nit('a', function() end)",
            "each(it)\nit('a', function() end)",
            "local x = it('a', function() end)",
            "it('a', function() end):twice()",
            "x.it('a', function() end)",
            "return it('a', function() end)",
            "it('a' .. b, function() end)",
            "it('a', f)",
            "it('a', function() end",
        ] {
            assert_eq!(only_test_at(spec, 99), spec);
        }
    }

    /// The remaining text for one test does not grow with the number of other tests.
    #[test]
    fn a_file_of_thousands_costs_what_a_file_of_ten_does() {
        let spec = |tests: usize| {
            let tests =
                (0..tests).map(|i| format!("  it('test {i}', function() expect({i}):to_be({i}) end)\n"));
            format!("describe('many', function()\n{}end)\n", tests.collect::<String>())
        };
        let left =
            |tests| only_test_at(&spec(tests), 5).bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
        assert_eq!(left(2_000), left(10));
    }
}
