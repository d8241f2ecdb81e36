//! Which instructions the hook looks at.
//!
//! A look costs as much as some instructions, so only some instructions are looked at, and each stands for all around it.
//! The distances between looks are drawn evenly from 1 to twice the mean, so that in the long run every place of every
//! loop is looked at equally often: what is charged is right on average, whatever the length of the loop, however short
//! the calls and coroutines. The stream of a call is decided by what is called and when, so that runs are repeatable,
//! before and after a save.

use crate::world::next_random;
use std::cell::Cell;

/// Mean distance of two looks. An armed hook costs nearly the same for any distance.
const MEAN: u32 = 97;

/// The same once a script has had long strings: eleven instructions on them may take long enough.
const QUICK_MEAN: u32 = 11;

/// Smallest mean distance: a look takes as long as some instructions.
const LEAST_MEAN: u32 = 4;

/// An expensive instruction is looked at so often that one look charges no more than this for it, if possible.
const FUEL_PER_LOOK: u64 = 8000;

/// The looks of the running call.
#[derive(Debug)]
pub(super) struct Sampling {
    mean: Cell<u32>,
    stream: Cell<u64>,
}

impl Sampling {
    pub(super) fn new() -> Self {
        Self { mean: Cell::new(MEAN), stream: Cell::new(0) }
    }

    /// Begins the stream of a call.
    pub(super) fn begin(&self, seed: u64, quick: bool) {
        self.mean.set(if quick { QUICK_MEAN } else { MEAN });
        self.stream.set(seed);
    }

    /// The distance to the next look.
    pub(super) fn gap(&self) -> i32 {
        self.draw() as i32
    }

    /// The distance from the beginning of a call or of a coroutine's run to its first look. As if the looks had begun long
    /// before: the distance from any place to the next look is rather short than long.
    pub(super) fn first_gap(&self) -> i32 {
        self.draw().min(self.draw()) as i32
    }

    /// What to charge for the extra cost of an instruction that is looked at: it stands for all of its kind. Expensive ones
    /// are looked at more often for the rest of the call, so that few of them pass before the budget ends.
    pub(super) fn price(&self, extra: u64) -> u64 {
        if extra == 0 {
            return 0;
        }
        let mean = self.mean.get();
        let wanted = u32::try_from(FUEL_PER_LOOK / extra).unwrap_or(u32::MAX).max(LEAST_MEAN);
        self.mean.set(mean.min(wanted));
        extra.saturating_mul(u64::from(mean))
    }

    /// Looks more often, as there are long strings; true if that is new.
    pub(super) fn quicken(&self) -> bool {
        let mean = self.mean.get();
        self.mean.set(mean.min(QUICK_MEAN));
        mean > QUICK_MEAN
    }

    /// A number from 1 to twice the mean less one, all equally likely.
    fn draw(&self) -> u32 {
        let mut stream = self.stream.get();
        let drawn = next_random(&mut stream);
        self.stream.set(stream);
        1 + (drawn * f64::from(2 * self.mean.get() - 1)) as u32
    }
}

/// The seed of a stream that belongs to these numbers.
pub(in crate::script) fn seed_of(numbers: [u64; 3]) -> u64 {
    // The bits of a random number are spread over all of the next seed.
    numbers.into_iter().fold(0, |seed, number| {
        let mut stream = seed ^ number.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        next_random(&mut stream).to_bits()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks at each place of a loop, in this many instructions.
    fn looks(body: usize, instructions: usize) -> Vec<usize> {
        let sampling = Sampling::new();
        sampling.begin(1, false);
        let (mut at, mut looks) = (sampling.first_gap() as usize - 1, vec![0; body]);
        while at < instructions {
            looks[at % body] += 1;
            at += sampling.gap() as usize;
        }
        looks
    }

    #[test]
    fn every_place_of_every_loop_is_looked_at_equally_often() {
        for body in 1..=200 {
            let instructions = 97 * 1000 * body;
            let looks = looks(body, instructions);
            for (place, &looks) in looks.iter().enumerate() {
                assert!(
                    (800..1200).contains(&looks),
                    "place {place} of {body}: {looks} looks instead of 1000"
                );
            }
        }
    }

    #[test]
    fn short_calls_are_looked_at_as_often_as_long_ones() {
        let sampling = Sampling::new();
        for length in [1, 5, 20, 90, 300] {
            let calls = 97 * 10_000 / length;
            let mut looks = 0;
            for call in 0..calls {
                sampling.begin(seed_of([call as u64, 0, 0]), false);
                let mut at = sampling.first_gap();
                while at <= length {
                    looks += 1;
                    at += sampling.gap();
                }
            }
            assert!((9500..10_500).contains(&looks), "{length}: {looks} looks instead of 10000");
        }
    }
}
