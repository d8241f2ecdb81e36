//! Lines from standard input.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::sync::mpsc::{Receiver, sync_channel};

/// Lines read on a separate thread, so that a room runs on while there is no input. The thread ends with the input.
pub(super) struct Lines(Receiver<String>);

/// Upper limit on the lines in the queue; a faster writer is blocked until they are taken.
const WAITING: usize = 64;

/// Longer lines are cut here; the console refuses them.
const LONGEST_BYTES: u64 = 20_000;

impl Lines {
    /// The lines of standard input, unless it is a terminal, where a prompt would be needed.
    pub(super) fn incoming() -> Option<Self> {
        if std::io::stdin().is_terminal() {
            return None;
        }
        let (sender, receiver) = sync_channel(WAITING);
        let read = move || {
            let mut input = BufReader::new(std::io::stdin());
            while next_line(&mut input).is_some_and(|line| sender.send(line).is_ok()) {}
            // The end of input ends an unfinished text, as an empty line does.
            let _ = sender.send(String::new());
        };
        // Without a thread there is no input; the room runs all the same.
        std::thread::Builder::new().spawn(read).ok().map(|_| Self(receiver))
    }

    /// The next line, if there is one.
    pub(super) fn next(&self) -> Option<String> {
        self.0.try_recv().ok()
    }
}

/// Lua that comes line by line, joined until it is finished.
#[derive(Default)]
pub(super) struct Joined(String);

impl Joined {
    /// Adds a line; returns the whole text if it is complete.
    pub(super) fn take(&mut self, line: &str, is_unfinished: impl Fn(&str) -> bool) -> Option<String> {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(line);
        if is_unfinished(&self.0) { None } else { self.end() }
    }

    /// The text so far, complete or not; `None` if there is none.
    pub(super) fn end(&mut self) -> Option<String> {
        Some(std::mem::take(&mut self.0)).filter(|text| !text.trim().is_empty())
    }
}

/// The next line without its line ending; `None` at the end.
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
