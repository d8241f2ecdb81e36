//! Scenes: sequences that direct characters. The characters' own sequences and timers pause meanwhile. Which
//! scene directs which character follows from the sequences alone, so control is returned however a scene
//! ends.

use super::host::Host;
use super::owner::{Owner, TaskId};
use super::scene::Level;
use super::schedule::{Running, Schedule};
use super::task::{Role, Task, Wait};
use super::timer::{Timer, TimerId};
use super::wakeups::Key;
use crate::crowd::CharacterId;
use crate::world::Command;
use std::collections::BTreeSet;

/// A paused timer is due at this tick plus its remaining ticks.
pub(super) const PARKED: u64 = 1 << 62;

impl Schedule {
    /// Notes a new sequence, which may direct characters or may have to pause.
    pub(super) fn note_sequence(&mut self, (owner, id): Key, directs: &[CharacterId]) {
        for &who in directs {
            self.directing.directors.entry(who).or_default().insert((id, owner));
            self.directing.changed.insert(who);
        }
        self.directing.stale |= !directs.is_empty() || self.has_directed(owner);
    }

    /// Notes the end of a sequence that may have directed characters.
    pub(super) fn forget_director(&mut self, (owner, id): Key, directs: &[CharacterId]) {
        for &who in directs {
            if let Some(directors) = self.directing.directors.get_mut(&who) {
                directors.remove(&(id, owner));
                if directors.is_empty() {
                    self.directing.directors.remove(&who);
                }
            }
            self.directing.changed.insert(who);
            self.directing.stale = true;
        }
    }

    /// Forgets a character that has left.
    pub(super) fn forget_directed(&mut self, who: CharacterId) {
        self.directing.directors.remove(&who);
        self.directing.levels.remove(&who);
        self.directing.changed.remove(&who);
        self.directing.stale = true;
    }

    /// Notes that a timer is about to be set.
    pub(super) fn note_timer(&mut self, owner: Owner) {
        self.directing.stale |= self.has_directed(owner);
    }

    fn has_directed(&self, owner: Owner) -> bool {
        matches!(owner, Owner::Character(who) if self.is_directed(who))
    }

    /// Whether a scene directs this character.
    pub(super) fn is_directed(&self, who: CharacterId) -> bool {
        self.directing.directors.contains_key(&who)
    }

    /// How many scenes a character is in.
    pub(super) fn scenes_of(&self, who: CharacterId) -> usize {
        self.directing.directors.get(&who).map_or(0, BTreeSet::len)
    }

    /// The sequence that controls a character, if a scene directs it.
    pub(super) fn director_of(&self, who: CharacterId) -> Option<Key> {
        let &(id, owner) = self.directing.directors.get(&who)?.last()?;
        Some((owner, id))
    }

    /// The tick since which a family of sequences pauses.
    pub(super) fn paused_since(&self, owner: Owner, id: TaskId) -> Option<u64> {
        self.directing.paused.get(&(owner, self.root_of(owner, id))).copied()
    }

    /// Whether the outermost sequence of a family pauses.
    pub(super) fn is_paused(&self, owner: Owner, id: TaskId) -> bool {
        !self.directing.paused.is_empty()
            && self.directing.paused.contains_key(&(owner, self.root_of(owner, id)))
    }

    /// Whether no change of scenes is pending.
    pub(super) fn is_settled(&self) -> bool {
        !self.directing.stale && self.directing.changed.is_empty()
    }

    /// Pauses the sequences and timers that must pause now, and resumes those that need not any more.
    pub(super) fn review(&mut self, now: u64) {
        if !std::mem::take(&mut self.directing.stale) {
            return;
        }
        let pausing = self.pausing();
        let begins: Vec<Key> =
            pausing.iter().filter(|key| !self.directing.paused.contains_key(key)).copied().collect();
        let ends: Vec<Key> =
            self.directing.paused.keys().filter(|key| !pausing.contains(key)).copied().collect();
        for root in begins {
            self.directing.paused.insert(root, now);
            for (key, wait) in self.family(root) {
                self.wakeups.silence(key, wait);
            }
        }
        for root in ends {
            let since = self.directing.paused.remove(&root).unwrap_or(now);
            for (key, wait) in self.family(root) {
                self.go_on(key, wait, now - since);
            }
        }
        self.park_timers(now);
    }

