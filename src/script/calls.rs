//! Running code for an owner: with a budget, guarded against panics, with its use accounted and its errors
//! reported.

use super::Scripts;
use super::error::{MAX_MESSAGE_BYTES, ScriptError, beginning_of, bug, dissect, frames, shortened, stopped};
use super::faults::{MOST_IN_A_ROW, Off};
use super::hints::hint;
use super::host::{Level, Note};
use super::limit_settings::Limits;
use super::owner::{Owner, TaskId};
use super::sandbox::{Account, Meter, Stop, seed_of};
use super::schedule::Running;
use crate::problem::Problem;
use mlua::{Function, IntoLuaMulti};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The account book of one owner of running code.
pub(super) struct Book {
    account: Account,
    /// The tick in which `spent` was used.
    tick: u64,
    spent: u64,
    /// Calls in that tick.
    calls: u64,
    /// Whether the log already has the warning that this owner has more to do than a tick allows.
    told: bool,
}

/// The file and line where a function begins. Every piece of code has one, so it identifies the code.
pub(super) type Beginning = (String, u32);

/// A failure of code that ran.
pub(super) struct Failure {
    pub(super) place: Beginning,
    pub(super) message: String,
    pub(super) traceback: Vec<String>,
    /// Whether it used up its fuel or memory, and will do so again. False for shared memory that other
    /// scripts may have used up.
    pub(super) exhausted: bool,
    /// Whether others filled the memory that it needed.
    pub(super) is_of_others: bool,
}

/// The name of the spec in errors.
pub(super) const SPEC_NAME: &str = "the spec";

/// Minimum fuel of a call, however often the same code ran out of fuel in this tick.
const LEAST_FUEL: u64 = 10_000;

/// What it takes to look at an error and to count it, as instructions of the tick.
const FAILURE_FUEL: u64 = 5000;

/// Code that ran out of fuel this often in a tick is not started again in it, if it can wait: other owners of
/// the same code may be innocent.
const SUSPECT_AFTER: u32 = 4;

impl Scripts {
    /// Runs Lua code for an owner; the caller reports a failure.
    pub(super) fn attempt<R>(
        &mut self,
        owner: Owner,
        task: Option<TaskId>,
        beginning: impl Fn() -> Beginning,
        code: impl FnOnce() -> mlua::Result<R>,
    ) -> Result<R, Failure> {
        let (now, limits) = (self.host.world().tick_number(), self.limits());
        let book = book_of(&mut self.books, owner, now, self.state.meter());
        let mut fuel = book.grant(&limits);
        if self.turns.is_scarce {
            fuel = fuel.min(LEAST_FUEL);
        }
        if !self.exhausted.is_empty()
            && let Some(times) = self.exhausted.get(&beginning())
        {
            // A hundred characters with the same endless loop must not hold up the tick a hundred times.
            fuel = (fuel >> times.min(&40)).max(LEAST_FUEL);
        }
        self.host.call.running.set(Running { owner, task });
        self.host.call.wait.set(None);
        self.state.begin(book.account, fuel, book.seed_of_call(owner));
        let outcome = catch_unwind(AssertUnwindSafe(code));
        let usage = self.state.end();
        self.host.settle_scenes();
        let failed = !matches!(outcome, Ok(Ok(_)));
        let telling = if failed { FAILURE_FUEL } else { 0 };
        book.spent = book.spent.saturating_add(usage.fuel + telling);
        self.instructions = self.instructions.saturating_add(usage.fuel);
        // Work beyond the budget was not done.
        self.turns.spend(usage.fuel.min(fuel) + telling);
        if let Some((stop, spot)) = usage.stop {
            // If the meter does not know the place, the error may.
            let place = match &outcome {
                Ok(Err(error)) => Some(dissect(error)).map(|(file, line, _)| (file, line)),
                _ => None,
            };
            let place = place.filter(|(file, _)| !file.is_empty()).unwrap_or_else(&beginning);
            if stop == Stop::Fuel {
                *self.exhausted.entry(beginning()).or_insert(0) += 1;
            }
            let (place, message) = (spot.unwrap_or(place), stopped(stop, fuel));
            return Err(Failure {
                place,
                message,
                traceback: Vec::new(),
                exhausted: stop != Stop::SharedMemory(0),
                is_of_others: stop == Stop::SharedMemory(0),
            });
        }
        match outcome {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => Err(Failure::of(&error, beginning())),
            Err(panic) => {
                let (place, message) = (beginning(), bug(&*panic));
                Err(Failure { place, message, traceback: Vec::new(), exhausted: false, is_of_others: false })
            }
        }
    }

