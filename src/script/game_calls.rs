//! Calls of the game's functions that sequences wait for, and their ends.

use super::Scripts;
use super::api::{game_results, wrong_game_results};
use super::game::{CallId, GameAnswer, GameValue};
use super::host::{Level, Note};
use super::owner::{Owner, TaskId};
use super::task::{Reply, Wait};
use std::fmt;

/// Why a call cannot be finished.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinishError {
    /// No script waits for it: it is over, or was given up (see [`Note::GivenUp`]).
    NotWaiting(CallId),
    /// The results are not as the function's signature declares them. The script still waits.
    WrongResults(String),
}

impl fmt::Display for FinishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWaiting(id) => write!(f, "no script waits for call {}", id.0),
            Self::WrongResults(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for FinishError {}

impl Scripts {
    /// Ends a call: the script that waits for it continues in the next tick, with these results.
    ///
    /// # Errors
    /// [`FinishError`]
    pub(crate) fn finish_call(&mut self, id: CallId, answer: &GameAnswer) -> Result<(), FinishError> {
        {
            let pending = self.host.game.pending.borrow();
            let call = pending.get(&id).filter(|call| self.waits(call.waiter));
            let Some(call) = call else { return Err(FinishError::NotWaiting(id)) };
            if let Some(why) = wrong_game_results(&call.function, &answer.0) {
                return Err(FinishError::WrongResults(why));
            }
        }
        self.end_call(id, &answer.0).map_err(|error| FinishError::WrongResults(error.to_string()))
    }

    /// From now on somebody ends the calls of functions that only the project declares.
    pub(crate) fn wait_for_game(&mut self) {
        self.host.game.is_played.set(true);
    }

    fn end_call(&mut self, id: CallId, results: &[GameValue]) -> mlua::Result<()> {
        let values = game_results(self.lua(), &self.host, results)?;
        if let Some(call) = self.host.game.pending.borrow_mut().remove(&id) {
            let (owner, task) = call.waiter;
            let reply = Reply::Game(values.into_iter().collect());
            self.host.schedule.borrow_mut().give_answer(owner, task, reply);
        }
        Ok(())
    }

    /// Ends the calls that only stand-ins answer, and those whose sequences are gone.
    pub(super) fn tend_calls(&mut self) {
        if self.host.game.pending.borrow().is_empty() {
            return;
        }
        let now = self.host.world().tick_number();
        let (mut due, mut gone) = (Vec::new(), Vec::new());
        for (&id, call) in &*self.host.game.pending.borrow() {
            match &call.stand_in {
                stand_in if !self.waits(call.waiter) => gone.push((id, stand_in.is_none())),
                Some((until, returns)) if *until <= now => due.push((id, returns.clone())),
                _ => {}
            }
        }
        for (id, game_knows) in gone {
            self.host.game.pending.borrow_mut().remove(&id);
            if game_knows {
                self.host.note(Note::GivenUp(id));
            }
        }
        for (id, returns) in due {
            if let Err(error) = self.end_call(id, &returns) {
                self.host.note(Note::Log {
                    level: Level::Error,
                    place: String::new(),
                    text: error.to_string(),
                });
            }
        }
    }

    /// Takes the place of other scripts: their calls are given up, and numbers are not used again.
    pub(crate) fn give_up_calls_of(&mut self, other: &Self) {
        self.host.game.calls.set(other.host.game.calls.get());
        self.host.game.is_played.set(other.host.game.is_played.get());
        for (&id, call) in &*other.host.game.pending.borrow() {
            if call.stand_in.is_none() {
                self.host.note(Note::GivenUp(id));
            }
        }
    }

    fn waits(&self, (owner, task): (Owner, TaskId)) -> bool {
        let schedule = self.host.schedule.borrow();
        schedule.task(owner, task).is_some_and(|task| task.wait == Wait::Outside && task.answer.is_none())
    }
}
