//! Sequences: coroutines that wait for time or for a walk, woken by the host.

use super::Scripts;
use super::answer::Answer;
use super::api::{Object, sequence};
use super::calls::Failure;
use super::console::{failed, results};
use super::dispatch::SEQUENCES_SHARE;
use super::error::beginning_of;
use super::fair_share::Share;
use super::owner::Owner;
use super::owner::TaskId;
use super::sandbox::prepare;
use super::task::{Reply, Role, Task, Wait};
use crate::crowd::{CharacterId, WalkEnd, WalkId};
use crate::world::Command;
use mlua::{IntoLuaMulti, Lua, MultiValue, Thread, Value};
use std::collections::BTreeSet;

impl Scripts {
    /// Starts the behaviour's `run`, if it has one. To restart it, call [`Scripts::forget_runs`] first: it
    /// drops the old sequence and its timers, and keeps `self` and the current walk.
    pub(super) fn start_run(&mut self, owner: Owner) {
        let (module, args) = match owner {
            Owner::Room(id) => {
                let room = self.room_object.clone().unwrap_or(Value::Nil);
                (self.host.room_scripts.borrow().get(&id).cloned(), MultiValue::from_iter([room]))
            }
            Owner::Character(who) => match self.host.instances.borrow().get(who) {
                _ if self.host.world().character(who).is_none() => (None, MultiValue::new()), // the character left in on_spawn
                Some(instance) => {
                    let args = [Value::Table(instance.memory.clone()), Value::UserData(instance.npc.clone())];
                    (Some(instance.module.clone()), MultiValue::from_iter(args))
                }
                None => (None, MultiValue::new()),
            },
        };
        let Some(module) = module else { return };
        let Some(run) = self.find_handler(owner, &module, "run") else { return };
        let beginning = beginning_of(&run);
        match sequence(self.lua(), run, args) {
            Ok(thread) => {
                let task = Task::new(Role::Run, module, beginning, thread);
                // The behaviour's own sequence is admitted beyond the limit of started ones.
                let mut schedule = self.host.schedule.borrow_mut();
                if let Some(id) = schedule.add_task(owner, task, usize::MAX) {
                    schedule.runs.insert(owner, id);
                }
            }
            Err(error) => self.report(owner, "run", &error, beginning),
        }
    }

    /// Ends the `run` of these owners, and the timers that these sequences set.
    pub(super) fn forget_runs(&mut self, owners: &[Owner]) {
        let mut schedule = self.host.schedule.borrow_mut();
        let mut ended = BTreeSet::new();
        for &owner in owners {
            let runs = schedule.tasks_of(owner).filter(|(_, task)| task.role == Role::Run).map(|(id, _)| id);
            for id in runs.collect::<Vec<_>>() {
                schedule.remove_task(owner, id);
                ended.insert(id);
            }
            // One that has ended by itself, too: it sets its timers again.
            ended.extend(schedule.runs.remove(&owner));
        }
        if !ended.is_empty() {
            let ended = |set_by: Option<TaskId>| set_by.is_some_and(|id| ended.contains(&id));
            schedule.drop_timers(|timer| ended(timer.set_by));
            self.host.arrivals_mut().by_character.retain(|_, subscription| !ended(subscription.set_by));
        }
    }

    /// Wakes every sequence whose wait is over, in order of owner and start.
    pub(super) fn run_tasks(&mut self) {
        let now = self.host.world().tick_number();
        let due = {
            let mut schedule = self.host.schedule.borrow_mut();
            schedule.woken.clear();
            schedule.take_due_tasks(now)
        };
        let mut due = self.tasks_in_turn(due);
        while let Some((owner, id)) = due.pop_front() {
            if self.host.schedule.borrow().is_paused(owner, id) {
                continue; // checked again when the scene returns its character
            }
            if !self.has_turn(Share::Sequences) {
                self.task_waits((owner, id));
                self.host.schedule.borrow_mut().look_again(owner, id, now + 1);
                continue;
            }
            // A script without remaining budget continues in the next tick.
            if !self.is_spent(owner, SEQUENCES_SHARE) && !self.is_suspect(|| self.label(owner, id).1) {
                self.resume(owner, id, now);
                due.extend(self.host.schedule.borrow_mut().woken.drain(..));
            } else {
                self.host.schedule.borrow_mut().look_again(owner, id, now + 1);
            }
        }
    }

