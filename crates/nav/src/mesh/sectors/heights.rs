//! The heights of ground between the middles of boxes.

use super::flood::{Flood, SIDES};

/// The sides of a box between which its corners are: at smaller x and z, larger x, larger z, and both larger.
const CORNERS: [[usize; 2]; 4] = [[2, 3], [0, 3], [2, 1], [0, 1]];

/// Heights of the four corners of each box: the mean of the boxes there that are joined around the corner. Boxes that
/// are joined have the same heights at their common corners.
pub(super) struct Heights {
    /// In metres above the base, as in [`CORNERS`].
    corners_m: Vec<[f64; 4]>,
}

impl Heights {
    pub(super) fn new(flood: &Flood) -> Self {
        let mut corners_m = vec![[f64::NAN; 4]; flood.len()];
        for node in 0..flood.len() as u32 {
            // Mostly, four boxes meet there and have the same height.
            let fourth = || {
                let (right, down) = (flood.both_ways(node, 0)?, flood.both_ways(node, 1)?);
                let (one, other) = (flood.both_ways(right, 1)?, flood.both_ways(down, 0)?);
                (one == other).then_some([one, down, right, node])
            };
            if let Some(around) = fourth() {
                let height_m = mean_m(flood, &around);
                around
                    .iter()
                    .zip(0..)
                    .for_each(|(&node, corner)| corners_m[node as usize][corner] = height_m);
            }
            // The boxes before this one have told of its other corners.
            for (height_m, [x, z]) in corners_m[node as usize].iter_mut().zip(CORNERS) {
                if height_m.is_nan() {
                    *height_m = corner_m(flood, node, x, z);
                }
            }
        }
        Self { corners_m }
    }

    /// The lowest and the highest corner of a box. Where it is joined with a box of another sector that is higher or lower,
    /// the corner is between both.
    pub(super) fn range(&self, node: u32) -> [f64; 2] {
        let corners = self.corners_m[node as usize];
        [
            corners.iter().copied().fold(f64::INFINITY, f64::min),
            corners.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        ]
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
    mean_m(flood, &around[..count])
}

/// The mean height of up to seven boxes. In whatever order they are given, they are added in the same one.
fn mean_m(flood: &Flood, boxes: &[u32]) -> f64 {
    let mut heights = [0.0; 7];
    let heights = &mut heights[..boxes.len()];
    heights.iter_mut().zip(boxes).for_each(|(to, &at)| *to = f64::from(flood.floors_m[at as usize]));
    heights.sort_unstable_by(f64::total_cmp);
    heights.iter().sum::<f64>() / heights.len() as f64
}
