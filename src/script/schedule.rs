//! Waiting coroutines and due timers. Nothing here runs Lua code; see `Scripts::run_tasks`.

use super::owner::{Owner, TaskId};
use super::scene::Directing;
use super::task::{Branches, Reply, Task, Wait};
use super::timer::{Timer, TimerId};
use super::wakeups::{Key, Wakeups};
use crate::crowd::{CharacterId, WalkId};
use mlua::MultiValue;
use std::collections::{BTreeMap, BTreeSet};

/// The owner of the running code, and its sequence, if any.
#[derive(Debug, Clone, Copy)]
pub(super) struct Running {
    pub(super) owner: Owner,
    pub(super) task: Option<TaskId>,
}

#[derive(Default)]
pub(super) struct Schedule {
    pub(super) next_id: u64,
    tasks: BTreeMap<(Owner, TaskId), Task>,
    pub(super) wakeups: Wakeups,
    /// Sequences to run in this tick: new branches, and sequences whose branches are over.
    pub(super) woken: Vec<(Owner, TaskId)>,
    pub(super) timers: BTreeMap<(u64, TimerId), Timer>,
    /// The tick at which each timer is due.
    pub(super) due: BTreeMap<TimerId, u64>,
    /// The timers of each owner.
    pub(super) timers_by_owner: BTreeMap<Owner, BTreeSet<TimerId>>,
    /// Named timers, by owner.
    pub(super) timer_names: BTreeMap<(Owner, String), TimerId>,
    /// The last `run` of each owner, whether it goes on or not.
    pub(super) runs: BTreeMap<Owner, TaskId>,
    pub(super) before: Option<Before>,
    pub(super) directing: Directing,
}

/// Undo data since [`Schedule::remember`]: added items have higher numbers, removed ones are kept here.
pub(super) struct Before {
    next_id: u64,
    tasks: Vec<((Owner, TaskId), Task)>,
    pub(super) timers: Vec<((u64, TimerId), Timer)>,
}

/// Maximum timers, and sequences, of all owners together. Each takes a slot of Lua's stack of a million.
pub(super) const MAX_IN_ALL: usize = 100_000;

impl Schedule {
    /// Adds a sequence; `None` if its owner already has `limit` of them.
    pub(super) fn add_task(&mut self, owner: Owner, task: Task, limit: usize) -> Option<TaskId> {
        let of_owner = self.tasks.range((owner, TaskId::FIRST)..=(owner, TaskId::LAST)).count();
        if of_owner >= limit || self.tasks.len() >= MAX_IN_ALL {
            return None;
        }
        self.next_id += 1;
        let id = TaskId(self.next_id);
        self.put((owner, id), task);
        Some(id)
    }

    /// Adds branches to a sequence, which waits for them from now on; false if there would be more than
    /// `limit`.
    pub(super) fn add_branches(
        &mut self,
        parent: (Owner, TaskId),
        tasks: Vec<Task>,
        limit: usize,
        race: bool,
    ) -> bool {
        let owner = parent.0;
        let of_owner = self.tasks.range((owner, TaskId::FIRST)..=(owner, TaskId::LAST)).count();
        if of_owner + tasks.len() > limit || self.tasks.len() + tasks.len() > MAX_IN_ALL {
            return false;
        }
        let left = tasks.len();
        for (index, task) in tasks.into_iter().enumerate() {
            self.next_id += 1;
            let id = TaskId(self.next_id);
            self.put((owner, id), Task { branch_of: Some((parent.1, index)), ..task });
            self.woken.push((owner, id));
        }
        if let Some(parent) = self.tasks.get_mut(&parent) {
            parent.branches = Some(Branches { race, left, failed: None });
        }
        true
    }

