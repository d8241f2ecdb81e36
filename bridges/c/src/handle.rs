//! A running room, as C holds it.

use crate::numbers::Numbers;
use crate::result::{CiceroneResult, Failure};
use crate::text::c_string;
use engine::runtime::{LiveReload, ReloadReport, Runtime, RuntimeEvent};
use engine::script::GameCall;
use engine::serve::Server;
use engine::world::{Applied, Command, CommandError, World};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::{CString, c_char};
use std::sync::{Mutex, TryLockError};

/// A running room.
pub enum CiceroneRoom {}

static ROOMS: Numbers<Mutex<Held>> = Numbers::new("the room", "closed");

pub(crate) struct Held {
    pub server: Server,
    pub watched: Option<LiveReload>,
    /// Reports of reloads that were not asked for yet.
    pub reloads: VecDeque<ReloadReport>,
    /// Events that were not asked for yet.
    pub events: VecDeque<RuntimeEvent>,
    /// The event that was given last.
    pub event: crate::events::Given,
    /// The text that was given last.
    text: CString,
}

impl Held {
    pub(crate) fn runtime(&mut self) -> &mut Runtime {
        self.server.runtime()
    }

    /// Keeps a text until the next one.
    pub(crate) fn keep(&mut self, text: impl Into<Vec<u8>>) -> *const c_char {
        self.text = c_string(text);
        self.text.as_ptr()
    }
}

/// Adds a room.
pub(crate) fn opened(runtime: Runtime) -> *mut CiceroneRoom {
    let server = Server::new(runtime);
    let event = crate::events::Given::default();
    let (events, reloads) = (VecDeque::new(), VecDeque::new());
    ROOMS.add(Mutex::new(Held { server, watched: None, reloads, events, event, text: CString::default() }))
}

/// Closes a room.
pub(crate) fn close(room: *const CiceroneRoom) -> Result<(), Failure> {
    let held = ROOMS.find(room)?;
    if let Err(TryLockError::WouldBlock) = held.try_lock() {
        return Err(Failure(CiceroneResult::Busy, "a room in use cannot be closed".into()));
    }
    drop(held);
    ROOMS.remove(room).map(drop)
}

thread_local! {
    /// The calls of functions of the game that run in this thread, innermost last, with their rooms.
    static CALLS: RefCell<Vec<(*const CiceroneRoom, *mut GameCall<'static>)>> = const { RefCell::new(Vec::new()) };
    /// The rooms that functions use in this thread, innermost last.
    static USED: RefCell<Vec<*const CiceroneRoom>> = const { RefCell::new(Vec::new()) };
}

/// The room, from outside or from a function of the game that its script calls.
pub(crate) enum Access<'a> {
    Room(&'a mut Held),
    Call(&'a mut GameCall<'a>),
}

thread_local! {
    /// The text that was given last within a function of the game.
    static TEXT: RefCell<CString> = RefCell::default();
}

impl Access<'_> {
    /// Keeps a text until the next one.
    pub(crate) fn keep(&mut self, text: impl Into<Vec<u8>>) -> *const c_char {
        match self {
            Self::Room(held) => held.keep(text),
            Self::Call(_) => TEXT.with_borrow_mut(|kept| {
                *kept = c_string(text);
                kept.as_ptr()
            }),
        }
    }

    pub(crate) fn world(&mut self) -> &World {
        match self {
            Self::Room(held) => held.server.runtime().world(),
            Self::Call(call) => call.world(),
        }
    }

    /// Within a function of the game a script that does not exist is an error of the script instead.
    pub(crate) fn trouble_with_script(&mut self, script: &str) -> Option<String> {
        match self {
            Self::Room(held) => held.runtime().trouble_with_script(script),
            Self::Call(_) => None,
        }
    }

    pub(crate) fn apply(&mut self, command: Command) -> Result<Applied, CommandError> {
        match self {
            Self::Room(held) => held.runtime().apply(command),
            Self::Call(call) => call.apply(command),
        }
    }
}

/// Uses a room, from outside only.
pub(crate) fn with<T>(
    room: *const CiceroneRoom,
    work: impl FnOnce(&mut Held) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let handle = ROOMS.find(room)?;
    let mut held = match handle.try_lock() {
        Ok(held) => held,
        Err(TryLockError::WouldBlock) => {
            let words = "the room is used by another call: of another thread, or of the function that called back. Within a function of \
                 the game orders are carried out, and what the header does not mark otherwise";
            return Err(Failure(CiceroneResult::Busy, words.into()));
        }
        Err(TryLockError::Poisoned(_)) => {
            let words = "an earlier call met a fault in cicerone; the room can only be closed";
            return Err(Failure(CiceroneResult::Panic, words.into()));
        }
    };
    USED.with_borrow_mut(|used| used.push(room));
    let _leave = Leave(|| {
        USED.with_borrow_mut(Vec::pop);
    });
    work(&mut held)
}

/// Uses a room, also from a function of the game.
pub(crate) fn look<T>(
    room: *const CiceroneRoom,
    work: impl FnOnce(Access<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let inside = CALLS.with_borrow_mut(|calls| calls.pop_if(|(of, _)| *of == room && !room.is_null()));
    let Some((_, call)) = inside else {
        return with(room, |held| work(Access::Room(held)));
    };
    let _back = Leave(|| CALLS.with_borrow_mut(|calls| calls.push((room, call))));
    // SAFETY: the call is in the list only while it runs, in this thread, and nobody uses it. Now it is not in the list.
    work(Access::Call(unsafe { &mut *call.cast() }))
}

/// Runs a function of the game: meanwhile its room can be looked at.
pub(crate) fn within<T>(call: &mut GameCall<'_>, work: impl FnOnce() -> T) -> T {
    let room = USED.with_borrow(|used| used.last().copied()).unwrap_or(std::ptr::null());
    CALLS.with_borrow_mut(|calls| calls.push((room, std::ptr::from_mut(call).cast())));
    let _leave = Leave(|| {
        CALLS.with_borrow_mut(Vec::pop);
    });
    work()
}

/// Does something at the end, also after a panic.
struct Leave<F: FnMut()>(F);

impl<F: FnMut()> Drop for Leave<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
