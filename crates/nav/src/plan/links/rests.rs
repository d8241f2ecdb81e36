//! Lower bounds of what is left of a route.

use super::Way;
use super::route::SAME_M;
use crate::nav::Position;
use crate::surface::Surface;
use glam::DVec2;

/// Lower bounds of the costs from the exits of ways to the goal. Only ways that are cheaper than a straight walk from
/// their entry to their exit can make a route cheaper than that; parts of waypaths are. The bounds are those of the
/// cheapest chains of such ways, by Dijkstra's algorithm from the goal. Bounds of `most_m` or more may be too high: routes
/// that cost as much are of no use.
pub(super) fn least_rests(ground: &Surface, ways: &[Way], goal: Option<Position>, most_m: f64) -> Vec<f64> {
    let Some(goal) = goal.map(|goal| ground.bound_point(goal)) else { return vec![0.0; ways.len()] };
    let ends = |way: &Way| [way.entry, way.exit].map(|end| ground.bound_point(end));
    let ends: Vec<[DVec2; 2]> = ways.iter().map(ends).collect();
    let mut rest_m: Vec<f64> = ends.iter().map(|[_, exit]| ground.least_between_m(*exit, goal)).collect();
    let is_fast = |index: usize| {
        let [entry, exit] = ends[index];
        ways[index].is_part() || ways[index].cost_m < ground.least_between_m(entry, exit) - SAME_M
    };
    let (fast, slow): (Vec<usize>, Vec<usize>) = (0..ways.len()).partition(|&index| is_fast(index));
    let over = |rest_m: &[f64], index: usize, by: usize| {
        ground.least_between_m(ends[index][1], ends[by][0]) + ways[by].cost_m + rest_m[by]
    };
    let mut open = fast;
    let mut known = Vec::new();
    while let Some(place) = nearest(&open, &rest_m).filter(|&place| rest_m[open[place]] < most_m) {
        let by = open.swap_remove(place);
        for &index in &open {
            rest_m[index] = rest_m[index].min(over(&rest_m, index, by));
        }
        known.push(by);
    }
    for index in slow {
        let least = known.iter().map(|&by| over(&rest_m, index, by));
        rest_m[index] = least.fold(rest_m[index], f64::min);
    }
    rest_m
}

/// The place in the list of the way with the least rest; of equal ones, the first way.
fn nearest(open: &[usize], rest_m: &[f64]) -> Option<usize> {
    let nearer =
        |&a: &usize, &b: &usize| rest_m[open[a]].total_cmp(&rest_m[open[b]]).then(open[a].cmp(&open[b]));
    (0..open.len()).min_by(nearer)
}
