//! Constrained Delaunay triangulations.

use super::problem::BuildProblem;
use glam::I64Vec2;
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};

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

/// A vertex with its number. Bulk loading changes the order of vertices.
struct Numbered {
    place: Point2<f64>,
    number: u32,
}

impl HasPosition for Numbered {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.place
    }
}

/// The triangles of the convex hull of some edges' vertices. No two edges cross, and none passes a vertex.
pub(super) fn triangulate(points: &[I64Vec2], edges: &[(u32, u32)]) -> Result<Vec<Triangle>, BuildProblem> {
    let mut used: Vec<u32> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    used.sort_unstable();
    used.dedup();
    // Integers below 2^53 are exact, and spade's predicates are.
    let corner = |&number: &u32| {
        let point = points[number as usize];
        Numbered { place: Point2::new(point.x as f64, point.y as f64), number }
    };
    // Not `bulk_load_cdt`: it goes through a hash set, so that squares get one or the other diagonal by chance.
    let mesh = ConstrainedDelaunayTriangulation::<Numbered>::bulk_load(used.iter().map(corner).collect());
    let Ok(mut mesh) = mesh else { return Err(BuildProblem::TooDense) };
    if mesh.num_vertices() != used.len() {
        return Err(BuildProblem::TooDense);
    }
    let mut handle_of: Vec<_> = mesh.vertices().map(|vertex| (vertex.data().number, vertex.fix())).collect();
    handle_of.sort_unstable_by_key(|known| known.0);
    let handle = |vertex: u32| handle_of[used.partition_point(|&known| known < vertex)].1;
    for &(a, b) in edges {
        if mesh.try_add_constraint(handle(a), handle(b)).is_empty() {
            return Err(BuildProblem::TooDense);
        }
    }
    let triangles = mesh.inner_faces().map(|face| {
        let edges = face.adjacent_edges();
        Triangle {
            corners: edges.map(|edge| edge.from().data().number),
            // The outer face has index 0.
            behind: edges.map(|edge| (edge.rev().face().index() as u32).checked_sub(1).unwrap_or(OUTSIDE)),
        }
    });
    Ok(triangles.collect())
}
