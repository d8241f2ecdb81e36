//! The common case of moving: a step to a place on the same level. A table consists of little else.

use super::trace::{LEVEL_QUANTS, Trace};
use crate::room::TacticsSettings;

/// The steps from a floor to places on the same level, as bits of directions. Two bytes, as a table reads one for each
/// place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Steps {
    pub(super) standing: u8,
    /// Those who crouch get wherever others do.
    pub(super) crouching: u8,
}

impl Steps {
    /// There are other moves, too: no steps are told.
    const OTHERS: Self = Self { standing: u8::MAX, crouching: 0 };

    /// Whether these are all moves on foot beside changes of stance, if the cell has no ladder.
    pub(super) fn is_all(self) -> bool {
        self != Self::OTHERS
    }

    /// The steps from a cell with room. They say what [`Rules::moves`](super::rules::Rules::moves) says.
    pub(super) fn of(trace: &Trace, [x, y, z]: [u32; 3], settings: &TacticsSettings) -> Self {
        let here = trace.at([x, y, z]);
        if here.ceiling <= 0 {
            return Self::default();
        }
        let bodies = [settings.body_quants(false), settings.body_quants(true)];
        // In mid-air, or too low to crouch.
        if here.floor < 0 || i32::from(here.ceiling) - i32::from(here.floor) < bodies[1] {
            return Self::OTHERS;
        }
        let mut steps = Self::default();
        let (step, fall) = (settings.step_quants(), settings.fall_quants());
        let floor = i32::from(here.floor);
        let above = [x, y, z + 1];
        let has_above = z + 1 < trace.size[2]
            && trace.space(above).is_some_and(|space| space[0] == floor + z as i32 * LEVEL_QUANTS);
        for direction in 0..8 {
            let Some([nx, ny]) = trace.beside([x, y], direction) else { continue };
            let bit = 1 << direction;
            // Stairs to the next level.
            let over = has_above.then(|| trace.at(above));
            let leads_up = |over: &super::trace::Cell| {
                i32::from(over.gaps[direction]) >= bodies[1]
                    && over.rises & bit != 0
                    && trace.at([nx, ny, z + 1]).floor >= 0
            };
            if over.is_some_and(leads_up) {
                return Self::OTHERS;
            }
            let gap = i32::from(here.gaps[direction]);
            if gap < bodies[1] {
                continue;
            }
            let there = i32::from(trace.at([nx, ny, z]).floor);
            // Over an edge, or down stairs, or onto a ladder.
            if there < 0 {
                return Self::OTHERS;
            }
            let fits = floor - there <= fall.max(step) || here.drops & bit != 0;
            if here.rises & bit != 0 && fits {
                steps.crouching |= bit;
                steps.standing |= if gap >= bodies[0] { bit } else { 0 };
            }
        }
        steps
    }
}
