//! Lower bounds of what is left of a route.

use super::Way;
use crate::nav::Position;
use crate::surface::Surface;

/// Lower bounds of the costs from the exits of ways to the goal. Only ways that are cheaper than a straight walk from
/// their entry to their exit can make a route cheaper than that; parts of waypaths are. The bounds are those of the
/// cheapest chains of such ways, by Dijkstra's algorithm from the goal.
pub(super) fn least_rests(ground: &Surface, ways: &[Way], goal: Option<Position>) -> Vec<f64> {
    let Some(goal) = goal else { return vec![0.0; ways.len()] };
    let mut rest_m: Vec<f64> = ways.iter().map(|way| ground.least_cost_m(way.exit, goal)).collect();
    let fast: Vec<usize> = (0..ways.len()).filter(|&index| ways[index].is_fast(ground)).collect();
    let over = |rest_m: &[f64], index: usize, by: usize| {
        ground.least_cost_m(ways[index].exit, ways[by].entry) + ways[by].cost_m + rest_m[by]
    };
    let mut open = fast.clone();
    while let Some(place) = nearest(&open, &rest_m) {
        let by = open.swap_remove(place);
        for &index in &open {
            rest_m[index] = rest_m[index].min(over(&rest_m, index, by));
        }
    }
    let all_over = |index: usize| fast.iter().map(move |&by| (index, by));
    for index in (0..ways.len()).filter(|&index| !ways[index].is_fast(ground)) {
        let least = all_over(index).map(|(index, by)| over(&rest_m, index, by));
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