    pub(super) fn resume(&mut self, owner: Owner, id: TaskId, now: u64) {
        self.step_on(owner, id, now);
        self.host.settle_scenes();
    }

    fn step_on(&mut self, owner: Owner, id: TaskId, now: u64) {
        if let Owner::Character(who) = owner
            && self.host.world().character(who).is_none()
        {
            return; // left in this very tick; its sequences end with the event that tells, so none is to be looked at again
        }
        let (role, thread, answer) = {
            let mut schedule = self.host.schedule.borrow_mut();
            // An earlier sequence of this tick may have ended this one.
            let Some(task) = schedule.task(owner, id) else { return };
            if task.answer.is_none()
                && let Wait::Walk { who, walk, deadline: Some(deadline) } = task.wait
                && deadline <= now
            {
                schedule.look_again(owner, id, now + 1);
                drop(schedule);
                return self.time_out(owner, id, who, walk);
            }
            if !task.is_due(now) {
                return;
            }
            let (role, thread) = (task.role, task.thread.clone());
            (role, thread, schedule.take_answer(owner, id).unwrap_or(Reply::Reason(true, "done")))
        };
        let (event, beginning) = self.label(owner, id);
        let (lua, host) = (self.lua().clone(), self.host.clone());
        let resumed = self.attempt(
            owner,
            Some(id),
            || beginning.clone(),
            || {
                prepare(&thread);
                let values = outcome(&thread, thread.resume::<MultiValue>(answer)?)?;
                // A table's `__tostring` may run a script's code, so that is part of the run.
                let shown =
                    (role == Role::Line && !thread.is_resumable()).then(|| results(&lua, &host, &values));
                Ok((values, shown))
            },
        );
        let wish = self.host.call.wait.take();
        let results = match resumed {
            Ok((values, shown)) => {
                self.answers.extend(shown.map(Answer::Values));
                values
            }
            Err(failure) => return self.bury(owner, id, event, failure),
        };
        let mut schedule = self.host.schedule.borrow_mut();
        if thread.is_resumable() {
            // A bare coroutine.yield() waits for the next tick.
            schedule.set_wait(owner, id, wish.unwrap_or(Wait::Until(now + 1)));
        } else if let Some(branch) = schedule.remove_task(owner, id).and_then(|task| task.branch_of) {
            let losers = schedule.end_branch(owner, branch, results);
            drop(schedule);
            self.host.call_off(&losers);
        } else if role == Role::Test {
            drop(schedule);
            self.test_step_ended(None);
        }
    }

    /// Removes a sequence that died of an error, with the walks it started, since nothing waits for them now.
    /// Its parents go too, with all their branches.
    fn bury(&mut self, owner: Owner, id: TaskId, event: &str, failure: Failure) {
        let (role, dead) = {
            let mut schedule = self.host.schedule.borrow_mut();
            let root = schedule.root_of(owner, id);
            let role = schedule.task(owner, root).map(|task| task.role);
            (role, schedule.take_family(owner, root))
        };
        self.host.call_off(&dead);
        match role {
            Some(Role::Line) => {
                let (file, line) = failure.place;
                self.answers.push(failed((self.whole_name(file), line), &failure.message));
            }
            Some(Role::Test) => self.test_step_ended(Some(failure)),
            Some(Role::Run) => {
                self.switch_off(owner, "run", &failure, "a sequence that fails is over");
                self.count_failure(owner, event, failure);
            }
            _ => self.count_failure(owner, event, failure),
        }
    }

