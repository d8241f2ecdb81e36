//! Polygons to triangles.

use glam::DVec3;

/// Cuts off ears: corners whose triangle holds no other corner. Returns triples of positions in `points`. Polygons
/// that cross themselves become a fan, as everything else would be a guess.
pub(super) fn triangulate(points: &[DVec3]) -> Vec<[usize; 3]> {
    let count = points.len();
    let fan = || (1..count.saturating_sub(1)).map(|i| [0, i, i + 1]).collect();
    let normal: DVec3 =
        (0..count).map(|i| (points[i] - points[0]).cross(points[(i + 1) % count] - points[0])).sum();
    let is_left =
        |a: usize, b: usize, c: usize| (points[b] - points[a]).cross(points[c] - points[a]).dot(normal) > 0.0;
    let is_convex = (0..count).all(|i| is_left(i, (i + 1) % count, (i + 2) % count));
    // Cutting ears takes cubic time; no modeller makes larger faces with concave corners.
    if count < 4 || is_convex || count > 256 {
        return fan();
    }
    let mut rest: Vec<usize> = (0..count).collect();
    let mut triangles = Vec::with_capacity(count - 2);
    while rest.len() > 3 {
        let ear = (0..rest.len()).find(|&i| {
            let [a, b, c] = [0, 1, 2].map(|k| rest[(i + k) % rest.len()]);
            let holds = |p: usize| {
                ![a, b, c].contains(&p) && !is_left(b, a, p) && !is_left(c, b, p) && !is_left(a, c, p)
            };
            is_left(a, b, c) && !rest.iter().any(|&p| holds(p))
        });
        let Some(ear) = ear else { return fan() };
        triangles.push([0, 1, 2].map(|k| rest[(ear + k) % rest.len()]));
        rest.remove((ear + 1) % rest.len());
    }
    triangles.push([rest[0], rest[1], rest[2]]);
    triangles
}
