//! Text input with a cursor, and its history.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Text being typed: a line, or several of Lua.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Typing {
    text: String,
    /// The cursor in bytes, always between two characters.
    cursor: usize,
}

impl Typing {
    /// This text, with the cursor at its end.
    pub(super) fn of(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { cursor: text.len(), text }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub(super) fn before(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// The text behind the cursor.
    pub(super) fn after(&self) -> &str {
        &self.text[self.cursor..]
    }

    /// The line of the cursor, from 0.
    pub(super) fn row(&self) -> usize {
        self.before().matches('\n').count()
    }

    /// The text before the cursor in its line.
    pub(super) fn before_in_line(&self) -> &str {
        &self.text[self.line_start()..self.cursor]
    }

    /// The text behind the cursor in its line.
    pub(super) fn after_in_line(&self) -> &str {
        &self.text[self.cursor..self.line_end()]
    }

    /// Inserts at the cursor, up to `most` bytes in total. Line breaks stay, tabs become two spaces, other control
    /// characters one.
    pub(super) fn write(&mut self, words: &str, most: usize) {
        for letter in words.replace('\t', "  ").chars() {
            let letter = if letter.is_control() && letter != '\n' { ' ' } else { letter };
            if self.text.len() + letter.len_utf8() > most {
                break;
            }
            self.text.insert(self.cursor, letter);
            self.cursor += letter.len_utf8();
        }
    }

    /// Replaces the text between `from` and the cursor.
    pub(super) fn replace(&mut self, from: usize, words: &str) {
        self.text.replace_range(from..self.cursor, words);
        self.cursor = from + words.len();
    }

    /// Handles a key that moves the cursor or deletes text, with the usual bindings; `false` for other keys.
    pub(super) fn take(&mut self, key: &KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let word = control || key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Left if word => self.cursor = self.word_before(),
            KeyCode::Right if word => self.cursor = self.word_behind(),
            KeyCode::Char('b') if word && !control => self.cursor = self.word_before(),
            KeyCode::Char('f') if word && !control => self.cursor = self.word_behind(),
            KeyCode::Left => self.cursor = self.letter_before(),
            KeyCode::Right => self.cursor = self.letter_behind(),
            KeyCode::Char('b') if control => self.cursor = self.letter_before(),
            KeyCode::Char('f') if control => self.cursor = self.letter_behind(),
            KeyCode::Home => self.cursor = self.line_start(),
            KeyCode::End => self.cursor = self.line_end(),
            KeyCode::Char('a') if control => self.cursor = self.line_start(),
            KeyCode::Char('e') if control => self.cursor = self.line_end(),
            KeyCode::Backspace if word => self.erase(self.word_before()),
            KeyCode::Backspace => self.erase(self.letter_before()),
            KeyCode::Char('h') if control => self.erase(self.letter_before()),
            KeyCode::Char('w') if control => self.erase(self.word_before()),
            KeyCode::Char('u') if control => self.erase(self.line_start()),
            KeyCode::Char('k') if control => drop(self.text.drain(self.cursor..self.line_end())),
            KeyCode::Delete => drop(self.text.drain(self.cursor..self.letter_behind())),
            KeyCode::Char('d') if control => drop(self.text.drain(self.cursor..self.letter_behind())),
            _ => return false,
        }
        true
    }

    /// Moves to the line above or beneath; `false` if there is none.
    pub(super) fn change_row(&mut self, up: bool) -> bool {
        let column = self.before_in_line().chars().count();
        let start = match up {
            true if self.line_start() == 0 => return false,
            true => self.text[..self.line_start() - 1].rfind('\n').map_or(0, |at| at + 1),
            false if self.line_end() == self.text.len() => return false,
            false => self.line_end() + 1,
        };
        let line = self.text[start..].lines().next().unwrap_or_default();
        self.cursor = start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
        true
    }

    fn line_start(&self) -> usize {
        self.before().rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.after().find('\n').map_or(self.text.len(), |at| self.cursor + at)
    }

    fn erase(&mut self, from: usize) {
        self.replace(from, "");
    }

    fn letter_before(&self) -> usize {
        self.before().char_indices().next_back().map_or(0, |(at, _)| at)
    }

    fn letter_behind(&self) -> usize {
        self.cursor + self.after().chars().next().map_or(0, char::len_utf8)
    }

    fn word_before(&self) -> usize {
        let words = self.before().trim_end_matches(|c| !in_word(c));
        words.trim_end_matches(in_word).len()
    }

    fn word_behind(&self) -> usize {
        let rest = self.after().trim_start_matches(|c| !in_word(c));
        self.text.len() - rest.trim_start_matches(in_word).len()
    }
}

fn in_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Earlier inputs, oldest first, and the position in them.
#[derive(Debug, Default)]
pub(super) struct History {
    lines: Vec<String>,
    back: usize,
    /// The unfinished input when browsing began.
    draft: String,
}

/// Upper limit on the inputs kept.
const MOST_HISTORY: usize = 200;

impl History {
    /// Adds a line, and starts browsing from it.
    pub(super) fn add(&mut self, line: &str) {
        self.back = 0;
        if line.is_empty() || self.lines.last().is_some_and(|last| last == line) {
            return;
        }
        self.lines.push(line.to_owned());
        if self.lines.len() > MOST_HISTORY {
            self.lines.remove(0);
        }
    }

