//! What decides whether a piece of ground is open.

use super::{AreaId, ObstacleId};

/// What lies on a piece of ground: on a polygon of a mesh, or on a cell. It is open if one of the areas is open (or
/// there are none, or the ground is given), no obstacle is there, and no piece of an outline is an outer edge now.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cover {
    /// Whether the room's file or its image gives the ground, so that areas cannot close it.
    pub given: bool,
    /// The areas that hold the ground, ascending. Empty for ground that cannot be closed.
    pub areas: Vec<AreaId>,
    /// The obstacles that are too near, ascending.
    pub obstacles: Vec<ObstacleId>,
    /// The pieces of outlines that are too near, as ascending indices of a list of them.
    pub outlines: Vec<u32>,
}

/// A piece of the outline of an area. It is an outer edge if an area on one side is open, and none on the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OutlinePiece {
    /// The areas on its left, ascending.
    pub left: Vec<AreaId>,
    /// The areas on its right, ascending.
    pub right: Vec<AreaId>,
}

impl OutlinePiece {
    /// Whether it is an outer edge now.
    pub(crate) fn is_outer(&self, is_area_open: impl Fn(AreaId) -> bool) -> bool {
        let is_any_open = |areas: &[AreaId]| areas.iter().any(|&area| is_area_open(area));
        is_any_open(&self.left) != is_any_open(&self.right)
    }
}

impl Cover {
    /// Whether ground with this cover is open now. `outlines` is the list that [`Cover::outlines`] are indices of.
    pub(crate) fn is_open(
        &self,
        outlines: &[OutlinePiece],
        is_area_open: impl Fn(AreaId) -> bool,
        is_lifted: impl Fn(ObstacleId) -> bool,
    ) -> bool {
        let is_ground = self.given || self.areas.is_empty() || self.areas.iter().any(|&a| is_area_open(a));
        is_ground
            && self.obstacles.iter().all(|&obstacle| is_lifted(obstacle))
            && !self.outlines.iter().any(|&piece| outlines[piece as usize].is_outer(&is_area_open))
    }

    /// Whether ground with this cover is open in some state of the areas, without obstacles.
    pub(crate) fn can_open(&self, outlines: &[OutlinePiece]) -> bool {
        // If no area on one side of a piece may be open, none on the other may be. What is left may be open together.
        let pieces = || self.outlines.iter().map(|&piece| &outlines[piece as usize]);
        let mut closed: Vec<AreaId> = Vec::new();
        loop {
            let is_open = |area: AreaId| !closed.contains(&area);
            let Some(outer) = pieces().find(|piece| piece.is_outer(is_open)) else {
                return self.is_open(outlines, is_open, |_| true);
            };
            let more = outer.left.iter().chain(&outer.right).copied();
            closed.extend(more.filter(|area| is_open(*area)).collect::<Vec<_>>());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all states of the areas.
    #[test]
    fn a_cover_can_open_if_some_state_opens_it() {
        let mut random = 1_u64;
        let mut draw = |end: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % end
        };
        let (mut can, mut cannot) = (0, 0);
        for _ in 0..3_000 {
            let mut some = |most: u64| -> Vec<AreaId> {
                let bits = draw(16) & draw(16 * most / 2);
                (0..4).filter(|area| bits >> area & 1 == 1).map(AreaId).collect()
            };
            let outlines: Vec<OutlinePiece> =
                (0..4).map(|_| OutlinePiece { left: some(2), right: some(2) }).collect();
            let areas = some(2);
            let given = areas.is_empty() || draw(4) == 0;
            let outlines_here = (0..draw(5) as u32).collect();
            let cover = Cover { given, areas, outlines: outlines_here, ..Cover::default() };
            let opens = |state: u32| cover.is_open(&outlines, |area| state >> area.0 & 1 == 1, |_| true);
            let expected = (0..16).any(opens);
            assert_eq!(cover.can_open(&outlines), expected, "{cover:?} {outlines:?}");
            *(if expected { &mut can } else { &mut cannot }) += 1;
        }
        assert!(can > 100 && cannot > 100, "{can} can open, {cannot} cannot");
    }
}