    /// Notes the end of a branch; returns the other branches that end with it.
    pub(super) fn end_branch(
        &mut self,
        owner: Owner,
        (parent, index): (TaskId, usize),
        results: MultiValue,
    ) -> Vec<Task> {
        let waiting = self.tasks.get_mut(&(owner, parent)).filter(|task| task.wait == Wait::Branches);
        let Some(task) = waiting else { return Vec::new() };
        let Some(answer) = task.branches.as_mut().and_then(|branches| branches.end(index, results)) else {
            return Vec::new();
        };
        task.branches = None;
        self.give_answer(owner, parent, answer);
        self.woken.push((owner, parent));
        let losers = self.branches_of(owner, parent);
        losers.into_iter().filter_map(|id| self.take_task(owner, id)).collect()
    }

    /// All sequences, in order of owner and start.
    pub(super) fn tasks(&self) -> impl Iterator<Item = (Owner, TaskId, &Task)> {
        self.tasks.iter().map(|(&(owner, id), task)| (owner, id, task))
    }

    /// All sequences of an owner, in order of their start.
    pub(super) fn tasks_of(&self, owner: Owner) -> impl Iterator<Item = (TaskId, &Task)> {
        let all = self.tasks.range((owner, TaskId::FIRST)..=(owner, TaskId::LAST));
        all.map(|(&(_, id), task)| (id, task))
    }

    pub(super) fn task(&self, owner: Owner, id: TaskId) -> Option<&Task> {
        self.tasks.get(&(owner, id))
    }

    pub(super) fn task_mut(&mut self, (owner, id): Key) -> Option<&mut Task> {
        self.tasks.get_mut(&(owner, id))
    }

    /// Removes a sequence for good.
    pub(super) fn remove_task(&mut self, owner: Owner, id: TaskId) -> Option<Task> {
        let task = self.tasks.remove(&(owner, id))?;
        self.wakeups.remove((owner, id), task.wait);
        self.forget_director((owner, id), &task.directs);
        Some(task)
    }

    fn put(&mut self, key: Key, task: Task) {
        self.note_sequence(key, &task.directs);
        self.wakeups.add(key, task.wait);
        if task.answer.is_some() {
            self.wakeups.answered(key);
        }
        self.tasks.insert(key, task);
    }

    /// Changes what a sequence waits for.
    pub(super) fn set_wait(&mut self, owner: Owner, id: TaskId, wait: Wait) {
        if let Some(task) = self.tasks.get_mut(&(owner, id)) {
            self.wakeups.remove((owner, id), task.wait);
            self.wakeups.add((owner, id), wait);
            task.wait = wait;
        }
    }

    /// Ends a sequence's wait with this answer.
    pub(super) fn give_answer(&mut self, owner: Owner, id: TaskId, answer: Reply) {
        if let Some(task) = self.tasks.get_mut(&(owner, id)) {
            task.answer = Some(answer);
            self.wakeups.answered((owner, id));
        }
    }

    /// Takes the answer with which a sequence continues.
    pub(super) fn take_answer(&mut self, owner: Owner, id: TaskId) -> Option<Reply> {
        self.tasks.get_mut(&(owner, id))?.answer.take()
    }

    /// All sequences whose wait is over, in order of owner and start. One that cannot go on yet must be
    /// scheduled again with [`Schedule::look_again`].
    pub(super) fn take_due_tasks(&mut self, now: u64) -> Vec<Key> {
        let mut due = self.wakeups.take(now);
        due.retain(|key| self.tasks.get(key).is_some_and(|task| task.is_due(now)));
        due
    }

    /// Checks a sequence again at the given tick, although its wait is over.
    pub(super) fn look_again(&mut self, owner: Owner, id: TaskId, at: u64) {
        self.wakeups.look_again((owner, id), at);
    }

    /// All timers with their due ticks, the earliest first.
    pub(super) fn timers(&self) -> impl Iterator<Item = (u64, &Timer)> {
        self.timers.iter().map(|(&(due, _), timer)| (due, timer))
    }

    /// Removes a sequence with all branches below it.
    pub(super) fn take_family(&mut self, owner: Owner, id: TaskId) -> Vec<Task> {
        let branches = self.branches_of(owner, id);
        [id].into_iter().chain(branches).filter_map(|id| self.take_task(owner, id)).collect()
    }

