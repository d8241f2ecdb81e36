//! The game's own functions in Lua.

use crate::calls::{ANSWERS, Answer, CiceroneAnswer, CiceroneCall, with_answer};
use crate::handle::{CiceroneRoom, with, within};
use crate::options::{CiceroneOptions, change};
use crate::result::{CiceroneResult, Failure, guarded, invalid};
use crate::text::text;
use engine::script::{CallId, GameAnswer, GameApi};
use std::ffi::{c_char, c_void};
use std::sync::Mutex;

/// The code of a function of the game. It adds its results, if any, or an error to `answer`. It may give orders to its
/// room and look at it, as far as functions are not marked with "Not from a function of the game". `call` and `answer` live until it returns.
pub type CiceroneFunction =
    Option<unsafe extern "C" fn(user: *mut c_void, call: *const CiceroneCall, answer: *mut CiceroneAnswer)>;

/// The function and its pointer, in the thread that uses the room.
#[derive(Clone, Copy)]
struct Code {
    run: unsafe extern "C" fn(*mut c_void, *const CiceroneCall, *mut CiceroneAnswer),
    user: *mut c_void,
}

// SAFETY: it is called in the thread that uses the room, as the header says; the game decides which that is.
unsafe impl Send for Code {}

impl Code {
    fn call(&self, call: &mut engine::script::GameCall<'_>) -> Result<GameAnswer, engine::script::GameError> {
        let (given, answer) = (CiceroneCall::new(call.called().clone()), ANSWERS.add(Mutex::default()));
        // SAFETY: the function and its pointer are the game's; both arguments live during the call.
        within(call, || unsafe { (self.run)(self.user, &raw const given, answer) });
        let results = with_answer(answer, Answer::take).map_err(|Failure(_, why)| why)?;
        let _ = ANSWERS.remove(answer);
        Ok(results?)
    }
}

/// Adds a function to what scripts get.
unsafe fn declare(
    options: *mut CiceroneOptions,
    signature: *const c_char,
    about: *const c_char,
    add: impl FnOnce(GameApi, &str, &str) -> GameApi,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe {
        change(options, |settings| {
            let (signature, about) = (text(signature, "the signature")?, text(about, "about")?);
            let options = std::mem::take(&mut settings.options);
            settings.options = options.game_api(|api| add(api, signature, about));
            Ok(())
        })
    }
}

/// Gives scripts a function that answers at once, by its signature: "play_sound(name: string, volume?: number)",
/// "npc:health() -> health: number". `about` says in words what it does, for the reference and for editors. It is called
/// in the thread that uses the room. A wrong signature is an error of `cicerone_open`, which names it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_options_function(
    options: *mut CiceroneOptions,
    signature: *const c_char,
    about: *const c_char,
    function: CiceroneFunction,
    user: *mut c_void,
) -> CiceroneResult {
    let Some(run) = function else { return guarded(|| Err(invalid("the function is NULL"))) };
    let code = Code { run, user };
    // SAFETY: the rules of the header.
    unsafe {
        declare(options, signature, about, |api, signature, about| {
            api.function(signature, about, move |call| code.call(call))
        })
    }
}

/// Gives scripts a function that does not answer: each call is an event `CICERONE_EVENT_KIND_CALLED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_options_action(
    options: *mut CiceroneOptions,
    signature: *const c_char,
    about: *const c_char,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { declare(options, signature, about, |api, signature, about| api.action(signature, about)) }
}

/// Gives scripts a function that they wait for: each call is an event `CICERONE_EVENT_KIND_CALLED`, and the script goes
/// on after `cicerone_finish_call`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_options_waiting(
    options: *mut CiceroneOptions,
    signature: *const c_char,
    about: *const c_char,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { declare(options, signature, about, |api, signature, about| api.waiting(signature, about)) }
}

/// Ends a call that a script waits for. Not from a function of the game. `answer` may be NULL for no results; it is emptied, and you free it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_finish_call(
    room: *mut CiceroneRoom,
    call: u64,
    answer: *mut CiceroneAnswer,
) -> CiceroneResult {
    guarded(|| {
        let results = match answer.is_null() {
            true => Ok(GameAnswer::default()),
            false => with_answer(answer, Answer::take)?,
        };
        let results =
            results.map_err(|_| invalid("a call that is finished later cannot end with an error"))?;
        with(room, |held| {
            let finished = held.runtime().finish_call(CallId(call), results);
            finished.map_err(|error| Failure(CiceroneResult::Refused, error.to_string()))
        })
    })
}