    /// Restarts browsing from the latest.
    pub(super) fn rewind(&mut self) {
        self.back = 0;
    }

    /// The input before or after the one that is shown.
    pub(super) fn look(&mut self, typing: &mut Typing, earlier: bool) {
        let back = if earlier { self.back + 1 } else { self.back.saturating_sub(1) };
        if back == self.back || back > self.lines.len() {
            return;
        }
        if self.back == 0 {
            self.draft = typing.text().to_owned();
        }
        self.back = back;
        *typing = Typing::of(match back {
            0 => &self.draft,
            back => &self.lines[self.lines.len() - back],
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: usize = 1000;

    /// Presses keys: `C-x` with Control, `M-x` with Alt, names of keys, else the letter.
    fn after(text: &str, keys: &str) -> String {
        let mut typing = Typing::of(text);
        for key in keys.split(' ') {
            let (modifiers, key) = match key.split_once('-') {
                Some(("C", key)) => (KeyModifiers::CONTROL, key),
                Some(("M", key)) => (KeyModifiers::ALT, key),
                _ => (KeyModifiers::NONE, key),
            };
            let code = match key {
                "left" => KeyCode::Left,
                "right" => KeyCode::Right,
                "home" => KeyCode::Home,
                "end" => KeyCode::End,
                "back" => KeyCode::Backspace,
                "del" => KeyCode::Delete,
                letter => KeyCode::Char(letter.chars().next().unwrap()),
            };
            if !typing.take(&KeyEvent::new(code, modifiers)) {
                typing.write(key, LONG);
            }
        }
        format!("{}|{}", typing.before(), typing.after())
    }

    #[test]
    fn the_cursor_moves_and_letters_go() {
        let table = [
            ("abc", "left x", "abx|c"),
            ("abc", "home x end y", "xabcy|"),
            ("abc", "C-a right del C-e !", "ac!|"),
            ("room:npc_x(\"a b\")", "C-w", "room:npc_x(\"a |"),
            ("room:npc_x(", "M-back", "room:|"),
            ("one two", "M-b M-b M-f", "one| two"),
            ("one two", "C-left C-k", "one |"),
            ("one two", "C-left C-u", "|two"),
            ("öä", "back", "ö|"),
            ("öä", "left left left ü", "ü|öä"),
            ("öä", "home del right right", "ä|"),
            ("", "back del left right C-w C-u C-k", "|"),
        ];
        for (text, keys, expected) in table {
            assert_eq!(after(text, keys), expected, "{text:?} and {keys}");
        }
    }

    #[test]
    fn a_text_has_an_end_and_no_control_characters_but_line_breaks() {
        let mut typing = Typing::of("ab");
        typing.write("c\u{1b}\nöd", 6);
        assert_eq!(typing.text(), "abc \n");
    }

    #[test]
    fn the_cursor_moves_in_its_line_and_between_lines() {
        assert_eq!(after("one\ntwo", "home x end y"), "one\nxtwoy|");
        assert_eq!(after("one\ntwo", "left C-k C-u"), "one\n|");
        assert_eq!(after("one\ntwo", "home back"), "one|two");
        let mut typing = Typing::of("öne\ntwo\n\nlonger");
        let mut seen = Vec::new();
        for up in [true, true, true, true, false, false] {
            let moved = typing.change_row(up);
            seen.push((moved, typing.row(), typing.before_in_line().to_owned()));
        }
        let expected =
            [(true, 2, ""), (true, 1, ""), (true, 0, ""), (false, 0, ""), (true, 1, ""), (true, 2, "")];
        assert_eq!(seen, expected.map(|(moved, row, before)| (moved, row, before.to_owned())));
        typing.change_row(true);
        typing.take(&KeyEvent::new(KeyCode::End, KeyModifiers::NONE));
        assert!(typing.change_row(true));
        assert_eq!((typing.before_in_line(), typing.after_in_line()), ("öne", ""));
    }

    #[test]
    fn looking_back_keeps_what_was_being_typed() {
        let mut history = History::default();
        ["one", "two", "two"].iter().for_each(|line| history.add(line));
        let mut typing = Typing::of("dra");
        let mut seen = Vec::new();
        for earlier in [true, true, true, false, false, false] {
            history.look(&mut typing, earlier);
            seen.push(typing.text().to_owned());
        }
        assert_eq!(seen, ["two", "one", "one", "two", "dra", "dra"]);
    }
}
