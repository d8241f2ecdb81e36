//! What lies on the ground between edges, from the winding numbers of curves.

use super::sides::{SidedEdge, Windings};
use crate::nav::{AreaId, Cover, ObstacleId};
use std::collections::BTreeMap;

/// In place of a cover: no ground.
pub(super) const NO_GROUND: u32 = u32::MAX;

/// The numbers of curves: first the areas, then the obstacles, then the pieces of outlines.
#[derive(Debug, Clone, Copy)]
pub(super) struct CurveNumbers {
    pub(super) areas: usize,
    pub(super) obstacles: usize,
}

impl CurveNumbers {
    /// What lies where curves have these winding numbers.
    pub(super) fn cover(self, windings: &Windings) -> Cover {
        let mut cover = Cover::default();
        for &(curve, winding) in windings {
            let curve = curve as usize;
            let area = curve < self.areas;
            // Areas follow the even-odd rule. A grown polygon is wound round more than once where it meets itself.
            if if area { winding % 2 == 0 } else { winding <= 0 } {
                continue;
            }
            match curve.checked_sub(self.areas) {
                None => cover.areas.push(AreaId(curve)),
                Some(other) if other < self.obstacles => cover.obstacles.push(ObstacleId(other)),
                Some(other) => cover.outlines.push((other - self.obstacles) as u32),
            }
        }
        cover
    }
}

/// The covers that occur, and the edges between two of them, with covers on their sides.
pub(super) fn borders(
    numbers: CurveNumbers,
    edges: &[SidedEdge],
    windings: &[Windings],
) -> (Vec<Cover>, Vec<SidedEdge>) {
    let mut covers: Vec<Cover> = Vec::new();
    let mut index_of: BTreeMap<Cover, u32> = BTreeMap::new();
    let cover_of: Vec<u32> = (windings.iter())
        .map(|windings| {
            let cover = numbers.cover(windings);
            if cover.areas.is_empty() {
                return NO_GROUND;
            }
            *index_of.entry(cover).or_insert_with_key(|cover| {
                covers.push(cover.clone());
                covers.len() as u32 - 1
            })
        })
        .collect();
    let sided = edges.iter().map(|edge| SidedEdge {
        left: cover_of[edge.left as usize],
        right: cover_of[edge.right as usize],
        ..*edge
    });
    (covers, sided.filter(|edge| edge.left != edge.right).collect())
}
