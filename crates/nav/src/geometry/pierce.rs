//! Intersections of a segment with a polygon: where it crosses, and where it runs along an edge.

use super::contains;
use glam::DVec2;

/// Pieces of a segment shorter than this are ignored, and a point this far beside a line represents its side: far
/// above rounding, far below any visible distance.
pub const HAIR_M: f64 = 1e-7;

/// Adds the places along the segment `a`–`b` (0 at `a`, 1 at `b`) where it meets an edge of a polygon. For a
/// collinear edge, both its ends.
pub fn meetings(polygon: &[DVec2], a: DVec2, b: DVec2, places: &mut Vec<f64>) {
    let along = b - a;
    let length_sq = along.length_squared();
    if length_sq == 0.0 {
        return;
    }
    for (&c, &d) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let edge = d - c;
        let determinant = along.perp_dot(edge);
        if determinant.abs() <= 1e-12 * (length_sq * edge.length_squared()).sqrt() {
            places.extend(
                [c, d]
                    .map(|p| (p - a).dot(along) / length_sq)
                    .into_iter()
                    .filter(|t| (0.0..=1.0).contains(t)),
            );
            continue;
        }
        let t = (c - a).perp_dot(edge) / determinant;
        let s = (c - a).perp_dot(along) / determinant;
        if (0.0..=1.0).contains(&t) && (-1e-9..=1.0 + 1e-9).contains(&s) {
            places.push(t);
        }
    }
}

/// On how many sides of a piece of a segment the polygon lies, if the piece does not cross it: 2 inside, 1 along an
/// edge, 0 outside. `middle` is the middle of the piece, `beside` leads a hair to its side.
pub fn sides_within(polygon: &[DVec2], middle: DVec2, beside: DVec2) -> u8 {
    u8::from(contains(polygon, middle + beside)) + u8::from(contains(polygon, middle - beside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    fn pieces(polygon: &[DVec2], a: DVec2, b: DVec2) -> Vec<(f64, f64, u8)> {
        let mut cuts = vec![0.0, 1.0];
        meetings(polygon, a, b, &mut cuts);
        cuts.sort_by(f64::total_cmp);
        let beside = (b - a).normalize().perp() * HAIR_M;
        let piece = |pair: &[f64]| {
            (pair[0], pair[1], sides_within(polygon, a.lerp(b, (pair[0] + pair[1]) / 2.0), beside))
        };
        cuts.windows(2).filter(|pair| pair[1] - pair[0] > 1e-9).map(piece).collect()
    }

    #[test]
    fn a_segment_is_cut_where_it_enters_leaves_and_runs_along() {
        let square = [(1., 0.), (3., 0.), (3., 2.), (1., 2.)].map(DVec2::from);
        let through = pieces(&square, dvec2(0.0, 1.0), dvec2(4.0, 1.0));
        assert_eq!(through, [(0.0, 0.25, 0), (0.25, 0.75, 2), (0.75, 1.0, 0)]);
        let along_edge = pieces(&square, dvec2(0.0, 2.0), dvec2(4.0, 2.0));
        assert_eq!(along_edge, [(0.0, 0.25, 0), (0.25, 0.75, 1), (0.75, 1.0, 0)]);
        let past_corner = pieces(&square, dvec2(2.0, 3.0), dvec2(4.0, 1.0));
        assert!(past_corner.iter().all(|(.., sides)| *sides == 0), "{past_corner:?}");
    }
}
