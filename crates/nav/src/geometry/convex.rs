//! Convex polygons with heights.

use super::closest_on_segment;
use glam::DVec2;

/// Corners within this distance of a straight line, in metres, count as being on it.
pub const STRAIGHT_M: f64 = 1e-3;

/// Why corners are no convex polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotConvex {
    /// Fewer than three corners.
    TooFew,
    /// All corners are on one line.
    Flat,
    /// The corner with this index points inwards.
    Concave(usize),
}

/// Checks that corners form a convex polygon, and tells whether they run counter-clockwise. Corners on a straight line
/// are allowed.
///
/// # Errors
/// Why they do not.
pub fn check_convex(corners: &[DVec2]) -> Result<bool, NotConvex> {
    let count = corners.len();
    if count < 3 {
        return Err(NotConvex::TooFew);
    }
    let doubled = doubled_area(corners);
    let is_counter_clockwise = doubled >= 0.0;
    let at = |i: usize| corners[if is_counter_clockwise { i % count } else { count - 1 - i % count }];
    let mut longest_m: f64 = 0.0;
    // Once round a convex polygon, edges begin to lead up only once. Round a star they do so twice.
    let (mut rises, mut first, mut is_rising) = (0, None, false);
    for i in 0..count {
        let (a, b, c) = (at(i), at(i + 1), at(i + 2));
        longest_m = longest_m.max(a.distance(b));
        // How far the corner lies inside the line between its neighbours.
        if (b - a).perp_dot(c - b) < -STRAIGHT_M * a.distance(c) {
            let middle = (i + 1) % count;
            return Err(NotConvex::Concave(if is_counter_clockwise { middle } else { count - 1 - middle }));
        }
        let up_m = b.y - a.y;
        if up_m.abs() > 4.0 * STRAIGHT_M {
            rises += usize::from(up_m > 0.0 && !is_rising && first.is_some());
            is_rising = up_m > 0.0;
            first.get_or_insert(is_rising);
        }
    }
    rises += usize::from(first == Some(true) && !is_rising);
    if rises > 1 {
        return Err(NotConvex::Concave(0));
    }
    if doubled.abs() <= 1e-9 * longest_m.max(1e-9) {
        return Err(NotConvex::Flat);
    }
    Ok(is_counter_clockwise)
}

/// Twice the area of a polygon; negative if its corners run clockwise.
pub fn doubled_area(corners: &[DVec2]) -> f64 {
    let origin = corners.first().copied().unwrap_or_default();
    let pairs = corners.iter().zip(corners.iter().cycle().skip(1));
    pairs.map(|(&a, &b)| (a - origin).perp_dot(b - origin)).sum()
}

/// A random point of a convex polygon. Every point is equally likely. Corners run counter-clockwise; `draw` gives numbers
/// from 0 to below 1.
pub fn random_point(corners: &[DVec2], mut draw: impl FnMut() -> f64) -> DVec2 {
    let mut wanted = draw() * doubled_area(corners);
    let triangles = || corners.windows(2).skip(1).map(|pair| (corners[0], pair[0], pair[1]));
    let (a, b, c) = triangles()
        .find(|(a, b, c)| {
            wanted -= (b - a).perp_dot(c - a);
            wanted < 0.0
        })
        .or_else(|| triangles().next_back())
        .unwrap_or_default();
    let (mut along, mut across) = (draw(), draw());
    if along + across > 1.0 {
        (along, across) = (1.0 - along, 1.0 - across);
    }
    a + (b - a) * along + (c - a) * across
}

/// A regular polygon round a circle, counter-clockwise.
pub fn round_circle(centre: DVec2, radius_m: f64, corners: u32) -> Vec<DVec2> {
    let step_rad = std::f64::consts::TAU / f64::from(corners);
    let away_m = radius_m / libm::cos(step_rad / 2.0);
    let corner = |i: u32| {
        let angle = step_rad * f64::from(i);
        centre + DVec2::new(libm::cos(angle), libm::sin(angle)) * away_m
    };
    (0..corners).map(corner).collect()
}

/// The height of a convex polygon at a point of the plane: over the triangles between its first corner and its edges.
/// Outside, the height of the nearest point. `corner` gives a corner and its height; corners run counter-clockwise.
pub fn fan_height(count: usize, corner: impl Fn(usize) -> (DVec2, f64), point: DVec2) -> f64 {
    let (a, a_m) = corner(0);
    let edge = |i: usize| (corner(i).0, corner((i + 1) % count).0);
    let is_inside = (0..count).map(edge).all(|(a, b)| (b - a).perp_dot(point - a) >= 0.0);
    let nearest = |point: DVec2| {
        let on_edges = (0..count).map(edge).map(|(a, b)| closest_on_segment(point, a, b));
        on_edges.min_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point)))
    };
    let point = if is_inside { point } else { nearest(point).unwrap_or(point) };
    for i in 1..count.saturating_sub(1) {
        let ((b, b_m), (c, c_m)) = (corner(i), corner(i + 1));
        let whole = (b - a).perp_dot(c - a);
        let is_last = i + 2 == count;
        if whole > 0.0 && (is_last || (c - a).perp_dot(point - a) <= 0.0) {
            let of_b = ((point - a).perp_dot(c - a) / whole).clamp(0.0, 1.0);
            let of_c = ((b - a).perp_dot(point - a) / whole).clamp(0.0, 1.0);
            return a_m + of_b * (b_m - a_m) + of_c * (c_m - a_m);
        }
    }
    a_m
}

/// The part of a convex polygon inside another one; both run counter-clockwise. Empty if they do not meet (Sutherland
/// and Hodgman, "Reentrant polygon clipping", 1974).
pub fn intersection(one: &[DVec2], other: &[DVec2]) -> Vec<DVec2> {
    let mut part = one.to_vec();
    for (&a, &b) in other.iter().zip(other.iter().cycle().skip(1)) {
        let side = |at: DVec2| (b - a).perp_dot(at - a);
        let before = std::mem::take(&mut part);
        for (&from, &to) in before.iter().zip(before.iter().cycle().skip(1)) {
            let (begins, ends) = (side(from), side(to));
            if begins >= 0.0 {
                part.push(from);
            }
            if begins * ends < 0.0 {
                part.push(from.lerp(to, begins / (begins - ends)));
            }
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::dvec2;

    /// A star turns left at all its corners, and goes round twice.
    #[test]
    fn a_star_is_not_convex() {
        let corner = |i: usize| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU / 5.0 * i as f64 + 0.3);
            dvec2(cos, sin) * 4.0
        };
        for first in 0..5 {
            let ring: Vec<DVec2> = (0..5).map(|i| corner(i + first)).collect();
            let star: Vec<DVec2> = (0..5).map(|i| corner(2 * i + first)).collect();
            assert_eq!(check_convex(&ring), Ok(true));
            assert!(matches!(check_convex(&star), Err(NotConvex::Concave(_))), "{star:?}");
            let turned: Vec<DVec2> = star.into_iter().rev().collect();
            assert!(check_convex(&turned).is_err());
        }
    }
}
