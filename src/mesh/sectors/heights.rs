//! The heights of ground between the middles of boxes.

use super::flood::{Flood, SIDES};

/// Heights of the four corners of each box: the mean of the boxes there that are joined around the corner. Boxes that
/// are joined have the same heights at their common corners.
pub(super) struct Heights {
    /// In metres above the base: at smaller x and z, larger x, larger z, and both larger.
    corners_m: Vec<[f64; 4]>,
}

impl Heights {
    pub(super) fn new(flood: &Flood) -> Self {
        let corners = |node: u32| [(2, 3), (0, 3), (2, 1), (0, 1)].map(|(x, z)| corner_m(flood, node, x, z));
        Self { corners_m: (0..flood.len() as u32).map(corners).collect() }
    }

    /// The height at a place in a box, from 0 to 1 along x and z.
    pub(super) fn at(&self, node: u32, [x, z]: [f64; 2]) -> f64 {
        let [a, b, c, d] = self.corners_m[node as usize];
        // Exact at the borders, so that boxes on both sides agree.
        (a * (1.0 - x) + b * x) * (1.0 - z) + (c * (1.0 - x) + d * x) * z
    }
}

/// The height at the corner of a box between two of its sides.
fn corner_m(flood: &Flood, node: u32, x: usize, z: usize) -> f64 {
    // The box itself, and three in each direction around the corner.
    let (mut around, mut count) = ([node; 7], 1);
    let mut walk = |sides: [usize; 3]| {
        let mut at = node;
        for side in sides {
            let Some(next) = flood.both_ways(at, side) else { return };
            if !around[..count].contains(&next) {
                around[count] = next;
                count += 1;
            }
            at = next;
        }
    };
    let back = |side: usize| (side + 2) % SIDES;
    walk([x, z, back(x)]);
    walk([z, x, back(z)]);
    let mut heights = around.map(|node| f64::from(flood.floors_m[node as usize]));
    // From whatever box they are counted, they are added in the same order.
    heights[..count].sort_unstable_by(f64::total_cmp);
    heights[..count].iter().sum::<f64>() / count as f64
}
