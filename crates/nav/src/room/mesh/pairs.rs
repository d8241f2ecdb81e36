//! Finds the pairs of polygons that may touch: the box round each polygon, and the recursive division of all boxes.

use glam::DVec3;
use std::ops::ControlFlow;

/// The directions in which a box has a width: x, y, z, and both diagonals of the plane. Without the diagonals, the boxes
/// of slanting strips would all meet.
const AXES: usize = 5;

/// So few boxes are compared one by one.
const FEW: usize = 16;

/// The range of a polygon in each direction, in metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    low: [f64; AXES],
    high: [f64; AXES],
}

impl Bounds {
    /// The box round some corners, wider by `margin_m` on each side of the plane and by `height_m` above and below.
    pub(super) fn of(corners: impl IntoIterator<Item = DVec3>, margin_m: f64, height_m: f64) -> Self {
        let mut bounds = Self { low: [f64::INFINITY; AXES], high: [f64::NEG_INFINITY; AXES] };
        for at in corners {
            // The diagonals are longer by the root of 2, which 2 covers.
            let widths = [margin_m, height_m, margin_m, 2.0 * margin_m, 2.0 * margin_m];
            let values = [at.x, at.y, at.z, at.x + at.z, at.x - at.z];
            for axis in 0..AXES {
                bounds.low[axis] = bounds.low[axis].min(values[axis] - widths[axis]);
                bounds.high[axis] = bounds.high[axis].max(values[axis] + widths[axis]);
            }
        }
        bounds
    }

    fn meets(&self, other: &Self) -> bool {
        (0..AXES).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}

/// Visits each pair of boxes that meet once, the smaller number first, until `visit` breaks. The order of the visits
/// depends on the boxes alone.
///
/// Boxes are divided at the median of their lower ends in the direction in which the fewest boxes lie on both sides,
/// until few are left (after Zomorodian and Edelsbrunner, "Fast software for box intersections", 2000).
pub(super) fn for_each_pair(bounds: &[Bounds], visit: &mut dyn FnMut(usize, usize) -> ControlFlow<()>) {
    let everywhere = [[f64::NEG_INFINITY, f64::INFINITY]; AXES];
    let _ = pairs_within(bounds, (0..bounds.len()).collect(), everywhere, visit);
}

/// The pairs of some boxes whose common part begins in a region: lower ends in the region are from its first number to
/// below its second.
fn pairs_within(
    bounds: &[Bounds],
    boxes: Vec<usize>,
    region: [[f64; 2]; AXES],
    visit: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if boxes.len() > FEW
        && let Some((axis, at)) = division(bounds, &boxes)
    {
        let left = boxes.iter().copied().filter(|&number| bounds[number].low[axis] < at).collect();
        let right = boxes.iter().copied().filter(|&number| bounds[number].high[axis] >= at).collect();
        drop(boxes);
        let (mut lower, mut upper) = (region, region);
        (lower[axis][1], upper[axis][0]) = (at, at);
        pairs_within(bounds, left, lower, visit)?;
        return pairs_within(bounds, right, upper, visit);
    }
    for (place, &one) in boxes.iter().enumerate() {
        for &other in &boxes[place + 1..] {
            let (a, b) = (&bounds[one], &bounds[other]);
            // A pair that lies on both sides of a division is visited on the side where its common part begins.
            let begins_here = |axis: usize| {
                let begins = a.low[axis].max(b.low[axis]);
                region[axis][0] <= begins && begins < region[axis][1]
            };
            if a.meets(b) && (0..AXES).all(begins_here) {
                visit(one.min(other), one.max(other))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The direction and the place at which to divide boxes. `None` if many of them would be on both sides.
fn division(bounds: &[Bounds], boxes: &[usize]) -> Option<(usize, f64)> {
    let mut best = None;
    let mut lows: Vec<f64> = Vec::with_capacity(boxes.len());
    for axis in 0..AXES {
        lows.clear();
        lows.extend(boxes.iter().map(|&number| bounds[number].low[axis]));
        let middle = lows.len() / 2;
        let at = *lows.select_nth_unstable_by(middle, f64::total_cmp).1;
        let left = boxes.iter().filter(|&&number| bounds[number].low[axis] < at).count();
        let right = boxes.iter().filter(|&&number| bounds[number].high[axis] >= at).count();
        let larger = left.max(right);
        let is_useful = larger * 4 <= boxes.len() * 3 && left + right <= boxes.len() + boxes.len() / 8;
        if is_useful && best.is_none_or(|(count, _, _)| left + right < count) {
            best = Some((left + right, axis, at));
        }
    }
    best.map(|(_, axis, at)| (axis, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs that are found, and those that are there.
    fn check(bounds: &[Bounds]) -> usize {
        let mut found = Vec::new();
        for_each_pair(bounds, &mut |one, other| {
            found.push((one, other));
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        let all = (0..bounds.len()).flat_map(|one| (one + 1..bounds.len()).map(move |other| (one, other)));
        let there: Vec<(usize, usize)> = all.filter(|&(a, b)| bounds[a].meets(&bounds[b])).collect();
        assert_eq!(found, there);
        there.len()
    }

    fn rectangle(at: [f64; 3], size: [f64; 2]) -> Bounds {
        let [x, y, z] = at;
        let corners = [[0.0, 0.0], [size[0], 0.0], [size[0], size[1]], [0.0, size[1]]];
        Bounds::of(corners.map(|[dx, dz]| DVec3::new(x + dx, y, z + dz)), 5e-4, 0.25)
    }

    #[test]
    fn every_pair_is_found_once() {
        let mut state = 7_u64;
        let mut draw = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        for round in 0..60 {
            let span = [3, 20, 200][round % 3];
            let mut number = || draw(span) as f64 / 2.0;
            let mut size = |_| number() * number() / span as f64;
            let mut boxes: Vec<Bounds> = Vec::new();
            for _ in 0..300 {
                let at = [size(0) * 8.0, size(1), size(2) * 8.0];
                boxes.push(rectangle(at, [size(3), size(4)]));
            }
            assert!(check(&boxes) > 0);
        }
    }

    /// A division leaves next to no box on both sides, so that the work is near-linear.
    #[test]
    fn strips_storeys_and_slanting_strips_divide() {
        let count = 3000;
        let numbers = || (0..count).map(f64::from);
        let strips: Vec<Bounds> = numbers().map(|i| rectangle([0.0, 0.0, i], [1e4, 0.9])).collect();
        let storeys: Vec<Bounds> = numbers().map(|i| rectangle([0.0, i, 0.0], [50.0, 50.0])).collect();
        let slanting = |i: f64| {
            let corners = [[0.0, i], [4e3, 4e3 + i], [4e3, 4e3 + i + 0.9], [0.0, i + 0.9]];
            Bounds::of(corners.map(|[x, z]| DVec3::new(x, 0.0, z)), 5e-4, 0.25)
        };
        let slanting: Vec<Bounds> = numbers().map(slanting).collect();
        for boxes in [strips, storeys, slanting] {
            assert_eq!(check(&boxes), 0);
            let all: Vec<usize> = (0..boxes.len()).collect();
            let (axis, at) = division(&boxes, &all).unwrap();
            let on_both =
                |number: &&usize| boxes[**number].low[axis] < at && boxes[**number].high[axis] >= at;
            assert!(all.iter().filter(on_both).count() < 3, "axis {axis}");
        }
    }
}
