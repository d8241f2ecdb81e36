//! What C holds of a room, of options and of answers is a number in the form of a pointer. It is looked up, not
//! followed, and none is given twice: what is closed, freed or of another library is an error and no crash.

use crate::result::{Failure, invalid};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The next number of any kind. All are odd: no object of C has such an address.
static NEXT: AtomicUsize = AtomicUsize::new(FIRST);
const FIRST: usize = 0x11;

/// All values of a kind, by their numbers.
pub(crate) struct Numbers<T> {
    /// "the room", for messages.
    what: &'static str,
    /// "closed", for messages.
    ended: &'static str,
    all: Mutex<BTreeMap<usize, Arc<T>>>,
}

impl<T> Numbers<T> {
    pub(crate) const fn new(what: &'static str, ended: &'static str) -> Self {
        Self { what, ended, all: Mutex::new(BTreeMap::new()) }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<usize, Arc<T>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a value: what C gets for it.
    pub(crate) fn add<P>(&self, value: T) -> *mut P {
        let number = NEXT.fetch_add(2, Ordering::Relaxed);
        self.all().insert(number, Arc::new(value));
        std::ptr::without_provenance_mut(number)
    }

    /// The value that C means.
    pub(crate) fn find<P>(&self, given: *const P) -> Result<Arc<T>, Failure> {
        self.all().get(&given.addr()).cloned().ok_or_else(|| self.unknown(given.addr()))
    }

    /// Forgets a value; it is dropped with the last call that uses it.
    pub(crate) fn remove<P>(&self, given: *const P) -> Result<Arc<T>, Failure> {
        // Dropped outside of the lock: the end of a room may call the game.
        let removed = self.all().remove(&given.addr());
        removed.ok_or_else(|| self.unknown(given.addr()))
    }

    fn unknown(&self, number: usize) -> Failure {
        let Self { what, ended, .. } = self;
        let was_given = number % 2 == 1 && (FIRST..NEXT.load(Ordering::Relaxed)).contains(&number);
        match number {
            0 => invalid(format!("{what} is NULL")),
            _ if was_given => invalid(format!("{what} is {ended}, or something else")),
            _ => invalid(format!("{what} is a pointer that cicerone did not give")),
        }
    }
}
