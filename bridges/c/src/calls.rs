//! Calls of functions of the game: their arguments, and their results.

use crate::numbers::Numbers;
use crate::places::{CiceronePlace, finite};
use crate::result::{CiceroneResult, Failure, guarded, invalid};
use crate::text::{c_string, must_give, text};
use engine::script::{Called, GameAnswer, GameValue, WrongArgument};
use engine::world::CharacterId;
use std::ffi::{CString, c_char};
use std::sync::Mutex;

/// A call of a function of the game. Arguments count from 0.
pub struct CiceroneCall {
    called: Called,
    /// The arguments that are text; empty for the others.
    texts: Vec<CString>,
    function: CString,
}

/// The results of a call, or its error.
pub enum CiceroneAnswer {}

/// All answers: those that the game made, and those of functions that run.
pub(crate) static ANSWERS: Numbers<Mutex<Answer>> = Numbers::new("the answer", "freed");

#[derive(Default)]
pub(crate) struct Answer {
    values: Vec<GameValue>,
    error: Option<String>,
}

impl CiceroneCall {
    pub(crate) fn new(called: Called) -> Self {
        let texts = called.arguments.iter().map(|argument| match argument {
            GameValue::Text(text) => c_string(text.as_str()),
            _ => CString::default(),
        });
        Self { texts: texts.collect(), function: c_string(called.function), called }
    }

    pub(crate) fn function(&self) -> *const c_char {
        self.function.as_ptr()
    }
}

impl Answer {
    pub(crate) fn take(&mut self) -> Result<GameAnswer, String> {
        let values = std::mem::take(&mut self.values);
        self.error.take().map_or(Ok(GameAnswer(values)), Err)
    }
}

/// Reads an argument.
unsafe fn argument<T>(
    call: *const CiceroneCall,
    out: *mut T,
    read: impl FnOnce(&CiceroneCall) -> Result<T, WrongArgument>,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            let call = call.as_ref().ok_or_else(|| invalid("the call is NULL"))?;
            let value = read(call).map_err(|error| invalid(error.to_string()))?;
            must_give(out, value, "the place for the argument")
        }
    })
}

/// The function as scripts write it: "play_sound", "npc:play_animation". It lives as long as the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_call_function(call: *const CiceroneCall) -> *const c_char {
    // SAFETY: the rules of the header.
    unsafe { call.as_ref() }.map_or(std::ptr::null(), CiceroneCall::function)
}

/// The character that a method was called on; `CICERONE_NOBODY` if it was no method.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_call_who(call: *const CiceroneCall) -> u32 {
    // SAFETY: the rules of the header.
    let who = unsafe { call.as_ref() }.and_then(|call| call.called.who);
    who.map_or(crate::events::NOBODY, |id| id.0)
}

/// Whether an argument was given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_call_has(call: *const CiceroneCall, index: usize) -> bool {
    // SAFETY: the rules of the header.
    unsafe { call.as_ref() }.is_some_and(|call| *call.called.argument(index) != GameValue::Nil)
}

/// An argument that is text. It lives as long as the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_call_text(
    call: *const CiceroneCall,
    index: usize,
    out: *mut *const c_char,
) -> CiceroneResult {
    let read = |call: &CiceroneCall| {
        call.called.text(index)?;
        Ok(call.texts.get(index).map_or(std::ptr::null(), |text| text.as_ptr()))
    };
    // SAFETY: the rules of the header.
    unsafe { argument(call, out, read) }
}

/// An argument that is a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_call_number(
    call: *const CiceroneCall,
    index: usize,
    out: *mut f64,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { argument(call, out, |call| call.called.number(index)) }
}

/// An argument that is a whole number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_call_integer(
    call: *const CiceroneCall,
    index: usize,
    out: *mut i64,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { argument(call, out, |call| call.called.integer(index)) }
}

/// An argument that is true or false.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_call_boolean(
    call: *const CiceroneCall,
    index: usize,
    out: *mut bool,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { argument(call, out, |call| call.called.boolean(index)) }
}

/// An argument that is a character: its number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_call_character(
    call: *const CiceroneCall,
    index: usize,
    out: *mut u32,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { argument(call, out, |call| call.called.character(index).map(|id| id.0)) }
}

/// An argument that is a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_call_place(
    call: *const CiceroneCall,
    index: usize,
    out: *mut CiceronePlace,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    unsafe { argument(call, out, |call| call.called.place(index).map(Into::into)) }
}

/// An answer for `cicerone_finish_call`. A function of the game gets its own.
#[unsafe(no_mangle)]
pub extern "C" fn cicerone_answer_new() -> *mut CiceroneAnswer {
    ANSWERS.add(Mutex::default())
}

/// Frees an answer that `cicerone_answer_new` made. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_answer_free(answer: *mut CiceroneAnswer) -> CiceroneResult {
    guarded(|| if answer.is_null() { Ok(()) } else { ANSWERS.remove(answer).map(drop) })
}

/// Uses an answer.
pub(crate) fn with_answer<T>(
    answer: *const CiceroneAnswer,
    work: impl FnOnce(&mut Answer) -> T,
) -> Result<T, Failure> {
    let answer = ANSWERS.find(answer)?;
    let mut answer = answer.lock().map_err(|_| invalid("the answer is broken"))?;
    Ok(work(&mut answer))
}

/// Adds a result.
fn add(answer: *mut CiceroneAnswer, value: impl FnOnce() -> Result<GameValue, Failure>) -> CiceroneResult {
    guarded(|| {
        let value = value()?;
        with_answer(answer, |answer| answer.values.push(value))
    })
}

/// Adds nil to the results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_answer_nil(answer: *mut CiceroneAnswer) -> CiceroneResult {
    add(answer, || Ok(GameValue::Nil))
}

/// Adds text to the results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_answer_text(
    answer: *mut CiceroneAnswer,
    value: *const c_char,
) -> CiceroneResult {
    // SAFETY: the rules of the header.
    add(answer, || Ok(unsafe { text(value, "the text") }?.into()))
}

/// Adds a number to the results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_answer_number(answer: *mut CiceroneAnswer, value: f64) -> CiceroneResult {
    add(answer, || Ok(value.into()))
}

/// Adds a whole number to the results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_answer_integer(answer: *mut CiceroneAnswer, value: i64) -> CiceroneResult {
    add(answer, || Ok(value.into()))
}

/// Adds true or false to the results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_answer_boolean(answer: *mut CiceroneAnswer, value: bool) -> CiceroneResult {
    add(answer, || Ok(value.into()))
}

/// Adds a character to the results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_answer_character(answer: *mut CiceroneAnswer, who: u32) -> CiceroneResult {
    add(answer, || Ok(CharacterId(who).into()))
}

/// Adds a place to the results.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_answer_place(
    answer: *mut CiceroneAnswer,
    place: CiceronePlace,
) -> CiceroneResult {
    add(answer, || Ok(finite(place, "the place")?.into()))
}

/// Makes the call an error of the script, with these words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_answer_error(
    answer: *mut CiceroneAnswer,
    words: *const c_char,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        let words = unsafe { text(words, "the error") }?.to_owned();
        with_answer(answer, |answer| answer.error = Some(words))
    })
}
