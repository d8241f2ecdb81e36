//! Checks whether a list of corners is a valid outline.
//!
//! Accepted: both windings; repeated neighbouring corners; the first corner repeated at the end; edges that touch (so
//! is drawn a hole joined to the outline by a seam walked there and back). Refused: polygons without an inside, and
//! outlines that cross themselves, since their inside is ambiguous.

use glam::DVec2;

use super::crossing::{Outline, TOUCH_M, TooLong, first_crossing, side};

/// Upper limit on the corners of one polygon: enough for a coastline in centimetres, and checked in a fraction of a
/// second.
pub(super) const MAX_CORNERS: usize = 100_000;

/// Why corners are no valid outline. Indices count the corners as given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Flaw {
    /// Only one or two different places.
    TooFew { different: usize },
    /// All corners on one line.
    OneLine,
    /// The edges starting at these corners cross, or run over each other; the first index is the lower.
    Crossing { first: usize, second: usize },
    /// The area inside is practically zero.
    NoInside,
    /// The check for crossings would take too long.
    TooIntricate,
}

/// The corners without repeated neighbours, and without a last corner that repeats the first.
pub(super) fn clean(corners: &[DVec2]) -> Vec<DVec2> {
    kept(corners).into_iter().filter_map(|index| corners.get(index).copied()).collect()
}

/// The first flaw of an outline of finite corners. `budget` is the number of comparisons left for the file. It is
/// counted down from [`super::crossing::MAX_COMPARISONS`].
pub(super) fn flaw(corners: &[DVec2], budget: &mut usize) -> Option<Flaw> {
    let kept = kept(corners);
    let points: Vec<DVec2> = kept.iter().filter_map(|&index| corners.get(index).copied()).collect();
    let different = different_places(&points);
    if different < 3 {
        return Some(Flaw::TooFew { different });
    }
    if on_one_line(&points) {
        return Some(Flaw::OneLine);
    }
    match first_crossing(&Outline { points: &points }, budget) {
        Err(TooLong) => return Some(Flaw::TooIntricate),
        Ok(Some((first, second))) => {
            let given = |edge: usize| kept.get(edge).copied().unwrap_or(0);
            return Some(Flaw::Crossing { first: given(first), second: given(second) });
        }
        Ok(None) => {}
    }
    let (twice_area, around) =
        points.iter().zip(points.iter().cycle().skip(1)).fold((0.0, 0.0), |(twice_area, around), (a, b)| {
            // Relative to the first corner, so that a small room far from the origin loses no digits.
            let origin = points.first().copied().unwrap_or_default();
            (twice_area + (*a - origin).perp_dot(*b - origin), around + a.distance(*b))
        });
    (twice_area.abs() <= TOUCH_M * around).then_some(Flaw::NoInside)
}

/// The indices of the corners that stay when repetitions are removed.
fn kept(corners: &[DVec2]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::with_capacity(corners.len());
    for (index, corner) in corners.iter().enumerate() {
        if kept.last().and_then(|&last| corners.get(last)) != Some(corner) {
            kept.push(index);
        }
    }
    while kept.len() > 1 && kept.last().and_then(|&last| corners.get(last)) == corners.first() {
        kept.pop();
    }
    kept
}

/// The number of different places, up to 3.
fn different_places(points: &[DVec2]) -> usize {
    let mut seen: Vec<DVec2> = Vec::new();
    for point in points {
        if !seen.contains(point) {
            seen.push(*point);
        }
        if seen.len() == 3 {
            break;
        }
    }
    seen.len()
}

fn on_one_line(points: &[DVec2]) -> bool {
    let Some(&start) = points.first() else { return true };
    let farther =
        |a: DVec2, b: &DVec2| if b.distance_squared(start) > a.distance_squared(start) { *b } else { a };
    let far = points.iter().fold(start, farther);
    points.iter().all(|&point| side(start, far, point) == 0)
}

#[cfg(test)]
mod tests {
    use super::super::crossing::MAX_COMPARISONS;
    use super::*;

    fn flaw(corners: &[DVec2]) -> Option<Flaw> {
        super::flaw(corners, &mut { MAX_COMPARISONS })
    }

    fn corners(list: &[[f64; 2]]) -> Vec<DVec2> {
        list.iter().map(|&[x, z]| DVec2::new(x, z)).collect()
    }

    /// Checks the outline from every first corner and in both windings.
    fn check(list: &[[f64; 2]], expected: fn(Option<Flaw>) -> bool) {
        let mut points = corners(list);
        for _ in 0..points.len() {
            points.rotate_left(1);
            assert!(expected(flaw(&points)), "{points:?}: {:?}", flaw(&points));
            let back: Vec<DVec2> = points.iter().rev().copied().collect();
            assert!(expected(flaw(&back)), "{back:?}: {:?}", flaw(&back));
        }
    }

    fn fine(flaw: Option<Flaw>) -> bool {
        flaw.is_none()
    }

    fn crosses(flaw: Option<Flaw>) -> bool {
        matches!(flaw, Some(Flaw::Crossing { .. }))
    }

