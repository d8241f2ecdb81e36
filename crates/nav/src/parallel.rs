//! Work in several threads. Results never depend on their number.

use std::convert::Infallible;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, available_parallelism};

/// More threads would wait for memory.
const MOST_THREADS: usize = 8;

/// The results of pieces of work, in their order. `done` is told how many are done, and may stop the work.
///
/// # Errors
/// That of `done`, if it stops the work.
pub(crate) fn map<T: Send, E>(
    pieces: usize,
    work: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(usize) -> Result<(), E>,
) -> Result<Vec<T>, E> {
    let (next, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results = Mutex::new(Vec::with_capacity(pieces));
    let lock = || results.lock().unwrap_or_else(PoisonError::into_inner);
    let go_on = || {
        let piece = next.fetch_add(1, Ordering::Relaxed);
        if piece >= pieces || is_stopped.load(Ordering::Relaxed) {
            return false;
        }
        let result = work(piece);
        lock().push((piece, result));
        true
    };
    let mut outcome = Ok(());
    std::thread::scope(|scope| {
        let threads = available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS).min(pieces);
        for _ in 1..threads {
            // Where there are no threads, this one does all the work.
            let _ = Builder::new().spawn_scoped(scope, || while go_on() {});
        }
        while outcome.is_ok() && go_on() {
            outcome = done(next.load(Ordering::Relaxed).min(pieces));
        }
        is_stopped.store(outcome.is_err(), Ordering::Relaxed);
    });
    outcome?;
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(piece, _)| *piece);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// The results of work on a list, in pieces of so many, in their order.
pub(crate) fn in_pieces<T: Send>(
    count: usize,
    of_piece: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let piece = |piece: usize| work(piece * of_piece..count.min((piece + 1) * of_piece));
    // It is never stopped.
    map(count.div_ceil(of_piece), piece, |_| Ok::<(), Infallible>(())).unwrap_or_default()
}

/// The result of work that needs this many bytes of stack, whatever the caller has left. Where there are no threads, it
/// makes do with that.
pub fn with_stack<T: Send>(bytes: usize, work: impl Fn() -> T + Sync) -> T {
    std::thread::scope(|scope| match Builder::new().stack_size(bytes).spawn_scoped(scope, &work) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => work(),
    })
}

/// The results of two pieces of work.
pub(crate) fn both<A: Send, B>(one: impl Fn() -> A + Sync, other: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| match Builder::new().spawn_scoped(scope, &one) {
        Ok(beside) => {
            let other = other();
            (beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
        }
        Err(_) => (one(), other()),
    })
}
