//! The scrollback: all lines told while the room ran, and filters for them.

use super::text::{Line, Tone};
use std::collections::VecDeque;

/// Upper limit on the lines kept. Beyond it, events are dropped first: lines of scripts and users are rarer and worth
/// more.
const MOST_ENTRIES: usize = 20_000;

/// A line with its serial number and its time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) number: u64,
    /// Game time.
    pub(super) time_s: f64,
    /// May contain line breaks.
    pub(super) line: Line,
}

/// Lines in the order of their arrival.
#[derive(Debug, Default)]
pub(super) struct Log {
    entries: VecDeque<Entry>,
    next: u64,
}

impl Log {
    /// An empty log.
    pub(super) const fn new() -> Self {
        Self { entries: VecDeque::new(), next: 0 }
    }

    pub(super) fn add(&mut self, time_s: f64, line: Line) {
        if self.entries.len() >= MOST_ENTRIES {
            self.thin_out();
        }
        self.entries.push_back(Entry { number: self.next, time_s, line });
        self.next += 1;
    }

    /// Drops the events of the older half; if there are too few of them, the whole older half.
    fn thin_out(&mut self) {
        let half = self.entries.len() / 2;
        let newer = self.entries.split_off(half);
        self.entries.retain(|entry| entry.line.tone != Tone::Plain);
        if self.entries.len() > MOST_ENTRIES / 4 {
            self.entries.drain(..self.entries.len() - MOST_ENTRIES / 4);
        }
        self.entries.extend(newer);
    }

    /// The lines up to this one, or all; the latest last.
    pub(super) fn up_to(&self, last: Option<u64>) -> impl DoubleEndedIterator<Item = &Entry> {
        let end = last.map_or(self.entries.len(), |last| self.behind(last));
        self.entries.range(..end)
    }

    /// The lines after this one.
    pub(super) fn after(&self, number: u64) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.range(self.behind(number)..)
    }

    fn behind(&self, number: u64) -> usize {
        self.entries.partition_point(|entry| entry.number <= number)
    }

    /// The line `by` lines further down (up, if negative) among those that pass the filter; `None` if that is the
    /// latest.
    pub(super) fn step(&self, from: u64, by: isize, filter: &Filter) -> Option<u64> {
        let through = |entry: &&Entry| filter.lets_through(&entry.line);
        let numbers = |entry: &Entry| entry.number;
        if by <= 0 {
            let above = self.up_to(Some(from)).rev().filter(through);
            return above.take(by.unsigned_abs() + 1).last().map(numbers).or(Some(from));
        }
        let mut below = self.after(from).filter(through);
        let reached = below.by_ref().take(by.unsigned_abs()).last().map(numbers);
        below.next().and(reached)
    }

    /// The oldest line that passes the filter.
    pub(super) fn oldest(&self, filter: &Filter) -> Option<u64> {
        self.entries.iter().find(|entry| filter.lets_through(&entry.line)).map(|entry| entry.number)
    }
}

/// Kinds of lines, as filters name them.
pub(super) const KINDS: [&str; 7] = ["said", "event", "log", "warning", "error", "reload", "lua"];

fn is_of_kind(tone: Tone, kind: &str) -> bool {
    match kind {
        "said" => tone == Tone::Said,
        "event" => tone == Tone::Plain,
        "log" => matches!(tone, Tone::Quiet | Tone::Warning),
        "warning" => tone == Tone::Warning,
        "error" => tone == Tone::Bad,
        "reload" => tone == Tone::Good,
        _ => matches!(tone, Tone::Typed | Tone::Answer),
    }
}

/// A filter: lines of one of the kinds, about one of the characters, that contain all other words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Filter {
    kinds: Vec<&'static str>,
    names: Vec<String>,
    words: Vec<String>,
}

impl Filter {
    /// Reads kinds (`error`, `errors`), names of characters, and other words.
    pub(super) fn of(text: &str, is_name: impl Fn(&str) -> bool) -> Self {
        let mut filter = Self::default();
        for word in text.split_whitespace() {
            let small = word.to_lowercase();
            let kind = KINDS
                .into_iter()
                .find(|&kind| small.strip_prefix(kind).is_some_and(|s| s.is_empty() || s == "s"));
            match kind {
                _ if is_name(word) => filter.names.push(small),
                Some(kind) => filter.kinds.push(kind),
                None => filter.words.push(small),
            }
        }
        filter
    }

