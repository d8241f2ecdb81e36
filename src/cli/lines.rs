//! Lines that come in on standard input.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::sync::mpsc::{Receiver, sync_channel};

/// Lines read on a thread of its own, so that a room goes on while nobody says anything. When the input ends, so does the thread.
pub(super) struct Lines(Receiver<String>);

/// Lines that wait to be taken: a writer that pours in a book is held up until they are.
const WAITING: usize = 64;

/// Longer lines are cut here; the console refuses them.
const LONGEST_BYTES: u64 = 20_000;

impl Lines {
    /// Those of standard input, unless that is a terminal: there, somebody would have to be told that they may type.
    pub(super) fn incoming() -> Option<Self> {
        if std::io::stdin().is_terminal() {
            return None;
        }
        let (sender, receiver) = sync_channel(WAITING);
        let read = move || {
            let mut input = BufReader::new(std::io::stdin());
            while next_line(&mut input).is_some_and(|line| sender.send(line).is_ok()) {}
            // What is not finished by now never will be.
            let _ = sender.send(String::new());
        };
        // Without a thread nothing comes in; the room runs all the same.
        std::thread::Builder::new().spawn(read).ok().map(|_| Self(receiver))
    }

    /// The next line, if one has come.
    pub(super) fn next(&self) -> Option<String> {
        self.0.try_recv().ok()
    }
}

/// Lua that comes line by line, joined until it is finished.
#[derive(Default)]
pub(super) struct Joined(String);

impl Joined {
    /// Takes a line; gives the text that ends with it, unless it goes on.
    pub(super) fn take(&mut self, line: &str, is_unfinished: impl Fn(&str) -> bool) -> Option<String> {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(line);
        if is_unfinished(&self.0) { None } else { self.end() }
    }

    /// What was begun, finished or not; `None` if there is nothing.
    pub(super) fn end(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.0)).filter(|text| !text.trim().is_empty())
    }
}

/// The next line without its end; `None` when there are no more.
pub(super) fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_BYTES).read_until(b'\n', &mut line).ok().filter(|&count| count > 0)?;
    if line.len() as u64 == LONGEST_BYTES && line.last() != Some(&b'\n') {
        input.skip_until(b'\n').ok()?;
    }
    Some(String::from_utf8_lossy(&line).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_one_by_one_and_long_ones_cut() {
        let text = format!("one\r\n\n{}\nlast", "x".repeat(50_000));
        let mut input = text.as_bytes();
        let lengths: Vec<usize> =
            std::iter::from_fn(|| next_line(&mut input)).map(|line| line.len()).collect();
        assert_eq!(lengths, [3, 0, 20_000, 4]);
    }

    #[test]
    fn lines_are_joined_until_they_are_finished() {
        let unfinished = |text: &str| text.matches('(').count() > text.matches(')').count();
        let mut joined = Joined::default();
        let mut take = |line: &str| joined.take(line, unfinished);
        assert_eq!(take("one"), Some("one".into()));
        assert_eq!(take(""), None);
        assert_eq!([take("f("), take(""), take("  2")], [None, None, None]);
        assert_eq!(take(")"), Some("f(\n\n  2\n)".into()));
        assert_eq!(take("g("), None);
        assert_eq!((joined.end(), joined.end()), (Some("g(".into()), None));
    }
}
