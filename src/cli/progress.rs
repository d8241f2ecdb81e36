//! A progress bar for terminals.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// A bar of this many steps on standard error, if that is a terminal; it disappears when dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new(what: &'static str, steps: u64) -> Self {
        // Ten times a second is smooth enough, and does not slow the work down.
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{msg:>12} [{bar:30}] {pos}/{len} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what);
        Self(bar)
    }

    /// A counter for an unknown number of steps.
    pub(super) fn looking(what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{pos} {msg} {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(what);
        Self(bar)
    }

    fn reach(&self, position: u64) {
        self.0.set_position(position);
    }

    pub(super) fn step(&self) {
        self.0.inc(1);
    }

    /// Writes lines while the bar is hidden.
    pub(super) fn aside(&self, write: impl FnOnce()) {
        self.0.suspend(write);
    }
}

/// A build that takes longer is shown.
const LONG_BUILD: Duration = Duration::from_millis(300);

/// The time at which a build began, and its bar.
type Build = Option<(Instant, Option<Progress>)>;

/// Shows how far the build of a level is. Builds on other threads are not shown: they belong to rooms that run, and the
/// terminal is theirs.
#[allow(clippy::disallowed_methods)] // times the display; the simulation never sees it
pub(super) fn show_build(_file: &str, share: f64) {
    thread_local! {
        static BUILD: RefCell<Build> = const { RefCell::new(None) };
    }
    if std::thread::current().name() != Some("main") {
        return;
    }
    BUILD.with_borrow_mut(|build| {
        if share >= 1.0 {
            *build = None;
            return;
        }
        let (begun, bar) = build.get_or_insert_with(|| (Instant::now(), None));
        if bar.is_none() && begun.elapsed() >= LONG_BUILD {
            *bar = Some(Progress::new("navmesh", 100));
        }
        if let Some(bar) = bar {
            bar.reach((share * 100.0) as u64);
        }
    });
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