    /// Gives the code about to run a full budget, whatever its owner, or the same code, has used in this
    /// tick.
    pub(super) fn refresh(&mut self, owner: Owner, beginning: &Beginning) {
        self.exhausted.remove(beginning);
        if let Some(book) = self.books.get_mut(&owner) {
            book.spent = 0;
        }
    }

    /// Loads files: on no script's account, with the budget of a load.
    pub(super) fn loading<R>(&self, load: impl FnOnce() -> R) -> R {
        self.host.call.running.set(Running { owner: Owner::Room(0), task: None });
        self.host.call.wait.set(None);
        self.state.begin(Account::HOST, self.limits().load, 0);
        let loaded = load();
        self.turns.spend(self.state.end().fuel.min(self.limits().load));
        loaded
    }

    /// Whether code has run out of fuel so often in this tick that deferrable calls of it should wait.
    pub(super) fn is_suspect(&self, beginning: impl Fn() -> Beginning) -> bool {
        !self.exhausted.is_empty()
            && self.exhausted.get(&beginning()).is_some_and(|&times| times >= SUSPECT_AFTER)
    }

    /// Whether an owner has used up this many quarters of its budget for this tick; deferrable work then
    /// waits for the next.
    pub(super) fn is_spent(&mut self, owner: Owner, quarters: u64) -> bool {
        let now = self.host.world().tick_number();
        let limit = self.limits().tick;
        let spent = |book: &&mut Book| book.tick == now && book.spent >= limit / 4 * quarters;
        let Some(book) = self.books.get_mut(&owner).filter(spent) else { return false };
        if !std::mem::replace(&mut book.told, true) {
            let who = self.name_of(owner);
            let text = format!(
                "{who} has more to do than the {limit} instructions of a tick; its timers and sequences wait for the next"
            );
            self.host.note(Note::Log { level: Level::Warn, place: String::new(), text });
        }
        true
    }

    /// Closes the book of an owner that is gone. Data that it gave to other scripts stays on its account
    /// until they release it.
    pub(super) fn close_book(&mut self, owner: Owner) {
        if let Some(book) = self.books.remove(&owner) {
            self.state.meter().close_account(book.account);
        }
    }

    /// Counts an error; only the first of its kind is reported. An error without a place gets the beginning
    /// of the code that ran.
    pub(super) fn report(&mut self, owner: Owner, event: &str, error: &mlua::Error, beginning: Beginning) {
        self.count_failure(owner, event, Failure::of(error, beginning));
    }

    pub(super) fn count_failure(&mut self, owner: Owner, event: &str, failure: Failure) {
        let Failure { place, message, traceback, .. } = failure;
        self.count_error(owner, event, place, message, traceback);
    }

    /// Calls a handler. An error ends this call only; too many in a row, or an exhausted budget, switch the
    /// handler off.
    pub(super) fn call_handler<R: mlua::FromLuaMulti>(
        &mut self,
        owner: Owner,
        event: &str,
        function: &Function,
        args: impl IntoLuaMulti,
    ) -> Option<R> {
        let outcome = self.attempt(owner, None, || beginning_of(function), || function.call::<R>(args));
        match outcome {
            Ok(result) => {
                self.host.faults.borrow_mut().went_well(owner, event);
                Some(result)
            }
            Err(failure) => {
                self.handler_failed(owner, event, failure);
                None
            }
        }
    }

