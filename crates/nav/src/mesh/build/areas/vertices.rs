//! The vertices of outlines.

use super::lattice::{ONE_VERTEX_STEPS, dot};
use glam::I64Vec2;
use std::collections::BTreeMap;

/// Edge of the squares by which vertices are found, in steps.
const SQUARE_STEPS: i64 = 4 * ONE_VERTEX_STEPS;

/// Vertices, none of which are very near to each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Vertices {
    points: Vec<I64Vec2>,
    by_square: BTreeMap<(i64, i64), Vec<u32>>,
}

impl Vertices {
    /// The vertex at a point: the nearest known one if there is one very near, else a new one.
    pub(super) fn at(&mut self, point: I64Vec2) -> u32 {
        let square = |p: I64Vec2| (p.x.div_euclid(SQUARE_STEPS), p.y.div_euclid(SQUARE_STEPS));
        let reach = I64Vec2::splat(ONE_VERTEX_STEPS);
        let (low, high) = (square(point - reach), square(point + reach));
        let mut nearest: Option<(i128, u32)> = None;
        for x in low.0..=high.0 {
            for z in low.1..=high.1 {
                for &vertex in self.by_square.get(&(x, z)).map_or(&[][..], Vec::as_slice) {
                    let apart = self.points[vertex as usize] - point;
                    let candidate = (dot(apart, apart), vertex);
                    nearest = Some(nearest.map_or(candidate, |known| known.min(candidate)));
                }
            }
        }
        if let Some((distance_sq, vertex)) = nearest
            && distance_sq < i128::from(ONE_VERTEX_STEPS * ONE_VERTEX_STEPS)
        {
            return vertex;
        }
        let vertex = self.points.len() as u32;
        self.points.push(point);
        self.by_square.entry(square(point)).or_default().push(vertex);
        vertex
    }

    /// The points of all vertices.
    pub(super) fn points(&self) -> &[I64Vec2] {
        &self.points
    }
}
