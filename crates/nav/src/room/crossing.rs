//! Detects outlines that cross themselves, without comparing every edge with every other.

use glam::DVec2;

/// Corners and edges nearer to each other than this touch. It is a thousand times the rounding error of coordinates
/// of a thousand kilometres, and a thousandth of the smallest visible distance.
pub(super) const TOUCH_M: f64 = 1e-6;

/// Upper limit on the comparisons of boxes for all outlines of one file; half a second. Only many thousands of long
/// edges packed slantwise or in a star need more.
pub(super) const MAX_COMPARISONS: usize = 15_000_000;

/// A closed outline without repetitions. Edge `i` runs from corner `i` to the next.
pub(super) struct Outline<'a> {
    pub points: &'a [DVec2],
}

impl Outline<'_> {
    /// The corner at `index`, modulo the number of corners.
    fn corner(&self, index: usize) -> DVec2 {
        self.points.get(index % self.points.len().max(1)).copied().unwrap_or_default()
    }

    /// The corner before the one at `index`.
    fn before(&self, index: usize) -> DVec2 {
        self.corner(index + self.points.len() - 1)
    }
}

/// The budget of comparisons was used up before the check was complete.
pub(super) struct TooLong;

/// Two edges that cross, the lower index first.
///
/// Method: a binary tree of bounding boxes (BVH) over the edges. It keeps the edges in outline order, in which
/// neighbours are near each other anyway, so nothing is sorted. Pairs of overlapping boxes are split until two edges
/// are left. Ordinary outlines take `O(n log n)`. The `budget` of comparisons, which is counted down, stops the worst
/// ones.
pub(super) fn first_crossing(
    outline: &Outline<'_>,
    budget: &mut usize,
) -> Result<Option<(usize, usize)>, TooLong> {
    let count = outline.points.len();
    let leaves = count.next_power_of_two();
    let mut boxes = vec![Bounds::NOTHING; leaves * 2];
    for edge in 0..count {
        let (a, b) = (outline.corner(edge), outline.corner(edge + 1));
        if let Some(leaf) = boxes.get_mut(leaves + edge) {
            *leaf = Bounds { min: a.min(b) - DVec2::splat(TOUCH_M), max: a.max(b) + DVec2::splat(TOUCH_M) };
        }
    }
    for parent in (1..leaves).rev() {
        let both = bounds(&boxes, parent * 2).join(bounds(&boxes, parent * 2 + 1));
        if let Some(inner) = boxes.get_mut(parent) {
            *inner = both;
        }
    }

    let mut pairs = vec![(1, 1)];
    while let Some((a, b)) = pairs.pop() {
        *budget = budget.checked_sub(1).ok_or(TooLong)?;
        if a != b && !bounds(&boxes, a).overlaps(bounds(&boxes, b)) {
            continue;
        }
        // Both nodes of a pair are always at the same level of the tree.
        if a < leaves {
            pairs.push((a * 2 + 1, b * 2 + 1));
            pairs.push((a * 2, b * 2 + 1));
            if a != b {
                pairs.push((a * 2 + 1, b * 2));
            }
            pairs.push((a * 2, b * 2));
        } else if a != b {
            let (first, second) = (a.min(b) - leaves, a.max(b) - leaves);
            if edges_cross(outline, first, second) {
                return Ok(Some((first, second)));
            }
        }
    }
    Ok(None)
}

/// Whether edge `i` and the later edge `j` cross. Touching is no crossing, unless the outline passes through itself
/// where they touch, or both edges run along each other in the same direction.
fn edges_cross(outline: &Outline<'_>, i: usize, j: usize) -> bool {
    let count = outline.points.len();
    if j >= count || j == i + 1 || (i == 0 && j + 1 == count) {
        return false; // neighbours share a corner
    }
    let (a, b) = (outline.corner(i), outline.corner(i + 1));
    let (c, d) = (outline.corner(j), outline.corner(j + 1));
    let (side_c, side_d) = (side(a, b, c), side(a, b, d));
    let (side_a, side_b) = (side(c, d, a), side(c, d, b));
    if side_c * side_d < 0 && side_a * side_b < 0 {
        return true;
    }
    if side_a == 0 && side_b == 0 && side_c == 0 && side_d == 0 {
        let along = (b - a).normalize_or_zero();
        let (from, to) = (along.dot(c - a), along.dot(d - a));
        return from < to && to.min(a.distance(b)) - from.max(0.0) > TOUCH_M;
    }
    let touching = [(c, side_c, a, b), (d, side_d, a, b), (a, side_a, c, d), (b, side_b, c, d)];
    touching.into_iter().any(|(place, side, from, to)| {
        side == 0 && is_beside(from, to, place) && goes_through(outline, place, i, j)
    })
}

