//! Reachability: connectivity, floods, and searches for the nearest place of some kind.

use super::{Flood, Located, SearchMemory, Surface};
use crate::nav::{Anchor, Disc, Position, Refuge, Threat};
use glam::DVec2;

impl Surface {
    /// Whether a path may lead from one place to another, found without a search. `false` is certain on plain grids.
    /// In painted rooms it means only that the two nearest nodes in sight are not connected, or that a place has no
    /// node; a straight line or another node in sight may still lead there. `true` is certain except in painted rooms
    /// with eight neighbours, and on meshes with portals that lead one way only: there only a search can tell.
    pub fn may_reach(&self, from: impl Located, to: impl Located) -> bool {
        let (from, to) = (self.locate(from), self.locate(to));
        ask_at!(self, [from, to], ground => ground.may_connect(from, to))
    }

    /// The component of the ground at a position: no path leads from one to another. Within one a path may be missing, too,
    /// on meshes with one-way portals. Valid until the ground changes. `None` off the ground, and in painted rooms, where
    /// only a search can tell.
    pub(crate) fn component(&self, at: Position) -> Option<u32> {
        ask_at!(self, [at], ground => ground.component_of(at))
    }

    /// Whether certainly no path leads from one place to another. In painted rooms only a search can tell.
    pub fn never_reaches(&self, from: Position, to: Position) -> bool {
        let is_certain = match self {
            Self::Grid(grid) => grid.tells_reach(),
            Self::Mesh(_) => true,
        };
        is_certain && !self.may_reach(from, to)
    }

    /// Whether certainly a path leads from one walkable place to another. In painted rooms and on meshes only a search can
    /// tell.
    pub(crate) fn surely_reaches(&self, from: Position, to: Position) -> bool {
        matches!(self, Self::Grid(grid) if grid.tells_reach()) && self.may_reach(from, to)
    }

    /// Floods everything reachable from an anchor. The flood stops when `until` is reached, or when it exceeds
    /// `most_work`.
    pub fn flood(&self, from: &Anchor, until: Option<&Anchor>, most_work: u64) -> Flood {
        Flood::new(self, from, until, most_work)
    }

    /// The shortest path to the nearest place that `accept` returns true for. Distance is walking distance around the
    /// obstacles, limited to `reach_m`. The waypoints do not include `from`. The list is empty if `from` itself is
    /// accepted.
    pub fn find_nearest(
        &self,
        from: impl Located,
        obstacles: &[Disc],
        reach_m: f64,
        memory: &mut SearchMemory,
        mut accept: impl FnMut(Position) -> bool,
    ) -> Option<Vec<Position>> {
        let from = self.locate(from);
        match self {
            Self::Grid(grid) => {
                let accept = |at: DVec2| accept(Position::on_ground(at));
                let path = grid.find_nearest(from.at, obstacles, reach_m, &mut memory.grid, accept)?;
                Some(path.into_iter().map(Position::on_ground).collect())
            }
            Self::Mesh(mesh) => mesh.find_nearest(from, obstacles, reach_m, accept),
        }
    }

    /// The refuge from a threat for a character at `from`.
    ///
    /// A refuge is at least `threat.distance_m` away from the threat, as the crow flies. The shortest path to it must
    /// not come near the threat. Of several refuges, the one with the shortest path is taken.
    ///
    /// If there is no refuge, the result is the place farthest from the threat whose shortest path does not come near
    /// it.
    ///
    /// At most `most_work` expansions are spent. `None` if `from` is not walkable.
    pub fn find_refuge(&self, from: impl Located, threat: Threat, most_work: u64) -> Option<Refuge> {
        let from = self.locate(from);
        ask_at!(self, [from], ground => ground.find_refuge(from, threat, most_work))
    }

    /// Whether a search may avoid a subset of the obstacles of its query. If false, it avoids all of them or none.
    pub fn avoids_singly(&self) -> bool {
        ask!(self, ground => ground.avoids_singly())
    }
}
