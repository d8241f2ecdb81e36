//! The cell size with which a level fits its limits.

use glam::DVec3;

/// A cell size, at least `from_m`, with which the triangles surely fill no more than `most` cells. `None` if there are too
/// many triangles for any.
pub(super) fn cell_size_that_fits(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    from_m: f64,
    most: usize,
) -> Option<f64> {
    // A triangle touches as many cells as its area holds, those along its sides, and four.
    let (mut area_m2, mut sides_m) = (0.0, 0.0);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| {
            let DVec3 { x, z, .. } = vertices[vertex as usize];
            glam::DVec2::new(x, z)
        });
        area_m2 += 0.5 * (b - a).perp_dot(c - a).abs();
        sides_m += a.distance(b) + b.distance(c) + c.distance(a);
    }
    let left = most as f64 - 4.0 * triangles.len() as f64;
    if left <= 0.0 {
        return None;
    }
    // area / c² + sides / c = left
    let cell_m = (sides_m + (sides_m * sides_m + 4.0 * left * area_m2).sqrt()) / (2.0 * left);
    Some(from_m.max(cell_m))
}