    pub(super) fn lets_through(&self, line: &Line) -> bool {
        if !self.kinds.is_empty() && !self.kinds.iter().any(|kind| is_of_kind(line.tone, kind)) {
            return false;
        }
        if self.names.is_empty() && self.words.is_empty() {
            return true;
        }
        let text = line.text.to_lowercase();
        let named = self.names.is_empty() || self.names.iter().any(|name| has_word(&text, name));
        named && self.words.iter().all(|word| text.contains(word))
    }
}

/// Whether a text contains a name as a whole word: `guest_1` is not in `guest_10`.
fn has_word(text: &str, word: &str) -> bool {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(in_word) && !after.is_some_and(in_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(tone: Tone, text: &str) -> Line {
        Line { tone, text: text.to_owned() }
    }

    fn through(filter: &str) -> Vec<&'static str> {
        let lines = [
            (Tone::Plain, "guest_1: arrived"),
            (Tone::Plain, "guest_10: blocked"),
            (Tone::Said, "guest_1: “An ale!”"),
            (Tone::Quiet, "scripts/bar.lua:3: served guest_1"),
            (Tone::Warning, "scripts/bar.lua:9: warning: no ale"),
            (Tone::Bad, "script error: scripts/guest.lua:2: no (on_talk of guest_10, tick 3)"),
            (Tone::Good, "reloaded scripts/guest.lua"),
        ];
        let filter = Filter::of(filter, |word| word.starts_with("guest_"));
        let passed = lines.into_iter().filter(|(tone, text)| filter.lets_through(&line(*tone, text)));
        passed.map(|(_, text)| text.split_once(':').map_or(text, |(first, _)| first)).collect()
    }

    #[test]
    fn lines_are_picked_by_name_and_by_kind() {
        assert_eq!(through("").len(), 7);
        assert_eq!(through("guest_1"), ["guest_1", "guest_1", "scripts/bar.lua"], "and not guest_10");
        assert_eq!(through("guest_1 said"), ["guest_1"]);
        assert_eq!(through("errors reload"), ["script error", "reloaded scripts/guest.lua"]);
        assert_eq!(through("log"), ["scripts/bar.lua", "scripts/bar.lua"]);
        assert_eq!(through("guest_1 guest_10 events"), ["guest_1", "guest_10"]);
        assert_eq!(through("NO ale"), ["scripts/bar.lua"]);
    }

    #[test]
    fn of_many_lines_events_are_forgotten_first() {
        let mut log = Log::default();
        log.add(0.0, line(Tone::Bad, "the error"));
        (0..3 * MOST_ENTRIES).for_each(|i| log.add(1.0, line(Tone::Plain, &i.to_string())));
        assert!(log.up_to(None).count() <= MOST_ENTRIES);
        assert_eq!(log.up_to(None).next().map(|entry| &*entry.line.text), Some("the error"));
        (0..2 * MOST_ENTRIES).for_each(|i| log.add(1.0, line(Tone::Quiet, &i.to_string())));
        assert!(log.up_to(None).count() <= MOST_ENTRIES, "and there is an end to everything");
    }

    #[test]
    fn one_steps_from_line_to_line() {
        let mut log = Log::default();
        for i in 0..10 {
            log.add(0.0, line(if i % 2 == 0 { Tone::Plain } else { Tone::Bad }, "x"));
        }
        let errors = Filter::of("error", |_| false);
        assert_eq!(log.step(9, -2, &errors), Some(5));
        assert_eq!(log.step(3, -20, &errors), Some(1));
        assert_eq!(log.step(1, 2, &errors), Some(5));
        assert_eq!((log.step(1, 4, &errors), log.step(1, 40, &errors)), (None, None), "at the latest");
        assert_eq!(log.oldest(&errors), Some(1));
    }
}
