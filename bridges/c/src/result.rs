//! Results of functions, and the words of the last error.

use crate::text::c_string;
use engine::runtime::{OpenError, SaveError};
use engine::world::CommandError;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What became of a call.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CiceroneResult {
    /// It was done.
    Ok = 0,
    /// An argument makes no sense: NULL, text that is no UTF-8, a number that is not finite.
    Invalid = 1,
    /// There is no such character, area, link, place or file.
    NotFound = 2,
    /// The room refuses the command.
    Refused = 3,
    /// A room, script, save or recording cannot be read or written.
    File = 4,
    /// The room is being used by another call.
    Busy = 5,
    /// A fault in cicerone. The room cannot be used any more, only closed.
    Panic = 6,
}

/// A failed call: the result and the words.
#[derive(Debug)]
pub(crate) struct Failure(pub CiceroneResult, pub String);

pub(crate) fn invalid(words: impl Into<String>) -> Failure {
    Failure(CiceroneResult::Invalid, words.into())
}

pub(crate) fn not_found(words: impl Into<String>) -> Failure {
    Failure(CiceroneResult::NotFound, words.into())
}

pub(crate) fn of_file(words: impl ToString) -> Failure {
    Failure(CiceroneResult::File, words.to_string())
}

impl From<CommandError> for Failure {
    fn from(error: CommandError) -> Self {
        let result = match error {
            CommandError::Gone(_)
            | CommandError::NoSuchArea(..)
            | CommandError::NoSuchLink(..)
            | CommandError::NoSuchWaypath(..)
            | CommandError::NoSuchHotspot(..)
            | CommandError::NothingToUse(..) => CiceroneResult::NotFound,
            CommandError::BadNumber(_) => CiceroneResult::Invalid,
            _ => CiceroneResult::Refused,
        };
        Self(result, error.to_string())
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        of_file(error)
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        of_file(error)
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs a function's work. A panic becomes a result, too.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> CiceroneResult {
    let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let words = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("for no known reason");
        Err(Failure(CiceroneResult::Panic, format!("a fault in cicerone: {words}")))
    });
    match outcome {
        Ok(()) => CiceroneResult::Ok,
        Err(Failure(result, words)) => {
            LAST.with_borrow_mut(|last| *last = c_string(words));
            result
        }
    }
}

/// Why the last call of this thread failed, in words. Valid until the next call that fails.
#[unsafe(no_mangle)]
pub extern "C" fn cicerone_last_error() -> *const c_char {
    LAST.with_borrow(|last| last.as_ptr())
}
