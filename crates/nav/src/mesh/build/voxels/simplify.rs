//! Fewer vertices for arcs.

use super::arcs::Arc;
use super::regions::GridVertex;

/// How far a simplified arc may be from the vertices that it leaves out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// On the plane, in cells.
    pub cells: f64,
    pub height_m: f64,
    /// The longest edge, in cells. 0: no limit.
    pub length_cells: f64,
}

/// Douglas and Peucker's method. Corners of cells on a straight line never remain.
pub(super) fn simplify(arc: &mut Arc, vertices: &[GridVertex], tolerance: &Tolerance) {
    let cells = match arc.care {
        0 => tolerance.cells,
        1 => tolerance.cells / 2.0,
        _ => 0.0,
    };
    let points: Vec<GridVertex> = arc.vertices.iter().map(|&vertex| vertices[vertex as usize]).collect();
    let last = points.len() - 1;
    let mut keeps = vec![false; points.len()];
    (keeps[0], keeps[last]) = (true, true);
    let mut stretches = vec![(0, last)];
    while let Some((from, to)) = stretches.pop() {
        if let Some(split) = split(&points, from, to, cells, tolerance) {
            keeps[split] = true;
            stretches.extend([(from, split), (split, to)]);
        }
    }
    arc.simple =
        arc.vertices.iter().zip(keeps).filter(|(_, keeps)| *keeps).map(|(vertex, _)| *vertex).collect();
}

/// The vertex that must remain between two others, if any.
fn split(points: &[GridVertex], from: usize, to: usize, cells: f64, tolerance: &Tolerance) -> Option<usize> {
    let (a, b) = (points[from], points[to]);
    let (dx, dz) = (f64::from(b.x - a.x), f64::from(b.z - a.z));
    let length = (dx * dx + dz * dz).sqrt();
    let mut worst = (1.0, None);
    for (index, point) in points.iter().enumerate().take(to).skip(from + 1) {
        let (px, pz) = (f64::from(point.x - a.x), f64::from(point.z - a.z));
        let along = ((px * dx + pz * dz) / (length * length).max(1.0)).clamp(0.0, 1.0);
        let off = ((px - dx * along) * (px - dx * along) + (pz - dz * along) * (pz - dz * along)).sqrt();
        let y_m = f64::from(a.y_m) + f64::from(b.y_m - a.y_m) * along;
        let off_m = (f64::from(point.y_m) - y_m).abs();
        // In units of the tolerance, so that both kinds of distance compare.
        let excess = ((off + 1e-9) / (cells + 2e-9)).max(off_m / tolerance.height_m);
        if excess > worst.0 {
            worst = (excess, Some(index));
        }
    }
    let is_long = tolerance.length_cells > 0.0 && length > tolerance.length_cells && to > from + 1;
    worst.1.or_else(|| is_long.then_some(usize::midpoint(from, to)))
}
