//! The clock, and statistics of times.

use std::time::Instant;

/// The duration of some work in microseconds, and its result.
#[allow(clippy::disallowed_methods)] // the simulation must not read the clock; a benchmark must
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let began = Instant::now();
    let result = std::hint::black_box(work());
    (began.elapsed().as_secs_f64() * 1e6, result)
}

/// A stopwatch for work in phases.
pub(super) struct Laps(Instant);

impl Laps {
    #[allow(clippy::disallowed_methods)]
    pub(super) fn begin() -> Self {
        Self(Instant::now())
    }

    /// Microseconds since the last lap.
    #[allow(clippy::disallowed_methods)]
    pub(super) fn lap(&mut self) -> f64 {
        let now = Instant::now();
        (now - std::mem::replace(&mut self.0, now)).as_secs_f64() * 1e6
    }
}

/// The quantile at `share` (0 to 1); 0 without values.
pub(super) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or(0.0)
}

pub(super) fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

pub(super) fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}
