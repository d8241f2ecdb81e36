//! How long path requests wait for their answers.

use serde::{Deserialize, Serialize};

/// The waits of path requests since the world began, in ticks. A request that is answered in the tick in which it is
/// searched first has waited for 0 ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct PathStats {
    /// Requests that were answered, those without a path included.
    pub answered: u64,
    /// Requests that wait for an answer now.
    #[serde(skip)]
    pub waiting: usize,
    /// The sum of all waits, in ticks.
    pub total_wait_ticks: u64,
    /// The longest wait, in ticks.
    pub max_wait_ticks: u64,
    /// How many requests waited for how long: 0 ticks, 1, 2 to 3, 4 to 7, and so on, twice as many in each entry. The
    /// last one has no upper limit.
    pub histogram: [u64; 16],
}

impl PathStats {
    /// The mean wait, in ticks. 0 without answered requests.
    pub fn mean_wait_ticks(&self) -> f64 {
        self.total_wait_ticks as f64 / self.answered.max(1) as f64
    }

    /// The number of ticks within which this share of the requests was answered, such as 0.99. It is exact for 0 and
    /// for 1 tick. Above, it is the upper end of the histogram's entry, or the longest wait.
    pub fn wait_within_ticks(&self, share: f64) -> u64 {
        let wanted = share * self.answered as f64;
        let mut so_far = 0;
        for (index, &count) in self.histogram.iter().enumerate() {
            so_far += count;
            if so_far as f64 >= wanted {
                return ((1 << index) - 1).min(self.max_wait_ticks);
            }
        }
        self.max_wait_ticks
    }

    /// Whether no request was answered yet.
    pub(crate) fn is_new(&self) -> bool {
        self.answered == 0
    }

    /// Counts a request that was answered after so many ticks.
    pub(super) fn answer(&mut self, wait_ticks: u64) {
        self.answered += 1;
        self.total_wait_ticks = self.total_wait_ticks.saturating_add(wait_ticks);
        self.max_wait_ticks = self.max_wait_ticks.max(wait_ticks);
        let entry = (u64::BITS - wait_ticks.leading_zeros()) as usize;
        self.histogram[entry.min(self.histogram.len() - 1)] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_counted_by_length() {
        let mut stats = PathStats::default();
        assert!(stats.is_new() && stats.mean_wait_ticks() == 0.0 && stats.wait_within_ticks(0.99) == 0);
        for wait in [0, 0, 0, 1, 2, 3, 4, 30, 1_000_000, u64::MAX] {
            stats.answer(wait);
        }
        assert_eq!(stats.histogram[..6], [3, 1, 2, 1, 0, 1]);
        assert_eq!((stats.answered, stats.histogram[15], stats.max_wait_ticks), (10, 2, u64::MAX));
        let within = [0.0, 0.3, 0.4, 0.5, 0.8, 1.0].map(|share| stats.wait_within_ticks(share));
        assert_eq!(within, [0, 0, 1, 3, 31, 32_767]);
    }
}
