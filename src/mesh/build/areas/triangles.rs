//! Constrained Delaunay triangulations.

use super::problem::BuildProblem;
use glam::I64Vec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// In [`Triangle::behind`]: nothing, outside the convex hull.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// A counter-clockwise triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    /// The triangles behind the edges, each from a corner to the next.
    pub(super) behind: [u32; 3],
}

impl Triangle {
    /// The ends of an edge, in its direction.
    pub(super) fn edge(&self, i: usize) -> (u32, u32) {
        (self.corners[i], self.corners[(i + 1) % 3])
    }
}

/// The triangles of the convex hull of some edges' vertices. No two edges cross, and none passes a vertex.
pub(super) fn triangulate(points: &[I64Vec2], edges: &[(u32, u32)]) -> Result<Vec<Triangle>, BuildProblem> {
    let mut used: Vec<u32> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    used.sort_unstable();
    used.dedup();
    // The integers below 2^53 are exact. Predicates are.
    let place = |&vertex: &u32| {
        let point = points[vertex as usize];
        Point2::new(point.x as f64, point.y as f64)
    };
    let number = |vertex: u32| used.partition_point(|&known| known < vertex);
    let constraints = edges.iter().map(|&(a, b)| [number(a), number(b)]).collect();
    let mut conflicts = 0;
    let mesh = ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(
        used.iter().map(place).collect(),
        constraints,
        |_| conflicts += 1,
    );
    let Ok(mesh) = mesh else { return Err(BuildProblem::TooDense) };
    if conflicts > 0 || mesh.num_vertices() != used.len() {
        return Err(BuildProblem::TooDense);
    }
    let triangles = mesh.inner_faces().map(|face| {
        let edges = face.adjacent_edges();
        Triangle {
            corners: edges.map(|edge| used[edge.from().index()]),
            // The outer face has index 0.
            behind: edges.map(|edge| (edge.rev().face().index() as u32).checked_sub(1).unwrap_or(OUTSIDE)),
        }
    });
    Ok(triangles.collect())
}
