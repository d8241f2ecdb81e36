//! What waits to be sent to a page. The room leaves messages here and never waits.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tungstenite::Message;

/// The most bytes of letters that wait. A page that is further behind is told so, and asks for everything again.
const MOST_WAITING_BYTES: usize = 16 << 20;

/// Kinds of messages of which only the newest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::inspector) enum Slot {
    /// The room at rest.
    Scene,
    /// All characters by name.
    People,
    /// Time and numbers.
    State,
    /// What characters say.
    Speech,
    /// The looked-at character.
    Inspection,
    /// All errors.
    Errors,
    /// Results of specs.
    Specs,
    /// Where in time the page is.
    Past,
    /// Another future.
    WhatIf,
    /// Remaining paths.
    Paths,
    /// What characters look at.
    Views,
    /// Places of characters.
    Frame,
}

/// The messages for one page.
#[derive(Default)]
pub(in crate::inspector) struct Mailbox(Mutex<Mail>);

#[derive(Default)]
struct Mail {
    /// All of these are sent, in order.
    letters: VecDeque<Message>,
    waiting_bytes: usize,
    /// Of these only the newest.
    newest: BTreeMap<Slot, Message>,
    is_closed: bool,
}

impl Mailbox {
    /// Leaves a message that must arrive, behind those before it.
    pub(in crate::inspector) fn post(&self, text: impl Into<Message>) {
        let (text, mut mail) = (text.into(), self.mail());
        mail.waiting_bytes += text.len();
        mail.letters.push_back(text);
        if mail.waiting_bytes > MOST_WAITING_BYTES && mail.letters.len() > 1 {
            let lost = Message::from(r#"{"kind":"lost"}"#);
            (mail.waiting_bytes, mail.letters) = (lost.len(), VecDeque::from([lost]));
        }
    }

    /// Leaves a message in place of the one before it of the same kind.
    pub(in crate::inspector) fn put(&self, slot: Slot, message: impl Into<Message>) {
        self.mail().newest.insert(slot, message.into());
    }

    /// Ends the connection, after what waits.
    pub(in crate::inspector) fn close(&self) {
        self.mail().is_closed = true;
    }

    pub(super) fn is_closed(&self) -> bool {
        self.mail().is_closed
    }

    /// The next message to send.
    pub(super) fn take(&self) -> Option<Message> {
        let mut mail = self.mail();
        // A letter may speak of something in a scene or of a person, so those go first.
        let first = mail.newest.first_key_value().map(|(slot, _)| *slot).filter(|slot| *slot <= Slot::People);
        if let Some(slot) = first {
            return mail.newest.remove(&slot);
        }
        if let Some(letter) = mail.letters.pop_front() {
            mail.waiting_bytes -= letter.len();
            return Some(letter);
        }
        mail.newest.pop_first().map(|(_, message)| message)
    }

    fn mail(&self) -> MutexGuard<'_, Mail> {
        // The lock is held for assignments only, so what is behind it is whole even if a thread panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_WAITING_BYTES, Mailbox, Slot};

    fn all(mailbox: &Mailbox) -> Vec<String> {
        std::iter::from_fn(|| mailbox.take()).map(|message| message.to_text().unwrap().to_owned()).collect()
    }

    #[test]
    fn letters_keep_their_order_and_slots_the_newest() {
        let mailbox = Mailbox::default();
        mailbox.post("a");
        mailbox.put(Slot::Frame, "old frame");
        mailbox.put(Slot::Scene, "scene");
        mailbox.put(Slot::Frame, "frame");
        mailbox.post("b");
        assert_eq!(all(&mailbox), ["scene", "a", "b", "frame"]);
    }

    #[test]
    fn who_is_too_far_behind_is_told() {
        let mailbox = Mailbox::default();
        let long = "x".repeat(MOST_WAITING_BYTES / 4);
        (0..6).for_each(|_| mailbox.post(long.as_str()));
        mailbox.post("new");
        let taken = all(&mailbox);
        assert_eq!(taken[0], r#"{"kind":"lost"}"#);
        assert_eq!(taken.last().unwrap(), "new");
        assert!(taken.len() < 5);
    }

    #[test]
    fn one_long_message_is_not_lost() {
        let mailbox = Mailbox::default();
        mailbox.post("x".repeat(MOST_WAITING_BYTES + 1));
        assert_eq!(all(&mailbox).len(), 1);
    }
}
