//! A thread that watches the clock while scripts run. Fuel ends every script at the same instruction on every
//! machine; the watchdog covers work that fuel does not measure, and reports long waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// State shared by the script thread and the watchdog.
#[derive(Debug, Clone, Default)]
pub(in crate::script) struct Pulse(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Goes up when a call begins and when it ends: odd while scripts run.
    beat: AtomicU64,
    /// The call (by its beat) to report.
    late: AtomicU64,
    /// The call (by its beat) to stop.
    overdue: AtomicU64,
}

impl Pulse {
    pub(super) fn begin(&self) {
        self.0.beat.store(self.0.beat.load(Ordering::Relaxed) | 1, Ordering::Relaxed);
    }

    pub(super) fn end(&self) {
        self.0.beat.store((self.0.beat.load(Ordering::Relaxed) | 1) + 1, Ordering::Relaxed);
    }

    /// Whether to report the running call; true once per call.
    pub(super) fn take_late(&self) -> bool {
        let late = self.0.late.load(Ordering::Relaxed);
        late != 0
            && late == self.0.beat.load(Ordering::Relaxed)
            && self.0.late.swap(0, Ordering::Relaxed) == late
    }

    pub(super) fn is_overdue(&self) -> bool {
        let overdue = self.0.overdue.load(Ordering::Relaxed);
        overdue != 0 && overdue == self.0.beat.load(Ordering::Relaxed)
    }
}

/// A thread that reports a script that holds the game up, and stops it if it continues.
#[derive(Debug)]
pub struct Watchdog {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Polling interval. The watchdog counts polls, not time: a machine that slept for an hour has not been held
/// up by a script.
const LOOK: Duration = Duration::from_millis(50);

impl Watchdog {
    /// Starts the watchdog: a script call is reported after `name_after`, and stopped after `stop_after`, if
    /// that is given.
    pub(in crate::script) fn new(pulse: &Pulse, name_after: Duration, stop_after: Option<Duration>) -> Self {
        let looks = |time: Duration| (time.as_millis() / LOOK.as_millis()).max(1);
        let (name_after, stop_after) = (looks(name_after), stop_after.map_or(u128::MAX, looks));
        let (pulse, stop) = (pulse.0.clone(), Arc::new(AtomicBool::new(false)));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let (mut last, mut count) = (0, 0_u128);
            while !stopped.load(Ordering::Relaxed) {
                std::thread::park_timeout(LOOK);
                let beat = pulse.beat.load(Ordering::Relaxed);
                count = if beat == last && beat % 2 == 1 { count + 1 } else { 0 };
                last = beat;
                if count == name_after {
                    pulse.late.store(beat, Ordering::Relaxed);
                }
                if count == name_after + 4 && pulse.late.load(Ordering::Relaxed) == beat {
                    log::warn!(
                        "a script has held the game up for more than a second, inside one library call"
                    );
                }
                if count >= stop_after {
                    pulse.overdue.store(beat, Ordering::Relaxed);
                }
            }
        });
        Self { stop, thread: Some(thread) }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The thread panics only if the system cannot put threads to sleep; nothing can be done about it
            // here.
            let _ = thread.join();
        }
    }
}