    /// The outermost sequence above this one: itself, if it is not a branch.
    pub(super) fn root_of(&self, owner: Owner, id: TaskId) -> TaskId {
        let mut root = id;
        while let Some((parent, _)) = self.tasks.get(&(owner, root)).and_then(|task| task.branch_of) {
            root = parent;
        }
        root
    }

    /// All branches below a sequence. A branch has a higher number than its parent, so one pass finds all.
    pub(super) fn branches_of(&self, owner: Owner, id: TaskId) -> BTreeSet<TaskId> {
        let mut family = BTreeSet::new();
        for (&(_, other), task) in self.tasks.range((owner, id)..=(owner, TaskId::LAST)) {
            if task.branch_of.is_some_and(|(of, _)| of == id || family.contains(&of)) {
                family.insert(other);
            }
        }
        family
    }

    fn take_task(&mut self, owner: Owner, id: TaskId) -> Option<Task> {
        let task = self.remove_task(owner, id)?;
        if let Some(before) = &mut self.before {
            before.tasks.push(((owner, id), task.clone()));
        }
        Some(task)
    }

    /// Notes that the running sequence, if any, has started a walk.
    pub(super) fn note_walk(&mut self, running: Running, who: CharacterId, walk: WalkId) {
        if let Some(id) = running.task
            && let Some(task) = self.tasks.get_mut(&(running.owner, id))
        {
            task.walks.insert(who, walk);
        }
    }

    /// The last number given; new ones are higher.
    pub(super) fn last_number(&self) -> u64 {
        self.next_id
    }

    /// Restores the last number given in the saved room.
    pub(super) fn restore_number(&mut self, last: u64) {
        self.next_id = self.next_id.max(last);
    }

    /// Drops what its creators will set up again.
    pub(super) fn drop_loaded(&mut self, again: impl Fn(&str) -> bool) {
        self.drop_timers(|timer| timer.loading.as_deref().is_some_and(&again));
        let ours = |task: &Task| task.loading.as_deref().is_some_and(&again);
        let gone = self.tasks.iter().filter(|(_, task)| ours(task)).map(|(&key, _)| key);
        for key in gone.collect::<Vec<_>>() {
            let task = self.remove_task(key.0, key.1);
            if let (Some(before), Some(task)) = (&mut self.before, task) {
                before.tasks.push((key, task));
            }
        }
    }

    /// Starts recording undo data. Meanwhile nothing may be due: no timer fires, no sequence continues.
    pub(super) fn remember(&mut self) {
        self.before = Some(Before { next_id: self.next_id, tasks: Vec::new(), timers: Vec::new() });
    }

    /// Keeps the changes since [`Schedule::remember`].
    pub(super) fn keep(&mut self) {
        self.before = None;
    }

    /// Restores the state at [`Schedule::remember`].
    pub(super) fn take_back(&mut self) {
        let Some(before) = self.before.take() else { return };
        self.next_id = before.next_id;
        self.tasks.extend(before.tasks);
        self.tasks.retain(|(_, id), _| id.0 <= before.next_id);
        self.wakeups = Wakeups::default();
        self.directing.begin_again();
        for (key, task) in std::mem::take(&mut self.tasks) {
            self.put(key, task);
        }
        self.timers.extend(before.timers);
        self.timers.retain(|(_, id), _| id.0 <= before.next_id);
        self.due.clear();
        self.timers_by_owner.clear();
        self.timer_names.clear();
        for ((due, id), timer) in std::mem::take(&mut self.timers) {
            self.put_timer(due, id, timer);
        }
    }

    /// Drops everything of an owner that is gone.
    pub(super) fn drop_owner(&mut self, owner: Owner) {
        for id in self.tasks_of(owner).map(|(id, _)| id).collect::<Vec<_>>() {
            self.remove_task(owner, id);
        }
        self.drop_timers(|timer| timer.owner == owner);
        self.runs.remove(&owner);
    }

    /// Tells the coroutines that wait for a walk how it ended.
    pub(super) fn answer_walk(&mut self, ended: WalkId, ok: bool, reason: &'static str) {
        for (owner, id) in self.wakeups.waiting_for(ended) {
            self.give_answer(owner, id, Reply::Reason(ok, reason));
        }
    }
}
