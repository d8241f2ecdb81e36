//! Every error of a run, once, with its count. Errors survive a reload and going back in time.

use super::log::Log;
use super::text::{Line, Tone};
use crate::cli::session::in_words;
use cicerone::draw::clean;
use cicerone::problem::{Problem, foremost};
use cicerone::runtime::RuntimeEvent;
use cicerone::script::{Level, Note, ScriptError, SwitchedOff};
use std::collections::BTreeMap;

/// Upper limit on the different errors that are kept, so that a script with ever-changing messages does not fill the
/// memory.
const MOST_FAULTS: usize = 1000;
/// Upper limit on the problems of refused files in the list, which is rebuilt for every frame.
const MOST_REFUSED: usize = 100;
/// Upper limit on the characters named whose handler is off for the same reason.
const MOST_NAMES: usize = 4;

/// All errors of a run.
#[derive(Debug, Default)]
pub(super) struct Errors {
    faults: Vec<Fault>,
    /// The index of each error by place and message.
    known: BTreeMap<(String, u32, String), usize>,
    /// The number of errors when the list was last viewed.
    looked_at: usize,
    /// The number of errors beyond the limit.
    beyond: u64,
}

#[derive(Debug)]
struct Fault {
    note: Note,
    time_s: f64,
    /// The count before the scripts forgot it, as they do when their file is reloaded.
    before: u64,
    /// The count since then.
    since: u64,
}

impl Errors {
    /// Adds a note if it is an error.
    pub(super) fn take(&mut self, note: &Note, time_s: f64) {
        let key = match note {
            Note::Error(error) => key_of(error),
            Note::Log { level: Level::Error, place, text } => (place.clone(), 0, text.clone()),
            _ => return,
        };
        if let Some(&at) = self.known.get(&key) {
            let fault = &mut self.faults[at];
            // Scripts repeat an error only after they forgot it; a log line is repeated each time.
            fault.before += fault.since;
            fault.since = 1;
        } else if self.faults.len() < MOST_FAULTS {
            self.known.insert(key, self.faults.len());
            self.faults.push(Fault { note: note.clone(), time_s, before: 0, since: 1 });
        } else {
            self.beyond += 1;
        }
    }

    /// Takes over the current counts of script errors.
    pub(super) fn count<'a>(&mut self, errors: impl Iterator<Item = &'a ScriptError>) {
        for error in errors {
            if let Some(&at) = self.known.get(&key_of(error)) {
                self.faults[at].since = error.count;
            }
        }
    }

    /// The number of different errors, and of those added since the list was last viewed.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.faults.len(), self.faults.len() - self.looked_at.min(self.faults.len()))
    }

    /// Marks all errors as viewed.
    pub(super) fn look_at(&mut self) {
        self.looked_at = self.faults.len();
    }

    /// The list to show: all errors in order of appearance, then the current state.
    pub(super) fn list(&self, off: &[SwitchedOff], refused: &[Problem], now_s: f64) -> Log {
        let mut list = Log::new();
        for fault in &self.faults {
            list.add(fault.time_s, Line { tone: Tone::Bad, text: fault.in_words() });
        }
        let mut add = |tone, text| list.add(now_s, Line { tone, text });
        if self.beyond > 0 {
            add(Tone::Bad, format!("and {} more that say something else each time", self.beyond));
        }
        in_groups(off).into_iter().for_each(|text| add(Tone::Warning, text));
        let (shown, left_out) = foremost(refused, MOST_REFUSED);
        for problem in shown {
            add(Tone::Bad, format!("refused, the last good version runs on: {problem}"));
        }
        if left_out > 0 {
            add(Tone::Bad, format!("… and {left_out} more problems of what was refused"));
        }
        if self.faults.is_empty() && off.is_empty() && refused.is_empty() {
            add(Tone::Quiet, "No errors so far.".to_owned());
        }
        list
    }

    /// The lines to print when the run is over; empty without errors.
    pub(super) fn in_words(&self, refused: &[Problem]) -> Vec<String> {
        let mut lines = Vec::new();
        let count = self.faults.len();
        if count > 0 {
            lines.push(format!("{count} {} in this run:", if count == 1 { "error" } else { "errors" }));
        }
        lines.extend(self.faults.iter().map(Fault::in_words));
        if self.beyond > 0 {
            lines.push(format!("and {} more that say something else each time", self.beyond));
        }
        let (shown, left_out) = foremost(refused, MOST_REFUSED);
        lines.extend(shown.into_iter().map(|problem| format!("refused, and not mended: {problem}")));
        if left_out > 0 {
            lines.push(format!("… and {left_out} more problems of what was refused"));
        }
        lines
    }
}

