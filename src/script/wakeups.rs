//! When to check waiting sequences: at a tick, at the end of a walk, or at once. A sequence is on these lists
//! only while it waits, so they never hold more entries than there are sequences.

use super::owner::{Owner, TaskId};
use super::task::Wait;
use crate::crowd::WalkId;
use std::collections::BTreeSet;

pub(super) type Key = (Owner, TaskId);

/// The lists of waiting sequences.
#[derive(Default)]
pub(super) struct Wakeups {
    alarms: BTreeSet<(u64, Key)>,
    waiting: BTreeSet<(WalkId, Key)>,
    answered: Vec<Key>,
}

impl Wakeups {
    /// Adds a sequence that begins to wait.
    pub(super) fn add(&mut self, key: Key, wait: Wait) {
        if let Some(tick) = alarm_of(wait) {
            self.alarms.insert((tick, key));
        }
        if let Wait::Walk { walk, .. } = wait {
            self.waiting.insert((walk, key));
        }
    }

    /// Removes a sequence that no longer waits.
    pub(super) fn remove(&mut self, key: Key, wait: Wait) {
        if let Some(tick) = alarm_of(wait) {
            self.alarms.remove(&(tick, key));
        }
        if let Wait::Walk { walk, .. } = wait {
            self.waiting.remove(&(walk, key));
        }
    }

    /// Removes a waiting sequence's alarm; it still learns of the end of its walk.
    pub(super) fn silence(&mut self, key: Key, wait: Wait) {
        if let Some(tick) = alarm_of(wait) {
            self.alarms.remove(&(tick, key));
        }
    }

    /// Notes that a sequence has its answer.
    pub(super) fn answered(&mut self, key: Key) {
        self.answered.push(key);
    }

    /// Checks a sequence whose wait is over again at tick `at`.
    pub(super) fn look_again(&mut self, key: Key, at: u64) {
        self.alarms.insert((at, key));
    }

    /// The sequences that wait for the end of a walk.
    pub(super) fn waiting_for(&self, walk: WalkId) -> Vec<Key> {
        let first = (Owner::Room(0), TaskId::FIRST);
        let from_here = self.waiting.range((walk, first)..);
        from_here.take_while(|(other, _)| *other == walk).map(|&(_, key)| key).collect()
    }

    /// Takes out all sequences to check now, in order of owner and start. Some may have run already, or be
    /// gone.
    pub(super) fn take(&mut self, now: u64) -> Vec<Key> {
        let mut due = std::mem::take(&mut self.answered);
        while let Some(&(tick, key)) = self.alarms.first().filter(|(tick, _)| *tick <= now) {
            self.alarms.remove(&(tick, key));
            due.push(key);
        }
        due.sort_unstable();
        due.dedup();
        due
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.alarms.len() + self.waiting.len() + self.answered.len()
    }
}

fn alarm_of(wait: Wait) -> Option<u64> {
    match wait {
        Wait::Until(tick) => Some(tick),
        Wait::Walk { deadline, .. } => deadline,
        Wait::Branches | Wait::Outside => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::CharacterId;

    fn key(who: u32, task: u64) -> Key {
        (Owner::Character(CharacterId(who)), TaskId(task))
    }

    #[test]
    fn who_waits_no_more_is_on_no_list() {
        let mut wakeups = Wakeups::default();
        let walk = Wait::Walk { who: CharacterId(1), walk: WalkId(9), deadline: Some(1 << 40) };
        for wait in [Wait::Until(1 << 40), walk, Wait::Branches, Wait::Outside] {
            for round in 0..1000 {
                wakeups.add(key(1, round), wait);
                wakeups.remove(key(1, round), wait);
            }
            assert_eq!(wakeups.len(), 0, "{wait:?}");
        }
    }

    #[test]
    fn those_whose_time_has_come_are_told_in_order() {
        let mut wakeups = Wakeups::default();
        wakeups.add(key(2, 1), Wait::Until(5));
        wakeups.add(key(1, 7), Wait::Until(6));
        wakeups.add(key(1, 3), Wait::Walk { who: CharacterId(1), walk: WalkId(9), deadline: Some(5) });
        wakeups.add(key(1, 2), Wait::Walk { who: CharacterId(1), walk: WalkId(9), deadline: None });
        assert_eq!(wakeups.waiting_for(WalkId(9)), [key(1, 2), key(1, 3)]);
        assert_eq!(wakeups.waiting_for(WalkId(8)), []);
        wakeups.answered(key(1, 2));
        assert_eq!(wakeups.take(5), [key(1, 2), key(1, 3), key(2, 1)]);
        wakeups.look_again(key(2, 1), 6);
        assert_eq!(wakeups.take(6), [key(1, 7), key(2, 1)]);
        assert_eq!(wakeups.take(1000), []);
    }
}
