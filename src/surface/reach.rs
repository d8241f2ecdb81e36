//! What can be walked to.

use super::{Flood, Located, SearchMemory, Surface};
use crate::nav::{Anchor, Disc, Position, Refuge, Threat};
use glam::DVec2;

impl Surface {
    /// Whether a way may lead from one place to another. "No" is certain. So is "yes", except in painted rooms with eight neighbours,
    /// which need a search to know. False where a place has no node.
    pub fn may_reach(&self, from: impl Located, to: impl Located) -> bool {
        let (from, to) = (self.locate(from), self.locate(to));
        self.floors_touch(from, to) && ask_at!(self, from, ground => ground.may_connect(from.at, to.at))
    }

    /// Floods everything that can be walked to from an anchor; it may stop early at `until`.
    pub fn flood(&self, from: &Anchor, until: Option<&Anchor>, most_work: u64) -> Flood {
        Flood::new(self, from, until, most_work)
    }

    /// The path to the nearest place, as a character walks, that `accept` likes; at most `reach_m` of way, round the obstacles. The waypoints
    /// leave out `from`; the list is empty if the place itself will do.
    pub fn find_nearest(
        &self,
        from: impl Located,
        obstacles: &[Disc],
        reach_m: f64,
        memory: &mut SearchMemory,
        mut accept: impl FnMut(Position) -> bool,
    ) -> Option<Vec<Position>> {
        let from = self.locate(from);
        let accept = |at: DVec2| accept(self.locate(at));
        let path = match self {
            Self::Grid(grid) => grid.find_nearest(from.at, obstacles, reach_m, &mut memory.grid, accept),
            #[cfg(test)]
            Self::Mesh(mesh) => mesh.on_storey_of(from).find_nearest(from.at, obstacles, reach_m, accept),
        };
        path.map(|path| path.into_iter().map(|at| self.locate(at)).collect())
    }

    /// The refuge from a threat for a character at `from`: of all places that are far enough away and whose shortest way does not
    /// lead past the threat, the one with the shortest way. If there is none, the farthest place that such a way leads to. At
    /// most `most_work` expansions are spent. `None` where nothing is walkable.
    pub fn find_refuge(&self, from: impl Located, threat: Threat, most_work: u64) -> Option<Refuge> {
        let from = self.locate(from);
        ask_at!(self, from, ground => ground.find_refuge(from.at, threat, most_work))
    }

    /// Whether a search may avoid some obstacles of its query and not the others; else it avoids all of them or none.
    pub fn avoids_singly(&self) -> bool {
        ask!(self, ground => ground.avoids_singly())
    }
}