impl Fault {
    fn in_words(&self) -> String {
        let count = self.before + self.since;
        match &self.note {
            Note::Error(error) => {
                let mut error = error.clone();
                error.count = count;
                in_words(&RuntimeEvent::Note(Note::Error(error)))
            }
            note if count > 1 => format!("{} ({count} times)", in_words(&RuntimeEvent::Note(note.clone()))),
            note => in_words(&RuntimeEvent::Note(note.clone())),
        }
    }
}

fn key_of(error: &ScriptError) -> (String, u32, String) {
    (error.file.clone(), error.line, error.message.clone())
}

/// The handlers that are off, grouped by reason.
fn in_groups(off: &[SwitchedOff]) -> Vec<String> {
    let mut groups: BTreeMap<(String, &str), Vec<&str>> = BTreeMap::new();
    for handler in off {
        groups.entry((off_in_words(handler), &handler.why)).or_default().push(&handler.who);
    }
    let told = groups.into_iter().map(|((what, why), names)| {
        let more = names.len().saturating_sub(MOST_NAMES);
        let mut who = names[..names.len() - more].join(", ");
        if more > 0 {
            who = format!("{who} and {more} more");
        }
        format!("! {}: {what}: {why}", clean(&who))
    });
    told.collect()
}

/// The consequence of a handler that is off.
pub(super) fn off_in_words(off: &SwitchedOff) -> String {
    match off.event.as_str() {
        "run" => format!("run has ended until {} is saved", off.file),
        event => format!("{event} is off until the next save"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(message: &str, count: u64) -> ScriptError {
        let mut error = ScriptError::default();
        (error.file, error.line) = ("scripts/a.lua".into(), 3);
        error.message = message.into();
        (error.who, error.event) = ("ann".into(), "on_talk".into());
        (error.tick, error.count) = (9, count);
        error
    }

    #[test]
    fn an_error_is_counted_on_across_reloads() {
        let mut errors = Errors::default();
        errors.take(&Note::Error(error("no", 1)), 0.5);
        errors.count([error("no", 7)].iter());
        errors.look_at();
        // A reload forgot it; it came back, with another error.
        errors.take(&Note::Error(error("no", 1)), 2.0);
        errors.take(&Note::Error(error("none", 1)), 2.0);
        errors.count([error("no", 2), error("none", 1)].iter());
        assert_eq!(errors.counts(), (2, 1));
        let words = errors.in_words(&[]);
        assert_eq!(words[0], "2 errors in this run:");
        assert_eq!(words[1], "script error: scripts/a.lua:3: no (on_talk of ann, tick 9, 9 times)");
        assert_eq!(words[2], "script error: scripts/a.lua:3: none (on_talk of ann, tick 9)");
    }

    #[test]
    fn of_a_thousand_problems_the_first_are_told() {
        let source = cicerone::problem::Source::new("rooms/a.json", "x");
        let refused: Vec<Problem> = (0..1000).map(|i| source.problem(0..1, format!("no {i}"))).collect();
        let errors = Errors::default();
        assert_eq!(errors.list(&[], &refused, 0.0).up_to(None).count(), MOST_REFUSED + 1);
        let words = errors.in_words(&refused);
        assert_eq!(words.last().map(String::as_str), Some("… and 900 more problems of what was refused"));
    }

    #[test]
    fn those_who_are_off_for_the_same_reason_are_told_together() {
        let off = |name: &str, event: &str| {
            let mut off = SwitchedOff::default();
            (off.who, off.event) = (name.into(), event.into());
            (off.file, off.why) = ("scripts/a.lua".into(), "scripts/a.lua:3: no".into());
            off.tick = 9;
            off
        };
        let all: Vec<_> = (1..=6).map(|i| off(&format!("guest_{i}"), "on_talk")).collect();
        let told = in_groups(&[&all[..], &[off("ann", "run")]].concat());
        assert_eq!(
            told,
            [
                "! guest_1, guest_2, guest_3, guest_4 and 2 more: on_talk is off until the next save: scripts/a.lua:3: no",
                "! ann: run has ended until scripts/a.lua is saved: scripts/a.lua:3: no"
            ]
        );
    }
}