    /// Ends the walk as timed out, which wakes the sequence that waits for it. If others wait for the same
    /// walk, it continues, and only this sequence wakes.
    fn time_out(&mut self, owner: Owner, id: TaskId, who: CharacterId, walk: WalkId) {
        if self.host.is_awaited(walk, Some((owner, id))) {
            let timed_out = Reply::Reason(false, WalkEnd::Timeout.as_str());
            self.host.schedule.borrow_mut().give_answer(owner, id, timed_out);
            let now = self.host.world().tick_number();
            return self.step_on(owner, id, now);
        }
        // A character that left meanwhile has no walk to stop, and the end was already reported.
        let _ = self.host.world_mut().apply(Command::Stop { who, walk: Some(walk), end: WalkEnd::Timeout });
    }

    /// A sequence's name in reports, and where its code begins.
    fn label(&self, owner: Owner, id: TaskId) -> (&'static str, (String, u32)) {
        match self.host.schedule.borrow().task(owner, id) {
            Some(task) if task.role == Role::Run => ("run", task.beginning.clone()),
            Some(task) if task.role == Role::Crossing => ("on_link", task.beginning.clone()),
            Some(task) => ("a sequence", task.beginning.clone()),
            None => ("a sequence", Default::default()),
        }
    }

    /// Matches every character's behaviour to the world's after a reload of the room. Returns the owners
    /// whose behaviour changed, which must be notified.
    pub(super) fn match_behaviours(&mut self) -> Vec<Owner> {
        let mut taken_over = Vec::new();
        let wanted: Vec<(CharacterId, Option<String>)> = {
            let (world, instances) = (self.host.world(), self.host.instances.borrow());
            let present = |who: CharacterId| instances.get(who).map(|instance| &instance.module);
            let others = world.characters().iter().filter(|c| present(c.id) != c.behaviour.as_ref());
            others.map(|c| (c.id, c.behaviour.clone())).collect()
        };
        for (who, behaviour) in wanted {
            // Timers and sequences of the old behaviour are dropped; the character's memory stays.
            let owner = Owner::Character(who);
            if self.host.instances.borrow().get(who).is_some() {
                self.host.schedule.borrow_mut().drop_owner(owner);
                self.host.arrivals_mut().by_character.remove(&who);
                self.host.faults.borrow_mut().forget(owner);
            }
            let Some(module) = behaviour else {
                self.host.instances.borrow_mut().remove(who);
                continue;
            };
            self.load_module(&module);
            self.look_at_names(&module, Object::Behaviour);
            let is_taken_over = self.host.instances.borrow_mut().change_module(who, module);
            if is_taken_over {
                taken_over.push(owner);
            } else {
                self.fresh.insert(owner);
                self.welcome(who);
            }
        }
        taken_over
    }
}

/// The outcome of a sequence, see [`sequence`]: its results once it has ended; yielded values are ignored.
fn outcome(thread: &Thread, mut values: MultiValue) -> mlua::Result<MultiValue> {
    if thread.is_resumable() || values.pop_front() != Some(Value::Boolean(false)) {
        return Ok(values);
    }
    Err(match values.pop_front() {
        Some(Value::Error(error)) => *error,
        Some(Value::String(text)) => mlua::Error::RuntimeError(text.to_string_lossy()),
        _ => mlua::Error::RuntimeError("an error without words".into()),
    })
}

impl IntoLuaMulti for Reply {
    fn into_lua_multi(self, lua: &Lua) -> mlua::Result<MultiValue> {
        let (ok, reason, winner) = match self {
            Self::Reason(ok, reason) => return (ok, reason).into_lua_multi(lua),
            Self::Branch { ok, reason, winner } => (ok, reason, winner),
            Self::Game(values) => return Ok(MultiValue::from_iter(values)),
            Self::Outside(Ok(())) => return true.into_lua_multi(lua),
            Self::Outside(Err(why)) => return (false, why).into_lua_multi(lua),
        };
        let reason = match reason {
            Value::Nil => Value::String(lua.create_string(if ok { "done" } else { "failed" })?),
            words => words,
        };
        match winner {
            Some(index) => (ok, reason, index + 1).into_lua_multi(lua),
            None => (ok, reason).into_lua_multi(lua),
        }
    }
}
