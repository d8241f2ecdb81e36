//! Fair turns when all scripts together have more to do than a tick allows.
//!
//! A tick's budget goes to events and messages first, then to timers, sequences and updates, each kind up to
//! its share. Work without budget waits for the next tick and comes first there: events, messages and timers
//! in order of arrival, sequences and updates where the last tick left off. So nothing starves, and every run
//! takes the same turns.

use super::Scripts;
use super::host::{Level, Note};
use super::messages::Letter;
use super::owner::{Owner, TaskId};
use crate::crowd::CharacterId;
use crate::world::{Event, EventKind};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::VecDeque;

/// Quarters of the budget up to which a kind of work may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    Events = 1,
    Timers = 2,
    Sequences = 3,
    Updates = 4,
}

/// Maximum of postponed items: beyond it, the oldest are delivered anyway, and the tick takes as long as it
/// takes.
const MOST_LATE: usize = 10_000;

/// The turns of one room.
#[derive(Default)]
pub(super) struct Turns {
    /// Instructions spent in this tick.
    spent: Cell<u64>,
    /// Whether work of each kind has begun in this tick.
    begun: [bool; 4],
    late_events: Vec<EventKind>,
    /// The sequence, and the character, at which the next tick begins.
    next_task: Option<(Owner, TaskId)>,
    next_update: Option<CharacterId>,
    /// Whether anything waits in this tick.
    waits: bool,
    /// Ticks in which something waited.
    ticks: u64,
    told: bool,
}

/// The saved state of turns.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(super) struct KeptTurns {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    late_events: Vec<EventKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_update: Option<CharacterId>,
    ticks: u64,
}

impl KeptTurns {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Turns {
    pub(super) fn begin_tick(&mut self) {
        self.spent.set(0);
        self.begun = [false; 4];
        self.waits = false;
    }

    pub(super) fn spend(&self, fuel: u64) {
        self.spent.set(self.spent.get().saturating_add(fuel));
    }

    pub(super) fn keep(&self) -> KeptTurns {
        let (late_events, next_update) = (self.late_events.clone(), self.next_update);
        KeptTurns { late_events, next_update, ticks: self.ticks }
    }

    /// Restores the saved state; messages are restored with the other undelivered ones.
    pub(super) fn of(kept: &KeptTurns) -> Self {
        let (late_events, next_update) = (kept.late_events.clone(), kept.next_update);
        Self { late_events, next_update, ticks: kept.ticks, ..Self::default() }
    }
}

impl Scripts {
    /// Number of ticks in which scripts together had more to do than the budget allows, and whether the last
    /// tick was one of them.
    pub(crate) fn crowded_ticks(&self) -> (u64, bool) {
        (self.turns.ticks, self.turns.waits)
    }

    /// Whether work of a kind may still start in this tick. If not, some work waits, which is logged once.
    pub(super) fn has_turn(&mut self, share: Share) -> bool {
        let limit = self.limits().all;
        // The first of its kind always starts, however expensive the others are, so none waits for ever.
        let is_first = !std::mem::replace(&mut self.turns.begun[share as usize - 1], true);
        if is_first || self.turns.spent.get() < limit / 4 * share as u64 {
            return true;
        }
        if !std::mem::replace(&mut self.turns.waits, true) {
            self.turns.ticks += 1;
        }
        if !std::mem::replace(&mut self.turns.told, true) {
            let text = format!(
                "all scripts together have more to do than the {limit} instructions of a tick; they take turns"
            );
            self.host.note(Note::Log { level: Level::Warn, place: String::new(), text });
        }
        false
    }

    /// Delivers events to scripts: postponed ones first, then new ones.
    pub(super) fn deliver_in_turn(&mut self, events: &[Event]) {
        let late = std::mem::take(&mut self.turns.late_events);
        let mut waiting = VecDeque::new();
        for kind in late.iter().chain(events.iter().map(|event| &event.kind)) {
            if waiting.is_empty() && self.has_turn(Share::Events) {
                self.deliver(kind);
                continue;
            }
            waiting.push_back(kind.clone());
            if waiting.len() > MOST_LATE
                && let Some(oldest) = waiting.pop_front()
            {
                self.deliver(&oldest);
            }
        }
        self.turns.late_events = waiting.into();
    }

    /// Delivers messages: postponed ones first, then new ones.
    pub(super) fn hand_over_in_turn(&mut self, letters: Vec<Letter>) {
        self.host.late_letters.borrow_mut().extend(letters);
        let (mut left, mut has_turn) = (self.host.late_letters.borrow().len(), true);
        while left > 0 {
            has_turn = has_turn && self.has_turn(Share::Events);
            if !has_turn && left <= MOST_LATE {
                break;
            }
            let next = self.host.late_letters.borrow_mut().pop_front();
            next.into_iter().for_each(|letter| self.hand_over(letter));
            left -= 1;
        }
    }

    /// Due sequences, beginning where the last tick left off.
    pub(super) fn tasks_in_turn(&mut self, mut due: Vec<(Owner, TaskId)>) -> VecDeque<(Owner, TaskId)> {
        if let Some(next) = self.turns.next_task.take() {
            due.sort_unstable();
            let first = due.partition_point(|key| *key < next);
            due.rotate_left(first);
        }
        due.into()
    }

    /// Notes a sequence without budget; the next tick begins with the first of them.
    pub(super) fn task_waits(&mut self, key: (Owner, TaskId)) {
        self.turns.next_task.get_or_insert(key);
    }

    /// Characters with an `on_update`, by number, beginning where the last tick left off.
    pub(super) fn updates_in_turn(&mut self, mut ids: Vec<CharacterId>) -> Vec<CharacterId> {
        ids.sort_unstable();
        if let Some(next) = self.turns.next_update.take() {
            let first = ids.partition_point(|who| *who < next);
            ids.rotate_left(first);
        }
        ids
    }

    /// Postpones the updates of this character and of those behind it.
    pub(super) fn update_waits(&mut self, who: CharacterId) {
        self.turns.next_update = Some(who);
    }
}
