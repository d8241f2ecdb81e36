//! A cache of the jumps from the start of a search. A search that meets a character restarts from the same start, and
//! most jumps from the start are unchanged.

use super::jumps::{Direction, Jump, Seen};
use crate::grid::{Grid, QueryMask};
use std::ops::Range;

/// Steps are taken in stretches of this length; the next stretch waits in the open list. Jumps from the start are most
/// of the work on most maps, and half of them are never needed.
pub(super) const START_STEPS: u32 = 8;

/// The jumps from one cell, for one state of a ground. A cached jump is exactly the jump that would be found again, so
/// no result depends on the cache.
#[derive(Debug, Clone, Default)]
pub(super) struct StartJumps {
    edition: u64,
    start: (u32, u32),
    /// For each direction, in stretches of [`START_STEPS`].
    known: [Vec<StartJump>; 8],
    jumps: Vec<Jump>,
    /// The number of jumps that belong to `known`.
    kept: usize,
}

#[derive(Debug, Clone)]
struct StartJump {
    seen: Seen,
    jumps: Range<usize>,
}

impl StartJumps {
    /// Begins at a start. `again` says whether the jumps of the query before may be reused. Otherwise all are found
    /// again: the jumps from a start are not worth keeping for the next query from there.
    pub(super) fn begin(&mut self, ground: &Grid, start: (u32, u32), again: bool) {
        if !again || (self.edition, self.start) != (ground.edition(), start) {
            self.known.iter_mut().for_each(Vec::clear);
            (self.edition, self.start, self.kept) = (ground.edition(), start, 0);
        }
        self.jumps.truncate(self.kept);
    }

    /// The cells scanned and the jumps found in a direction, from a cell `steps` steps from the start. Cells covered
    /// by `mask` are blocked.
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

    /// One of the jumps found.
    pub(super) fn jump(&self, index: usize) -> Jump {
        self.jumps[index]
    }
}