    /// Calls a repeated function, such as that of `every`, which failed `failures` times in a row before.
    /// Returns the new count; `None` if it must not be called again.
    pub(super) fn call_again(
        &mut self,
        owner: Owner,
        event: &str,
        function: &Function,
        args: impl IntoLuaMulti,
        failures: u32,
    ) -> Option<u32> {
        let outcome = self.attempt(owner, None, || beginning_of(function), || function.call::<()>(args));
        let Err(failure) = outcome else { return Some(0) };
        let over = failure.exhausted || failures + 1 >= MOST_IN_A_ROW;
        self.count_failure(owner, event, failure);
        (!over).then_some(failures + 1)
    }

    /// Counts a handler's error, and switches the handler off if it failed too often.
    pub(super) fn handler_failed(&mut self, owner: Owner, event: &str, failure: Failure) {
        if failure.is_of_others || self.belongs_to_another(owner, &failure.place.0) {
            return self.count_failure(owner, event, failure);
        }
        let in_a_row = self.host.faults.borrow_mut().failed(owner, event);
        let reason = match failure.exhausted {
            true => "it used up what it may".to_owned(),
            false => format!("{in_a_row} errors in a row"),
        };
        if failure.exhausted || in_a_row >= MOST_IN_A_ROW {
            self.switch_off(owner, event, &failure, &reason);
        }
        if !failure.exhausted && in_a_row == MOST_IN_A_ROW {
            // The error was reported nine calls ago, and perhaps for another character.
            let text =
                format!("{event} of {} is switched off until the next reload: {reason}", self.name_of(owner));
            let (file, line) = &failure.place;
            let place = if file.is_empty() {
                String::new()
            } else {
                format!("{}:{line}", self.whole_name(file.clone()))
            };
            self.host.note(Note::Log { level: Level::Warn, place, text });
        }
        self.count_failure(owner, event, failure);
    }

    /// Whether a file that failed belongs to another script: a table of that one has called it, and a handler that only
    /// read the table is not to blame.
    fn belongs_to_another(&self, owner: Owner, file: &str) -> bool {
        let (module, modules) = (self.module_of(owner), self.host.modules.borrow());
        module != file
            && modules.all.contains_key(file)
            && !modules.with_requirements(&BTreeSet::from([module])).contains(file)
    }

    /// Switches a handler off until a reload.
    pub(super) fn switch_off(&mut self, owner: Owner, event: &str, failure: &Failure, reason: &str) {
        let (file, line) = &failure.place;
        let place = if file.is_empty() {
            String::new()
        } else {
            format!("{}:{line}: ", self.whole_name(file.clone()))
        };
        let message = shortened(failure.message.clone(), MAX_MESSAGE_BYTES);
        let off = Off {
            file: self.module_of(owner),
            why: format!("{place}{message} ({reason})"),
            tick: self.host.world().tick_number(),
        };
        self.host.faults.borrow_mut().switch_off(owner, event, off);
    }

    pub(super) fn report_problem(&mut self, problem: &Problem) {
        let hint = problem.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        let message = format!("{}{hint}", problem.message);
        self.count_error(
            Owner::Room(0),
            "loading",
            (problem.file.clone(), problem.line),
            message,
            Vec::new(),
        );
    }

    pub(super) fn count_error(
        &mut self,
        owner: Owner,
        event: &str,
        (file, line): Beginning,
        message: String,
        traceback: Vec<String>,
    ) {
        self.error_count += 1;
        let message = shortened(message, MAX_MESSAGE_BYTES);
        let (who, tick) = (self.name_of(owner), self.host.world().tick_number());
        let (file, line) = match file.is_empty() {
            true => (self.module_of(owner), 1),
            false => (self.whole_name(file), line),
        };
        let key = (file.clone(), line, message.clone());
        if let Some(known) = self.errors.get_mut(&key) {
            known.count += 1;
            return;
        }
        let event = event.to_owned();
        let error = ScriptError { file, line, message, who, event, tick, count: 1, traceback };
        if self.errors.len() < MAX_DIFFERENT_ERRORS {
            log::debug!("script error: {error}");
            self.host.note(Note::Error(error.clone()));
            self.errors.insert(key, error);
        } else if !std::mem::replace(&mut self.overflow_reported, true) {
            let text =
                format!("more than {MAX_DIFFERENT_ERRORS} different errors; further ones are only counted");
            self.host.note(Note::Log { level: Level::Error, place: String::new(), text });
        }
    }

