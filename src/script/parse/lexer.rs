//! Lua's tokens, with their byte ranges.

use super::SyntaxError;
use std::ops::Range;

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind {
    Name(String),
    Keyword(&'static str),
    /// A string's content; escapes are resolved as far as names can contain them.
    String(String),
    Number,
    Symbol(&'static str),
    End,
}

/// `global` and `goto` are keywords only at the beginning of a statement, so they are names here.
pub(in crate::script) const KEYWORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// Longest first, so that `..` is not read as two dots.
const SYMBOLS: [&str; 33] = [
    "...", "<<", ">>", "//", "==", "~=", "<=", ">=", "::", "..", "+", "-", "*", "/", "%", "^", "#", "&", "~",
    "|", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".",
];

/// Reads one token after the other.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut lexer = Self { text, at: 0 };
        if text.starts_with('#') {
            lexer.skip_line();
        }
        lexer
    }
}

impl Lexer<'_> {
    /// The next token; at the end, and after it, the end.
    pub(super) fn next(&mut self) -> Result<Token, SyntaxError> {
        self.skip_blanks()?;
        let start = self.at;
        let kind = match self.byte(0) {
            None => TokenKind::End,
            Some(b'"' | b'\'') => self.short_string()?,
            Some(b'[') if self.long_bracket().is_some() => TokenKind::String(self.long_string()?),
            Some(b'0'..=b'9') => self.number(),
            Some(b'.') if self.byte(1).is_some_and(|byte| byte.is_ascii_digit()) => self.number(),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.word(),
            Some(_) => self.symbol()?,
        };
        Ok(Token { kind, span: start..self.at })
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn skip_blanks(&mut self) -> Result<(), SyntaxError> {
        loop {
            while self.byte(0).is_some_and(|byte| byte.is_ascii_whitespace() || byte == 0x0b) {
                self.at += 1;
            }
            if (self.byte(0), self.byte(1)) != (Some(b'-'), Some(b'-')) {
                return Ok(());
            }
            self.at += 2;
            if self.long_bracket().is_some() {
                self.long_string()?;
            } else {
                self.skip_line();
            }
        }
    }

    fn word(&mut self) -> TokenKind {
        let length =
            self.rest().bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let word = self.rest().get(..length).unwrap_or("").to_owned();
        self.at += length;
        let first = word.as_bytes().first();
        let is_it = |keyword: &&&str| keyword.as_bytes().first() == first && **keyword == word;
        match KEYWORDS.iter().find(is_it) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Name(word),
        }
    }

    /// Takes what Lua reads as a number, well formed or not: only its place matters here.
    fn number(&mut self) -> TokenKind {
        let hexadecimal = self.rest().starts_with("0x") || self.rest().starts_with("0X");
        while let Some(byte) = self.byte(0) {
            let exponent =
                if hexadecimal { matches!(byte, b'p' | b'P') } else { matches!(byte, b'e' | b'E') };
            if exponent && matches!(self.byte(1), Some(b'+' | b'-')) {
                self.at += 2;
            } else if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' {
                self.at += 1;
            } else {
                break;
            }
        }
        TokenKind::Number
    }

    fn symbol(&mut self) -> Result<TokenKind, SyntaxError> {
        // The first byte rules out nearly all: this is most of the work on a long script.
        let (first, rest) = (self.byte(0), self.rest().as_bytes());
        let is_here = |symbol: &&&str| {
            symbol.as_bytes().first().copied() == first && rest.starts_with(symbol.as_bytes())
        };
        let found = SYMBOLS.iter().find(is_here);
        let Some(symbol) = found else {
            let length = self.rest().chars().next().map_or(0, char::len_utf8);
            return Err(SyntaxError { at: self.at..self.at + length, exceeds: None });
        };
        self.at += symbol.len();
        Ok(TokenKind::Symbol(symbol))
    }

    /// The level of a long bracket that opens here: 0 for `[[`, 1 for `[=[`.
    fn long_bracket(&self) -> Option<usize> {
        let inside = self.rest().strip_prefix('[')?;
        let level = inside.bytes().take_while(|&byte| byte == b'=').count();
        inside.as_bytes().get(level).filter(|&&byte| byte == b'[').map(|_| level)
    }

    fn long_string(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        let level = self.long_bracket().unwrap_or(0);
        let closing = format!("]{}]", "=".repeat(level));
        self.at += level + 2;
        let Some(length) = self.rest().find(&closing) else {
            return Err(SyntaxError { at: start..start + level + 2, exceeds: None });
        };
        let content = self.rest().get(..length).unwrap_or("");
        let content = content.strip_prefix("\r\n").or_else(|| content.strip_prefix('\n')).unwrap_or(content);
        let content = content.to_owned();
        self.at += length + closing.len();
        Ok(content)
    }

    fn short_string(&mut self) -> Result<TokenKind, SyntaxError> {
        let start = self.at;
        let quote = self.rest().chars().next().unwrap_or('"');
        self.at += 1;
        let mut content = String::new();
        loop {
            let Some(letter) = self.rest().chars().next().filter(|letter| *letter != '\n') else {
                return Err(SyntaxError { at: start..self.at, exceeds: None });
            };
            self.at += letter.len_utf8();
            match letter {
                '\\' => self.escape(&mut content),
                _ if letter == quote => return Ok(TokenKind::String(content)),
                _ => content.push(letter),
            }
        }
    }

    /// Reads the escape after a backslash. Lua's own compiler checks whether it is well formed.
    fn escape(&mut self, content: &mut String) {
        let Some(letter) = self.rest().chars().next() else { return };
        self.at += letter.len_utf8();
        match letter {
            'n' => content.push('\n'),
            't' => content.push('\t'),
            'r' => content.push('\r'),
            'z' => {
                let blanks = self.rest().len() - self.rest().trim_start().len();
                self.at += blanks;
            }
            'x' | 'u' | '0'..='9' => {
                let code = |digits: &str, radix: u32| {
                    u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
                };
                let rest = self.rest();
                let (length, decoded) = match letter {
                    'x' => (2, code(rest.get(..2).unwrap_or(""), 16)),
                    'u' => {
                        let length = rest.find('}').map_or(0, |at| at + 1);
                        (length, code(rest.get(1..length.max(2) - 1).unwrap_or(""), 16))
                    }
                    _ => {
                        let more = rest.bytes().take(2).take_while(u8::is_ascii_digit).count();
                        (more, code(&format!("{letter}{}", rest.get(..more).unwrap_or("")), 10))
                    }
                };
                self.at = (self.at + length).min(self.text.len());
                while !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
                content.push(decoded);
            }
            other => content.push(other),
        }
    }
}
