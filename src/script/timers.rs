//! Timers: functions to call, or names to report, when they are due. Nothing here runs Lua code.

use super::owner::Owner;
use super::schedule::{MAX_IN_ALL, Schedule};
use super::timer::{Action, Timer, TimerId};
use std::collections::BTreeSet;

impl Schedule {
    pub(super) fn timers_with_ids(&self) -> impl Iterator<Item = (u64, TimerId, &Timer)> {
        self.timers.iter().map(|(&(due, id), timer)| (due, id, timer))
    }

    /// An owner's timers with their due ticks, the earliest first.
    pub(super) fn timers_of(&self, owner: Owner) -> Vec<(u64, &Timer)> {
        let ids = self.timers_by_owner.get(&owner).into_iter().flatten();
        let mut timers: Vec<(u64, TimerId)> = ids.filter_map(|id| Some((*self.due.get(id)?, *id))).collect();
        timers.sort_unstable();
        timers.into_iter().filter_map(|key| Some((key.0, self.timers.get(&key)?))).collect()
    }

    /// Adds a timer, and records its owner, its name and its due tick.
    pub(super) fn put_timer(&mut self, due: u64, id: TimerId, timer: Timer) {
        self.timers_by_owner.entry(timer.owner).or_default().insert(id);
        if let Action::Tell { name, .. } = &timer.action {
            self.timer_names.insert((timer.owner, name.clone()), id);
        }
        self.due.insert(id, due);
        self.timers.insert((due, id), timer);
    }

    /// Removes a timer with its records.
    fn pull_timer(&mut self, due: u64, id: TimerId) -> Option<Timer> {
        let timer = self.timers.remove(&(due, id))?;
        self.due.remove(&id);
        if let Some(timers) = self.timers_by_owner.get_mut(&timer.owner) {
            timers.remove(&id);
            if timers.is_empty() {
                self.timers_by_owner.remove(&timer.owner);
            }
        }
        if let Action::Tell { name, .. } = &timer.action {
            self.timer_names.remove(&(timer.owner, name.clone()));
        }
        Some(timer)
    }

    /// Moves a timer to another tick.
    pub(super) fn move_timer(&mut self, due: u64, id: TimerId, then: u64) {
        if let Some(timer) = self.pull_timer(due, id) {
            self.put_timer(then, id, timer);
        }
    }

    /// Sets a timer for `due`; `None` if its owner already has `limit` of them.
    pub(super) fn add_timer(&mut self, due: u64, timer: Timer, limit: usize) -> Option<TimerId> {
        let count = self.timers_by_owner.get(&timer.owner).map_or(0, BTreeSet::len);
        if count >= limit || self.timers.len() >= MAX_IN_ALL {
            return None;
        }
        self.next_id += 1;
        let id = TimerId(self.next_id);
        self.note_timer(timer.owner);
        self.put_timer(due, id, timer);
        Some(id)
    }

    /// The timer of this name; an owner has one at most.
    pub(super) fn timer_named(&self, owner: Owner, name: &str) -> Option<TimerId> {
        self.timer_names.get(&(owner, name.to_owned())).copied()
    }

    /// Restores a saved timer under its number.
    pub(super) fn restore_timer(&mut self, due: u64, id: TimerId, timer: Timer) {
        self.note_timer(timer.owner);
        self.postpone(due, id, timer);
    }

    /// Postpones a timer that was taken out and not called yet until `due`.
    pub(super) fn postpone(&mut self, due: u64, id: TimerId, timer: Timer) {
        // A repeating timer was already set again, counted from a call that has not happened.
        self.cancel_timer(id);
        self.put_timer(due, id, timer);
    }

    pub(super) fn cancel_timer(&mut self, id: TimerId) -> bool {
        self.due.get(&id).copied().is_some_and(|due| self.remove_timer((due, id)))
    }

    /// Sets the failures in a row of a repeating timer; without a number, the timer ends.
    pub(super) fn set_failures(&mut self, id: TimerId, failures: Option<u32>) {
        let Some(&due) = self.due.get(&id) else { return };
        match failures {
            None => drop(self.remove_timer((due, id))),
            Some(failures) => {
                if let Some(timer) = self.timers.get_mut(&(due, id)) {
                    timer.failures = failures;
                }
            }
        }
    }

    /// Lets timers without a handler be told of again, after a reload.
    pub(super) fn arm_timers(&mut self) {
        let told = self.timers.values_mut().filter(|timer| matches!(timer.action, Action::Tell { .. }));
        told.for_each(|timer| timer.failures = 0);
    }

    /// Whether any timer is due.
    pub(super) fn has_due_timer(&self, now: u64) -> bool {
        self.timers.first_key_value().is_some_and(|((due, _), _)| *due <= now)
    }

    /// Takes out the next due timer; a repeating one is set again first.
    pub(super) fn take_due_timer(&mut self, now: u64) -> Option<(TimerId, Timer)> {
        let (&(due, id), _) = self.timers.first_key_value().filter(|((due, _), _)| *due <= now)?;
        let timer = self.pull_timer(due, id)?;
        if let Some(period) = timer.period {
            // Counted from now, not from the due tick: missed calls are not made up for.
            self.put_timer(now + period, id, timer.clone());
        }
        Some((id, timer))
    }

    /// Drops the timers that `unwanted` names.
    pub(super) fn drop_timers(&mut self, unwanted: impl Fn(&Timer) -> bool) {
        let gone = self.timers.iter().filter(|(_, timer)| unwanted(timer)).map(|(&key, _)| key);
        for key in gone.collect::<Vec<_>>() {
            self.remove_timer(key);
        }
    }

    pub(super) fn remove_timer(&mut self, key: (u64, TimerId)) -> bool {
        let Some(timer) = self.pull_timer(key.0, key.1) else { return false };
        if let Some(before) = &mut self.before {
            before.timers.push((key, timer));
        }
        true
    }
}
