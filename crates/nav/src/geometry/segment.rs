//! Distances to segments and rectangles.

use glam::DVec2;

/// A part of the segment `a`–`b`: from parameter `from` to parameter `to`, where 0 is `a` and 1 is `b`.
///
/// Distances are computed along the whole segment and then limited to the part. So cutting a segment into parts that
/// meet changes no distance by even one bit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SegmentPart {
    /// The start of the whole segment.
    pub a: DVec2,
    /// The end of the whole segment.
    pub b: DVec2,
    /// The start of the part, 0 to 1.
    pub from: f64,
    /// The end of the part, not before `from`.
    pub to: f64,
}

impl SegmentPart {
    /// The whole segment.
    pub fn whole(a: DVec2, b: DVec2) -> Self {
        Self { a, b, from: 0.0, to: 1.0 }
    }

    /// The point of the part that is closest to `p`. A segment of length zero is its point.
    pub fn closest(&self, p: DVec2) -> DVec2 {
        let along = self.b - self.a;
        let length_sq = along.length_squared();
        if length_sq == 0.0 {
            return self.a;
        }
        self.a + along * ((p - self.a).dot(along) / length_sq).clamp(self.from, self.to)
    }

    /// Squared distance from `p` to the part.
    pub fn distance_sq(&self, p: DVec2) -> f64 {
        p.distance_squared(self.closest(p))
    }

    /// The start and end of the part.
    pub fn ends(&self) -> (DVec2, DVec2) {
        (self.a.lerp(self.b, self.from), self.a.lerp(self.b, self.to))
    }
}

/// The point of segment `a`–`b` that is closest to `p`.
pub fn closest_on_segment(p: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    SegmentPart::whole(a, b).closest(p)
}

/// Squared distance from `p` to segment `a`–`b`.
pub fn distance_sq_to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    p.distance_squared(closest_on_segment(p, a, b))
}

/// Distance from `p` to the rectangle `min`–`max`; zero inside.
pub fn rect_distance(p: DVec2, min: DVec2, max: DVec2) -> f64 {
    (min - p).max(p - max).max(DVec2::ZERO).length()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_point_is_clamped_to_the_ends() {
        let (a, b) = (DVec2::new(0.0, 0.0), DVec2::new(4.0, 0.0));
        assert_eq!(closest_on_segment(DVec2::new(-3.0, 4.0), a, b), a);
        assert_eq!(closest_on_segment(DVec2::new(9.0, 1.0), a, b), b);
        assert_eq!(closest_on_segment(DVec2::new(1.0, 1.0), a, b), DVec2::new(1.0, 0.0));
        assert_eq!(distance_sq_to_segment(DVec2::new(1.0, 2.0), a, a), 5.0, "a point is a segment too");
    }

    #[test]
    fn rectangle_distance_is_zero_inside() {
        let (min, max) = (DVec2::ZERO, DVec2::splat(2.0));
        assert_eq!(rect_distance(DVec2::new(1.0, 0.5), min, max), 0.0);
        assert_eq!(rect_distance(DVec2::new(5.0, 6.0), min, max), 5.0);
    }
}