    /// The full file name: Lua shortens long ones in its messages, to `…` and their end.
    pub(super) fn whole_name(&self, file: String) -> String {
        let Some(end) = file.strip_prefix("...") else { return file };
        let modules = self.host.modules.borrow();
        let mut longer = modules.paths().filter(|path| path.ends_with(end));
        longer.next().cloned().unwrap_or(file)
    }

    /// The file of an owner's behaviour.
    pub(super) fn module_of(&self, owner: Owner) -> String {
        self.host.module_of(owner).unwrap_or_default()
    }

    pub(super) fn name_of(&self, owner: Owner) -> String {
        match owner {
            Owner::CONSOLE => "the console".to_owned(),
            Owner::SPEC => SPEC_NAME.to_owned(),
            Owner::Room(_) => "the room".to_owned(),
            Owner::Character(id) => self.host.world().name_of(id).to_owned(),
        }
    }
}

/// The book of an owner that is about to run.
fn book_of<'a>(books: &'a mut BTreeMap<Owner, Book>, owner: Owner, now: u64, meter: &Meter) -> &'a mut Book {
    let open = || Book { account: meter.open_account(), tick: now, spent: 0, calls: 0, told: false };
    let book = books.entry(owner).or_insert_with(open);
    if book.tick != now {
        (book.tick, book.spent, book.calls) = (now, 0, 0);
    }
    book
}

impl Failure {
    /// An error without a place gets the beginning of the code that ran.
    pub(super) fn of(error: &mlua::Error, beginning: Beginning) -> Self {
        let (file, line, mut message) = dissect(error);
        let place = if file.is_empty() { beginning } else { (file, line) };
        if let Some(mend) = hint(&message) {
            message = format!("{message}; {mend}");
        }
        Self { place, message, traceback: frames(error), exhausted: false, is_of_others: false }
    }
}

impl Book {
    /// The seed of this call: the same in every run, and after a save.
    fn seed_of_call(&mut self, owner: Owner) -> u64 {
        self.calls += 1;
        let owner = match owner {
            Owner::Room(number) => number as u64,
            Owner::Character(who) => 1 << 32 | u64::from(who.0),
        };
        seed_of([self.tick, owner, self.calls])
    }

    /// The fuel that a call may use now.
    fn grant(&self, limits: &Limits) -> u64 {
        // An event cannot wait: it gets a little even when the tick's budget is gone.
        let left = limits.tick.saturating_sub(self.spent).max(limits.call / 100);
        limits.call.min(left)
    }
}

/// Limits the memory used by a script whose error messages are always different.
const MAX_DIFFERENT_ERRORS: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::ScriptLimits;
    use crate::world::World;

    #[test]
    fn a_panic_in_a_host_function_is_a_script_error() {
        let room = br#"{"areas": [{"name": "a", "polygon": [[0, 0], [4, 0], [4, 4]]}]}"#;
        let room = crate::room::parse("a.json", room).unwrap().room;
        let world = World::new(room, 0).unwrap();
        let project = crate::project::Project::containing("a.json".as_ref());
        let mut scripts = Scripts::new(world, project, ScriptLimits::default(), Default::default()).unwrap();
        let fail =
            scripts.lua().create_function(|_, ()| -> mlua::Result<()> { panic!("on purpose") }).unwrap();
        let caught = "local fail = ... return function() while true do pcall(fail) end end";
        let caught: Function =
            scripts.lua().load(caught).set_name("@scripts/a.lua").call(fail.clone()).unwrap();
        for function in [fail, caught] {
            assert_eq!(scripts.call_handler::<()>(Owner::Room(0), "on_load", &function, ()), None);
        }
        let errors: Vec<_> = scripts.errors.values().map(|error| error.message.clone()).collect();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert!(errors.iter().all(|message| message.contains("this is a bug")), "{errors:?}");
        // The state can still be used.
        let five = scripts.lua().load("return 2 + 3").into_function().unwrap();
        assert_eq!(scripts.call_handler::<i64>(Owner::Room(0), "on_load", &five, ()), Some(5));
    }
}
