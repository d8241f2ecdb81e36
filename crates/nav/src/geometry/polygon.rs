//! Point in polygon by the even-odd rule, and the outline of a union of polygons.

use super::{SegmentPart, distance_sq_to_segment};
use glam::DVec2;

/// Whether `p` lies inside `polygon` by the even-odd rule. A point exactly on an edge belongs to one side of it,
/// always the same one, so that of two polygons sharing an edge exactly one contains it.
pub fn contains(polygon: &[DVec2], p: DVec2) -> bool {
    let mut inside = false;
    for (a, b) in edges(polygon) {
        if let Some(x) = crossing(a, b, p.y) {
            inside ^= p.x < x;
        }
    }
    inside
}

/// Distance from a point to the nearest edge, inside or outside; infinite if there is none.
pub fn border_distance(polygon: &[DVec2], p: DVec2) -> f64 {
    edges(polygon).map(|(a, b)| distance_sq_to_segment(p, a, b)).fold(f64::INFINITY, f64::min).sqrt()
}

/// Where the horizontal line at `z` crosses the polygon's edges, ascending. `p` at that height is inside iff an odd
/// number of these is greater than `p.x`: exactly the result of [`contains`], computed once for a whole row.
pub fn row_crossings(polygon: &[DVec2], z: f64, crossings: &mut Vec<f64>) {
    crossings.clear();
    crossings.extend(edges(polygon).filter_map(|(a, b)| crossing(a, b, z)));
    crossings.sort_by(f64::total_cmp);
}

/// The parts of the edges of `polygons[subject]` that lie on the outline of the union of all `polygons`.
///
/// Every edge is cut where another polygon's edge meets it. A piece is outer iff the ground just beside its middle is
/// outside the union on one side. Neighbouring outer pieces are joined again, so that a cut without effect leaves no
/// trace. Working edge by edge keeps the result independent of polygons far away, which a general clipping library
/// does not promise.
pub fn outer_edges(polygons: &[&[DVec2]], subject: usize) -> Vec<SegmentPart> {
    let mut parts: Vec<SegmentPart> = Vec::new();
    let mut open: Option<SegmentPart> = None;
    for_pieces(polygons, subject, |piece| {
        // Pieces of different edges stay apart.
        if open.is_some_and(|open| (open.a, open.b) != (piece.a, piece.b)) {
            parts.extend(open.take());
        }
        if is_outer(polygons, &piece) {
            open.get_or_insert(piece).to = piece.to;
        } else {
            parts.extend(open.take());
        }
    });
    parts.extend(open);
    parts
}

/// A part of an edge of a polygon, and the polygons on its sides, by their indices.
pub struct SidedPart {
    /// The part of the edge.
    pub part: SegmentPart,
    /// The polygons just left of it, ascending.
    pub left: Vec<usize>,
    /// The polygons just right of it, ascending.
    pub right: Vec<usize>,
}

/// The pieces of the edges of `polygons[subject]`, cut where other polygons' edges meet them, with what is beside them.
/// A piece is one of [`outer_edges`] of some of the polygons iff one of its sides lies in none of these.
pub fn sided_edges(polygons: &[&[DVec2]], subject: usize) -> Vec<SidedPart> {
    let mut parts: Vec<SidedPart> = Vec::new();
    for_pieces(polygons, subject, |part| {
        let at = |side: DVec2| (0..polygons.len()).filter(|&i| contains(polygons[i], side)).collect();
        if let Some((left, right)) = beside(&part) {
            parts.push(SidedPart { part, left: at(left), right: at(right) });
        }
    });
    parts
}

/// Calls `found` for the pieces of the edges of `polygons[subject]`, cut where other polygons' edges meet them, edge by
/// edge. Pieces that are too short are left out.
fn for_pieces(polygons: &[&[DVec2]], subject: usize, mut found: impl FnMut(SegmentPart)) {
    let mut cuts = Vec::new();
    for (a, b) in edges(polygons[subject]) {
        cuts.clear();
        cuts.extend([0.0, 1.0]);
        for (other, polygon) in polygons.iter().enumerate() {
            if other != subject {
                edges(polygon).for_each(|(c, d)| cut_at(a, b, c, d, &mut cuts));
            }
        }
        cuts.sort_by(f64::total_cmp);
        let length = a.distance(b);
        for pair in cuts.windows(2).filter(|pair| (pair[1] - pair[0]) * length > BESIDE_M) {
            found(SegmentPart { a, b, from: pair[0], to: pair[1] });
        }
    }
}

