//! The lattice of all vertices. On it, the sides of points and the turns of corners are exact.

use glam::{DVec2, I64Vec2};

/// Steps of the lattice in a metre. A step is 0.06 mm, so that decimals in millimetres move by half of that at most.
pub(super) const STEPS_PER_M: f64 = 16384.0;

/// An edge passes through every vertex within this distance of it, in steps. It is above the rounding of a vertex that
/// was meant to be on a slanted edge, so that such edges leave no gap.
pub(super) const ON_EDGE_STEPS: f64 = 3.0;

/// Vertices nearer to each other than this are one, in steps.
pub(super) const ONE_VERTEX_STEPS: i64 = 6;

/// The nearest point of the lattice.
pub(super) fn from_metres(point: DVec2) -> I64Vec2 {
    let steps = (point * STEPS_PER_M).round();
    I64Vec2::new(steps.x as i64, steps.y as i64)
}

/// The point in metres, exactly.
pub(super) fn to_metres(point: I64Vec2) -> DVec2 {
    DVec2::new(point.x as f64, point.y as f64) / STEPS_PER_M
}

/// The cross product of two differences: above 0 if `b` is counter-clockwise of `a`.
pub(super) fn cross(a: I64Vec2, b: I64Vec2) -> i128 {
    i128::from(a.x) * i128::from(b.y) - i128::from(a.y) * i128::from(b.x)
}

/// The dot product of two differences.
pub(super) fn dot(a: I64Vec2, b: I64Vec2) -> i128 {
    i128::from(a.x) * i128::from(b.x) + i128::from(a.y) * i128::from(b.y)
}

/// On which side of the line from `a` to `b` a point is: above 0 on the left, 0 on it.
pub(super) fn side(a: I64Vec2, b: I64Vec2, point: I64Vec2) -> i128 {
    cross(b - a, point - a)
}

/// Whether a point is within `reach` steps of the segment between `a` and `b`, and beside it rather than beyond an end.
pub(super) fn is_beside(a: I64Vec2, b: I64Vec2, point: I64Vec2, reach: f64) -> bool {
    let (along, to) = (b - a, point - a);
    let (length_sq, at) = (dot(along, along), dot(along, to));
    at > 0 && at < length_sq && (cross(along, to).abs() as f64) <= reach * (length_sq as f64).sqrt()
}

/// Where two segments cross, if each has the ends of the other strictly on both sides.
pub(super) fn crossing(a: I64Vec2, b: I64Vec2, c: I64Vec2, d: I64Vec2) -> Option<I64Vec2> {
    let (side_c, side_d) = (side(a, b, c), side(a, b, d));
    if side_c.signum() * side_d.signum() >= 0 {
        return None;
    }
    let (side_a, side_b) = (side(c, d, a), side(c, d, b));
    if side_a.signum() * side_b.signum() >= 0 {
        return None;
    }
    let share = side_a as f64 / (side_a - side_b) as f64;
    let along = b - a;
    let step = |length: i64| (length as f64 * share).round() as i64;
    Some(a + I64Vec2::new(step(along.x), step(along.y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_exact_far_from_the_origin() {
        let far = from_metres(DVec2::new(1e6, -1e6));
        let (a, b) = (far, far - I64Vec2::new(1 << 34, (1 << 34) + 1));
        let middle = far - I64Vec2::new(1 << 33, 1 << 33);
        assert_eq!(side(a, b, middle), -(1 << 33));
        assert_eq!(from_metres(to_metres(b)), b);
    }

    #[test]
    fn segments_cross_or_touch() {
        let [a, b, c, d] = [(0, 0), (10, 10), (0, 10), (10, 0)].map(|(x, z)| I64Vec2::new(x, z));
        assert_eq!(crossing(a, b, c, d), Some(I64Vec2::new(5, 5)));
        assert_eq!(crossing(a, I64Vec2::new(5, 5), c, d), None, "it ends on the other");
        assert!(is_beside(a, b, I64Vec2::new(5, 6), 1.0));
        assert!(!is_beside(a, b, I64Vec2::new(-1, -1), 9.0), "beyond the end");
    }
}
