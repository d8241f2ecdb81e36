//! Lines that come in on standard input.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::sync::mpsc::{Receiver, sync_channel};

/// Lines read on a thread of its own, so that a room goes on while nobody says anything. When the input ends, so does the thread.
pub(super) struct Lines(Receiver<String>);

/// Lines that wait to be taken: whoever pours in a book is held up until they are.
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
        };
        // Without a thread nothing comes in; the room runs all the same.
        std::thread::Builder::new().spawn(read).ok().map(|_| Self(receiver))
    }

    /// The next line, if one has come.
    pub(super) fn next(&self) -> Option<String> {
        self.0.try_recv().ok()
    }
}

/// The next line without its end; `None` when there are no more.
pub(super) fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_BYTES).read_until(b'\n', &mut line).ok().filter(|&count| count > 0)?;
    if line.len() as u64 == LONGEST_BYTES && line.last() != Some(&b'\n') {
        input.skip_until(b'\n').ok()?;
    }
    Some(String::from_utf8_lossy(&line).trim().to_owned())
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
}