/// The edges of a closed polygon: each point to the next, the last to the first.
fn edges(polygon: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    polygon.iter().zip(polygon.iter().cycle().skip(1)).map(|(&a, &b)| (a, b))
}

/// The x at which edge `a`–`b` crosses height `z`. Half open in z, so a vertex on the line counts once. The ends are
/// ordered first, so that both polygons of a shared edge compute the same number.
fn crossing(a: DVec2, b: DVec2, z: f64) -> Option<f64> {
    if (a.y > z) == (b.y > z) {
        return None;
    }
    let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
    Some(low.x + (z - low.y) / (high.y - low.y) * (high.x - low.x))
}

/// Adds the parameters along `a`–`b` at which `c`–`d` meets it (both ends of the overlap when they are collinear).
fn cut_at(a: DVec2, b: DVec2, c: DVec2, d: DVec2, cuts: &mut Vec<f64>) {
    let (ab, cd) = (b - a, d - c);
    let determinant = ab.perp_dot(cd);
    let tolerance = 1e-12 * ab.length() * cd.length();
    if determinant.abs() <= tolerance {
        let length_sq = ab.length_squared();
        cuts.extend(
            [c, d].map(|p| (p - a).dot(ab) / length_sq).into_iter().filter(|t| (0.0..=1.0).contains(t)),
        );
        return;
    }
    let t = (c - a).perp_dot(cd) / determinant;
    let s = (c - a).perp_dot(ab) / determinant;
    if (0.0..=1.0).contains(&t) && (-1e-9..=1.0 + 1e-9).contains(&s) {
        cuts.push(t);
    }
}

/// A point this far beside an edge represents its side, and shorter pieces are ignored: far above rounding, far below
/// any cell.
const BESIDE_M: f64 = 1e-6;

fn is_outer(polygons: &[&[DVec2]], piece: &SegmentPart) -> bool {
    let Some((left, right)) = beside(piece) else { return false };
    let covered = |p| polygons.iter().any(|polygon| contains(polygon, p));
    !(covered(left) && covered(right))
}

/// The points just left and right of the middle of a piece.
fn beside(piece: &SegmentPart) -> Option<(DVec2, DVec2)> {
    let (start, end) = piece.ends();
    let middle = start.midpoint(end);
    let along = (end - start).try_normalize()?;
    Some((middle + along.perp() * BESIDE_M, middle - along.perp() * BESIDE_M))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x0: f64, z0: f64, x1: f64, z1: f64) -> Vec<DVec2> {
        vec![DVec2::new(x0, z0), DVec2::new(x1, z0), DVec2::new(x1, z1), DVec2::new(x0, z1)]
    }

    #[test]
    fn a_concave_polygon_excludes_its_notch() {
        let l_shape = [(0., 0.), (4., 0.), (4., 1.), (1., 1.), (1., 4.), (0., 4.)].map(DVec2::from);
        assert!(contains(&l_shape, DVec2::new(3.0, 0.5)));
        assert!(contains(&l_shape, DVec2::new(0.5, 3.0)));
        assert!(!contains(&l_shape, DVec2::new(3.0, 3.0)));
    }

    #[test]
    fn a_shared_edge_belongs_to_exactly_one_side() {
        let (left, right) = (rect(0., 0., 2., 2.), rect(2., 0., 4., 2.));
        for i in 0..20 {
            let p = DVec2::new(2.0, f64::from(i) * 0.1);
            assert!(contains(&left, p) != contains(&right, p), "{p}");
        }
    }

    #[test]
    fn a_shared_edge_is_no_outer_edge() {
        let (left, right) = (rect(0., 0., 2., 2.), rect(2., 0.5, 4., 1.5));
        let polygons: [&[DVec2]; 2] = [&left, &right];
        let length: f64 =
            outer_edges(&polygons, 0).iter().map(|part| part.ends().0.distance(part.ends().1)).sum();
        assert!((length - 7.0).abs() < 1e-9, "8 m of outline less the 1 m that is shared, not {length}");
        assert!(outer_edges(&polygons, 1).iter().all(|part| part.ends().0.midpoint(part.ends().1).x > 2.0));
    }
}
