//! The arrow keys as a stick. Terminals report presses and repeats, and no releases, so each press holds for a while.

use glam::DVec2;

/// How long a press holds, in seconds of game time: a little longer than most keyboards take until they repeat a key
/// that is held. A short tap is a step of 0.7 m at the usual speed.
pub(super) const HELD_S: f64 = 0.5;

/// The arrow keys that are held. Those of one axis replace each other; both axes together steer diagonally.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stick {
    x: Option<Held>,
    z: Option<Held>,
    is_new: bool,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    towards: f64,
    /// The tick in which it is not held any more.
    until_tick: u64,
}

impl Stick {
    /// An arrow key was pressed, or is repeated.
    pub(super) fn press(&mut self, arrow: DVec2, until_tick: u64) {
        let held = |towards| Some(Held { towards, until_tick });
        match arrow.x != 0.0 {
            true => self.x = held(arrow.x),
            false => self.z = held(arrow.y),
        }
        self.is_new = true;
    }

    /// The direction from this tick on, if a key was pressed or is not held any more.
    pub(super) fn turned(&mut self, tick: u64) -> Option<DVec2> {
        let mut turned = std::mem::take(&mut self.is_new);
        for axis in [&mut self.x, &mut self.z] {
            turned |= axis.take_if(|held| held.until_tick <= tick).is_some();
        }
        let towards = |axis: Option<Held>| axis.map_or(0.0, |held| held.towards);
        turned.then(|| DVec2::new(towards(self.x), towards(self.z)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_holds_for_a_while_and_two_axes_steer_diagonally() {
        let mut stick = Stick::default();
        assert_eq!(stick.turned(0), None);
        stick.press(DVec2::X, 30);
        assert_eq!(stick.turned(0), Some(DVec2::X));
        assert_eq!(stick.turned(1), None, "told once");
        stick.press(DVec2::NEG_Y, 40);
        assert_eq!(stick.turned(10), Some(DVec2::new(1.0, -1.0)));
        stick.press(DVec2::NEG_X, 35);
        assert_eq!(stick.turned(11), Some(DVec2::new(-1.0, -1.0)), "the other way at once");
        assert_eq!(stick.turned(34), None);
        assert_eq!(stick.turned(35), Some(DVec2::NEG_Y));
        assert_eq!(stick.turned(50), Some(DVec2::ZERO));
        assert_eq!(stick.turned(51), None);
    }
}
