//! What is seen from where a search begins. A search that finds a character in the way begins again from the same place, and most of what there
//! is to see from it is still the same.

use crate::grid::{Direction, Grid, Jump, QueryMask, Seen};
use std::ops::Range;

/// This many primary steps are taken from the start at once. What lies behind them waits for its turn: on most maps most of the looking is done
/// from the start, and half of it in directions that lead nowhere.
pub(super) const START_STEPS: u32 = 8;

/// The looks from a cell, of one state of a ground: remembered is exactly what would be found again, so no answer depends on it.
#[derive(Debug, Clone, Default)]
pub(super) struct StartJumps {
    edition: u64,
    start: (u32, u32),
    /// In each direction, [`START_STEPS`] at a time.
    known: [Vec<StartJump>; 8],
    jumps: Vec<Jump>,
    /// How many of the jumps belong to what is known.
    kept: usize,
}

#[derive(Debug, Clone)]
struct StartJump {
    seen: Seen,
    jumps: Range<usize>,
}

impl StartJumps {
    /// Begins to look from a cell; `again` if this may go on with the query before. Else all is looked at anew: what is seen from a start is
    /// not worth keeping for the next search from there.
    pub(super) fn begin(&mut self, ground: &Grid, start: (u32, u32), again: bool) {
        if !again || (self.edition, self.start) != (ground.edition(), start) {
            self.known.iter_mut().for_each(Vec::clear);
            (self.edition, self.start, self.kept) = (ground.edition(), start, 0);
        }
        self.jumps.truncate(self.kept);
    }

    /// What is seen from a cell so many steps from the start in a direction, with what `mask` covers blocked, and which jumps there are.
    pub(super) fn look(
        &mut self,
        ground: &Grid,
        mask: &QueryMask,
        (from, steps): ((u32, u32), u32),
        direction: Direction,
    ) -> (Seen, Range<usize>) {
        let known = &mut self.known[direction];
        let place = (steps / START_STEPS) as usize;
        if let Some(start) = known.get(place)
            && !start.seen.may_be_covered(mask, from, direction)
        {
            return (start.seen, start.jumps.clone());
        }
        let first = self.jumps.len();
        let seen = ground.jumps_from(mask, from, direction, START_STEPS, |jump| self.jumps.push(jump));
        let jumps = first..self.jumps.len();
        if mask.is_empty() && place == known.len() {
            known.push(StartJump { seen, jumps: jumps.clone() });
            self.kept = jumps.end;
        }
        (seen, jumps)
    }

    /// One of the jumps that were found.
    pub(super) fn jump(&self, index: usize) -> Jump {
        self.jumps[index]
    }
}
