//! Cubic Bézier curves on the plane.

use glam::DVec2;

/// A cubic Bézier curve. It lies in the convex hull of its four control points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cubic {
    /// The start, two handles, and the end, in metres.
    pub points: [DVec2; 4],
}

/// Upper limit on the straight pieces that stand for one curve.
const MAX_PIECES: u32 = 64;

impl Cubic {
    /// A straight line as a curve.
    pub fn line(from: DVec2, to: DVec2) -> Self {
        Self { points: [from, from.lerp(to, 1.0 / 3.0), from.lerp(to, 2.0 / 3.0), to] }
    }

    /// The curve from one point to the next of a row of points, with a handle of a third of their distance, but not
    /// longer than `most_m`, in the direction of the row at each end: a cardinal spline whose handles suit points that are
    /// far apart as well as near. The directions are unit vectors, or zero for no handle.
    pub fn between([from, to]: [DVec2; 2], [begins, ends]: [DVec2; 2], most_m: f64) -> Self {
        let handle_m = (from.distance(to) / 3.0).min(most_m);
        Self { points: [from, from + begins * handle_m, to - ends * handle_m, to] }
    }

    /// The point at parameter `t` from 0 to 1.
    pub fn at(&self, t: f64) -> DVec2 {
        let [a, b, c, d] = self.points;
        let (ab, bc, cd) = (a.lerp(b, t), b.lerp(c, t), c.lerp(d, t));
        ab.lerp(bc, t).lerp(bc.lerp(cd, t), t)
    }

    /// The direction at parameter `t`: a unit vector, or zero on a curve of one point.
    pub fn direction(&self, t: f64) -> DVec2 {
        let [a, b, c, d] = self.points;
        let (ab, bc, cd) = (b - a, c - b, d - c);
        let rate = ab.lerp(bc, t).lerp(bc.lerp(cd, t), t);
        let rate = if rate.length() > 1e-9 { rate } else { d - a };
        rate.normalize_or_zero()
    }

    /// How many straight pieces of equal parameter length stay within `tolerance_m` of the curve: from the bound on its
    /// second derivative.
    pub fn pieces(&self, tolerance_m: f64) -> u32 {
        let [a, b, c, d] = self.points;
        let bend_m = (a - 2.0 * b + c).length().max((b - 2.0 * c + d).length());
        let pieces = (6.0 * bend_m / (8.0 * tolerance_m)).sqrt().ceil();
        (pieces as u32).clamp(1, MAX_PIECES)
    }

    /// Its length in metres, to a few millimetres.
    pub fn length_m(&self) -> f64 {
        let pieces = self.pieces(0.002);
        let at = |index: u32| {
            if index == pieces { self.points[3] } else { self.at(f64::from(index) / f64::from(pieces)) }
        };
        (0..pieces).map(|index| at(index).distance(at(index + 1))).sum()
    }

    /// The curve with both handles shortened so that they lie in a convex polygon, whose corners run counter-clockwise.
    /// If the ends lie in it, all of the curve does.
    #[must_use]
    pub fn clipped_to(&self, polygon: &[DVec2]) -> Self {
        let [a, b, c, d] = self.points;
        Self { points: [a, clip(polygon, a, b), clip(polygon, d, c), d] }
    }
}

/// The last point of the segment `from`–`to` inside a convex polygon that holds `from`.
fn clip(polygon: &[DVec2], from: DVec2, to: DVec2) -> DVec2 {
    let mut share: f64 = 1.0;
    for (&a, &b) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let (begins, ends) = ((b - a).perp_dot(from - a).max(0.0), (b - a).perp_dot(to - a));
        if ends < 0.0 {
            share = share.min(begins / (begins - ends));
        }
    }
    if share < 1.0 { from.lerp(to, share) } else { to }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    #[test]
    fn curves_go_through_their_ends_and_stay_near_their_pieces() {
        let curve = Cubic { points: [dvec2(0.0, 0.0), dvec2(1.0, 2.0), dvec2(3.0, 2.0), dvec2(4.0, 0.0)] };
        assert_eq!((curve.at(0.0), curve.at(1.0)), (dvec2(0.0, 0.0), dvec2(4.0, 0.0)));
        assert!(curve.at(0.5).distance(dvec2(2.0, 1.5)) < 1e-12);
        assert!(curve.direction(0.5).distance(DVec2::X) < 1e-12);
        let pieces = curve.pieces(0.002);
        for index in 0..pieces {
            let [from, middle, to] =
                [0.0, 0.5, 1.0].map(|part| curve.at((f64::from(index) + part) / f64::from(pieces)));
            assert!(middle.distance(from.midpoint(to)) <= 0.002);
        }
        assert_eq!(Cubic::line(dvec2(1.0, 1.0), dvec2(4.0, 1.0)).pieces(0.002), 1);
    }

    #[test]
    fn points_that_are_one_are_fine() {
        let point = Cubic::between([DVec2::ONE; 2], [DVec2::X, DVec2::Y], 1.0);
        assert_eq!((point.at(0.3), point.direction(0.3), point.pieces(0.01)), (DVec2::ONE, DVec2::ZERO, 1));
    }

    #[test]
    fn clipped_handles_lie_in_the_polygon() {
        let square = [dvec2(0.0, 0.0), dvec2(2.0, 0.0), dvec2(2.0, 2.0), dvec2(0.0, 2.0)];
        let curve = Cubic { points: [dvec2(1.0, 1.0), dvec2(5.0, 1.0), dvec2(0.0, -7.0), dvec2(0.0, 1.0)] };
        let [_, b, c, _] = curve.clipped_to(&square).points;
        assert!(b.distance(dvec2(2.0, 1.0)) < 1e-12 && c.distance(dvec2(0.0, 0.0)) < 1e-12, "{b} {c}");
    }
}
