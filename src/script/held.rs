//! Events and messages for characters in scenes, kept until the scene returns them.

use super::Scripts;
use super::fair_share::Share;
use super::host::{Level, Note};
use super::messages::{Letter, Receiver};
use crate::crowd::CharacterId;
use crate::world::EventKind;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum kept for one character.
const MOST_OF_ONE: usize = 1_000;

/// Maximum kept for all characters together.
const MOST_IN_ALL: usize = 10_000;

/// The kept events and messages, in order.
#[derive(Default)]
pub(super) struct Held {
    events: Vec<EventKind>,
    letters: Vec<Letter>,
    /// Number kept for each character.
    counts: BTreeMap<CharacterId, usize>,
    /// Characters whose events or messages exceeded the limit.
    full: BTreeSet<CharacterId>,
}

impl Held {
    /// Restores what was saved.
    pub(super) fn of(events: Vec<EventKind>) -> Self {
        let mut held = Self::default();
        for who in events.iter().filter_map(told) {
            *held.counts.entry(who).or_default() += 1;
        }
        Self { events, ..held }
    }

    pub(super) fn events(&self) -> &[EventKind] {
        &self.events
    }

    pub(super) fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Number of events kept for a character.
    pub(super) fn events_of(&self, who: CharacterId) -> usize {
        self.events.iter().filter(|event| told(event) == Some(who)).count()
    }

    /// Takes out everything for characters that are no longer in a scene.
    fn take(&mut self, is_directed: impl Fn(CharacterId) -> bool) -> (Vec<EventKind>, Vec<Letter>) {
        if self.counts.keys().all(|who| is_directed(*who)) {
            return Default::default();
        }
        self.counts.retain(|who, _| is_directed(*who));
        self.full.retain(|who| is_directed(*who));
        let counts = &self.counts;
        let is_free = |who: Option<CharacterId>| who.is_none_or(|who| !counts.contains_key(&who));
        let events = self.events.extract_if(.., |event| is_free(told(event))).collect();
        (events, self.letters.extract_if(.., |letter| is_free(receiver(letter))).collect())
    }

    /// Whether one more can be kept; if so, counts it.
    fn has_room(&mut self, who: CharacterId) -> bool {
        let in_all = self.events.len() + self.letters.len();
        let count = self.counts.entry(who).or_default();
        let has_room = *count < MOST_OF_ONE && in_all < MOST_IN_ALL;
        *count += usize::from(has_room);
        has_room
    }

    /// Counts what had to wait as kept.
    fn keep_on(&mut self, who: CharacterId) -> &mut Self {
        *self.counts.entry(who).or_default() += 1;
        self
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Scripts {
    /// Keeps an event for a character in a scene, whose script has this handler for it.
    pub(super) fn hold_event(&mut self, who: CharacterId, event: &EventKind, handler: &'static str) {
        if !self.has_handler(who, handler) {
            return;
        }
        let has_room = self.host.mail.held.borrow_mut().has_room(who);
        if has_room {
            self.host.mail.held.borrow_mut().events.push(event.clone());
        } else {
            self.tell_full(who);
        }
    }

    /// Keeps a message for a character in a scene.
    pub(super) fn hold_letter(&mut self, who: CharacterId, letter: Letter) {
        if !self.has_handler(who, "on_message") {
            return;
        }
        let has_room = self.host.mail.held.borrow_mut().has_room(who);
        if has_room {
            self.host.mail.held.borrow_mut().letters.push(letter);
        } else {
            self.tell_full(who);
        }
    }

    /// Delivers what was kept for characters that are no longer in a scene, as far as the tick's budget allows.
    pub(super) fn tell_held(&mut self) {
        let (events, letters) = self.host.mail.held.borrow_mut().take(|who| self.host.is_directed(who));
        for event in events {
            let Some(who) = told(&event) else { continue };
            if self.has_turn(Share::Events) {
                self.tell_or_hold(who, &event);
            } else {
                self.host.mail.held.borrow_mut().keep_on(who).events.push(event);
            }
        }
        for letter in letters {
            match receiver(&letter).filter(|_| !self.has_turn(Share::Events)) {
                Some(who) => self.host.mail.held.borrow_mut().keep_on(who).letters.push(letter),
                None => self.hand_over(letter),
            }
        }
    }

    fn tell_full(&mut self, who: CharacterId) {
        if !self.host.mail.held.borrow_mut().full.insert(who) {
            return;
        }
        let kept = self.host.mail.held.borrow().counts.get(&who).copied().unwrap_or(0);
        let text = format!(
            "{} is in a scene, and {kept} events and messages wait for it until that is over: what comes now is lost",
            self.host.world().name_of(who)
        );
        self.host.note(Note::Log { level: Level::Warn, place: String::new(), text });
    }
}

/// The character whose script gets an event that can be kept.
fn told(event: &EventKind) -> Option<CharacterId> {
    match event {
        EventKind::Talked { with: who, .. }
        | EventKind::Entered(who, _)
        | EventKind::Left(who, _)
        | EventKind::Waypoint { who, .. }
        | EventKind::Stepped { who, .. } => Some(*who),
        _ => None,
    }
}

fn receiver(letter: &Letter) -> Option<CharacterId> {
    match letter.to {
        Receiver::Npc(who) => Some(who),
        Receiver::Room => None,
    }
}
