//! The line that is open at the bottom of the screen: a place to go to, or Lua, with what completes it.

use super::typing::{History, Typing};
use cicerone::script::{Candidate, Completion, Names, complete};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A line being typed.
#[derive(Debug)]
pub(super) struct Prompt {
    pub(super) asks: Asks,
    pub(super) typing: Typing,
    /// What may be meant, while a list of it is open.
    pub(super) offer: Option<Offer>,
}

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// A place the player goes to.
    Place,
    /// Lua to be run in the room.
    Lua,
}

/// What may be meant, and which of it is chosen.
#[derive(Debug)]
pub(super) struct Offer {
    pub(super) completion: Completion,
    pub(super) chosen: usize,
}

/// What became of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The line goes on.
    Typing,
    /// It was closed.
    Closed,
    /// It is done.
    Done(String),
}

impl Prompt {
    pub(super) fn new(asks: Asks, text: &str) -> Self {
        Self { asks, typing: Typing::of(text), offer: None }
    }

    /// Takes a key. `places` and `names` are what can be completed.
    pub(super) fn take(
        &mut self,
        key: &KeyEvent,
        history: &mut History,
        places: &[String],
        names: &Names,
    ) -> Outcome {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let empty = self.typing.text().is_empty();
        if self.offer.is_some() && self.choose(key.code) {
            return Outcome::Typing;
        }
        match key.code {
            KeyCode::Char('c') if control => return Outcome::Closed,
            KeyCode::Esc => return Outcome::Closed,
            KeyCode::Backspace if empty => return Outcome::Closed,
            KeyCode::Char('d') if control && empty => return Outcome::Closed,
            // The key that opens the console closes it.
            KeyCode::Char('`') if empty && self.asks == Asks::Lua => return Outcome::Closed,
            KeyCode::Enter => return Outcome::Done(self.typing.text().trim().to_owned()),
            KeyCode::Up => history.look(&mut self.typing, true),
            KeyCode::Down => history.look(&mut self.typing, false),
            KeyCode::Tab if self.asks == Asks::Lua => self.open_offer(names),
            KeyCode::Tab | KeyCode::Right | KeyCode::End if self.ending(places).is_some() => {
                let ending = self.ending(places).unwrap_or_default().to_owned();
                self.typing.write(&ending, self.most());
            }
            _ if self.typing.take(key) => self.renew_offer(names),
            KeyCode::Char(letter) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
                self.typing.write(letter.encode_utf8(&mut [0; 4]), self.most());
                self.renew_offer(names);
            }
            _ => {}
        }
        Outcome::Typing
    }

    /// Takes what was pasted: of a place its first line, of Lua all lines, as one.
    pub(super) fn paste(&mut self, text: &str) {
        self.offer = None;
        let text = match self.asks {
            Asks::Place => text.lines().next().unwrap_or_default(),
            Asks::Lua => text,
        };
        self.typing.write(&text.trim_end().replace("\r\n", "\n"), self.most());
    }

    /// What is missing of what is meant: of the place that begins so, or of what is chosen in the list.
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
        };
        ending.filter(|ending| !ending.is_empty())
    }

    /// A key while the list is open; false if it is not about the list.
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

    /// Writes what all that may be meant have in common, and lists them if they are several.
    fn open_offer(&mut self, names: &Names) {
        let completion = complete(self.typing.before(), names);
        let from = completion.from;
        if !completion.candidates.is_empty() {
            self.typing.replace(from, completion.common_prefix());
        }
        if completion.candidates.len() > 1 {
            self.offer = Some(Offer { completion, chosen: 0 });
        }
    }

    /// Keeps the list that is open in step with what is typed.
    fn renew_offer(&mut self, names: &Names) {
        let Some(offer) = self.offer.take() else { return };
        let completion = complete(self.typing.before(), names);
        let typed = &self.typing.before()[completion.from..];
        let done = completion.candidates.iter().all(|candidate| candidate.text == typed);
        if completion.from == offer.completion.from && !done {
            self.offer = Some(Offer { completion, chosen: 0 });
        }
    }

    /// Longest line, in bytes.
    fn most(&self) -> usize {
        match self.asks {
            Asks::Place => 120,
            Asks::Lua => 4000,
        }
    }
}
