//! The ends of walks: informing scripts, waking waiting sequences, and recording what called a walk off.

use super::Scripts;
use super::api::handle;
use super::host::Host;
use super::owner::{Owner, TaskId};
use super::task::Task;
use crate::crowd::{CharacterId, WalkEnd, WalkId};
use crate::world::Command;
use mlua::Function;

impl Scripts {
    /// Wakes the sequences that wait for a walk, and calls the functions registered for its end. With
    /// `within` (the walk was part of a scene), the character's own script is not informed.
    pub(super) fn walk_ended(&mut self, who: CharacterId, walk: WalkId, end: &WalkEnd, within: bool) {
        let reason = end.as_str();
        self.host.schedule.borrow_mut().answer_walk(walk, *end == WalkEnd::Arrived, reason);
        let by_walk = self.host.arrivals_mut().by_walk.remove(&walk);
        let came = matches!(end, WalkEnd::Arrived | WalkEnd::Partial);
        if let Some(function) = by_walk.filter(|_| came) {
            self.call_arrived(who, &function, reason, 0);
        }
        if within {
            return; // the scene's walk: the character's own script has nothing to do with it
        }
        if came {
            self.tell_subscriber(who, reason);
            self.handler(who, "on_arrived", reason);
        }
        if let WalkEnd::Blocked(by) = end {
            self.handler(who, "on_blocked", by.as_deref());
        }
        self.handler(who, "on_walk_ended", reason);
    }

    /// Calls the function given to `npc:on_arrived`.
    fn tell_subscriber(&mut self, who: CharacterId, reason: &str) {
        let Some(subscription) = self.host.arrivals.borrow().by_character.get(&who).cloned() else { return };
        let failures = self.call_arrived(who, &subscription.function, reason, subscription.failures);
        if failures == Some(subscription.failures) {
            return;
        }
        let by_character = &mut self.host.arrivals_mut().by_character;
        // The function may have registered another one in its place.
        let present = by_character.get_mut(&who).filter(|now| now.function == subscription.function);
        match (present, failures) {
            (Some(present), Some(failures)) => present.failures = failures,
            (Some(_), None) => drop(by_character.remove(&who)),
            (None, _) => {}
        }
    }

    fn call_arrived(
        &mut self,
        who: CharacterId,
        function: &Function,
        reason: &str,
        failures: u32,
    ) -> Option<u32> {
        let npc = handle(self.lua(), &self.host, who).ok()?;
        self.call_again(Owner::Character(who), "on_arrived", function, (npc, reason), failures)
    }
}

impl Host {
    /// Calls off the walks that ended sequences started, unless other sequences wait for them.
    pub(super) fn call_off(&self, ended: &[Task]) {
        for task in ended {
            for (&who, &walk) in task.walks.iter().filter(|(_, walk)| !self.is_awaited(**walk, None)) {
                // If the walk has ended or the character has left, there is nothing to call off.
                let stop = Command::Stop { who, walk: Some(walk), end: WalkEnd::Cancelled };
                let (file, line) = &task.beginning;
                let by = || format!("the end of the sequence that began at {file}:{line}");
                self.noting_cancels(who, by, || drop(self.world_mut().apply(stop)));
            }
        }
    }

    /// Whether a sequence, other than `but`, or a function waits for the end of a walk.
    pub(super) fn is_awaited(&self, walk: WalkId, but: Option<(Owner, TaskId)>) -> bool {
        let waiting = self.schedule.borrow().wakeups.waiting_for(walk);
        waiting.into_iter().any(|key| Some(key) != but) || self.arrivals.borrow().by_walk.contains_key(&walk)
    }

    /// Runs `act`, which may call off a character's walk, and records who called it off.
    pub(super) fn noting_cancels<R>(
        &self,
        who: CharacterId,
        by: impl FnOnce() -> String,
        act: impl FnOnce() -> R,
    ) -> R {
        let cancelled = || {
            let world = self.world();
            let last = world.character(who).and_then(|character| character.last_walk.as_ref());
            last.filter(|last| last.end == WalkEnd::Cancelled).map(|last| last.walk)
        };
        let before = cancelled();
        let done = act();
        if let Some(walk) = cancelled().filter(|walk| Some(*walk) != before) {
            self.people.cancelled.borrow_mut().insert(who, (walk, by()));
        }
        done
    }
}
