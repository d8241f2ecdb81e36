//! The time of a room that is looked at: paused, stepped, faster or slower.

/// The slowest and the fastest speed.
const SPEEDS: (f64, f64) = (1.0 / 64.0, 1024.0);

/// The most steps of one order.
const MOST_ASKED: u64 = 36_000;

/// After a machine was suspended, or could not keep up, at most this much time is made up for, in seconds.
const MOST_BEHIND_S: f64 = 0.25;

/// Says how many steps are due.
#[derive(Debug, Clone)]
pub struct Clock {
    is_paused: bool,
    speed: f64,
    /// Steps that are due, and the part of the next one.
    due: f64,
    /// Steps that a page asked for while it is paused.
    asked: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { is_paused: false, speed: 1.0, due: 0.0, asked: 0 }
    }
}

impl Clock {
    /// Whether time stands still.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// The speed; 1 is that of real time.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Stops time, or lets it go on.
    pub fn set_paused(&mut self, is_paused: bool) {
        (self.is_paused, self.asked) = (is_paused, 0);
        self.due = self.due.fract();
    }

    /// Sets the speed; the answer is what it was limited to.
    pub fn set_speed(&mut self, speed: f64) -> f64 {
        // A NaN is no speed.
        self.speed = if speed.is_nan() { self.speed } else { speed.clamp(SPEEDS.0, SPEEDS.1) };
        self.speed
    }

    /// Pauses, and asks for steps.
    pub fn step_once(&mut self, steps: u64) {
        self.is_paused = true;
        self.asked = self.asked.saturating_add(steps).min(MOST_ASKED);
    }

    /// Lets time pass. [`Clock::take_step`] then tells whether a step is due.
    pub fn pass(&mut self, seconds: f64) {
        if !self.is_paused {
            self.due += seconds.min(MOST_BEHIND_S) * self.speed;
        }
    }

    /// Takes one of the steps that are due.
    pub fn take_step(&mut self, dt_s: f64) -> bool {
        if self.asked > 0 {
            self.asked -= 1;
            return true;
        }
        if self.is_paused || self.due < dt_s {
            return false;
        }
        self.due -= dt_s;
        true
    }

    /// Lets go of steps that the machine is too slow for.
    pub fn give_up_the_rest(&mut self, dt_s: f64) {
        self.due = self.due.min(dt_s);
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, MOST_ASKED};

    const DT_S: f64 = 1.0 / 64.0; // exact in binary

    fn steps(clock: &mut Clock) -> usize {
        std::iter::from_fn(|| clock.take_step(DT_S).then_some(())).count()
    }

    #[test]
    fn time_passes_at_its_speed() {
        let mut clock = Clock::default();
        clock.pass(0.125);
        assert_eq!(steps(&mut clock), 8);
        assert_eq!(clock.set_speed(0.5), 0.5);
        clock.pass(0.125);
        assert_eq!(steps(&mut clock), 4);
        clock.pass(3600.0);
        assert_eq!(steps(&mut clock), 8, "a suspended machine does not catch up");
        assert_eq!(clock.set_speed(f64::NAN), 0.5);
        assert_eq!(clock.set_speed(1e9), 1024.0);
    }

    #[test]
    fn a_paused_room_makes_the_steps_that_are_asked_for() {
        let mut clock = Clock::default();
        clock.step_once(3);
        clock.pass(10.0);
        assert_eq!(steps(&mut clock), 3);
        clock.step_once(u64::MAX);
        assert_eq!(steps(&mut clock) as u64, MOST_ASKED);
        clock.set_paused(false);
        clock.pass(DT_S);
        assert_eq!(steps(&mut clock), 1, "the pause is not made up for");
    }
}
