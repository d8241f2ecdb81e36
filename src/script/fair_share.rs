//! Fair turns when all scripts together have more to do than a tick allows.
//!
//! A tick's budget goes to events and messages first, then to timers, sequences and updates, each kind up to
//! its share. Work without budget waits for the next tick and comes first there: events, messages and timers
//! in order of arrival, sequences and updates where the last tick left off. So nothing starves, and every run
//! takes the same turns. Queues have an end: with too many messages under way, `send` fails; with too many events
//! waiting, commands fail, and the oldest events that only tell a script something are left out.

use super::Scripts;
use super::dispatch::SEQUENCES_SHARE;
use super::host::{Level, Note};
use super::messages::{Letter, Receiver};
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

/// With more events waiting than this, commands fail.
pub(super) const MANY_LATE: usize = 10_000;

/// Maximum of postponed events that only tell a script something.
const MOST_LATE: usize = 100_000;

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
    told_left_out: bool,
    /// Whether each call gets only a little: a reload calls all scripts, and none of them can wait.
    pub(super) is_scarce: bool,
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

    /// Whether all scripts together have used up the budget of a tick.
    pub(super) fn is_budget_gone(&self) -> bool {
        self.turns.spent.get() >= self.limits().all
    }

    /// Delivers events to scripts: postponed ones first, then new ones.
    pub(super) fn deliver_in_turn(&mut self, events: &[Event]) {
        let late = std::mem::take(&mut self.turns.late_events);
        let mut waiting = Vec::new();
        for kind in late.iter().chain(events.iter().map(|event| &event.kind)) {
            if waiting.is_empty() && self.has_turn(Share::Events) {
                self.deliver(kind);
            } else {
                waiting.push(kind.clone());
            }
        }
        self.leave_out_beyond(MOST_LATE, &mut waiting);
        self.host.mail.late_events.set(waiting.len());
        self.turns.late_events = waiting;
    }

    /// Leaves out the oldest events that only tell a script something, beyond the most that wait. Others decide what goes
    /// on: without the end of a walk, a sequence would wait for ever. Commands fail while too many of those wait.
    fn leave_out_beyond(&mut self, most: usize, waiting: &mut Vec<EventKind>) {
        let mut too_many = waiting.len().saturating_sub(most);
        let before = waiting.len();
        waiting.retain(|kind| {
            let goes = too_many > 0 && only_tells(kind);
            too_many -= usize::from(goes);
            !goes
        });
        let left_out = before - waiting.len();
        if left_out > 0 && !std::mem::replace(&mut self.turns.told_left_out, true) {
            let text = format!(
                "{left_out} events are not told to scripts, whose handlers take longer than there is time for; more than \
                 {most} waited"
            );
            self.host.note(Note::Log { level: Level::Warn, place: String::new(), text });
        }
    }

    /// Delivers messages: postponed ones first, then new ones. Those to a character that has used up its own budget wait,
    /// and the others go before them.
    pub(super) fn hand_over_in_turn(&mut self, letters: Vec<Letter>) {
        let queue = self.host.clone();
        queue.mail.late_letters.borrow_mut().extend(letters);
        let (mut left, mut waiting) = (queue.mail.late_letters.borrow().len(), 0);
        while left > 0 && self.has_turn(Share::Events) {
            let Some(letter) = queue.mail.late_letters.borrow_mut().pop_front() else { break };
            left -= 1;
            match letter.to {
                Receiver::Npc(who) if self.is_spent(Owner::Character(who), SEQUENCES_SHARE) => {
                    queue.mail.late_letters.borrow_mut().push_back(letter);
                    waiting += 1;
                }
                _ => self.hand_over(letter),
            }
        }
        queue.mail.late_letters.borrow_mut().rotate_right(waiting);
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

/// Whether nothing waits for an event.
fn only_tells(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::Entered(..)
            | EventKind::Left(..)
            | EventKind::LinkEntered(..)
            | EventKind::LinkLeft(..)
            | EventKind::Waypoint { .. }
            | EventKind::Jumped(_)
            | EventKind::Evicted { .. }
            | EventKind::AreaChanged { .. }
            | EventKind::Said(..)
    )
}
