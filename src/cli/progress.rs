//! A progress bar for terminals.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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

    pub(super) fn step(&self) {
        self.0.inc(1);
    }

    /// Writes lines while the bar is hidden.
    pub(super) fn aside(&self, write: impl FnOnce()) {
        self.0.suspend(write);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
