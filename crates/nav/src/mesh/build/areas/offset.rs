//! Outlines of grown polygons.

use glam::DVec2;
use std::f64::consts::PI;

/// Rounded corners lie outside the true circle by at most this, in metres.
pub(super) const CORNER_EXCESS_M: f64 = 0.01;

/// Edges shorter than this are left out, in metres.
const SHORTEST_EDGE_M: f64 = 1e-9;

/// A closed curve to the right of a closed polygon, at a distance of `reach_m`. It winds at least once round every
/// point within that distance of a counter-clockwise polygon, and not round other points, but for the corners that lie
/// outside their circles.
///
/// It is the convolution of the polygon with a disc. The curve may cross itself. A corner that turns back is an end
/// with a cap round it, so that a line, there and back, is a polygon too.
pub(super) fn grown(polygon: &[DVec2], reach_m: f64) -> Vec<DVec2> {
    let mut corners: Vec<DVec2> = Vec::with_capacity(polygon.len());
    for &corner in polygon {
        if corners.last().is_none_or(|last| last.distance(corner) > SHORTEST_EDGE_M) {
            corners.push(corner);
        }
    }
    while corners.len() > 1 && corners[0].distance(corners[corners.len() - 1]) <= SHORTEST_EDGE_M {
        corners.pop();
    }
    if reach_m <= 0.0 || corners.len() < 2 {
        return corners;
    }
    // Two tangents that turn by this meet at the greatest distance that is allowed.
    let widest = 2.0 * libm::acos(reach_m / (reach_m + CORNER_EXCESS_M));
    let mut curve = Vec::with_capacity(corners.len() * 4);
    for (i, &corner) in corners.iter().enumerate() {
        let before = corners[(i + corners.len() - 1) % corners.len()];
        let after = corners[(i + 1) % corners.len()];
        let (from, to) = ((corner - before).normalize(), (after - corner).normalize());
        round_corner(corner, from, to, reach_m, widest, &mut curve);
    }
    curve
}

/// Adds the curve round a corner, between the directions of its two edges.
fn round_corner(corner: DVec2, from: DVec2, to: DVec2, reach_m: f64, widest: f64, curve: &mut Vec<DVec2>) {
    let outwards = |along: DVec2| -along.perp();
    let (sine, cosine) = (from.perp_dot(to), from.dot(to));
    let turns_back = cosine < 0.0 && sine.abs() < 1e-9;
    if sine < 0.0 && !turns_back {
        // The corner points inwards. The straight line is to the left of the arc, and within the circle.
        curve.extend([corner + outwards(from) * reach_m, corner + outwards(to) * reach_m]);
        return;
    }
    let turn = if turns_back { PI } else { libm::atan2(sine, cosine) };
    let count = ((turn / widest) - 1e-9).ceil().max(1.0);
    let step = turn / count;
    // The first and the last vertex lie on the lines of the edges without rounding, if the edges are parallel to an
    // axis.
    let beyond_m = reach_m * libm::tan(step / 2.0);
    curve.push(corner + outwards(from) * reach_m + from * beyond_m);
    let radius_m = reach_m / libm::cos(step / 2.0);
    for k in 1..(count as usize).saturating_sub(1) {
        let angle = step * (k as f64 + 0.5);
        let turned = DVec2::new(libm::cos(angle), libm::sin(angle));
        curve.push(corner + turned.rotate(outwards(from)) * radius_m);
    }
    if count > 1.5 {
        curve.push(corner + outwards(to) * reach_m - to * beyond_m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{border_distance, contains};

    fn winding(curve: &[DVec2], p: DVec2) -> i32 {
        let next = curve.iter().cycle().skip(1);
        let mut winding = 0;
        for (&a, &b) in curve.iter().zip(next) {
            if (a.y > p.y) != (b.y > p.y) {
                let left = (b - a).perp_dot(p - a) > 0.0;
                winding += i32::from(left && b.y > a.y) - i32::from(!left && b.y < a.y);
            }
        }
        winding
    }

    #[test]
    fn the_curve_winds_round_everything_within_reach() {
        let polygons: [&[(f64, f64)]; 4] = [
            &[(0., 0.), (4., 0.), (4., 3.), (0., 3.)],
            &[(0., 0.), (4., 0.), (4., 1.), (1., 1.), (1., 4.), (0., 4.)],
            &[(0., 0.), (4., 0.), (4., 4.), (2., 0.1), (0., 4.)],
            &[(0., 0.), (2., 1.), (3., 0.), (2., 1.)], // a line
        ];
        for polygon in polygons {
            let polygon: Vec<DVec2> = polygon.iter().map(|&corner| DVec2::from(corner)).collect();
            for reach_m in [0.05, 0.7, 2.5] {
                let curve = grown(&polygon, reach_m);
                for i in 0..60 * 60 {
                    let p = DVec2::new(f64::from(i % 60), f64::from(i / 60)) * 0.17 - 3.0;
                    let distance_m = if contains(&polygon, p) { 0.0 } else { border_distance(&polygon, p) };
                    let inside = winding(&curve, p) > 0;
                    assert!(winding(&curve, p) >= 0);
                    assert!(inside || distance_m > reach_m - 1e-9, "{p} is {distance_m} m off");
                    assert!(!inside || distance_m < reach_m + CORNER_EXCESS_M + 1e-9, "{p}: {distance_m}");
                }
            }
        }
    }

    #[test]
    fn corners_have_the_fewest_vertices() {
        let square = [(0., 0.), (1., 0.), (1., 1.), (0., 1.)].map(DVec2::from);
        assert_eq!(grown(&square, 0.7).len(), 4 * 5);
        assert_eq!(grown(&square, 0.02).len(), 4);
    }
}
