//! Formations: the places of a circle, a line and a wedge, and who takes which.

use glam::DVec2;
use std::f64::consts::{PI, TAU};

/// The shape of a formation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormationKind {
    /// On a circle round the place. All look at it.
    Circle,
    /// Side by side. All look ahead.
    Line,
    /// Two arms behind the first one, who stands at the place. All look ahead.
    Wedge,
}

impl FormationKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Circle, Self::Line, Self::Wedge];

    /// The name in scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Line => "line",
            Self::Wedge => "wedge",
        }
    }
}

/// The places of a formation relative to its middle: the middle of the circle or the line, the tip of the wedge.
/// `facing` is a unit vector: where line and wedge look, and where the first place of the circle is. Neighbours are
/// `spacing_m` apart; on a circle only if no radius is given.
pub(crate) fn places(
    kind: FormationKind,
    count: usize,
    spacing_m: f64,
    radius_m: Option<f64>,
    facing: DVec2,
) -> Vec<DVec2> {
    let side = facing.perp();
    let place = |index: usize| match kind {
        FormationKind::Circle => {
            let radius_m = radius_m.unwrap_or_else(|| circle_radius_m(count, spacing_m));
            let (sin, cos) = libm::sincos(index as f64 / count as f64 * TAU);
            DVec2::new(cos, sin).rotate(facing) * radius_m
        }
        FormationKind::Line => side * ((index as f64 - 0.5 * (count as f64 - 1.0)) * spacing_m),
        FormationKind::Wedge => {
            let row = index.div_ceil(2) as f64;
            let arm = if index.is_multiple_of(2) { side } else { -side };
            (arm - facing) * (row * spacing_m * std::f64::consts::FRAC_1_SQRT_2)
        }
    };
    (0..count).map(place).collect()
}

/// The radius at which neighbours on a circle are `spacing_m` apart. One alone stands in the middle.
pub(crate) fn circle_radius_m(count: usize, spacing_m: f64) -> f64 {
    if count < 2 { 0.0 } else { 0.5 * spacing_m / libm::sin(PI / count as f64) }
}

/// Assigns every walker a place, so that the sum of the straight ways is least; then no two of them cross. `result[i]` is
/// the place of walker i. There are as many places as walkers. The Hungarian method (Kuhn 1955, Munkres 1957) with
/// shortest augmenting paths, O(n³); of equal sums, always the same one.
pub(crate) fn assign(walkers: &[DVec2], places: &[DVec2]) -> Vec<usize> {
    let count = walkers.len().min(places.len());
    let cost_m = |walker: usize, place: usize| walkers[walker - 1].distance(places[place - 1]);
    // Index 0 is a dummy in all of these.
    let (mut of_walker, mut of_place) = (vec![0.0; count + 1], vec![0.0; count + 1]);
    let mut walker_at = vec![0; count + 1];
    for walker in 1..=count {
        let mut before = vec![0; count + 1];
        let mut least = vec![f64::INFINITY; count + 1];
        let mut is_done = vec![false; count + 1];
        walker_at[0] = walker;
        let mut at = 0;
        while walker_at[at] != 0 {
            is_done[at] = true;
            let (from, mut delta, mut next) = (walker_at[at], f64::INFINITY, 0);
            for place in (1..=count).filter(|&place| !is_done[place]) {
                let reduced = cost_m(from, place) - of_walker[from] - of_place[place];
                if reduced < least[place] {
                    (least[place], before[place]) = (reduced, at);
                }
                if least[place] < delta {
                    (delta, next) = (least[place], place);
                }
            }
            for place in 0..=count {
                if is_done[place] {
                    of_walker[walker_at[place]] += delta;
                    of_place[place] -= delta;
                } else {
                    least[place] -= delta;
                }
            }
            at = next;
        }
        while at != 0 {
            let earlier = before[at];
            walker_at[at] = walker_at[earlier];
            at = earlier;
        }
    }
    let mut result = vec![0; count];
    (1..=count).for_each(|place| result[walker_at[place] - 1] = place - 1);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least sum over all orders.
    fn least_m(walkers: &[DVec2], places: &[DVec2]) -> f64 {
        let Some((first, rest)) = walkers.split_first() else { return 0.0 };
        let sums = places.iter().enumerate().map(|(taken, place)| {
            let mut left = places.to_vec();
            left.remove(taken);
            first.distance(*place) + least_m(rest, &left)
        });
        sums.fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_sum_of_the_ways_is_least() {
        let mut state = 7_u64;
        for count in 0..=6 {
            for _ in 0..20 {
                let mut next = || {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 33) as f64 / f64::from(u32::MAX) * 20.0
                };
                let mut point = || DVec2::new(next(), next());
                let walkers: Vec<DVec2> = (0..count).map(|_| point()).collect();
                let places: Vec<DVec2> = (0..count).map(|_| point()).collect();
                let given = assign(&walkers, &places);
                let sum_m: f64 = (0..count).map(|who| walkers[who].distance(places[given[who]])).sum();
                let mut once = given.clone();
                once.sort_unstable();
                assert!(once.iter().copied().eq(0..count), "{given:?}");
                assert!((sum_m - least_m(&walkers, &places)).abs() < 1e-9, "{given:?}: {sum_m}");
            }
        }
    }

    #[test]
    fn neighbours_are_a_spacing_apart() {
        for kind in FormationKind::ALL {
            let all = places(kind, 7, 1.5, None, DVec2::Y);
            let nearest = |place: &DVec2| {
                let others = all.iter().filter(|other| *other != place);
                others.map(|other| other.distance(*place)).fold(f64::INFINITY, f64::min)
            };
            assert!(all.iter().all(|place| (nearest(place) - 1.5).abs() < 1e-9), "{kind:?}: {all:?}");
        }
        let round = places(FormationKind::Circle, 4, 1.0, Some(3.0), DVec2::X);
        assert!(round.iter().all(|place| (place.length() - 3.0).abs() < 1e-9), "{round:?}");
    }
}
