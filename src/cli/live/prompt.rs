//! The input line at the bottom of the screen: a place to go to, Lua, or a filter for a log, with completion.

use super::log::KINDS;
use super::typing::{History, Typing};
use cicerone::script::{Candidate, Completion, KnownNames, complete};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A line being typed, or several of Lua.
#[derive(Debug)]
pub(super) struct Prompt {
    pub(super) asks: Asks,
    pub(super) typing: Typing,
    /// The list of completions, while it is open.
    pub(super) offer: Option<Offer>,
    /// The error in the submitted text, until the next key.
    pub(super) complaint: Option<String>,
    /// Whether a waiting line of Lua can be cancelled.
    pub(super) waits: bool,
}

/// The purpose of an input line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// A place for the player to go to.
    Place,
    /// Lua to be run in the room.
    Lua,
    /// A filter for a log; takes effect while it is typed.
    Filter,
}

/// Completions, and the chosen one.
#[derive(Debug)]
pub(super) struct Offer {
    pub(super) completion: Completion,
    pub(super) chosen: usize,
}

/// The result of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Typing continues.
    Typing,
    /// The line was closed.
    Closed,
    /// Cancel the waiting lines of Lua.
    CallOff,
    /// The line was submitted.
    Done(String),
}

impl Prompt {
    pub(super) fn new(asks: Asks, text: &str) -> Self {
        Self { asks, typing: Typing::of(text), offer: None, complaint: None, waits: false }
    }

    /// Handles a key. `places` and `names` are the candidates for completion.
    pub(super) fn take(
        &mut self,
        key: &KeyEvent,
        history: &mut History,
        places: &[String],
        names: &KnownNames,
    ) -> Outcome {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let empty = self.typing.text().is_empty();
        self.complaint = None;
        if self.offer.is_some() && self.choose(key.code) {
            return Outcome::Typing;
        }
        match key.code {
            KeyCode::Char('c') if control && self.waits => return Outcome::CallOff,
            KeyCode::Esc if self.waits => return Outcome::CallOff,
            KeyCode::Char('c') if control && self.asks == Asks::Lua && !empty => {
                // As in a shell: the text is discarded, the line stays open.
                history.add(self.typing.text());
                self.typing = Typing::default();
            }
            KeyCode::Char('c') if control => return Outcome::Closed,
            KeyCode::Esc => return Outcome::Closed,
            KeyCode::Backspace if empty => return Outcome::Closed,
            KeyCode::Char('d') if control && empty => return Outcome::Closed,
            // The key that opens the console closes it.
            KeyCode::Char('`') if empty && self.asks == Asks::Lua => return Outcome::Closed,
            KeyCode::Enter if alt && self.asks == Asks::Lua => self.break_line(),
            KeyCode::Enter => return Outcome::Done(self.typing.text().trim().to_owned()),
            KeyCode::Up if self.typing.change_row(true) => {}
            KeyCode::Down if self.typing.change_row(false) => {}
            KeyCode::Up => history.look(&mut self.typing, true),
            KeyCode::Down => history.look(&mut self.typing, false),
            KeyCode::Tab if self.asks == Asks::Lua => self.open_offer(names),
            KeyCode::Tab | KeyCode::Right | KeyCode::End if self.ending(places).is_some() => {
                let ending = self.ending(places).unwrap_or_default().to_owned();
                self.typing.write(&ending, self.most());
            }
            _ if self.typing.take(key) => self.renew_offer(names),
            KeyCode::Char(letter) if !control && !alt => {
                self.typing.write(letter.encode_utf8(&mut [0; 4]), self.most());
                self.renew_offer(names);
            }
            _ => {}
        }
        Outcome::Typing
    }

    /// Takes pasted text: all lines for Lua, else the first.
    pub(super) fn paste(&mut self, text: &str) {
        self.offer = None;
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = match self.asks {
            Asks::Place | Asks::Filter => text.lines().next().unwrap_or_default(),
            Asks::Lua => text.trim_end(),
        };
        self.typing.write(text, self.most());
    }

    /// Starts a new line.
    pub(super) fn break_line(&mut self) {
        self.offer = None;
        self.typing.write("\n", self.most());
    }

    /// The rest of the completion: of the place with this beginning, or of the chosen entry of the list.
    pub(super) fn ending<'a>(&'a self, places: &'a [String]) -> Option<&'a str> {
        let typed = self.typing.text();
        if !self.typing.after().is_empty() || typed.is_empty() {
            return None;
        }
        let ending = match (self.asks, &self.offer) {
            (Asks::Lua, offer) => {
                let Offer { completion, chosen } = offer.as_ref()?;
                completion.candidates.get(*chosen)?.text.strip_prefix(&typed[completion.from..])
            }
            (Asks::Place, _) => {
                let mut endings = places.iter().filter_map(|place| place.strip_prefix(typed));
                endings.find(|ending| !ending.is_empty())
            }
            (Asks::Filter, _) => {
                let word = typed.rsplit(' ').next().filter(|word| !word.is_empty())?;
                let known = KINDS.into_iter().chain(places.iter().map(String::as_str));
                known.filter_map(|name| name.strip_prefix(word)).find(|ending| !ending.is_empty())
            }
        };
        ending.filter(|ending| !ending.is_empty())
    }

    /// A key while the list is open; `false` if it is not for the list.
    fn choose(&mut self, code: KeyCode) -> bool {
        let Some(offer) = &mut self.offer else { return false };
        let count = offer.completion.candidates.len().max(1);
        match code {
            KeyCode::Tab | KeyCode::Down => offer.chosen = (offer.chosen + 1) % count,
            KeyCode::BackTab | KeyCode::Up => offer.chosen = (offer.chosen + count - 1) % count,
            KeyCode::Esc => self.offer = None,
            KeyCode::Enter | KeyCode::Right => {
                let from = offer.completion.from;
                if let Some(Candidate { text, .. }) = offer.completion.candidates.get(offer.chosen) {
                    self.typing.replace(from, text);
                }
                self.offer = None;
            }
            _ => return false,
        }
        true
    }

    /// Writes the common prefix of all completions, and lists them if there are several.
    fn open_offer(&mut self, names: &KnownNames) {
        let completion = complete(self.typing.before(), names);
        let from = completion.from;
        if !completion.candidates.is_empty() {
            self.typing.replace(from, completion.common_prefix());
        }
        if completion.candidates.len() > 1 {
            self.offer = Some(Offer { completion, chosen: 0 });
        }
    }

    /// Updates the open list to the text.
    fn renew_offer(&mut self, names: &KnownNames) {
        let Some(offer) = self.offer.take() else { return };
        let completion = complete(self.typing.before(), names);
        let typed = &self.typing.before()[completion.from..];
        let done = completion.candidates.iter().all(|candidate| candidate.text == typed);
        if completion.from == offer.completion.from && !done {
            self.offer = Some(Offer { completion, chosen: 0 });
        }
    }

    /// Longest text, in bytes.
    fn most(&self) -> usize {
        match self.asks {
            Asks::Place | Asks::Filter => 120,
            // More than the console accepts, so that it reports an error instead of a paste being cut silently.
            Asks::Lua => 12_000,
        }
    }
}