/// Whether the outline passes through itself at `place`, where edges `i` and `j` touch: the ways in and out along `j`
/// lie on different sides of the way along `i`. Ways that coincide only touch.
fn goes_through(outline: &Outline<'_>, place: DVec2, i: usize, j: usize) -> bool {
    let ways = |edge: usize| {
        let (from, to) = (outline.corner(edge), outline.corner(edge + 1));
        if from.distance(place) <= TOUCH_M {
            (outline.before(edge) - place, to - place)
        } else if to.distance(place) <= TOUCH_M {
            (from - place, outline.corner(edge + 2) - place)
        } else {
            (from - place, to - place)
        }
    };
    let ((into_i, out_i), (into_j, out_j)) = (ways(i), ways(j));
    let coincide =
        |u: DVec2, v: DVec2| u.perp_dot(v).abs() <= TOUCH_M * u.length().max(v.length()) && u.dot(v) > 0.0;
    if coincide(into_i, out_i)
        || [into_j, out_j].iter().any(|&way| coincide(way, into_i) || coincide(way, out_i))
    {
        return false;
    }
    within_turn(into_i, out_i, into_j) != within_turn(into_i, out_i, out_j)
}

/// Whether `way` lies in the anticlockwise turn from `from` to `to`.
fn within_turn(from: DVec2, to: DVec2, way: DVec2) -> bool {
    if from.perp_dot(to) > 0.0 {
        from.perp_dot(way) > 0.0 && way.perp_dot(to) > 0.0
    } else {
        !(to.perp_dot(way) > 0.0 && way.perp_dot(from) > 0.0)
    }
}

/// Left (1), right (−1) or on (0) the line from `a` to `b`.
pub(super) fn side(a: DVec2, b: DVec2, point: DVec2) -> i32 {
    let distance = (b - a).normalize_or_zero().perp_dot(point - a);
    if distance.abs() <= TOUCH_M {
        0
    } else if distance > 0.0 {
        1
    } else {
        -1
    }
}

/// Whether a point on the line through `a` and `b` lies between them.
fn is_beside(a: DVec2, b: DVec2, point: DVec2) -> bool {
    let along = (b - a).normalize_or_zero().dot(point - a);
    (-TOUCH_M..=a.distance(b) + TOUCH_M).contains(&along)
}

#[derive(Clone, Copy)]
struct Bounds {
    min: DVec2,
    max: DVec2,
}

impl Bounds {
    const NOTHING: Self = Self { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };

    fn join(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn overlaps(self, other: Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }
}

fn bounds(boxes: &[Bounds], node: usize) -> Bounds {
    boxes.get(node).copied().unwrap_or(Bounds::NOTHING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_comparing_every_pair() {
        // A plain generator of small coordinates, so that touching and overlapping edges are frequent.
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % 7) as f64
        };
        for round in 0..20_000 {
            let points: Vec<DVec2> = (0..3 + round % 8).map(|_| DVec2::new(next(), next())).collect();
            let points = super::super::polygon::clean(&points);
            let outline = Outline { points: &points };
            let count = points.len();
            let slow = (0..count).any(|i| (i + 1..count).any(|j| edges_cross(&outline, i, j)));
            let Ok(quick) = first_crossing(&outline, &mut { MAX_COMPARISONS }) else {
                panic!("too long for {points:?}")
            };
            assert_eq!(quick.is_some(), slow, "{points:?}");
        }
    }
}