    /// The outermost sequences that must pause: those of characters in a scene, except the scene itself, and
    /// scenes that lost a character to a newer scene.
    fn pausing(&self) -> BTreeSet<Key> {
        let mut pausing = BTreeSet::new();
        for (&who, directors) in &self.directing.directors {
            let mut roots = directors.iter().rev().map(|&(id, owner)| (owner, self.root_of(owner, id)));
            let Some(top) = roots.next() else { continue };
            pausing.extend(roots.filter(|root| *root != top));
            let owner = Owner::Character(who);
            // A scene may send a character over a link: nobody pauses between its ends.
            let pauses = |task: &Task| task.branch_of.is_none() && task.role != Role::Crossing;
            let own = self.tasks_of(owner).filter(|(_, task)| pauses(task));
            pausing.extend(own.map(|(id, _)| (owner, id)).filter(|root| *root != top));
        }
        pausing
    }

    /// A sequence and all branches below it, each with its wait.
    fn family(&self, (owner, id): Key) -> Vec<(Key, Wait)> {
        let ids = [id].into_iter().chain(self.branches_of(owner, id));
        ids.filter_map(|id| self.task(owner, id).map(|task| ((owner, id), task.wait))).collect()
    }

    /// Resumes the wait of a sequence that paused for `paused` ticks.
    fn go_on(&mut self, key: Key, wait: Wait, paused: u64) {
        let later = match wait {
            Wait::Until(tick) => Wait::Until(tick + paused),
            Wait::Walk { who, walk, deadline } => {
                Wait::Walk { who, walk, deadline: deadline.map(|tick| tick + paused) }
            }
            Wait::Branches | Wait::Outside => wait,
        };
        self.set_wait(key.0, key.1, later);
        if let Some(task) = self.task_mut(key) {
            task.paused_ticks += paused;
            if task.answer.is_some() {
                self.wakeups.answered(key);
            }
        }
    }

    /// Parks the timers of characters in a scene, and restarts those of the others. Timers set by the scene
    /// itself run.
    fn park_timers(&mut self, now: u64) {
        let directed = self.directing.directors.keys().copied().collect();
        let mut concerned = std::mem::replace(&mut self.directing.parked, directed);
        concerned.extend(&self.directing.parked);
        let timers = concerned.iter().filter_map(|who| self.timers_by_owner.get(&Owner::Character(*who)));
        let timers: Vec<TimerId> = timers.flatten().copied().collect();
        for id in timers {
            let Some(&due) = self.due.get(&id) else { continue };
            let is_to_park = self.timers.get(&(due, id)).is_some_and(|timer| self.is_to_park(timer));
            match (is_to_park, due >= PARKED) {
                (true, false) => self.move_timer(due, id, PARKED + due.saturating_sub(now)),
                (false, true) => self.move_timer(due, id, now + (due - PARKED)),
                _ => {}
            }
        }
    }

    fn is_to_park(&self, timer: &Timer) -> bool {
        let Owner::Character(who) = timer.owner else { return false };
        let Some(&(id, owner)) = self.directing.directors.get(&who).and_then(BTreeSet::last) else {
            return false;
        };
        let top = (owner, self.root_of(owner, id));
        timer.set_by.is_none_or(|by| (timer.owner, self.root_of(timer.owner, by)) != top)
    }

    /// The tick by a sequence's own clock, which stops while the sequence is paused.
    pub(super) fn own_tick(&self, running: Running, now: u64) -> u64 {
        let task = running.task.and_then(|id| self.task(running.owner, id));
        now - task.map_or(0, |task: &Task| task.paused_ticks)
    }
}

impl Host {
    /// Whether a scene directs this character.
    pub(super) fn is_directed(&self, who: CharacterId) -> bool {
        self.schedule.borrow().is_directed(who)
    }

    /// Applies pending changes of scenes: pauses and resumes sequences and timers, and returns characters.
    pub(super) fn settle_scenes(&self) {
        if self.schedule.borrow().is_settled() {
            return;
        }
        let changed = {
            let mut schedule = self.schedule.borrow_mut();
            schedule.review(self.world().tick_number());
            std::mem::take(&mut schedule.directing.changed)
        };
        for who in changed {
            let ended = || self.schedule.borrow_mut().directing.take_ended(who);
            while let Some((level, Level { stops, .. })) = ended() {
                let is_newest = self.world().character(who).is_some_and(|c| level + 1 == c.set_aside.len());
                if is_newest {
                    self.people.stops.borrow_mut().insert(who, stops);
                }
                let resume = || drop(self.world_mut().apply(Command::Resume { who, level }));
                self.noting_cancels(who, || "the end of a scene".to_owned(), resume);
            }
            let begun = self.schedule.borrow().directing.begun(who);
            for by in begun {
                if self.world_mut().apply(Command::Interrupt(who)).is_err() {
                    break;
                }
                let stops = self.people.stops.borrow().get(&who).copied().unwrap_or(0);
                let mut schedule = self.schedule.borrow_mut();
                schedule.directing.levels.entry(who).or_default().push(Level { by, stops });
            }
        }
    }
}
