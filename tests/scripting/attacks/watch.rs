//! What an attack costs: time and memory, as near as the system tells.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How many times as long as on the machine the promise was made on this one takes for the same work; at least once.
/// Measured at first, when nothing else runs yet.
static SLOWNESS: LazyLock<f64> = LazyLock::new(slowness);

/// Whether what took so long is longer than promised. Before it says so it measures again: others may use the same
/// processor now.
pub(crate) fn is_longer_than(promised: Duration, took: Duration) -> bool {
    took > promised.mul_f64(*SLOWNESS) && took > promised.mul_f64(slowness())
}

fn slowness() -> f64 {
    const THERE: Duration = Duration::from_millis(28);
    let work = || {
        let watch = Stopwatch::begin();
        let mut words: Vec<u64> = (0..1 << 16).collect();
        for round in 0..8 {
            words
                .iter_mut()
                .for_each(|word| *word = black_box(word.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ round));
            words.sort_unstable();
            // Attacks take memory, too, which other processes slow down more than arithmetic.
            let texts: Vec<String> = words.iter().step_by(4).map(ToString::to_string).collect();
            black_box(&texts);
            let pages = black_box(vec![1_u8; 4 << 20]);
            black_box(pages.iter().step_by(64).map(|&byte| u64::from(byte)).sum::<u64>());
        }
        black_box(&words);
        watch.elapsed()
    };
    let best = (0..3).map(|_| work()).min().unwrap_or(THERE);
    (best.as_secs_f64() / THERE.as_secs_f64()).max(1.0)
}

/// A stopwatch that leaves out what others did meanwhile, where the system tells (Linux): the tests of a busy machine
/// stand in each other's way. Elsewhere it is wall time.
pub(crate) struct Stopwatch {
    begun: Instant,
    processor: Option<Duration>,
}

impl Stopwatch {
    pub(crate) fn begin() -> Self {
        Self { processor: processor_time(), begun: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        let wall = self.begun.elapsed();
        match (self.processor, processor_time()) {
            (Some(before), Some(now)) => wall.min(now.saturating_sub(before)),
            _ => wall,
        }
    }
}

/// What this thread has used of the processor.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The memory that this process has in use, in MiB. The second field of statm counts pages; they have 4 KiB on the
/// machines that run tests, and if they are larger, the check is only more lenient.
pub(crate) fn resident_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages / 256)
}