    #[test]
    fn simple_outlines() {
        check(&[[0., 0.], [4., 0.], [0., 3.]], fine);
        check(&[[0., 0.], [4., 0.], [4., 4.], [2., 1.], [0., 4.]], fine); // concave
        check(&[[0., 0.], [2., 0.], [4., 0.], [4., 4.], [0., 4.]], fine); // a corner on a straight edge
        check(&[[1e6, 1e6], [1e6 - 1., 1e6], [1e6, 1e6 - 1.]], fine);
    }

    #[test]
    fn touching_is_no_crossing() {
        // Two triangles that meet at a corner, walked without crossing.
        check(&[[0., 0.], [2., 2.], [4., 0.], [4., 4.], [2., 2.], [0., 4.]], fine);
        // A corner that touches the opposite edge from inside.
        check(&[[0., 0.], [4., 0.], [4., 4.], [2., 0.], [0., 4.]], fine);
        // A square hole joined by a seam.
        check(
            &[
                [0., 0.],
                [6., 0.],
                [6., 6.],
                [0., 6.],
                [0., 0.],
                [2., 2.],
                [2., 4.],
                [4., 4.],
                [4., 2.],
                [2., 2.],
            ],
            fine,
        );
        // A spike of zero width.
        check(&[[0., 0.], [4., 0.], [4., 2.], [7., 2.], [4., 2.], [4., 4.], [0., 4.]], fine);
    }

    #[test]
    fn crossings() {
        check(&[[0., 0.], [4., 4.], [4., 0.], [0., 3.]], crosses); // bow tie
        // A bow tie whose knot is a corner of both strands.
        check(&[[0., 0.], [2., 2.], [4., 4.], [4., 0.], [2., 2.], [0., 4.]], crosses);
        // A bow tie whose knot is a corner of one strand only.
        check(&[[0., 0.], [2., 2.], [4., 4.], [4., 0.], [0., 4.]], crosses);
        // The same edge walked twice the same way.
        check(&[[0., 0.], [4., 0.], [4., 4.], [0., 0.], [4., 0.], [2., 5.]], crosses);
        let bow = corners(&[[0., 0.], [0., 0.], [4., 4.], [4., 0.], [0., 3.]]);
        assert_eq!(flaw(&bow), Some(Flaw::Crossing { first: 0, second: 3 }));
    }

    #[test]
    fn nothing_inside() {
        assert_eq!(flaw(&[]), Some(Flaw::TooFew { different: 0 }));
        assert_eq!(
            flaw(&corners(&[[1., 1.], [1., 1.], [2., 1.], [1., 1.]])),
            Some(Flaw::TooFew { different: 2 })
        );
        assert_eq!(flaw(&corners(&[[0., 0.], [1., 0.], [3., 0.], [2., 0.]])), Some(Flaw::OneLine));
        assert_eq!(flaw(&corners(&[[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]])), Some(Flaw::OneLine));
        // There and back along two legs: an angle of zero width.
        let angle = corners(&[[0., 0.], [3., 0.], [3., 3.], [3., 0.]]);
        assert_eq!(flaw(&angle), Some(Flaw::NoInside));
    }

    #[test]
    fn repetitions_go() {
        let given = corners(&[[0., 0.], [0., 0.], [1., 0.], [1., 1.], [-0., 0.], [0., 0.]]);
        assert_eq!(clean(&given), corners(&[[0., 0.], [1., 0.], [1., 1.]]));
        assert_eq!(clean(&corners(&[[1., 1.], [1., 1.]])), corners(&[[1., 1.]]));
    }

    #[test]
    fn the_largest_outlines_are_quick() {
        // A spiral, a comb of long horizontal teeth, a coast; a hundred thousand corners each.
        let half = MAX_CORNERS / 2;
        let arm = |turn: usize, radius: f64| {
            let angle = turn as f64 * 0.01;
            DVec2::new(libm::cos(angle), libm::sin(angle)) * (radius + angle)
        };
        let spiral: Vec<DVec2> =
            (0..half).map(|k| arm(k, 1.0)).chain((0..half).rev().map(|k| arm(k, 1.5))).collect();
        let mut comb: Vec<DVec2> = (0..MAX_CORNERS - 2)
            .map(|k| DVec2::new(if (k / 2) % 2 == 0 { 0.0 } else { 900.0 }, (k - k / 2) as f64))
            .collect();
        comb.extend(corners(&[[1000., half as f64], [1000., -1.]]));
        let coast: Vec<DVec2> = (0..MAX_CORNERS)
            .map(|k| {
                let angle = k as f64 / MAX_CORNERS as f64 * std::f64::consts::TAU;
                DVec2::new(libm::cos(angle), libm::sin(angle)) * (1000.0 + (k % 7) as f64 * 0.1)
            })
            .collect();
        for shape in [spiral, comb, coast] {
            assert_eq!(shape.len(), MAX_CORNERS);
            assert_eq!(flaw(&shape), None);
            let mut crossed = shape;
            crossed.swap(10, MAX_CORNERS / 2 + 10);
            assert!(crosses(flaw(&crossed)));
        }
    }
}
