//! The code of a game's function. One thread runs it at a time, for whichever room.

use super::{GameAnswer, GameCall, GameError};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The code of a function of the game.
pub(in crate::script) struct Code {
    run: Mutex<Box<GameFn>>,
    /// The thread that runs it; 0 if none does.
    runner: AtomicU64,
}

type GameFn = dyn FnMut(&mut GameCall<'_>) -> Result<GameAnswer, GameError> + Send;

/// The number of a thread, from 1, and how much code it runs, one inside the other.
struct Runner {
    number: u64,
    depth: Cell<u32>,
}

static THREADS: AtomicU64 = AtomicU64::new(1);

thread_local! {
    static HERE: Runner =
        Runner { number: THREADS.fetch_add(1, Ordering::Relaxed), depth: Cell::new(0) };
}

/// The threads that run code and wait for other code meanwhile: for which.
static WAITING: Mutex<BTreeMap<u64, Arc<Code>>> = Mutex::new(BTreeMap::new());

fn waiting() -> MutexGuard<'static, BTreeMap<u64, Arc<Code>>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Code {
    pub(super) fn new(
        run: impl FnMut(&mut GameCall<'_>) -> Result<GameAnswer, GameError> + Send + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { run: Mutex::new(Box::new(run)), runner: AtomicU64::new(0) })
    }

    /// Uses the code, as soon as no other thread does.
    ///
    /// # Errors
    /// In words, if that would never be: code that steps another room may come back to itself.
    pub(in crate::script) fn with<R>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut GameFn) -> R,
    ) -> Result<R, &'static str> {
        HERE.with(|here| {
            let is_inside = here.depth.get() > 0;
            if is_inside {
                self.wait_from(here.number)?;
            }
            let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
            if is_inside {
                waiting().remove(&here.number);
            }
            self.runner.store(here.number, Ordering::SeqCst);
            here.depth.set(here.depth.get() + 1);
            let result = work(&mut **run);
            here.depth.set(here.depth.get() - 1);
            self.runner.store(0, Ordering::SeqCst);
            Ok(result)
        })
    }

    /// Notes that a thread that runs code waits for this code, unless it would wait for itself: then a thread runs this
    /// code that waits for code of a thread that waits, and so on, up to this thread.
    fn wait_from(self: &Arc<Self>, thread: u64) -> Result<(), &'static str> {
        let mut waiting = waiting();
        let mut code = self;
        for step in 0..=waiting.len() {
            let runner = code.runner.load(Ordering::SeqCst);
            if runner == thread {
                return Err(match step {
                    0 => "the game's code for it is running already: it stepped another room that called it",
                    _ => {
                        "the game's code for it runs in another thread, and waits there for code that runs here"
                    }
                });
            }
            let Some(next) = waiting.get(&runner) else { break };
            code = next;
        }
        waiting.insert(thread, self.clone());
        Ok(())
    }
}
