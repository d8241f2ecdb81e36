//! How far a build is, and whether it goes on.

use std::ops::ControlFlow;

/// The caller stopped the build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// Maps the steps' own progress to that of the whole build.
pub(super) struct Progress<'a> {
    report: &'a mut dyn FnMut(f64) -> ControlFlow<()>,
    from: f64,
    to: f64,
    /// What was reported last. Steps that are repeated for a part do not go back.
    last: f64,
}

impl<'a> Progress<'a> {
    pub(super) fn new(report: &'a mut dyn FnMut(f64) -> ControlFlow<()>) -> Self {
        Self { report, from: 0.0, to: 0.0, last: 0.0 }
    }

    /// Begins the next step, which ends at `to` of the whole.
    pub(super) fn begin(&mut self, to: f64) -> Result<(), Stopped> {
        (self.from, self.to) = (self.to, to);
        self.at(0, 1)
    }

    /// Reports that `done` of `total` pieces of the step are done.
    pub(super) fn at(&mut self, done: usize, total: usize) -> Result<(), Stopped> {
        let share = (done as f64 / total.max(1) as f64).min(1.0);
        self.last = self.last.max(self.from + (self.to - self.from) * share);
        match (self.report)(self.last) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stopped),
        }
    }

    /// Like [`Self::at`], for loops with many cheap pieces: reports about thirty times.
    pub(super) fn sometimes(&mut self, done: usize, total: usize) -> Result<(), Stopped> {
        if done.is_multiple_of((total / 32).max(1)) { self.at(done, total) } else { Ok(()) }
    }
}
