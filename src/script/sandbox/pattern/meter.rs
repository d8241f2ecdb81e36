//! The fuel of a match.

use super::stop::{Malformed, Stop};

/// Looks (reads of one byte) that take about as long as one Lua instruction. The matcher counts its work in
/// looks.
pub(super) const LOOKS_PER_UNIT: u64 = 4;

pub(super) struct Meter {
    given: u64,
    looks: u64,
    stop: Stop,
}

/// The match stops; the meter holds the reason. Results that carry the reason themselves cost a third of the
/// speed.
#[derive(Debug)]
pub(super) struct Halt;

impl Meter {
    pub(super) fn new(fuel: u64) -> Self {
        Self { given: fuel, looks: fuel.saturating_mul(LOOKS_PER_UNIT), stop: Stop::OutOfFuel }
    }

    pub(super) fn fuel_left(&self) -> u64 {
        let spent = self.given.saturating_mul(LOOKS_PER_UNIT) - self.looks;
        self.given - spent.div_ceil(LOOKS_PER_UNIT)
    }

    /// The reason for a [`Halt`].
    pub(super) fn stop(&self) -> Stop {
        self.stop
    }

    #[inline]
    pub(super) fn spend(&mut self, looks: u64) -> Result<(), Halt> {
        match self.looks.checked_sub(looks) {
            Some(left) => {
                self.looks = left;
                Ok(())
            }
            None => Err(self.run_dry()),
        }
    }

    #[cold]
    pub(super) fn refuse(&mut self, malformed: Malformed) -> Halt {
        self.stop = Stop::Malformed(malformed);
        Halt
    }

    #[cold]
    fn run_dry(&mut self) -> Halt {
        self.looks = 0;
        self.stop = Stop::OutOfFuel;
        Halt
    }
}
